"""The golden games are what the rules play now, word for word, and every line of them is legal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from muggins_rules import Orientation, Phase, evolve_all, new_match
from muggins_rules.events import (
    ClaimWindowClosed,
    LotDrawn,
    MatchEnded,
    PointsClaimed,
    RoundDealt,
    RoundEnded,
    TilePlayed,
)
from muggins_rules.notation import MatchRecord, format_match, parse_match
from muggins_rules.replaying import InconsistentEvents, replayed
from tests.golden.games import FOLDER, SEEN, golden_texts, seen_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from muggins_rules import MatchState
    from muggins_rules.events import Event

TEXTS = golden_texts()
FILES = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
VIEWERS = {f"{SEEN}-seen-by-A": 0, f"{SEEN}-seen-by-B": 1, f"{SEEN}-seen-by-public": None}
PLAYED = sorted(set(FILES) - set(VIEWERS))


def _replayed(record: MatchRecord) -> MatchState:
    return replayed(record.rule_set, record.seats, record.events)


def test_there_is_a_file_for_each_golden_game_and_no_other() -> None:
    assert sorted(TEXTS) == sorted(FILES)


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_game_is_played_word_for_word_as_in_its_file(name: str) -> None:
    assert FILES[name] == TEXTS[name]


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_text_is_written_again_as_it_was_read(name: str) -> None:
    assert FILES[name] == format_match(parse_match(FILES[name]))


@pytest.mark.parametrize("name", PLAYED)
def test_every_line_is_decided_again_from_its_actions(name: str) -> None:
    record = parse_match(FILES[name])
    state = _replayed(record)
    assert evolve_all(new_match(record.rule_set, record.seats), record.events) == state


@pytest.mark.parametrize("name", sorted(VIEWERS))
def test_a_viewer_is_shown_the_record_without_what_is_hidden(name: str) -> None:
    record = parse_match(FILES[SEEN])
    assert parse_match(FILES[name]) == seen_by(record, VIEWERS[name])


def test_the_published_game_counts_what_was_published() -> None:
    counts = [
        (event.count.sum, event.count.points)
        for event in parse_match(FILES["published-nine-moves"]).events
        if isinstance(event, TilePlayed) and event.count is not None
    ]
    published = [(5, 5), (6, 0), (10, 10), (5, 5), (5, 5), (10, 10), (15, 15), (5, 5), (8, 0)]
    assert published == counts


def test_a_replay_notices_a_line_that_does_not_follow() -> None:
    text = FILES["published-nine-moves"].replace("score 35:20", "score 35:25")
    with pytest.raises(InconsistentEvents):
        _replayed(parse_match(text))


SITUATIONS: dict[str, Callable[[Event], object]] = {
    "a double lies endwise": lambda e: (
        isinstance(e, TilePlayed) and e.placement.orientation is Orientation.ENDWISE
    ),
    "a score is negative": lambda e: isinstance(e, TilePlayed) and min(e.scores or (0,)) < 0,
    "a round is blocked": lambda e: isinstance(e, RoundEnded) and e.blocked,
    "a blocked round has a winner": lambda e: (
        isinstance(e, RoundEnded) and e.blocked and e.winning_side is not None
    ),
    "a lot is tied and drawn again": lambda e: isinstance(e, LotDrawn) and e.attempt > 1,
    "the opener has to lead a tile": lambda e: isinstance(e, RoundDealt) and e.must_lead,
    "a match ends in mid-round": lambda e: isinstance(e, MatchEnded) and e.hands,
    "a match ends by settlement": lambda e: isinstance(e, MatchEnded) and not e.hands,
    "a placement is claimed": lambda e: (
        isinstance(e, ClaimWindowClosed) and any(not c.called for c in e.credits)
    ),
    "a placement is called": lambda e: (
        isinstance(e, ClaimWindowClosed) and any(c.called for c in e.credits)
    ),
    "a claim and a call share a placement": lambda e: (
        isinstance(e, ClaimWindowClosed) and len(e.credits) > 1
    ),
    "points are missed by all": lambda e: (
        isinstance(e, ClaimWindowClosed) and e.count.points and not e.credits
    ),
    "nothing is claimed": lambda e: isinstance(e, PointsClaimed) and not e.points,
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_golden_games_show(situation: str) -> None:
    shown = SITUATIONS[situation]
    assert any(shown(event) for name in PLAYED for event in parse_match(FILES[name]).events)


def test_whole_matches_are_over() -> None:
    for name in PLAYED:
        if name.endswith("-whole-match"):
            assert _replayed(parse_match(FILES[name])).phase is Phase.OVER
