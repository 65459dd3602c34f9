"""Whole matches played by the rules over fair deals, as exports and as viewers see them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from muggins.v1 import events_pb2, records_pb2
from muggins_client import Kept
from muggins_rules import (
    Call,
    Claim,
    Phase,
    Place,
    RoundChance,
    close_window,
    deal_round,
    decide,
    evolve,
    legal_actions,
    new_match,
    project,
)
from muggins_rules.ending import end_match
from muggins_rules.events import EndReason, MatchEnded, RoundDealt, RoundEnded, TilePlayed
from muggins_rules.fair_deal import Chain, commit_nonce, shuffled_deck, shuffled_lot
from tests.clients.wire import wire_event, wire_rule_set

if TYPE_CHECKING:
    from muggins_rules import MatchState, RuleSet, Viewer
    from muggins_rules.events import Event

__all__ = ["MATCH_ID", "PlayedMatch", "play_match"]

MATCH_ID = "played-1"


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that is over; `facts` are by sequence where they are facts of the rules."""

    record: records_pb2.MatchRecord
    nonces: tuple[bytes, ...]
    facts: dict[int, Event]

    @property
    def events(self) -> list[events_pb2.Event]:
        return [event for entry in self.record.records for event in entry.events]

    def kept_by(self, seat: int) -> Kept:
        commitments = tuple(commit_nonce(nonce) if nonce else b"" for nonce in self.nonces)
        anchor = self.record.fairness_anchor
        return Kept(MATCH_ID, anchor, seat, self.nonces[seat], commitments)

    def seen_by(self, viewer: Viewer) -> list[events_pb2.Event]:
        """The events as a seat or the public is sent them."""
        sequences: dict[int, int] = {}
        shown = []
        for event in self.events:
            fact = self.facts.get(event.sequence)
            if fact is None:
                shown.append(event)
                continue
            if isinstance(fact, TilePlayed):
                sequences[fact.number] = event.sequence
            secret = event.round_ended.secret or event.match_ended.secret
            projected = project(fact, viewer, calling=self.record.rule_set.calling)
            wired = wire_event(projected, sequences, secret)
            wired.sequence, wired.round = event.sequence, event.round
            shown.append(wired)
        return shown


def play_match(
    rule_set: RuleSet,
    seats: int = 2,
    *,
    seed: int = 1,
    with_nonce: tuple[int, ...] = (0,),
    cancel_in_round: int | None = None,
    most_rounds: int = 60,
) -> PlayedMatch:
    """A match between random players; cancelled in a round where wanted or after too many."""
    return _Table(rule_set, seats, Random(seed), with_nonce).played(
        cancel_in_round or most_rounds, in_mid_round=cancel_in_round is not None
    )


class _Table:
    def __init__(
        self, rule_set: RuleSet, seats: int, rng: Random, with_nonce: tuple[int, ...]
    ) -> None:
        self.rng = rng
        self.chain = Chain.from_seed(rng.randbytes(32))
        self.nonces = tuple(
            rng.randbytes(32) if seat in with_nonce else b"" for seat in range(seats)
        )
        self.state: MatchState = new_match(rule_set, seats)
        self.facts: dict[int, Event] = {}
        self.sequences: dict[int, int] = {}
        self.round = 0
        self.record = records_pb2.MatchRecord(
            match_id=MATCH_ID,
            rule_set=wire_rule_set(rule_set),
            seats=seats,
            fairness_anchor=self.chain.anchor(MATCH_ID),
            format=1,
        )
        self.version = 0

    def played(self, last_round: int, *, in_mid_round: bool) -> PlayedMatch:
        self._set_the_table()
        while self.state.phase is not Phase.OVER:
            if self.state.phase is not Phase.PLAYING:
                self._deal()
            elif in_mid_round and self.round == last_round and self._has_begun():
                self._happen(end_match(self.state, EndReason.CANCELLED))
            else:
                self._act()
            if self.state.phase is Phase.ROUND_OVER and self.round == last_round:
                ended = MatchEnded(None, EndReason.CANCELLED, self.state.scores)
                self._happen(ended)
        return PlayedMatch(self.record, self.nonces, self.facts)

    def _has_begun(self) -> bool:
        return len(self.state.events) > 3 * self.state.seats

    def _set_the_table(self) -> None:
        created = events_pb2.MatchCreated(
            rule_set=self.record.rule_set,
            fairness_anchor=self.record.fairness_anchor,
            seats=self.record.seats,
        )
        self._append(events_pb2.Event(match_created=created))
        for seat, nonce in enumerate(self.nonces):
            taken = events_pb2.SeatTaken(
                seat=seat,
                name=f"player {seat}" if nonce else "",
                level="" if nonce else "greedy",
                nonce_commitment=commit_nonce(nonce) if nonce else b"",
            )
            self._append(events_pb2.Event(seat_taken=taken))
        for seat, nonce in enumerate(self.nonces):
            if nonce:
                revealed = events_pb2.NonceRevealed(seat=seat, nonce=nonce)
                self._append(events_pb2.Event(nonce_revealed=revealed))
        self._append(events_pb2.Event(match_started=events_pb2.MatchStarted(nonces=self.nonces)))

    def _deal(self) -> None:
        self.round += 1
        self.sequences.clear()
        secret = self.chain.secret(self.round)
        pips = self.state.rule_set.deal.highest_pip
        chance = RoundChance(
            shuffled_deck(secret, MATCH_ID, self.round, self.nonces, pips),
            shuffled_lot(secret, MATCH_ID, self.round, self.nonces, pips),
        )
        self._happen(*deal_round(self.state, chance))

    def _act(self) -> None:
        table = self.state.table
        assert table is not None
        window_is_open = table.window is not None
        if window_is_open and self._said():
            return
        if window_is_open and (table.turn is None or self.rng.random() < 0.5):
            self._happen(*close_window(self.state))
            return
        assert table.turn is not None, "somebody is to act"
        action = self.rng.choice(legal_actions(self.state))
        if isinstance(action, Place) and self.state.rule_set.calling and self.rng.random() < 0.5:
            action = Place(action.placement, self.rng.choice((0, 5, 10)))
        self._happen(*decide(self.state, table.turn, action))

    def _said(self) -> bool:
        """Somebody claims or calls, now and then."""
        table = self.state.table
        assert table is not None
        window = table.window
        assert window is not None
        chance = self.rng.random()
        if chance < 0.3 and window.claimed is None:
            points = self.rng.choice((window.count.points, 5))
            self._happen(*decide(self.state, window.mover, Claim(points)))
            return True
        if chance < 0.5 and not window.called:
            caller = (window.mover + 1) % self.state.seats
            self._happen(*decide(self.state, caller, Call(window.placement)))
            return True
        return False

    def _happen(self, *facts: Event) -> None:
        entry = self.record.records.add()
        for fact in facts:
            self.version += 1
            ends_round = isinstance(fact, RoundEnded) or (
                isinstance(fact, MatchEnded) and self.state.phase is Phase.PLAYING
            )
            if isinstance(fact, TilePlayed):
                self.sequences[fact.number] = self.version
            secret = self.chain.secret(self.round) if ends_round else b""
            wired = wire_event(fact, self.sequences, secret)
            wired.sequence, wired.round = self.version, self.round
            entry.events.append(wired)
            self.facts[self.version] = fact
            self.state = evolve(self.state, fact)
            assert not isinstance(fact, RoundDealt) or fact.round == self.round
        entry.version = self.version

    def _append(self, event: events_pb2.Event) -> None:
        self.version += 1
        event.sequence = self.version
        entry = self.record.records.add(version=self.version)
        entry.events.append(event)
