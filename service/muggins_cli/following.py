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
            if isinstance(update, SnapshotSeen):
                findings = deals.see(update)
                narrator.restart(update.table)
                known = max(known, update.version)
                say([*narrator.now(), *tell_findings(findings, look)])
            elif isinstance(update, EventsSeen):
                for event in update.events:
                    _take(event, narrator, deals, words, look, say, known)
                if any(map(_is_end, update.events)):
                    return


def _take(
    event: events_pb2.Event,
    narrator: Narrator,
    deals: DealWatch,
    words: Words,
    look: Look,
    say: Say,
    known: int,
) -> None:
    """Tell and check one event; what was known before is only checked."""
    checked = deals.rounds_checked
    findings = deals.see(EventsSeen((event,), ()))
    lines = narrator.tell(event)
    if event.sequence == known:
        lines = narrator.now()
    elif event.sequence < known:
        lines = []
    elif deals.rounds_checked > checked and not findings:
        lines.append(words.line("round_checked", round=event.round))
    say([*lines, *tell_findings(findings, look)])


def tell_findings(findings: Sequence[Finding], look: Look) -> list[str]:
    """What is wrong, one line each: name, sequence, detail."""
    return [look.warning(f"  ! {finding}") for finding in findings]


def _is_end(event: events_pb2.Event) -> bool:
    return event.WhichOneof("fact") == "match_ended"
