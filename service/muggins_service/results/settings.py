"""What the settings of results must be, together."""

from typing import TYPE_CHECKING, Final

from muggins_service.results.backoff import Backoff
from muggins_service.results.destinations import BadDestination, destinations_of
from muggins_service.table.policy import SECOND_US

if TYPE_CHECKING:  # it asks here whether it can be
    from muggins_service.config import Config

__all__ = ["backoff_of", "results_problem"]

_LEAST_S: Final = 0.01
_MOST_ATTEMPTS: Final = 1_000


def results_problem(config: "Config") -> str:
    """What is wrong with the settings of results; empty: nothing."""
    try:
        destinations = destinations_of(config.webhook_url, plain=config.webhook_allow_private)
    except BadDestination as error:
        return f"webhook_url: {error}"
    if destinations and not config.webhook_secrets_file:
        return "webhook_secrets_file: webhook_url needs it"
    if not 1 <= config.webhook_attempts <= _MOST_ATTEMPTS:
        return f"webhook_attempts: {config.webhook_attempts} is not within 1..{_MOST_ATTEMPTS}"
    for name in ("webhook_timeout_s", "webhook_backoff_s", "results_kept_s"):
        if getattr(config, name) < _LEAST_S:
            return f"{name}: {getattr(config, name)} is below {_LEAST_S}"
    if config.webhook_backoff_most_s < config.webhook_backoff_s:
        return "webhook_backoff_most_s: it is less than webhook_backoff_s"
    return ""


def backoff_of(config: "Config") -> Backoff:
    """When notices are tried again."""
    return Backoff(
        round(config.webhook_backoff_s * SECOND_US),
        round(config.webhook_backoff_most_s * SECOND_US),
        config.webhook_attempts,
    )
