"""A match as it happens: `async for update in client.observe(...)`."""

from typing import Self

from muggins.v1 import streams_pb2
from muggins_client.errors import MugginsError
from muggins_client.reconnecting import Frames
from muggins_client.revealing import NonceRevealer
from muggins_client.tracker import Missed, Tracker
from muggins_client.updates import Update

__all__ = ["Observation", "go_away_of_observed"]


class Observation:
    """An iterator over the updates of one match; after the end of the match it ends.

    It comes back by itself after a cut, a silence or a go-away, going on where it was. Leave it
    by `async with` or `aclose`; when it is merely dropped its call is cancelled too.
    """

    def __init__(
        self,
        frames: Frames[streams_pb2.ObserveMatchResponse],
        tracker: Tracker,
        revealer: NonceRevealer | None,
    ) -> None:
        self._frames = frames
        self._tracker = tracker
        self._revealer = revealer
        self._fresh: Update | None = None
        self._ended = False

    @property
    def last_sequence(self) -> int | None:
        """The sequence of the last event seen, to go on from another time."""
        return self._tracker.last

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        """The next update. Giving up waiting for it loses nothing: ask again.

        Raises:
            MugginsError: coming back does not help; the iteration is over.
        """
        while not self._ended:
            try:
                update = await self._next()
            except MugginsError:
                await self.aclose()
                raise
            except BaseException:
                self._frames.cancel()
                raise
            if update is not None:
                return update
        raise StopAsyncIteration

    async def _next(self) -> Update | None:
        if self._fresh is None and not await self._read():
            return None
        if self._revealer is not None:
            await self._revealer.attend(self._fresh)
        update, self._fresh = self._fresh, None
        return update

    async def _read(self) -> bool:
        """Take the next frame; false where it is the end, or has to be asked for again."""
        frame = await self._frames.next()
        if frame is None:
            await self.aclose()
            return False
        try:
            self._fresh = self._tracker.take(frame)
        except Missed as missed:
            await self._frames.missed(missed.last)
            return False
        self._frames.content()
        return True

    async def aclose(self) -> None:
        """End the stream."""
        self._ended = True
        self._frames.cancel()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()


def go_away_of_observed(frame: streams_pb2.ObserveMatchResponse) -> streams_pb2.GoAway | None:
    """The go-away in a frame."""
    return frame.go_away if frame.WhichOneof("frame") == "go_away" else None
