"""How a server runs its tables: times and levels where a match does not say."""

from dataclasses import dataclass

__all__ = ["TablePolicy"]

SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True)
class TablePolicy:
    """Times in microseconds. `chain_length` is the most rounds of a match.

    `open_lifetime_us` is for tables that have not started, `idle_lifetime_us` for those in play.
    `absence_limit` and `takeover_after_us` are for tables with and without a turn limit; 0: none.

    `think_least_us` and `think_most_us` bound how long opponents of a human pace think.
    `started_us` is since when the server is there: what fell due while it was not gets
    `restart_grace_us` more.
    """

    takeover_level: str = "greedy_plus"
    claim_window_us: int = 10 * SECOND_US
    claim_minimum_us: int = 2 * SECOND_US
    nonce_wait_us: int = 5 * SECOND_US
    idle_lifetime_us: int = 3_600 * SECOND_US
    open_lifetime_us: int = 1_800 * SECOND_US
    absence_limit: int = 3
    takeover_after_us: int = 300 * SECOND_US
    finished_lifetime_us: int = 900 * SECOND_US
    rematch_wait_us: int = 10 * SECOND_US
    chain_length: int = 4_096
    think_least_us: int = 700_000
    think_most_us: int = 2_500_000
    started_us: int = 0
    restart_grace_us: int = 15 * SECOND_US

    def due_us(self, time_us: int, since_us: int) -> int:
        """When a time that was set at `since_us` counts as over: players may have to come back."""
        if since_us >= self.started_us:
            return time_us
        return max(time_us, self.started_us + self.restart_grace_us)

    def idle_from_us(self, changed_us: int) -> int:
        """From when on a match counts as idle: nobody could act while there was no server."""
        return max(changed_us, self.started_us)
