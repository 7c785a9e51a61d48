"""How easily what people read is read: Flesch's reading ease of all strings, by who reads them.

    python -m benchmarks.reading_ease

206.835 - 1.015 words a sentence - 84.6 syllables a word (Flesch 1948; 60 to 70 is plain English).
Strings of five words and more count, values in them as one word of one syllable.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from biaslab.studies.word_problems.overview.measures import syllables

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("biaslab", "pages", "schoolmath")
DOCUMENTS = (
    *sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md",
    ROOT / "assets" / "room" / "phone.html", *sorted((ROOT / "assets" / "malrules").glob("*.yaml")),
)  # fmt: skip

READERS = {
    "teachers": (
        "pages/classroom.py", "pages/problem.py", "pages/home.py", "biaslab/ui/classroom/",
        "biaslab/ui/custom_pairs/", "biaslab/ui/studies/tutor/",
        "biaslab/publishing/tutor_check.py",
        "biaslab/studies/tutor/check.py", "schoolmath/malrules/classes/",
    ),
    "researchers": (
        "pages/results.py", "pages/studies.py", "pages/models.py", "biaslab/ui/results/",
        "biaslab/ui/ask/", "biaslab/ui/compose/", "biaslab/ui/models/", "biaslab/ui/studies/",
        "biaslab/stats/",
    ),
    "hosts": ("biaslab/room/", "biaslab/ui/serving/"),
    "users of commands": ("biaslab/cli/",),
}  # fmt: skip
"""Beginnings of paths; the first that fits counts."""

_FEWEST_WORDS = 5
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*|\d[\d.,]*|\{\}")
_CODE = re.compile(r"[<>\\]|SELECT |\)\?")


def reading_ease(texts: Iterable[str]) -> float:
    """Flesch's reading ease of some texts.

    Raises:
        ValueError: there is no word.
    """
    words = sentences = sounds = 0
    for text in texts:
        each = _WORD.findall(text)
        words += len(each)
        sentences += max(1, len(re.findall(r"[.!?](?:\s|$)", text)))
        sounds += sum(syllables(word) if word[0].isalpha() else 1 for word in each)
    if not words:
        raise ValueError("There is no text to measure.")
    return 206.835 - 1.015 * words / sentences - 84.6 * sounds / words


def by_reader() -> dict[str, list[str]]:
    """The strings of the product by who reads them."""
    found = defaultdict(list)
    for path, _, text in code_texts():
        reader = next((who for who, starts in READERS.items() if path.startswith(starts)), "")
        if reader and len(_WORD.findall(text)) >= _FEWEST_WORDS and not _CODE.search(text):
            found[reader].append(text)
    return found


def code_texts() -> Iterator[tuple[str, int, str]]:
    """Path, line and words of every string that reads as words, values in f-strings left out."""
    for top in PRODUCT:
        for path in sorted((ROOT / top).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            left_out = set(_docstrings(tree))
            for node in ast.walk(tree):
                if isinstance(node, ast.JoinedStr):
                    left_out |= {id(part) for part in node.values}
                    text = "".join(
                        str(part.value) if isinstance(part, ast.Constant) else "{}"
                        for part in node.values
                    )
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    text = "" if id(node) in left_out else node.value
                else:
                    continue
                if " " in text:
                    yield str(path.relative_to(ROOT)), node.lineno, " ".join(text.split())


def _docstrings(tree: ast.Module) -> Iterator[int]:
    """Of modules, classes and functions but commands, whose docstring is their help."""
    for node in ast.walk(tree):
        is_command = isinstance(node, ast.FunctionDef) and any(
            "command" in ast.unparse(each) for each in node.decorator_list
        )
        body = getattr(node, "body", [])
        for statement in body if isinstance(body, list) else []:
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Constant)
                and not is_command
            ):
                yield id(statement.value)


def document_texts() -> Iterator[tuple[str, int, str]]:
    """Path, line and words of every line of the documents, code left out."""
    for path in DOCUMENTS:
        is_code = False
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            is_code ^= line.startswith("```")
            if path.suffix == ".md" and line.startswith("    "):
                continue
            # The description of a mal-rule is a stimulus: hints have its words.
            if not is_code and not line.startswith("  description:"):
                yield str(path.relative_to(ROOT)), number, re.sub(r"`[^`]*`", "", line)


if __name__ == "__main__":
    for who, texts in by_reader().items():
        print(f"{who}: {reading_ease(texts):.1f} ({len(texts):,} texts)")
