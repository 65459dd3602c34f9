"""What this server shows to another one that it calls."""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import grpc

from muggins_service.doors.sources import BadDoor

if TYPE_CHECKING:
    from muggins_service.config import Config

__all__ = ["NO_PASS", "Pass", "opponents_pass"]


class Pass(NamedTuple):
    """TLS, where it is used, and the file of a key or token, where one is asked for."""

    tls: grpc.ChannelCredentials | None = None
    path: str = ""

    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with a call. The file is read each time, so that a new key needs no restart."""
        if not self.path:
            return ()
        try:
            text = Path(self.path).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ()
        return (("authorization", f"Bearer {text}"),)


NO_PASS: Final = Pass()


def opponents_pass(config: "Config") -> Pass:
    """What is shown to the server of opponents.

    Raises:
        BadDoor: a file cannot be read.
    """
    if not config.opponents_address:
        return NO_PASS
    _read("opponents_credentials", config.opponents_credentials)
    root = _read("opponents_tls_ca", config.opponents_tls_ca)
    return Pass(grpc.ssl_channel_credentials(root) if root else None, config.opponents_credentials)


def _read(setting: str, path: str) -> bytes:
    try:
        return Path(path).read_bytes() if path else b""
    except OSError as error:
        raise BadDoor(f"{setting}: {path}: {error.strerror}") from None
