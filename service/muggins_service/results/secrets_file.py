"""The secrets by which webhooks are signed, in a file that may change while serving."""

import binascii
from base64 import b64decode
from pathlib import Path
from typing import Final

import structlog

__all__ = ["BadSecrets", "WebhookSecrets", "read_secrets"]

PREFIX: Final = "whsec_"
LEAST_BYTES: Final = 24
MOST_BYTES: Final = 64

_log = structlog.get_logger("muggins.results")


class BadSecrets(ValueError):  # noqa: N818 - as BadDoor
    """A file that holds no secrets; the message tells the line, never what stands there."""


def read_secrets(text: str) -> tuple[bytes, ...]:
    """The secrets of a file: a line each, `whsec_` and 24 to 64 bytes in base64. `#`: a remark.

    Raises:
        BadSecrets: some line is none, or there is no line.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        written = line.partition("#")[0].strip()
        if not written:
            continue
        try:
            secret = b64decode(written.removeprefix(PREFIX), validate=True)
        except (binascii.Error, ValueError):
            secret = b""
        if not (written.startswith(PREFIX) and LEAST_BYTES <= len(secret) <= MOST_BYTES):
            raise BadSecrets(f"line {number} is no secret: whsec_ and 24 to 64 bytes in base64")
        found.append(secret)
    if not found:
        raise BadSecrets("it holds no secret")
    return tuple(found)


class WebhookSecrets:
    """The secrets of a file as it is now; where it cannot be read, those it had before."""

    def __init__(self, path: Path) -> None:
        """Read it; BadSecrets or OSError where that is not possible."""
        self._path = path
        self._seen = _mark(path)
        self._secrets = read_secrets(path.read_text("utf-8"))

    def current(self) -> tuple[bytes, ...]:
        """The secrets to sign with now."""
        try:
            mark = _mark(self._path)
            if mark == self._seen:
                return self._secrets
            self._seen = mark
            self._secrets = read_secrets(self._path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            problem = str(error) if isinstance(error, BadSecrets) else "it cannot be read"
            _log.warning("webhook_secrets_kept", file=str(self._path), problem=problem)
        else:
            _log.info("webhook_secrets_read", secrets=len(self._secrets))
        return self._secrets


def _mark(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino
