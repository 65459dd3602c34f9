"""Pages of lists: how many entries, and which matches, newest first."""

from collections.abc import Iterable
from itertools import islice

from muggins_service.matches.slot import Slot
from muggins_service.rpc.limits import DEFAULT_PAGE, MOST_IN_PAGE
from muggins_service.wire.paging import Cursor

__all__ = ["page_of", "page_size"]


def page_size(asked: int) -> int:
    """The entries of a page whose size was asked for, 0 for the default."""
    return min(asked or DEFAULT_PAGE, MOST_IN_PAGE)


def page_of(
    slots: Iterable[Slot], after: Cursor | None, asked_size: int
) -> tuple[list[Slot], Cursor | None]:
    """A page of matches, and where the next page begins; absent: there is none."""
    size = page_size(asked_size)
    newest = sorted(slots, key=_cursor, reverse=True)
    rest = (slot for slot in newest if after is None or _cursor(slot) < after)
    page = list(islice(rest, size + 1))
    return page[:size], _cursor(page[size - 1]) if len(page) > size else None


def _cursor(slot: Slot) -> Cursor:
    return Cursor(slot.table.created_us, slot.match_id)
