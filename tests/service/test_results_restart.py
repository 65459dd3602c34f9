"""Notices that were not delivered survive the server that made them, however it ends."""

from pathlib import Path

from muggins.v1 import lobby_pb2, match_service_pb2_grpc
from tests.service.process import serving
from tests.service.receiver import receiving, status, webhook_settings
from tests.service.server import CALL_S, new_id, running


async def test_what_was_not_taken_before_a_restart_is_told_after_it(tmp_path: Path) -> None:
    async with receiving(lambda _: status(500)) as receiver:
        settings = webhook_settings(tmp_path, receiver.url)
        settings["store"] = str(tmp_path / "file.db")
        async with running(**settings) as service:
            table, _ = await service.started()
            await service.control(table, cancel=lobby_pb2.CancelMatch())
            await receiver.until(lambda: len(receiver.came) >= 1)
        before = set(receiver.ids)
        receiver.answer = lambda _: status(200)
        receiver.came.clear()
        async with running(**settings):
            await receiver.until(lambda: len(receiver.came) == 2)
        again = receiver.ids
        async with running(**settings) as service:
            await service.started()
            await receiver.until(lambda: len(receiver.came) == 3)
    assert before == {again[0]}
    assert ["MATCH_STARTED", "MATCH_ENDED"] == receiver.kinds(table.match_id)


async def test_what_was_not_taken_before_a_kill_is_told_after_it(tmp_path: Path) -> None:
    async with receiving(lambda _: status(503)) as receiver:
        settings = webhook_settings(tmp_path, receiver.url)
        settings["store"] = str(tmp_path / "killed.db")
        flags = [
            flag
            for name, value in settings.items()
            for flag in (
                [f"--{name.replace('_', '-')}"]
                if value is True
                else [f"--{name.replace('_', '-')}", str(value)]
            )
        ]
        async with serving(*flags) as server:
            async with server.channel() as channel:
                call = match_service_pb2_grpc.MatchServiceStub(channel)
                request = lobby_pb2.CreateMatchRequest(
                    request_id=new_id(),
                    preset=lobby_pb2.PresetChoice(rule_set_id="muggins"),
                    seats=2,
                    host_secret=b"h" * 32,
                    fills=[lobby_pb2.SeatFill(seat=seat, level="random") for seat in range(2)],
                    options={"starts_when_full": True},  # type: ignore[arg-type]
                )
                match_id = (await call.CreateMatch(request, timeout=CALL_S)).match_id
                await receiver.until(lambda: len(receiver.came) >= 2)
            server.process.kill()
            await server.ended()
        first = receiver.ids[0]
        receiver.came.clear()
        receiver.answer = lambda _: status(200)
        async with serving(*flags):
            await receiver.until(lambda: "MATCH_ENDED" in receiver.kinds(match_id))
    assert first == receiver.ids[0]
    assert ["MATCH_STARTED", "MATCH_ENDED"] == receiver.kinds(match_id)
