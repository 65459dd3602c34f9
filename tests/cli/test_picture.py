"""Layouts drawn as text: each expected picture is the whole picture."""

import re
from textwrap import dedent

from hypothesis import given, settings
from hypothesis import strategies as st

from muggins_cli.picture import draw_picture
from muggins_rules.layout import TableLayout
from muggins_rules.notation import parse_layout
from muggins_rules.ruleset import SpinnerRule
from tests.strategies import Play, plays

NONE, FIRST, EVERY = SpinnerRule.NONE, SpinnerRule.FIRST_DOUBLE, SpinnerRule.EVERY_DOUBLE
SNIFF, SNIFF_US = SpinnerRule.SNIFF, SpinnerRule.SNIFF_US

LONG_LINE = (
    "0-0 0-1@0-0.lineA 1-1@0-1.high 1-2@1-1.lineB 2-2@1-2.high 2-3@2-2.lineB 3-3@2-3.high "
    "3-4@3-3.lineB 4-4@3-4.high 4-5@4-4.lineB 5-5@4-5.high 5-6@5-5.lineB 6-6@5-6.high "
    "1-6@6-6.lineB 1-3@1-6.low 3-5@1-3.high 2-5@3-5.high 2-4@2-5.low 4-6@2-4.high "
    "0-6@4-6.high 0-5@0-6.low"
)
FOUR_ARMS = (
    "1-4 1-1@1-4.low 4-4@1-4.high 3-4@4-4.lineB 1-2@1-1.lineB 1-5@1-1.branchA "
    "5-5@1-5.high 0-5@5-5.lineB 1-3@1-1.branchB"
)


def picture(text: str, rule: SpinnerRule, width: int = 100) -> str:
    return drawn(parse_layout(text, rule), width)


def drawn(layout: TableLayout, width: int = 100) -> str:
    lines = draw_picture(layout.placements, layout.attach_points, layout.contributions, width)
    return "\n".join(lines)


def lines_of(text: str) -> str:
    return dedent(text).strip("\n")


def test_a_sole_tile_counts_at_both_ends() -> None:
    assert "(3){3|6}(6)" == picture("3-6", NONE)


def test_a_sole_double_stands_upright_and_counts_once() -> None:
    expected = """
         {4}
        *{-}(8)
         {4}
    """
    assert lines_of(expected) == picture("4-4", FIRST)


def test_a_sole_double_laid_endwise_counts_at_both_ends() -> None:
    assert "(4){4|4}(4)" == picture("4-4/endwise", SNIFF)


def test_a_line_of_muggins_runs_from_left_to_right() -> None:
    expected = """
           {3}
        (6){-}[3|6][6|2](2)
           {3}
    """
    assert lines_of(expected) == picture("3-6 2-6@3-6.high 3-3@3-6.low", NONE)


def test_the_short_sides_of_a_spinner_are_open_and_add_nothing() -> None:
    expected = """
                 *
                [1]
        (2){2|1}[-][1|4](4)
                [1]
                 *
    """
    assert lines_of(expected) == picture("1-4 1-1@1-4.low 1-2@1-1.lineB", FIRST)


def test_the_arms_of_a_spinner_leave_it_upwards_and_downwards_and_then_bend() -> None:
    expected = """
                   [5]
                [5][-][5|0](0)
                [-][5]
                [1]
                [1]     [4]
        (2)[2|1][-][1|4][-][4|3](3)
                [1]     [4]
                {1}
                {-}
                {3}
                (3)
    """
    assert lines_of(expected) == picture(FOUR_ARMS, FIRST)


def test_the_lower_arm_bends_the_other_way() -> None:
    expected = """
                      [5]
                   [5][-][5|0](0)
                   [-][5]
                   [1]
                   [1]     [4]
           (2)[2|1][-][1|4][-][4|3](3)
                   [1]     [4]
                   [1]
                [3][-]
        (6){6|3}[-][3]
                [3]
    """
    assert lines_of(expected) == picture(f"{FOUR_ARMS} 3-3@1-3.high 3-6@3-3.lineB", FIRST)


def test_in_five_up_every_double_has_its_short_sides() -> None:
    expected = """
                       *
                      [5]
                   [5][-][5|0](0)
                   [-][5]
                   [1] *    *
                   [1]     [4]
           (2)[2|1][-][1|4][-][4|3](3)
                   [1]     [4]
                 * [1]      *
                [3][-]
        (6){6|3}[-][3]
                [3]
                 *
    """
    assert lines_of(expected) == picture(f"{FOUR_ARMS} 3-3@1-3.high 3-6@3-3.lineB", EVERY)


def test_in_five_up_a_double_of_a_branch_that_has_branches_lies_across_it() -> None:
    text = (
        "1-1 1-2@1-1.lineA 1-3@1-1.lineB 1-4@1-1.branchA 1-5@1-1.branchB 4-4@1-4.high "
        "2-4@4-4.lineB 2-2@1-2.high 4-6@4-4.branchA 0-4@4-4.branchB"
    )
    expected = """
                   (2)
                   [2]
                   [-]
                   [4]
          (6)[6|4][4|4]{4|0}(0)
                   [4]
                   [-]
                   [1]
           [2]     [1]
        (4)[-][2|1][-][1|3](3)
           [2]     [1]
                   [1]
                   [-]
                   [5]
                   (5)
    """
    assert lines_of(expected) == picture(text, EVERY)


def test_a_sniff_laid_endwise_lies_in_the_line_and_branches_from_its_middle() -> None:
    text = "1-4 4-4@1-4.high/endwise 4-5@4-4.lineB 4-6@4-4.branchA 6-6@4-6.high"
    expected = """
                    {6}
                 [6]{-}(12)
                 [-]{6}
                 [4]
        (1)[1|4][4|4][4|5](5)
                  *
    """
    assert lines_of(expected) == picture(text, SNIFF)


def test_in_sniff_us_the_free_sides_of_the_spinner_are_marked_with_what_they_count() -> None:
    both_free = """
                 *
                [4]
        (0)[0|4][-]{4|1}(1)
                [4]
                (8)
    """
    one_free = """
                (6)
                {6}
                {-}
                {4}
                [4]
        (0)[0|4][-][4|1](1)
                [4]
                (4)
    """
    text = "4-4 0-4@4-4.lineA 1-4@4-4.lineB"
    assert lines_of(both_free) == picture(text, SNIFF_US)
    assert lines_of(one_free) == picture(f"{text} 4-6@4-4.branchA", SNIFF_US)


def test_a_line_of_21_tiles_fits_a_wide_terminal() -> None:
    row = " " * 43 + "[6]     [5]     [4]     [3]     [2]     [1]     [0]"
    line = (
        "(5){5|0}[0|6][6|4][4|2][2|5][5|3][3|1][1|6][-][6|5][-][5|4][-][4|3][-][3|2][-][2|1][-]"
        "[1|0][-](0)"
    )
    assert f"{row}\n{line}\n{row}" == picture(LONG_LINE, NONE)


def test_a_line_too_long_is_cut_into_strips() -> None:
    expected = """
                                                     [6]     [5]
          (5){5|0}[0|6][6|4][4|2][2|5][5|3][3|1][1|6][-][6|5][-] >
                                                     [6]     [5]
               [4]     [3]     [2]     [1]     [0]
        > [5|4][-][4|3][-][3|2][-][2|1][-][1|0][-](0)
               [4]     [3]     [2]     [1]     [0]
    """
    assert lines_of(expected) == picture(LONG_LINE, NONE, 60)


def test_arms_that_do_not_fit_are_listed_one_by_one() -> None:
    expected = """
        [0|0] < [0|1][1|1][1|2][2|2][2|3][3|3][3|4][4|4][4|5][5|5][5|6][6|6]
                [6|1][1|3][3|5][5|2][2|4][4|6][6|0][0|5](5)
        [0|0] > [0|3](3)
        [0|0] ^ {0|2}(2)
        [0|0] v *
    """
    text = f"{LONG_LINE} 0-3@0-0.lineB 0-2@0-0.branchA"
    assert lines_of(expected) == picture(text, FIRST, 70)


def test_ends_are_marked_as_unknown_while_the_count_is_not_told() -> None:
    layout = parse_layout("3-6", NONE)
    lines = draw_picture(layout.placements, layout.attach_points, None)
    assert ("(?){3|6}(?)",) == lines


@settings(max_examples=40)
@given(plays(), st.integers(40, 100))
def test_every_picture_shows_all_ends_and_adds_up_to_the_count_within_its_width(
    play: Play, width: int
) -> None:
    for state in play.states:
        layout = state.table.layout if state.table is not None else None
        if layout is None or not layout.placements:
            continue
        text = drawn(layout, width)
        counts = [int(mark) for mark in re.findall(r"\((\d+)\)", text)]
        assert layout.count == sum(counts)
        assert len(layout.attach_points) == len(counts) + text.count("*")
        assert width >= max(map(len, text.split("\n")))
        assert 1 in {len(re.findall(r"\{\d[^}]*\}", text)), len(re.findall(r"\{-\}", text))}
