"""`muggins watch` and `muggins export` against a server in a process of its own."""

import asyncio
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from muggins.v1 import events_pb2
from muggins_client import Host, connect
from tests.cli.commands import muggins, served, started

FLAGS = ("--language", "en", "--server")
NO_SERVER = "127.0.0.1:9"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with served() as address:
        yield address


async def made(server: str, *, filled: int = 2, private: bool = False) -> Host:
    async with connect(server) as client:
        created = await client.create_match(
            fills=dict.fromkeys(range(filled), "greedy"),
            options=events_pb2.MatchOptions(private=private),
        )
        return created.host


async def start(server: str, host: Host) -> None:
    async with connect(server) as client:
        await client.host.start(host)


async def played(server: str) -> Host:
    """A match that is over."""
    host = await made(server)
    async with connect(server) as client:
        await client.host.start(host)
        async with client.observe(host.match_id) as updates:
            async for _ in updates:
                pass
    return host


async def test_a_match_is_watched_to_its_end(server: str) -> None:
    host = await made(server)
    with started("watch", host.match_id, *FLAGS, server) as watching:
        assert watching.stdout is not None
        heading = [await asyncio.to_thread(watching.stdout.readline) for _ in range(2)]
        assert [f"Match {host.match_id}\n", "All Fives, 2 seats, first to 250\n"] == heading
        await start(server, host)
        text, errors = await asyncio.to_thread(watching.communicate, timeout=30)
    assert (0, "") == (watching.returncode, errors)
    assert "Round 1\n" in text
    assert " wins the match\n" in text
    assert "Deal of round 1 checked" in text


async def test_a_match_that_is_over_is_told_by_its_end(server: str) -> None:
    host = await played(server)
    run = await asyncio.to_thread(muggins, "watch", host.match_id, *FLAGS, server)
    assert (0, "") == (run.returncode, run.stderr)
    assert " wins the match\n" in run.stdout
    assert "Round 1\n" not in run.stdout


async def test_a_match_that_is_over_is_told_from_its_start_where_wanted(server: str) -> None:
    host = await played(server)
    arguments = ("watch", host.match_id, "--from-start", *FLAGS, server)
    run = await asyncio.to_thread(muggins, *arguments)
    assert 0 == run.returncode
    assert "Round 1\n" in run.stdout
    assert " wins the match\n" in run.stdout


async def test_watching_in_the_middle_begins_with_the_table_as_it_is(server: str) -> None:
    host = await made(server, filled=1)
    async with connect(server) as client:
        await client.join_match(host.match_id, "Ana")
        await client.host.start(host)
        await asyncio.sleep(0.5)
        with started("watch", host.match_id, *FLAGS, server) as watching:
            assert watching.stdout is not None
            lines = [await asyncio.to_thread(watching.stdout.readline) for _ in range(9)]
            assert "  B  Ana\n" in lines
            assert "Round 1\n" in lines
            await client.host.cancel(host)
            text, errors = await asyncio.to_thread(watching.communicate, timeout=30)
    assert (0, "") == (watching.returncode, errors)
    assert "The host ended the match\nThe match has no winner\n" in text


async def test_ctrl_c_ends_watching_without_a_word(server: str) -> None:
    host = await made(server)
    with started("watch", host.match_id, *FLAGS, server) as watching:
        assert watching.stdout is not None
        await asyncio.to_thread(watching.stdout.readline)
        watching.send_signal(signal.SIGINT)
        _, errors = await asyncio.to_thread(watching.communicate, timeout=30)
    assert (0, "") == (watching.returncode, errors)


@pytest.mark.parametrize("command", ["watch", "export"])
def test_an_unknown_match_is_told_in_a_line(server: str, command: str) -> None:
    run = muggins(command, "no-such-match", *FLAGS, server)
    expected = (1, "", "muggins: There is no such match.\n")
    assert expected == (run.returncode, run.stdout, run.stderr)


@pytest.mark.parametrize("command", ["watch", "export"])
def test_an_absent_server_is_told_in_a_line(command: str) -> None:
    run = muggins(command, "any-match", *FLAGS, NO_SERVER)
    expected = (2, "", f"muggins: No server answers at {NO_SERVER}.\n")
    assert expected == (run.returncode, run.stdout, run.stderr)


async def test_errors_are_told_in_the_language_asked_for(server: str) -> None:
    arguments = ("watch", "no-such-match", "--language", "pt-BR", "--server", server)
    run = await asyncio.to_thread(muggins, *arguments)
    assert "muggins: Essa partida não existe.\n" == run.stderr


@pytest.mark.parametrize("name", ["match.json", "match.bin"])
async def test_what_was_exported_verifies_with_the_anchor_of_the_host(
    server: str, tmp_path: Path, name: str
) -> None:
    host = await played(server)
    path, kept = tmp_path / name, tmp_path / "host.json"
    kept.write_text(host.to_json(), encoding="utf-8")
    arguments = ("export", host.match_id, "--out", path, *FLAGS, server)
    run = await asyncio.to_thread(muggins, *arguments)
    assert (0, f"Wrote {path}, match {host.match_id}.\n") == (run.returncode, run.stdout)
    checked = await asyncio.to_thread(muggins, "verify", path, "--seat", kept, "--language", "en")
    assert 0 == checked.returncode
    assert "All in order." in checked.stdout


async def test_a_match_that_goes_on_cannot_be_exported(server: str, tmp_path: Path) -> None:
    host = await made(server)
    path = tmp_path / "match.json"
    arguments = ("export", host.match_id, "--out", path, *FLAGS, server)
    run = await asyncio.to_thread(muggins, *arguments)
    assert (1, "muggins: This is possible only after the match has ended.\n") == (
        run.returncode,
        run.stderr,
    )
    assert not path.exists()


async def test_a_file_that_cannot_be_written_is_told_in_a_line(server: str, tmp_path: Path) -> None:
    host = await played(server)
    path = tmp_path / "none" / "match.json"
    arguments = ("export", host.match_id, "--out", path, *FLAGS, server)
    run = await asyncio.to_thread(muggins, *arguments)
    expected = (2, f"muggins: {path}: No such file or directory\n")
    assert expected == (run.returncode, run.stderr)
