"""What an installed `muggins` holds, and what it must not."""

from __future__ import annotations

import json
import sys
from configparser import ConfigParser
from email import message_from_string
from typing import TYPE_CHECKING

import pytest

from tests.packaging.wheel import PACKAGES, ROOT, Wheel, run_isolated, run_outside, source_files

if TYPE_CHECKING:
    from pathlib import Path

EXTRAS = {"ai", "bench", "dev", "otel", "play", "research", "server", "test"}
FOLDERS_NEVER_IMPORTABLE = ("ai", "clients", "protos", "service", "tests")

IMPORT_ALL_RULES = """
import importlib, json, pkgutil, muggins_rules
for module in pkgutil.walk_packages(muggins_rules.__path__, "muggins_rules."):
    importlib.import_module(module.name)
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def test_holds_exactly_the_files_of_the_six_packages(wheel: Wheel) -> None:
    """No file is left out, by an ignore pattern for instance, and none slips in."""
    in_wheel = {path for path in wheel.files if not path.startswith(wheel.metadata.name)}
    assert source_files() == in_wheel


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_says_that_it_is_typed(wheel: Wheel, package: str) -> None:
    assert f"{package}/py.typed" in wheel.files


@pytest.mark.parametrize("language", ["en", "es", "fr", "pt-BR"])
def test_holds_the_words_of_every_language(wheel: Wheel, language: str) -> None:
    assert f"muggins/i18n/{language}.json" in wheel.files


def test_holds_the_generated_code_of_every_proto(wheel: Wheel) -> None:
    protos = ROOT / "protos"
    sources = [path.relative_to(protos) for path in protos.glob("muggins/**/*.proto")]
    expected = {
        source.with_name(f"{source.stem}_pb2{suffix}").as_posix()
        for source in sources
        for suffix in (".py", ".pyi")
    }
    assert expected
    assert expected <= wheel.files


def test_installs_the_six_packages_and_no_other_top_level_name(wheel: Wheel) -> None:
    top_level = {path.partition("/")[0] for path in wheel.files}
    assert {*PACKAGES, wheel.metadata.name} == top_level


@pytest.mark.parametrize("name", FOLDERS_NEVER_IMPORTABLE)
def test_no_folder_of_the_repository_is_importable_from_the_wheel(wheel: Wheel, name: str) -> None:
    program = f"import importlib.util; print(importlib.util.find_spec({name!r}))"
    assert run_isolated(wheel, program) == "None\n"


@pytest.mark.parametrize("name", FOLDERS_NEVER_IMPORTABLE)
def test_no_folder_of_the_repository_is_importable_from_this_environment(
    tmp_path: Path, name: str
) -> None:
    """Holds for the editable install too; another distribution may own such a name."""
    program = (
        f"import importlib.util; spec = importlib.util.find_spec({name!r})\n"
        "print(*(spec and spec.submodule_search_locations or ()), sep='\\n')"
    )
    found = run_outside(tmp_path, program).splitlines()
    assert str(ROOT / name) not in found


def test_metadata_names_every_extra(wheel: Wheel) -> None:
    metadata = message_from_string((wheel.metadata / "METADATA").read_text(encoding="utf-8"))
    assert set(metadata.get_all("Provides-Extra", [])) == EXTRAS


def test_metadata_carries_license_and_python_version(wheel: Wheel) -> None:
    metadata = message_from_string((wheel.metadata / "METADATA").read_text(encoding="utf-8"))
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert (wheel.metadata / "licenses" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_core_dependencies_carry_no_numerical_package(wheel: Wheel) -> None:
    """A game developer's client pulls neither numpy nor numba."""
    metadata = message_from_string((wheel.metadata / "METADATA").read_text(encoding="utf-8"))
    core = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert core
    assert not [line for line in core if line.startswith(("llvmlite", "numba", "numpy"))]


def test_installs_the_command(wheel: Wheel) -> None:
    scripts = ConfigParser()
    scripts.read(wheel.metadata / "entry_points.txt", encoding="utf-8")
    assert dict(scripts["console_scripts"]) == {"muggins": "muggins_cli.main:main"}


def test_the_rules_import_with_the_standard_library_alone(wheel: Wheel) -> None:
    """Every module of the rules imports where nothing else is installed."""
    loaded = set(json.loads(run_isolated(wheel, IMPORT_ALL_RULES)))
    assert loaded - sys.stdlib_module_names - {"__main__"} == {"muggins_rules"}
