"""What a seat knows of a round, as text: all it ever saw, or the table as it is."""

from muggins_ai.environments.chance_round import ChanceRound
from muggins_rules.notation import format_event, format_tile
from muggins_rules.notation.seats import SEAT_NAMES
from muggins_rules.tiles import tiles_of_mask
from muggins_rules.views import Viewer

__all__ = ["hand_text", "information_text", "observation_text"]


def information_text(play: ChanceRound, viewer: Viewer) -> str:
    """Everything that a seat, or the public, has seen of the round, in order.

    Equal texts are equal information: the seat's own tiles and draws, and what all see.
    """
    if play.state is None:
        held = "" if viewer is None else f", {hand_text(play, viewer)}"
        return f"{_name(viewer)}: {len(play.dealt)} dealt{held}"
    lines = [format_event(fact) for fact in play.seen(viewer)]
    if play.drawing:
        lines.append(f"{SEAT_NAMES[play.turn]} draws")
    return "\n".join([f"{_name(viewer)}:", *lines])


def observation_text(play: ChanceRound, viewer: Viewer) -> str:
    """The table as a seat, or the public, sees it now, without how it came to be so."""
    held = "" if viewer is None else f"; {hand_text(play, viewer)}"
    scores = " ".join(map(str, play.scores))
    if play.state is None or play.state.table is None:
        return f"{_name(viewer)}: {len(play.dealt)} dealt{held}"
    table = play.state.table
    ends = " ".join(
        f"{format_tile(end.tile)}.{end.port.name.lower()}={value}"
        for end, value in table.layout.attach_points
    )
    sizes = " ".join(str(hand.bit_count()) for hand in table.hands)
    turn = "over" if play.is_over else f"turn {SEAT_NAMES[play.turn]}"
    drawing = " drawing" if play.drawing else ""
    return (
        f"{_name(viewer)}: {turn}{drawing}; scores {scores}; tiles held {sizes}; "
        f"boneyard {len(table.boneyard)}; ends {ends or 'none'}; count {table.layout.count}{held}"
    )


def hand_text(play: ChanceRound, seat: int) -> str:
    """The tiles a seat holds, ascending."""
    tiles = " ".join(map(format_tile, tiles_of_mask(play.hand(seat))))
    return f"holds {tiles or 'nothing'}"


def _name(viewer: Viewer) -> str:
    return "public" if viewer is None else f"seat {SEAT_NAMES[viewer]}"
