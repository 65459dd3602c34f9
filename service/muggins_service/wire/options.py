"""The options of a table and of a seat, both ways."""

from typing import Final

from muggins.v1 import events_pb2 as pb
from muggins_service.errors import malformed_field
from muggins_service.table.facts import MatchOptions, OpponentPace, SeatOptions
from muggins_service.wire.times import decode_duration, set_instant

__all__ = [
    "LEAST_CLAIM_WINDOW_US",
    "LEAST_TURN_LIMIT_US",
    "MOST_ABSENCES",
    "MOST_CLAIM_WINDOW_US",
    "MOST_OBSERVER_DELAY_MOVES",
    "MOST_TIME_BANK_US",
    "MOST_TURN_LIMIT_US",
    "decode_match_options",
    "decode_seat_options",
    "requested_match_options",
    "set_match_options",
    "set_seat_options",
]

LEAST_TURN_LIMIT_US: Final = 1_000_000
MOST_TURN_LIMIT_US: Final = 86_400_000_000
LEAST_CLAIM_WINDOW_US: Final = 200_000
MOST_CLAIM_WINDOW_US: Final = 60_000_000
MOST_OBSERVER_DELAY_MOVES: Final = 20
MOST_TIME_BANK_US: Final = 3_600_000_000
MOST_ABSENCES: Final = 1_000
_PACES: Final = {int(pace): pace for pace in OpponentPace}


def set_match_options(message: pb.MatchOptions, options: MatchOptions) -> None:
    """Fill an empty MatchOptions."""
    message.SetInParent()
    if options.turn_limit_us:
        set_instant(message.turn_limit, options.turn_limit_us)
    message.takeover_level = options.takeover_level
    message.hints = options.hints
    message.observer_delay_moves = options.observer_delay_moves
    if options.claim_window_us:
        set_instant(message.claim_window, options.claim_window_us)
    message.private = options.private
    message.starts_when_full = options.starts_when_full
    message.opponent_pace = pb.OpponentPace.ValueType(options.opponent_pace)
    if options.time_bank_us:
        set_instant(message.time_bank, options.time_bank_us)
    message.absence_limit = options.absence_limit
    if options.takeover_after_us:
        set_instant(message.takeover_after, options.takeover_after_us)


def set_seat_options(message: pb.SeatOptions, options: SeatOptions) -> None:
    """Fill an empty SeatOptions."""
    message.draws_by_itself = options.draws
    message.passes_by_itself = options.passes
    message.single_moves_by_itself = options.single_moves


def decode_match_options(message: pb.MatchOptions, field: str) -> MatchOptions:
    """The options of a table as they were told, absent ones as zero.

    A pace that only later versions know, or none, is instant.
    """
    return MatchOptions(
        decode_duration(message.turn_limit, f"{field}.turn_limit"),
        message.takeover_level,
        message.hints,
        message.observer_delay_moves,
        decode_duration(message.claim_window, f"{field}.claim_window"),
        message.private,
        message.starts_when_full,
        _PACES.get(message.opponent_pace, OpponentPace.INSTANT),
        decode_duration(message.time_bank, f"{field}.time_bank"),
        message.absence_limit,
        decode_duration(message.takeover_after, f"{field}.takeover_after"),
    )


def requested_match_options(message: pb.MatchOptions, field: str) -> MatchOptions:
    """The options of a request, each within the bounds that this server keeps to."""
    options = decode_match_options(message, field)
    limit, window = options.turn_limit_us, options.claim_window_us
    if limit and not LEAST_TURN_LIMIT_US <= limit <= MOST_TURN_LIMIT_US:
        raise malformed_field(f"{field}.turn_limit", "A turn limit is 1 second to 1 day, or none.")
    if window and not LEAST_CLAIM_WINDOW_US <= window <= MOST_CLAIM_WINDOW_US:
        raise malformed_field(
            f"{field}.claim_window", "A claim window is 0.2 to 60 seconds, or left to the server."
        )
    if options.observer_delay_moves > MOST_OBSERVER_DELAY_MOVES:
        raise malformed_field(f"{field}.observer_delay_moves", "The delay is 20 moves at most.")
    if message.opponent_pace and message.opponent_pace not in _PACES:
        raise malformed_field(
            f"{field}.opponent_pace", "A pace is one that this version knows, or left out."
        )
    _check_absence(options, field)
    return options


def _check_absence(options: MatchOptions, field: str) -> None:
    """Refuse what a table cannot have around players who are slow or away."""
    limited, away = options.turn_limit_us, options.takeover_after_us
    if options.time_bank_us and not limited:
        raise malformed_field(f"{field}.time_bank", "A time bank goes with a turn limit.")
    if options.time_bank_us > MOST_TIME_BANK_US:
        raise malformed_field(f"{field}.time_bank", "A time bank is 1 hour at most.")
    if options.absence_limit and not limited:
        raise malformed_field(f"{field}.absence_limit", "It goes with a turn limit.")
    if options.absence_limit > MOST_ABSENCES:
        raise malformed_field(f"{field}.absence_limit", "It is 1,000 turns at most.")
    if away and not LEAST_TURN_LIMIT_US <= away <= MOST_TURN_LIMIT_US:
        raise malformed_field(
            f"{field}.takeover_after", "It is 1 second to 1 day, or left to the server."
        )


def decode_seat_options(message: pb.SeatOptions) -> SeatOptions:
    """What is done for a seat by itself."""
    return SeatOptions(
        message.draws_by_itself, message.passes_by_itself, message.single_moves_by_itself
    )
