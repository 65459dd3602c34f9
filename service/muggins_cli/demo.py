"""`muggins demo`: one whole match between opponents over gRPC, shown, exported and verified.

It needs no input and no server: it starts one of its own on a free port of this machine. Exit
status: 0 where all is in order, 1 where anything is wrong, 2 where what was asked for cannot be
played.
"""

import argparse
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle, islice
from typing import Final

from muggins.i18n import sentence
from muggins_ai.levels import LEVELS
from muggins_cli.following import follow_match
from muggins_cli.look import Look, say
from muggins_cli.options import (
    REFUSED,
    UNUSABLE,
    add_look_arguments,
    complain,
    look_asked_for,
    run_call,
    words_asked_for,
)
from muggins_cli.verdict import tell_report
from muggins_cli.words import Words
from muggins_client import DealWatch, MugginsClient, connect, verify_record
from muggins_rules.presets import PRESETS
from muggins_service.app import App
from muggins_service.config import Config
from muggins_service.telemetry.logs import configure_logs

__all__ = ["add_arguments", "run"]

_HOST: Final = "127.0.0.1"
_WINDOW_S: Final = 0.2
_WINDOW_MINIMUM_S: Final = 0.02


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The game, its opponents and the look."""
    parser.add_argument(
        "--rules", choices=sorted(PRESETS), default="all_fives", help="game (default: all_fives)"
    )
    parser.add_argument("--seats", type=int, default=2, help="number of seats (default: 2)")
    parser.add_argument(
        "--calling", action="store_true", help="points must be claimed, or an opponent calls them"
    )
    parser.add_argument(
        "--levels",
        type=_levels,
        default=("greedy_plus", "greedy"),
        metavar="LEVEL,...",
        help=f"opponents in turn, of {', '.join(LEVELS)} (default: greedy_plus,greedy)",
    )
    parser.add_argument("--seed", metavar="TEXT", help="any text: the same match each time")
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, show and check the match; the exit status."""
    words, look = words_asked_for(arguments), look_asked_for(arguments)
    if arguments.seats not in PRESETS[arguments.rules].seat_counts:
        complain(sentence("unsupported_seats", words.language))
        return UNUSABLE
    logs = configure_logs("error")
    try:
        return run_call(lambda: _demo(arguments, words, look), words, _HOST, REFUSED)
    except BrokenPipeError:
        raise
    except OSError as error:
        complain(str(error))
        return REFUSED
    finally:
        logs.flush()


async def _demo(arguments: argparse.Namespace, words: Words, look: Look) -> int:
    seed = arguments.seed
    async with (
        _server(test_seeds=seed is not None, warm=_need_warmth(arguments.levels)) as address,
        connect(address, language=words.language) as client,
    ):
        await client.ready()
        created = await client.create_match(
            arguments.rules,
            seats=arguments.seats,
            calling=arguments.calling,
            fills=dict(enumerate(islice(cycle(arguments.levels), arguments.seats))),
            test_seed=b"" if seed is None else hashlib.sha256(seed.encode()).digest(),
        )
        host = created.host
        anchor = words.line("anchor_kept", anchor=host.anchor.hex())
        say([words.line("match_watched", match=host.match_id), *look.wrapped(anchor), ""])
        deals = DealWatch(host.match_id, host.anchor)
        await client.host.start(host)
        await follow_match(client, host.match_id, deals, words, look, say)
        return await _checked(client, deals, words, look)


async def _checked(client: MugginsClient, deals: DealWatch, words: Words, look: Look) -> int:
    """Check the whole match from its export; the exit status."""
    kept = deals.kept
    report = verify_record(await client.export_match(kept.match_id), kept)
    say(list(tell_report(report, words, look)))
    return 0 if report.is_clean and not deals.findings else REFUSED


@asynccontextmanager
async def _server(*, test_seeds: bool, warm: bool) -> AsyncIterator[str]:
    """The address of a server of this process; OSError where it cannot listen."""
    app = App(
        Config(
            store="memory",
            host=_HOST,
            port=0,
            test_seeds=test_seeds,
            warm=warm,
            claim_window_s=_WINDOW_S,
            claim_minimum_s=_WINDOW_MINIMUM_S,
            rematch_wait_s=0.0,
        )
    )
    try:
        await app.start()
        yield f"{_HOST}:{app.port}"
    finally:
        await app.stop()


def _need_warmth(levels: Sequence[str]) -> bool:
    """True when one of the levels has machine code to load."""
    return not all(LEVELS[level].is_simple for level in levels)


def _levels(text: str) -> tuple[str, ...]:
    levels = tuple(text.split(","))
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no level is called {unknown[0]!r}")
    return levels
