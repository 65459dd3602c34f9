"""Notices of matches: one message for webhooks and streams alike."""

from collections.abc import Iterator
from typing import Final

from google.protobuf.json_format import MessageToDict

from muggins.v1 import results_pb2 as pb
from muggins_rules.events import MatchEnded
from muggins_service.table.facts import Entry, MatchStarted, TakeoverChanged
from muggins_service.table.record import Record
from muggins_service.table.state import Occupant, Table
from muggins_service.wire.facts import END_REASONS
from muggins_service.wire.times import set_instant

__all__ = ["encoded_notice", "notice_document", "notice_id", "notices_of"]

_HOLDERS: Final = {
    Occupant.NOBODY: pb.SEAT_HOLDER_NOBODY,
    Occupant.PLAYER: pb.SEAT_HOLDER_PLAYER,
    Occupant.OPPONENT: pb.SEAT_HOLDER_OPPONENT,
}


def notices_of(table: Table, record: Record) -> tuple[bytes, ...]:
    """The serialised notices of a record; `table` is the one after it. Most records have none."""
    return tuple(_notices(table, record))


def _notices(table: Table, record: Record) -> Iterator[bytes]:
    for entry in record.entries:
        match entry.fact:
            case MatchStarted():
                yield encoded_notice(table, entry, pb.MATCH_NOTICE_KIND_MATCH_STARTED)
            case MatchEnded():
                yield encoded_notice(table, entry, pb.MATCH_NOTICE_KIND_MATCH_ENDED)
            case TakeoverChanged(bot_plays=True):
                yield encoded_notice(table, entry, pb.MATCH_NOTICE_KIND_SEAT_TAKEN_OVER)
            case _:
                pass


def encoded_notice(table: Table, entry: Entry, kind: pb.MatchNoticeKind.ValueType) -> bytes:
    """A MatchNotice about an entry."""
    created = table.created
    message = pb.MatchNotice(
        id=f"{table.match_id}-{entry.sequence}",
        match_id=table.match_id,
        sequence=entry.sequence,
        kind=kind,
        rule_set_id=created.rule_set.id,
        seeded_for_test=created.seeded_for_test,
        rematch_of=created.rematch_of,
        host_principal=table.secrets.host_principal,
        seats=map(_seat, [table] * len(table.seats), range(len(table.seats))),
    )
    set_instant(message.time, entry.time_us)
    fact = entry.fact
    if isinstance(fact, TakeoverChanged):
        message.taken_over_seat = fact.seat
    elif isinstance(fact, MatchEnded):
        message.end.CopyFrom(_end(table, entry, fact))
    return message.SerializeToString(deterministic=True)


def _seat(table: Table, seat: int) -> pb.NoticeSeat:
    held, key = table.seats[seat], table.keys[seat]
    return pb.NoticeSeat(
        seat=seat,
        holder=_HOLDERS[held.occupant],
        level=held.acting_level,
        principal="" if key is None else key.principal,
        bot_plays=held.bot_plays,
        side=table.created.rule_set.side_of(seat, table.created.seats),
    )


def _end(table: Table, entry: Entry, fact: MatchEnded) -> pb.NoticeEnd:
    return pb.NoticeEnd(
        reason=END_REASONS[fact.reason],
        winning_sides=[] if fact.winning_side is None else [fact.winning_side],
        scores=fact.scores,
        rounds=table.game.round,
        stand_in_moves=entry.stand_in_moves,
    )


def notice_id(data: bytes) -> str:
    """The id of a serialised notice."""
    return pb.MatchNotice.FromString(data).id


def notice_document(data: bytes) -> dict[str, object]:
    """A serialised notice in protobuf's JSON mapping, empty fields too."""
    found: dict[str, object] = MessageToDict(
        pb.MatchNotice.FromString(data),
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )
    return found
