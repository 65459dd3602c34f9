"""The options of a table and of a seat, both ways."""

from typing import Final

from muggins.v1 import events_pb2 as pb
from muggins_service.errors import malformed_field
from muggins_service.table.facts import MatchOptions, SeatOptions
from muggins_service.wire.times import decode_duration, set_instant

__all__ = [
    "LEAST_CLAIM_WINDOW_US",
    "LEAST_TURN_LIMIT_US",
    "MOST_CLAIM_WINDOW_US",
    "MOST_OBSERVER_DELAY_MOVES",
    "MOST_TURN_LIMIT_US",
    "decode_match_options",
    "decode_seat_options",
    "match_options_in_range",
    "set_match_options",
    "set_seat_options",
]

LEAST_TURN_LIMIT_US: Final = 1_000_000
MOST_TURN_LIMIT_US: Final = 86_400_000_000
LEAST_CLAIM_WINDOW_US: Final = 200_000
MOST_CLAIM_WINDOW_US: Final = 60_000_000
MOST_OBSERVER_DELAY_MOVES: Final = 20


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


def set_seat_options(message: pb.SeatOptions, options: SeatOptions) -> None:
    """Fill an empty SeatOptions."""
    message.draws_by_itself = options.draws
    message.passes_by_itself = options.passes
    message.single_moves_by_itself = options.single_moves


def decode_match_options(message: pb.MatchOptions, field: str) -> MatchOptions:
    """The options of a table as they were told, absent ones as zero."""
    return MatchOptions(
        decode_duration(message.turn_limit, f"{field}.turn_limit"),
        message.takeover_level,
        message.hints,
        message.observer_delay_moves,
        decode_duration(message.claim_window, f"{field}.claim_window"),
        message.private,
        message.starts_when_full,
    )


def match_options_in_range(options: MatchOptions, field: str) -> MatchOptions:
    """The options of a request, each within the bounds that this server keeps to."""
    limit, window = options.turn_limit_us, options.claim_window_us
    if limit and not LEAST_TURN_LIMIT_US <= limit <= MOST_TURN_LIMIT_US:
        raise malformed_field(f"{field}.turn_limit", "A turn limit is 1 second to 1 day, or none.")
    if window and not LEAST_CLAIM_WINDOW_US <= window <= MOST_CLAIM_WINDOW_US:
        raise malformed_field(
            f"{field}.claim_window", "A claim window is 0.2 to 60 seconds, or left to the server."
        )
    if options.observer_delay_moves > MOST_OBSERVER_DELAY_MOVES:
        raise malformed_field(f"{field}.observer_delay_moves", "The delay is 20 moves at most.")
    return options


def decode_seat_options(message: pb.SeatOptions) -> SeatOptions:
    """What is done for a seat by itself."""
    return SeatOptions(
        message.draws_by_itself, message.passes_by_itself, message.single_moves_by_itself
    )
