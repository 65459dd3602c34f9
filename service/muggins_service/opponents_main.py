"""`muggins opponents`: opponents and rules as a process, for matches that are hosted elsewhere."""

import argparse
from types import MappingProxyType
from typing import Final

from muggins_service.config import add_config_arguments
from muggins_service.main import run_server
from muggins_service.opponents_app import OpponentsApp

__all__ = ["add_arguments", "run"]

_SETTINGS: Final = frozenset(
    {
        "host",
        "port",
        "log_level",
        "workers",
        "opponent_queue",
        "warm",
        "drain_wait_s",
        "grace_s",
        "insecure_listen",
        "tls_cert",
        "tls_key",
        "tls_client_ca",
        "auth",
        "keys_file",
        "tokens_issuer",
        "tokens_audience",
        "tokens_keys",
        "tokens_scope_claim",
        "tokens_scope_prefix",
        "tokens_skew_s",
        "tokens_refresh_s",
        "reload_s",
        "reflection",
        "calls_per_second",
        "calls_burst",
        "advice_per_minute",
        "streams_per_caller",
    }
)
_DEFAULTS: Final = MappingProxyType({"port": 50052})
"""Beside a match server on the same machine."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The settings that opponents have."""
    add_config_arguments(parser, _SETTINGS, _DEFAULTS)


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT; the exit status."""
    return run_server("opponents", arguments, OpponentsApp, _welcome, _DEFAULTS)


def _welcome(address: str) -> str:
    """The line that says how to use it."""
    return (
        f"muggins serves opponents on {address}\n"
        f"For matches: `muggins serve --opponents-address {address}`."
    )
