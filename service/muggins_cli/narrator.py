"""A match told line by line, from its events as everybody may see them."""

from collections.abc import Iterable
from typing import Final, assert_never

from muggins.v1 import events_pb2, views_pb2
from muggins_cli.look import Look
from muggins_cli.paper_score import paper_score
from muggins_cli.picture import draw_picture
from muggins_cli.reckoning import tell_hands, tell_settlement
from muggins_cli.words import SEAT_NAMES, Words, format_count, signed
from muggins_client.decoding import decode_event, decode_rule_set
from muggins_rules import AttachPoint, Count, Placement, RuleSet
from muggins_rules.events import (
    ClaimWindowClosed,
    EndReason,
    Event,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    RoundEnded,
    SeatPassed,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.notation import format_tile

__all__ = ["Narrator"]

_INDENT: Final = "    "
_POINTS_OF_STROKE: Final = 5


class Narrator:
    """Keeps what the lines need: the rules, who sits where, and the round on the table."""

    def __init__(self, words: Words, look: Look) -> None:
        self._words = words
        self._look = look
        self._rule_set = RuleSet("")
        self._names: list[str] = []
        self._scores: tuple[int, ...] = ()
        self._round = 0
        self._placements: list[Placement] = []
        self._attach_points: tuple[AttachPoint, ...] = ()
        self._count: Count | None = None
        self._lot: list[LotDrawn] = []
        self._drawn = 0
        self._boneyard = 0
        self._ended: MatchEnded | None = None

    def tell(self, message: events_pb2.Event) -> list[str]:
        """What an event adds to the story; nothing where the next one tells it.

        Raises:
            Undecodable: the event holds what no match can have.
        """
        match message.WhichOneof("fact"):
            case "match_created":
                created = message.match_created
                self._begin(decode_rule_set(created.rule_set), created.seats)
            case "seat_taken":
                taken = message.seat_taken
                self._names[taken.seat] = taken.name or taken.level
            case "match_started":
                return self._table()
            case "takeover_changed":
                changed = message.takeover_changed
                key = "stand_in_plays" if changed.bot_plays else "player_back"
                return [self._words.line(key, seat=SEAT_NAMES[changed.seat])]
            case "seat_resigned":
                return [self._words.line("resigns", seat=SEAT_NAMES[message.seat_resigned.seat])]
            case "end_agreed":
                agreed = message.end_agreed
                key = "end_proposed" if agreed.proposes else "end_agreed"
                return [self._words.line(key, seat=SEAT_NAMES[agreed.seat])]
            case "hint_shown":
                return [self._said("hint_taken", seat=SEAT_NAMES[message.hint_shown.seat])]
            case _:
                event = decode_event(message, {})
                return [] if event is None else self._tell(event)
        return []

    def restart(self, table: views_pb2.PublicView) -> None:
        """Take a match as it is now, in place of what was told before."""
        self._begin(decode_rule_set(table.rule_set), len(table.seats))
        self._names = [info.name or info.level for info in table.seats]
        for message in table.round_events:
            self.tell(message)
        self._scores, self._round = tuple(table.scores) or self._scores, table.round
        if table.HasField("ended"):
            self.tell(events_pb2.Event(match_ended=table.ended))

    def now(self) -> list[str]:
        """The table as it is: who plays, the round, the picture and the scores, or the end."""
        lines = self._table()
        if self._round:
            lines += ["", self._title("round_begins", round=self._round)]
        if self._placements:
            lines += ["", *self._picture(), "", self._result(""), ""]
        elif self._round:
            lines += [self._score_line("scores"), ""]
        return lines if self._ended is None else [*lines, *self._match_ended(self._ended)]

    def _begin(self, rule_set: RuleSet, seats: int) -> None:
        self._rule_set = rule_set
        self._names = [""] * seats
        self._scores = (0,) * rule_set.sides(seats)
        self._ended = None
        self._clear(0)

    def _clear(self, number: int) -> None:
        """Begin a round."""
        self._round, self._placements, self._lot, self._drawn = number, [], [], 0
        self._attach_points, self._count = (), None

    def _table(self) -> list[str]:
        """The game, who plays it, and how pictures are read."""
        rule_set, words, seats = self._rule_set, self._words, len(self._names)
        name, target = words.rule_set(rule_set), rule_set.target(seats)
        lines = [
            self._title("table", rule_set=name, seats=seats, target=target),
            *(f"  {SEAT_NAMES[seat]}  {name}" for seat, name in enumerate(self._names)),
        ]
        if rule_set.calling:
            lines.append(words.line("with_calling"))
        marks = {"key_counted": "(5)", "key_open": "*", "key_newest": "{3|4}"}
        for key, mark in marks.items():
            (shown,) = self._look.picture([mark])
            lines.append(f"  {words.line(key, mark=shown)}")
        return lines

    def _tell(self, event: Event) -> list[str]:
        match event:
            case LotDrawn():
                self._lot.append(event)
                return []
            case RoundDealt():
                return self._dealt(event)
            case TurnStarted():
                return []
            case TilePlayed():
                return self._played(event)
            case TileDrawn(_, _, boneyard):
                self._drawn, self._boneyard = self._drawn + 1, boneyard
                return []
            case SeatPassed(seat):
                return [*self._draws(seat, "drew_and_passed", "passed"), ""]
            case PointsClaimed(seat, points):
                return [self._said("points_claimed", seat=SEAT_NAMES[seat], points=points)]
            case MugginsCalled(seat):
                return [self._said("muggins_called", seat=SEAT_NAMES[seat])]
            case ClaimWindowClosed():
                return self._window_closed(event)
            case RoundEnded():
                return self._round_ended(event)
            case MatchEnded():
                return self._match_ended(event)
            case _:
                assert_never(event)

    def _dealt(self, event: RoundDealt) -> list[str]:
        words, lot = self._words, self._lot
        self._clear(event.round)
        lines = ["", self._title("round_begins", round=event.round)]
        for attempt in sorted({drawn.attempt for drawn in lot}):
            tiles = "  ".join(
                f"{SEAT_NAMES[drawn.seat]} {format_tile(drawn.tile)}"
                for drawn in lot
                if drawn.attempt == attempt
            )
            lines.append(words.line("lot_drawn", tiles=tiles))
        opener, size = SEAT_NAMES[event.opener], max(event.hand_sizes)
        opens = words.line("round_opens", seat=opener, tiles=size, boneyard=event.boneyard)
        return [*lines, opens, ""]

    def _played(self, event: TilePlayed) -> list[str]:
        seat, tile = SEAT_NAMES[event.seat], format_tile(event.placement.tile)
        self._placements.append(event.placement)
        self._attach_points, self._count = event.attach_points, event.count
        lines = self._draws(event.seat, "drew", "")
        played = self._words.line("tile_played", seat=seat, tile=tile)
        lines.append(f"{event.number:2}. {played}")
        if event.count is None:
            return lines
        if event.scores is not None:
            self._scores = event.scores
        gain = f"{seat} {signed(event.count.points)}" if event.count.points else ""
        return [*lines, "", *self._picture(), "", self._result(gain), ""]

    def _window_closed(self, event: ClaimWindowClosed) -> list[str]:
        self._count, self._scores = event.count, event.scores
        gains = [f"{SEAT_NAMES[one.seat]} {signed(one.points)}" for one in event.credits]
        missed = event.count.points - sum(one.points for one in event.credits)
        if missed > 0:
            gains.append(self._words.line("points_missed", points=missed))
        return ["", *self._picture(), "", self._result("  ".join(gains)), ""]

    def _round_ended(self, event: RoundEnded) -> list[str]:
        words, seats = self._words, len(self._names)
        self._scores = tuple(entry.score for entry in event.settlement)
        if event.went_out is None:
            ending = words.line("round_blocked")
        else:
            ending = words.line("went_out", seat=SEAT_NAMES[event.went_out])
        settlement = tell_settlement(event, self._rule_set, seats, words)
        return [
            self._look.title(ending),
            *self._indented(tell_hands(event.hands)),
            *self._indented(settlement),
            self._score_line("scores"),
            *self._on_paper(),
        ]

    def _match_ended(self, event: MatchEnded) -> list[str]:
        words, seats = self._words, len(self._names)
        self._ended, self._scores = event, event.scores or self._scores
        lines = self._indented(tell_hands(event.hands))
        if event.reason is not EndReason.TARGET_REACHED:
            lines.append(words.line(f"ended_{event.reason.value}"))
        if event.winning_side is None:
            lines.append(self._title("match_unwon"))
        else:
            side = words.side(event.winning_side, self._rule_set, seats)
            lines.append(self._title("match_won", side=side))
        lines.append(self._score_line("final_scores"))
        if event.hands:
            lines += self._on_paper()
        return [*lines, ""]

    def _draws(self, seat: int, key: str, key_without: str) -> list[str]:
        """How many tiles a seat has drawn in its turn; `key_without` is told where it is none."""
        drawn, self._drawn = self._drawn, 0
        told = key if drawn else key_without
        if not told:
            return []
        values = {"seat": SEAT_NAMES[seat], "drawn": drawn, "boneyard": self._boneyard}
        return [self._said(told, **values)]

    def _said(self, key: str, **values: object) -> str:
        return _INDENT + self._words.line(key, **values)

    def _indented(self, texts: Iterable[str]) -> list[str]:
        return [line for text in texts for line in self._look.wrapped(text, _INDENT)]

    def _title(self, key: str, **values: object) -> str:
        return self._look.title(self._words.line(key, **values))

    def _picture(self) -> list[str]:
        width = self._look.width - len(_INDENT)
        contributions = None if self._count is None else self._count.contributions
        lines = draw_picture(self._placements, self._attach_points, contributions, width)
        return [_INDENT + line for line in self._look.picture(lines)]

    def _result(self, gain: str) -> str:
        """The sum, what it earned, and the scores after it."""
        told = [] if self._count is None else [format_count(self._count)]
        told += [self._look.gain(gain)] if gain else []
        scores = self._words.scores(self._scores, self._rule_set, len(self._names))
        return _INDENT + "   ".join([*told, f"[{scores}]"])

    def _score_line(self, key: str) -> str:
        scores = self._words.scores(self._scores, self._rule_set, len(self._names))
        return self._look.title(self._words.line(key, scores=scores))

    def _on_paper(self) -> list[str]:
        rule_set, seats = self._rule_set, len(self._names)
        divisor = rule_set.scoring.points_divisor
        lines = [self._words.line("on_paper", points=_POINTS_OF_STROKE // divisor)]
        for side, score in enumerate(self._scores):
            name = self._words.side(side, rule_set, seats)
            label = f"{_INDENT}{name}  "
            strokes = paper_score(score, divisor, self._look.width - len(label)) or ("0",)
            middle = 1 if len(strokes) > 1 else 0
            lines += [
                (label if row == middle else " " * len(label)) + stroke
                for row, stroke in enumerate(strokes)
            ]
        return lines
