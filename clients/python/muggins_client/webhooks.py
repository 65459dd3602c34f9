"""The check of a webhook at its receiver: it is the server's, whole, and fresh.

The scheme is Standard Webhooks: HMAC-SHA256 over the id, the time and the body.
"""

import binascii
import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Final

from google.protobuf.json_format import ParseDict, ParseError

from muggins.v1.results_pb2 import MatchNotice

__all__ = ["WebhookNotTrusted", "verify_webhook"]

TOLERANCE_S: Final = 300
"""How old or how early a webhook may be."""

_PREFIX: Final = "whsec_"
_NO_NOTICE: Final = "its body is no notice"


class WebhookNotTrusted(ValueError):  # noqa: N818 - says what it is
    """A webhook that is not the server's, was changed, or is old."""


def verify_webhook(
    secrets: Sequence[str], headers: Mapping[str, str], body: bytes, now_s: float
) -> MatchNotice:
    """The notice in a webhook, once it is known to come from the server.

    `secrets` are those that count now, each as it stands in the server's file; `headers` have names
    in lower case; `body` is as received; `now_s` is seconds since the epoch. A repeat has the same
    `id`: take in each once.

    Raises:
        WebhookNotTrusted: it must not be used.
        ValueError: a secret is none.
    """
    try:
        message_id, sent = headers["webhook-id"], headers["webhook-timestamp"]
        shown = headers["webhook-signature"].split(" ")
    except KeyError as missing:
        raise WebhookNotTrusted(f"the header {missing.args[0]} is missing") from None
    if not (sent.isascii() and sent.isdigit()):
        raise WebhookNotTrusted("its time is none")
    signed = f"{message_id}.{sent}.".encode() + body
    if not _signed_by_any(secrets, signed, shown):
        raise WebhookNotTrusted("no secret made its signature")
    if abs(now_s - int(sent)) > TOLERANCE_S:
        raise WebhookNotTrusted("its time is too far from now")
    try:
        document = json.loads(body)
        if not isinstance(document, dict):
            raise WebhookNotTrusted(_NO_NOTICE)
        return ParseDict(document, MatchNotice(), ignore_unknown_fields=True)
    except (ParseError, json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise WebhookNotTrusted(_NO_NOTICE) from None


def _signed_by_any(secrets: Sequence[str], signed: bytes, shown: Sequence[str]) -> bool:
    found = False
    for secret in secrets:
        made = b"v1," + b64encode(hmac.digest(_key(secret), signed, "sha256"))
        for signature in shown:
            found |= hmac.compare_digest(made, signature.encode("utf-8", "replace"))
    return found


def _key(secret: str) -> bytes:
    try:
        return b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("a secret is whsec_ and bytes in base64") from None
