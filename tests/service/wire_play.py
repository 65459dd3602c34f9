"""Matches played at random from first entry to last, for the tests of the codec."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from muggins_rules import PRESETS, Call, Claim, Place, RoundChance, close_window, deal_round
from muggins_rules.deciding import decide
from muggins_rules.events import (
    EndReason,
    Event,
    MatchEnded,
    MugginsCalled,
    RoundEnded,
    ShownHand,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.evolving import evolve, evolve_all
from muggins_rules.legal import legal_actions
from muggins_rules.ruleset import RuleSet
from muggins_rules.state import MatchState, new_match
from muggins_rules.tiles import tiles_of_mask
from muggins_rules.views import Phase
from muggins_service.table.facts import (
    Cause,
    EndAgreed,
    Entry,
    Fact,
    HintShown,
    HintStep,
    MadeFor,
    MatchCreated,
    MatchOptions,
    MatchStarted,
    NonceRevealed,
    OpponentPace,
    RematchCreated,
    SeatLeft,
    SeatOptions,
    SeatOptionsSet,
    SeatResigned,
    SeatTaken,
    TakeoverChanged,
    TurnTiming,
    WindowTiming,
)
from muggins_service.table.record import Actor, ActorKind, MatchSecrets, Record, SeatKey
from muggins_service.table.state import Table, open_table, with_record

START_US = 1_750_000_000_000_000


class Clerk:
    """Writes the log of a match, with every kind of fact and of addition to one."""

    def __init__(self, rule_set: RuleSet, seats: int, seed: int) -> None:
        self.random = Random(seed)
        self.rule_set = rule_set
        self.seats = seats
        self.sequence = 0
        self.time_us = START_US + self.random.randrange(10**9)
        self.placement_sequence = 0
        self.records: list[Record] = []

    def write(self, facts: tuple[Fact, ...], round_number: int) -> None:
        """Append the record of some facts that one command brought about."""
        random = self.random
        self.time_us += random.randrange(5_000_000)
        cause = random.choice(list(Cause))
        entries = tuple(self._entry(fact, round_number, cause) for fact in facts)
        has_id = random.random() < 0.5
        first = not self.records
        self.records.append(
            Record(
                self.sequence,
                entries,
                f"id-{self.sequence}" if has_id else "",
                random.randbytes(32) if has_id else b"",
                Actor(random.choice(list(ActorKind)), random.choice([None, 0, self.seats - 1])),
                self.time_us,
                MatchSecrets(random.randbytes(32), "", random.randbytes(32), 4_096)
                if first
                else None,
                (SeatKey(0, random.randbytes(32), 1),) if random.random() < 0.2 else (),
            )
        )

    def _entry(self, fact: Fact, round_number: int, cause: Cause) -> Entry:
        random = self.random
        self.sequence += 1
        entry = Entry(self.sequence, self.time_us, round_number, cause, fact)
        if isinstance(fact, TurnStarted):
            timing = TurnTiming()
            if random.random() < 0.7:
                left = random.randrange(1, 10**8)
                not_before = random.choice([0, self.time_us + 700_000])
                timing = TurnTiming(self.time_us + left, left, not_before, left // 2)
            entry = replace(entry, timing=timing)
        if isinstance(fact, TilePlayed):
            self.placement_sequence = self.sequence
            if self.rule_set.calling:
                window = WindowTiming(self.time_us + 1_000_000, self.time_us + 8_000_000)
                entry = replace(entry, timing=window, engine="greedy@1")
        if isinstance(fact, MugginsCalled):
            entry = replace(entry, placement_sequence=self.placement_sequence)
        if isinstance(fact, RoundEnded | MatchEnded):
            entry = replace(entry, secret=random.randbytes(32))
        if isinstance(fact, MatchEnded):
            moves = tuple(random.randrange(3) for _ in range(self.seats))
            made = tuple(MadeFor(n, 0, n, tuple(range(4, 4 + 2 * n))) for n in moves)
            entry = replace(entry, stand_in_moves=moves, made_for=made)
        return entry


def played_records(
    rule_set: RuleSet, seats: int, seed: int, most_moves: int = 60
) -> tuple[Record, ...]:
    """The records of a match that is played to its end or cancelled after so many moves."""
    clerk = Clerk(rule_set, seats, seed)
    random = clerk.random
    created = MatchCreated(
        rule_set,
        seats,
        random.randbytes(32),
        MatchOptions(
            turn_limit_us=30_000_000,
            takeover_level="greedy",
            hints=True,
            observer_delay_moves=3,
            claim_window_us=8_000_000,
            private=True,
            starts_when_full=True,
            opponent_pace=OpponentPace.HUMAN,
            time_bank_us=60_000_000,
            absence_limit=3,
            takeover_after_us=90_000_000,
        ),
        seeded_for_test=True,
        rematch_of="another",
    )
    clerk.write((created,), 0)
    for seat in range(seats):
        level = "greedy" if seat == seats - 1 else ""
        name = "" if level else f"Zoë {seat}"
        clerk.write((SeatTaken(seat, name, level, b"" if level else random.randbytes(32)),), 0)
    clerk.write((SeatLeft(0), SeatTaken(0, "Ana", "", b"c" * 32)), 0)
    clerk.write(
        (
            NonceRevealed(0, b"n" * 32),
            SeatOptionsSet(0, SeatOptions(draws=True, single_moves=True)),
        ),
        0,
    )
    state = new_match(rule_set, seats)
    facts: tuple[Event, ...] = deal_round(state, _chance(state, random))
    clerk.write((MatchStarted((b"n" * 32, *(b"",) * (seats - 1))), *facts), 1)
    state = evolve_all(state, facts)
    for move in range(most_moves):
        if state.phase is Phase.OVER:
            break
        if move == 3:
            clerk.write(
                (
                    HintShown(0, HintStep.TILE),
                    EndAgreed(0, proposes=True),
                    SeatResigned(0),
                    TakeoverChanged(0, bot_plays=True, level="greedy"),
                ),
                1,
            )
        facts = _next_facts(state, random)
        coming = state.round + (state.phase is Phase.ROUND_OVER)
        clerk.write(facts, coming)
        state = evolve_all(state, facts)
    if state.phase is not Phase.OVER:
        ended = MatchEnded(None, EndReason.CANCELLED, state.scores, _shown(state))
        clerk.write((ended,), state.round)
        state = evolve(state, ended)
    clerk.write((RematchCreated("the-next"),), 0)
    return tuple(clerk.records)


def table_after(records: tuple[Record, ...]) -> Table:
    """The table that some records make."""
    table = open_table("match-1", records[0])
    for record in records[1:]:
        table = with_record(table, record)
    return table


def _next_facts(state: MatchState, random: Random) -> tuple[Event, ...]:
    if state.phase is Phase.ROUND_OVER:
        return deal_round(state, _chance(state, random))
    assert state.table is not None
    window = state.table.window
    if window is not None and window.claimed is None and random.random() < 0.4:
        return decide(state, window.mover, Claim(random.choice([0, window.count.points])))
    if window is not None and random.random() < 0.3:
        caller = (window.mover + 1) % state.seats
        return decide(state, caller, Call(window.placement))
    if state.table.turn is None:
        return close_window(state)
    action = random.choice(legal_actions(state))
    if isinstance(action, Place) and state.rule_set.calling and random.random() < 0.4:
        action = replace(action, claim=random.randrange(20))
    return decide(state, state.table.turn, action)


def _chance(state: MatchState, random: Random) -> RoundChance:
    highest = state.rule_set.deal.highest_pip
    codes = [tile.code for tile in tiles_of_mask((1 << 28) - 1) if tile.high <= highest]
    return RoundChance(
        tuple(random.sample(codes, len(codes))), tuple(random.sample(codes, len(codes)))
    )


def _shown(state: MatchState) -> tuple[ShownHand, ...]:
    if state.phase is not Phase.PLAYING or state.table is None:
        return ()
    hands = [tiles_of_mask(mask) for mask in state.table.hands]
    return tuple(
        ShownHand(seat, hand, sum(tile.pips for tile in hand)) for seat, hand in enumerate(hands)
    )


@st.composite
def games(draw: st.DrawFn) -> tuple[RuleSet, int]:
    """A preset, with or without calling, and a number of seats that it offers."""
    rule_set = draw(st.sampled_from(list(PRESETS.values())))
    rule_set = replace(rule_set, calling=draw(st.booleans()))
    return rule_set, draw(st.sampled_from(rule_set.seat_counts))


@st.composite
def matches(draw: st.DrawFn) -> tuple[Record, ...]:
    """The records of a match played at random."""
    rule_set, seats = draw(games())
    most_moves = draw(st.integers(0, 90))
    return played_records(rule_set, seats, draw(st.integers(0, 2**32)), most_moves)
