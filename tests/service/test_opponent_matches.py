"""Matches of every game played to their end by opponents, checked from their records."""

import pytest

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, records_pb2
from muggins_rules import PRESETS
from muggins_rules.tiles import TILES, Tile, tiles_of_mask
from muggins_service.table.record import Actor, ActorKind, MatchSecrets, Record
from muggins_service.table.state import Table as TableState
from muggins_service.table.state import open_table, with_entry
from muggins_service.wire.events import decode_event
from tests.service.server import Service, events_of, fact_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

GAMES = [
    pytest.param(name, seats, calling, id=f"{name}-{seats}{'-calling' if calling else ''}")
    for name, rule_set in PRESETS.items()
    for seats in rule_set.seat_counts
    for calling in (False, True)
]

SEED = b"a" * 32
"""Gives matches of middling length: where settlements only debit, some go on for long."""

SEED = b"c" * 32
"""Gives matches of middling length: where settlements only debit, some go on for very long."""


async def _played(service: Service, name: str, seats: int, *, calling: bool) -> str:
    """The id of a match that opponents have played to its end."""
    fills = {seat: "greedy_plus" if seat % 2 else "greedy" for seat in range(seats)}
    table = await service.create(
        name, seats, calling=calling, fills=fills, starts_when_full=True, seed=SEED
    )
    events = await events_of(service.observe(table.match_id, 0))
    assert list(range(1, len(events) + 1)) == [event.sequence for event in events]
    assert "match_ended" == fact_of(events[-1])
    return table.match_id


async def _record(service: Service, match_id: str) -> records_pb2.MatchRecord:
    request = moves_pb2.ExportMatchRequest(match_id=match_id)
    return (await service.call.ExportMatch(request)).record


def _folded(record: records_pb2.MatchRecord) -> list[TableState]:
    """The table after every event of a record that is dealt from, the first deal onwards."""
    entries = [decode_event(event) for part in record.records for event in part.events]
    assert entries[0] is not None
    secrets = MatchSecrets(b"", "", b"", 0)
    first = Record(1, (entries[0],), "", b"", Actor(ActorKind.HOST), 0, secrets)
    tables = [open_table(record.match_id, first)]
    for entry in entries[1:]:
        assert entry is not None
        tables.append(with_entry(tables[-1], entry))
    return tables


def _tiles(table: TableState) -> list[Tile]:
    """Every tile of a round by where it is: in a hand, in the boneyard or on the table."""
    state = table.game.table
    assert state is not None
    held = [tile for hand in state.hands for tile in tiles_of_mask(hand)]
    hidden = [TILES[code] for code in state.boneyard]
    laid = [placement.tile for placement in state.layout.placements]
    return held + hidden + laid


@pytest.mark.parametrize(("name", "seats", "calling"), GAMES)
async def test_opponents_play_a_match_to_its_end_with_all_tiles_accounted_for(
    service: Service, *, name: str, seats: int, calling: bool
) -> None:
    match_id = await _played(service, name, seats, calling=calling)
    tables = _folded(await _record(service, match_id))
    for table in tables:
        if table.game.table is not None:
            tiles = _tiles(table)
            assert 28 == len(tiles)
            assert 28 == len(set(tiles))
    target = PRESETS[name].target(seats)
    last = tables[-1]
    assert last.ended is not None
    assert last.ended.winning_side is not None
    assert target <= last.game.scores[last.ended.winning_side]
    view = await service.public_view(match_id)
    assert list(last.game.scores) == list(view.scores)
    assert last.version == view.version


async def test_every_move_of_an_opponent_names_its_engine_and_cause(service: Service) -> None:
    table = await service.create(
        "sniff", 3, fills={0: "random", 1: "greedy", 2: "greedy_plus"}, starts_when_full=True
    )
    events = await events_of(service.observe(table.match_id, 0))
    engines = (await service.call.GetServerInfo(lobby_pb2.GetServerInfoRequest())).engine_versions
    levels = ["random", "greedy", "greedy_plus"]
    for event in events:
        kind = fact_of(event)
        if kind in {"tile_played", "tile_drawn", "seat_passed"}:
            seat = getattr(event, kind).seat
            assert events_pb2.CAUSE_OPPONENT == event.cause
            assert engines[levels[seat]] == event.engine
        else:
            assert "" == event.engine


async def test_players_and_stand_ins_made_no_moves_in_a_match_of_opponents(
    service: Service,
) -> None:
    match_id = await _played(service, "latin_american", 4, calling=False)
    view = await service.public_view(match_id)
    assert [0, 0, 0, 0] == list(view.ended.stand_in_moves)
