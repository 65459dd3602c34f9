"""5,000 observers of one match, and 1,000 matches with observers: all are told of everything.

The server is a process of its own, so that its CPU can be told apart; what an event costs for each
observer is printed.
"""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

import grpc

from muggins.v1 import events_pb2, lobby_pb2, moves_pb2, streams_pb2
from muggins.v1.match_service_pb2_grpc import MatchServiceStub
from tests.service.process import ServerProcess, serving
from tests.service.server import new_secret, seat_key
from tests.soak.counts import Counts

if TYPE_CHECKING:
    from muggins.v1.match_service_pb2_grpc import MatchServiceAsyncStub

OBSERVERS = 5_000
OBSERVERS_OF_A_CONNECTION = 100
MOVES = 20
MATCHES = 1_000
OBSERVERS_OF_A_MATCH = 3
MOVES_OF_A_MATCH = 5
LONG_S = 300


def _cpu_s(pid: int) -> float:
    """The CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


class _Pair:
    """A match of two players who do the first thing that is legal."""

    def __init__(
        self, stub: "MatchServiceAsyncStub", match_id: str, secrets: Sequence[bytes]
    ) -> None:
        self._stub = stub
        self.match_id = match_id
        self._keys = [seat_key(secret) for secret in secrets]
        self.version = 0

    @classmethod
    async def begin(cls, stub: "MatchServiceAsyncStub") -> "_Pair":
        created = await stub.CreateMatch(
            lobby_pb2.CreateMatchRequest(
                preset=lobby_pb2.PresetChoice(rule_set_id="five_up"),
                seats=2,
                host_secret=new_secret(),
                options=events_pb2.MatchOptions(starts_when_full=True),
            )
        )
        secrets = [new_secret(), new_secret()]
        pair = cls(stub, created.match_id, secrets)
        for secret in secrets:
            request = lobby_pb2.JoinMatchRequest(
                match_id=pair.match_id, name="Ana", seat_secret=secret
            )
            pair.version = (await stub.JoinMatch(request)).version
        return pair

    async def move(self) -> float:
        """One move; how long its call took, in seconds."""
        request = lobby_pb2.GetMatchRequest(match_id=self.match_id)
        public = (await self._stub.GetMatch(request)).table
        key = self._keys[public.seat_to_act]
        seat = (await self._stub.GetMatch(request, metadata=key)).seat
        action = seat.legal_actions[0].action
        begun_s = perf_counter()
        match action.WhichOneof("action"):
            case "place":
                play = moves_pb2.PlayTileRequest(match_id=self.match_id, placement=action.place)
                self.version = (await self._stub.PlayTile(play, metadata=key)).version
            case "draw":
                draw = moves_pb2.DrawTileRequest(match_id=self.match_id)
                self.version = (await self._stub.DrawTile(draw, metadata=key)).version
            case _:
                leave = moves_pb2.PassTurnRequest(match_id=self.match_id)
                self.version = (await self._stub.PassTurn(leave, metadata=key)).version
        return perf_counter() - begun_s


class _Watcher:
    """An observer that checks that sequences go up by one."""

    def __init__(self, stub: "MatchServiceAsyncStub", match_id: str, after: int) -> None:
        request = streams_pb2.ObserveMatchRequest(match_id=match_id, from_sequence=after)
        request.heartbeat.FromSeconds(60)
        self._call = stub.ObserveMatch(request)
        self.version = after
        self.frames = 0

    async def reach(self, version: int) -> None:
        """Read until a version has come."""
        while self.version < version:
            frame = await self._call.read()
            assert isinstance(frame, streams_pb2.ObserveMatchResponse), "the stream has ended"
            self.frames += 1
            for event in frame.events.events:
                assert self.version + 1 == event.sequence
                self.version = event.sequence

    def close(self) -> None:
        self._call.cancel()


def _connections(server: ServerProcess, number: int) -> list[grpc.aio.Channel]:
    own = (("grpc.use_local_subchannel_pool", 1),)
    return [grpc.aio.insecure_channel(server.address, options=own) for _ in range(number)]


async def test_five_thousand_observers_of_one_match(counts: Counts) -> None:
    async with serving("--streams-per-caller", "0") as server:
        pid = server.process.pid
        channels = _connections(server, OBSERVERS // OBSERVERS_OF_A_CONNECTION)
        stubs: list[MatchServiceAsyncStub] = [MatchServiceStub(channel) for channel in channels]
        played, other = await _Pair.begin(stubs[0]), await _Pair.begin(stubs[0])
        before_mb = _memory_mb(pid)
        begun = played.version
        watchers = [
            _Watcher(stubs[number % len(stubs)], played.match_id, begun - 1)
            for number in range(OBSERVERS)
        ]
        async with asyncio.timeout(LONG_S):
            await asyncio.gather(*(watcher.reach(begun) for watcher in watchers))
            each_kb = (_memory_mb(pid) - before_mb) * 1e3 / OBSERVERS
            cpu_s, elsewhere_s = _cpu_s(pid), []
            frames = sum(watcher.frames for watcher in watchers)
            for _ in range(MOVES):
                await played.move()
                # While the news goes round, a move in a match that nobody watches.
                reached = asyncio.gather(*(w.reach(played.version) for w in watchers))
                elsewhere_s.append(await other.move())
                await reached
        cpu_s = _cpu_s(pid) - cpu_s
        frames = sum(watcher.frames for watcher in watchers) - frames
        assert all(watcher.version == played.version for watcher in watchers)
        events = played.version - begun
        print(  # noqa: T201 - what the run is for
            f"\n{OBSERVERS} observers: {cpu_s * 1e6 / frames:.1f} us of CPU a frame and observer,"
            f" {cpu_s * 1e6 / (events * OBSERVERS):.1f} us an event and observer;"
            f" {each_kb:.0f} kB an observer; a move elsewhere {max(elsewhere_s) * 1e3:.0f} ms"
        )
        counts.add(streams=OBSERVERS, acknowledged=2 * MOVES, calls=2 * MOVES, matches=2)
        for watcher in watchers:
            watcher.close()
        for channel in channels:
            await channel.close()


async def test_a_thousand_matches_with_observers(counts: Counts) -> None:
    async with serving("--streams-per-caller", "0", "--matches-per-caller", "0") as server:
        channels = _connections(server, 30)
        stubs: list[MatchServiceAsyncStub] = [MatchServiceStub(channel) for channel in channels]
        pairs: list[_Pair] = []
        cpu_s = 0.0

        async def found(number: int) -> None:
            for index in range(number, MATCHES, len(stubs)):
                pair = await _Pair.begin(stubs[index % len(stubs)])
                pairs.append(pair)

        async def play(pair: _Pair, watching: Sequence[_Watcher]) -> None:
            for _ in range(MOVES_OF_A_MATCH):
                await pair.move()
            await asyncio.gather(*(watcher.reach(pair.version) for watcher in watching))

        async with asyncio.timeout(LONG_S):
            await asyncio.gather(*map(found, range(len(stubs))))
            random = Random(1)
            watchers = {
                pair.match_id: [
                    _Watcher(random.choice(stubs), pair.match_id, 0)
                    for _ in range(OBSERVERS_OF_A_MATCH)
                ]
                for pair in pairs
            }
            cpu_s = _cpu_s(server.process.pid)
            for first in range(0, MATCHES, 100):
                some = pairs[first : first + 100]
                await asyncio.gather(*(play(pair, watchers[pair.match_id]) for pair in some))
        cpu_s = _cpu_s(server.process.pid) - cpu_s
        streams = [watcher for watching in watchers.values() for watcher in watching]
        told = sum(watcher.version for watcher in streams)
        print(  # noqa: T201 - what the run is for
            f"\n{MATCHES} matches, {len(streams)} observers: {told} events told,"
            f" {cpu_s * 1e6 / (MATCHES * MOVES_OF_A_MATCH):.0f} us of CPU a move with its reads"
        )
        moves = MATCHES * MOVES_OF_A_MATCH
        counts.add(streams=len(streams), acknowledged=moves, calls=moves, matches=MATCHES)
        for watcher in streams:
            watcher.close()
        for channel in channels:
            await channel.close()
