"""Whose matches are whose: "my matches", and that nobody else learns of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from muggins.v1 import lobby_pb2, moves_pb2, storage_pb2, streams_pb2
from muggins_service.doors.scopes import Scope
from muggins_service.wire.records import encode_record
from tests.service.doors_kit import bearer, make_key
from tests.service.server import (
    Metadata,
    Service,
    host_key,
    new_id,
    new_secret,
    refusal,
    running,
    seat_key,
)

SHOP, SHOP_LINE = make_key("shop", Scope.BACKEND, key_id="b")
ANA = bearer(SHOP, acting_for="ana@players")
BEA = bearer(SHOP, acting_for="bea@players")
ZOE = bearer(SHOP, acting_for="zoe@players")


@asynccontextmanager
async def _guarded(tmp_path: Path) -> AsyncIterator[Service]:
    path = tmp_path / "keys"
    path.write_text(SHOP_LINE)
    async with running(auth="keys", keys_file=str(path)) as service:
        yield service


async def _created(service: Service, who: Metadata, host: bytes, *, private: bool = False) -> str:
    request = lobby_pb2.CreateMatchRequest(
        preset=lobby_pb2.PresetChoice(rule_set_id="muggins"), seats=2, host_secret=host
    )
    request.options.private = private
    return (await service.call.CreateMatch(request, metadata=who)).match_id


async def _joined(service: Service, who: Metadata, match_id: str) -> bytes:
    secret = new_secret()
    request = lobby_pb2.JoinMatchRequest(match_id=match_id, name="P", seat_secret=secret)
    await service.call.JoinMatch(request, metadata=who)
    return secret


async def _mine(service: Service, who: Metadata) -> list[str]:
    request = lobby_pb2.ListMatchesRequest(mine=True)
    answer = await service.call.ListMatches(request, metadata=who)
    return [match.match_id for match in answer.matches]


async def test_mine_are_those_one_made_or_sits_in_private_ones_too(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as service:
        made = await _created(service, ANA, new_secret())
        hidden = await _created(service, ANA, new_secret(), private=True)
        other = await _created(service, BEA, new_secret())
        secret = await _joined(service, ANA, other)
        await _joined(service, BEA, made)
        assert [other, hidden, made] == await _mine(service, ANA)
        assert [other, made] == await _mine(service, BEA)
        assert [] == await _mine(service, ZOE)
        assert [] == await _mine(service, bearer(SHOP))
        public = await service.call.ListMatches(lobby_pb2.ListMatchesRequest(), metadata=ZOE)
        assert [other, made] == [match.match_id for match in public.matches]
        leave = lobby_pb2.LeaveMatchRequest(match_id=other)
        await service.call.LeaveMatch(leave, metadata=(*ANA, *seat_key(secret)))
        assert [hidden, made] == await _mine(service, ANA)


async def test_mine_has_pages_of_its_own(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as service:
        made = [await _created(service, ANA, new_secret()) for _ in range(3)]
        request = lobby_pb2.ListMatchesRequest(mine=True, page_size=2)
        first = await service.call.ListMatches(request, metadata=ANA)
        request.page_token = first.next_page_token
        second = await service.call.ListMatches(request, metadata=ANA)
        assert made[::-1] == [m.match_id for m in (*first.matches, *second.matches)]
        assert not second.next_page_token
        request.mine = False
        told = await refusal(service.call.ListMatches(request, metadata=ANA))
        assert ("MALFORMED_FIELD", ("page_token",)) == (told.reason, told.fields)


async def test_mine_is_refused_where_nobody_is_asked_who_he_is() -> None:
    async with running() as service:
        told = await refusal(service.call.ListMatches(lobby_pb2.ListMatchesRequest(mine=True)))
        expected = ("MISSING_CREDENTIALS", grpc.StatusCode.UNAUTHENTICATED)
        assert expected == (told.reason, told.code)


async def test_a_principal_needs_the_secrets_as_before(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as service:
        host = new_secret()
        match_id = await _created(service, ANA, host)
        await _joined(service, ANA, match_id)
        start = lobby_pb2.ControlMatchRequest(match_id=match_id, cancel=lobby_pb2.CancelMatch())
        told = await refusal(service.call.ControlMatch(start, metadata=ANA))
        assert "BAD_HOST_SECRET" == told.reason
        leave = lobby_pb2.LeaveMatchRequest(match_id=match_id)
        told = await refusal(service.call.LeaveMatch(leave, metadata=ANA))
        assert "MISSING_SEAT_SECRET" == told.reason


async def test_principals_are_stored_and_given_to_nobody(tmp_path: Path) -> None:
    async with _guarded(tmp_path) as service:
        host = new_secret()
        match_id = await _created(service, ANA, host)
        secret = await _joined(service, BEA, match_id)
        key = (*ZOE, *host_key(host))
        fill = lobby_pb2.ControlMatchRequest(
            match_id=match_id, request_id=new_id(), fill_seat=lobby_pb2.SeatFill(level="greedy")
        )
        fill.fill_seat.seat = 1
        answers: list[bytes] = []
        answers.append((await service.call.ControlMatch(fill, metadata=key)).SerializeToString())
        cancel = lobby_pb2.ControlMatchRequest(match_id=match_id, cancel=lobby_pb2.CancelMatch())
        answers.append((await service.call.ControlMatch(cancel, metadata=key)).SerializeToString())
        for who in (ZOE, BEA, (*BEA, *seat_key(secret))):
            seen = await service.call.GetMatch(
                lobby_pb2.GetMatchRequest(match_id=match_id), metadata=who
            )
            answers.append(seen.SerializeToString())
            watched = service.call.ObserveMatch(
                streams_pb2.ObserveMatchRequest(match_id=match_id), metadata=who, timeout=20
            )
            answers += [frame.SerializeToString() async for frame in watched]
        exported = await service.call.ExportMatch(
            moves_pb2.ExportMatchRequest(match_id=match_id), metadata=ZOE
        )
        answers.append(exported.SerializeToString())
        listed = await service.call.ListMatches(lobby_pb2.ListMatchesRequest(), metadata=ZOE)
        answers.append(listed.SerializeToString())
        assert len(answers) > 8
        assert not any(b"@players" in answer for answer in answers)
        records = [stored.record for stored in service.app.store.read(match_id)]
        stored = [storage_pb2.StoredRecord.FromString(encode_record(one)) for one in records]
        assert "ana@players" == stored[0].match_secrets.host_principal
        assert ["bea@players"] == [key.principal for one in stored for key in one.seat_keys]
