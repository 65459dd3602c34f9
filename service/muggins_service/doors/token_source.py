"""The reader of tokens as the settings have it; imported where tokens are asked for alone."""

from collections.abc import Callable, Mapping

import jwt

from muggins_service.config import Config
from muggins_service.doors.key_set import BadKeySet, is_url, read_key_set
from muggins_service.doors.sources import BadDoor, Source
from muggins_service.doors.tokens import TokenReader, TokenRules

__all__ = ["token_reader"]


def token_reader(config: Config, on_unknown_key: Callable[[], None]) -> tuple[TokenReader, Source]:
    """The reader and what keeps its keys new. Blocks.

    Raises:
        BadDoor: there are no keys that can be used.
    """
    rules = TokenRules(
        config.tokens_issuer,
        config.tokens_audience,
        config.tokens_scope_claim,
        config.tokens_scope_prefix,
        config.tokens_skew_s,
    )
    reader = TokenReader(rules, _keys(config), on_unknown_key)

    def read() -> Callable[[], None]:
        fresh = _keys(config)
        return lambda: reader.use(fresh)

    paths = () if is_url(config.tokens_keys) else (config.tokens_keys,)
    return reader, Source("token_keys", paths, read)


def _keys(config: Config) -> Mapping[str, jwt.PyJWK]:
    try:
        return read_key_set(config.tokens_keys)
    except BadKeySet as error:
        where = "the URL" if is_url(config.tokens_keys) else config.tokens_keys
        raise BadDoor(f"tokens_keys: {where}: {error}") from None
