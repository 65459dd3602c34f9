"""The text notation: every value of the rules as text that a person reads and a diff shows well.

`format_x` writes the one canonical text of a value and cannot fail. `parse_x` reads it back, and
what else the grammar allows (tile halves in either order, other spacing, comments); it raises
NotationError, and nothing else, with a line, a column and a fixed reason. The grammar is written
down in `docs/notation.md`.

Texts of rounds and matches hold facts. Whether the facts follow from one another is told by
`decide`, not by the notation; it refuses only what contradicts itself on the spot, such as a sum
that does not add up.
"""

from muggins_rules.notation.actions import format_action, parse_action
from muggins_rules.notation.errors import NotationError, NotationReason
from muggins_rules.notation.event_reading import parse_event
from muggins_rules.notation.event_writing import format_event
from muggins_rules.notation.layouts import format_layout, parse_layout
from muggins_rules.notation.matches import MatchRecord, format_match, parse_match
from muggins_rules.notation.places import (
    format_end,
    format_placement,
    parse_end,
    parse_placement,
)
from muggins_rules.notation.rounds import format_round, parse_round
from muggins_rules.notation.rule_sets import format_rule_set, parse_rule_set
from muggins_rules.notation.tiles import format_tile, parse_tile

__all__ = [
    "MatchRecord",
    "NotationError",
    "NotationReason",
    "format_action",
    "format_end",
    "format_event",
    "format_layout",
    "format_match",
    "format_placement",
    "format_round",
    "format_rule_set",
    "format_tile",
    "parse_action",
    "parse_end",
    "parse_event",
    "parse_layout",
    "parse_match",
    "parse_placement",
    "parse_round",
    "parse_rule_set",
    "parse_tile",
]
