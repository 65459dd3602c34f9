"""What the settings of the doors must be, together."""

from typing import TYPE_CHECKING, Final

from muggins_service.doors.exposure import is_loopback
from muggins_service.doors.limits import CallerLimits

if TYPE_CHECKING:  # it asks here whether it can be
    from muggins_service.config import Config

__all__ = ["caller_limits", "doors_problem"]

_AUTHS: Final = ("none", "keys", "tokens")
_NEEDED: Final = {
    "none": (),
    "keys": ("keys_file",),
    "tokens": ("tokens_issuer", "tokens_audience", "tokens_keys"),
}
_CALLER_LIMITS: Final = (
    "calls_per_second",
    "new_matches_per_minute",
    "advice_per_minute",
    "streams_per_caller",
    "matches_per_caller",
)
_HIGHEST_PORT: Final = 65_535
_LEAST_LOOK_S: Final = 0.05
_MOST_SKEW_S: Final = 300


def doors_problem(config: "Config") -> str:
    """What is wrong with doors that stand open unasked or cannot be closed; empty: nothing."""
    return (
        _incomplete(config)
        or _out_of_range(config)
        or _exposed(config, "host")
        or _admin_exposed(config)
    )


def _incomplete(config: "Config") -> str:
    if config.auth not in _AUTHS:
        return f"auth: {config.auth!r} is none of {', '.join(_AUTHS)}"
    for name in _NEEDED[config.auth]:
        if not getattr(config, name):
            return f"{name}: auth {config.auth} needs it"
    if bool(config.tls_cert) != bool(config.tls_key):
        return "tls_cert, tls_key: one needs the other"
    if config.tls_client_ca and not config.tls_cert:
        return "tls_client_ca: it needs tls_cert and tls_key"
    return ""


def _out_of_range(config: "Config") -> str:
    for name in _CALLER_LIMITS:
        value = getattr(config, name)
        if not (value == -1 or 0 <= value < float("inf")):
            return f"{name}: {value} is neither -1 nor a number from 0"
    if not -1 <= config.admin_port <= _HIGHEST_PORT:
        return f"admin_port: {config.admin_port} is not within -1..{_HIGHEST_PORT}"
    if config.calls_burst < 0:
        return f"calls_burst: {config.calls_burst} is below 0"
    if config.reload_s < _LEAST_LOOK_S:
        return f"reload_s: {config.reload_s} is below {_LEAST_LOOK_S}"
    if config.tokens_skew_s > _MOST_SKEW_S:
        return f"tokens_skew_s: {config.tokens_skew_s} is above {_MOST_SKEW_S}"
    return ""


def _admin_exposed(config: "Config") -> str:
    if not config.admin_port or is_loopback(config.admin_host):
        return ""
    if config.auth == "none":
        return "admin_host: other machines may administer by auth keys or tokens alone"
    return _exposed(config, "admin_host")


def _exposed(config: "Config", setting: str) -> str:
    host: str = getattr(config, setting)
    if config.tls_cert or config.insecure_listen or is_loopback(host):
        return ""
    return (
        f"{setting}: {host} can be reached from other machines, and without TLS secrets and "
        "keys travel readable: set tls_cert and tls_key, or insecure_listen behind a proxy"
    )


def caller_limits(config: "Config") -> CallerLimits:
    """The limits of each caller; those that are left to the server are none without `auth`."""
    known = config.auth != "none"

    def chosen(value: float, otherwise: float) -> float:
        return value if value >= 0 else otherwise if known else 0

    return CallerLimits(
        calls_per_second=chosen(config.calls_per_second, 100),
        calls_burst=config.calls_burst,
        founds_per_minute=chosen(config.new_matches_per_minute, 60),
        advice_per_minute=chosen(config.advice_per_minute, 60),
        streams=int(chosen(config.streams_per_caller, 100)),
        matches=int(chosen(config.matches_per_caller, 100)),
    )
