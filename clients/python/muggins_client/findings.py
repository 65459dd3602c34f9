"""What a verifier can find wrong with a match."""

from dataclasses import dataclass
from enum import StrEnum, unique

__all__ = ["Finding", "FindingName"]


@unique
class FindingName(StrEnum):
    """The kind of a finding."""

    FORMAT_UNKNOWN = "format_unknown"
    """The export has a layout that this version does not know."""
    EVENT_MALFORMED = "event_malformed"
    """An event holds what no match can have."""
    SEQUENCE_GAP = "sequence_gap"
    """The sequences do not go up by one from 1."""
    VERSION_MISMATCH = "version_mismatch"
    """A record's version is not the sequence of its last event."""
    CREATION_MISMATCH = "creation_mismatch"
    """The first event does not create the match that the export says it is."""
    RULE_SET_INVALID = "rule_set_invalid"
    """The rule set cannot be played with so many seats."""
    END_MISSING = "end_missing"
    """The export stops before the match is over."""

    MATCH_MISMATCH = "match_mismatch"
    """It is another match than the one that the client kept."""
    ANCHOR_MISMATCH = "anchor_mismatch"
    """The anchor is not the one that the client kept from joining, or not the same throughout."""
    COMMITMENT_MISMATCH = "commitment_mismatch"
    """A seat's commitment is not the one that the client kept."""
    NONCE_MISMATCH = "nonce_mismatch"
    """A nonce does not match its commitment, or the list of nonces not what was revealed."""
    NONCE_UNCOMMITTED = "nonce_uncommitted"
    """A nonce is listed for a seat that committed to none."""
    NONCE_MISSING = "nonce_missing"
    """The client's own nonce is not in the list from which the shuffles are made."""
    SECRET_MISSING = "secret_missing"
    """A round's secret was not revealed at its end."""
    SECRET_INVALID = "secret_invalid"
    """A round's secret does not hash down to the anchor."""

    LOT_MISMATCH = "lot_mismatch"
    """The lot shows other tiles than the secret gives."""
    OPENER_MISMATCH = "opener_mismatch"
    """Another seat opens than the rules say."""
    DECK_MISMATCH = "deck_mismatch"
    """The shuffled set is another than the secret gives."""
    HAND_MISMATCH = "hand_mismatch"
    """The own hand is another than the secret gives."""
    DEAL_MISMATCH = "deal_mismatch"
    """Number of the round, sizes of the hands, boneyard or forced lead are wrong."""
    DRAW_MISMATCH = "draw_mismatch"
    """Another tile was drawn than lay at the front of the boneyard, or their number is wrong."""

    ILLEGAL_ACTION = "illegal_action"
    """The rules refuse what a seat did; the detail is the reason."""
    TURN_MISMATCH = "turn_mismatch"
    """It was another seat's turn."""
    PLACEMENT_MISMATCH = "placement_mismatch"
    """A placement's number or the open ends after it are wrong."""
    COUNT_MISMATCH = "count_mismatch"
    """What the table adds up to, or its points, are wrong."""
    SCORE_MISMATCH = "score_mismatch"
    """The scores after a placement or a claim window are wrong."""
    CREDIT_MISMATCH = "credit_mismatch"
    """A claim window credited other points or another seat."""
    ROUND_END_MISMATCH = "round_end_mismatch"
    """A round ended otherwise: gone out instead of blocked, or by another seat."""
    WINNER_MISMATCH = "winner_mismatch"
    """Another side won the round or the match."""
    SHOWN_HANDS_MISMATCH = "shown_hands_mismatch"
    """The hands shown at the end are not those that were held."""
    SETTLEMENT_MISMATCH = "settlement_mismatch"
    """The reckoning at the end of a round is wrong."""
    MATCH_END_MISMATCH = "match_end_mismatch"
    """The match ended for another reason or with other scores."""
    EVENT_UNEXPECTED = "event_unexpected"
    """Another event should have come; what follows was not replayed."""
    EVENT_MISSING = "event_missing"
    """Events that should have come did not; what follows was not replayed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and the sequence of the event that shows it (0: none does)."""

    name: FindingName
    sequence: int
    detail: str = ""

    def __str__(self) -> str:
        at = f" at {self.sequence}" if self.sequence else ""
        return f"{self.name}{at}: {self.detail}" if self.detail else f"{self.name}{at}"
