"""What the holder of a seat may do, call by call."""

from typing import assert_never

from muggins.v1 import actions_pb2, events_pb2, lobby_pb2, moves_pb2, tiles_pb2
from muggins_client.calls import Caller
from muggins_client.errors import Malformed
from muggins_client.handles import Seat
from muggins_client.keys import new_request_id

__all__ = ["MoveResponse", "SeatCalls"]

MoveResponse = (
    moves_pb2.PlayTileResponse
    | moves_pb2.DrawTileResponse
    | moves_pb2.PassTurnResponse
    | moves_pb2.ClaimPointsResponse
    | moves_pb2.CallMugginsResponse
)
"""The answer to an action: the match's version after it, and the events that it made."""


class SeatCalls:
    """The part of the client for players.

    Every method may raise MugginsError. `expected_version` has the call refused with StaleVersion
    when the match has moved on; `request_id` repeats a call whose answer was lost.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def play_tile(
        self,
        seat: Seat,
        placement: tiles_pb2.Placement,
        *,
        claim: int | None = None,
        expected_version: int | None = None,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> moves_pb2.PlayTileResponse:
        """Put a tile of the hand on the table; under calling with the points claimed."""
        return await self._caller.unary(
            "MatchService/PlayTile",
            lambda stubs: stubs.match.PlayTile,
            moves_pb2.PlayTileRequest(
                match_id=seat.match_id,
                request_id=request_id or new_request_id(),
                expected_version=expected_version,
                placement=placement,
                claim=None if claim is None else actions_pb2.Claim(points=claim),
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def draw_tile(
        self,
        seat: Seat,
        *,
        until_playable: bool = False,
        expected_version: int | None = None,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> moves_pb2.DrawTileResponse:
        """Take one tile from the boneyard, or tiles until one fits."""
        return await self._caller.unary(
            "MatchService/DrawTile",
            lambda stubs: stubs.match.DrawTile,
            moves_pb2.DrawTileRequest(
                match_id=seat.match_id,
                request_id=request_id or new_request_id(),
                expected_version=expected_version,
                until_playable=until_playable,
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def pass_turn(
        self,
        seat: Seat,
        *,
        expected_version: int | None = None,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> moves_pb2.PassTurnResponse:
        """Give up the turn where nothing can be played or drawn."""
        return await self._caller.unary(
            "MatchService/PassTurn",
            lambda stubs: stubs.match.PassTurn,
            moves_pb2.PassTurnRequest(
                match_id=seat.match_id,
                request_id=request_id or new_request_id(),
                expected_version=expected_version,
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def claim_points(
        self,
        seat: Seat,
        points: int,
        *,
        expected_version: int | None = None,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> moves_pb2.ClaimPointsResponse:
        """Announce the points of the own last placement while its window is open."""
        return await self._caller.unary(
            "MatchService/ClaimPoints",
            lambda stubs: stubs.match.ClaimPoints,
            moves_pb2.ClaimPointsRequest(
                match_id=seat.match_id,
                request_id=request_id or new_request_id(),
                expected_version=expected_version,
                points=points,
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def call_muggins(
        self,
        seat: Seat,
        placement_sequence: int,
        *,
        expected_version: int | None = None,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> moves_pb2.CallMugginsResponse:
        """Call points that another side may have left unclaimed."""
        return await self._caller.unary(
            "MatchService/CallMuggins",
            lambda stubs: stubs.match.CallMuggins,
            moves_pb2.CallMugginsRequest(
                match_id=seat.match_id,
                request_id=request_id or new_request_id(),
                expected_version=expected_version,
                placement_sequence=placement_sequence,
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def act(
        self,
        seat: Seat,
        action: actions_pb2.Action,
        *,
        claim: int | None = None,
        expected_version: int | None = None,
        request_id: str = "",
    ) -> MoveResponse:
        """Any action, as those that a view lists; `claim` goes with a placement.

        Raises:
            Malformed: no kind of action is set.
        """
        kind = action.WhichOneof("action")
        match kind:
            case "place":
                return await self.play_tile(
                    seat,
                    action.place,
                    claim=claim,
                    expected_version=expected_version,
                    request_id=request_id,
                )
            case "draw":
                return await self.draw_tile(
                    seat,
                    until_playable=action.draw.until_playable,
                    expected_version=expected_version,
                    request_id=request_id,
                )
            case "pass_turn":
                return await self.pass_turn(
                    seat, expected_version=expected_version, request_id=request_id
                )
            case "claim":
                return await self.claim_points(
                    seat,
                    action.claim.points,
                    expected_version=expected_version,
                    request_id=request_id,
                )
            case "call":
                return await self.call_muggins(
                    seat,
                    action.call.placement_sequence,
                    expected_version=expected_version,
                    request_id=request_id,
                )
            case None:
                raise Malformed("MALFORMED_FIELD", "the action is none of the kinds")
            case _:
                assert_never(kind)

    async def reveal_nonce(
        self, seat: Seat, *, request_id: str = "", timeout_s: float | None = None
    ) -> lobby_pb2.RevealNonceResponse:
        """Open the seat's commitment. Streams of the seat do so by themselves in time."""
        return await self._caller.unary(
            "MatchService/RevealNonce",
            lambda stubs: stubs.match.RevealNonce,
            lobby_pb2.RevealNonceRequest(
                match_id=seat.match_id,
                request_id=request_id or new_request_id(),
                nonce=seat.nonce,
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def set_seat_options(
        self,
        seat: Seat,
        *,
        draws_by_itself: bool = False,
        passes_by_itself: bool = False,
        single_moves_by_itself: bool = False,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> lobby_pb2.SetSeatOptionsResponse:
        """Set what is done for the seat by itself; what is left out is switched off."""
        return await self._caller.unary(
            "MatchService/SetSeatOptions",
            lambda stubs: stubs.match.SetSeatOptions,
            lobby_pb2.SetSeatOptionsRequest(
                match_id=seat.match_id,
                request_id=request_id or new_request_id(),
                options=events_pb2.SeatOptions(
                    draws_by_itself=draws_by_itself,
                    passes_by_itself=passes_by_itself,
                    single_moves_by_itself=single_moves_by_itself,
                ),
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def leave_match(
        self, seat: Seat, *, request_id: str = "", timeout_s: float | None = None
    ) -> lobby_pb2.LeaveMatchResponse:
        """Give up the seat; after the start a stand-in plays on, and `rejoin` takes it back."""
        return await self._caller.unary(
            "MatchService/LeaveMatch",
            lambda stubs: stubs.match.LeaveMatch,
            lobby_pb2.LeaveMatchRequest(
                match_id=seat.match_id, request_id=request_id or new_request_id()
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def resign_match(
        self, seat: Seat, *, request_id: str = "", timeout_s: float | None = None
    ) -> lobby_pb2.ResignMatchResponse:
        """Give up the match for good; with two sides the other one wins."""
        return await self._caller.unary(
            "MatchService/ResignMatch",
            lambda stubs: stubs.match.ResignMatch,
            lobby_pb2.ResignMatchRequest(
                match_id=seat.match_id, request_id=request_id or new_request_id()
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def agree_to_end(
        self, seat: Seat, *, request_id: str = "", timeout_s: float | None = None
    ) -> lobby_pb2.AgreeToEndResponse:
        """Propose to end the match as it stands, or agree to it; all who are there have to."""
        return await self._caller.unary(
            "MatchService/AgreeToEnd",
            lambda stubs: stubs.match.AgreeToEnd,
            lobby_pb2.AgreeToEndRequest(
                match_id=seat.match_id, request_id=request_id or new_request_id()
            ),
            self._metadata(seat),
            timeout_s,
        )

    async def get_hint(
        self,
        seat: Seat,
        step: events_pb2.HintStep.ValueType = events_pb2.HINT_STEP_IDEA,
        *,
        expected_version: int | None = None,
        request_id: str = "",
        timeout_s: float | None = None,
    ) -> moves_pb2.Hint:
        """Advice on one's own turn; the table sees that it was taken."""
        answer = await self._caller.unary(
            "MatchService/GetHint",
            lambda stubs: stubs.match.GetHint,
            moves_pb2.GetHintRequest(
                match_id=seat.match_id,
                request_id=request_id or new_request_id(),
                expected_version=expected_version,
                step=step,
            ),
            self._metadata(seat),
            timeout_s,
        )
        return answer.hint

    def _metadata(self, seat: Seat) -> tuple[tuple[str, str], ...]:
        return self._caller.metadata(seat.match_id, seat_secret=seat.secret)
