"""The language a caller asks for by header, among those of the catalogue."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muggins.i18n import LANGUAGES, best_language


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("fr", "fr"),
        ("FR", "fr"),
        ("pt", "pt-BR"),
        ("pt-BR", "pt-BR"),
        ("pt-br", "pt-BR"),
        ("pt-PT", "pt-BR"),
        ("es-MX", "es"),
        ("es-419", "es"),
        ("es-Latn-MX-x-private", "es"),
        ("en-GB", "en"),
        ("de", "en"),
        ("de, fr", "fr"),
        ("de, *", "en"),
        ("fr, es", "fr"),
        ("fr;q=0.3, es;q=0.7", "es"),
        ("fr;q=0.333, es;q=0.334", "es"),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        ("da, en-gb;q=0.8, en;q=0.7", "en"),
        ("*;q=0.1, fr;q=0.5", "fr"),
        ("fr;q=0", "en"),
        ("fr;q=0, fr-CA, es;q=0.1", "es"),
        ("es-MX;q=0, es", "es"),
        ("en;q=0, *", "pt-BR"),
        ("pt;q=0, en;q=0, *", "fr"),
        ("en;q=0, pt;q=0, fr;q=0, es;q=0, *", "en"),
        ("*;q=0, es", "es"),
        ("\tfr \t; q=0.5 ,, es;Q=1.000", "es"),
        ("fr;q=2, es;q=0.1", "es"),
        ("fr;q=, es;q=0.1", "es"),
        ("fr;q=0.1234, es;q=0.1", "es"),
        ("fr;q=-1, es;q=0.1", "es"),
        ("fr;level=1, es;q=0.1", "es"),
        ("fr_FR, es;q=0.1", "es"),
        ("fr-, es;q=0.1", "es"),
        ("fr-*, es;q=0.1", "es"),
        ("françaises, es;q=0.1", "es"),
        ("esperanto", "en"),
        ("frr", "en"),
        ("fr;q=\N{FULLWIDTH DIGIT ONE}, es;q=0.1", "es"),
    ],
)
def test_the_best_language_is_looked_up_by_quality(header: str | None, expected: str) -> None:
    assert expected == best_language(header)


@given(st.text())
@example("," * 10_000)
@example("fr-" * 10_000)
@example("fr;q=" + "0" * 10_000)
def test_any_text_as_a_header_gives_a_language_of_the_catalogue(header: str) -> None:
    assert best_language(header) in LANGUAGES


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["*", "en", "pt", "pt-BR", "pt-PT", "fr-CA", "es-MX", "de", "f r", ""]),
            st.sampled_from(["", ";q=0", ";q=0.5", "; q=1", ";q=7", ";"]),
        )
    )
)
def test_any_list_of_wishes_gives_a_language_of_the_catalogue(
    wishes: list[tuple[str, str]],
) -> None:
    assert best_language(",".join(map("".join, wishes))) in LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_is_found_by_its_own_tag(language: str) -> None:
    assert language == best_language(language)
