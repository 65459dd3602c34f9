"""Entries being drafted for one record: facts get their sequence, times and secrets here."""

from collections.abc import Callable, Iterable

from muggins_rules.actions import Draw, Pass, Place
from muggins_rules.deciding import decide
from muggins_rules.ending import end_match
from muggins_rules.events import (
    EndReason,
    Event,
    LotDrawn,
    MatchEnded,
    MugginsCalled,
    RoundDealt,
    RoundEnded,
    TilePlayed,
    TurnStarted,
)
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot
from muggins_rules.legal import legal_actions
from muggins_rules.opening import RoundChance, deal_round
from muggins_rules.views import Phase
from muggins_service.table.facts import (
    ACTED,
    Cause,
    Entry,
    Fact,
    MadeFor,
    MatchStarted,
    TakeoverChanged,
    TurnTiming,
    WindowTiming,
)
from muggins_service.table.pace import paced_turn
from muggins_service.table.policy import TablePolicy
from muggins_service.table.state import (
    Occupant,
    Seat,
    Status,
    Table,
    bank_left_us,
    with_entry,
)

__all__ = ["Draft", "has_people"]

_MADE_AT_TIMEOUT = (Cause.TIMEOUT, Cause.FALLBACK)

SecretOf = Callable[[int], bytes]
"""The secret of a round, by its number from 1."""


class Draft:
    """The entries that one command brings about, and the table after them.

    It is used within one decision and then thrown away; what it made is frozen.
    """

    def __init__(self, table: Table, now_us: int, policy: TablePolicy, secret_of: SecretOf) -> None:
        """Begin with a table as it stands, and nothing drafted."""
        self.table = table
        self.now_us = now_us
        self.policy = policy
        self.entries: list[Entry] = []
        self._secret_of = secret_of
        self._sequence = table.version

    def add(self, fact: Fact, cause: Cause = Cause.UNSPECIFIED, engine: str = "") -> None:
        """Draft one fact."""
        self._sequence += 1
        entry = Entry(
            self._sequence,
            self.now_us,
            self._round(fact),
            cause,
            fact,
            engine,
            self._timing(fact),
            self._secret(fact),
            self.table.placement_sequence if isinstance(fact, MugginsCalled) else 0,
            tuple(map(stand_in_moves, self.table.seats)) if isinstance(fact, MatchEnded) else (),
            self._made_for() if isinstance(fact, MatchEnded) else (),
        )
        self.entries.append(entry)
        self.table = with_entry(self.table, entry)

    def play(self, events: Iterable[Event], cause: Cause, engine: str = "") -> None:
        """Draft the facts of an action and everything that follows by itself."""
        self._add_events(events, cause, engine)
        if cause in _MADE_AT_TIMEOUT:
            self._take_over_the_absent()
        self.go_on()

    def take_over(self, seat: int, cause: Cause) -> None:
        """Draft that a stand-in plays for a seat from here on."""
        level = self.table.created.options.takeover_level
        self.add(TakeoverChanged(seat, bot_plays=True, level=level), cause)
        self.end_if_agreed()

    def end_if_agreed(self) -> None:
        """Draft the end of the match once every player who is there has agreed to it."""
        table = self.table
        agreed = table.end_agreed
        if agreed and all(
            seat in agreed for seat, held in enumerate(table.seats) if held.is_played
        ):
            self.end(EndReason.AGREED)

    def start(self) -> None:
        """Draft the beginning of play with the nonces that are known."""
        self.add(MatchStarted(tuple(seat.nonce for seat in self.table.seats)))
        self.go_on()

    def start_if_ready(self) -> None:
        """Start a full table that starts by itself, unless a committed nonce is outstanding."""
        table = self.table
        waits = not table.created.options.starts_when_full or outstanding_nonces(table)
        if table.status is Status.OPEN and table.is_full and not waits:
            self.start()

    def end(self, reason: EndReason, winning_side: int | None = None) -> None:
        """Draft the end of the match for a reason outside the rules."""
        self.add(end_match(self.table.game, reason, winning_side), Cause.UNSPECIFIED)

    def go_on(self) -> None:
        """Deal the next round and make the moves that seats asked to be made for them."""
        while self.table.status is Status.PLAYING:
            if self.table.game.phase is not Phase.PLAYING:
                self._deal()
                continue
            action = automatic_action(self.table, self.now_us)
            seat = self.table.seat_to_act
            if action is None or seat is None:
                return
            self._add_events(decide(self.table.game, seat, action), Cause.SEAT_OPTION, "")

    def _add_events(self, events: Iterable[Event], cause: Cause, engine: str) -> None:
        for event in events:
            if isinstance(event, ACTED):
                self.add(event, cause, engine)
            else:
                self.add(event)

    def _take_over_the_absent(self) -> None:
        """Draft the takeover of a seat whose turns the time limit has ended too often."""
        table, limit = self.table, self.table.created.options.absence_limit
        for seat, held in enumerate(table.seats):
            if limit and held.is_played and held.timeouts >= limit and not table.is_over:
                self.take_over(seat, Cause.TIMEOUT)

    def _deal(self) -> None:
        table = self.table
        number = table.game.round + 1
        secret = self._secret_of(number)
        highest = table.created.rule_set.deal.highest_pip
        facts = (secret, table.match_id, number, table.nonces, highest)
        chance = RoundChance(shuffled_deck(*facts), shuffled_lot(*facts))
        self._add_events(deal_round(table.game, chance), Cause.UNSPECIFIED, "")

    def _timing(self, fact: Fact) -> TurnTiming | WindowTiming | None:
        if isinstance(fact, TurnStarted):
            return self._turn_timing(fact.seat)
        if isinstance(fact, TilePlayed) and self.table.created.rule_set.calling:
            options = self.table.created.options
            longest = options.claim_window_us or self.policy.claim_window_us
            least = min(longest, self.policy.claim_minimum_us)
            if not has_people(self.table):
                least = 0
            return WindowTiming(self.now_us + least, self.now_us + longest)
        return None

    def _turn_timing(self, seat: int) -> TurnTiming:
        table, now_us = self.table, self.now_us
        not_before = paced_turn(table, seat, self._sequence, now_us, self.policy)
        limit = table.created.options.turn_limit_us
        if not limit:
            return TurnTiming(not_before_us=not_before)
        # The limit begins with the claim window's minimum over; a time to think is part of it.
        begins = now_us if table.window is None else max(now_us, table.window.not_before_us)
        bank_us = bank_left_us(table, seat)
        deadline_us = begins + limit + bank_us
        return TurnTiming(deadline_us, deadline_us - now_us, not_before, bank_us)

    def _round(self, fact: Fact) -> int:
        """The round that a fact belongs to: its lot and its deal come before the state has it."""
        begins = isinstance(fact, LotDrawn | RoundDealt)
        return self.table.game.round + begins

    def _secret(self, fact: Fact) -> bytes:
        """The secret of the round that a fact ends; none when that round had ended before."""
        ends = isinstance(fact, RoundEnded | MatchEnded)
        if ends and self.table.game.phase is Phase.PLAYING:
            return self._secret_of(self.table.game.round)
        return b""

    def _made_for(self) -> tuple[MadeFor, ...]:
        """What was made for each seat; empty where nothing was for any."""
        made = tuple(seat.made_for for seat in self.table.seats)
        return made if any(one.sequences for one in made) else ()


def stand_in_moves(seat: Seat) -> int:
    """How many moves were made for the player of a seat."""
    made = seat.made_for
    if seat.occupant is not Occupant.PLAYER:
        return 0
    return made.by_timeout + made.by_takeover + made.by_fallback


def outstanding_nonces(table: Table) -> bool:
    """True while a seat has committed to a nonce and not revealed it."""
    return any(seat.nonce_commitment and not seat.nonce for seat in table.seats)


def has_people(table: Table) -> bool:
    """True when some seat is played by its player."""
    return any(seat.is_played for seat in table.seats)


def automatic_action(table: Table, now_us: int) -> Place | Draw | Pass | None:
    """What the seat on turn asked to be done for it, where that applies now.

    An open claim window is never closed by an automatic action before its minimum time.
    """
    seat = table.seat_to_act
    if seat is None or table.seats[seat].acting_level:
        return None
    options = table.seats[seat].options
    if not (options.draws or options.passes or options.single_moves):
        return None
    if table.window is not None and now_us < table.window.not_before_us:
        return None
    actions = legal_actions(table.game)
    match actions[0]:
        case Draw() if options.draws:
            return Draw(until_playable=True)
        case Pass() if options.passes:
            return Pass()
        case Place() as only if options.single_moves and len(actions) == 1:
            return None if table.created.rule_set.calling else only
        case _:
            return None
