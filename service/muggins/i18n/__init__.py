"""The words of the game in English, Portuguese, French and Spanish.

One catalogue serves the server, the terminal and the web. It has a sentence for every reason for
which a request can be refused, the terms of the table, a line on each rule set, the lines in which
a match is told, and the ideas of hints; keys are lower_snake and the same in every language. The
texts are data beside this module, one JSON file per language, read once when first needed.
"""

from muggins.i18n.accept_language import best_language
from muggins.i18n.catalogue import (
    FALLBACK_LANGUAGE,
    LANGUAGES,
    PLACEHOLDERS,
    Catalogue,
    Form,
    UnknownKeyError,
    catalogue,
    description,
    hint,
    line,
    sentence,
    term,
)

__all__ = [
    "FALLBACK_LANGUAGE",
    "LANGUAGES",
    "PLACEHOLDERS",
    "Catalogue",
    "Form",
    "UnknownKeyError",
    "best_language",
    "catalogue",
    "description",
    "hint",
    "line",
    "sentence",
    "term",
]
