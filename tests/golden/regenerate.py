"""Writes the golden games anew: `python -m tests.golden.regenerate`. Read the diff."""

from tests.golden.games import FOLDER, golden_texts


def main() -> None:
    """Write every file, and remove those that are golden no more."""
    texts = golden_texts()
    for path in FOLDER.glob("*.txt"):
        if path.stem not in texts:
            path.unlink()
    for name, text in texts.items():
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
