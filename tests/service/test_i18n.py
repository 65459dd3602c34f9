"""The catalogue of texts: complete in every language, and chosen by what the caller asks for."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path

import pytest

from muggins.i18n import (
    FALLBACK_LANGUAGE,
    LANGUAGES,
    PLACEHOLDERS,
    UnknownKeyError,
    catalogue,
    description,
    hint,
    line,
    sentence,
    term,
)
from muggins_ai.levels import LEVELS
from muggins_rules.events import EndReason
from muggins_rules.presets import PRESETS
from muggins_rules.refusal import Refusal
from muggins_rules.rule_set_check import RuleSetProblem
from muggins_service.opponents.ideas import IDEAS

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"

ERRORS = [
    "match_not_found",
    "rule_set_unknown",
    "seat_unknown",
    "level_unknown",
    "seat_taken",
    "match_full",
    "match_not_open",
    "bad_seat_secret",
    "bad_host_secret",
    "missing_seat_secret",
    "observer_cannot_act",
    "malformed_field",
    "malformed_tile",
    "request_id_reused",
    "version_stale",
    "name_not_allowed",
    "invite_code_wrong",
    "test_seed_not_allowed",
    "nonce_not_expected",
    "nonce_mismatch",
    "nonce_already_revealed",
    "view_inconsistent",
    "rule_set_invalid",
    "match_lost",
    "draining",
    "message_too_large",
    "missing_credentials",
    "bad_credentials",
    "scope_missing",
    "too_many_streams",
    "too_many_matches",
    "reload_failed",
    "dead_letter_not_found",
    "too_many_observers",
    "not_implemented",
    "internal",
    "match_not_finished",
    "seats_not_filled",
    "seat_not_yours",
    "seat_resigned",
    "hints_off",
    "stream_protocol",
    "stream_too_slow",
    "rate_limited",
    "already_revealed",
    "unsupported_seats",
    "store_unavailable",
    "events_inconsistent",
    "round_not_over",
]

TERMS = [
    "tile",
    "double",
    "spinner",
    "end",
    "attach_point",
    "count",
    "points",
    "boneyard",
    "hand",
    "round",
    "match",
    "opener",
    "lot",
    "pass",
    "draw",
    "play",
    "domino",
    "blocked",
    "muggins_call",
    "claim",
    "seat",
    "side",
    "pair",
    "score",
    "target",
    "settlement",
    "short_side",
    "long_side",
    "crosswise",
    "endwise",
    "opponent",
    "stand_in",
]

VALUES = {
    "limit": "100",
    "boneyard": 7,
    "end": "6-6",
    "field": "rule_set.deal",
    "seat": "B",
    "seconds": 3,
    "tile": "6-4",
    "value": 5,
}

ALIKE = {"file_failed"}
"""Lines without a word."""

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@in_every_language
def test_every_refusal_has_a_sentence(language: str) -> None:
    assert set() == {refusal.value for refusal in Refusal} - catalogue(language).sentences.keys()


@in_every_language
def test_every_problem_of_a_rule_set_has_a_sentence(language: str) -> None:
    problems = {problem.value for problem in RuleSetProblem}
    assert set() == problems - catalogue(language).sentences.keys()


@in_every_language
def test_every_error_of_the_service_has_a_sentence(language: str) -> None:
    assert set() == set(ERRORS) - catalogue(language).sentences.keys()


@in_every_language
def test_the_catalogue_has_no_sentence_that_nothing_gives(language: str) -> None:
    reasons = {*Refusal, *RuleSetProblem, *ERRORS, "unknown_field"}
    assert set() == catalogue(language).sentences.keys() - reasons


@in_every_language
def test_every_term_and_every_preset_has_a_name(language: str) -> None:
    assert {*TERMS, *PRESETS} == catalogue(language).terms.keys()


@in_every_language
def test_every_preset_has_a_description(language: str) -> None:
    assert PRESETS.keys() | LEVELS.keys() == catalogue(language).descriptions.keys()


@in_every_language
def test_keys_stand_in_the_same_order_in_every_language(language: str) -> None:
    ours, theirs = catalogue(language), catalogue(FALLBACK_LANGUAGE)
    assert list(theirs.sentences) == list(ours.sentences)
    assert list(theirs.terms) == list(ours.terms)
    assert list(theirs.descriptions) == list(ours.descriptions)
    assert list(theirs.lines) == list(ours.lines)
    assert list(theirs.hints) == list(ours.hints)


@in_every_language
def test_a_language_file_names_each_key_once(language: str) -> None:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        assert len(pairs) == len(dict(pairs))
        return dict(pairs)

    text = (resources.files("muggins.i18n") / f"{language}.json").read_text(encoding="utf-8")
    data = json.loads(text, object_pairs_hook=unique)
    assert {"sentences", "terms", "descriptions", "lines", "hints"} == set(data)


@in_every_language
def test_every_key_is_lower_snake(language: str) -> None:
    words = catalogue(language)
    keys = [*words.sentences, *words.terms, *words.descriptions, *words.lines, *words.hints]
    assert not [key for key in keys if not re.fullmatch(r"[a-z]+(_[a-z]+)*", key)]


@in_every_language
def test_no_text_is_empty_or_badly_spaced(language: str) -> None:
    assert not [text for text in _texts(language) if not text or text != text.strip()]
    assert not [text for text in _texts(language) if re.search(r"\s\s", text)]


@in_every_language
def test_every_sentence_description_and_hint_starts_large_and_ends_with_a_full_stop(
    language: str,
) -> None:
    words = catalogue(language)
    forms = [form.text for forms in words.sentences.values() for form in forms]
    for text in (*forms, *words.descriptions.values(), *words.hints.values()):
        assert text.endswith(".")
        assert text.startswith("{") or text[0].isupper()


@in_every_language
def test_every_sentence_has_one_plain_wording_and_it_is_the_last(language: str) -> None:
    for *detailed, plain in catalogue(language).sentences.values():
        assert frozenset() == plain.placeholders
        assert all(form.placeholders for form in detailed)


@in_every_language
def test_wordings_have_the_same_placeholders_in_every_language(language: str) -> None:
    assert _placeholders(FALLBACK_LANGUAGE) == _placeholders(language)


@in_every_language
def test_placeholders_come_from_the_closed_set(language: str) -> None:
    used = {name for forms in _placeholders(language).values() for form in forms for name in form}
    assert set() == used - PLACEHOLDERS


@in_every_language
def test_no_placeholder_asks_for_a_conversion_or_a_format(language: str) -> None:
    braces = {brace for text in _texts(language) for brace in re.findall(r"\{.*?\}", text)}
    assert not [brace for brace in braces if not re.fullmatch(r"\{[a-z_]+\}", brace)]


@in_every_language
def test_a_line_leaves_the_same_names_open_in_every_language(language: str) -> None:
    assert _names(FALLBACK_LANGUAGE) == _names(language)


@in_every_language
def test_every_idea_of_a_move_has_a_hint_which_names_a_number_at_most(language: str) -> None:
    hints = catalogue(language).hints
    assert IDEAS == tuple(hints)
    with_number = {"keep_number", "close_number"}
    assert with_number == {key for key, text in hints.items() if "{value}" in text}
    assert with_number == {key for key, text in hints.items() if "{" in text}


def test_a_hint_is_told_with_the_number_that_it_names() -> None:
    expected = "Un rival ha mostrado que no tiene 5: deja una punta con ese número."
    assert expected == hint("keep_number", "es", value=5)


def test_a_line_is_told_with_its_values() -> None:
    assert "A joga 3-4" == line("tile_played", "pt-BR", seat="A", tile="3-4")
    assert "B pose 0-0" == line("tile_played", "fr", seat="B", tile="0-0")


def test_a_line_without_one_of_its_values_is_a_programming_error() -> None:
    with pytest.raises(KeyError):
        line("tile_played", "en", seat="A")


def test_every_way_in_which_a_match_ends_early_has_a_line() -> None:
    early = {f"ended_{reason}" for reason in EndReason if reason is not EndReason.TARGET_REACHED}
    assert early == {key for key in catalogue("en").lines if key.startswith("ended_")}


def test_the_catalogue_has_no_line_that_no_command_tells() -> None:
    folder = Path(str(resources.files("muggins_cli")))
    code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    lines = catalogue("en").lines
    assert not [key for key in lines if f'"{key}"' not in code and not key.startswith("ended_")]


def test_the_closed_set_is_the_one_the_tests_fill() -> None:
    assert set(VALUES) == set(PLACEHOLDERS)


@in_every_language
def test_terms_and_descriptions_have_no_placeholders(language: str) -> None:
    words = catalogue(language)
    assert not [t for t in (*words.terms.values(), *words.descriptions.values()) if "{" in t]


@in_every_language
def test_no_sentence_shows_a_brace_with_or_without_values(language: str) -> None:
    for key in catalogue(language).sentences:
        assert "{" not in sentence(key, language)
        assert "{" not in sentence(key, language, **VALUES)


@in_every_language
def test_no_two_reasons_of_the_rules_read_alike(language: str) -> None:
    texts = [sentence(refusal.value, language) for refusal in Refusal]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("language", [tag for tag in LANGUAGES if tag != FALLBACK_LANGUAGE])
def test_every_sentence_description_and_hint_is_translated(language: str) -> None:
    ours, theirs = catalogue(language), catalogue(FALLBACK_LANGUAGE)
    assert not _same(ours.sentences, theirs.sentences)
    assert not _same(ours.descriptions, theirs.descriptions)
    assert [] == [key for key in _same(ours.lines, theirs.lines) if key not in ALIKE]
    assert not _same(ours.hints, theirs.hints)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "The spinner's short side opens when both long sides are used."),
        ("pt-BR", "O lado curto do spinner só abre quando os dois lados longos estão ocupados."),
        ("fr", "Le côté court du double pivot s'ouvre quand ses deux côtés longs sont occupés."),
        ("es", "El lado corto del spinner se abre cuando sus dos lados largos están ocupados."),
    ],
)
def test_a_refusal_is_said_in_the_language_asked_for(language: str, expected: str) -> None:
    assert expected == sentence("branch_closed", language)


@pytest.mark.parametrize(
    ("key", "values", "expected"),
    [
        pytest.param(
            "tile_not_in_hand",
            {"tile": "6-4"},
            "The tile 6-4 is not in your hand.",
            id="a value is filled in",
        ),
        pytest.param(
            "tile_not_in_hand",
            {"tile": None},
            "That tile is not in your hand.",
            id="none counts as missing",
        ),
        pytest.param(
            "no_match",
            {"tile": "6-4"},
            "That tile does not fit there: neither half matches the end.",
            id="one of two values is not enough",
        ),
        pytest.param(
            "no_match",
            {"tile": "6-4", "value": 0},
            "The tile 6-4 does not fit: that end shows 0.",
            id="zero is a value",
        ),
        pytest.param(
            "not_your_turn",
            {"seat": "B", "other": 1},
            "It is not your turn.",
            id="a value that no wording wants is left aside",
        ),
        pytest.param(
            "malformed_tile",
            {"tile": "{seconds.__class__}"},
            "{seconds.__class__} is not a tile of this set.",
            id="braces in a value are only text",
        ),
    ],
)
def test_a_sentence_is_the_most_detailed_wording_that_its_values_fill(
    key: str, values: dict[str, object], expected: str
) -> None:
    assert expected == sentence(key, "en", **values)


@pytest.mark.parametrize("language", ["", "de", "pt", "EN", "../en", "en.json"])
def test_an_unknown_language_falls_back_to_english(language: str) -> None:
    assert sentence("match_over", "en") == sentence("match_over", language)
    assert term("boneyard", "en") == term("boneyard", language)


@pytest.mark.parametrize("ask", [sentence, term, description, line, hint])
@pytest.mark.parametrize("kind", [KeyError, AssertionError, UnknownKeyError])
def test_an_unknown_key_is_a_programming_error(
    ask: Callable[[str, str], str], kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        ask("no_such_key", "en")


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "double"), ("pt-BR", "carroça"), ("fr", "double"), ("es", "doble")],
)
def test_a_term_is_the_word_of_the_table(language: str, expected: str) -> None:
    assert expected == term("double", language)


def test_a_catalogue_cannot_be_changed() -> None:
    terms = catalogue("en").terms
    with pytest.raises(TypeError):
        terms["tile"] = "bone"  # type: ignore[index] # pyright: ignore[reportIndexIssue]


def test_importing_the_package_reads_no_text_and_nothing_beyond_the_standard_library() -> None:
    program = (
        "import sys; import muggins.i18n as words; from muggins.i18n import catalogue as module; "
        "roots = {name.partition('.')[0] for name in sys.modules}; "
        "print(sys.modules['muggins.i18n.catalogue']._load.cache_info().currsize, "
        "sorted(roots & {'google', 'grpc', 'muggins_rules', 'muggins_service'}))"
    )
    path = [str(Path(str(resources.files("muggins.i18n"))).parents[1])]
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path += {path!r}; {program}"],
        check=True,
        capture_output=True,
        text=True,
    )
    nothing_loaded = "0 []\n"
    assert nothing_loaded == run.stdout


def test_the_glossary_says_what_the_catalogue_says() -> None:
    rows = [
        tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
        for line in GLOSSARY.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    shown = {row[0].strip("`"): row[1:5] for row in rows}
    expected = {
        key: tuple(term(key, language).replace("\u00a0", " ") for language in LANGUAGES)
        for key in catalogue(FALLBACK_LANGUAGE).terms
    }
    assert expected == shown


def _texts(language: str) -> list[str]:
    words = catalogue(language)
    forms = [form.text for forms in words.sentences.values() for form in forms]
    lines = words.lines.values()
    others = (*words.terms.values(), *words.descriptions.values(), *words.hints.values())
    return [*forms, *others, *lines]


def _placeholders(language: str) -> dict[str, list[frozenset[str]]]:
    sentences = catalogue(language).sentences
    return {key: [form.placeholders for form in forms] for key, forms in sentences.items()}


def _names(language: str) -> dict[str, set[str]]:
    lines = catalogue(language).lines
    return {key: set(re.findall(r"\{(.*?)\}", text)) for key, text in lines.items()}


def _same(ours: Mapping[str, object], theirs: Mapping[str, object]) -> list[str]:
    return [key for key in ours if ours[key] == theirs[key]]
