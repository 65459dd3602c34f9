"""The gRPC service config that ships with the client: deadlines and retries of every rpc.

`service_config.json` is plain gRPC, for clients in any language. It retries UNAVAILABLE for
reads, and for mutations because this client always gives them a request id: whoever uses the
file elsewhere has to do so too.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

__all__ = ["service_config", "timeouts_s"]


@cache
def service_config() -> str:
    """The service config as JSON."""
    source = resources.files("muggins_client") / "service_config.json"
    return source.read_text(encoding="utf-8")


@cache
def timeouts_s() -> Mapping[str, float]:
    """Seconds that a call may take, by rpc as in "MatchService/PlayTile"; streams have none."""
    timeouts: dict[str, float] = {}
    for entry in json.loads(service_config())["methodConfig"]:
        if "timeout" in entry:
            seconds = float(entry["timeout"].removesuffix("s"))
            for name in entry["name"]:
                timeouts[f"{name['service'].rpartition('.')[2]}/{name['method']}"] = seconds
    return MappingProxyType(timeouts)
