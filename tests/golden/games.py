"""The golden games: which there are, and the text of each as the rules play it now."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from muggins_rules import PRESETS, RoundChance, RuleSet, deal_round, preset, project
from muggins_rules.ending import end_match
from muggins_rules.events import EndReason
from muggins_rules.notation import MatchRecord, format_match, parse_action, parse_tile
from muggins_rules.ruleset import Deal, HouseRules, Layout, Scoring, SettlementRule, SpinnerRule
from muggins_rules.tiles import SET_CODES
from tests.golden.players import Game, endwise_first, fair_chance, greedy, heaviest, play

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FOLDER", "SEEN", "golden_games", "golden_texts", "seen_by"]

FOLDER = Path(__file__).parent

SEEN = "all_fives-2-calling"
"""The game of which the folder also holds what each viewer saw."""

_NINE_MOVES = """
    A 1-4
    B 1-1@1-4.low
    A 4-4@1-4.high
    B 3-4@4-4.lineB
    A 1-2@1-1.lineB
    B 1-5@1-1.branchA
    A 5-5@1-5.high
    B 0-5@5-5.lineB
    A 1-3@1-1.branchB
"""
"""An example of All Fives that is published with the count after each move."""

_CLUB = RuleSet(
    "club_small_set",
    deal=Deal(highest_pip=4, hand_size_by_seats=(4, 3, 3), boneyard_reserve=2),
    layout=Layout(SpinnerRule.EVERY_DOUBLE),
    scoring=Scoring(
        going_out=SettlementRule.GAIN,
        blocked=SettlementRule.DEBIT,
        pairs=True,
        target_by_seats=(100, 100, 100),
    ),
    house_rules=HouseRules(exact_target=True, first_score_minimum=10, round_limit=4),
)
_SHORT = RuleSet(
    "short_match",
    layout=Layout(SpinnerRule.FIRST_DOUBLE),
    scoring=Scoring(target_by_seats=(60, 60, 60)),
    house_rules=HouseRules(blocked_tie_shares=True),
)


def golden_games() -> dict[str, MatchRecord]:
    """Every golden game by the name of its file, played anew."""
    return dict(_games())


def golden_texts() -> dict[str, str]:
    """The text of every golden file by its name."""
    games = golden_games()
    texts = {name: format_match(record) for name, record in games.items()}
    for viewer, label in ((0, "A"), (1, "B"), (None, "public")):
        texts[f"{SEEN}-seen-by-{label}"] = format_match(seen_by(games[SEEN], viewer))
    return texts


def seen_by(record: MatchRecord, viewer: int | None) -> MatchRecord:
    """A match as a viewer saw it."""
    calling = record.rule_set.calling
    seen = tuple(project(event, viewer, calling=calling) for event in record.events)
    return replace(record, events=seen)


def _games() -> Iterator[tuple[str, MatchRecord]]:
    for rule_set in PRESETS.values():
        for seats in rule_set.seat_counts:
            name = f"{rule_set.id}-{seats}"
            yield name, play(rule_set, seats, greedy, partial(fair_chance, name), rounds=2)
    for rule_set_id, seats in (("all_fives", 2), ("muggins", 3), ("five_up", 4)):
        name = f"{rule_set_id}-{seats}-calling"
        rule_set = preset(rule_set_id, calling=True)
        yield name, play(rule_set, seats, greedy, partial(fair_chance, name), rounds=3)
    for seats in PRESETS["sniff"].seat_counts:
        name = f"sniff-{seats}-endwise"
        chance = partial(fair_chance, name)
        yield name, play(PRESETS["sniff"], seats, endwise_first, chance, rounds=2)
    for rule_set in (PRESETS["five_up"], PRESETS["latin_american"], _CLUB, _SHORT):
        for seats in rule_set.seat_counts:
            name = f"{rule_set.id}-{seats}-whole-match"
            yield name, play(rule_set, seats, heaviest, partial(fair_chance, name))
    name = "short_match-3-calling-whole-match"
    chance = partial(fair_chance, name)
    yield name, play(replace(_SHORT, calling=True), 3, greedy, chance)
    yield "published-nine-moves", _nine_moves()
    yield "cancelled", _cancelled()


def _nine_moves() -> MatchRecord:
    moves = [line.split() for line in _NINE_MOVES.split("\n") if line.strip()]
    hands = [
        [parse_tile(text[:3]).code for seat, text in moves if seat == letter] for letter in "AB"
    ]
    rest = [code for code in SET_CODES[6] if code not in {*hands[0], *hands[1]}]
    for hand in hands:
        while len(hand) < PRESETS["all_fives"].hand_size(2):
            hand.append(rest.pop())
    lot = tuple(reversed(SET_CODES[6]))
    game = Game(PRESETS["all_fives"], 2)
    game.tell(deal_round(game.state, RoundChance((*hands[0], *hands[1], *rest), lot)))
    for seat, text in moves:
        game.act("AB".index(seat), parse_action(f"play {text}"))
    return game.record


def _cancelled() -> MatchRecord:
    name = "cancelled"
    game = Game(PRESETS["muggins"], 2)
    game.tell(deal_round(game.state, fair_chance(name, game.state)))
    for _ in range(4):
        assert game.turn is not None, "the round goes on"
        game.act(game.turn, greedy(game.state))
    game.tell((end_match(game.state, EndReason.CANCELLED),))
    return game.record
