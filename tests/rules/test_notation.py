"""Every value of the rules has one text, which reads back as the same value."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muggins_rules import (
    PRESETS,
    End,
    Placement,
    Port,
    RuleSet,
    evolve_all,
    new_match,
)
from muggins_rules.events import TilePlayed
from muggins_rules.layout import EMPTY_LAYOUT, lay_tile
from muggins_rules.notation import (
    MatchRecord,
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
from muggins_rules.replaying import replayed
from muggins_rules.ruleset import (
    SpinnerRule,
)
from muggins_rules.tiles import TILES
from tests.golden.games import seen_by
from tests.rules.notation_kit import (
    TABLES,
    actions,
    custom_rule_sets,
    few,
    placements,
    random_match,
    records,
    tiles,
)

if TYPE_CHECKING:
    from muggins_rules import Action


@pytest.mark.parametrize("tile", TILES)
def test_a_tile_reads_back_with_its_halves_in_either_order(tile: tuple[int, int]) -> None:
    low, high = tile
    assert tile == parse_tile(f"{low}-{high}") == parse_tile(f"{high}-{low}")


@pytest.mark.parametrize("tile", TILES)
def test_a_tile_is_written_lower_half_first(tile: tuple[int, int]) -> None:
    low, high = tile
    assert f"{low}-{high}" == format_tile(parse_tile(f"{high}-{low}"))


@given(st.builds(End, tiles, st.sampled_from(Port)))
def test_an_end_reads_back(end: End) -> None:
    assert end == parse_end(format_end(end))


@given(placements)
def test_a_placement_reads_back(placement: Placement) -> None:
    assert placement == parse_placement(format_placement(placement))


@given(actions)
def test_an_action_reads_back(action: Action) -> None:
    assert action == parse_action(format_action(action))


@pytest.mark.parametrize(("rule_set", "seats"), TABLES)
def test_a_preset_is_its_name_and_the_calling_switch(rule_set: RuleSet, seats: int) -> None:
    text = format_rule_set(rule_set)
    assert (rule_set.id + " calling" * rule_set.calling) == text
    assert rule_set == parse_rule_set(text)
    assert seats in parse_rule_set(text).seat_counts


@few
@given(custom_rule_sets())
def test_a_custom_rule_set_reads_back(rule_set: RuleSet) -> None:
    assert rule_set == parse_rule_set(format_rule_set(rule_set))


def test_a_custom_rule_set_names_every_field() -> None:
    rule_set = replace(PRESETS["muggins"], id="club")
    names = ["calling", "rules_version"]
    for part in fields(rule_set):
        value = getattr(rule_set, part.name)
        if is_dataclass(value):
            names += [f"{part.name}.{field.name}" for field in fields(value)]
    text = format_rule_set(rule_set)
    assert sorted(names) == sorted(re.findall(r"\n  (\S+) = ", text))


def test_parameters_may_come_in_any_order() -> None:
    rule_set = replace(PRESETS["sniff"], id="club", calling=True)
    head, *lines = format_rule_set(rule_set).split("\n")
    assert rule_set == parse_rule_set("\n".join([head, *reversed(lines)]))


@few
@given(records)
def test_a_match_reads_back_and_replays_to_the_same_state(record: MatchRecord) -> None:
    read = parse_match(format_match(record))
    assert record == read
    state = replayed(record.rule_set, record.seats, record.events)
    assert state == evolve_all(new_match(read.rule_set, read.seats), read.events)


@few
@given(custom_rule_sets(), st.integers(0, 2**32), st.data())
def test_a_match_of_a_custom_rule_set_reads_back(
    rule_set: RuleSet, seed: int, data: st.DataObject
) -> None:
    seats = data.draw(st.sampled_from(rule_set.seat_counts))
    record = random_match(rule_set, seats, seed)
    assert record == parse_match(format_match(record))


@few
@given(records)
def test_what_a_viewer_saw_reads_back_hidden_fields_included(record: MatchRecord) -> None:
    for viewer in (None, *range(record.seats)):
        seen = seen_by(record, viewer)
        assert seen == parse_match(format_match(seen))
        assert seen.events == parse_round(format_round(seen.events))


@few
@given(records)
def test_an_event_reads_back_by_itself(record: MatchRecord) -> None:
    for event in record.events:
        assert event == parse_event(format_event(event))


@few
@given(records)
def test_every_layout_of_a_round_reads_back(record: MatchRecord) -> None:
    rule = record.rule_set.layout.spinner
    layout = EMPTY_LAYOUT
    for event in record.events:
        if isinstance(event, TilePlayed):
            before = EMPTY_LAYOUT if event.number == 1 else layout
            layout = lay_tile(before, event.placement, rule)
            assert layout == parse_layout(format_layout(layout), rule)


def test_the_empty_layout_reads_back() -> None:
    assert EMPTY_LAYOUT == parse_layout(format_layout(EMPTY_LAYOUT), SpinnerRule.NONE)


@few
@given(records)
def test_tile_halves_may_be_swapped_anywhere(record: MatchRecord) -> None:
    text = format_match(record)
    assert record == parse_match(re.sub(r"\b([0-6])-([0-6])\b", r"\2-\1", text))


@few
@given(records)
def test_comments_and_spacing_make_no_difference(record: MatchRecord) -> None:
    text = format_match(record)
    loose = re.sub(r"([@.:,/])", r" \1\t ", text).replace("\n", "  # noted\r\n\n# noted\n")
    assert record == parse_match(loose)


def test_a_round_that_is_not_over_reads_back() -> None:
    record = random_match(PRESETS["sniff"], 3, seed=5)
    for length in range(len(record.events)):
        part = replace(record, events=record.events[:length])
        assert part == parse_match(format_match(part))
