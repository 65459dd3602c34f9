"""What the host of a match alone may do."""

from muggins.v1 import lobby_pb2
from muggins_client.calls import Caller
from muggins_client.handles import Host
from muggins_client.keys import new_request_id

__all__ = ["HostCalls"]


class HostCalls:
    """The part of the client for hosts. Every method may raise MugginsError."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def start(self, host: Host) -> lobby_pb2.ControlMatchResponse:
        """Start the match; every seat must be filled."""
        return await self.control(host, lobby_pb2.ControlMatchRequest(start=lobby_pb2.StartMatch()))

    async def fill_seat(self, host: Host, seat: int, level: str) -> lobby_pb2.ControlMatchResponse:
        """Put an opponent of a level on an open seat before the start."""
        fill = lobby_pb2.SeatFill(seat=seat, level=level)
        return await self.control(host, lobby_pb2.ControlMatchRequest(fill_seat=fill))

    async def free_seat(self, host: Host, seat: int) -> lobby_pb2.ControlMatchResponse:
        """Remove whoever holds a seat before the start."""
        free = lobby_pb2.SeatFree(seat=seat)
        return await self.control(host, lobby_pb2.ControlMatchRequest(free_seat=free))

    async def cancel(self, host: Host) -> lobby_pb2.ControlMatchResponse:
        """End the match without a winner."""
        cancelled = lobby_pb2.CancelMatch()
        return await self.control(host, lobby_pb2.ControlMatchRequest(cancel=cancelled))

    async def rematch(self, host: Host) -> Host:
        """Make a following match after the end; the handle of its host, who is the same."""
        asked = lobby_pb2.ControlMatchRequest(rematch=lobby_pb2.Rematch())
        answer = await self.control(host, asked)
        following = await self._caller.unary(
            "MatchService/GetMatch",
            lambda stubs: stubs.match.GetMatch,
            lobby_pb2.GetMatchRequest(match_id=answer.rematch_id),
            self._caller.metadata(answer.rematch_id),
        )
        anchor = following.table.fairness_anchor
        return Host(answer.rematch_id, host.secret, anchor, host.invite_code)

    async def control(
        self,
        host: Host,
        request: lobby_pb2.ControlMatchRequest,
        *,
        expected_version: int | None = None,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> lobby_pb2.ControlMatchResponse:
        """Any control; `request` says which, and gets its match and request id here."""
        sent = lobby_pb2.ControlMatchRequest()
        sent.CopyFrom(request)
        sent.match_id = host.match_id
        sent.request_id = request_id or new_request_id()
        if expected_version is not None:
            sent.expected_version = expected_version
        return await self._caller.unary(
            "MatchService/ControlMatch",
            lambda stubs: stubs.match.ControlMatch,
            sent,
            self._caller.metadata(host.match_id, host_secret=host.secret),
            timeout_s,
        )
