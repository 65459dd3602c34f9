"""`python -m muggins_ai.arena`: the command `muggins arena` without the rest of `muggins`."""

import sys

from muggins_ai.arena.command import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
