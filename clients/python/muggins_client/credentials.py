"""What a client shows for itself: a key or token, and TLS."""

from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import grpc

__all__ = ["Bearer", "check_bearer", "tls"]

Bearer = str | Callable[[], str]
"""An API key or a token, or what gives one for each call: tokens expire."""

_MACHINE: Final = frozenset({"localhost", ""})


def tls(
    root: str | Path | None = None,
    certificate: str | Path | None = None,
    key: str | Path | None = None,
) -> grpc.ChannelCredentials:
    """Credentials for `connect`, from files in PEM.

    `root` holds the authorities of the server, those of the system where it is absent.
    `certificate` and `key` are shown to servers that ask for them.

    Raises:
        OSError: a file cannot be read.
        ValueError: one of `certificate` and `key` without the other.
    """
    if (certificate is None) != (key is None):
        raise ValueError("a certificate needs its key, and a key its certificate")
    return grpc.ssl_channel_credentials(_read(root), _read(key), _read(certificate))


def _read(path: str | Path | None) -> bytes | None:
    return None if path is None else Path(path).read_bytes()


def check_bearer(target: str, *, is_secure: bool, is_allowed: bool) -> None:
    """Refuse to send a key or token readable over a network.

    Raises:
        ValueError: the target is another machine, without TLS, and that was not allowed.
    """
    if not (is_secure or is_allowed or _is_this_machine(target)):
        raise ValueError("a key or token would travel readable: use TLS, or allow plaintext_bearer")


def _is_this_machine(target: str) -> bool:
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    address = target.removeprefix("dns:///").removeprefix("dns:")
    address = address.removeprefix("ipv4:").removeprefix("ipv6:")
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host in _MACHINE or ip_address(host).is_loopback
    except ValueError:
        return False
