"""What can be wrong with a file of cases, other than a wrong answer."""

from enum import StrEnum

__all__ = ["CaseError", "Fault", "UnreadableFileError"]


class Fault(StrEnum):
    """Why a case cannot be checked."""

    UNKNOWN_GROUP = "unknown_group"
    UNKNOWN_FIELD = "unknown_field"
    MISSING_FIELD = "missing_field"
    MALFORMED_FIELD = "malformed_field"
    DUPLICATE_ID = "duplicate_id"
    UNKNOWN_RULE_SET = "unknown_rule_set"
    SEATS_NOT_OFFERED = "seats_not_offered"
    TILE_USED_TWICE = "tile_used_twice"
    MOVE_REFUSED = "move_refused"
    IMPOSSIBLE_POSITION = "impossible_position"


class CaseError(Exception):
    """A case that cannot be checked; `detail` names the field or says what cannot be."""

    def __init__(self, fault: Fault, detail: str) -> None:
        """Keep the fault."""
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.detail = detail


class UnreadableFileError(Exception):
    """A file that is no file of cases; its text says why."""
