"""Matches with a chosen deck, put into a running server as records of its store."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Final

from muggins_rules import (
    PUBLIC,
    Action,
    Call,
    Claim,
    IllegalAction,
    MatchState,
    RoundChance,
    RuleSet,
    close_window,
    deal_round,
    decide,
    evolve_all,
    legal_actions,
    new_match,
    project,
)
from muggins_rules.events import Event
from muggins_rules.fair_deal import Chain
from muggins_rules.tiles import TILES
from muggins_service.matches.slot import Slot
from muggins_service.store.port import Append, AppendResult
from muggins_service.table.commands import Act, CreateMatch, Tick
from muggins_service.table.creating import decide_create, match_secrets
from muggins_service.table.deciding import decide_act, decide_tick
from muggins_service.table.drafting import Draft
from muggins_service.table.facts import Cause, MatchOptions, MatchStarted, SeatTaken
from muggins_service.table.policy import TablePolicy
from muggins_service.table.record import Actor, ActorKind, Record, SeatKey
from muggins_service.table.state import Table, finished
from muggins_service.wire.records import encode_record
from tests.service.server import Service

__all__ = ["MATCH_ID", "START_US", "History", "inject", "played_history", "swapped"]

MATCH_ID: Final = "aaaabbbbccccddddeeeeffffgg"
START_US: Final = 1_800_000_000_000_000
SEED: Final = b"\x11" * 32
"""The chain's seed: the same for every deck, since secrets are no part of what is compared."""

TIME_OUT: Final = -1
"""The seat of a step in which the claim window runs out."""

Step = tuple[int, Action | None]


class History:
    """A deck and the steps that were played on it."""

    def __init__(self, rule_set: RuleSet, seats: int, chance: RoundChance) -> None:
        self.rule_set = rule_set
        self.seats = seats
        self.chance = chance
        self.steps: list[Step] = []
        self.events: list[tuple[Event, ...]] = []
        state = new_match(rule_set, seats)
        self.opening = deal_round(state, chance)
        self.state: MatchState = evolve_all(state, self.opening)

    def step(self, seat: int, action: Action | None) -> None:
        """Do a step; IllegalAction where the deck does not allow it."""
        state = self.state
        events = close_window(state) if action is None else decide(state, seat, action)
        self.state = evolve_all(state, events)
        self.steps.append((seat, action))
        self.events.append(events)

    def seen(self, viewer: int | None) -> list[Event]:
        """All events as a viewer saw them."""
        calling = self.rule_set.calling
        events = [*self.opening, *(event for part in self.events for event in part)]
        return [project(event, viewer, calling=calling) for event in events]


def played_history(rule_set: RuleSet, seats: int, moves: int, random: Random) -> History:
    """A round played at random for some steps, not to its end."""
    codes = list(range(len(TILES)))
    chance = RoundChance(
        tuple(random.sample(codes, len(codes))), tuple(random.sample(codes, len(codes)))
    )
    history = History(rule_set, seats, chance)
    for _ in range(moves):
        table = history.state.table
        assert table is not None
        window = table.window
        if window is not None and window.claimed is None and random.random() < 0.4:
            history.step(window.mover, Claim(random.choice([0, window.count.points])))
        elif window is not None and random.random() < 0.2:
            history.step((window.mover + 1) % seats, Call(window.placement))
        elif window is not None and table.turn is not None and random.random() < 0.3:
            history.step(TIME_OUT, None)
        elif table.turn is not None:
            action = random.choice(legal_actions(history.state))
            after = evolve_all(history.state, decide(history.state, table.turn, action))
            if after.table is None or after.table.turn is None:
                return history
            history.step(table.turn, action)
    return history


def swapped(history: History, viewer: int | None, random: Random) -> History | None:
    """The same history with the tiles that a viewer has not seen dealt otherwise; none found."""
    deck = list(history.chance.deck)
    shown = _seen_codes(history, viewer)
    hidden = [place for place, code in enumerate(deck) if code not in shown]
    for _ in range(4_000):
        codes = [deck[place] for place in hidden]
        random.shuffle(codes)
        other = deck.copy()
        for place, code in zip(hidden, codes, strict=True):
            other[place] = code
        if other != deck:
            found = _replayed(history, RoundChance(tuple(other), history.chance.lot), viewer)
            if found is not None:
                return found
    return None


def _seen_codes(history: History, viewer: int | None) -> set[int]:
    state = history.state
    assert state.table is not None
    laid = {placement.tile.code for placement in state.table.layout.placements}
    if viewer is None:
        return laid
    hand = state.table.hands[viewer]
    return laid | {code for code in range(len(TILES)) if hand >> code & 1}


def _replayed(history: History, chance: RoundChance, viewer: int | None) -> History | None:
    again = History(history.rule_set, history.seats, chance)
    try:
        for seat, action in history.steps:
            again.step(seat, action)
    except (IllegalAction, AssertionError):
        return None
    public = PUBLIC if viewer is None else viewer
    return again if history.seen(public) == again.seen(public) else None


def inject(service: Service, history: History, secrets: Sequence[bytes]) -> Table:
    """Put the match of a history into a server's store; players hold `secrets` by seat."""
    policy = TablePolicy(claim_minimum_us=0)
    chain = Chain.from_seed(SEED, policy.chain_length)
    options = MatchOptions(takeover_level="greedy", claim_window_us=10_000_000, hints=True)
    create = CreateMatch(history.rule_set, history.seats, options, b"\x22" * 32)
    kept = match_secrets(create, SEED, policy.chain_length, "")
    slot = Slot(MATCH_ID, chain, service.app.engine._changed)
    slot.watch = service.app.store.watch(MATCH_ID, 0, slot.on_stored)
    draft = decide_create(MATCH_ID, create, kept, chain, START_US, policy)
    for seat in range(history.seats):
        draft.add(SeatTaken(seat, f"Player {seat}"), Cause.PLAYER)
    keys = tuple(SeatKey(seat, _hash(secret), 1) for seat, secret in enumerate(secrets))
    draft.add(MatchStarted((b"",) * history.seats))
    draft._add_events(history.opening, Cause.UNSPECIFIED, "")
    first = replace(_record(draft, keys), match_secrets=kept)
    _append(service, slot, 0, first)
    for number, (seat, action) in enumerate(history.steps):
        table = slot.table
        draft = Draft(table, START_US + (number + 1) * 1_000_000, policy, chain.secret)
        if action is None:
            draft.now_us = table.window.closes_at_us if table.window else draft.now_us
            decide_tick(draft, Tick())
        else:
            decide_act(draft, Act(seat, _by_sequence(table, action)))
        _append(service, slot, table.version, _record(draft, ()))
    return slot.table


def _by_sequence(table: Table, action: Action) -> Action:
    return Call(table.placement_sequence) if isinstance(action, Call) else action


def _hash(secret: bytes) -> bytes:
    return sha256(secret).digest()


def _record(draft: Draft, keys: tuple[SeatKey, ...]) -> Record:
    entries = tuple(draft.entries)
    actor = Actor(ActorKind.SERVER)
    record = Record(entries[-1].sequence, entries, "", b"", actor, draft.now_us, None, keys)
    assert finished(draft.table, record).version == record.version
    return record


def _append(service: Service, slot: Slot, expected: int, record: Record) -> None:
    results: list[Sequence[AppendResult]] = []
    append = Append(slot.match_id, expected, record, encode_record(record))
    service.app.store.append_batch([append], results.append)
    assert [[AppendResult.STORED]] == [list(result) for result in results]
