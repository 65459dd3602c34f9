"""How windows, rounds and matches end."""

from muggins_rules.events import (
    ClaimWindowClosed,
    Credit,
    EndReason,
    Event,
    MatchEnded,
    PointsClaimed,
    RoundEnded,
    ShownHand,
)
from muggins_rules.evolving import evolve
from muggins_rules.rule_set_check import MOST_ROUNDS
from muggins_rules.scoring import credited_gain, settle
from muggins_rules.state import MatchState, Window
from muggins_rules.tiles import pips_of_mask, tiles_of_mask

__all__ = ["end_match", "match_won", "round_end", "shown_hands", "window_end"]


def window_end(state: MatchState, window: Window) -> tuple[Event, ...]:
    """The closing of a claim window and, when a credit reaches the target, the match's end."""
    rule_set, seats = state.rule_set, state.seats
    scores, have_scored = list(state.scores), list(state.have_scored)
    credited: list[Credit] = []
    winner = None
    for seat, points, called in _shares(window):
        side = rule_set.side_of(seat, seats)
        gain = credited_gain(rule_set, seats, scores[side], points, has_scored=have_scored[side])
        if not gain:
            continue
        scores[side] += gain
        have_scored[side] = True
        credited.append(Credit(side, seat, gain, called))
        if scores[side] >= rule_set.target(seats):
            winner = side
            break
    closed = ClaimWindowClosed(window.count, tuple(credited), tuple(scores))
    if winner is None:
        return (closed,)
    return closed, match_won(evolve(state, closed), winner)


def _shares(window: Window) -> list[tuple[int, int, bool]]:
    """Who takes how much of the placement's points, in the order in which it was said.

    A claim of more than is open is void; the first call takes all that is open by then.
    """
    still_open = window.count.points
    shares = []
    called = False
    for fact in window.said:
        if isinstance(fact, PointsClaimed):
            taken = fact.points if fact.points <= still_open else 0
            shares.append((fact.seat, taken, False))
        elif called:
            continue
        else:
            called = True
            taken = still_open
            shares.append((fact.seat, taken, True))
        still_open -= taken
    return shares


def round_end(state: MatchState, went_out: int | None) -> tuple[Event, ...]:
    """The settlement of a round and, when it decides the match, the match's end."""
    assert state.table is not None, "a round is in play"
    winner, settlement = settle(
        state.rule_set,
        state.seats,
        state.table.hands,
        went_out,
        state.scores,
        state.have_scored,
    )
    ended = RoundEnded(went_out is None, went_out, winner, shown_hands(state), settlement)
    scores = tuple(line.score for line in settlement)
    if max(scores) >= state.rule_set.target(state.seats):
        reason = EndReason.TARGET_REACHED
    elif state.round >= (state.rule_set.house_rules.round_limit or MOST_ROUNDS):
        reason = EndReason.ROUND_LIMIT
    else:
        return (ended,)
    return ended, MatchEnded(_highest(scores), reason, scores)


def match_won(state: MatchState, side: int) -> MatchEnded:
    """The end of a match in mid-round: a side has reached the target; hands are shown."""
    return MatchEnded(side, EndReason.TARGET_REACHED, state.scores, shown_hands(state))


def end_match(state: MatchState, reason: EndReason, winning_side: int | None = None) -> MatchEnded:
    """The end of a match for a reason outside the rules; hands are shown.

    No side wins unless the others have resigned, which is none of the rules' business.
    """
    return MatchEnded(winning_side, reason, state.scores, shown_hands(state))


def shown_hands(state: MatchState) -> tuple[ShownHand, ...]:
    """What every seat holds in the round in play; empty outside a round."""
    table = state.table
    if table is None:
        return ()
    return tuple(
        ShownHand(seat, tiles_of_mask(hand), pips_of_mask(hand))
        for seat, hand in enumerate(table.hands)
    )


def _highest(scores: tuple[int, ...]) -> int | None:
    """The side with the highest score; none when several tie."""
    most = max(scores)
    return scores.index(most) if scores.count(most) == 1 else None
