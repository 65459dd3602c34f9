"""Calls that take a seat: in a named match, in any match, or again."""

from muggins.v1 import lobby_pb2
from muggins_client.calls import Caller
from muggins_client.errors import ProtocolViolation
from muggins_client.handles import Host, Seat
from muggins_client.keys import SeatKeys, new_key, new_request_id
from muggins_client.results import Found, Joined
from muggins_rules.fair_deal import commit_nonce

__all__ = ["JoinCalls"]


class JoinCalls:
    """The part of the client that takes seats. Every method may raise MugginsError."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def join_match(
        self,
        match_id: str,
        name: str,
        *,
        seat: int | None = None,
        invite_code: str = "",
        keys: SeatKeys | None = None,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> Joined:
        """Take an open seat, the first one or the one named.

        Fresh keys are made unless some are given; the same ones ask for the same seat again.
        """
        made = keys or SeatKeys()
        answer = await self._join(
            lobby_pb2.JoinMatchRequest(
                match_id=match_id,
                request_id=request_id or new_request_id(),
                seat=seat,
                name=name,
                nonce_commitment=commit_nonce(made.nonce) if made.nonce else b"",
                seat_secret=made.secret,
                invite_code=invite_code,
            ),
            timeout_s,
        )
        anchor = answer.view.table.fairness_anchor
        taken = Seat(match_id, answer.seat, name, made.secret, made.nonce, anchor)
        return Joined(taken, answer.view, answer.version, tuple(answer.events))

    async def rejoin(self, seat: Seat, *, timeout_s: float | None = None) -> Joined:
        """Take back a seat that one holds, from a stand-in or after a restart.

        Raises:
            ProtocolViolation: the match has another anchor than the one kept.
        """
        answer = await self._join(
            lobby_pb2.JoinMatchRequest(
                match_id=seat.match_id,
                request_id=new_request_id(),
                seat=seat.seat,
                name=seat.name,
                nonce_commitment=commit_nonce(seat.nonce) if seat.nonce else b"",
                seat_secret=seat.secret,
            ),
            timeout_s,
        )
        if answer.view.table.fairness_anchor != seat.anchor:
            raise ProtocolViolation(
                "ANCHOR_CHANGED", "the match has another anchor than at joining"
            )
        return Joined(seat, answer.view, answer.version, tuple(answer.events))

    async def _join(
        self, request: lobby_pb2.JoinMatchRequest, timeout_s: float | None
    ) -> lobby_pb2.JoinMatchResponse:
        return await self._caller.unary(
            "MatchService/JoinMatch",
            lambda stubs: stubs.match.JoinMatch,
            request,
            self._caller.metadata(request.match_id),
            timeout_s,
        )

    async def find_match(  # noqa: PLR0913 - each is a choice of its own
        self,
        rule_set_id: str,
        name: str,
        *,
        seats: int = 2,
        calling: bool = False,
        keys: SeatKeys | None = None,
        host_secret: bytes = b"",
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> Found:
        """Take an open seat in some match of a game, or make a match where there is none."""
        made = keys or SeatKeys()
        secret = host_secret or new_key()
        answer = await self._caller.unary(
            "MatchService/FindMatch",
            lambda stubs: stubs.match.FindMatch,
            lobby_pb2.FindMatchRequest(
                request_id=request_id or new_request_id(),
                preset=lobby_pb2.PresetChoice(rule_set_id=rule_set_id, calling=calling),
                seats=seats,
                name=name,
                nonce_commitment=commit_nonce(made.nonce) if made.nonce else b"",
                seat_secret=made.secret,
                host_secret=secret,
            ),
            self._caller.metadata(),
            timeout_s,
        )
        anchor = answer.view.table.fairness_anchor
        taken = Seat(answer.match_id, answer.seat, name, made.secret, made.nonce, anchor)
        host = Host(answer.match_id, secret, anchor) if answer.created else None
        return Found(taken, answer.view, answer.version, tuple(answer.events), host)
