"""Rounds with chance step by step are those of the rules, and know what comes next."""

import pytest

from muggins_ai.environments.chance_round import OPENER, after_action, after_chance, new_round
from muggins_ai.environments.spiel_observer import most_steps
from muggins_ai.environments.tables import Table, table_of
from muggins_rules.events import RoundDealt, TileDrawn
from muggins_rules.replaying import replayed
from muggins_rules.ruleset import OpenerRule
from tests.environments.kit import PRESET_TABLES, TABLES, named, random_plays


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_chance_is_even_over_what_is_left(table: Table) -> None:
    for play in random_plays(table, 1):
        outcomes = play.outcomes()
        if play.state is None and play.to_deal:
            assert set(play.dealt).isdisjoint(outcomes)
        elif play.state is None:
            assert tuple(range(OPENER, OPENER + table.seats)) == outcomes
            assert table.rule_set.turns.first_opener is OpenerRule.LOT
        elif play.drawing:
            assert play.state.table is not None
            assert sorted(play.state.table.boneyard) == list(outcomes)
        else:
            assert () == outcomes


@pytest.mark.parametrize("table", PRESET_TABLES, ids=named)
def test_a_round_follows_from_its_deck_with_the_draws_where_they_came(table: Table) -> None:
    """The facts, with the deck in the order of drawing, are decided again by the rules."""
    *_, last = random_plays(table, 2)
    assert last.state is not None
    facts = list(last.state.events)
    at = next(index for index, fact in enumerate(facts) if isinstance(fact, RoundDealt))
    deal = facts[at]
    assert isinstance(deal, RoundDealt)
    assert deal.deck is not None
    drawn = [fact.tile for fact in facts if isinstance(fact, TileDrawn) and fact.tile]
    front = deal.deck[: sum(deal.hand_sizes)]
    rest = [tile for tile in deal.deck if tile not in front and tile not in drawn]
    deck = (*front, *drawn, *rest)
    facts[at] = RoundDealt(
        deal.round, deal.opener, deal.hand_sizes, deal.boneyard, None, deal.must_lead, deck
    )
    again = replayed(*table, facts)
    assert last.scores == again.scores
    assert last.state.phase == again.phase


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_no_round_takes_more_steps_than_said(table: Table) -> None:
    for seed in range(5):
        *_, last = random_plays(table, seed)
        steps = len(last.history) - len(last.dealt)
        assert steps <= 2 * most_steps(table)
        assert last.is_over
        assert not last.actions()
        assert not last.outcomes()


def test_what_cannot_come_is_refused() -> None:
    play = new_round(table_of("muggins", 2))
    with pytest.raises(ValueError, match="28 is no outcome"):
        after_chance(play, OPENER)
    with pytest.raises(ValueError, match="action 0 is not legal"):
        after_action(play, 0)
