"""Matches that are over, as the server gave them out, and as they would be had it cheated."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from muggins.v1 import lobby_pb2, moves_pb2, records_pb2
from muggins_ai import opponent_of
from muggins_rules import Action
from muggins_rules.events import EndReason
from muggins_rules.fair_deal import Chain
from muggins_rules.viewing import seat_view
from muggins_service.honesty.decisions import Decision, Decisions, read_decisions
from muggins_service.table.commands import Act, Tick
from muggins_service.table.deciding import decide_act, decide_tick
from muggins_service.table.drafting import Draft
from muggins_service.table.facts import Cause
from muggins_service.table.policy import TablePolicy
from muggins_service.table.record import Actor, ActorKind, Record
from muggins_service.table.state import Table as TableState
from muggins_service.wire.records import decode_export, encode_record, export
from tests.service.server import Field, Player, Service, Table, events_of, fact_of, new_id

__all__ = ["altered", "decisions_of", "exported", "leave", "play_first", "played", "stopped"]

_POLICY: Final = TablePolicy(claim_minimum_us=0)
_GREEDY: Final = "greedy-1"


async def played(
    service: Service, rule_set_id: str, levels: Sequence[str], *, rounds: int = 0, **how: Field
) -> records_pb2.MatchRecord:
    """A match of opponents, played out, or cancelled in the middle of the round after so many."""
    table = await service.create(
        rule_set_id, len(levels), fills=dict(enumerate(levels)), starts_when_full=True, **how
    )
    if rounds:
        return await stopped(service, table, rounds)
    await events_of(service.observe(table.match_id))
    return await exported(service, table.match_id)


async def stopped(service: Service, table: Table, rounds: int) -> records_pb2.MatchRecord:
    """A match that goes on by itself, cancelled some moves after so many rounds."""
    moves, call = 0, service.observe(table.match_id, 0)
    async for frame in call:
        for event in frame.events.events:
            moves += event.round > rounds and fact_of(event) == "tile_played"
        if moves >= 4:
            await service.control(table, cancel={})
            break
    call.cancel()
    return await exported(service, table.match_id)


async def exported(service: Service, match_id: str) -> records_pb2.MatchRecord:
    """The record of a match that is over."""
    request = moves_pb2.ExportMatchRequest(match_id=match_id)
    return (await service.call.ExportMatch(request)).record


async def leave(service: Service, player: Player) -> None:
    """A player goes; a stand-in plays on."""
    request = lobby_pb2.LeaveMatchRequest(match_id=player.match_id, request_id=new_id())
    await service.call.LeaveMatch(request, metadata=player.key)


async def play_first(service: Service, player: Player) -> bool:
    """Do the seat's first legal action, without a claim; true where it was a placement."""
    view = await service.seat_view(player)
    action = view.legal_actions[0].action
    common: dict[str, Any] = {"match_id": player.match_id, "request_id": new_id()}
    match action.WhichOneof("action"):
        case "place":
            play = moves_pb2.PlayTileRequest(**common, placement=action.place)
            await service.call.PlayTile(play, metadata=player.key)
            return True
        case "draw":
            draw = moves_pb2.DrawTileRequest(**common, until_playable=True)
            await service.call.DrawTile(draw, metadata=player.key)
        case _:
            await service.call.PassTurn(moves_pb2.PassTurnRequest(**common), metadata=player.key)
    return False


def decisions_of(record: records_pb2.MatchRecord) -> Decisions:
    """What the opponents of a match decided."""
    return read_decisions(record.match_id, decode_export(record))


def altered(
    record: records_pb2.MatchRecord, decision: Decision, action: Action, seed: bytes
) -> records_pb2.MatchRecord:
    """The match as a server would tell it that made one decision otherwise.

    It has a test seed and `greedy` in every seat, and is cancelled once the round is over.
    """
    chain = Chain.from_seed(seed, _POLICY.chain_length)
    records = [told for told in decode_export(record) if told.version <= decision.table.version]
    table, now_us = decision.table, records[-1].time_us
    act: Act | None = Act(decision.seat, action, Cause.OPPONENT, decision.engine)
    while not table.is_over:
        now_us += 60_000_000
        draft = Draft(table, now_us, _POLICY, chain.secret)
        if table.game.round > decision.table.game.round:
            draft.end(EndReason.CANCELLED)
        elif act is None:
            decide_tick(draft, Tick())
        else:
            decide_act(draft, act)
        entries = tuple(draft.entries)
        actor = Actor(ActorKind.SERVER)
        records.append(Record(entries[-1].sequence, entries, "", b"", actor, now_us))
        table = replace(draft.table, version=entries[-1].sequence, changed_us=now_us)
        act = _greedy(table)
    response = moves_pb2.ExportMatchResponse.FromString(
        export(record.match_id, map(encode_record, records), "test")
    )
    return response.record


def _greedy(table: TableState) -> Act | None:
    """What `greedy` does for the seat on turn."""
    seat = table.seat_to_act
    if seat is None:
        return None
    choice = opponent_of("greedy").choose(seat_view(table.game, seat), b"")
    return Act(seat, choice.action, Cause.OPPONENT, _GREEDY)
