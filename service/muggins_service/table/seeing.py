"""What a viewer is shown of a match's log."""

from muggins_rules.projecting import project
from muggins_rules.views import Viewer
from muggins_service.table.facts import Entry, TableFact

__all__ = ["project_entry"]


def project_entry(entry: Entry, viewer: Viewer, *, calling: bool) -> Entry:
    """An entry as a seat or the public sees it; the same object when nothing is hidden.

    Facts of the table are public, and so is all that an entry adds to its fact: by the time the
    secret of a round is in one, the round is over.
    """
    fact = entry.fact
    if isinstance(fact, TableFact):
        return entry
    seen = project(fact, viewer, calling=calling)
    if seen is fact:
        return entry
    return Entry(
        entry.sequence,
        entry.time_us,
        entry.round,
        entry.cause,
        seen,
        entry.engine,
        entry.timing,
        entry.secret,
        entry.placement_sequence,
        entry.stand_in_moves,
        entry.made_for,
    )
