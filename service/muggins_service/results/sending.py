"""One try to deliver: a POST over a connection to an address that may be connected to.

The address is looked at when its socket is made, so that it counts what is connected to, not what a
name meant a moment before. Redirects are not followed, proxies and cookies not used, and of a
response the status alone is read.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import aiohttp

from muggins_service.results.addresses import is_public
from muggins_service.results.backoff import Attempt

__all__ = ["Sender"]

_GONE: Final = 410
_DELIVERED: Final = range(200, 300)

_AddressInfo = tuple[int, int, int, str, tuple[object, ...]]


class AddressNotAllowed(OSError):  # noqa: N818 - says what it is, as IllegalAction does
    """An address that is not public."""


class Sender:
    """Sends bodies to URLs. It belongs to the loop in which it was made."""

    def __init__(self, timeout_s: float, ca_file: Path | None, *, allow_private: bool) -> None:
        """Trust the authorities of a file in PEM, or those of the system."""
        connector = aiohttp.TCPConnector(
            ssl=ssl.create_default_context(cafile=ca_file),
            use_dns_cache=False,
            limit=0,
            socket_factory=_any_socket if allow_private else _public_socket,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=timeout_s),
            auto_decompress=False,
            trust_env=False,
            headers={"user-agent": "muggins", "content-type": "application/json"},
        )

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        """Try once. Whatever goes wrong is told, in words that hold nothing of the URL."""
        try:
            async with self._session.post(
                url, data=body, headers=headers, allow_redirects=False
            ) as response:
                status = response.status
        except TimeoutError:
            return Attempt(delivered=False, failure="timeout")
        except aiohttp.ClientConnectorCertificateError:
            return Attempt(delivered=False, failure="certificate")
        except aiohttp.ClientConnectorDNSError:
            return Attempt(delivered=False, failure="name not found")
        except aiohttp.ClientConnectorError as error:
            refused = isinstance(error.os_error, AddressNotAllowed)
            return Attempt(delivered=False, failure="address" if refused else "no connection")
        except (aiohttp.ClientError, OSError, ValueError):
            return Attempt(delivered=False, failure="no answer")
        if status in _DELIVERED:
            return Attempt(delivered=True)
        return Attempt(delivered=False, failure=f"status {status}", gone=status == _GONE)

    async def close(self) -> None:
        """Let every connection go."""
        await self._session.close()
        # Transports of TLS close in the next turns of the loop.
        await asyncio.sleep(0)


def _public_socket(info: _AddressInfo) -> socket.socket:
    if not is_public(str(info[4][0])):
        raise AddressNotAllowed("this address is not public")
    return _any_socket(info)


def _any_socket(info: _AddressInfo) -> socket.socket:
    family, kind, protocol, *_ = info
    found = socket.socket(family, kind, protocol)
    found.setblocking(False)  # noqa: FBT003 - the socket's own way
    return found
