"""`python -m muggins_ai.train`: learned values and policies of families, from nothing."""

import sys

from muggins_ai.train.command import main

if __name__ == "__main__":
    sys.exit(main())
