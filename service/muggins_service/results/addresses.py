"""Which addresses a webhook may go to: the public ones, unless the operator allows others."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

__all__ = ["is_public"]

_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""IPv4 addresses as a NAT64 writes them."""

_COMPATIBLE: Final = IPv6Network("::/96")

_INSIDE: Final = (IPv4Network("168.63.129.16/32"), IPv4Network("192.0.0.0/24"))
"""Addresses of the inside of clouds that count as public by their number."""


def is_public(address: str) -> bool:
    """True for an address out on the internet: none of this machine, its networks or its cloud.

    An IPv6 address that holds one of IPv4 is as that one is. What is no address is not public.
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        inner = _inner(found)
        if inner is not None:
            return is_public(str(inner))
    inside = isinstance(found, IPv4Address) and any(found in network for network in _INSIDE)
    return found.is_global and not found.is_multicast and not inside


def _inner(address: IPv6Address) -> IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _TRANSLATED or address in _COMPATIBLE:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return None
