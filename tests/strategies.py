"""Matches by legal play, for properties: every preset, custom rule sets, calling, small sets.

A `Play` is drawn as numbers and then played by the engine, so that it shrinks to a short one. It
keeps every step: the state before, who did what, and the facts that followed.
"""

import hashlib
from dataclasses import dataclass, replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

from muggins_rules import (
    PRESETS,
    Action,
    Call,
    Claim,
    Draw,
    MatchState,
    Phase,
    Place,
    RoundChance,
    RuleSet,
    close_window,
    deal_round,
    decide,
    evolve_all,
    legal_actions,
    new_match,
    preset,
)
from muggins_rules.events import Event
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.rule_set_check import rule_set_problems
from muggins_rules.ruleset import (
    Deal,
    HouseRules,
    Layout,
    OpenerRule,
    Scoring,
    SettlementRule,
    SpinnerRule,
    Turns,
)

# Time is measured in benchmarks; a busy machine must not fail a property.
settings.register_profile("muggins", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("muggins")

__all__ = ["Play", "Step", "chance_of", "plays", "rule_sets"]


@dataclass(frozen=True)
class Step:
    """One step of a match. `seat` and `action` are absent for a deal and for a time-out."""

    before: MatchState
    events: tuple[Event, ...]
    after: MatchState
    seat: int | None = None
    action: Action | None = None


@dataclass(frozen=True, repr=False)
class Play:
    """A match from its beginning, step by step."""

    start: MatchState
    steps: tuple[Step, ...]

    @property
    def states(self) -> list[MatchState]:
        """Every state that was reached, the first included."""
        return [self.start, *(step.after for step in self.steps)]

    @property
    def last(self) -> MatchState:
        """The state that was reached last."""
        return self.states[-1]

    @property
    def events(self) -> list[Event]:
        """All facts of the match."""
        return [event for step in self.steps for event in step.events]

    def __repr__(self) -> str:
        told = ", ".join(f"{step.seat}: {step.action}" for step in self.steps)
        return f"Play({self.start.rule_set}, {self.start.seats} seats, [{told}])"

    def _repr_pretty_(self, printer: RepresentationPrinter, _cycle: object) -> None:
        """How a failing example is shown: what was done, without the states."""
        printer.text(repr(self))


def chance_of(seed: str, number: int, seats: int, highest_pip: int = 6) -> RoundChance:
    """The chance of a round under the fair deal, from a text instead of a secret."""
    secret, nonces = hashlib.sha256(seed.encode()).digest(), (b"",) * seats
    return RoundChance(
        shuffled_deck(secret, "match", number, nonces, highest_pip),
        shuffled_lot(secret, "match", number, nonces, highest_pip),
    )


@st.composite
def _custom_rule_sets(draw: st.DrawFn) -> RuleSet:
    size = st.integers(0, 9)
    target = st.sampled_from([0, 5, 10, 25, 61, 250])
    rule = st.sampled_from(SettlementRule)
    opener = st.sampled_from(OpenerRule)
    sizes = draw(st.tuples(size, size, size))
    targets = draw(st.tuples(target, target, target))
    dealt = [own if wanted else 0 for own, wanted in zip(sizes, targets, strict=True)]
    aimed = [wanted if own else 0 for own, wanted in zip(sizes, targets, strict=True)]
    return RuleSet(
        "custom",
        Deal(draw(st.integers(1, 6)), (dealt[0], dealt[1], dealt[2]), draw(st.integers(0, 2))),
        Turns(draw(st.booleans()), draw(opener), draw(opener), draw(st.booleans())),
        Layout(draw(st.sampled_from(SpinnerRule))),
        Scoring(
            draw(rule),
            draw(rule),
            draw(st.sampled_from([1, 5])),
            draw(st.booleans()),
            (aimed[0], aimed[1], aimed[2]),
        ),
        draw(st.booleans()),
        HouseRules(
            draw(st.booleans()),
            draw(st.sampled_from([0, 0, 5, 10])),
            draw(st.booleans()),
            draw(st.sampled_from([0, 0, 1, 3])),
        ),
    )


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Presets, with calling or not, with a reserve or a small set, and custom rule sets."""
    presets = st.builds(
        lambda name, calling: preset(name, calling=calling),
        st.sampled_from(sorted(PRESETS)),
        st.booleans(),
    )
    reserved = st.builds(
        lambda rules, reserve: replace(
            rules, id="reserved", deal=replace(rules.deal, boneyard_reserve=reserve)
        ),
        presets,
        st.integers(1, 2),
    )
    return st.one_of(presets, reserved, _custom_rule_sets()).filter(
        lambda rules: not rule_set_problems(rules)
    )


@st.composite
def plays(draw: st.DrawFn, most_steps: int = 70) -> Play:
    """A match of any rule set, any number of seats, played legally for some steps."""
    rules = draw(rule_sets())
    seats = draw(st.sampled_from(rules.seat_counts))
    seed = draw(st.text("abcdef", max_size=4))
    length = draw(st.integers(1, most_steps))
    choices = draw(st.lists(st.integers(0, 11), min_size=length, max_size=length))
    state = start = new_match(rules, seats)
    steps = []
    for choice in choices:
        if state.phase is Phase.OVER:
            break
        step = _step(state, choice, seed)
        steps.append(step)
        state = step.after
    return Play(start, tuple(steps))


def _step(state: MatchState, choice: int, seed: str) -> Step:
    if state.phase is not Phase.PLAYING or state.table is None:
        pip = state.rule_set.deal.highest_pip
        events = deal_round(state, chance_of(seed, state.round + 1, state.seats, pip))
        return Step(state, events, evolve_all(state, events))
    options = _options(state)
    seat, action = options[choice % len(options)]
    events = close_window(state) if seat is None or action is None else decide(state, seat, action)
    return Step(state, events, evolve_all(state, events), seat, action)


def _options(state: MatchState) -> list[tuple[int | None, Action | None]]:
    """Everything that may happen next; a pair of nothing is the time-out of a claim window."""
    table = state.table
    assert table is not None
    options: list[tuple[int | None, Action | None]] = []
    for action in legal_actions(state):
        options.append((table.turn, action))
        if isinstance(action, Draw):
            options.append((table.turn, Draw(until_playable=True)))
        if isinstance(action, Place) and state.rule_set.calling:
            options += [(table.turn, Place(action.placement, claim)) for claim in (5, 10)]
    window = table.window
    if window is not None:
        if window.claimed is None:
            claims = {0, 5, window.count.points}
            options += [(window.mover, Claim(points)) for points in sorted(claims)]
        side_of = state.rule_set.side_of
        options += [
            (seat, Call(window.placement))
            for seat in range(state.seats)
            if side_of(seat, state.seats) != side_of(window.mover, state.seats)
        ]
        options.append((None, None))
    return options
