"""Why an action is refused: a fixed reason for each rule that can be broken."""

from enum import StrEnum

__all__ = ["IllegalAction", "Refusal"]


class Refusal(StrEnum):
    """A reason, in the order in which the reasons are checked: the first that applies is given."""

    MATCH_NOT_STARTED = "match_not_started"
    MATCH_OVER = "match_over"
    ROUND_OVER = "round_over"
    CLAIM_WINDOW_OPEN = "claim_window_open"
    NO_CLAIM_WINDOW = "no_claim_window"

    NOT_THE_MOVER = "not_the_mover"
    ALREADY_CLAIMED = "already_claimed"
    CANNOT_CALL_OWN_SIDE = "cannot_call_own_side"
    WRONG_PLACEMENT = "wrong_placement"

    NOT_YOUR_TURN = "not_your_turn"

    MUST_PLAY = "must_play"
    MUST_PLAY_DRAWN = "must_play_drawn"
    MUST_DRAW = "must_draw"
    BONEYARD_EMPTY = "boneyard_empty"

    MALFORMED_TILE = "malformed_tile"
    TILE_NOT_IN_HAND = "tile_not_in_hand"
    MUST_LEAD_HIGHEST_DOUBLE = "must_lead_highest_double"

    NO_SUCH_TILE_ON_TABLE = "no_such_tile_on_table"
    NO_SUCH_PORT = "no_such_port"
    NOT_A_SPINNER = "not_a_spinner"
    END_OCCUPIED = "end_occupied"
    BRANCH_CLOSED = "branch_closed"
    MISSING_PLACE = "missing_place"
    PLACE_ON_EMPTY_TABLE = "place_on_empty_table"
    NO_MATCH = "no_match"

    ORIENTATION_REQUIRED = "orientation_required"
    ORIENTATION_NOT_ALLOWED = "orientation_not_allowed"


class IllegalAction(Exception):  # noqa: N818 - the field's term, and `Refusal` is its code
    """An action was refused; the state is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep the reason."""
        super().__init__(refusal.value)
        self.refusal = refusal
