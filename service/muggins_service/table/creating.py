"""How a table is opened: its first entries, with the seats that are filled at once."""

from hashlib import sha256

from muggins_rules.fair_deal import Chain
from muggins_service.errors import ServiceError, ServiceReason
from muggins_service.table.commands import CreateMatch
from muggins_service.table.deciding import check_seat
from muggins_service.table.drafting import Draft
from muggins_service.table.facts import Cause, Entry, MatchCreated, SeatTaken
from muggins_service.table.policy import TablePolicy
from muggins_service.table.record import Actor, ActorKind, MatchSecrets, Record
from muggins_service.table.state import Occupant, open_table

__all__ = ["decide_create", "match_secrets"]


def match_secrets(
    command: CreateMatch, chain_seed: bytes, chain_length: int, invite_code: str
) -> MatchSecrets:
    """What the server keeps of a new match's secrets."""
    return MatchSecrets(
        sha256(command.host_secret).digest(),
        invite_code,
        chain_seed,
        chain_length,
    )


def decide_create(
    match_id: str,
    command: CreateMatch,
    secrets: MatchSecrets,
    chain: Chain,
    now_us: int,
    policy: TablePolicy,
    rematch_of: str = "",
) -> Draft:
    """Draft a new table; levels have been checked. The draft's first entry is MatchCreated."""
    created = MatchCreated(
        command.rule_set,
        command.seats,
        chain.anchor(match_id),
        command.options,
        command.test_seed is not None,
        rematch_of,
    )
    first = Entry(1, now_us, 0, Cause.HOST, created)
    record = Record(1, (first,), "", b"", Actor(ActorKind.HOST), now_us, secrets)
    draft = Draft(open_table(match_id, record), now_us, policy, chain.secret)
    draft.entries.append(first)
    for fill in command.fills:
        check_seat(draft.table, fill.seat)
        if draft.table.seats[fill.seat].occupant is not Occupant.NOBODY:
            raise ServiceError(ServiceReason.SEAT_TAKEN)
        draft.add(SeatTaken(fill.seat, "", fill.level), Cause.HOST)
    draft.start_if_ready()
    return draft
