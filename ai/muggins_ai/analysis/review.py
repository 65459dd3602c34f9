"""Luck and skill of a match, which add up to its result.

For each side the course of a round is a sum of differences of expected points. What a seat decides
changes the expectation by the value of its action less that of the best one, by what it knew: that
is skill. Everything between two decisions (the deal, a draw, what turned out to be in another hand)
changes it by the value of the new position less what was expected: that is luck. The differences
telescope, so that luck and skill together are exactly what the round brought.

Points are a side's less the mean of the others', in the rule set's own unit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from muggins_ai.analysis.positions import ReviewPosition, is_forced
from muggins_ai.analysis.tally import MoveFigures
from muggins_rules.actions import Action, Claim, Place
from muggins_rules.events import (
    ClaimWindowClosed,
    Event,
    LotDrawn,
    MatchEnded,
    PointsClaimed,
    RoundDealt,
    RoundEnded,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.layout import move_word
from muggins_rules.ruleset import RuleSet
from muggins_rules.views import SeatView

__all__ = ["Decision", "Luck", "MatchReview", "SeatSums", "review_of"]

Points = tuple[float, ...]
"""By side."""


class Decision(NamedTuple):
    """A decision of a seat, at the event and what it gave away."""

    at: int
    round: int
    seat: int
    chosen: Action
    best: Action
    loss: float
    error: float
    view: SeatView | None = None
    figures: tuple[MoveFigures, ...] = ()


class Luck(NamedTuple):
    """What chance gave a seat at an event; below 0 where it took."""

    at: int
    round: int
    seat: int
    points: float


class SeatSums(NamedTuple):
    """A seat's sums: luck + skill = result. `loss` is what its own decisions gave away."""

    seat: int
    decisions: int
    loss: float
    luck: float
    skill: float
    result: float


@dataclass(frozen=True, slots=True)
class MatchReview:
    """Decisions and luck in the order of the match, and the sums of each round by seat."""

    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    rounds: tuple[tuple[int, tuple[SeatSums, ...]], ...]

    def totals(self) -> tuple[SeatSums, ...]:
        """The sums of the match by seat."""
        seats = len(self.rounds[0][1]) if self.rounds else 0
        return tuple(
            SeatSums(
                seat,
                sum(sums[seat].decisions for _, sums in self.rounds),
                sum(sums[seat].loss for _, sums in self.rounds),
                sum(sums[seat].luck for _, sums in self.rounds),
                sum(sums[seat].skill for _, sums in self.rounds),
                sum(sums[seat].result for _, sums in self.rounds),
            )
            for seat in range(seats)
        )


def review_of(
    rule_set: RuleSet,
    seats: int,
    events: Sequence[Event],
    judged: Mapping[int, tuple[ReviewPosition, tuple[MoveFigures, ...]]],
) -> MatchReview:
    """The review of a finished match in record form.

    `judged` has by event index the positions of `positions_of` with the figures of their moves,
    best first.
    """
    book = _Book(rule_set, seats)
    for index, event in enumerate(events):
        if index in judged:
            book.judge(*judged[index])
        book.note(index, event)
    return MatchReview(tuple(book.decisions), tuple(book.luck), tuple(book.rounds))


@dataclass(slots=True)
class _Book:
    """The course of a match: what each side has in this round, and what it could expect."""

    rule_set: RuleSet
    seats: int
    decisions: list[Decision] = field(default_factory=list)
    luck: list[Luck] = field(default_factory=list)
    rounds: list[tuple[int, tuple[SeatSums, ...]]] = field(default_factory=list)
    round: int = 0
    scores: tuple[int, ...] = ()
    started: tuple[int, ...] = ()
    expected: list[float] = field(default_factory=list)
    lucky: list[float] = field(default_factory=list)
    skilled: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    chance_at: int = 0
    chance_seat: int | None = None
    claimed: tuple[int, int] | None = None
    is_open: bool = False

    def __post_init__(self) -> None:
        self.scores = (0,) * self._sides
        self._begin()

    @property
    def _sides(self) -> int:
        return self.rule_set.sides(self.seats)

    def _side(self, seat: int) -> int:
        return self.rule_set.side_of(seat, self.seats)

    def _begin(self) -> None:
        self.started = self.scores
        self.expected = [0.0] * self._sides
        self.lucky = [0.0] * self._sides
        self.skilled = [0.0] * self._sides
        self.losses = [0.0] * self.seats
        self.choices = [0] * self.seats

    def judge(self, position: ReviewPosition, figures: tuple[MoveFigures, ...]) -> None:
        """Take in the value of a position and what was decided there."""
        so_far = self._ahead(self.scores)
        best = figures[0]
        chosen = _figures_of(position.action, figures)
        values = [a + b for a, b in zip(so_far, best.by_side, strict=True)]
        seat = self.chance_seat if self.chance_seat is not None else position.seat
        self._chance(values, seat)
        self.chance_at = position.at
        self.chance_seat = None
        if is_forced(position):
            return
        mover = self._side(position.seat)
        loss = best.by_side[mover] - chosen.by_side[mover]
        for side in range(self._sides):
            change = chosen.by_side[side] - best.by_side[side]
            self.skilled[side] += change
            self.expected[side] += change
        self.losses[position.seat] += loss
        self.choices[position.seat] += 1
        error = 0.0 if chosen is best else (chosen.error**2 + best.error**2) ** 0.5
        self.decisions.append(
            Decision(
                position.at,
                position.round,
                position.seat,
                position.action,
                _action_of(best, position),
                loss,
                error,
                position.view,
                figures,
            )
        )

    def note(self, index: int, event: Event) -> None:
        """Take in what happened."""
        match event:
            case RoundDealt(number):
                self.round, self.is_open = number, True
                self.chance_at, self.chance_seat = index, None
                self._begin()
            case TileDrawn(seat):
                self.chance_at, self.chance_seat = index, seat
            case TilePlayed(seat, _, _, _, _, scores):
                self.claimed = (seat, index)
                if scores is not None:
                    self.scores = scores
            case PointsClaimed() | LotDrawn() | TurnStarted():
                pass
            case ClaimWindowClosed():
                self._window_closed(event)
            case RoundEnded():
                self.scores = tuple(line.score for line in event.settlement)
                self._end(index, event.went_out)
            case MatchEnded(_, _, scores) if self.is_open:
                self.scores = scores
                self._end(index, None)
            case _:
                pass

    def _ahead(self, scores: Sequence[int]) -> list[float]:
        """By side what it gained in this round beyond the mean of the others."""
        gains = [after - before for after, before in zip(scores, self.started, strict=True)]
        total = sum(gains)
        return [gain - (total - gain) / (self._sides - 1) for gain in gains]

    def _chance(self, values: Sequence[float], seat: int) -> None:
        """The expectation becomes something else, though nobody decided anything."""
        changes = [after - before for after, before in zip(values, self.expected, strict=True)]
        for side, change in enumerate(changes):
            self.lucky[side] += change
        self.expected = list(values)
        self.luck.append(Luck(self.chance_at, self.round, seat, changes[self._side(seat)]))

    def _window_closed(self, event: ClaimWindowClosed) -> None:
        """What was not claimed, or was called, is a decision of the mover."""
        self.scores = event.scores
        if self.claimed is None:
            return
        mover, index = self.claimed
        fair = [0] * self._sides
        fair[self._side(mover)] = event.count.points
        given = [0] * self._sides
        for credit in event.credits:
            given[credit.side] += credit.points
        changes = [b - a for a, b in zip(_beyond(fair), _beyond(given), strict=True)]
        loss = -changes[self._side(mover)]
        if not loss:
            return
        for side, change in enumerate(changes):
            self.skilled[side] += change
            self.expected[side] += change
        self.losses[mover] += loss
        mine = sum(credit.points for credit in event.credits if not credit.called)
        best, chosen = Claim(event.count.points), Claim(mine)
        self.decisions.append(Decision(index, self.round, mover, chosen, best, loss, 0.0))

    def _end(self, index: int, went_out: int | None) -> None:
        """The round is over: the rest of the expectation was luck."""
        self.is_open = False
        self.chance_at = index
        result = self._ahead(self.scores)
        self._chance(result, went_out or 0)
        sums = tuple(
            SeatSums(
                seat,
                self.choices[seat],
                self.losses[seat],
                self.lucky[self._side(seat)],
                self.skilled[self._side(seat)],
                result[self._side(seat)],
            )
            for seat in range(self.seats)
        )
        self.rounds.append((self.round, sums))


def _beyond(points: Sequence[int]) -> list[float]:
    total = sum(points)
    return [own - (total - own) / (len(points) - 1) for own in points]


def _figures_of(action: Action, figures: tuple[MoveFigures, ...]) -> MoveFigures:
    """The figures of what was done; of draws and passes there is one."""
    if not isinstance(action, Place):
        return figures[0]
    move = move_word(action.placement)
    return next(found for found in figures if found.move == move)


def _action_of(figures: MoveFigures, position: ReviewPosition) -> Action:
    """The action of a move; the one that was done where both come to the same."""
    done = position.action
    if isinstance(done, Place) and move_word(done.placement) == figures.move:
        return done
    for legal in position.view.legal_actions:
        if isinstance(legal.action, Place) and move_word(legal.action.placement) == figures.move:
            return legal.action
    return done
