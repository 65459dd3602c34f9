"""Layouts as text: their placements in order, `1-4 1-1@1-4.low 4-4@1-4.high`."""

from typing import Final

from muggins_rules.layout import EMPTY_LAYOUT, TableLayout, lay_tile
from muggins_rules.notation.errors import NotationReason
from muggins_rules.notation.places import format_placement, read_placement
from muggins_rules.notation.reader import Kind, Reader, read_whole
from muggins_rules.placing import placement_refusal
from muggins_rules.ruleset import SpinnerRule

__all__ = ["format_layout", "parse_layout"]

_EMPTY: Final = "empty"


def format_layout(layout: TableLayout) -> str:
    """The placements of a layout as text; `empty` when there is none."""
    return " ".join(map(format_placement, layout.placements)) or _EMPTY


def parse_layout(text: str, rule: SpinnerRule) -> TableLayout:
    """The layout that the placements of a text make, each checked; NotationError."""

    def read_layout(reader: Reader) -> TableLayout:
        layout = EMPTY_LAYOUT
        if reader.skip_word(_EMPTY):
            return layout
        if not reader.at(Kind.TILE):
            raise reader.unexpected("a placement")
        while reader.at(Kind.TILE):
            layout = _with_next(layout, reader, rule)
        return layout

    return read_whole(text, read_layout)


def _with_next(layout: TableLayout, reader: Reader, rule: SpinnerRule) -> TableLayout:
    token = reader.token
    placement = read_placement(reader)
    if layout.laid >> placement.tile.code & 1:
        raise reader.error(NotationReason.REPEATED_TILE, token)
    refusal = placement_refusal(layout, placement, rule)
    if refusal is not None:
        raise reader.error(NotationReason.ILLEGAL_PLACEMENT, token, refusal.value)
    return lay_tile(layout, placement, rule)
