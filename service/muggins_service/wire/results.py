"""ResultsService: requests in, frames and pages out."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from muggins.v1 import results_pb2
from muggins.v1 import results_service_pb2 as pb
from muggins_service.errors import malformed_field
from muggins_service.store.notices import Delivery, KeptNotice
from muggins_service.wire.binary import delimited, wire_key
from muggins_service.wire.checks import parse
from muggins_service.wire.frames import GoAwayReason, go_away_message
from muggins_service.wire.paging import read_token, written_token
from muggins_service.wire.times import decode_duration, set_instant

__all__ = [
    "ListDeadLetters",
    "RetryDeadLetter",
    "WatchResults",
    "dead_letters_answer",
    "decode_list_dead_letters",
    "decode_retry_dead_letter",
    "decode_watch_results",
    "letter_token",
    "results_frame",
    "results_go_away",
    "retry_answer",
]

_NOTICES: Final = wire_key(1)
_LONGEST: Final = 400

LetterCursor = tuple[int, str]
"""The notice and the destination of the last dead letter of a page."""


class WatchResults(NamedTuple):
    """The notices after a cursor; absent: from now on. `heartbeat_us` 0 is left to the server."""

    after: int | None
    heartbeat_us: int


class ListDeadLetters(NamedTuple):
    """A page of dead letters."""

    page_size: int
    after: LetterCursor


class RetryDeadLetter(NamedTuple):
    """A notice and the webhook that did not take it."""

    notice_id: str
    destination: str


def decode_watch_results(raw: bytes) -> WatchResults:
    """WatchResults."""
    message = parse(pb.WatchResultsRequest, raw)
    after = message.after if message.HasField("after") else None
    if after is not None and after >= 1 << 63:
        raise malformed_field("after", "This is no cursor of a frame.")
    return WatchResults(after, decode_duration(message.heartbeat, "heartbeat"))


def decode_list_dead_letters(raw: bytes) -> ListDeadLetters:
    """ListDeadLetters."""
    message = parse(pb.ListDeadLettersRequest, raw)
    token = message.page_token
    return ListDeadLetters(message.page_size, _cursor_of(token) if token else (0, ""))


def decode_retry_dead_letter(raw: bytes) -> RetryDeadLetter:
    """RetryDeadLetter."""
    message = parse(pb.RetryDeadLetterRequest, raw)
    for field in ("notice_id", "destination"):
        if not 1 <= len(getattr(message, field)) <= _LONGEST:
            raise malformed_field(field, "It is required.")
    return RetryDeadLetter(message.notice_id, message.destination)


def letter_token(last: Delivery) -> str:
    """The token of the page after a dead letter."""
    return written_token(f"{last.cursor} {last.destination}")


def _cursor_of(token: str) -> LetterCursor:
    try:
        number, _, destination = read_token(token).partition(" ")
        cursor = int(number)
    except ValueError:
        raise malformed_field("page_token", "This is no token of a page.") from None
    if not (0 <= cursor < 1 << 63 and destination):
        raise malformed_field("page_token", "This is no token of a page.")
    return cursor, destination


def results_frame(
    notices: Sequence[KeptNotice], cursor: int, now_us: int, *, gap: bool = False
) -> bytes:
    """A WatchResultsResponse; the notices are shared bytes."""
    message = pb.WatchResultsResponse(cursor=cursor, gap=gap)
    set_instant(message.time, now_us)
    told = b"".join(delimited(_NOTICES, notice.data) for notice in notices)
    return told + message.SerializeToString()


def results_go_away(cursor: int, retry_after_us: int, now_us: int) -> bytes:
    """The last frame of a stream that the server ends."""
    message = pb.WatchResultsResponse(cursor=cursor)
    set_instant(message.time, now_us)
    message.go_away.CopyFrom(go_away_message(GoAwayReason.DRAINING, retry_after_us))
    return message.SerializeToString()


def dead_letters_answer(letters: Iterable[tuple[Delivery, bytes]], token: str) -> bytes:
    """A ListDeadLettersResponse of deliveries and their serialised notices."""
    return pb.ListDeadLettersResponse(
        dead_letters=[_letter(delivery, data) for delivery, data in letters],
        next_page_token=token,
    ).SerializeToString()


def _letter(delivery: Delivery, data: bytes) -> pb.DeadLetter:
    message = pb.DeadLetter(
        destination=delivery.destination,
        notice=results_pb2.MatchNotice.FromString(data),
        attempts=delivery.attempts,
        failure=delivery.failure,
    )
    set_instant(message.last_attempt, delivery.due_us)
    return message


def retry_answer() -> bytes:
    """A RetryDeadLetterResponse."""
    return pb.RetryDeadLetterResponse().SerializeToString()
