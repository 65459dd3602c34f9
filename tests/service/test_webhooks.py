"""Webhooks: every turning point of a match, signed, at least once, in the match's order."""

import time
from pathlib import Path

import pytest

from muggins.v1 import events_pb2, lobby_pb2, views_pb2
from muggins_service.config import ConfigError, config_from
from muggins_service.doors.doors import BadDoor
from tests.service.receiver import (
    HANG,
    SECRET,
    Came,
    posting,
    receiving,
    status,
    webhook_settings,
    write_secrets,
)
from tests.service.server import CALL_S, Service, new_id, running

OTHER = "whsec_ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM="

ENDS = ["MATCH_STARTED", "MATCH_ENDED"]


async def cancel(service: Service) -> str:
    """A match that was started and cancelled."""
    table, _ = await service.started()
    await service.control(table, cancel=lobby_pb2.CancelMatch())
    return table.match_id


async def leave(service: Service, match_id: str, player: object) -> None:
    key = player.key  # type: ignore[attr-defined]
    request = lobby_pb2.LeaveMatchRequest(match_id=match_id, request_id=new_id())
    await service.call.LeaveMatch(request, metadata=key, timeout=CALL_S)


# --- what is told ---


async def test_a_match_that_is_played_out_is_told_from_start_to_result(tmp_path: Path) -> None:
    async with receiving() as receiver:
        settings = webhook_settings(tmp_path, receiver.url)
        async with running(**settings) as service:
            table = await service.create(fills={0: "greedy", 1: "random"}, starts_when_full=True)
            await receiver.until(lambda: len(receiver.kinds(table.match_id)) == 2)
            view = await service.public_view(table.match_id)
    started, ended = (came.notice for came in receiver.came)
    assert ENDS == receiver.kinds(table.match_id)
    assert "MATCH_END_REASON_TARGET_REACHED" == ended["end"]["reason"]
    assert list(view.scores) == ended["end"]["scores"]
    assert [max(range(2), key=ended["end"]["scores"].__getitem__)] == ended["end"]["winning_sides"]
    assert view.round == ended["end"]["rounds"]
    assert ["greedy", "random"] == [seat["level"] for seat in ended["seats"]]
    assert ["SEAT_HOLDER_OPPONENT"] * 2 == [seat["holder"] for seat in started["seats"]]
    assert f"{table.match_id}-{ended['sequence']}" == ended["id"] == receiver.ids[1]
    assert "end" not in started


async def test_the_other_ends_are_told_with_their_reasons(tmp_path: Path) -> None:
    async with receiving() as receiver:
        settings = webhook_settings(tmp_path, receiver.url)
        settings |= {"think_least_s": 60.0, "think_most_s": 60.0}
        settings |= {"open_lifetime_s": 0.3, "idle_lifetime_s": 1.0}
        async with running(**settings) as service:
            cancelled = await cancel(service)
            # Stand-ins who think for longer than an idle match lives: nobody plays it out.
            table, players = await service.started(opponent_pace=events_pb2.OPPONENT_PACE_HUMAN)
            abandoned = table.match_id
            for player in players:
                await leave(service, abandoned, player)
            expired = (await service.create()).match_id
            await receiver.until(lambda: receiver.kinds(expired) == ["MATCH_ENDED"])
            await receiver.until(lambda: "MATCH_ENDED" in receiver.kinds(abandoned))
    reasons = {
        came.notice["match_id"]: came.notice["end"]["reason"]
        for came in receiver.came
        if "end" in came.notice
    }
    assert {
        cancelled: "MATCH_END_REASON_CANCELLED",
        abandoned: "MATCH_END_REASON_ABANDONED",
        expired: "MATCH_END_REASON_EXPIRED",
    } == reasons
    assert ENDS == receiver.kinds(cancelled)
    assert "SEAT_TAKEN_OVER" in receiver.kinds(abandoned)


async def test_giving_up_is_told_with_who_won_and_who_did_not(tmp_path: Path) -> None:
    async with posting(tmp_path) as (service, receiver):
        _, (loser, _) = await service.started()
        resigned = lobby_pb2.ResignMatchRequest(match_id=loser.match_id, request_id=new_id())
        await service.call.ResignMatch(resigned, metadata=loser.key, timeout=CALL_S)
        _, players = await service.started()
        for player in players:
            agreed = lobby_pb2.AgreeToEndRequest(match_id=player.match_id, request_id=new_id())
            await service.call.AgreeToEnd(agreed, metadata=player.key, timeout=CALL_S)
        await receiver.until(lambda: len(receiver.came) == 4)
    ends = {
        came.notice["match_id"]: came.notice["end"]
        for came in receiver.came
        if "end" in came.notice
    }
    lost, even = ends[loser.match_id], ends[players[0].match_id]
    assert ("MATCH_END_REASON_RESIGNED", [1 - loser.seat]) == (
        lost["reason"],
        lost["winning_sides"],
    )
    assert ("MATCH_END_REASON_AGREED", []) == (even["reason"], even["winning_sides"])


async def test_a_seat_that_is_taken_over_is_told_with_its_stand_in(tmp_path: Path) -> None:
    async with posting(tmp_path) as (service, receiver):
        table, (_, left) = await service.started(takeover_level="random")
        await leave(service, table.match_id, left)
        await receiver.until(lambda: len(receiver.came) == 2)
    taken = receiver.came[1].notice
    assert ("MATCH_NOTICE_KIND_SEAT_TAKEN_OVER", left.seat) == (
        taken["kind"],
        taken["taken_over_seat"],
    )
    seat = taken["seats"][left.seat]
    assert ("SEAT_HOLDER_PLAYER", "random", True) == (
        seat["holder"],
        seat["level"],
        seat["bot_plays"],
    )


async def test_a_notice_holds_no_name_no_secret_and_no_tile(tmp_path: Path) -> None:
    async with posting(tmp_path) as (service, receiver):
        table = await service.create(starts_when_full=True)
        for name in ("Zuleika", "Quentin"):
            await service.join(table.match_id, name=name)
        await service.control(table, cancel=lobby_pb2.CancelMatch())
        await receiver.until(lambda: len(receiver.came) == 2)
    for came in receiver.came:
        text = came.body.decode()
        assert not [
            word for word in ("Zuleika", "Quentin", "secret", "hand", "tile") if word in text
        ]


# --- how it is told ---


async def test_every_secret_signs_and_new_ones_count_without_a_restart(tmp_path: Path) -> None:
    async with receiving() as receiver:
        settings = webhook_settings(tmp_path, receiver.url)
        async with running(**settings) as service:
            await cancel(service)
            await receiver.until(lambda: len(receiver.came) == 2)
            write_secrets(tmp_path, f"{OTHER}  # the new one\n{SECRET}\n")
            await cancel(service)
            await receiver.until(lambda: len(receiver.came) == 4)
            write_secrets(tmp_path, "nothing that is a secret\n")
            await cancel(service)
            await receiver.until(lambda: len(receiver.came) == 6)
    assert receiver.ids == [receiver.verified(came) for came in receiver.came]
    assert receiver.ids[2:] == [receiver.verified(came, OTHER) for came in receiver.came[2:]]
    assert [1, 1, 2, 2, 2, 2] == [
        len(came.headers["webhook-signature"].split(" ")) for came in receiver.came
    ]


async def test_an_answer_that_is_lost_brings_the_same_notice_again(tmp_path: Path) -> None:
    lost: set[str] = set()

    def lose_the_first(came: Came) -> bytes:
        fresh = came.headers["webhook-id"] not in lost
        lost.add(came.headers["webhook-id"])
        # No answer of HTTP at all: the client cannot know that it was taken.
        return b"\0\r\n\r\n" if fresh else status(200)

    async with posting(tmp_path, lose_the_first) as (service, receiver):
        await cancel(service)
        await receiver.until(lambda: len(receiver.came) == 4)
    first, again, second, last = receiver.ids
    assert (first, second) == (again, last)
    assert receiver.came[0].body == receiver.came[1].body


async def test_a_match_keeps_its_order_while_others_go_on(tmp_path: Path) -> None:
    held: list[str] = []

    def refuse_the_held(came: Came) -> bytes:
        return status(503) if came.notice["match_id"] in held else status(200)

    async with posting(tmp_path, refuse_the_held) as (service, receiver):
        table, _ = await service.started()
        held.append(table.match_id)
        await receiver.until(lambda: len(receiver.came) >= 1)
        await service.control(table, cancel=lobby_pb2.CancelMatch())
        other = await cancel(service)
        await receiver.until(lambda: receiver.kinds(other) == ENDS)
        before = receiver.kinds(table.match_id)
        held.clear()
        await receiver.until(lambda: "MATCH_ENDED" in receiver.kinds(table.match_id))
    assert "MATCH_STARTED" in receiver.kinds(table.match_id)
    # The end waits until the start was taken, unless the start was taken before it was refused.
    assert before.count("MATCH_ENDED") == 0 or before[0] == "MATCH_STARTED"
    kinds = receiver.kinds(table.match_id)
    assert kinds == sorted(kinds, reverse=True)


async def test_a_receiver_that_is_down_at_the_start_is_told_when_it_is_up(tmp_path: Path) -> None:
    async with receiving() as receiver:
        port = receiver.port
    url = f"http://127.0.0.1:{port}/hook"
    async with running(**webhook_settings(tmp_path, url)) as service:
        match_id = await cancel(service)
        (courier,) = service.app.results.couriers.values()
        await receiver.until(lambda: courier.failures > 0)
        async with receiving(port=port) as receiver:
            await receiver.until(lambda: len(receiver.came) == 2)
    assert ENDS == receiver.kinds(match_id)


async def test_a_receiver_that_hangs_delays_no_match_and_no_other_receiver(tmp_path: Path) -> None:
    async with receiving(lambda _: HANG) as hanging, receiving() as good:
        settings = webhook_settings(tmp_path, hanging.url, good.url)
        settings["webhook_timeout_s"] = 900.0
        async with running(**settings) as service:
            first = await cancel(service)
            await hanging.until(lambda: len(hanging.came) == 1)
            # All that happens from here on happens while the receiver holds the first notice.
            played = await service.create(fills={0: "greedy", 1: "random"}, starts_when_full=True)
            ids = {first, played.match_id, *[await cancel(service) for _ in range(18)]}
            await good.until(lambda: all(good.kinds(match_id) == ENDS for match_id in ids), 120)
            view = await service.public_view(played.match_id)
            hung, fine = service.app.results.couriers.values()
            assert (0, 40) == (hung.delivered, fine.delivered)
            begun = time.monotonic()
        stopped_s = time.monotonic() - begun
    assert views_pb2.MATCH_STATE_FINISHED == view.state
    assert 16 == len(hanging.came)
    assert stopped_s < 300  # and not the quarter of an hour for which the tries would wait


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (status(500), "status 500"),
        (status(404), "status 404"),
        (status(302, "location: /elsewhere\r\n"), "status 302"),
        (b"\0\r\n\r\n", "no answer"),
    ],
)
async def test_what_is_not_taken_in_the_end_is_dead_and_holds_nothing_up(
    tmp_path: Path, answer: bytes, failure: str
) -> None:
    def refuse_starts(came: Came) -> bytes:
        return answer if came.notice["kind"].endswith("STARTED") else status(200)

    async with receiving(refuse_starts) as receiver:
        settings = webhook_settings(tmp_path, receiver.url)
        settings["webhook_attempts"] = 3
        async with running(**settings) as service:
            match_id = await cancel(service)
            await receiver.until(lambda: "MATCH_ENDED" in receiver.kinds(match_id))
            (dead,) = service.app.store.outbox.dead_letters((0, ""), 10)
    assert ["MATCH_STARTED"] * 3 + ["MATCH_ENDED"] == receiver.kinds(match_id)
    assert (3, failure) == (dead.attempts, dead.failure)
    assert {"/hook"} == {came.path for came in receiver.came}


async def test_a_receiver_that_is_gone_is_not_asked_again(tmp_path: Path) -> None:
    async with posting(tmp_path, lambda _: status(410)) as (service, receiver):
        await cancel(service)
        await receiver.until(lambda: len(receiver.came) == 2)
        (courier,) = service.app.results.couriers.values()
        await receiver.until(lambda: courier.died == 2)
    assert 2 == len(set(receiver.ids))


async def test_a_huge_answer_is_not_read(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 ok\r\ncontent-length: 100000000000\r\n\r\n"
    async with posting(tmp_path, lambda _: head + b"x" * 1_000_000) as (service, receiver):
        match_id = await cancel(service)
        await receiver.until(lambda: len(receiver.came) == 2)
        (courier,) = service.app.results.couriers.values()
        await receiver.until(lambda: courier.delivered == 2)
    assert ENDS == receiver.kinds(match_id)


async def test_a_private_address_is_not_connected_to_unless_allowed(tmp_path: Path) -> None:
    async with receiving() as receiver:
        url = f"https://localhost:{receiver.port}/hook"
        numbers = f"https://127.0.0.1:{receiver.port}/hook"
        settings = webhook_settings(tmp_path, url, numbers)
        settings |= {"webhook_allow_private": False, "webhook_attempts": 1}
        async with running(**settings) as service:
            await cancel(service)
            outbox = service.app.store.outbox
            await receiver.until(lambda: len(outbox.dead_letters((0, ""), 10)) == 4)
            dead = outbox.dead_letters((0, ""), 10)
    assert not receiver.came
    assert {f"https://127.0.0.1:{receiver.port}"} < {
        one.destination.partition("#")[0] for one in dead
    }
    assert {"address"} == {one.failure for one in dead if "127.0.0.1" in one.destination}


# --- settings ---


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"webhook_url": "https://example.org/x"}, "webhook_secrets_file"),
        ({"webhook_url": "http://example.org/x"}, "webhook_url"),
        ({"webhook_url": "https://me:word@example.org/x"}, "webhook_url"),
        ({"webhook_url": "ftp://example.org"}, "webhook_url"),
        ({"webhook_url": "https://a.org, https://a.org"}, "webhook_url"),
        ({"webhook_attempts": "0"}, "webhook_attempts"),
        ({"webhook_timeout_s": "0"}, "webhook_timeout_s"),
        ({"webhook_backoff_most_s": "1"}, "webhook_backoff_most_s"),
    ],
)
def test_a_setting_that_cannot_be_is_named(settings: dict[str, str], named: str) -> None:
    with pytest.raises(ConfigError, match=f"^{named}:") as told:
        config_from(settings, {})
    assert "word" not in str(told.value)


@pytest.mark.parametrize("text", ["", "# none\n", "whsec_AAAA\n", "AAECAwQFBgcICQoLDA0ODxAREhM\n"])
async def test_a_file_without_secrets_stops_the_start_and_is_not_repeated(
    tmp_path: Path, text: str
) -> None:
    settings = webhook_settings(tmp_path, "http://127.0.0.1:9/hook", secrets=text)
    with pytest.raises(BadDoor, match="webhook_secrets_file") as told:
        async with running(**settings):
            pass
    assert not [line for line in text.splitlines() if len(line) > 6 and line in str(told.value)]
