"""The command that trains families and writes their weights, on as many cores as it is given."""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any, Final, TextIO

from muggins_ai.evaluate.weights import DATA
from muggins_ai.train.files import read_family, write_family
from muggins_ai.train.jobs import Job, UnknownFamilyError, do_job, jobs_of

__all__ = ["add_arguments", "main", "run"]

_LOOK_EVERY_S: Final = 1.0
_BAR: Final = 30

_Told = tuple[str, float]
_told: "SimpleQueue[_Told] | None" = None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what can be said about a training."""
    parser.add_argument(
        "--families", nargs="+", default=[], metavar="FAMILY", help="such as muggins-2; all unless"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=1.2,
        help="length for each family in nominal minutes of a core: a fixed number of rounds",
    )
    parser.add_argument("--seed", type=int, default=1, help="all chance follows from it")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="families at a time")
    parser.add_argument("--out", type=Path, default=DATA, help="folder of the weights")
    parser.add_argument(
        "--keep-weights",
        action="store_true",
        help="only make the match equity and the trial of the policy again",
    )


def run(options: argparse.Namespace) -> int:
    """Train, write and tell about it; the exit status."""
    folder: Path = options.out
    try:
        jobs = jobs_of(
            options.families,
            options.minutes,
            options.seed,
            folder,
            keep_weights=options.keep_weights,
        )
    except UnknownFamilyError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    folder.mkdir(parents=True, exist_ok=True)
    context = get_context("spawn")
    told: SimpleQueue[_Told] = context.SimpleQueue()
    with ProcessPoolExecutor(
        max(1, options.processes), context, initializer=_listen, initargs=(told,)
    ) as pool:
        work = {pool.submit(_do, job, read_family(job.family, folder)): job for job in jobs}
        _follow(work, told, _Bar(sys.stderr, [job.family for job in jobs]))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments and train; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m muggins_ai.train", description=__doc__)
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def _listen(told: "SimpleQueue[_Told]") -> None:
    """Begin a worker: where it tells how far it is."""
    global _told  # noqa: PLW0603 - a worker process has one queue
    _told = told


def _do(job: Job, known: dict[str, Any]) -> dict[str, Any]:
    assert _told is not None, "workers begin with _listen"
    queue = _told
    return do_job(job, known, lambda family, share: queue.put((family, share)))


def _follow(
    work: dict[Future[dict[str, Any]], Job], told: "SimpleQueue[_Told]", bar: "_Bar"
) -> None:
    """Write each family's entry when it is done, and tell how far the others are."""
    left = set(work)
    while left:
        done, left = wait(left, _LOOK_EVERY_S, return_when="FIRST_COMPLETED")
        while not told.empty():
            bar.note(*told.get())
        for future in done:
            job, entry = work[future], future.result()
            write_family(job.family, entry, job.folder)
            bar.close(job.family, entry)
        bar.show()


class _Bar:
    """A line that tells how far a training is and how long it will take."""

    def __init__(self, stream: TextIO, families: Iterable[str]) -> None:
        self._stream = stream
        self._shares = dict.fromkeys(families, 0.0)
        self._started = time.monotonic()

    def note(self, family: str, share: float) -> None:
        """Take to heart how much of a family is done."""
        self._shares[family] = max(share, self._shares[family])

    def show(self) -> None:
        """Tell where the whole training stands, on a terminal."""
        done = sum(self._shares.values()) / len(self._shares)
        if not self._stream.isatty():
            return
        spent = time.monotonic() - self._started
        left = f"{(spent / done - spent) / 60:.1f} min left" if done else "compiling"
        running = ", ".join(name for name, share in self._shares.items() if 0 < share < 1)
        filled = "#" * round(_BAR * done)
        self._stream.write(f"\r\x1b[K[{filled:<{_BAR}}] {done:4.0%}, {left} {running}")
        self._stream.flush()

    def close(self, family: str, entry: dict[str, Any]) -> None:
        """A line for a family that is done."""
        self._shares[family] = 1.0
        start = "\r\x1b[K" if self._stream.isatty() else ""
        held_out, trial = entry["held_out"], entry["policy_against_greedy_plus"]
        rate, low, high = trial["win_rate"]
        self._stream.write(
            f"{start}{family}: explains {held_out['value_variance_explained']:.3f} of the value; "
            f"policy alone wins {rate:.1%} ({low:.1%} to {high:.1%}) against greedy_plus\n"
        )
        self._stream.flush()
