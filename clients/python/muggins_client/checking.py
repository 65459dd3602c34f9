"""The check of a match event by event: its secrets, its shuffles, and every move by the rules."""

from collections.abc import Iterator
from typing import Final, Literal

from muggins.v1 import events_pb2
from muggins_client.decoding import Undecodable, decode_event, decode_rule_set
from muggins_client.findings import Finding, FindingName
from muggins_client.kept import Kept
from muggins_client.nonces import NonceCheck
from muggins_client.replay import Replay, Seen
from muggins_rules import RoundChance, RuleSet, Viewer, new_match, project
from muggins_rules.events import Event, LotDrawn, MatchEnded, RoundDealt, RoundEnded, TilePlayed
from muggins_rules.fair_deal import shuffled_deck, shuffled_lot, verify_secret
from muggins_rules.tiles import SET_CODES

__all__ = ["EVERYTHING", "Audience", "MatchCheck"]

EVERYTHING: Final = "everything"
"""The audience of records: nothing is hidden."""

Audience = Viewer | Literal["everything"]
"""Whose events are checked: a seat's, the public's, or those of a record."""


class MatchCheck:
    """Takes the events of one match in their order and gives what is wrong with each.

    A round is replayed when its secret is out. In records a round without a valid secret is
    replayed from the deck as recorded; other viewers have to leave it unchecked.
    """

    def __init__(self, match_id: str, anchor: bytes, audience: Audience, kept: Kept | None) -> None:
        """`anchor` is the one to check secrets against."""
        self._match_id = match_id
        self._anchor = anchor
        self._audience: Audience = audience
        self.nonces = NonceCheck(kept)
        self.rounds_checked = 0
        """Rounds whose shuffle and moves were made again."""
        self._replay: Replay | None = None
        self._rule_set: RuleSet | None = None
        self._round: list[Seen] = []
        self._placements: dict[int, int] = {}

    def begin(self, rule_set: RuleSet, seats: int) -> bool:
        """Take the rules of the match; false where it cannot be played by them."""
        try:
            state = new_match(rule_set, seats)
        except ValueError:
            return False
        self._rule_set = rule_set
        self._replay = Replay(state, self._shown)
        self.nonces.begin(seats)
        return True

    def take(self, message: events_pb2.Event) -> Iterator[Finding]:
        """What is wrong with the next event."""
        sequence = message.sequence
        if message.WhichOneof("fact") == "match_created":
            if self._replay is not None:
                yield Finding(FindingName.EVENT_UNEXPECTED, sequence, "MatchCreated")
                return
            yield from self._created(message.match_created, sequence)
            return
        yield from self.nonces.take(message)
        try:
            event = decode_event(message, self._placements)
        except Undecodable as malformed:
            yield Finding(FindingName.EVENT_MALFORMED, sequence, str(malformed))
            return
        if event is None:
            return
        match event:
            case TilePlayed():
                self._placements[sequence] = event.number
            case LotDrawn() | RoundDealt() if not self._round:
                self._placements.clear()
            case _:
                pass
        if self._round or isinstance(event, LotDrawn | RoundDealt):
            self._round.append(Seen(sequence, event))
            if isinstance(event, RoundEnded | MatchEnded):
                secret = _secret_of(message)
                yield from self._round_over(message.round or self._round_number(), secret)
        elif self._replay is not None:
            yield from self._replay.see(Seen(sequence, event), None)

    def finish(self) -> Iterator[Finding]:
        """What is wrong when nothing more comes."""
        if self._replay is not None:
            yield from self._replay.finish()

    def _created(self, fact: events_pb2.MatchCreated, sequence: int) -> Iterator[Finding]:
        if fact.fairness_anchor != self._anchor:
            yield Finding(FindingName.ANCHOR_MISMATCH, sequence)
        try:
            rule_set = decode_rule_set(fact.rule_set)
        except Undecodable as malformed:
            yield Finding(FindingName.RULE_SET_INVALID, sequence, str(malformed))
            return
        if not self.begin(rule_set, fact.seats):
            yield Finding(FindingName.RULE_SET_INVALID, sequence)

    def _round_over(self, number: int, secret: bytes) -> Iterator[Finding]:
        seen, self._round = self._round, []
        ended = seen[-1].sequence
        is_valid = verify_secret(self._anchor, self._match_id, number, secret)
        if not secret:
            yield Finding(FindingName.SECRET_MISSING, ended)
        elif not is_valid:
            yield Finding(FindingName.SECRET_INVALID, ended)
        replay = self._replay
        if replay is None:
            return
        chance = self._derived(secret, number) if is_valid else None
        if chance is None and self._audience == EVERYTHING:
            if is_valid:
                yield Finding(FindingName.EVENT_MISSING, ended, "MatchStarted")
                is_valid = False
            chance = _recorded(seen, self._rule_set)
        if chance is None:
            replay.is_broken = True
            return
        yield from replay.deal(chance, seen[0].sequence)
        following: list[Event | None] = [told.event for told in seen[1:]]
        for told, after in zip(seen, [*following, None], strict=True):
            yield from replay.see(told, after)
        if is_valid and not replay.is_broken:
            self.rounds_checked += 1

    def _derived(self, secret: bytes, number: int) -> RoundChance | None:
        """The chance of a round by its secret; none where the nonces are not known."""
        nonces = self.nonces.listed
        if nonces is None or self._rule_set is None:
            return None
        pips = self._rule_set.deal.highest_pip
        return RoundChance(
            shuffled_deck(secret, self._match_id, number, nonces, pips),
            shuffled_lot(secret, self._match_id, number, nonces, pips),
        )

    def _round_number(self) -> int:
        numbers = (told.event.round for told in self._round if isinstance(told.event, RoundDealt))
        return next(numbers, 0)

    def _shown(self, event: Event) -> Event:
        assert self._rule_set is not None, "the match has begun"
        if self._audience == EVERYTHING:
            return event
        return project(event, self._audience, calling=self._rule_set.calling)


def _secret_of(message: events_pb2.Event) -> bytes:
    if message.WhichOneof("fact") == "round_ended":
        return message.round_ended.secret
    return message.match_ended.secret


def _recorded(seen: list[Seen], rule_set: RuleSet | None) -> RoundChance | None:
    """The chance of a round as recorded; none where it was not told, or cannot be."""
    if rule_set is None:
        return None
    codes = SET_CODES[rule_set.deal.highest_pip]
    deck: tuple[int, ...] = ()
    lot: list[int] = []
    for _, event in seen:
        match event:
            case LotDrawn(_, tile):
                lot.append(tile.code)
            case RoundDealt(deck=tuple(tiles)):
                deck = tuple(tile.code for tile in tiles)
            case _:
                pass
    lot += [code for code in codes if code not in lot]
    if tuple(sorted(deck)) != codes or tuple(sorted(lot)) != codes:
        return None
    return RoundChance(deck, tuple(lot))
