"""The weights that are shipped, the families they are for, and match equity."""

import json
import shutil
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from muggins_ai.evaluate import weights
from muggins_ai.evaluate.equity import CERTAIN_WIN, FORM, FURTHEST, equity, square_root
from muggins_ai.evaluate.exponents import CERTAIN, POWERS, STEPS
from muggins_ai.evaluate.families import FAMILIES, family_of
from muggins_rules.presets import PRESETS
from muggins_rules.ruleset import Deal, Layout, RuleSet, SettlementRule, SpinnerRule

TABLES = [(rules, seats) for rules in PRESETS.values() for seats in rules.seat_counts]
by_family = pytest.mark.parametrize("family", FAMILIES.values())


@pytest.mark.parametrize(("rule_set", "seats"), TABLES, ids=lambda value: str(value)[:20])
def test_every_table_of_a_preset_has_its_own_family(rule_set: RuleSet, seats: int) -> None:
    family = family_of(rule_set, seats)
    assert family.exact
    assert family.id in FAMILIES.values()


def test_games_that_differ_in_names_units_and_openers_share_a_family() -> None:
    assert "all_fives-2" == family_of(PRESETS["latin_american"], 2).id
    assert "all_fives-4" == family_of(PRESETS["all_fives_us"], 4).id
    named = replace(PRESETS["muggins"], id="ours", calling=True)
    assert family_of(PRESETS["muggins"], 3) == family_of(named, 3)


@pytest.mark.parametrize(
    ("rule_set", "seats", "nearest"),
    [
        (replace(PRESETS["muggins"], deal=Deal(hand_size_by_seats=(6, 5, 5))), 2, "muggins-2"),
        (
            replace(PRESETS["muggins"], layout=Layout(SpinnerRule.EVERY_DOUBLE)),
            2,
            "five_up_debit-2",
        ),
        (replace(PRESETS["all_fives"], deal=Deal(hand_size_by_seats=(9, 0, 6))), 4, "all_fives-4"),
        (replace(PRESETS["muggins"], layout=Layout(SpinnerRule.SNIFF)), 4, "muggins-4"),
        (replace(PRESETS["muggins"], deal=Deal(highest_pip=5)), 2, "muggins-2"),
        (replace(PRESETS["muggins"], deal=Deal(boneyard_reserve=2)), 2, "muggins-2"),
    ],
)
def test_another_table_uses_the_nearest_family_and_says_so(
    rule_set: RuleSet, seats: int, nearest: str
) -> None:
    family = family_of(rule_set, seats)
    assert (nearest, False) == (family.id, family.exact)


def test_sides_come_before_everything_else() -> None:
    muggins = PRESETS["muggins"]
    pairs = replace(muggins, scoring=replace(muggins.scoring, pairs=True))
    assert "all_fives-4" == family_of(pairs, 4).id
    assert SettlementRule.DEBIT is pairs.scoring.blocked


@by_family
def test_every_family_has_the_weights_of_the_manifest(family: str) -> None:
    entry = weights.load_manifest()[family]
    rows, bias, outputs, output_bias = weights.value_net(family, compiled=False)
    shape = weights.value_shape(entry["seats"], entry["sides"])
    assert shape.rows * shape.hidden == len(rows)
    assert (shape.hidden, shape.outputs) == (len(bias), len(output_bias))
    assert shape.hidden * shape.outputs == len(outputs)
    rows, bias, outputs, _ = weights.policy_net(family, compiled=False)
    shape = weights.policy_shape()
    assert (shape.rows * shape.hidden, shape.hidden) == (len(rows), len(bias))
    assert shape.hidden == len(outputs)
    # To open is worth something and less than a hand; who learned nothing would explain nothing.
    assert 0 < weights.opener_value(family) < 40 * weights.UNIT
    assert 0.1 < entry["held_out"]["value_variance_explained"] < 1
    assert 0.1 < entry["held_out"]["policy_variance_explained"] < 1


@by_family
def test_equity_is_calibrated(family: str) -> None:
    """Of sides that are given a chance, about so many win, in matches that were not fitted.

    The form for three and four sides has three numbers, and is coarse where scores sink.
    """
    entry = weights.load_manifest()[family]
    about = entry["equity"]
    coarse = 0.03 if entry["sides"] == 2 else 0.05
    for number, predicted, won in about["calibration"]:
        spread = (predicted * (1 - predicted) / number) ** 0.5
        assert abs(predicted - won) < coarse + 4 * spread
    assert about["brier"] < 0.8 * about["brier_of_even_chances"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the files of one family."""
    for path in weights.DATA.glob("muggins-2.*"):
        shutil.copy(path, tmp_path)
    shutil.copy(weights.DATA / weights.MANIFEST, tmp_path)
    return tmp_path


def test_files_that_the_manifest_names_are_read(folder: Path) -> None:
    shipped = weights.policy_net("muggins-2", compiled=False)
    assert shipped == weights.policy_net("muggins-2", compiled=False, folder=folder)
    assert weights.weights_digest("muggins-2") == weights.weights_digest("muggins-2", folder)


def test_another_file_is_refused(folder: Path) -> None:
    shutil.copy(folder / "muggins-2.policy.bin", folder / "muggins-2.value.bin")
    with pytest.raises(weights.WeightsError, match="not the file"):
        weights.value_net("muggins-2", compiled=False, folder=folder)


def test_a_broken_file_is_refused(folder: Path) -> None:
    (folder / "muggins-2.value.bin").write_bytes(b"nothing")
    with pytest.raises(weights.WeightsError, match="cannot be read"):
        weights.value_net("muggins-2", compiled=False, folder=folder)


def test_networks_of_another_shape_are_refused(folder: Path) -> None:
    path = folder / weights.MANIFEST
    manifest = json.loads(path.read_text())
    manifest["families"]["muggins-2"]["value"]["shape"][0] += 1
    path.write_text(json.dumps(manifest))
    with pytest.raises(weights.WeightsError, match="another shape"):
        weights.value_net("muggins-2", compiled=False, folder=folder)


def test_families_without_weights_are_refused(folder: Path) -> None:
    with pytest.raises(weights.WeightsError, match="no weights for chess-2"):
        weights.value_net("chess-2", compiled=False, folder=folder)
    with pytest.raises(weights.WeightsError, match="there is no manifest"):
        weights.opener_value("muggins-2", folder / "elsewhere")


def test_powers_are_exact() -> None:
    expected = [round(CERTAIN * (Decimal(-k) / STEPS).exp()) for k in range(len(POWERS))]
    assert expected == list(POWERS)
    assert 1 == POWERS[-1]


def test_square_roots_are_whole_parts() -> None:
    for number in [*range(50), 1 << 40, (1 << 40) - 1, 10**12 + 12345]:
        root = square_root(number)
        assert root * root <= number < (root + 1) ** 2


def chances(family: str, to_go: list[int], opener: int) -> list[int]:
    table = weights.equity_table(family, compiled=False)
    out = [0] * len(to_go)
    equity(len(to_go), table, to_go, opener, out)
    return out


def test_two_sides_have_the_same_chance_from_either_point_of_view() -> None:
    ahead = chances("all_fives-2", [40, 90], 0)
    behind = chances("all_fives-2", [90, 40], 1)
    assert ahead == behind[::-1]
    assert CERTAIN_WIN == sum(ahead)
    assert CERTAIN_WIN // 2 == chances("all_fives-2", [100, 100], -1)[0]


def test_opening_and_having_less_to_go_are_worth_something() -> None:
    assert chances("muggins-2", [60, 60], 0)[0] > chances("muggins-2", [60, 60], 1)[0]
    falling = [chances("muggins-2", [points, 100], -1)[0] for points in range(20, 400, 40)]
    assert sorted(falling, reverse=True) == falling


@pytest.mark.parametrize("family", ["muggins-3", "muggins-4"])
def test_three_and_four_sides_share_the_chance(family: str) -> None:
    sides = int(family[-1])
    even = chances(family, [150] * sides, -1)
    assert CERTAIN_WIN == sum(even)
    assert max(even) - min(even) < sides
    leader = chances(family, [30, *[150] * (sides - 1)], -1)
    assert leader[0] > 2 * leader[1]
    assert FORM == len(weights.equity_table(family, compiled=False))


def test_a_side_with_nothing_to_go_has_won_and_one_far_behind_has_the_last_row() -> None:
    assert [0, CERTAIN_WIN] == chances("muggins-2", [50, 0], 0)
    assert chances("muggins-2", [5 * FURTHEST, 50], 0) == chances("muggins-2", [9999, 50], 0)
