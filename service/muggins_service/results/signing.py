"""Signatures of webhooks by the Standard Webhooks scheme.

What is signed is the id of the message, a full stop, the time of sending in whole seconds since the
epoch, a full stop and the body. Each secret makes one signature, so that secrets can be changed
without a message being refused.
"""

import hmac
from base64 import b64encode
from collections.abc import Sequence

__all__ = ["signature_headers"]


def signature_headers(
    secrets: Sequence[bytes], message_id: str, sent_s: int, body: bytes
) -> dict[str, str]:
    """The headers that a receiver needs to know a message as ours and as fresh."""
    signed = f"{message_id}.{sent_s}.".encode() + body
    signatures = (b64encode(hmac.digest(secret, signed, "sha256")).decode() for secret in secrets)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(sent_s),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
