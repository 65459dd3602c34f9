"""The server's settings: defaults, then `MUGGINS_*` in the environment, then flags."""

import argparse
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, get_type_hints

from muggins_ai.levels import LEVELS
from muggins_service.doors.settings import doors_problem
from muggins_service.results.settings import results_problem
from muggins_service.table.policy import SECOND_US, TablePolicy

__all__ = ["Config", "ConfigError", "add_config_arguments", "config_from", "table_policy"]

PREFIX: Final = "MUGGINS_"


NO_DEFAULTS: Final[Mapping[str, object]] = {}


class ConfigError(ValueError):
    """A setting that cannot be; the message names it and where it came from."""


def _setting(default: Any, text: str) -> Any:  # noqa: ANN401 - as dataclasses.field does
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting with its default; durations are in seconds."""

    host: str = _setting("127.0.0.1", "address to listen on")
    port: int = _setting(50051, "port to listen on; 0: a free one, which is printed")
    store: str = _setting(
        "muggins.db",
        "file in which matches are kept, made at need; memory: they end with the server",
    )
    restart_grace_s: float = _setting(
        15.0, "how long after a restart times that ran out meanwhile are not held against anybody"
    )
    log_level: str = _setting("info", "least level of log lines: debug, info, warning or error")
    test_seeds: bool = _setting(
        default=False, text="let CreateMatch choose the seed of its deals; such matches are marked"
    )
    workers: int = _setting(2, "opponent worker processes")
    opponent_queue: int = _setting(10_000, "most decisions that wait for an opponent worker")
    opponents_address: str = _setting(
        "", "address of a `muggins opponents` to ask first; empty: only own workers"
    )
    opponents_credentials: str = _setting(
        "", "file of the key or token for opponents_address, read at each call"
    )
    opponents_tls_ca: str = _setting(
        "", "use TLS to opponents_address, with the authorities of this file"
    )
    opponents_deadline_s: float = _setting(
        4.0, "how long a decision may take at opponents_address before own workers are asked"
    )
    warm: bool = _setting(
        default=True, text="load the learned opponents before serving, not at their first move"
    )
    takeover_level: str = _setting("greedy_plus", "level of stand-ins where a match names none")
    claim_window_s: float = _setting(10.0, "longest claim window where a match names none")
    claim_minimum_s: float = _setting(2.0, "least time of a claim window among people")
    think_least_s: float = _setting(0.7, "least time to think of opponents of a human pace")
    think_most_s: float = _setting(2.5, "longest time to think of opponents of a human pace")
    nonce_wait_s: float = _setting(5.0, "how long a full match waits for nonces")
    absence_limit: int = _setting(
        3, "turns a seat may lose to a turn limit before a stand-in takes it; 0: any number"
    )
    takeover_after_s: float = _setting(
        300.0, "how long the player on turn may be away without a turn limit; 0: for ever"
    )
    open_lifetime_s: float = _setting(1800.0, "life of a match that does not start")
    idle_lifetime_s: float = _setting(3600.0, "life of a match in play in which nothing happens")
    finished_lifetime_s: float = _setting(900.0, "how long a finished match can be read")
    rematch_wait_s: float = _setting(10.0, "how long streams wait for a rematch after the end")
    max_matches: int = _setting(100_000, "most matches held at once")
    stream_max_age_s: float = _setting(
        3600.0, "how long a stream lasts, give or take a tenth; 0: for ever"
    )
    slow_reader_s: float = _setting(
        30.0, "how long a stream waits for a client that does not read; 0: for ever"
    )
    observers_per_match: int = _setting(10_000, "most open streams of one match")
    drain_wait_s: float = _setting(
        2.0, "how long after SIGTERM calls are still served, for load balancers to notice"
    )
    grace_s: float = _setting(5.0, "longest time for open calls when stopping")
    insecure_listen: bool = _setting(
        default=False, text="listen beyond this machine without TLS, as behind a proxy that has it"
    )
    tls_cert: str = _setting("", "file of the server's certificate and its chain, in PEM")
    tls_key: str = _setting("", "file of the certificate's key, in PEM")
    tls_client_ca: str = _setting(
        "", "file of the authorities of client certificates; set: every client must show one"
    )
    auth: str = _setting("none", "who may call: none (everybody), keys or tokens")
    keys_file: str = _setting("", "file of the API keys' hashes, as `muggins key` prints them")
    tokens_issuer: str = _setting("", "who signs tokens: their `iss`")
    tokens_audience: str = _setting("", "for whom tokens are: their `aud`")
    tokens_keys: str = _setting("", "file or https URL of the public keys of tokens, as a JWK set")
    tokens_scope_claim: str = _setting("scope", "claim of a token that names its scopes")
    tokens_scope_prefix: str = _setting("", "what stands before each scope in that claim")
    tokens_skew_s: float = _setting(30.0, "how far the clock of the issuer may differ")
    tokens_refresh_s: float = _setting(300.0, "how often a key set is fetched from its URL")
    reload_s: float = _setting(5.0, "how often files of keys and certificates are looked at")
    admin_host: str = _setting("127.0.0.1", "address to listen on for AdminService")
    admin_port: int = _setting(
        0, "port of AdminService; 0: it is not served, -1: a free one, which is logged"
    )
    reflection: bool = _setting(default=True, text="tell the contract by server reflection")
    calls_per_second: float = _setting(
        -1.0, "most calls of a caller a second; 0: no limit, -1: none without auth, else 100"
    )
    calls_burst: int = _setting(0, "most calls of a caller at once; 0: those of a second")
    new_matches_per_minute: float = _setting(
        -1.0,
        "most CreateMatch and FindMatch of a caller; 0: no limit, -1: none without auth, else 60",
    )
    advice_per_minute: float = _setting(
        -1.0, "most hints and analyses of a caller; 0: no limit, -1: none without auth, else 60"
    )
    streams_per_caller: int = _setting(
        -1, "most open streams of a caller; 0: no limit, -1: none without auth, else 100"
    )
    matches_per_caller: int = _setting(
        -1, "most matches in play that a caller made; 0: no limit, -1: none without auth, else 100"
    )
    webhook_url: str = _setting(
        "", "where notices of matches are posted, URLs with commas between them; empty: nowhere"
    )
    webhook_secrets_file: str = _setting("", "file of the secrets by which webhooks are signed")
    webhook_tls_ca: str = _setting(
        "", "file of the authorities of webhook_url, in PEM; empty: those of the system"
    )
    webhook_allow_private: bool = _setting(
        default=False, text="let webhooks go to addresses that are not public, and over plain http"
    )
    webhook_timeout_s: float = _setting(10.0, "longest time of one try of a webhook")
    webhook_attempts: int = _setting(20, "tries of a webhook before it is a dead letter")
    webhook_backoff_s: float = _setting(5.0, "longest wait after the first try; it doubles")
    webhook_backoff_most_s: float = _setting(7200.0, "longest wait between tries of a webhook")
    results_kept_s: float = _setting(604_800.0, "how long notices and dead letters are kept")


_LOG_LEVELS: Final = ("debug", "info", "warning", "error")
_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"0", "false", "no", "off", ""})
_HIGHEST_PORT: Final = 65_535


def add_config_arguments(
    parser: argparse.ArgumentParser,
    names: Collection[str] | None = None,
    defaults: Mapping[str, object] = NO_DEFAULTS,
) -> None:
    """Add a flag for every setting, or for those of `names`.

    What is not given is left to environment and defaults; `defaults` are instead of those of
    Config.
    """
    hints = get_type_hints(Config)
    for setting in fields(Config):
        if names is not None and setting.name not in names:
            continue
        flag = "--" + setting.name.replace("_", "-")
        default = defaults.get(setting.name, setting.default)
        text = f"{setting.metadata['help']} (default: {default})"
        if hints[setting.name] is bool:
            action = argparse.BooleanOptionalAction
            parser.add_argument(flag, action=action, default=None, help=text)
        else:
            parser.add_argument(flag, default=None, help=text)


def config_from(
    flags: Mapping[str, object],
    environment: Mapping[str, str],
    defaults: Mapping[str, object] = NO_DEFAULTS,
) -> Config:
    """The settings from flags (None: not given), environment and defaults, in this order.

    Raises:
        ConfigError: a value of the wrong kind or out of range, or an unknown `MUGGINS_*` name.
    """
    hints = get_type_hints(Config)
    known = {PREFIX + name.upper(): name for name in hints}
    unknown = sorted(n for n in environment if n.startswith(PREFIX) and n not in known)
    if unknown:
        raise ConfigError(f"unknown setting in the environment: {', '.join(unknown)}")
    given: dict[str, Any] = dict(defaults)
    for variable, name in known.items():
        if variable in environment:
            given[name] = _parsed(hints[name], environment[variable], variable)
    for name, value in flags.items():
        if value is not None:
            flag = "--" + name.replace("_", "-")
            given[name] = value if isinstance(value, bool) else _parsed(hints[name], value, flag)
    config = Config(**given)
    _check(config)
    return config


def _parsed(kind: type, value: object, origin: str) -> object:
    text = str(value).strip()
    if kind is bool:
        if text.lower() in _TRUE:
            return True
        if text.lower() in _FALSE:
            return False
        raise ConfigError(f"{origin}: {text!r} is neither true nor false")
    try:
        return kind(text)
    except ValueError:
        raise ConfigError(f"{origin}: {text!r} is no {kind.__name__}") from None


def _check(config: Config) -> None:
    if not 0 <= config.port <= _HIGHEST_PORT:
        raise ConfigError(f"port: {config.port} is not within 0..{_HIGHEST_PORT}")
    if config.log_level not in _LOG_LEVELS:
        raise ConfigError(f"log_level: {config.log_level!r} is none of {', '.join(_LOG_LEVELS)}")
    if config.takeover_level not in LEVELS:
        levels = ", ".join(LEVELS)
        raise ConfigError(f"takeover_level: {config.takeover_level!r} is none of {levels}")
    for name in ("workers", "opponent_queue", "max_matches", "observers_per_match"):
        if getattr(config, name) < 1:
            raise ConfigError(f"{name}: {getattr(config, name)} is not at least 1")
    if config.opponents_address and not config.opponents_deadline_s > 0:
        raise ConfigError(f"opponents_deadline_s: {config.opponents_deadline_s} is not above 0")
    if config.absence_limit < 0:
        raise ConfigError(f"absence_limit: {config.absence_limit} is below 0")
    for setting in fields(Config):
        value = getattr(config, setting.name)
        if setting.name.endswith("_s") and not 0 <= value <= 365 * 86_400:
            raise ConfigError(f"{setting.name}: {value} is not within 0 and a year of seconds")
    problem = doors_problem(config) or results_problem(config)
    if problem:
        raise ConfigError(problem)
    least, most = config.think_least_s, config.think_most_s
    if least > most:
        raise ConfigError(f"think_least_s: {least} is more than think_most_s, {most}")


def table_policy(config: Config, started_us: int) -> TablePolicy:
    """How tables are run under the settings, by a server that is there since `started_us`."""
    return TablePolicy(
        takeover_level=config.takeover_level,
        claim_window_us=round(config.claim_window_s * SECOND_US),
        claim_minimum_us=round(config.claim_minimum_s * SECOND_US),
        think_least_us=round(config.think_least_s * SECOND_US),
        think_most_us=round(config.think_most_s * SECOND_US),
        nonce_wait_us=round(config.nonce_wait_s * SECOND_US),
        idle_lifetime_us=round(config.idle_lifetime_s * SECOND_US),
        open_lifetime_us=round(config.open_lifetime_s * SECOND_US),
        absence_limit=config.absence_limit,
        takeover_after_us=round(config.takeover_after_s * SECOND_US),
        finished_lifetime_us=round(config.finished_lifetime_s * SECOND_US),
        rematch_wait_us=round(config.rematch_wait_s * SECOND_US),
        started_us=started_us,
        restart_grace_us=round(config.restart_grace_s * SECOND_US),
    )
