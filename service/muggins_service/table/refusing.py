"""What a refusal tells beside its reason, for sentences such as "2-3 does not fit a 4"."""

from muggins_rules.actions import Action, Place
from muggins_rules.layout import value_at
from muggins_rules.refusal import Refusal
from muggins_rules.tiles import is_tile
from muggins_service.table.state import Table

__all__ = ["refusal_metadata"]

_ABOUT_THE_TILE = {Refusal.MALFORMED_TILE, Refusal.TILE_NOT_IN_HAND, Refusal.NO_MATCH}


def refusal_metadata(refusal: Refusal, table: Table, action: Action, now_us: int) -> dict[str, str]:
    """The metadata of a refusal; it repeats what the caller sent or what everyone sees."""
    if refusal is Refusal.CLAIM_WINDOW_OPEN and table.window is not None:
        left_us = max(0, table.window.not_before_us - now_us)
        return {"seconds": str(-(-left_us // 1_000_000))}
    if refusal not in _ABOUT_THE_TILE or not isinstance(action, Place):
        return {}
    tile, at, _ = action.placement
    metadata = {"tile": f"{tile.low}-{tile.high}"}
    if refusal is Refusal.NO_MATCH and at is not None and is_tile(at.tile):
        metadata["value"] = str(value_at(at.tile, at.port))
    return metadata
