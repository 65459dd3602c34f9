"""What a receiver of webhooks believes, by the vectors that every client shares."""

import json
from pathlib import Path
from typing import Any

import pytest

from muggins_client import WebhookNotTrusted, verify_webhook

VECTORS = Path(__file__).parents[1] / "vectors" / "webhooks.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_webhook_is_trusted_or_not(case: dict[str, Any]) -> None:
    shown = case["secrets"], case["headers"], case["body"].encode(), case["now_s"]
    if case["trusted"]:
        assert json.loads(case["body"])["id"] == verify_webhook(*shown).id
    else:
        with pytest.raises(WebhookNotTrusted):
            verify_webhook(*shown)


@pytest.mark.parametrize("missing", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_no_header_may_be_missing(missing: str) -> None:
    case = CASES[0]
    headers = {name: value for name, value in case["headers"].items() if name != missing}
    with pytest.raises(WebhookNotTrusted, match=missing):
        verify_webhook(case["secrets"], headers, case["body"].encode(), case["now_s"])


def test_a_secret_that_is_none_is_told_as_such() -> None:
    case = CASES[0]
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(["whsec_?"], case["headers"], case["body"].encode(), case["now_s"])
