"""What everybody at a table sees, as text."""

from muggins_rules.events import LotDrawn
from muggins_rules.notation import format_event
from muggins_rules.views import PublicView

__all__ = ["table_text"]


def table_text(view: PublicView) -> str:
    """The facts of the round in the project's notation, a line each, then scores and hands."""
    told = [format_event(fact) for fact in view.round_events if not isinstance(fact, LotDrawn)]
    scores = " ".join(map(str, view.scores))
    sizes = " ".join(map(str, view.hand_sizes))
    return "\n".join([*told, f"scores {scores}; tiles held {sizes}; boneyard {view.boneyard}"])
