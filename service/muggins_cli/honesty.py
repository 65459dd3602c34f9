"""What came of asking the opponents of a match again, in plain words: one line an outcome."""

from collections.abc import Iterator, Sequence

from muggins_cli.look import Look
from muggins_cli.words import Words
from muggins_service.honesty.decisions import Decisions
from muggins_service.honesty.recomputing import Outcome, Verdict

__all__ = ["are_honest", "tell_outcomes"]


def are_honest(decisions: Decisions, outcomes: Sequence[Outcome]) -> bool:
    """True when the whole record was read and no decision is another than the engine's own."""
    wrong = {Verdict.DIFFERS, Verdict.NO_SEED}
    is_whole = decisions.broken_at is None
    return is_whole and not any(outcome.verdict in wrong for outcome in outcomes)


def tell_outcomes(
    decisions: Decisions, outcomes: Sequence[Outcome], words: Words, look: Look
) -> Iterator[str]:
    """Every decision that differs, and a line for each kind of outcome that there is."""
    by_verdict = {
        verdict: [outcome for outcome in outcomes if outcome.verdict is verdict]
        for verdict in Verdict
    }
    differ = by_verdict[Verdict.DIFFERS]
    for outcome in differ:
        yield look.warning(f"  ! opponent_differs at {outcome.decision.sequence}: {outcome.detail}")
    agree = words.line("opponents_agree", number=len(by_verdict[Verdict.AGREES]))
    yield from map(look.gain, look.wrapped(agree))
    if differ:
        sequences = ", ".join(str(outcome.decision.sequence) for outcome in differ)
        text = words.line("opponents_differ", number=len(differ), sequences=sequences)
        yield from map(look.warning, look.wrapped(text))
    for text in _not_made_again(decisions, by_verdict, words):
        yield from look.wrapped(text)


def _not_made_again(
    decisions: Decisions, by_verdict: dict[Verdict, list[Outcome]], words: Words
) -> Iterator[str]:
    if others := by_verdict[Verdict.OTHER_ENGINE]:
        named = ", ".join(sorted({outcome.decision.engine for outcome in others}))
        here = ", ".join(sorted({outcome.detail or "-" for outcome in others}))
        yield words.line("engine_differs", number=len(others), named=named, installed=here)
    if uncompiled := by_verdict[Verdict.NO_COMPILER]:
        yield words.line("engine_not_compiled", number=len(uncompiled))
    if unseeded := by_verdict[Verdict.NO_SEED]:
        yield words.line("decisions_without_secret", number=len(unseeded))
    if decisions.fallbacks or decisions.timeouts or decisions.unnamed:
        yield words.line(
            "decisions_of_no_engine",
            fallbacks=decisions.fallbacks,
            timeouts=decisions.timeouts,
            unnamed=decisions.unnamed,
        )
    if decisions.broken_at is not None:
        yield words.line("record_broken", sequence=decisions.broken_at)
