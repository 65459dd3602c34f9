"""Why a text is no notation, and where it goes wrong."""

from enum import StrEnum, unique

__all__ = ["NotationError", "NotationReason"]


@unique
class NotationReason(StrEnum):
    """What is wrong at a place of a text."""

    UNEXPECTED_CHARACTER = "unexpected_character"
    """No word, number, tile or sign of the notation begins with this character."""
    UNEXPECTED_END = "unexpected_end"
    """The line or the text ends where more is needed."""
    UNEXPECTED_TEXT = "unexpected_text"
    """Something else is needed here."""
    TRAILING_TEXT = "trailing_text"
    """More follows where the value is complete."""
    NUMBER_OUT_OF_RANGE = "number_out_of_range"
    """A number of more than 18 digits."""
    NO_SUCH_TILE = "no_such_tile"
    """A half that is none of 0 to 6."""
    REPEATED_TILE = "repeated_tile"
    """A tile that the same hand, deck or layout already has."""
    UNKNOWN_PORT = "unknown_port"
    """A word that names no port."""
    NO_SUCH_SEAT = "no_such_seat"
    """A letter that names no seat, or none of this match."""
    SEAT_OUT_OF_ORDER = "seat_out_of_order"
    """A hand of a deck whose seat is not the next."""
    DOES_NOT_ADD_UP = "does_not_add_up"
    """A sum, or a number of hands or tiles, that differs from what is listed with it."""
    ILLEGAL_PLACEMENT = "illegal_placement"
    """A placement that the layout before it refuses; `detail` is the refusal."""
    UNKNOWN_RULE_SET = "unknown_rule_set"
    """An id that is no preset, without parameters."""
    UNKNOWN_PARAMETER = "unknown_parameter"
    """A name that is no parameter of a rule set."""
    REPEATED_PARAMETER = "repeated_parameter"
    """A parameter that was set before."""
    MISSING_PARAMETER = "missing_parameter"
    """A rule set that leaves out a parameter; `detail` names the first."""
    INVALID_RULE_SET = "invalid_rule_set"
    """Parameters that do not fit together; `detail` names each problem."""
    SEATS_NOT_OFFERED = "seats_not_offered"
    """A number of seats that the rule set is not played with."""


class NotationError(ValueError):
    """A text that is no notation.

    `line` and `column` count from 1 and point at the first thing that is wrong. `detail` is for
    people, except where the reason says what it holds; it may be empty.
    """

    def __init__(self, reason: NotationReason, line: int, column: int, detail: str = "") -> None:
        """Keep reason and place."""
        shown = f"{reason.value}: {detail}" if detail else reason.value
        super().__init__(f"line {line}, column {column}: {shown}")
        self.reason = reason
        self.line = line
        self.column = column
        self.detail = detail
