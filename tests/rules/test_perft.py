"""Two generators of moves, written apart, agree move by move and on their counts."""

import argparse
import json
import random
from pathlib import Path
from typing import Any

import pytest

from muggins_cli import perft as command
from muggins_cli.perft import perft_position
from muggins_rules import PRESETS, MatchState, Phase, decide, evolve_all, legal_actions
from muggins_rules.events import RoundDealt, RoundEnded
from muggins_rules.perft import perft
from tests.rules.naive import NaiveRound, naive_perft

FILE = Path(__file__).parents[1] / "vectors" / "perft.json"
COUNTS: list[dict[str, Any]] = json.loads(FILE.read_text())["perft"] if FILE.exists() else []
GAMES = [(game, seats) for game, rules in PRESETS.items() for seats in rules.seat_counts]


def naive_position(state: MatchState) -> NaiveRound:
    """The naive round of a round that was just dealt."""
    dealt = next(event for event in state.events if isinstance(event, RoundDealt))
    assert dealt.deck is not None
    deck = [(tile.low, tile.high) for tile in dealt.deck]
    lead = dealt.must_lead
    must_lead = None if lead is None else (lead.low, lead.high)
    return NaiveRound(state.rule_set.id, state.seats, deck, dealt.opener, must_lead)


def test_every_game_and_number_of_seats_has_counts() -> None:
    assert set(GAMES) == {(line["ruleset"], line["seats"]) for line in COUNTS}


@pytest.mark.parametrize("line", COUNTS, ids=lambda line: f"{line['ruleset']}-{line['seats']}")
def test_both_generators_count_what_is_on_file(line: dict[str, Any]) -> None:
    state = perft_position(line["ruleset"], line["seats"], line["seed"])
    depths = range(len(line["counts"]))
    assert line["counts"] == [perft(state, depth) for depth in depths]
    assert line["counts"] == [naive_perft(naive_position(state), depth) for depth in depths]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_both_play_whole_random_rounds_alike(game: str, seats: int) -> None:
    for number in range(6):
        play_both(perft_position(game, seats, f"round {number}"), random.Random(number))


def play_both(state: MatchState, random_play: random.Random) -> None:
    naive = naive_position(state)
    while state.phase is Phase.PLAYING:
        table = state.table
        assert table is not None
        actions = legal_actions(state)
        assert naive.turn == table.turn
        assert set(naive.actions()) == set(actions)
        assert naive.count() == table.layout.count
        assert set(map(str, naive.places())) == {
            str(((end.tile.low, end.tile.high), port_name(end.port.name)))
            for end, _ in table.layout.attach_points
        }
        action = random_play.choice(actions)
        state = evolve_all(state, decide(state, naive.turn, action))
        naive = naive.play(action)
    assert naive.over
    check_scores(state, naive)


def check_scores(state: MatchState, naive: NaiveRound) -> None:
    ended = state.events[-1]
    assert isinstance(ended, RoundEnded)
    assert naive.went_out == ended.went_out
    changes = naive.settlement()
    assert changes == [line.change for line in ended.settlement]
    earned = [sum(naive.points[seat] for seat in side) for side in naive.sides()]
    assert tuple(map(sum, zip(earned, changes, strict=True))) == state.scores


def port_name(name: str) -> str:
    first, *rest = name.lower().split("_")
    return first + "".join(part.upper() for part in rest)


def test_a_sequence_that_the_rounds_end_cuts_short_does_not_count() -> None:
    state = perft_position("five_up", 2, "round over")
    while state.phase is Phase.PLAYING:
        assert state.table is not None
        assert state.table.turn is not None
        state = evolve_all(state, decide(state, state.table.turn, legal_actions(state)[0]))
    assert 1 == perft(state, 0)
    assert 0 == perft(state, 1)


def test_the_command_prints_the_count_of_each_depth(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    line = COUNTS[0]
    arguments = [line["ruleset"], "--seats", str(line["seats"])]
    status = command.run(parser.parse_args([*arguments, "--depth", "3", "--seed", line["seed"]]))
    assert 0 == status
    printed = [text.split() for text in capsys.readouterr().out.splitlines()]
    assert [[str(n), str(count)] for n, count in enumerate(line["counts"][:4])] == printed


def test_the_command_refuses_a_number_of_seats_that_is_not_offered(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert 2 == command.run(parser.parse_args(["all_fives", "--seats", "3"]))
    assert "played with 2, 4 seats, not 3" in capsys.readouterr().out
