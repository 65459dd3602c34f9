"""A client in a process of its own: it plays a seat, or only observes, and checks what it sees.

Run as `python -m tests.service.client_process ADDRESS MATCH [SEAT SECRET]`, the secret in hex. It
prints one line of JSON when the match is over: what it counted, and a digest of the public facts.
"""

import asyncio
import hashlib
import json
import sys
from base64 import urlsafe_b64encode
from random import Random

import grpc

from muggins.v1 import (
    events_pb2,
    lobby_pb2,
    match_service_pb2_grpc,
    streams_pb2,
)
from tests.service.fold import Folded, tiles_of

__all__ = ["main"]


class Witness:
    """Folds a stream, checks each step, and remembers what everybody was told."""

    def __init__(self, seat: int | None) -> None:
        self.folded = Folded(seat)
        self.events = 0
        self.snapshots = 0
        self._digest = hashlib.sha256()
        self.ended: events_pb2.MatchEnded | None = None

    def take(self, frame: streams_pb2.ObserveMatchResponse) -> None:
        """Take in a frame of the stream."""
        assert not frame.HasField("go_away"), "nobody asked the server to stop"
        self.snapshots += frame.HasField("snapshot")
        for event in frame.events.events:
            assert self.ended is None, "the end of the match is its last event"
            self.folded.take(event)
            self.events += 1
            self._digest.update(_public(event))
            if event.HasField("match_ended"):
                self.ended = event.match_ended

    def report(self) -> dict[str, object]:
        """What was seen."""
        assert self.ended is not None
        assert list(self.ended.scores) == self.folded.scores
        return {
            "events": self.events,
            "snapshots": self.snapshots,
            "version": self.folded.version,
            "scores": list(self.ended.scores),
            "winning_side": self.ended.winning_side,
            "reason": self.ended.reason,
            "digest": self._digest.hexdigest(),
        }


def _public(event: events_pb2.Event) -> bytes:
    """An event as everybody was told of it."""
    public = events_pb2.Event()
    public.CopyFrom(event)
    if public.HasField("round_dealt"):
        public.round_dealt.ClearField("hand")
        public.round_dealt.ClearField("must_lead")
    if public.HasField("tile_drawn"):
        public.tile_drawn.ClearField("tile")
    return public.SerializeToString(deterministic=True)


async def _observe(stub: "match_service_pb2_grpc.MatchServiceAsyncStub", match_id: str) -> Witness:
    witness = Witness(None)
    request = streams_pb2.ObserveMatchRequest(match_id=match_id, from_sequence=0)
    async for frame in stub.ObserveMatch(request):
        witness.take(frame)
    view = (await stub.GetMatch(lobby_pb2.GetMatchRequest(match_id=match_id))).table
    witness.folded.check(view)
    return witness


async def _play(
    stub: "match_service_pb2_grpc.MatchServiceAsyncStub", match_id: str, seat: int, secret: bytes
) -> Witness:
    witness, random = Witness(seat), Random(seat)
    written = urlsafe_b64encode(secret).decode().rstrip("=")
    call = stub.PlayMatch(metadata=(("muggins-seat-secret", written),))
    attach = streams_pb2.Attach(match_id=match_id, from_sequence=0)
    await call.write(streams_pb2.PlayMatchRequest(attach=attach))
    asked = answered = 0
    async for message in call:
        if message.HasField("result"):
            assert not message.result.HasField("refusal"), message.result
            answered += 1
        if not message.HasField("observe"):
            continue
        witness.take(message.observe)
        legal = message.observe.events.legal_actions
        assert bool(legal) == (witness.folded.turn == seat)
        if legal:
            held = witness.folded.hand
            for choice in legal:
                if choice.action.HasField("place"):
                    assert tiles_of([choice.action.place.tile])[0] in held
            action = random.choice(legal).action
            asked += 1
            command = streams_pb2.Command(request_id=f"{seat}-{asked}", action=action)
            await call.write(streams_pb2.PlayMatchRequest(command=command))
    assert asked == answered, "every command was answered"
    return witness


async def main(arguments: list[str]) -> None:
    """Take part in a match until it is over."""
    address, match_id, *seated = arguments
    async with grpc.aio.insecure_channel(address) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        if seated:
            witness = await _play(stub, match_id, int(seated[0]), bytes.fromhex(seated[1]))
        else:
            witness = await _observe(stub, match_id)
    sys.stdout.write(json.dumps(witness.report()) + "\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
