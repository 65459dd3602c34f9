"""The bounds that this server keeps, as it tells them."""

from typing import Final

from muggins_service.config import Config
from muggins_service.doors.settings import caller_limits
from muggins_service.matches.request_table import RETENTION_US
from muggins_service.observers.heartbeats import LONGEST_HEARTBEAT_S, SHORTEST_HEARTBEAT_S
from muggins_service.table.policy import SECOND_US
from muggins_service.wire.server_info import ServerLimits

__all__ = ["DEFAULT_PAGE", "MAX_ANALYSIS_BYTES", "MAX_MESSAGE_BYTES", "MOST_IN_PAGE", "limits_of"]

MAX_MESSAGE_BYTES: Final = 64 * 1024
MAX_ANALYSIS_BYTES: Final = 1024 * 1024
"""The events of a whole match, where they have to be sent."""
DEFAULT_PAGE: Final = 50
MOST_IN_PAGE: Final = 200


def limits_of(config: Config) -> ServerLimits:
    """The bounds of a server with these settings."""
    callers = caller_limits(config)
    return ServerLimits(
        max_message_bytes=MAX_MESSAGE_BYTES,
        max_analysis_bytes=MAX_ANALYSIS_BYTES,
        request_id_retention_us=RETENTION_US,
        observers_per_match=config.observers_per_match,
        max_page_size=MOST_IN_PAGE,
        claim_window_us=_us(config.claim_window_s),
        claim_window_minimum_us=_us(config.claim_minimum_s),
        takeover_after_us=_us(config.takeover_after_s),
        absence_limit=config.absence_limit,
        nonce_wait_us=_us(config.nonce_wait_s),
        idle_lifetime_us=_us(config.idle_lifetime_s),
        open_lifetime_us=_us(config.open_lifetime_s),
        finished_lifetime_us=_us(config.finished_lifetime_s),
        rematch_wait_us=_us(config.rematch_wait_s),
        min_heartbeat_us=_us(SHORTEST_HEARTBEAT_S),
        max_heartbeat_us=_us(LONGEST_HEARTBEAT_S),
        callers=callers,
        max_stream_age_us=_us(config.stream_max_age_s),
    )


def _us(seconds: float) -> int:
    return round(seconds * SECOND_US)
