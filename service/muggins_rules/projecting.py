"""What a viewer is shown of a fact: the same fact without what the viewer may not know."""

from muggins_rules.events import Event, RoundDealt, TileDrawn, TilePlayed
from muggins_rules.tiles import Tile
from muggins_rules.views import Viewer

__all__ = ["project"]


def project(event: Event, viewer: Viewer, *, calling: bool) -> Event:
    """The fact as a seat or the public sees it; the same object when nothing is hidden.

    `calling` is that of the rule set: under it the count and the scores of a placement stay
    hidden from everyone until `ClaimWindowClosed` tells them.
    """
    match event:
        case RoundDealt():
            return RoundDealt(
                event.round,
                event.opener,
                event.hand_sizes,
                event.boneyard,
                hand=None if viewer is None else _hand(event, viewer),
                must_lead=event.must_lead if viewer == event.opener else None,
            )
        case TileDrawn() if event.seat != viewer:
            return TileDrawn(event.seat, None, event.boneyard)
        case TilePlayed() if calling:
            return TilePlayed(
                event.seat, event.number, event.placement, event.attach_points, None, None
            )
        case _:
            return event


def _hand(event: RoundDealt, seat: int) -> tuple[Tile, ...]:
    assert event.deck is not None, "the record holds the deck"
    dealt = sum(event.hand_sizes[:seat])
    return tuple(sorted(event.deck[dealt : dealt + event.hand_sizes[seat]]))
