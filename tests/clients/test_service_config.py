"""The shipped service config, and what it means on a channel."""

from __future__ import annotations

import json
from collections import Counter

from muggins_client.connection import channel_options
from muggins_client.service_config import service_config, timeouts_s
from tests.clients.raw_server import SERVICES

CONFIG = json.loads(service_config())
METHODS = {
    (service.full_name, method.name): method for service in SERVICES for method in service.methods
}


def test_every_rpc_is_configured_once() -> None:
    named = Counter(
        (name["service"], name["method"])
        for entry in CONFIG["methodConfig"]
        for name in entry["name"]
    )
    assert dict.fromkeys(METHODS, 1) == named


def test_only_unary_calls_are_retried_and_only_when_unavailable() -> None:
    for entry in CONFIG["methodConfig"]:
        if "retryPolicy" not in entry:
            continue
        assert ["UNAVAILABLE"] == entry["retryPolicy"]["retryableStatusCodes"]
        for name in entry["name"]:
            method = METHODS[name["service"], name["method"]]
            assert not method.server_streaming


def test_streams_without_end_have_no_deadline_and_all_other_calls_have_one() -> None:
    endless = {"MatchService/ObserveMatch", "MatchService/PlayMatch", "MatchService/WatchMatches"}
    everything = {f"{service.name}/{m.name}" for service in SERVICES for m in service.methods}
    assert everything - endless == timeouts_s().keys()


def test_keepalive_is_never_more_frequent_than_servers_allow() -> None:
    options = dict(channel_options(keepalive_s=1.0, max_message_bytes=1, user_agent="x"))
    assert 20_000 == options["grpc.keepalive_time_ms"]
