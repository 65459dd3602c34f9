"""A receiver of webhooks on loopback: it takes down what comes, and answers as a test wants."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from muggins_client import verify_webhook
from tests.service.server import Field, Service, running

__all__ = [
    "HANG",
    "SECRET",
    "Came",
    "Receiver",
    "posting",
    "receiving",
    "status",
    "webhook_settings",
    "write_secrets",
]

SECRET: Final = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

HANG: Final = b""
"""An answer that never comes."""

Answer = Callable[["Came"], bytes]


def status(code: int, headers: str = "", body: bytes = b"") -> bytes:
    """An answer of HTTP."""
    head = f"HTTP/1.1 {code} x\r\ncontent-length: {len(body)}\r\n{headers}\r\n"
    return head.encode() + body


class Came(NamedTuple):
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def notice(self) -> dict[str, Any]:
        """The notice in it."""
        found: dict[str, Any] = json.loads(self.body)
        return found


class Receiver:
    """Requests in the order in which they came whole; `answer` gives the bytes for each."""

    def __init__(self, answer: Answer = lambda _: status(204)) -> None:
        self.came: list[Came] = []
        self.answer = answer
        self.port = 0
        self.writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        """Where to send to."""
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def ids(self) -> list[str]:
        """The ids of what came, repeats too."""
        return [came.headers["webhook-id"] for came in self.came]

    def kinds(self, match_id: str) -> list[str]:
        """What came about a match, without the common beginning of names."""
        return [
            came.notice["kind"].removeprefix("MATCH_NOTICE_KIND_")
            for came in self.came
            if came.notice["match_id"] == match_id
        ]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.writers.add(writer)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while True:
                    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                    pairs = (line.split(": ", 1) for line in head[1:] if line)
                    headers = {name.lower(): value for name, value in pairs}
                    body = await reader.readexactly(int(headers["content-length"]))
                    came = Came(head[0].split(" ")[1], headers, body)
                    self.came.append(came)
                    answer = self.answer(came)
                    if answer == HANG:
                        await reader.read()
                        return
                    writer.write(answer)
                    await writer.drain()
        finally:
            self.writers.discard(writer)
            writer.close()

    async def until(self, found: Callable[[], bool], seconds: float = 20) -> None:
        """Wait until what came is so."""
        async with asyncio.timeout(seconds):
            while not found():  # noqa: ASYNC110 - many things make it so
                await asyncio.sleep(0.01)

    def verified(self, came: Came, *secrets: str) -> str:
        """The id of a notice whose signature holds at the time of its sending."""
        sent = float(came.headers["webhook-timestamp"])
        return verify_webhook(secrets or (SECRET,), came.headers, came.body, sent).id


@asynccontextmanager
async def receiving(
    answer: Answer = lambda _: status(204), port: int = 0
) -> AsyncIterator[Receiver]:
    """A receiver that listens while the context lasts."""
    receiver = Receiver(answer)
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", port)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for writer in tuple(receiver.writers):
            writer.close()


def write_secrets(folder: Path, text: str) -> Path:
    """The file of the secrets of a server, written anew."""
    file = folder / "webhook-secrets"
    file.write_text(text, "utf-8")
    return file


def webhook_settings(folder: Path, *urls: str, secrets: str = SECRET) -> dict[str, Field]:
    """The settings of a server that posts to some URLs, and tries again soon."""
    return {
        "webhook_url": ",".join(urls),
        "webhook_secrets_file": str(write_secrets(folder, secrets)),
        "webhook_allow_private": True,
        "webhook_backoff_s": 0.05,
        "webhook_backoff_most_s": 0.2,
        "webhook_timeout_s": 2.0,
    }


@asynccontextmanager
async def posting(
    folder: Path, answer: Answer = lambda _: status(204)
) -> AsyncIterator[tuple[Service, Receiver]]:
    """A server that posts to a receiver."""
    async with (
        receiving(answer) as receiver,
        running(**webhook_settings(folder, receiver.url)) as service,
    ):
        yield service, receiver
