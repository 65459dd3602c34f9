"""JSON log lines: one event a line, buffered, written by size and by time."""

import asyncio
import logging
import sys
from typing import BinaryIO, Final

import orjson
import structlog
from structlog.typing import EventDict, WrappedLogger

__all__ = ["LogWriter", "configure_logs"]

FLUSH_BYTES: Final = 64 * 1024
FLUSH_INTERVAL_S: Final = 0.2


class LogWriter:
    """Gathers lines and writes them to a stream; `flush_for_ever` writes them by time."""

    def __init__(self, stream: BinaryIO) -> None:
        """Write to a binary stream."""
        self._stream = stream
        self._lines: list[bytes] = []
        self._size = 0

    def write(self, line: bytes) -> None:
        """Take a line without its end."""
        self._lines.append(line)
        self._size += len(line) + 1
        if self._size >= FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what was gathered."""
        if not self._lines:
            return
        data = b"\n".join(self._lines) + b"\n"
        self._lines.clear()
        self._size = 0
        self._stream.write(data)
        self._stream.flush()

    async def flush_for_ever(self) -> None:
        """Write what was gathered from time to time, until cancelled."""
        try:
            while True:
                await asyncio.sleep(FLUSH_INTERVAL_S)
                self.flush()
        finally:
            self.flush()


class _Logger:
    """What structlog hands its last processor's bytes to."""

    def __init__(self, writer: LogWriter) -> None:
        self._writer = writer

    def msg(self, line: bytes) -> None:
        """Write one line."""
        self._writer.write(line)

    debug = info = warning = error = critical = fatal = exception = log = msg


def _encoded(_: WrappedLogger, __: str, event: EventDict) -> bytes:
    return orjson.dumps(event, default=str, option=orjson.OPT_SORT_KEYS)


def configure_logs(level: str, stream: BinaryIO | None = None) -> LogWriter:
    """Send every log line from a level on to a stream, standard error where none is given."""
    writer = LogWriter(stream or sys.stderr.buffer)

    def factory(*_: object) -> _Logger:
        return _Logger(writer)

    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt=None),
            structlog.processors.format_exc_info,
            _encoded,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=factory,
        cache_logger_on_first_use=False,
    )
    return writer
