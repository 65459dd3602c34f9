"""Settings from flags and the environment, and errors that name the setting."""

import argparse

import pytest

from muggins_service.config import (
    Config,
    ConfigError,
    add_config_arguments,
    config_from,
    table_policy,
)
from tests.service.process import serve, serving
from tests.service.server import Field


def _flags(*arguments: str) -> dict[str, object]:
    parser = argparse.ArgumentParser()
    add_config_arguments(parser)
    return vars(parser.parse_args(arguments))


def test_every_setting_has_its_default_where_nothing_is_given() -> None:
    assert Config() == config_from(_flags(), {})


def test_the_environment_sets_what_no_flag_does() -> None:
    environment = {"MUGGINS_PORT": "1", "MUGGINS_WORKERS": "2", "MUGGINS_TEST_SEEDS": "yes"}
    config = config_from(_flags("--port", "3"), environment)
    assert (3, 2, True) == (config.port, config.workers, config.test_seeds)


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        (["--host", "127.0.0.2"], "host", "127.0.0.2"),
        (["--log-level", "debug"], "log_level", "debug"),
        (["--test-seeds"], "test_seeds", True),
        (["--no-test-seeds"], "test_seeds", False),
        (["--claim-window-s", "2.5"], "claim_window_s", 2.5),
        (["--idle-lifetime-s", "60"], "idle_lifetime_s", 60.0),
    ],
)
def test_a_flag_sets_its_setting(arguments: list[str], name: str, value: Field) -> None:
    assert value == getattr(config_from(_flags(*arguments), {}), name)


@pytest.mark.parametrize(
    ("arguments", "environment", "named"),
    [
        (["--port", "x"], {}, "--port"),
        (["--port", "70000"], {}, "port"),
        (["--port", "-1"], {}, "port"),
        (["--workers", "0"], {}, "workers"),
        (["--log-level", "loud"], {}, "log_level"),
        (["--grace-s", "-1"], {}, "grace_s"),
        (["--nonce-wait-s", "nan"], {}, "nonce_wait_s"),
        (["--takeover-level", "genius"], {}, "takeover_level"),
        (["--think-least-s", "3"], {}, "think_least_s"),
        (["--auth", "all"], {}, "auth"),
        (["--auth", "keys"], {}, "keys_file"),
        (["--calls-per-second", "nan"], {}, "calls_per_second"),
        (["--matches-per-caller", "-2"], {}, "matches_per_caller"),
        (["--calls-burst", "-1"], {}, "calls_burst"),
        (["--reload-s", "0"], {}, "reload_s"),
        (["--tokens-skew-s", "301"], {}, "tokens_skew_s"),
        ([], {"MUGGINS_PORT": "many"}, "MUGGINS_PORT"),
        ([], {"MUGGINS_TEST_SEEDS": "perhaps"}, "MUGGINS_TEST_SEEDS"),
        ([], {"MUGGINS_PROT": "1"}, "MUGGINS_PROT"),
    ],
)
def test_a_setting_that_cannot_be_is_named(
    arguments: list[str], environment: dict[str, str], named: str
) -> None:
    with pytest.raises(ConfigError, match=named):
        config_from(_flags(*arguments), environment)


def test_durations_are_seconds_in_settings_and_microseconds_inside() -> None:
    policy = table_policy(Config(claim_window_s=1.5, nonce_wait_s=0.25), 0)
    assert (1_500_000, 250_000) == (policy.claim_window_us, policy.nonce_wait_us)


async def test_a_wrong_setting_ends_the_command_with_2_and_one_line() -> None:
    process = await serve("--workers", "none")
    _, errors = await process.communicate()
    assert 2 == process.returncode
    assert ["muggins serve: --workers: 'none' is no int"] == errors.decode().splitlines()


async def test_a_port_that_is_taken_ends_the_command_with_1_and_says_so() -> None:
    async with serving() as server:
        port = server.address.rpartition(":")[2]
        process = await serve("--port", port)
        _, errors = await process.communicate()
        assert 1 == process.returncode
        assert f"cannot listen on 127.0.0.1:{port}" in errors.decode()
        assert "Traceback" not in errors.decode()


async def test_the_command_says_where_to_play() -> None:
    async with serving(environment={"MUGGINS_TEST_SEEDS": "1"}) as server:
        assert server.process.stdout is not None
        assert b"muggins demo" in await server.process.stdout.readline()
