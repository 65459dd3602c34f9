"""As much of HTTP/2 as unary gRPC calls to one server need, cheap enough to measure a server with.

RFC 9113 and RFC 7541, without TLS. Requests are written by hand: a call costs two frames put
together from parts, and all calls of a moment leave in one write. Header fields are indexed as real
clients do, save those of one call alone (a seat's secret). An answer is its message; the headers
that come back are not decoded, so a call that was refused shows as one without a message.
"""

import socket
from collections.abc import Sequence
from struct import Struct
from typing import Final, Generic, NamedTuple, TypeVar

__all__ = ["Connection", "Fields", "RefusedError", "Request", "ask", "field"]

T = TypeVar("T")

Fields = bytes
"""Header fields of one call, ready to be sent."""


class Request(NamedTuple):
    """A unary call: its path, header fields of its own, and the message."""

    path: bytes
    fields: Fields
    message: bytes


class RefusedError(RuntimeError):
    """A call was answered without a message; holds the raw header blocks that came instead."""


PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
FRAME: Final = Struct(">IBI")  # length << 8 | type, flags, stream
PREFIX: Final = Struct(">BI")  # gRPC: compressed or not, length of the message
SETTING: Final = Struct(">HI")

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4

ENABLE_PUSH, INITIAL_WINDOW_SIZE = 2, 4
FIRST_WINDOW: Final = 65_535
LARGEST_WINDOW: Final = 2**31 - 1
RENEWED_AFTER: Final = 2**24
"""Bytes received after which the connection's window is opened again."""

RECEIVED_AT_ONCE: Final = 256 * 1024
WAIT_S: Final = 30.0

LITERAL, LITERAL_INDEXED, INDEXED = b"\x00", b"\x40", 0x80
POST_OVER_HTTP: Final = b"\x83\x86"
FIRST_OF_TABLE: Final = 62
ONE_BYTE_LENGTH: Final = 127


def field(name: bytes, value: bytes) -> Fields:
    """A header field that the server's table does not take in."""
    return LITERAL + _text(name) + _text(value)


class _Call(Generic[T]):
    __slots__ = ("answer", "tag")

    def __init__(self, tag: T) -> None:
        self.tag = tag
        self.answer = b""


class Connection(Generic[T]):
    """One connection; every call carries a tag, by which its answer is known.

    `call` puts a request with those that leave at the next `flush`. `receive` waits for bytes and
    gives the answers that are complete: an empty one for a call that was refused. A server that
    goes away, or whose window is full, is a ConnectionError. `refusals` are the header blocks of
    calls that were refused, for whoever looks for the reason.
    """

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.create_connection((host, port), timeout=WAIT_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._common = (
            (b":authority", f"{host}:{port}".encode()),
            (b"te", b"trailers"),
            (b"content-type", b"application/grpc"),
            (b"user-agent", b"muggins-bench"),
        )
        self._table: list[tuple[bytes, bytes]] = []
        self._heads: dict[bytes, bytes] = {}
        self._calls: dict[int, _Call[T]] = {}
        self._next_stream = 1
        self._window = FIRST_WINDOW
        self._received = 0
        self._rest = b""
        self.refusals: list[bytes] = []
        settings = ((ENABLE_PUSH, 0), (INITIAL_WINDOW_SIZE, LARGEST_WINDOW))
        self._out = [PREFACE]
        self._frame(SETTINGS, 0, b"".join(SETTING.pack(*setting) for setting in settings))
        self._open_window(LARGEST_WINDOW - FIRST_WINDOW)
        self.flush()

    def fileno(self) -> int:
        """The socket's descriptor, so that a connection can be waited for."""
        return self._socket.fileno()

    def close(self) -> None:
        """Let the server go."""
        self._socket.close()

    def call(self, tag: T, request: Request) -> None:
        """Put a call with those that leave at the next flush."""
        path, fields, message = request
        stream = self._next_stream
        self._next_stream += 2
        self._calls[stream] = _Call(tag)
        head = self._heads.get(path) or self._head(path)
        length = len(message)
        self._window -= length + PREFIX.size
        if self._window < 0:
            raise ConnectionError("the server does not take in what is sent")
        self._out += (
            FRAME.pack(len(head) + len(fields) << 8 | HEADERS, END_HEADERS, stream),
            head,
            fields,
            FRAME.pack(length + PREFIX.size << 8 | DATA, END_STREAM, stream),
            PREFIX.pack(0, length),
            message,
        )

    def flush(self) -> None:
        """Send what was put together."""
        if self._out:
            self._socket.sendall(b"".join(self._out))
            self._out.clear()

    def receive(self) -> list[tuple[T, bytes]]:
        """Wait for bytes; the answers that they complete, in order."""
        chunk = self._socket.recv(RECEIVED_AT_ONCE)
        if not chunk:
            raise ConnectionError("the server closed the connection")
        self._received += len(chunk)
        if self._received > RENEWED_AFTER:
            self._open_window(self._received)
            self._received = 0
        data = self._rest + chunk
        answers: list[tuple[T, bytes]] = []
        position, end, unpack = 0, len(data) - FRAME.size, FRAME.unpack_from
        while position <= end:
            head, flags, stream = unpack(data, position)
            begin = position + FRAME.size
            after = begin + (head >> 8)
            if after > len(data):
                break
            kind = head & 0xFF
            if kind == DATA:
                self._calls[stream].answer += data[begin:after]
            elif kind == HEADERS:
                if flags & END_STREAM:
                    answers.append(self._answered(stream, data[begin:after]))
            elif kind == RST_STREAM:
                if stream in self._calls:
                    answers.append(self._answered(stream, data[begin:after]))
            else:
                self._control(kind, flags, stream, data[begin:after])
            position = after
        self._rest = data[position:]
        return answers

    def _answered(self, stream: int, block: bytes) -> tuple[T, bytes]:
        call = self._calls.pop(stream)
        if len(call.answer) < PREFIX.size:
            self.refusals.append(block)
            return call.tag, b""
        compressed, length = PREFIX.unpack_from(call.answer)
        assert not compressed, "no compression was offered"
        assert length + PREFIX.size == len(call.answer), "a unary call has one message"
        return call.tag, call.answer[PREFIX.size :]

    def _control(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == GOAWAY:
            raise ConnectionError(f"the server goes away: {payload!r}")
        if kind == WINDOW_UPDATE and stream == 0:
            self._window += int.from_bytes(payload, "big")
        elif kind == SETTINGS and not flags & ACK:
            self._frame(SETTINGS, ACK, b"")
        elif kind == PING and not flags & ACK:
            self._frame(PING, ACK, payload)

    def _frame(self, kind: int, flags: int, payload: bytes) -> None:
        self._out += (FRAME.pack(len(payload) << 8 | kind, flags, 0), payload)

    def _open_window(self, size: int) -> None:
        self._frame(WINDOW_UPDATE, 0, size.to_bytes(4, "big"))

    def _head(self, path: bytes) -> bytes:
        """The header block that all calls of a path share.

        Fields that are new to the server's table enter it, which moves all the others.
        """
        known = len(self._table)
        block = [POST_OVER_HTTP]
        for name, value in ((b":path", path), *self._common):
            if (name, value) in self._table:
                age = len(self._table) - 1 - self._table.index((name, value))
                block.append(bytes((INDEXED | FIRST_OF_TABLE + age,)))
            else:
                self._table.append((name, value))
                block.append(LITERAL_INDEXED + _text(name) + _text(value))
        if len(self._table) == known:
            self._heads[path] = b"".join(block)
        else:
            self._heads.clear()
        return b"".join(block)


def ask(connection: Connection[None], request: Request) -> bytes:
    """Call and wait for the answer; RefusedError when it has no message."""
    connection.call(None, request)
    answers: Sequence[tuple[None, bytes]] = ()
    while not answers:
        connection.flush()
        answers = connection.receive()
    refusals, connection.refusals = connection.refusals, []
    if refusals:
        raise RefusedError(f"{request.path.decode()}: {refusals}")
    return answers[0][1]


def _text(text: bytes) -> bytes:
    assert len(text) < ONE_BYTE_LENGTH, "a longer text has a longer length"
    return bytes((len(text),)) + text
