"""Short ways to write values, and their text."""

from __future__ import annotations

import pytest

from muggins.v1 import actions_pb2, tiles_pb2
from muggins_client import (
    Orientation,
    Port,
    call,
    claim,
    draw,
    end,
    format_action,
    format_count,
    format_end,
    format_placement,
    format_tile,
    format_tiles,
    pass_turn,
    place,
    placement,
    tile,
)
from muggins_rules import notation
from muggins_rules.places import PORT_NAMES


def test_a_tile_is_named_by_its_halves_in_either_order() -> None:
    assert tiles_pb2.Tile(low=3, high=6) == tile(6, 3) == tile(3, 6)


@pytest.mark.parametrize("port", list(Port))
def test_every_port_goes_by_number_and_by_name(port: Port) -> None:
    assert end(tile(5, 5), port) == end(tile(5, 5), PORT_NAMES[port])
    assert end(tile(5, 5), port) == end(tile(5, 5), port.name)
    assert int(port) == end(tile(5, 5), port).port


def test_an_unknown_port_is_refused() -> None:
    with pytest.raises(ValueError, match="left"):
        end(tile(5, 5), "left")


def test_ports_and_orientations_have_the_numbers_of_the_wire() -> None:
    for port in Port:
        assert tiles_pb2.Port.Value(f"PORT_{port.name}") == int(port)
    for way in Orientation:
        assert tiles_pb2.Orientation.Value(f"ORIENTATION_{way.name}") == int(way)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3-6", placement(tile(3, 6))),
        ("3-5@5-5.lineB", placement(tile(3, 5), end(tile(5, 5), "lineB"))),
        (
            "5-5@2-5.high/endwise",
            placement(tile(5, 5), end(tile(2, 5), "high"), Orientation.ENDWISE),
        ),
        ("6-6/crosswise", placement(tile(6, 6), orientation=Orientation.CROSSWISE)),
    ],
)
def test_placements_are_written_as_in_the_notation(text: str, value: tiles_pb2.Placement) -> None:
    assert text == format_placement(value)
    assert text == notation.format_placement(notation.parse_placement(text))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("play 3-6", place(placement(tile(3, 6)))),
        ("draw", draw()),
        ("draw until_playable", draw(until_playable=True)),
        ("pass", pass_turn()),
        ("claim 10", claim(10)),
        ("call 12", call(12)),
    ],
)
def test_actions_are_written_as_in_the_notation(text: str, action: actions_pb2.Action) -> None:
    assert text == format_action(action)
    assert text == notation.format_action(notation.parse_action(text))


def test_an_action_of_a_later_version_is_nothing() -> None:
    assert "nothing" == format_action(actions_pb2.Action())


def test_a_count_shows_its_working() -> None:
    count = tiles_pb2.Count(
        sum=10,
        contributions=[
            tiles_pb2.Contribution(tile=tile(2, 6), value=2),
            tiles_pb2.Contribution(tile=tile(4, 4), value=8),
        ],
        points=10,
    )
    assert "2 + 8 = 10" == format_count(count)


def test_a_single_contribution_is_the_count() -> None:
    part = tiles_pb2.Contribution(tile=tile(5, 5), value=10)
    assert "10" == format_count(tiles_pb2.Count(sum=10, contributions=[part], points=10))


def test_tiles_and_ends_are_written_as_in_the_notation() -> None:
    assert "0-3" == format_tile(tile(3, 0))
    assert "0-3 4-4" == format_tiles([tile(3, 0), tile(4, 4)])
    assert "4-4.branchA" == format_end(end(tile(4, 4), "branch_a"))
