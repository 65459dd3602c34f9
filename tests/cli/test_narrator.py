"""A match told from its events."""

import re
from dataclasses import replace

import pytest

from muggins.i18n import LANGUAGES
from muggins.v1 import events_pb2, views_pb2
from muggins_cli.look import PLAIN, Look
from muggins_cli.narrator import Narrator
from muggins_cli.words import Words
from muggins_rules import PRESETS, Contribution, Count, Placement, RuleSet, Tile, preset
from muggins_rules.events import (
    ClaimWindowClosed,
    Credit,
    EndReason,
    Event,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    PointsClaimed,
    RoundDealt,
    SeatPassed,
    TileDrawn,
    TilePlayed,
)
from muggins_rules.notation import parse_layout
from muggins_rules.ruleset import SpinnerRule
from tests.clients.played import play_match
from tests.clients.wire import wire_event, wire_rule_set

SIX_FOUR = parse_layout("4-6", SpinnerRule.FIRST_DOUBLE).attach_points
COUNT = Count(10, (Contribution(Tile(4, 6), 4), Contribution(Tile(4, 6), 6)), 10)
PLAYED = TilePlayed(0, 1, Placement(Tile(4, 6)), SIX_FOUR, COUNT, (10, 0))


def at_table(rule_set: RuleSet, look: Look = PLAIN, language: str = "en") -> Narrator:
    narrator = Narrator(Words(language), look)
    created = events_pb2.MatchCreated(rule_set=wire_rule_set(rule_set), seats=2)
    narrator.tell(events_pb2.Event(match_created=created))
    return narrator


def told(narrator: Narrator, *facts: Event) -> list[str]:
    lines = []
    for fact in facts:
        lines += narrator.tell(wire_event(fact, {1: 7}, b""))
    return lines


def text_of(lines: list[str]) -> str:
    return "\n".join(lines)


def test_a_placement_is_told_with_its_picture_its_sum_and_its_points() -> None:
    expected = [
        " 1. A plays 4-6",
        "",
        "    (4){4|6}(6)",
        "",
        "    4 + 6 = 10   A +10   [A 10  B 0]",
        "",
    ]
    assert expected == told(at_table(PRESETS["all_fives"]), PLAYED)


def test_tiles_drawn_are_told_with_what_came_of_them() -> None:
    narrator = at_table(PRESETS["all_fives"])
    drawn = [TileDrawn(0, None, left) for left in (8, 7, 6)]
    assert "    A no fit: drew 3, 6 left" == told(narrator, *drawn, PLAYED)[0]
    assert ["    B no fit: drew 1, passed", ""] == told(
        narrator, TileDrawn(1, None, 0), SeatPassed(1)
    )
    assert ["    A no fit: passed", ""] == told(narrator, SeatPassed(0))


def test_every_attempt_of_the_lot_is_told_before_the_round() -> None:
    lots = (
        LotDrawn(0, Tile(3, 3), 1),
        LotDrawn(1, Tile(2, 4), 1),
        LotDrawn(0, Tile(0, 1), 2),
        LotDrawn(1, Tile(0, 6), 2),
    )
    expected = [
        "",
        "Round 3",
        "Lot: A 3-3  B 2-4",
        "Lot: A 0-1  B 0-6",
        "B opens; 7 tiles each, 14 in the boneyard",
        "",
    ]
    dealt = wire_event(RoundDealt(3, 1, (7, 7), 14), {}, b"")
    dealt.round = 3
    narrator = at_table(PRESETS["all_fives"])
    assert expected == told(narrator, *lots) + narrator.tell(dealt)


def test_under_calling_the_sum_is_told_when_the_window_closes() -> None:
    narrator = at_table(preset("all_fives", calling=True))
    hidden = replace(PLAYED, count=None, scores=None)
    closed = ClaimWindowClosed(
        COUNT, (Credit(0, 0, 5, called=False), Credit(1, 1, 5, called=True)), (5, 5)
    )
    said = told(narrator, hidden, PointsClaimed(0, 5), MugginsCalled(1, 1))
    assert [" 1. A plays 4-6", "    A claims 5", "    B calls “Muggins!”"] == said
    assert "    4 + 6 = 10   A +5  B +5   [A 5  B 5]" in told(narrator, closed)


def test_points_that_nobody_took_are_told() -> None:
    narrator = at_table(preset("all_fives", calling=True))
    told(narrator, replace(PLAYED, count=None, scores=None))
    closed = ClaimWindowClosed(COUNT, (), (0, 0))
    assert "    4 + 6 = 10   missed: 10   [A 0  B 0]" in told(narrator, closed)


def test_a_match_that_was_stopped_has_no_winner() -> None:
    lines = told(at_table(PRESETS["muggins"]), MatchEnded(None, EndReason.CANCELLED, (5, 0)))
    expected = ["The host ended the match", "The match has no winner", "Final score: A 5  B 0", ""]
    assert expected == lines


def test_a_stand_in_is_told_when_it_comes_and_goes() -> None:
    narrator = at_table(PRESETS["muggins"])
    comes = events_pb2.TakeoverChanged(seat=1, bot_plays=True, level="greedy")
    goes = events_pb2.TakeoverChanged(seat=1)
    assert ["B: a stand-in bot plays on"] == narrator.tell(events_pb2.Event(takeover_changed=comes))
    assert ["B is back"] == narrator.tell(events_pb2.Event(takeover_changed=goes))


def test_a_hint_is_told_as_taken() -> None:
    shown = events_pb2.HintShown(seat=1, step=events_pb2.HINT_STEP_TILE)
    narrator = at_table(PRESETS["muggins"])
    assert ["    B takes a hint"] == narrator.tell(events_pb2.Event(hint_shown=shown))


def test_an_event_of_a_later_version_is_passed_over() -> None:
    assert [] == at_table(PRESETS["muggins"]).tell(events_pb2.Event(sequence=9))


def test_now_is_the_table_the_round_the_picture_and_the_scores() -> None:
    narrator = at_table(PRESETS["all_fives"])
    told(narrator, PLAYED)
    now = narrator.now()
    assert "All Fives, 2 seats, first to 250" == now[0]
    assert "    (4){4|6}(6)" in now
    assert "    4 + 6 = 10   [A 10  B 0]" in now


def test_a_snapshot_stands_in_for_what_was_missed() -> None:
    table = views_pb2.PublicView(
        rule_set=wire_rule_set(PRESETS["all_fives"]),
        seats=[views_pb2.SeatInfo(seat=seat, name=name) for seat, name in enumerate(("Ana", "Bo"))],
        round=4,
        scores=(35, 20),
        round_events=[wire_event(PLAYED, {}, b"")],
    )
    narrator = Narrator(Words(), PLAIN)
    narrator.restart(table)
    now = narrator.now()
    assert ["  A  Ana", "  B  Bo"] == now[1:3]
    assert "Round 4" in now
    assert "    4 + 6 = 10   [A 35  B 20]" in now


def test_a_snapshot_of_a_match_that_is_over_tells_how_it_ended() -> None:
    table = views_pb2.PublicView(
        rule_set=wire_rule_set(PRESETS["all_fives"]),
        seats=[views_pb2.SeatInfo(seat=seat) for seat in range(2)],
        scores=(250, 20),
        ended=wire_event(MatchEnded(0, EndReason.TARGET_REACHED, (250, 20)), {}, b"").match_ended,
    )
    narrator = Narrator(Words(), PLAIN)
    narrator.restart(table)
    assert "A wins the match" in narrator.now()


def test_colours_set_off_the_newest_tile_and_what_counts() -> None:
    narrator = at_table(PRESETS["all_fives"], Look(coloured=True))
    assert "    \x1b[32m(4)\x1b[0m\x1b[1m{4|6}\x1b[0m\x1b[32m(6)\x1b[0m" in told(narrator, PLAYED)


def test_lines_are_drawn_where_the_terminal_can() -> None:
    narrator = at_table(PRESETS["all_fives"], Look(drawn=True))
    assert "    (4){4│6}(6)" in told(narrator, PLAYED)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("rules", "seats", "calling"),
    [
        ("muggins", 3, False),
        ("all_fives", 4, True),
        ("five_up", 2, False),
        ("five_up_debit", 4, False),
        ("sniff", 3, False),
        ("sniff_us", 2, True),
        ("latin_american", 2, False),
    ],
)
def test_whole_matches_of_every_kind_are_told_in_every_language(
    *, rules: str, seats: int, calling: bool, language: str
) -> None:
    match = play_match(preset(rules, calling=calling), seats, most_rounds=3)
    narrator = Narrator(Words(language), PLAIN)
    lines = [line for event in match.seen_by(None) for line in narrator.tell(event)]
    text = text_of(lines)
    rounds = {event.round for event in match.events if event.round}
    words = Words(language)
    for number in rounds:
        assert words.line("round_begins", round=number) in lines
    placements = [event for event in match.events if event.WhichOneof("fact") == "tile_played"]
    assert len(placements) == len(re.findall(r"(?m)^ ?\d+\. [A-D] ", text))
    assert PLAIN.width >= max(map(len, lines))
