"""What no request may be: every error has a code, a reason and no word of the server's faults."""

from typing import Any

import grpc
import pytest

from muggins.i18n import LANGUAGES, sentence
from muggins.v1 import lobby_pb2, moves_pb2
from tests.service.server import (
    Field,
    Metadata,
    Refused,
    Service,
    new_secret,
    refusal,
    refusal_of_stream,
    refused_by,
    seat_key,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

PATH = "/muggins.v1.MatchService/"
UNARY = [
    "CreateMatch",
    "GetMatch",
    "ListMatches",
    "JoinMatch",
    "FindMatch",
    "RevealNonce",
    "SetSeatOptions",
    "LeaveMatch",
    "ResignMatch",
    "AgreeToEnd",
    "ControlMatch",
    "PlayTile",
    "DrawTile",
    "PassTurn",
    "ClaimPoints",
    "CallMuggins",
    "GetHint",
    "ExportMatch",
]
WITH_MATCH = [name for name in UNARY if name not in {"CreateMatch", "ListMatches", "FindMatch"}]


async def _raw(service: Service, method: str, body: bytes, key: Metadata = ()) -> Refused:
    call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
    call = service.channel.unary_unary(PATH + method)
    return await refusal(call(body, metadata=key, timeout=20))


def _request(method: str, **fields: Field) -> bytes:
    kind = getattr(lobby_pb2, f"{method}Request", None) or getattr(moves_pb2, f"{method}Request")
    return bytes(kind(**fields).SerializeToString())


@pytest.mark.parametrize("method", UNARY)
async def test_bytes_that_are_no_message_are_refused(service: Service, method: str) -> None:
    told = await _raw(service, method, b"\xff\xff\xff")
    expected = ("MALFORMED_FIELD", grpc.StatusCode.INVALID_ARGUMENT, "muggins.v1")
    assert expected == (told.reason, told.code, told.domain)


@pytest.mark.parametrize("method", UNARY)
async def test_a_message_that_is_too_large_is_refused(service: Service, method: str) -> None:
    told = await _raw(service, method, b"\x0a\x80\x80\x08" + b"x" * 131_072)
    expected = ("MESSAGE_TOO_LARGE", grpc.StatusCode.RESOURCE_EXHAUSTED)
    assert expected == (told.reason, told.code)


async def test_a_message_beyond_what_the_transport_takes_is_refused_too(service: Service) -> None:
    told = await _raw(service, "GetMatch", b"x" * 2_000_000)
    assert grpc.StatusCode.RESOURCE_EXHAUSTED is told.code
    info = await service.call.GetServerInfo(lobby_pb2.GetServerInfoRequest())
    assert 64 * 1024 == info.limits.max_message_bytes


def _filled(method: str, match_id: str) -> bytes:
    """The least request of a method that is well formed."""
    fields: dict[str, Any] = {"match_id": match_id}
    match method:
        case "JoinMatch":
            fields |= {"seat_secret": new_secret(), "name": "Ana"}
        case "RevealNonce":
            fields |= {"nonce": new_secret()}
        case "ControlMatch":
            fields |= {"cancel": {}}
        case "PlayTile":
            fields |= {"placement": {"tile": {"low": 1, "high": 2}}}
        case "CallMuggins":
            fields |= {"placement_sequence": 1}
        case "GetHint":
            fields |= {"step": 1}
        case _:
            pass
    return _request(method, **fields)


@pytest.mark.parametrize("method", WITH_MATCH)
async def test_an_unknown_match_is_told_as_such(service: Service, method: str) -> None:
    told = await _raw(service, method, _filled(method, "nowhere"))
    assert ("MATCH_NOT_FOUND", grpc.StatusCode.NOT_FOUND) == (told.reason, told.code)


@pytest.mark.parametrize("method", sorted({*WITH_MATCH} - {"ExportMatch"}))
async def test_whoever_holds_a_secret_is_told_that_a_server_without_a_store_lost_the_match(
    service: Service, method: str
) -> None:
    told = await _raw(service, method, _filled(method, "nowhere"), seat_key(new_secret()))
    assert ("MATCH_LOST", grpc.StatusCode.NOT_FOUND) == (told.reason, told.code)


@pytest.mark.parametrize("method", WITH_MATCH)
@pytest.mark.parametrize("match_id", ["", "x" * 65])
async def test_a_match_id_that_cannot_be_names_its_field(
    service: Service, method: str, match_id: str
) -> None:
    told = await _raw(service, method, _filled(method, match_id))
    assert ("MALFORMED_FIELD", {"field": "match_id"}) == (told.reason, told.metadata)
    assert ("match_id",) == told.fields


@pytest.mark.parametrize(
    "method",
    [
        "GetMatch",
        "PlayTile",
        "DrawTile",
        "PassTurn",
        "ClaimPoints",
        "CallMuggins",
        "LeaveMatch",
        "ResignMatch",
        "AgreeToEnd",
        "SetSeatOptions",
        "RevealNonce",
        "GetHint",
    ],
)
@pytest.mark.parametrize("written", ["", "short", "!" * 43, "A" * 44])
async def test_a_seat_secret_that_holds_no_seat_is_refused(
    service: Service, method: str, written: str
) -> None:
    table = await service.create("muggins", 2)
    key: Metadata = (("muggins-seat-secret", written),)
    told = await _raw(service, method, _filled(method, table.match_id), key)
    assert ("BAD_SEAT_SECRET", grpc.StatusCode.UNAUTHENTICATED) == (told.reason, told.code)


@pytest.mark.parametrize(
    "method",
    ["LeaveMatch", "ResignMatch", "AgreeToEnd", "SetSeatOptions", "RevealNonce", "GetHint"],
)
async def test_what_a_seat_asks_needs_its_secret(service: Service, method: str) -> None:
    table = await service.create("muggins", 2)
    told = await _raw(service, method, _filled(method, table.match_id))
    assert ("MISSING_SEAT_SECRET", grpc.StatusCode.UNAUTHENTICATED) == (told.reason, told.code)


@pytest.mark.parametrize(
    "asked", ["en", "pt-BR", "fr", "es", "pt", "fr-CA, en;q=0.5", "xx, es;q=0.1", "zz", "", "*"]
)
async def test_a_sentence_is_told_in_the_language_asked_for(service: Service, asked: str) -> None:
    key: Metadata = (("accept-language", asked),)
    told = await _raw(service, "GetMatch", _request("GetMatch", match_id="nowhere"), key)
    assert told.locale in LANGUAGES
    first = asked.split(",", maxsplit=1)[0].split("-", maxsplit=1)[0]
    expected = {"pt": "pt-BR", "fr": "fr", "es": "es", "xx": "es"}.get(first, "en")
    assert expected == told.locale
    assert sentence("match_not_found", told.locale) == told.sentence
    assert sentence("match_not_found", "en") == told.message


async def test_an_unknown_method_is_unimplemented(service: Service) -> None:
    told = await _raw(service, "BurnTile", b"")
    assert grpc.StatusCode.UNIMPLEMENTED is told.code


async def test_a_fault_of_the_server_reaches_no_client_as_text(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await service.create("muggins", 2)

    def fail(_: str) -> None:
        message = "the boneyard holds 6-6"
        raise RuntimeError(message)

    with monkeypatch.context() as patch:
        patch.setattr(service.app.registry, "get", fail)
        request = _request("GetMatch", match_id=table.match_id)
        join = _filled("JoinMatch", table.match_id)
        told = [await _raw(service, "GetMatch", request), await _raw(service, "JoinMatch", join)]
        stream = service.observe(table.match_id)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        told.append(refused_by(caught.value))
    for refused in told:
        assert ("INTERNAL", grpc.StatusCode.INTERNAL) == (refused.reason, refused.code)
        assert "6-6" not in repr(refused)
        assert "Error" not in repr(refused)
    assert table.match_id == (await service.public_view(table.match_id)).match_id


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "placement"),
        ({"placement": {}}, "placement.tile"),
        ({"placement": {"tile": {}, "at": {}}}, "placement.at.tile"),
        ({"placement": {"tile": {}, "at": {"tile": {}}}}, "placement.at.port"),
        ({"placement": {"tile": {}, "orientation": 9}}, "placement.orientation"),
        ({"placement": {"tile": {}}, "request_id": "\n"}, "request_id"),
    ],
)
async def test_a_placement_that_cannot_be_names_its_field(
    service: Service, fields: dict[str, Any], field: str
) -> None:
    table, players = await service.started()
    request = _request("PlayTile", match_id=table.match_id, **fields)
    told = await _raw(service, "PlayTile", request, players[0].key)
    assert ("MALFORMED_FIELD", (field,)) == (told.reason, told.fields)


@pytest.mark.parametrize(
    "method",
    ["/muggins.v1.MatchService/Cheat", "/muggins.v2.MatchService/GetMatch", "/x/y", "/"],
)
async def test_a_method_that_there_is_not_is_refused_with_details(
    service: Service, method: str
) -> None:
    unary: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = service.channel.unary_unary(method)
    told = await refusal(unary(b"", timeout=20))
    expected = ("NOT_IMPLEMENTED", grpc.StatusCode.UNIMPLEMENTED, "muggins.v1")
    assert expected == (told.reason, told.code, told.domain)
    both: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = service.channel.stream_stream(method)
    assert expected[0] == (await refusal_of_stream(both(timeout=20))).reason
