"""Who is let in to a method: credentials, scopes and limits, bound once for each method."""

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from muggins_service.doors.accounts import account_of_peer, account_of_principal
from muggins_service.doors.guest import GUEST, Guest, spends_nothing
from muggins_service.doors.limits import Cost, Limiter, cost_of
from muggins_service.doors.scopes import Identity, Scope, is_principal, scopes_for
from muggins_service.errors import ServiceError, ServiceReason, malformed_field

__all__ = ["Admission", "Authenticator", "Call", "Guard"]

AUTHORIZATION: Final = "authorization"
PRINCIPAL: Final = "muggins-principal"
_SCHEME: Final = "bearer "


class Call(Protocol):
    """What is asked of a call."""

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """The metadata that came with it."""
        ...

    def peer(self) -> str:
        """Where it comes from."""
        ...


Leave = Callable[[], None]

Admission = Callable[[Call], Leave]
"""Lets a call in, and gives what has to be called when it is over; or raises ServiceError."""

Authenticator = Callable[[str], Identity | None]
"""Who shows a bearer's credentials; none where they are not believed."""


class Guard:
    """The door of every method. Without credentials and limits it is no door at all."""

    def __init__(self, authenticate: Authenticator | None, limiter: Limiter) -> None:
        """Without an authenticator everybody is let in."""
        self._authenticate = authenticate
        self._limiter = limiter

    def admission(self, service: str, method: str) -> Admission | None:
        """The admission to a method; none where nothing is asked."""
        cost, scopes = cost_of(method), scopes_for(service, method)
        limiter, authenticate = self._limiter, self._authenticate
        limited = limiter.limits(cost) or limiter.counts_matches(method)
        if authenticate is None:
            return self._limited(cost, _by_peer) if limited else None

        def guest(call: Call) -> tuple[str, str]:
            return self._principal(call, authenticate, scopes)

        return self._limited(cost, guest)

    def anybody(self) -> Admission | None:
        """The admission to what asks for no credentials; none where nothing is limited."""
        return self._limited(Cost.CALL, _by_peer) if self._limiter.limits(Cost.CALL) else None

    def _limited(self, cost: Cost, who: Callable[[Call], tuple[str, str]]) -> Admission:
        limiter = self._limiter
        has_calls = limiter.limits(Cost.CALL)

        def admit(call: Call) -> Leave:
            principal, account = who(call)
            if not account:
                GUEST.set(Guest(principal))
                return spends_nothing
            limiter.spend(account, cost)
            spend = (lambda: limiter.spend(account)) if has_calls else spends_nothing
            GUEST.set(Guest(principal, account, spend))
            return limiter.enter(account) if cost is Cost.STREAM else spends_nothing

        return admit

    def _principal(
        self, call: Call, authenticate: Authenticator, scopes: frozenset[Scope]
    ) -> tuple[str, str]:
        """The principal that a call is made for, and whose limits count.

        A backend that speaks for itself is a server of the operator's, and has no limit.
        """
        shown, acting_for = _shown(call)
        if not shown:
            raise self._turned_away(call, ServiceReason.MISSING_CREDENTIALS)
        text = shown[0]
        credentials = text[len(_SCHEME) :].strip() if text[:7].lower() == _SCHEME else ""
        identity = authenticate(credentials) if credentials and len(shown) == 1 else None
        if identity is None:
            raise self._turned_away(call, ServiceReason.BAD_CREDENTIALS)
        if identity.scopes.isdisjoint(scopes):
            self._limiter.spend(account_of_principal(identity.principal))
            raise _scope_missing(scopes)
        if not acting_for:
            own = identity.principal
            return own, "" if Scope.BACKEND in identity.scopes else account_of_principal(own)
        if Scope.BACKEND not in identity.scopes:
            raise _scope_missing(frozenset({Scope.BACKEND}))
        if len(acting_for) > 1 or not is_principal(acting_for[0]):
            raise malformed_field(PRINCIPAL, "One player, 128 printable ASCII characters at most.")
        return acting_for[0], account_of_principal(acting_for[0])

    def _turned_away(self, call: Call, reason: ServiceReason) -> ServiceError:
        """The refusal of a stranger, who pays for it by the address he comes from."""
        self._limiter.spend(account_of_peer(call.peer()))
        return ServiceError(reason)


def _by_peer(call: Call) -> tuple[str, str]:
    return "", account_of_peer(call.peer())


def _shown(call: Call) -> tuple[list[str], list[str]]:
    """The values of `authorization` and of `muggins-principal`."""
    shown: list[str] = []
    acting_for: list[str] = []
    for key, value in call.invocation_metadata() or ():
        if key == AUTHORIZATION:
            shown.append(_text(value))
        elif key == PRINCIPAL:
            acting_for.append(_text(value))
    return shown, acting_for


def _text(value: str | bytes) -> str:
    return value if isinstance(value, str) else value.decode("ascii", "replace")


def _scope_missing(scopes: frozenset[Scope]) -> ServiceError:
    wanted = ",".join(scope.value for scope in Scope if scope in scopes)
    return ServiceError(ServiceReason.SCOPE_MISSING, metadata={"scopes": wanted})
