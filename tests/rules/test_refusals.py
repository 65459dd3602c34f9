"""Each reason for refusing an action, and which is given where two apply."""

import dataclasses

import pytest

from muggins_rules import (
    PRESETS,
    Call,
    Claim,
    Draw,
    End,
    MatchState,
    Pass,
    Place,
    Placement,
    Port,
    Refusal,
    RoundChance,
    Tile,
    deal_round,
    evolve_all,
    new_match,
)
from muggins_rules.ending import end_match
from muggins_rules.events import EndReason
from muggins_rules.tiles import SET_CODES
from tests.rules.table import leading, place, played, refusal, table

DECK = SET_CODES[6]

# A line 6-4, 4-2: the open numbers are 6 and 2.
LINE = "46 24@46:low"
# 5-5 is covered on one long side; the open numbers are 5 and 0.
SPINNER = "55 05@55:lineA"


def called_table(*hands: str, laid: str = "") -> MatchState:
    """A round under calling in which seat 0 has just laid 5-5, worth 10, in silence."""
    state = table("muggins", *hands, laid=laid, boneyard="00 11", calling=True)
    return played(state, 0, place("55"))[1]


def window() -> MatchState:
    return called_table("55 01", "25 03")


def dealt() -> MatchState:
    state = new_match(PRESETS["muggins"], 2)
    return evolve_all(state, deal_round(state, RoundChance(DECK, DECK)))


def round_over() -> MatchState:
    state = table("muggins", "26", "13", laid="66")
    return played(state, 0, place("26@66:lineA"))[1]


def drawing() -> MatchState:
    """Seat 0 has just drawn 2-5, which fits, on a table where it could not play."""
    state = table("muggins", "11 33", "26", laid=LINE, boneyard="25 00")
    return played(state, 0, Draw())[1]


class TestState:
    @pytest.mark.parametrize("action", [place("55"), Draw(), Pass(), Claim(5), Call(1)])
    def test_nothing_is_done_before_the_first_round(self, action: Place) -> None:
        state = new_match(PRESETS["muggins"], 2)
        assert Refusal.MATCH_NOT_STARTED == refusal(state, 0, action)

    @pytest.mark.parametrize("action", [place("55"), Draw(), Pass(), Claim(5), Call(1)])
    def test_nothing_is_done_after_the_match(self, action: Place) -> None:
        state = dealt()
        state = evolve_all(state, [end_match(state, EndReason.CANCELLED)])
        assert Refusal.MATCH_OVER == refusal(state, 0, action)

    @pytest.mark.parametrize("action", [place("55"), Draw(), Pass(), Claim(5), Call(1)])
    def test_nothing_is_done_between_rounds(self, action: Place) -> None:
        assert Refusal.ROUND_OVER == refusal(round_over(), 0, action)

    @pytest.mark.parametrize("action", [place("25@55:lineA"), Draw(), Pass()])
    def test_the_next_seat_waits_for_the_windows_minimum_time(self, action: Place) -> None:
        given = refusal(window(), 1, action, window_may_close=False)
        assert Refusal.CLAIM_WINDOW_OPEN == given

    def test_nobody_goes_on_while_the_last_window_is_open(self) -> None:
        state = called_table("55", "25 03")
        for seat in (0, 1):
            assert Refusal.CLAIM_WINDOW_OPEN == refusal(state, seat, place("25@55:lineA"))

    def test_without_calling_nothing_is_claimed(self) -> None:
        state = table("muggins", "55 01", "25 03", boneyard="00 11")
        state = played(state, 0, place("55"))[1]
        assert Refusal.NO_CLAIM_WINDOW == refusal(state, 0, Claim(10))
        assert Refusal.NO_CLAIM_WINDOW == refusal(state, 1, Call(1))

    def test_without_calling_no_claim_travels_with_a_placement(self) -> None:
        state = table("muggins", "55 01", "25 03", boneyard="00 11")
        assert Refusal.NO_CLAIM_WINDOW == refusal(state, 0, place("55", claim=10))
        assert Refusal.NO_CLAIM_WINDOW == refusal(state, 1, place("55", claim=10))

    def test_before_the_first_placement_nothing_is_claimed(self) -> None:
        state = table("muggins", "55 01", "25 03", boneyard="00 11", calling=True)
        assert Refusal.NO_CLAIM_WINDOW == refusal(state, 0, Claim(10))

    def test_when_the_next_seat_has_acted_the_window_is_closed(self) -> None:
        state = table("muggins", "55 01", "33 03", boneyard="00 11", calling=True)
        state = played(state, 0, place("55"))[1]
        state = played(state, 1, Draw())[1]
        assert Refusal.NO_CLAIM_WINDOW == refusal(state, 0, Claim(10))
        assert Refusal.NO_CLAIM_WINDOW == refusal(state, 1, Call(1))


class TestClaimAndCall:
    def test_only_the_mover_claims(self) -> None:
        assert Refusal.NOT_THE_MOVER == refusal(window(), 1, Claim(10))

    def test_a_claim_is_made_once(self) -> None:
        state = played(window(), 0, Claim(5))[1]
        assert Refusal.ALREADY_CLAIMED == refusal(state, 0, Claim(10))

    def test_a_claim_that_travelled_with_the_placement_is_the_one(self) -> None:
        state = table("muggins", "55 01", "25 03", boneyard="00 11", calling=True)
        state = played(state, 0, place("55", claim=0))[1]
        assert Refusal.ALREADY_CLAIMED == refusal(state, 0, Claim(10))

    def test_another_seat_is_told_that_it_is_not_the_mover_rather_than_already_claimed(
        self,
    ) -> None:
        state = played(window(), 0, Claim(5))[1]
        assert Refusal.NOT_THE_MOVER == refusal(state, 1, Claim(10))

    def test_the_mover_does_not_call(self) -> None:
        assert Refusal.CANNOT_CALL_OWN_SIDE == refusal(window(), 0, Call(1))

    def test_the_movers_partner_does_not_call(self) -> None:
        state = table("all_fives", "55 01", "25", "26", "36", boneyard="00 11", calling=True)
        state = played(state, 0, place("55"))[1]
        assert Refusal.CANNOT_CALL_OWN_SIDE == refusal(state, 2, Call(1))
        assert refusal(state, 1, Call(1)) is None
        assert refusal(state, 3, Call(1)) is None

    @pytest.mark.parametrize("number", [0, 2, -1])
    def test_another_placement_than_the_last_is_not_called(self, number: int) -> None:
        assert Refusal.WRONG_PLACEMENT == refusal(window(), 1, Call(number))

    def test_the_own_side_comes_before_the_wrong_placement(self) -> None:
        assert Refusal.CANNOT_CALL_OWN_SIDE == refusal(window(), 0, Call(7))


class TestSeat:
    @pytest.mark.parametrize("action", [place("26@46:high"), Draw(), Pass(), place("77")])
    def test_only_the_seat_on_turn_acts(self, action: Place) -> None:
        state = table("muggins", "26", "26", "26", laid=LINE, boneyard="00")
        assert Refusal.NOT_YOUR_TURN == refusal(state, 1, action)
        assert Refusal.NOT_YOUR_TURN == refusal(state, 2, action)

    def test_under_calling_a_seat_out_of_turn_is_told_so_although_a_window_is_open(self) -> None:
        given = refusal(window(), 0, place("01@55:lineA"), window_may_close=False)
        assert Refusal.NOT_YOUR_TURN == given


class TestDrawAndPass:
    @pytest.mark.parametrize("action", [Draw(), Draw(until_playable=True), Pass()])
    def test_who_can_play_plays(self, action: Draw) -> None:
        state = table("muggins", "26 33", "11", laid=LINE, boneyard="00")
        assert Refusal.MUST_PLAY == refusal(state, 0, action)

    @pytest.mark.parametrize("action", [Draw(), Pass()])
    def test_who_opens_plays(self, action: Draw) -> None:
        assert Refusal.MUST_PLAY == refusal(dealt(), 1, action)

    def test_an_uncounted_free_side_obliges_too(self) -> None:
        laid = "55 05@55:lineA 56@55:lineB"
        state = table("all_fives", "35 33", "11", laid=laid, boneyard="22")
        assert Refusal.MUST_PLAY == refusal(state, 0, Draw())

    @pytest.mark.parametrize("action", [Draw(), Pass()])
    def test_a_drawn_tile_that_fits_is_played(self, action: Draw) -> None:
        assert Refusal.MUST_PLAY_DRAWN == refusal(drawing(), 0, action)

    def test_nobody_passes_while_tiles_can_be_drawn(self) -> None:
        state = table("muggins", "11 33", "26", laid=LINE, boneyard="00")
        assert Refusal.MUST_DRAW == refusal(state, 0, Pass())

    def test_nothing_is_drawn_from_an_empty_boneyard(self) -> None:
        state = table("muggins", "11 33", "26", laid=LINE)
        assert Refusal.BONEYARD_EMPTY == refusal(state, 0, Draw())

    def test_the_reserve_is_not_drawn(self) -> None:
        rules = PRESETS["muggins"]
        deal = dataclasses.replace(rules.deal, boneyard_reserve=2)
        rules = dataclasses.replace(rules, id="reserve", deal=deal)
        state = table(rules, "11 33", "26", laid=LINE, boneyard="00 25")
        assert Refusal.BONEYARD_EMPTY == refusal(state, 0, Draw())
        assert refusal(state, 0, Pass()) is None

    def test_with_a_fitting_tile_the_empty_boneyard_is_not_the_reason(self) -> None:
        state = table("muggins", "26 33", "11", laid=LINE)
        assert Refusal.MUST_PLAY == refusal(state, 0, Draw())


class TestTile:
    @pytest.mark.parametrize("odd", [Tile(0, 7), Tile(4, 2), Tile(-1, 3), Tile(9, 9)])
    def test_a_tile_is_one_of_the_set(self, odd: Tile) -> None:
        state = table("muggins", "26 33", "11", laid=LINE)
        action = Place(Placement(odd, End(Tile(4, 6), Port.HIGH)))
        assert Refusal.MALFORMED_TILE == refusal(state, 0, action)

    def test_a_smaller_set_has_fewer_tiles(self) -> None:
        rules = PRESETS["muggins"]
        deal = dataclasses.replace(rules.deal, highest_pip=5, hand_size_by_seats=(5, 0, 0))
        rules = dataclasses.replace(rules, id="small", deal=deal)
        assert Refusal.MALFORMED_TILE == refusal(table(rules, "25", "11"), 0, place("26"))

    def test_only_a_tile_of_the_hand_is_played(self) -> None:
        state = table("muggins", "26 33", "11", laid=LINE)
        assert Refusal.TILE_NOT_IN_HAND == refusal(state, 0, place("66@46:high"))
        assert Refusal.TILE_NOT_IN_HAND == refusal(state, 0, place("46@46:high"))

    def test_after_a_draw_no_other_tile_is_played(self) -> None:
        assert Refusal.MUST_PLAY_DRAWN == refusal(drawing(), 0, place("11@24:low"))

    def test_a_tile_that_is_not_held_comes_before_the_drawn_one(self) -> None:
        assert Refusal.TILE_NOT_IN_HAND == refusal(drawing(), 0, place("26@24:low"))

    def test_the_highest_double_is_led(self) -> None:
        state = leading(table("latin_american", "66 56", "11 22"), "66")
        assert Refusal.MUST_LEAD_HIGHEST_DOUBLE == refusal(state, 0, place("56"))
        assert refusal(state, 0, place("66")) is None

    def test_the_tile_comes_before_the_place(self) -> None:
        state = leading(table("latin_american", "66 56", "11 22"), "66")
        assert Refusal.MUST_LEAD_HIGHEST_DOUBLE == refusal(state, 0, place("56@11:low"))
        state = table("muggins", "26 33", "11", laid=LINE)
        assert Refusal.TILE_NOT_IN_HAND == refusal(state, 0, place("66@00:low"))


class TestPlace:
    def test_the_joined_tile_lies_on_the_table(self) -> None:
        state = table("muggins", "26", "11", laid=LINE)
        for joined in ("66:lineA", "26:low"):
            given = refusal(state, 0, place(f"26@{joined}"))
            assert Refusal.NO_SUCH_TILE_ON_TABLE == given

    def test_a_joined_tile_that_does_not_exist_does_not_lie_on_the_table(self) -> None:
        state = table("muggins", "26", "11", laid=LINE)
        action = Place(Placement(Tile(2, 6), End(Tile(2, 9), Port.LOW)))
        assert Refusal.NO_SUCH_TILE_ON_TABLE == refusal(state, 0, action)

    @pytest.mark.parametrize(
        "joined", ["46:lineA", "46:lineB", "46:branchA", "46:branchB", "66:low", "66:high"]
    )
    def test_a_double_has_no_halves_and_another_tile_no_sides(self, joined: str) -> None:
        state = table("all_fives", "26", "11", laid="46 66@46:high")
        assert Refusal.NO_SUCH_PORT == refusal(state, 0, place(f"26@{joined}"))

    @pytest.mark.parametrize("game", ["muggins", "all_fives", "sniff_us"])
    def test_a_later_double_grows_no_branches(self, game: str) -> None:
        laid = "44 46@44:lineA 66@46:high 36@66:lineB"
        state = table(game, "26", "11", laid=laid)
        assert Refusal.NOT_A_SPINNER == refusal(state, 0, place("26@66:branchA"))

    def test_in_muggins_the_first_double_grows_none_either(self) -> None:
        state = table("muggins", "25", "11", laid="55 05@55:lineA 15@55:lineB")
        assert Refusal.NOT_A_SPINNER == refusal(state, 0, place("25@55:branchA"))

    def test_in_five_up_a_later_double_is_a_spinner(self) -> None:
        laid = "44 46@44:lineA 66@46:high 36@66:lineB"
        state = table("five_up", "26 11", "11", laid=laid, boneyard="00")
        assert refusal(state, 0, place("26@66:branchA")) is None

    @pytest.mark.parametrize("joined", ["46:low", "24:high"])
    def test_a_joined_half_is_occupied(self, joined: str) -> None:
        state = table("muggins", "45", "11", laid=LINE)
        assert Refusal.END_OCCUPIED == refusal(state, 0, place(f"45@{joined}"))

    @pytest.mark.parametrize("side", ["lineA", "lineB", "branchA"])
    def test_a_joined_side_of_a_spinner_is_occupied(self, side: str) -> None:
        laid = "55 05@55:lineA 15@55:lineB 25@55:branchA"
        state = table("all_fives", "35", "11", laid=laid)
        assert Refusal.END_OCCUPIED == refusal(state, 0, place(f"35@55:{side}"))
        assert refusal(state, 0, place("35@55:branchB")) is None

    @pytest.mark.parametrize("laid", ["55", SPINNER, "05 55@05:high"])
    @pytest.mark.parametrize("game", ["all_fives", "five_up", "sniff_us"])
    def test_a_branch_opens_when_both_long_sides_are_used(self, game: str, laid: str) -> None:
        state = table(game, "25", "11", laid=laid)
        assert Refusal.BRANCH_CLOSED == refusal(state, 0, place("25@55:branchA"))

    def test_an_endwise_sniff_opens_its_branches_no_earlier(self) -> None:
        state = table("sniff", "25", "11", laid="55+endwise 05@55:lineA")
        assert Refusal.BRANCH_CLOSED == refusal(state, 0, place("25@55:branchA"))

    def test_on_a_table_with_tiles_a_place_is_named(self) -> None:
        state = table("muggins", "26", "11", laid=LINE)
        assert Refusal.MISSING_PLACE == refusal(state, 0, place("26"))

    def test_on_an_empty_table_no_place_is_named(self) -> None:
        state = table("muggins", "26", "11")
        for joined in ("11:low", "26:high", "55:branchA"):
            assert Refusal.PLACE_ON_EMPTY_TABLE == refusal(state, 0, place(f"26@{joined}"))

    def test_the_numbers_match(self) -> None:
        state = table("muggins", "26 13", "11", laid=LINE)
        assert Refusal.NO_MATCH == refusal(state, 0, place("13@24:low"))
        assert Refusal.NO_MATCH == refusal(state, 0, place("13@46:high"))

    def test_an_occupied_end_comes_before_numbers_that_differ(self) -> None:
        state = table("muggins", "13", "11", laid=LINE)
        assert Refusal.END_OCCUPIED == refusal(state, 0, place("13@46:low"))

    def test_a_port_that_never_is_comes_before_the_spinner(self) -> None:
        state = table("muggins", "13", "11", laid=LINE)
        assert Refusal.NO_SUCH_PORT == refusal(state, 0, place("13@46:branchA"))

    def test_a_closed_branch_comes_before_numbers_that_differ(self) -> None:
        state = table("all_fives", "13", "11", laid=SPINNER)
        assert Refusal.BRANCH_CLOSED == refusal(state, 0, place("13@55:branchA"))


class TestOrientation:
    @pytest.mark.parametrize(("laid", "move"), [("", "55"), ("05", "55@05:high")])
    def test_the_first_double_of_sniff_has_one(self, laid: str, move: str) -> None:
        state = table("sniff", "55 11", "22", laid=laid, boneyard="00")
        assert Refusal.ORIENTATION_REQUIRED == refusal(state, 0, place(move))
        assert refusal(state, 0, place(f"{move}+crosswise")) is None
        assert refusal(state, 0, place(f"{move}+endwise")) is None

    @pytest.mark.parametrize("way", ["endwise", "crosswise"])
    def test_a_tile_that_is_no_double_has_none(self, way: str) -> None:
        state = table("sniff", "26", "11", laid=LINE)
        given = refusal(state, 0, place(f"26@24:low+{way}"))
        assert Refusal.ORIENTATION_NOT_ALLOWED == given

    @pytest.mark.parametrize("game", ["muggins", "all_fives", "five_up", "sniff_us"])
    def test_endwise_is_for_sniff_alone(self, game: str) -> None:
        state = table(game, "55 11", "22", boneyard="00")
        assert Refusal.ORIENTATION_NOT_ALLOWED == refusal(state, 0, place("55+endwise"))
        assert refusal(state, 0, place("55+crosswise")) is None

    def test_later_doubles_of_sniff_lie_crosswise(self) -> None:
        laid = "46 44@46:low+endwise"
        state = table("sniff", "66 11", "22", laid=laid, boneyard="00")
        given = refusal(state, 0, place("66@46:high+endwise"))
        assert Refusal.ORIENTATION_NOT_ALLOWED == given
        assert refusal(state, 0, place("66@46:high+crosswise")) is None
        assert refusal(state, 0, place("66@46:high")) is None

    def test_the_place_comes_before_the_orientation(self) -> None:
        state = table("sniff", "55 11", "22", laid="46")
        assert Refusal.NO_MATCH == refusal(state, 0, place("55@46:high"))
        assert Refusal.MISSING_PLACE == refusal(state, 0, place("55+endwise"))


def test_every_reason_has_its_test() -> None:
    tested = {name for name in Refusal.__members__ if f"Refusal.{name}" in __test_source()}
    assert set(Refusal.__members__) == tested


def __test_source() -> str:
    from pathlib import Path

    return Path(__file__).read_text(encoding="utf-8")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_refused_action_of_the_next_seat_leaves_the_window_open(seat: int) -> None:
    state = window()
    assert Refusal.TILE_NOT_IN_HAND == refusal(state, 1, place("66@55:lineA"))
    assert state.table is not None
    assert state.table.window is not None
    assert (seat == 0) == (refusal(state, seat, Claim(10)) is None)
