"""Actions as text: `play 3-6@6-6.lineB claim 10`, `draw`, `pass`, `claim 10`, `call 3`."""

from typing import assert_never

from muggins_rules.actions import Action, Call, Claim, Draw, Pass, Place
from muggins_rules.notation.places import format_placement, read_placement
from muggins_rules.notation.reader import Reader, read_whole

__all__ = ["format_action", "parse_action"]


def format_action(action: Action) -> str:
    """An action as text, in the imperative."""
    match action:
        case Place(placement, None):
            return f"play {format_placement(placement)}"
        case Place(placement, claim):
            return f"play {format_placement(placement)} claim {claim}"
        case Draw(until_playable):
            return "draw until_playable" if until_playable else "draw"
        case Pass():
            return "pass"
        case Claim(points):
            return f"claim {points}"
        case Call(placement):
            return f"call {placement}"
        case _:
            assert_never(action)


def parse_action(text: str) -> Action:
    """The action of a text; NotationError. No rule is consulted."""
    return read_whole(text, _read_action)


def _read_action(reader: Reader) -> Action:
    if reader.skip_word("play"):
        placement = read_placement(reader)
        return Place(placement, reader.number() if reader.skip_word("claim") else None)
    if reader.skip_word("draw"):
        return Draw(reader.skip_word("until_playable"))
    if reader.skip_word("pass"):
        return Pass()
    if reader.skip_word("claim"):
        return Claim(reader.number())
    if reader.skip_word("call"):
        return Call(reader.number())
    raise reader.unexpected("an action")
