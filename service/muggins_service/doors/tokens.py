"""Signed tokens (JWT) of the operator's identity provider, checked against its public keys."""

import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final

import jwt

from muggins_service.doors.key_set import ALGORITHMS
from muggins_service.doors.scopes import Identity, Scope, is_principal

__all__ = ["TokenReader", "TokenRules"]

_MOST_REMEMBERED: Final = 10_000
_LONGEST_TOKEN: Final = 8 * 1024
_SCOPES: Final = {scope.value: scope for scope in Scope}


class TokenRules:
    """What a token must say. The audience and the issuer are always checked."""

    def __init__(
        self, issuer: str, audience: str, scope_claim: str, scope_prefix: str, skew_s: float
    ) -> None:
        """`skew_s` is how far the clocks may differ; a scope is a word of `scope_claim`."""
        assert issuer, "tokens of anyone would be believed"
        assert audience, "tokens for other services would be believed"
        self.issuer = issuer
        self.audience = audience
        self.scope_claim = scope_claim
        self.scope_prefix = scope_prefix
        self.skew_s = skew_s


class TokenReader:
    """Reads tokens; those that were believed are remembered until they expire."""

    def __init__(
        self,
        rules: TokenRules,
        keys: Mapping[str, jwt.PyJWK],
        on_unknown_key: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin with some keys; `on_unknown_key` is told of a token by a key that is not there."""
        self._rules = rules
        self._keys = keys
        self._on_unknown_key = on_unknown_key
        self._believed: dict[bytes, Identity] = {}

    def use(self, keys: Mapping[str, jwt.PyJWK]) -> None:
        """Believe tokens of these keys alone from now on."""
        self._keys = keys
        self._believed.clear()

    def identity(self, token: str) -> Identity | None:
        """Whose token it is; none where it is not believed."""
        if len(token) > _LONGEST_TOKEN:
            return None
        digest = sha256(token.encode()).digest()
        known = self._believed.get(digest)
        if known is not None:
            if time.time() < known.expires_s:
                return known
            del self._believed[digest]
            return None
        try:
            found = self._checked(token)
        except Exception:  # noqa: BLE001 - whatever a stranger's text does to a parser, it is no token
            return None
        if found is not None:
            if len(self._believed) >= _MOST_REMEMBERED:
                del self._believed[next(iter(self._believed))]
            self._believed[digest] = found
        return found

    def _checked(self, token: str) -> Identity | None:
        rules = self._rules
        header = jwt.get_unverified_header(token)
        if header.get("alg") not in ALGORITHMS:
            return None
        key = self._key(header.get("kid"))
        if key is None:
            return None
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            audience=rules.audience,
            issuer=rules.issuer,
            leeway=rules.skew_s,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        principal = claims["sub"]
        if not isinstance(principal, str) or not is_principal(principal):
            return None
        return Identity(principal, self._scopes(claims), float(claims["exp"]) + rules.skew_s)

    def _key(self, kid: object) -> jwt.PyJWK | None:
        """The key that a token names, or the only one where it names none."""
        if kid is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        key = self._keys.get(kid) if isinstance(kid, str) else None
        if key is None:
            self._on_unknown_key()
        return key

    def _scopes(self, claims: Mapping[str, Any]) -> frozenset[Scope]:
        told = claims.get(self._rules.scope_claim, ())
        words = told.split() if isinstance(told, str) else told if isinstance(told, list) else ()
        prefix = self._rules.scope_prefix
        names = (
            w.removeprefix(prefix) for w in words if isinstance(w, str) and w.startswith(prefix)
        )
        return frozenset(_SCOPES[name] for name in names if name in _SCOPES)
