"""How many matches that are not over each caller has made."""

from collections import Counter

from muggins_service.doors.accounts import account_of_principal
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.slot import Slot

__all__ = ["MatchQuota"]


class MatchQuota:
    """Counts matches by the account of who made them; `most` is the limit of each, 0: none.

    After a restart those count whose host is a principal; addresses are not stored.
    """

    def __init__(self, most: int = 0) -> None:
        """Begin without a match."""
        self._most = most
        self._accounts: dict[str, str] = {}
        self._held: Counter[str] = Counter()
        self._begun: Counter[str] = Counter()

    def begin(self) -> None:
        """Forget what was begun in the last run: by now it is stored, or came to nothing."""
        self._begun.clear()

    def take(self, account: str) -> None:
        """Count one more match that is about to be made; TOO_MANY_MATCHES at the limit."""
        if not self._most or not account:
            return
        if self._held[account] + self._begun[account] >= self._most:
            raise ServiceError(
                ServiceReason.TOO_MANY_MATCHES,
                metadata={"limit": str(self._most)},
                quota=(account, f"at most {self._most} matches that are not over"),
            )
        self._begun[account] += 1

    def changed(self, match_id: str, slot: Slot | None) -> None:
        """Take note of a match that has changed, or that is held no more."""
        if not self._most:
            return
        if slot is None or slot.table.is_over:
            account = self._accounts.pop(match_id, "")
            if account:
                self._held[account] -= 1
                if not self._held[account]:
                    del self._held[account]
        elif match_id not in self._accounts:
            account = slot.account or _account_of_host(slot)
            if account:
                self._accounts[match_id] = account
                self._held[account] += 1


def _account_of_host(slot: Slot) -> str:
    principal = slot.table.secrets.host_principal
    return account_of_principal(principal) if principal else ""
