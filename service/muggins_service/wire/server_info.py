"""What a server tells of itself, out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from muggins.v1 import lobby_pb2 as pb
from muggins_rules.ruleset import RULES_VERSION
from muggins_service.doors.limits import CallerLimits
from muggins_service.wire.names import LONGEST_NAME
from muggins_service.wire.options import (
    LEAST_TURN_LIMIT_US,
    MOST_OBSERVER_DELAY_MOVES,
    MOST_TIME_BANK_US,
    MOST_TURN_LIMIT_US,
)
from muggins_service.wire.times import set_instant

__all__ = ["API_VERSION", "ServerInfo", "ServerLimits", "server_info_answer"]

API_VERSION: Final = "muggins.v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """The bounds that a server is configured with; durations are in microseconds, 0: no bound.

    Bounds that requests are checked against while they are decoded are not among them.
    """

    max_message_bytes: int
    max_analysis_bytes: int
    request_id_retention_us: int
    observers_per_match: int
    max_page_size: int
    claim_window_us: int
    claim_window_minimum_us: int
    takeover_after_us: int
    absence_limit: int
    nonce_wait_us: int
    idle_lifetime_us: int
    open_lifetime_us: int
    finished_lifetime_us: int
    rematch_wait_us: int
    min_heartbeat_us: int
    max_heartbeat_us: int
    callers: CallerLimits
    max_stream_age_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInfo:
    """What this server is and allows; `engine_versions` are by level of opponent."""

    server_version: str
    engine_versions: Mapping[str, str]
    limits: ServerLimits
    test_seeds: bool
    draining: bool


def server_info_answer(info: ServerInfo, now_us: int) -> bytes:
    """A GetServerInfoResponse."""
    message = pb.GetServerInfoResponse(
        api_version=API_VERSION,
        server_version=info.server_version,
        rules_version=RULES_VERSION,
        engine_versions=info.engine_versions,
    )
    _set_limits(message.limits, info.limits)
    set_instant(message.time, now_us)
    message.features.test_seeds = info.test_seeds
    message.features.draining = info.draining
    return message.SerializeToString(deterministic=True)


def _set_limits(message: pb.ServerLimits, limits: ServerLimits) -> None:
    message.max_message_bytes = limits.max_message_bytes
    message.max_analysis_bytes = limits.max_analysis_bytes
    message.observers_per_match = limits.observers_per_match
    message.max_name_length = LONGEST_NAME
    message.max_page_size = limits.max_page_size
    callers = limits.callers
    message.max_calls_per_second = callers.calls_per_second
    message.max_new_matches_per_minute = callers.founds_per_minute
    message.max_advice_per_minute = callers.advice_per_minute
    message.max_streams_per_caller = callers.streams
    message.max_matches_per_caller = callers.matches
    message.absence_limit = limits.absence_limit
    message.max_observer_delay_moves = MOST_OBSERVER_DELAY_MOVES
    for field, us in (
        (message.request_id_retention, limits.request_id_retention_us),
        (message.min_turn_limit, LEAST_TURN_LIMIT_US),
        (message.max_turn_limit, MOST_TURN_LIMIT_US),
        (message.claim_window, limits.claim_window_us),
        (message.claim_window_minimum, limits.claim_window_minimum_us),
        (message.takeover_after, limits.takeover_after_us),
        (message.nonce_wait, limits.nonce_wait_us),
        (message.idle_lifetime, limits.idle_lifetime_us),
        (message.open_lifetime, limits.open_lifetime_us),
        (message.max_time_bank, MOST_TIME_BANK_US),
        (message.max_stream_age, limits.max_stream_age_us),
        (message.finished_lifetime, limits.finished_lifetime_us),
        (message.rematch_wait, limits.rematch_wait_us),
        (message.min_heartbeat, limits.min_heartbeat_us),
        (message.max_heartbeat, limits.max_heartbeat_us),
    ):
        set_instant(field, us)
