"""Edge cases of the rules that the worked cases do not cover, one by one."""

import copy
from dataclasses import replace

import pytest

from muggins_rules import (
    PRESETS,
    Contribution,
    Draw,
    MatchState,
    Pass,
    Phase,
    Place,
    Port,
    RoundChance,
    Tile,
    deal_round,
    decide,
    evolve_all,
    legal_actions,
    legal_outcomes,
    new_match,
)
from muggins_rules.ending import round_end
from muggins_rules.events import (
    EndReason,
    LotDrawn,
    MatchEnded,
    RoundDealt,
    RoundEnded,
    SeatPassed,
    Settlement,
    ShownHand,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.layout import EMPTY_LAYOUT, lay_tile
from muggins_rules.lot import LotDraw, lot_draws
from muggins_rules.ruleset import Deal, OpenerRule, Turns
from muggins_rules.tiles import SET_CODES, TILES
from tests.rules.table import at, place, played, refusal, table, tile, tiles

DECK = SET_CODES[6]
SPINNING = sorted(name for name, rules in PRESETS.items() if rules.layout.spinner.branches)


def codes(text: str) -> tuple[int, ...]:
    return tuple(one.code for one in tiles(text))


def shuffled(front: str) -> tuple[int, ...]:
    """The whole set with those tiles in front."""
    first = codes(front)
    return (*first, *(code for code in DECK if code not in first))


def moves(state: MatchState) -> list[Place]:
    return [action for action in legal_actions(state) if isinstance(action, Place)]


def settled(game: str, *hands: str, went_out: int | None) -> RoundEnded:
    ended = round_end(table(game, *hands), went_out)[0]
    assert isinstance(ended, RoundEnded)
    return ended


class TestCounting:
    @pytest.mark.parametrize("game", SPINNING)
    def test_double_blank_alone_counts_nothing_and_scores_nothing(self, game: str) -> None:
        laid = "00+crosswise" if game == "sniff" else "00"
        state = table(game, "01 02", "11", laid=laid)
        assert state.table is not None
        assert 0 == state.table.layout.count
        assert [0, 0] == [point.value for point in state.table.layout.attach_points]

    def test_a_count_of_nothing_scores_nothing_whatever_the_number_of_ends(self) -> None:
        state = table("muggins", "00 11", "22", laid="06 66@06:high", boneyard="33")
        _, state = played(state, 0, place("00@06:low"))
        assert (0, 0) == state.scores

    def test_double_blank_as_the_spinner_grows_branches_and_takes_the_spinners_place(self) -> None:
        laid = "00 05@00:lineA 55@05:high 06@00:lineB"
        state = table("all_fives", "04 45", "11", laid=laid, boneyard="22")
        ends = {str(action.placement.at and action.placement.at.tile) for action in moves(state)}
        assert ends == {str(Tile(0, 0)), str(Tile(5, 5))}
        assert "branch_closed" != refusal(state, 0, place("04@00:branchA"))
        assert "not_a_spinner" == refusal(state, 0, place("45@55:branchA"))

    def test_an_ordinary_double_in_a_branch_counts_twice_and_covered_nothing(self) -> None:
        laid = "55 05@55:lineA 35@55:lineB 25@55:branchA"
        state = table("all_fives", "22 24 11", "66", laid=laid, boneyard="44")
        _, after = played(state, 0, place("22@25:low"))
        assert after.table is not None
        assert 0 + 3 + 4 == after.table.layout.count
        covered = table("all_fives", "11", "66", laid=f"{laid} 22@25:low 24@22:lineB")
        assert covered.table is not None
        assert 0 + 3 + 4 == covered.table.layout.count
        assert Contribution(tile("24"), 4) in covered.table.layout.contributions

    def test_covering_a_side_of_a_sole_spinner_only_adds_the_new_half(self) -> None:
        state = table("five_up", "05 35", "66", laid="55", boneyard="44")
        outcomes = [legal.outcome.sum for legal in legal_outcomes(state) if legal.outcome]
        assert [10 + 0, 10 + 0, 10 + 3, 10 + 3] == outcomes

    def test_in_five_up_each_double_has_its_own_gate(self) -> None:
        laid = "55 05@55:lineA 00@05:low 15@55:lineB 04@00:lineB"
        state = table("five_up", "03 35", "66", laid=laid, boneyard="44")
        ends = [action.placement.at for action in moves(state)]
        named = [(str(end.tile.low), end.port) for end in ends if end is not None]
        branches = [Port.BRANCH_A, Port.BRANCH_B]
        assert [*(("0", p) for p in branches), *(("5", p) for p in branches)] == named

    def test_a_free_side_adds_nothing_in_all_fives_and_something_in_sniff_us(self) -> None:
        laid = "44 46@44:lineA 14@44:lineB"
        counts = {}
        for game in ("all_fives", "sniff_us"):
            state = table(game, "11", "66", laid=laid)
            assert state.table is not None
            counts[game] = state.table.layout.count
        assert {"all_fives": 7, "sniff_us": 15} == counts

    def test_a_layout_read_back_from_a_copy_counts_a_double_once(self) -> None:
        rule = PRESETS["sniff_us"].layout.spinner
        layout = EMPTY_LAYOUT
        for text in ("44", "46@44:lineA", "14@44:lineB"):
            layout = lay_tile(layout, at(text), rule)
        points = tuple(
            point._replace(end=point.end._replace(tile=Tile(*point.end.tile)))
            for point in layout.attach_points
        )
        after = lay_tile(layout._replace(attach_points=points), at("56@46:high"), rule)
        assert (Contribution(tile("44"), 8), Contribution(tile("14"), 1)) == after.contributions[:2]

    @pytest.mark.parametrize(
        ("laid", "way_count"), [("", 2), ("04", 2), ("04 44@04:high+endwise", 1)]
    )
    def test_only_the_first_double_of_sniff_has_two_moves_per_place(
        self, laid: str, way_count: int
    ) -> None:
        state = table("sniff", "00", "11", laid=laid)
        assert way_count == len(moves(state))

    def test_a_tile_that_fits_two_ends_of_one_number_has_two_moves(self) -> None:
        state = table("muggins", "56", "11", laid="36 23@36:low 26@23:low")
        assert 2 == len(moves(state))

    def test_both_sides_of_an_opening_double_are_named(self) -> None:
        state = table("muggins", "56", "11", laid="66")
        ends = [action.placement.at for action in moves(state)]
        assert [Port.LINE_A, Port.LINE_B] == [end.port for end in ends if end is not None]


class TestTurn:
    def test_draws_until_a_tile_fits_are_one_fact_each(self) -> None:
        state = table("muggins", "11", "22", laid="36", boneyard="24 55 46 00")
        facts, after = played(state, 0, Draw(until_playable=True))
        expected = (
            TileDrawn(0, tile("24"), 3),
            TileDrawn(0, tile("55"), 2),
            TileDrawn(0, tile("46"), 1),
        )
        assert expected == facts
        assert (place("46@36:high"),) == legal_actions(after)

    def test_a_drawing_run_without_a_fit_is_followed_by_a_pass(self) -> None:
        state = table("muggins", "11", "23", laid="36", boneyard="24 55")
        facts, _ = played(state, 0, Draw(until_playable=True))
        assert [1, 0] == [fact.boneyard for fact in facts if isinstance(fact, TileDrawn)]
        assert (SeatPassed(0), TurnStarted(1)) == facts[2:]

    def test_after_single_draws_without_a_fit_the_pass_is_an_action(self) -> None:
        state = table("muggins", "11", "23", laid="36", boneyard="24 55")
        _, after = played(state, 0, Draw())
        _, after = played(after, 0, Draw())
        assert (Pass(),) == legal_actions(after)
        assert (SeatPassed(0), TurnStarted(1)) == decide(after, 0, Pass())

    def test_a_drawn_double_may_be_laid_either_way_in_sniff(self) -> None:
        state = table("sniff", "11", "22", laid="36", boneyard="66")
        _, after = played(state, 0, Draw())
        assert [place("66@36:high+crosswise"), place("66@36:high+endwise")] == moves(after)

    def test_a_drawn_tile_that_fits_two_ends_may_go_to_either(self) -> None:
        state = table("muggins", "11", "22", laid="34 46@34:high", boneyard="36")
        _, after = played(state, 0, Draw())
        assert [place("36@34:low"), place("36@46:high")] == moves(after)

    def test_a_dead_layout_is_not_blocked_while_tiles_can_be_drawn(self) -> None:
        state = table("muggins", "13 45", "12", laid="66", boneyard="01 55")
        _, after = played(state, 0, Draw())
        assert Phase.PLAYING is after.phase
        facts, _ = played(state, 0, Draw(until_playable=True))
        assert isinstance(facts[2], SeatPassed)
        ended = facts[3]
        assert isinstance(ended, RoundEnded)
        assert ended.blocked
        assert 4 + 9 + 1 + 10 == ended.hands[0].pips

    def test_a_placement_that_blocks_ends_the_round_without_a_pass(self) -> None:
        state = table("all_fives", "66 12", "13", laid="36 33@36:low")
        facts, _ = played(state, 0, place("66@36:high"))
        assert [TilePlayed, TurnStarted] == [type(fact) for fact in facts]
        state = table("all_fives", "66 12", "14", laid="36 33@36:low")
        facts, _ = played(state, 0, place("66@36:high"))
        assert [TilePlayed, RoundEnded] == [type(fact) for fact in facts]

    def test_going_out_comes_before_the_block_that_it_makes(self) -> None:
        state = table("all_fives", "66", "14", laid="36 33@36:low")
        facts, _ = played(state, 0, place("66@36:high"))
        ended = facts[-1]
        assert isinstance(ended, RoundEnded)
        assert (False, 0) == (ended.blocked, ended.went_out)

    def test_with_a_reserve_the_round_is_blocked_at_the_reserve(self) -> None:
        rules = PRESETS["all_fives"]
        rules = replace(rules, id="reserve", deal=replace(rules.deal, boneyard_reserve=2))
        state = table(rules, "12", "14", laid="66", boneyard="55 33 44")
        _, state = played(state, 0, Draw())
        facts, _ = played(state, 0, Pass())
        ended = facts[-1]
        assert isinstance(ended, RoundEnded)
        assert (ShownHand(0, tiles("12 55"), 13), ShownHand(1, tiles("14"), 5)) == ended.hands

    def test_anticlockwise_play_goes_to_the_right(self) -> None:
        state = table("latin_american", "12 66", "14", "16", "23", turn=1)
        facts, _ = played(state, 1, place("14"))
        assert isinstance(facts[-1], RoundEnded)
        state = table("latin_american", "12 66", "14 55", "16", "23", turn=1)
        facts, _ = played(state, 1, place("14"))
        assert TurnStarted(0) == facts[-1]


class TestSettlement:
    def test_a_gain_shows_its_working(self) -> None:
        ended = settled("all_fives", "", "24", "36", "55 01", went_out=0)
        assert (Settlement(0, 17, 15, 15, 15), Settlement(1, 0, 0, 0, 0)) == ended.settlement
        assert [0, 6, 9, 11] == [hand.pips for hand in ended.hands]
        assert 0 == ended.winning_side

    def test_a_debit_shows_its_working(self) -> None:
        ended = settled("muggins", "16", "", "36 12", went_out=1)
        expected = (
            Settlement(0, 7, 5, -5, -5),
            Settlement(1, 0, 0, 0, 0),
            Settlement(2, 12, 10, -10, -10),
        )
        assert expected == ended.settlement
        assert ended.winning_side is None

    def test_five_up_rounds_pips_and_then_divides(self) -> None:
        ended = settled("five_up", "", "24", "55 01", went_out=0)
        assert Settlement(0, 17, 15, 3, 3) == ended.settlement[0]

    def test_a_debit_of_a_pair_is_rounded_once_and_hits_the_finishers_pair(self) -> None:
        ended = settled("five_up_debit", "", "12", "03", "01", went_out=0)
        assert Settlement(0, 3, 5, -1, -1) == ended.settlement[0]
        assert Settlement(1, 4, 5, -1, -1) == ended.settlement[1]

    def test_debits_may_leave_a_score_below_zero_and_play_goes_on_from_there(self) -> None:
        state = table("muggins", "55 01", "12", boneyard="00", scores=(-5, 0))
        _, state = played(state, 0, place("55"))
        assert (5, 0) == state.scores

    def test_in_a_blocked_debit_everybody_pays(self) -> None:
        ended = settled("muggins", "01", "12", "66", went_out=None)
        assert [0, -5, -10] == [line.change for line in ended.settlement]
        assert ended.winning_side is None

    def test_a_blocked_hand_of_double_blank_wins(self) -> None:
        ended = settled("all_fives", "00", "12", went_out=None)
        assert 0 == ended.winning_side
        assert [5, 0] == [line.change for line in ended.settlement]

    def test_a_blocked_winner_may_gain_nothing(self) -> None:
        ended = settled("all_fives", "00", "01", went_out=None)
        assert 0 == ended.winning_side
        assert [0, 0] == [line.change for line in ended.settlement]

    def test_three_seats_two_lowest_tied_nobody_scores(self) -> None:
        ended = settled("all_fives_us", "12", "66", "03", went_out=None)
        assert ended.winning_side is None
        assert [0, 0, 0] == [line.change for line in ended.settlement]

    def test_a_last_tile_scores_before_the_settlement(self) -> None:
        state = table("all_fives", "55", "12", boneyard="00")
        _, state = played(state, 0, place("55"))
        assert (15, 0) == state.scores

    def test_a_last_tile_that_reaches_the_target_skips_the_settlement(self) -> None:
        state = table("muggins", "55", "12", boneyard="00", scores=(240, 3))
        facts, state = played(state, 0, place("55"))
        ended = facts[-1]
        assert isinstance(ended, MatchEnded)
        assert [TilePlayed, MatchEnded] == [type(fact) for fact in facts]
        assert (250, 3) == ended.scores
        assert (ShownHand(0, (), 0), ShownHand(1, tiles("12"), 3)) == ended.hands
        assert EndReason.TARGET_REACHED is ended.reason

    def test_a_settlement_may_end_the_match(self) -> None:
        state = table("all_fives", "12", "66", boneyard="00", scores=(240, 3))
        facts, _ = played(state, 0, place("12"))
        assert [TilePlayed, RoundEnded, MatchEnded] == [type(fact) for fact in facts]
        assert MatchEnded(0, EndReason.TARGET_REACHED, (250, 3)) == facts[-1]


class TestOpening:
    def next_round(self, state: MatchState, front: str = "") -> tuple[object, ...]:
        return deal_round(state, RoundChance(shuffled(front), shuffled("66 00 11 22")))

    def test_the_lot_is_seen_and_its_highest_tile_opens(self) -> None:
        facts = self.next_round(new_match(PRESETS["muggins"], 3))
        draws = [LotDrawn(0, tile("66"), 1), LotDrawn(1, tile("00"), 1), LotDrawn(2, tile("11"), 1)]
        assert draws == list(facts[:3])
        assert TurnStarted(0) == facts[-1]

    def test_seats_that_tie_draw_again_from_the_tiles_left(self) -> None:
        lot = lot_draws(codes("36 00 45 12 06"), 3)
        expected = (
            LotDraw(1, 0, tile("36").code),
            LotDraw(1, 1, tile("00").code),
            LotDraw(1, 2, tile("45").code),
            LotDraw(2, 0, tile("12").code),
            LotDraw(2, 2, tile("06").code),
        )
        assert expected == lot.draws
        assert 2 == lot.winner

    def test_who_went_out_opens_with_any_tile(self) -> None:
        for game in ("all_fives", "latin_american"):
            state = table(game, "12", "66", boneyard="00")
            _, state = played(state, 0, place("12"))
            facts = self.next_round(state)
            dealt = facts[0]
            assert isinstance(dealt, RoundDealt)
            assert (0, None) == (dealt.opener, dealt.must_lead)
            assert 2 == dealt.round

    def test_who_went_out_opens_and_not_the_partner(self) -> None:
        state = table("all_fives", "34", "66", "12", "45", boneyard="00", turn=2)
        _, state = played(state, 2, place("12"))
        assert TurnStarted(2) == self.next_round(state)[-1]

    def test_a_block_is_followed_by_a_lot(self) -> None:
        state = table("all_fives", "12", "14", laid="66")
        _, state = played(state, 0, Pass())
        assert isinstance(self.next_round(state)[0], LotDrawn)

    def test_in_latin_american_a_block_is_followed_by_the_highest_double(self) -> None:
        state = table("latin_american", "12", "14", laid="66")
        _, state = played(state, 0, Pass())
        dealt = self.next_round(state, "01 02 03 04 05 06 12 13 14 55 15")[0]
        assert isinstance(dealt, RoundDealt)
        assert (1, tile("55")) == (dealt.opener, dealt.must_lead)

    def test_the_highest_double_of_four_is_double_six(self) -> None:
        state = new_match(PRESETS["latin_american"], 4)
        dealt, turn = deal_round(state, RoundChance(DECK, DECK))
        assert isinstance(dealt, RoundDealt)
        assert (3, tile("66")) == (dealt.opener, dealt.must_lead)
        state = evolve_all(state, (dealt, turn))
        assert (place("66"),) == legal_actions(state)

    def test_without_a_double_the_heaviest_tile_opens_and_then_the_higher_half(self) -> None:
        front = "45 01 02 03 04 05 12 36 13 14 15 23 24 25"
        facts = self.next_round(new_match(PRESETS["latin_american"], 2), front)
        dealt = facts[0]
        assert isinstance(dealt, RoundDealt)
        assert (1, tile("36")) == (dealt.opener, dealt.must_lead)

    def test_the_highest_double_may_open_without_having_to_be_led(self) -> None:
        turns = Turns(first_opener=OpenerRule.HIGHEST_DOUBLE)
        rules = replace(PRESETS["muggins"], id="custom", turns=turns)
        dealt = deal_round(new_match(rules, 2), RoundChance(shuffled("66"), DECK))[0]
        assert isinstance(dealt, RoundDealt)
        assert (0, None) == (dealt.opener, dealt.must_lead)

    def test_hands_are_cut_from_the_deck_in_order_and_the_rest_is_drawn_from_its_front(
        self,
    ) -> None:
        state = new_match(PRESETS["muggins"], 3)
        state = evolve_all(state, deal_round(state, RoundChance(DECK, DECK)))
        assert state.table is not None
        hands = [0b11111 << 5 * seat for seat in range(3)]
        assert tuple(hands) == state.table.hands
        assert DECK[15:] == state.table.boneyard

    @pytest.mark.parametrize("seats", [2, 3])
    def test_the_smallest_set_can_be_dealt_and_its_lot_drawn(self, seats: int) -> None:
        rules = replace(PRESETS["muggins"], id="small", deal=Deal(1, (1, 1, 0)))
        rules = replace(rules, scoring=replace(rules.scoring, target_by_seats=(5, 5, 0)))
        state = new_match(rules, seats)
        facts = deal_round(state, RoundChance(SET_CODES[1], SET_CODES[1]))
        assert TurnStarted(seats - 1) == facts[-1]


def test_decide_changes_nothing() -> None:
    state = table("all_fives", "55 01", "25 03", boneyard="00 11")
    before = copy.deepcopy(state)
    decide(state, 0, place("55"))
    assert before == state


def test_a_hand_of_five_up_may_grow_to_twenty_two_tiles() -> None:
    laid = "66"
    held = "01 02 03 04"
    others = "16 26 36 46 56"
    rest = [one for one in TILES if 6 not in one and one not in tiles(held)]
    boneyard = " ".join(f"{low}{high}" for low, high in rest)
    state = table("five_up", held, others, laid=laid, boneyard=boneyard)
    facts, state = played(state, 0, Draw(until_playable=True))
    assert state.table is not None
    assert 4 + len(rest) == state.table.hands[0].bit_count()
    assert (SeatPassed(0), TurnStarted(1)) == facts[-2:]
