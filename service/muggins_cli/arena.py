"""`muggins arena A B`: two agents play mirrored matches; win rate and points with intervals."""

from muggins_ai.arena.command import add_arguments, run

__all__ = ["add_arguments", "run"]
