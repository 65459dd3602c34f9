"""Whose limits a call counts against: a principal's, or those of the address it comes from."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from urllib.parse import unquote

__all__ = ["account_of_peer", "account_of_principal"]

_REMEMBERED: Final = 4_096
_NETWORK_BITS: Final = 64


def account_of_principal(principal: str) -> str:
    """The account of a principal."""
    return f"principal:{principal}"


@lru_cache(_REMEMBERED)
def account_of_peer(peer: str) -> str:
    """The account of where a call comes from, as gRPC writes it; without the port.

    Of IPv6 addresses only the network counts, since whoever has one has all addresses in it.
    """
    text = unquote(peer).partition(":")[2].rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        address: IPv4Address | IPv6Address = ip_address(text)
    except ValueError:
        return "address:unknown"
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or IPv6Address(int(address) >> 64 << _NETWORK_BITS)
    return f"address:{address}"
