"""The reveal of a seat's nonce as soon as all seats are filled."""

from collections.abc import Awaitable, Callable
from typing import Final

from muggins.v1 import events_pb2, views_pb2
from muggins_client.errors import MugginsError, Refused
from muggins_client.updates import EventsSeen, SnapshotSeen, Update

__all__ = ["NonceRevealer"]

_NOT_YET: Final = frozenset({"SEATS_NOT_FILLED"})


class NonceRevealer:
    """Watches the seats of a match that has not started, and reveals when the moment has come.

    A seat may be left again before the start; the reveal is then due once more until the server
    says that it has the nonce.
    """

    def __init__(self, seat: int, reveal: Callable[[], Awaitable[object]]) -> None:
        self._seat = seat
        self._reveal = reveal
        self._due = False
        self._done = False

    async def attend(self, update: Update | None) -> None:
        """Take notice of an update, and reveal where it is due. Failures wait for the next one."""
        match update:
            case SnapshotSeen():
                self._due = update.table.state == views_pb2.MATCH_STATE_OPEN and all(
                    info.occupant != views_pb2.OCCUPANT_NOBODY for info in update.table.seats
                )
            case EventsSeen(events):
                for event in events:
                    self._note(event)
            case _:
                pass
        if self._due and not self._done:
            await self._try()

    def _note(self, event: events_pb2.Event) -> None:
        match event.WhichOneof("fact"):
            case "seat_taken":
                # Perhaps the last one; if not, the server says so and nothing is given away.
                self._due = True
            case "seat_left":
                self._due = False
            case "match_started" | "match_ended":
                self._done = True
            case "nonce_revealed" if event.nonce_revealed.seat == self._seat:
                self._done = True
            case _:
                pass

    async def _try(self) -> None:
        try:
            await self._reveal()
        except Refused as refused:
            self._due = False
            self._done = refused.reason not in _NOT_YET
        except MugginsError as error:
            self._done = not error.is_passing
        else:
            self._done = True
