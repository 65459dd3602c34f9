"""Scores as written on paper: a stroke is five points, a full sign fifty."""

import pytest

from muggins_cli.paper_score import paper_score

SIGN = (r"\ x /", "x X x", r"/ x \ ".rstrip())


def side_by_side(count: int) -> tuple[str, ...]:
    return tuple("  ".join([row] * count) for row in SIGN)


def test_no_points_have_no_strokes() -> None:
    assert () == paper_score(0)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        pytest.param(5, ("    /", "  /", "/"), id="a stroke"),
        pytest.param(10, (r"\   /", "  X", "/   \\"), id="the large X"),
        pytest.param(15, (r"\ / /", "  X", "/   \\"), id="half of a small x above it"),
        pytest.param(20, (r"\ x /", "  X", "/   \\"), id="the first small x"),
        pytest.param(45, (r"\ x /", "/ X x", "/ x \\"), id="a stroke short of a sign"),
        pytest.param(50, SIGN, id="a sign"),
        pytest.param(55, (r"\ x /      /", "x X x    /", "/ x \\  /"), id="a sign and a stroke"),
        pytest.param(250, side_by_side(5), id="the target for two"),
    ],
)
def test_a_score_is_written_in_signs_of_fifty(score: int, expected: tuple[str, ...]) -> None:
    assert expected == paper_score(score)


def test_a_score_below_zero_begins_with_a_minus() -> None:
    assert (r"  \ x /", "-   X x", r"  / / " + "\\") == paper_score(-35)


def test_a_point_of_five_up_is_a_stroke() -> None:
    assert paper_score(300) == paper_score(60, points_divisor=5)
    assert ("    /", "  /", "/") == paper_score(1, points_divisor=5)


def test_signs_that_do_not_fit_go_on_below() -> None:
    assert (*side_by_side(3), *side_by_side(2)) == paper_score(250, width=21)
