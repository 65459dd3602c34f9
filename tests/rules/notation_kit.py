"""What the tests of the notation share: its readers, and values and texts to try them on."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any

from hypothesis import settings
from hypothesis import strategies as st

from muggins_rules import (
    PRESETS,
    Call,
    Claim,
    Draw,
    End,
    Orientation,
    Pass,
    Place,
    Placement,
    Port,
    RuleSet,
    legal_actions,
)
from muggins_rules.notation import (
    MatchRecord,
    NotationError,
    format_action,
    format_end,
    format_event,
    format_layout,
    format_match,
    format_placement,
    format_round,
    format_rule_set,
    format_tile,
    parse_action,
    parse_end,
    parse_event,
    parse_layout,
    parse_match,
    parse_placement,
    parse_round,
    parse_rule_set,
    parse_tile,
)
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
from muggins_rules.tiles import TILES
from tests.golden.players import fair_chance, play

if TYPE_CHECKING:
    from collections.abc import Callable

    from muggins_rules import Action, MatchState

__all__ = [
    "READERS",
    "TABLES",
    "actions",
    "corrupt_texts",
    "custom_rule_sets",
    "few",
    "many",
    "parse_line_layout",
    "placements",
    "random_match",
    "read",
    "records",
    "tiles",
]

TABLES = [
    (replace(rule_set, calling=calling), seats)
    for rule_set in PRESETS.values()
    for calling in (False, True)
    for seats in rule_set.seat_counts
]

parse_line_layout = partial(parse_layout, rule=SpinnerRule.FIRST_DOUBLE)
READERS: dict[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {
    "tile": (parse_tile, format_tile),
    "end": (parse_end, format_end),
    "placement": (parse_placement, format_placement),
    "layout": (parse_line_layout, format_layout),
    "action": (parse_action, format_action),
    "rule_set": (parse_rule_set, format_rule_set),
    "event": (parse_event, format_event),
    "round": (parse_round, format_round),
    "match": (parse_match, format_match),
}


@st.composite
def custom_rule_sets(draw: st.DrawFn) -> RuleSet:
    """Rule sets with any parameters that fit together."""
    offered = draw(st.tuples(st.booleans(), st.booleans(), st.booleans()).filter(any))
    sizes = [draw(st.integers(1, 3)) if offer else 0 for offer in offered]
    targets = [5 * draw(st.integers(1, 50)) if offer else 0 for offer in offered]
    openers = st.sampled_from(OpenerRule)
    first, after = draw(openers), draw(openers)
    blocked = draw(st.sampled_from(SettlementRule))
    shares = offered[1] and blocked is SettlementRule.GAIN
    rule_set = RuleSet(
        draw(st.from_regex("[a-z][a-z0-9_]{0,30}_", fullmatch=True)),
        Deal(draw(st.integers(4, 6)), (sizes[0], sizes[1], sizes[2]), draw(st.integers(0, 2))),
        Turns(
            draw(st.booleans()),
            first,
            after,
            OpenerRule.HIGHEST_DOUBLE in {first, after} and draw(st.booleans()),
        ),
        Layout(draw(st.sampled_from(SpinnerRule))),
        Scoring(
            draw(st.sampled_from(SettlementRule)),
            blocked,
            draw(st.sampled_from([1, 5])),
            offered[2] and draw(st.booleans()),
            (targets[0], targets[1], targets[2]),
        ),
        draw(st.booleans()),
        HouseRules(
            draw(st.booleans()),
            draw(st.integers(0, 5)),
            shares and draw(st.booleans()),
            draw(st.integers(0, 4096)),
        ),
    )
    assert not rule_set_problems(rule_set)
    return rule_set


@cache
def random_match(rule_set: RuleSet, seats: int, seed: int, rounds: int = 1) -> MatchRecord:
    """A match played at random, with claims and calls under calling."""
    rng = Random(seed)

    def choose(state: MatchState) -> Action:
        return rng.choice(legal_actions(state))

    return play(rule_set, seats, choose, partial(fair_chance, str(seed)), rounds=rounds)


few = settings(max_examples=40, deadline=None)
many = settings(max_examples=400, deadline=None)

tiles = st.sampled_from(TILES)
numbers = st.integers(1 - 10**18, 10**18 - 1)
placements = st.builds(
    Placement,
    tiles,
    st.none() | st.builds(End, tiles, st.sampled_from(Port)),
    st.none() | st.sampled_from(Orientation),
)
actions = st.one_of(
    st.builds(Place, placements, st.none() | numbers),
    st.builds(Draw, st.booleans()),
    st.just(Pass()),
    st.builds(Claim, numbers),
    st.builds(Call, numbers),
)
records = st.builds(
    lambda table, seed, rounds: random_match(table[0], table[1], seed, rounds),
    st.sampled_from(TABLES),
    st.integers(0, 2**32),
    st.integers(1, 2),
)


@st.composite
def corrupt_texts(draw: st.DrawFn) -> tuple[str, str]:
    """A text that is nearly notation, and the name of what it nearly is."""
    rule_set, seats = draw(st.sampled_from(TABLES))
    record = random_match(rule_set, seats, draw(st.integers(0, 3)))
    name = draw(st.sampled_from(sorted(READERS)))
    custom = replace(record.rule_set, id="club")
    text = {
        "tile": "3-6",
        "end": "6-6.lineB",
        "placement": "6-6@3-6.high/endwise",
        "layout": "1-4 1-1@1-4.low 4-4@1-4.high 3-4@4-4.lineB 1-2@1-1.lineB 1-5@1-1.branchA",
        "action": "play 3-6@6-6.lineB claim 10",
        "rule_set": format_rule_set(custom),
        "event": format_event(draw(st.sampled_from(record.events))),
        "round": format_round(record.events),
        "match": format_match(draw(st.sampled_from([record, replace(record, rule_set=custom)]))),
    }[name]
    pieces = re.findall(r"\w+|\W", text)
    strange = st.sampled_from([*pieces, "7-7", "E", "\n", "-", "9" * 5000, "\u0663", "\x00", "#"])
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(pieces) - 1))
        until = at + draw(st.integers(0, 3))
        pieces[at:until] = draw(st.lists(strange, max_size=2))
        pieces = pieces or [""]
    return name, "".join(pieces)


def read(name: str, text: str) -> tuple[object, NotationError | None]:
    """The value of a text, or the error; any other exception goes through."""
    parse, _ = READERS[name]
    try:
        return parse(text), None
    except NotationError as error:
        return None, error
