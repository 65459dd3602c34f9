"""How often a stream tells that it lives, whatever it streams."""

from typing import Final

__all__ = ["LONGEST_HEARTBEAT_S", "SHORTEST_HEARTBEAT_S", "heartbeat_s"]

LONGEST_HEARTBEAT_S: Final = 60.0
SHORTEST_HEARTBEAT_S: Final = 0.2
DEFAULT_HEARTBEAT_S: Final = 15.0


def heartbeat_s(asked_s: float) -> float:
    """The longest silence of a stream whose client asked for one, 0 for the default."""
    wanted_s = asked_s or DEFAULT_HEARTBEAT_S
    return min(max(wanted_s, SHORTEST_HEARTBEAT_S), LONGEST_HEARTBEAT_S)
