"""Where webhooks go."""

from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlsplit

__all__ = ["BadDestination", "Destination", "destinations_of"]


class BadDestination(ValueError):  # noqa: N818 - as BadDoor
    """A URL to which no webhook can go; the message does not repeat it."""


class Destination(NamedTuple):
    """A URL, and the name by which logs, store and operators know it.

    The name holds no path and no query, since some receivers have their secret there.
    """

    name: str
    url: str


def destinations_of(urls: str, *, plain: bool) -> tuple[Destination, ...]:
    """The destinations of a setting, with commas between them. `plain`: http is allowed too.

    Raises:
        BadDestination: one is no URL, has credentials, is given twice, or is not https.
    """
    found = [_destination(url.strip(), plain=plain) for url in urls.split(",") if url.strip()]
    if len(set(found)) < len(found):
        raise BadDestination("a URL is given twice")
    return tuple(found)


def _destination(url: str, *, plain: bool) -> Destination:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise BadDestination("there is one that is no URL") from None
    if parts.scheme not in {"http", "https"} or not host or not url.isascii():
        raise BadDestination("there is one that is no https URL")
    if parts.scheme == "http" and not plain:
        raise BadDestination("plain http needs webhook_allow_private; use https")
    if "@" in parts.netloc or parts.fragment:
        raise BadDestination("a URL has no credentials and no fragment")
    shown = f"[{host}]" if ":" in host else host
    where = f"{parts.scheme}://{shown}" + (f":{port}" if port else "")
    return Destination(f"{where}#{sha256(url.encode()).hexdigest()[:8]}", url)
