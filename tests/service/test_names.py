"""Which names a seat may show."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muggins_service.wire.names import LONGEST_NAME, allowed_name

GOOD = [
    "Ana",
    "José María",
    "O'Brien-Smith",
    "Ünal İğde",
    "Ωμέγα",
    "Дмитрий",
    "张伟",
    "たかはし さくら",
    "葛\U000e0100城",
    "김민준",
    "ผู้เล่น",
    "க்ஷமா",
    "শ্রীর‍্যাপ",
    "नमस्ते",
    "क्‍ष",
    "محمد",
    "می‌خواهم",
    "יוֹסֵף",
    "አበበ",
    "ᠮᠣᠩᠭᠣᠯ᠋",
    "🎲 Ana 🁫",
    "👍🏽",
    "👨‍👩‍👧‍👦",
    "👩🏿‍⚕️",
    "❤️‍🔥",
    "🏳️‍🌈",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "🇧🇷",
    "7️⃣",
    "⛹️‍♀️",
    "☎︎",
    "x" * LONGEST_NAME,
]

BAD = {
    "nothing": "",
    "spaces": "  \u00a0\u3000 ",
    "too long": "x" * 41,
    "a line": "An\na",
    "a line at the end": "Ana\n",
    "a tab": "An\ta",
    "a bell": "An\x07a",
    "a delete": "An\x7fa",
    "next line": "An\x85a",
    "a line separator": "An\u2028a",
    "right to left override": "An\u202ea",
    "left to right embedding": "An\u202aa",
    "an isolate": "An\u2066a",
    "a mark of direction": "An\u200fa",
    "an arabic mark of direction": "An\u061ca",
    "a zero-width space": "An\u200ba",
    "a word joiner": "An\u2060a",
    "a byte order mark": "\ufeffAna",
    "a soft hyphen": "An\u00ada",
    "a joiner among latin letters": "An\u200da",
    "a non-joiner among latin letters": "An\u200ca",
    "a joiner at the end": "👨\u200d",
    "a joiner at the beginning": "\u200d👨",
    "two joiners": "👨\u200d\u200d👩",
    "a style of a letter": "Ana\ufe0f",
    "another style of a letter": "Ana\ufe01",
    "a style of a digit": "Ana7\ufe0f",
    "an ideograph's style of a letter": "Ana\U000e0100",
    "tags without a flag": "Ana\U000e0061\U000e007f",
    "a flag without its end": "🏴\U000e0067\U000e0062",
    "a filler": "An\u3164a",
    "half a filler": "An\uffa0a",
    "an empty braille cell": "An\u2800a",
    "a grapheme joiner": "An\u034fa",
    "not assigned": "An\U000e0fffa",
    "a non-character": "An\uffffa",
    "private": "An\ue000a",
    "half a pair": "An\ud800a",
    "marks alone": "\u0301\u0302",
    "too many marks": "A" + "\u0335" * 6,
}


@pytest.mark.parametrize("name", GOOD)
def test_every_script_and_emoji_is_allowed(name: str) -> None:
    assert unicodedata.normalize("NFC", name) == allowed_name(f" {name} ")


@pytest.mark.parametrize("kind", BAD)
def test_what_is_not_what_it_seems_is_refused(kind: str) -> None:
    assert allowed_name(BAD[kind]) is None


def test_a_name_is_composed() -> None:
    assert "Jos\u00e9" == allowed_name("Jose\u0301")


@given(st.text(max_size=50))
def test_what_is_allowed_stays_as_it_is(text: str) -> None:
    name = allowed_name(text)
    if name is not None:
        assert name == allowed_name(name)
        assert name.isprintable() or {"Cf", "Zs"} & set(map(unicodedata.category, name))
