"""Jobs that make a match: creating, finding where there is none, and the rematch."""

from collections.abc import Callable, Container, Hashable
from dataclasses import replace
from typing import Final, NamedTuple

from muggins_rules.fair_deal import Chain
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.matches.ids import new_invite_code, new_match_id, test_match_id
from muggins_service.table.commands import CreateMatch, FindMatch, JoinMatch, SeatFill
from muggins_service.table.creating import decide_create, match_secrets
from muggins_service.table.deciding import decide_join
from muggins_service.table.drafting import Draft
from muggins_service.table.facts import MatchOptions
from muggins_service.table.policy import TablePolicy
from muggins_service.table.record import MatchSecrets, SeatKey
from muggins_service.table.state import Occupant, Table

__all__ = ["Founder", "Founding", "join_of", "names_taken"]

_FOUND_OPTIONS: Final = MatchOptions(starts_when_full=True)


class Founding(NamedTuple):
    """A match about to be made: its id, its private parts and what its first record holds."""

    match_id: str
    chain: Chain
    secrets: MatchSecrets
    draft: Draft
    seat: int | None = None
    keys: tuple[SeatKey, ...] = ()


class Founder:
    """Makes matches under a server's policy; `random_bytes` is the operating system's chance."""

    def __init__(
        self,
        policy: TablePolicy,
        levels: Container[str],
        random_bytes: Callable[[int], bytes],
        *,
        test_seeds: bool,
    ) -> None:
        """Keep what every match is made with."""
        self._policy = policy
        self._levels = levels
        self._random_bytes = random_bytes
        self._test_seeds = test_seeds

    def check_level(self, level: str) -> None:
        """Raise LEVEL_UNKNOWN unless an opponent has that level."""
        if level not in self._levels:
            raise ServiceError(ServiceReason.LEVEL_UNKNOWN)

    def create(
        self, command: CreateMatch, taken: Container[str], now_us: int, principal: str = ""
    ) -> Founding:
        """Open a table as asked by a principal, who is empty where nobody was asked who he is."""
        seed = command.test_seed
        if seed is not None and not self._test_seeds:
            raise ServiceError(ServiceReason.TEST_SEED_NOT_ALLOWED)
        for fill in command.fills:
            self.check_level(fill.level)
        command = replace(command, options=self._completed(command.options))
        match_id = new_match_id() if seed is None else test_match_id(seed, taken)
        chain_seed = self._random_bytes(32) if seed is None else seed
        invite_code = new_invite_code() if command.options.private else ""
        secrets = match_secrets(command, chain_seed, self._policy.chain_length, invite_code)
        secrets = replace(secrets, host_principal=principal)
        return self._found(match_id, command, secrets, now_us)

    def find(self, command: FindMatch, now_us: int, principal: str = "") -> Founding:
        """Open a table for a player who found none, and seat the player."""
        create = CreateMatch(command.rule_set, command.seats, _FOUND_OPTIONS, command.host_secret)
        founding = self.create(create, (), now_us, principal)
        seat, key = decide_join(founding.draft, join_of(command))
        assert key is not None, "the seat was free"
        return founding._replace(seat=seat, keys=(replace(key, principal=principal),))

    def rematch(self, table: Table, now_us: int) -> Founding:
        """Open another table like one whose match is over, with its opponents seated again."""
        fills = tuple(
            SeatFill(seat, held.level)
            for seat, held in enumerate(table.seats)
            if held.occupant is Occupant.OPPONENT
        )
        created = table.created
        command = CreateMatch(created.rule_set, created.seats, created.options, b"", fills)
        secrets = replace(
            table.secrets,
            chain_seed=self._random_bytes(32),
            chain_length=self._policy.chain_length,
        )
        return self._found(new_match_id(), command, secrets, now_us, rematch_of=table.match_id)

    def _found(
        self,
        match_id: str,
        command: CreateMatch,
        secrets: MatchSecrets,
        now_us: int,
        *,
        rematch_of: str = "",
    ) -> Founding:
        chain = Chain.from_seed(secrets.chain_seed, secrets.chain_length)
        draft = decide_create(match_id, command, secrets, chain, now_us, self._policy, rematch_of)
        return Founding(match_id, chain, secrets, draft)

    def _completed(self, options: MatchOptions) -> MatchOptions:
        """The options with the server's defaults where the request leaves them open."""
        level = options.takeover_level or self._policy.takeover_level
        self.check_level(level)
        policy = self._policy
        limited = bool(options.turn_limit_us)
        return replace(
            options,
            takeover_level=level,
            claim_window_us=options.claim_window_us or policy.claim_window_us,
            absence_limit=options.absence_limit or (policy.absence_limit if limited else 0),
            takeover_after_us=options.takeover_after_us
            or (0 if limited else policy.takeover_after_us),
        )


def join_of(command: FindMatch) -> JoinMatch:
    """The joining that a FindMatch means at a table that was found."""
    return JoinMatch(command.name, command.seat_secret, nonce_commitment=command.nonce_commitment)


def names_taken(command: CreateMatch | FindMatch, request_id: str) -> frozenset[Hashable]:
    """What no other founding may take before this one is stored, so that it knows of it.

    These are the request id, so that a repeat gets the first answer; the game that is found, so
    that players who look for it together meet at one table; and the seed from which a match's id
    comes.
    """
    names: set[Hashable] = set()
    if request_id:
        names.add(request_id)
    if isinstance(command, FindMatch):
        names.add((command.rule_set, command.seats))
    elif command.test_seed is not None:
        names.add(command.test_seed)
    return frozenset(names)
