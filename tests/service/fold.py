"""The events of a stream folded into what a view tells, by a client that knows no rules."""

from collections.abc import Iterable
from typing import Final

from muggins.v1 import events_pb2, tiles_pb2, views_pb2

__all__ = ["Folded", "tiles_of"]

Tiles = list[tuple[int, int]]

NO_SEAT: Final = -1


def tiles_of(tiles: Iterable[tiles_pb2.Tile]) -> Tiles:
    """Tiles as pairs, ascending."""
    return sorted((tile.low, tile.high) for tile in tiles)


class Folded:
    """What a viewer knows after some events. `seat` is the viewer's own, absent for the public."""

    def __init__(self, seat: int | None = None) -> None:
        self.seat = seat
        self.version = 0
        self.round = 0
        self.scores: list[int] = []
        self.turn: int | None = None
        self.boneyard = 0
        self.hand: Tiles = []
        self.tiles: list[int] = []
        self.attach_points: list[bytes] = []
        self.count: tiles_pb2.Count | None = None
        self.levels: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self.round_events: list[events_pb2.Event] = []
        self.state = views_pb2.MATCH_STATE_OPEN
        self.rematch_id = ""
        self._calling = False

    def take(self, event: events_pb2.Event) -> None:
        """Fold one event, which has to be the next."""
        assert self.version + 1 == event.sequence
        self.version = event.sequence
        kind = event.WhichOneof("fact")
        match kind:
            case "match_created":
                self._calling = event.match_created.rule_set.calling
            case "seat_taken":
                taken = event.seat_taken
                self.names[taken.seat] = taken.name
                self.levels[taken.seat] = taken.level
            case "seat_left":
                self.names.pop(event.seat_left.seat, None)
                self.levels.pop(event.seat_left.seat, None)
            case "takeover_changed":
                self.levels[event.takeover_changed.seat] = event.takeover_changed.level
            case "match_started":
                self.state = views_pb2.MATCH_STATE_PLAYING
            case "nonce_revealed" | "seat_options_set":
                pass
            case "rematch_created":
                self.rematch_id = event.rematch_created.match_id
            case None:
                pass
            case _:
                self._take_play(event)

    def _take_play(self, event: events_pb2.Event) -> None:
        kind = event.WhichOneof("fact")
        assert kind is not None
        opens = kind in {"lot_drawn", "round_dealt"}
        lot_before = self.round_events and self.round_events[-1].HasField("lot_drawn")
        if opens and not lot_before:
            self.round_events.clear()
        self.round_events.append(event)
        match kind:
            case "round_dealt":
                self._dealt(event)
            case "turn_started":
                self.turn = event.turn_started.seat
            case "tile_played":
                self._played(event.tile_played)
            case "tile_drawn":
                drawn = event.tile_drawn
                self.boneyard = drawn.boneyard
                self.tiles[drawn.seat] += 1
                assert (drawn.seat == self.seat) == drawn.HasField("tile")
                if drawn.HasField("tile"):
                    self.hand = sorted([*self.hand, (drawn.tile.low, drawn.tile.high)])
            case "seat_passed":
                self.turn = None
            case "claim_window_closed":
                self.count = event.claim_window_closed.count
                self.scores = list(event.claim_window_closed.scores)
            case "round_ended":
                self.turn = None
                self.scores = [line.score for line in event.round_ended.settlement]
            case "match_ended":
                self.turn = None
                self.scores = list(event.match_ended.scores)
                played_out = event.match_ended.reason <= events_pb2.MATCH_END_REASON_ROUND_LIMIT
                self.state = (
                    views_pb2.MATCH_STATE_FINISHED
                    if played_out
                    else views_pb2.MATCH_STATE_ABANDONED
                )
            case "lot_drawn" | "points_claimed" | "muggins_called" | "hint_shown":
                pass
            case _:
                raise AssertionError(kind)

    def _dealt(self, event: events_pb2.Event) -> None:
        dealt = event.round_dealt
        assert not dealt.deck
        self.round = event.round
        self.boneyard = dealt.boneyard
        self.tiles = list(dealt.hand_sizes)
        self.hand = tiles_of(dealt.hand)
        self.attach_points, self.count, self.turn = [], None, None

    def _played(self, played: events_pb2.TilePlayed) -> None:
        tile = (played.placement.tile.low, played.placement.tile.high)
        self.tiles[played.seat] -= 1
        self.turn = None
        if played.seat == self.seat:
            self.hand.remove(tile)
        self.attach_points = sorted(point.SerializeToString() for point in played.attach_points)
        assert self._calling != played.HasField("count")
        self.count = played.count if played.HasField("count") else None
        if played.scores:
            self.scores = list(played.scores)

    def check_public(self, view: views_pb2.PublicView) -> None:
        """The view of the same version tells the same."""
        assert self.version == view.version
        assert self.state == view.state
        assert self.round == view.round
        assert (self.scores or list(view.scores)) == list(view.scores)
        assert self.turn == (view.seat_to_act if view.HasField("seat_to_act") else None)
        assert self.boneyard == view.boneyard
        assert self.attach_points == sorted(
            point.SerializeToString() for point in view.attach_points
        )
        assert self.count == (view.count if view.HasField("count") else None)
        assert (self.tiles or [0] * len(view.seats)) == [seat.tiles for seat in view.seats]
        for seat in view.seats:
            assert self.names.get(seat.seat, "") == seat.name
            assert self.levels.get(seat.seat, "") == seat.level
        assert self.rematch_id == view.rematch_id

    def check(self, view: views_pb2.PublicView | views_pb2.SeatView) -> None:
        """The viewer's own view of the same version tells the same."""
        if isinstance(view, views_pb2.SeatView):
            self.check_public(view.table)
            assert self.seat == view.seat
            assert self.hand == tiles_of(view.hand)
        else:
            self.check_public(view)
        assert self.round_events == list(view.round_events)
