"""What the doors are told by files and URLs, read again when it has changed."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import grpc

from muggins_service.config import Config
from muggins_service.doors.certificates import BadCertificate, read_certificate
from muggins_service.doors.key_file import BadKeyFile, KeyRing, parse_keys

__all__ = ["BadDoor", "Source", "certificate", "key_ring", "stamp_of"]


class BadDoor(ValueError):  # noqa: N818 - says what it is, as IllegalAction does
    """A file or URL of the doors that cannot be used; the text names setting and place."""


class Source(NamedTuple):
    """Something that is read again. `read` blocks and raises BadDoor; `take` uses what was read.

    `paths` are the files it depends on; none for a URL, which is read again after a time.
    """

    name: str
    paths: tuple[str, ...]
    read: Callable[[], Callable[[], None]]

    def stamp(self) -> tuple[tuple[int, int, int], ...]:
        """What changes when one of its files does."""
        return tuple(map(stamp_of, self.paths))


def stamp_of(path: str) -> tuple[int, int, int]:
    """What changes when a file does; zeros where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - one call for a thing done each few seconds
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_size, found.st_ino


def certificate(config: Config) -> grpc.ServerCertificateConfiguration:
    """The certificate of the settings; BadDoor when it cannot be used."""
    try:
        return read_certificate(config.tls_cert, config.tls_key, config.tls_client_ca)
    except BadCertificate as error:
        raise BadDoor(f"tls_cert: {error}") from None


def key_ring(config: Config) -> KeyRing:
    """The keys of the file; BadDoor with the line that cannot be."""
    path = config.keys_file
    try:
        return KeyRing(parse_keys(Path(path).read_text(encoding="utf-8")), time.time)
    except OSError as error:
        raise BadDoor(f"keys_file: {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadDoor(f"keys_file: {path}: it is no text in UTF-8") from None
    except BadKeyFile as error:
        raise BadDoor(f"keys_file: {path}: {error}") from None
