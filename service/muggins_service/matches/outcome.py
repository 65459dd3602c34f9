"""A job for the engine, and what came of it."""

from asyncio import Future
from dataclasses import dataclass, replace

from muggins_service.table.commands import Command

__all__ = ["Job", "Outcome"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command brought about, as its caller is told.

    `events` is the chunk of events as the caller may see them, ready to be put into an answer.
    `view` is a serialised SeatView, for a caller that took a seat. `rematch_id` is that of a
    rematch, `hint` a serialised Hint, for a caller that was given one.
    """

    match_id: str
    version: int
    events: bytes = b""
    seat: int | None = None
    view: bytes = b""
    created: bool = False
    invite_code: str = ""
    rematch_id: str = ""
    hint: bytes = b""

    def with_view(self, view: bytes) -> "Outcome":
        """The outcome with the view of the seat that was taken."""
        return replace(self, view=view)


@dataclass(slots=True, eq=False)
class Job:
    """A command on its way through the engine.

    `match_id` is empty for CreateMatch and FindMatch. `is_second_try` is True once another record
    came first: it is decided once more, and then refused. `trusted` jobs come from the server's own
    opponents and from its operator. `hint` is what a ShowHint shows, a serialised Hint. `answer`
    gets the outcome or the error; when its caller is gone the command stands all the same.
    `principal` is who gives it and `account` whose limits count, both empty where nobody was asked.
    """

    command: Command
    answer: "Future[Outcome]"
    match_id: str = ""
    request_id: str = ""
    expected_version: int | None = None
    seat_secret: bytes | None = None
    host_secret: bytes | None = None
    trusted: bool = False
    is_second_try: bool = False
    hint: bytes = b""
    principal: str = ""
    account: str = ""
