"""What `docs/notation.md` says is so: its examples, its grammar and its reasons."""

from __future__ import annotations

import inspect
import re
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given

from muggins_rules.notation import NotationReason, parse_layout
from muggins_rules.notation import errors as errors_module
from muggins_rules.ruleset import SpinnerRule
from tests.golden.games import FOLDER
from tests.rules.grammar import Grammar
from tests.rules.notation_kit import READERS, corrupt_texts, many, read

DOCUMENT = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```text (\w+)(?: (\w+))?\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
GRAMMAR = Grammar("".join(re.findall(r"^```ebnf\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)))
ONE_A_LINE = {"tile", "end", "placement", "action"}
WHOLE_BLOCK = {"round", "match"}
SYNTAX = {
    NotationReason.UNEXPECTED_TEXT,
    NotationReason.UNEXPECTED_END,
    NotationReason.TRAILING_TEXT,
}


def _examples() -> list[tuple[str, str, str]]:
    found = []
    for name, rule, block in BLOCKS:
        if name in WHOLE_BLOCK:
            texts = [block]
        elif name in ONE_A_LINE:
            texts = block.splitlines()
        else:
            texts = block.strip().split("\n\n")
        found += [(name, rule, text) for text in texts]
    return found


EXAMPLES = _examples()


def test_the_document_shows_each_kind_of_text() -> None:
    assert set(READERS) == {name for name, _, _ in EXAMPLES}


@pytest.mark.parametrize(("name", "rule", "text"), EXAMPLES)
def test_an_example_is_written_again_as_it_was_read(name: str, rule: str, text: str) -> None:
    parse, write = READERS[name]
    if rule:
        parse = partial(parse_layout, rule=SpinnerRule(rule))
    assert text == write(parse(text))


@pytest.mark.parametrize(("name", "rule", "text"), EXAMPLES)
def test_the_grammar_has_the_example(name: str, rule: str, text: str) -> None:
    del rule
    assert GRAMMAR.accepts(name, text)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_the_grammar_has_every_golden_game(path: Path) -> None:
    assert GRAMMAR.accepts("match", path.read_text(encoding="utf-8"))


@many
@given(corrupt_texts())
def test_the_grammar_and_the_parser_agree_on_corrupt_texts(corrupt: tuple[str, str]) -> None:
    name, text = corrupt
    _, error = read(name, text)
    if error is None:
        assert GRAMMAR.accepts(name, text)
    elif error.reason in SYNTAX:
        assert not GRAMMAR.accepts(name, text)


def test_the_document_tells_each_reason_in_the_words_of_the_code() -> None:
    source = inspect.getsource(errors_module)
    said = dict(re.findall(r'^    [A-Z_]+ = "(\w+)"\n    """(.*)"""$', source, re.MULTILINE))
    told = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", DOCUMENT, re.MULTILINE))
    assert said == told
    assert set(NotationReason) == set(told)
