"""Whether an address can be reached from elsewhere."""

from ipaddress import ip_address

__all__ = ["is_loopback", "plain_host"]


def plain_host(host: str) -> str:
    """A host without the brackets of an IPv6 address."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def is_loopback(host: str) -> bool:
    """True for addresses of this machine alone; other names count as reachable."""
    name = plain_host(host)
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
