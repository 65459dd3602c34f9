"""A match followed to its end: told, and its deals checked as each round's secret comes out."""

from collections.abc import Callable, Sequence

from muggins.v1 import events_pb2
from muggins_cli.look import Look
from muggins_cli.narrator import Narrator
from muggins_cli.words import Words
from muggins_client import DealWatch, EventsSeen, Finding, MugginsClient, SnapshotSeen

__all__ = ["follow_match", "tell_findings"]

Say = Callable[[Sequence[str]], None]
"""Shows lines."""


async def follow_match(
    client: MugginsClient,
    match_id: str,
    deals: DealWatch,
    words: Words,
    look: Look,
    say: Say,
    *,
    known: int = 0,
) -> None:
    """Tell a match as everybody sees it until it has ended.

    All events are taken in, so that every deal can be checked; they are told from the one after
    sequence `known` on, beginning with the table as it was then.

    Raises:
        MugginsError: the server refuses, or the connection is lost for good.
        Undecodable: the server tells what this version does not know.
    """
    narrator = Narrator(words, look)
    async with client.observe(match_id, from_sequence=0) as updates:
        async for update in updates:
            checked = deals.rounds_checked
            findings = deals.see(update)
            if isinstance(update, SnapshotSeen):
                narrator.restart(update.table)
                known = max(known, update.version)
                say(narrator.now())
            elif isinstance(update, EventsSeen):
                for event in update.events:
                    lines = narrator.tell(event)
                    if event.sequence > known:
                        say(lines)
                    elif event.sequence == known:
                        say(narrator.now())
            if deals.rounds_checked > checked and not findings and update.version > known:
                number = deals.rounds_checked
                say([words.line("round_checked", round=number)])
            say(tell_findings(findings, look))
            if isinstance(update, EventsSeen) and any(map(_is_end, update.events)):
                return


def tell_findings(findings: Sequence[Finding], look: Look) -> list[str]:
    """What is wrong, one line each: name, sequence, detail."""
    return [look.warning(f"  ! {finding}") for finding in findings]


def _is_end(event: events_pb2.Event) -> bool:
    return event.WhichOneof("fact") == "match_ended"
