"""Who a caller is, what it may do, and which scope opens which method."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

__all__ = ["LONGEST_PRINCIPAL", "Identity", "Scope", "is_principal", "scopes_for"]


class Scope(StrEnum):
    """What a caller may use. A backend may act for many players."""

    PLAYER = "player"
    BACKEND = "backend"
    ANALYST = "analyst"
    ADMIN = "admin"


class Identity(NamedTuple):
    """A caller whose credentials were believed, until `expires_s` (seconds since the epoch)."""

    principal: str
    scopes: frozenset[Scope]
    expires_s: float = float("inf")


LONGEST_PRINCIPAL: Final = 128


def is_principal(text: str) -> bool:
    """True for 1 to 128 printable ASCII characters without a space."""
    return 1 <= len(text) <= LONGEST_PRINCIPAL and all("!" <= letter <= "~" for letter in text)


_PLAYING: Final = frozenset({Scope.PLAYER, Scope.BACKEND})
_ADVICE: Final = _PLAYING | {Scope.ANALYST}
_EVERYBODY: Final = frozenset(Scope)

_SERVICES: Final[Mapping[str, frozenset[Scope]]] = MappingProxyType(
    {
        "muggins.v1.MatchService": _PLAYING,
        "muggins.v1.RulesService": _ADVICE,
        "muggins.v1.OpponentService": _ADVICE,
        "muggins.v1.AdminService": frozenset({Scope.ADMIN}),
        "muggins.v1.ResultsService": frozenset({Scope.BACKEND, Scope.ADMIN}),
    }
)
_METHODS: Final[Mapping[tuple[str, str], frozenset[Scope]]] = MappingProxyType(
    {
        ("muggins.v1.MatchService", "GetServerInfo"): _EVERYBODY,
        ("muggins.v1.MatchService", "ListRuleSets"): _EVERYBODY,
    }
)


def scopes_for(service: str, method: str) -> frozenset[Scope]:
    """The scopes of which a caller of a method needs one; the whole table of who may do what."""
    return _METHODS.get((service, method)) or _SERVICES[service]
