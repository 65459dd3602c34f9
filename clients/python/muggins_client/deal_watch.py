"""The check of a match while it is played: each round as soon as its secret is out."""

from muggins.v1 import events_pb2, views_pb2
from muggins_client.checking import MatchCheck
from muggins_client.decoding import Undecodable, decode_rule_set
from muggins_client.findings import Finding, FindingName
from muggins_client.handles import Seat
from muggins_client.kept import Kept
from muggins_client.updates import EventsSeen, PresenceSeen, SnapshotSeen, Update

__all__ = ["DealWatch"]


class DealWatch:
    """Checks what a player or an onlooker is told: own hand, draws, lots, moves and scores.

    Give it every update of a stream that began with the first event (`from_sequence=0`), or
    with a seat's snapshot. A snapshot does not tell the nonces: after one taken in the middle
    of a match, rounds can be checked only with `kept.nonces` saved from before.
    """

    def __init__(self, match_id: str, anchor: bytes, seat: Seat | None = None) -> None:
        """Check against `anchor`, as known before the match began, for a seat or the public."""
        self._seat = None if seat is None else seat.seat
        nonce = b"" if seat is None else seat.nonce
        self._kept = Kept(match_id, anchor, self._seat, nonce)
        self._check = self._new_check()
        self._last: int | None = None
        self._findings: list[Finding] = []

    @classmethod
    def of_kept(cls, kept: Kept) -> "DealWatch":
        """Go on with what was saved before, in another process too."""
        watch = cls(kept.match_id, kept.anchor)
        watch._seat, watch._kept = kept.seat, kept
        watch._check = watch._new_check()
        return watch

    @property
    def kept(self) -> Kept:
        """What to save now, to check the export against later or to go on with."""
        nonces = self._check.nonces
        return self._kept.with_seats(
            nonces.commitments or self._kept.commitments, nonces.listed or self._kept.nonces
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything found so far."""
        return tuple(self._findings)

    @property
    def rounds_checked(self) -> int:
        """Rounds whose shuffle and moves were made again."""
        return self._check.rounds_checked

    def see(self, update: Update) -> tuple[Finding, ...]:
        """What is wrong with an update; a round is judged at its end."""
        match update:
            case SnapshotSeen(view):
                found = self._restart(view, update.table) if update.version != self._last else []
                self._last = update.version
            case EventsSeen(events):
                found = [finding for event in events for finding in self._check.take(event)]
                self._last = update.version
            case PresenceSeen():
                found = []
        self._findings += found
        return tuple(found)

    def _restart(
        self, view: views_pb2.SeatView | views_pb2.PublicView, table: views_pb2.PublicView
    ) -> list[Finding]:
        """Begin anew from a snapshot, with all rounds that it tells of."""
        self._kept = self.kept
        self._check = self._new_check()
        found: list[Finding] = []
        if table.fairness_anchor != self._kept.anchor:
            found.append(Finding(FindingName.ANCHOR_MISMATCH, table.version))
        try:
            playable = self._check.begin(decode_rule_set(table.rule_set), len(table.seats))
        except Undecodable:
            playable = False
        if not playable:
            found.append(Finding(FindingName.RULE_SET_INVALID, table.version))
        for event in _told_by(view):
            found += self._check.take(event)
        return [finding for finding in found if finding not in self._findings]

    def _new_check(self) -> MatchCheck:
        kept = self._kept
        return MatchCheck(kept.match_id, kept.anchor, self._seat, kept)


def _told_by(view: views_pb2.SeatView | views_pb2.PublicView) -> list[events_pb2.Event]:
    """The events of the rounds in a view, oldest first."""
    past = view.past if isinstance(view, views_pb2.SeatView) else ()
    return [*(event for summary in past for event in summary.events), *view.round_events]
