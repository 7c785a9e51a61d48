"""The patterns of what the forms print, kept in a file: to find them takes half a minute.

`python -m schoolmath.malrules.reading` writes the file anew, which is needed when a form is added
or its text changes (a test tells). A stale file never reads a text wrongly, for whatever it reads
must print the same text again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from schoolmath.malrules.forms import read_form, write_form
from schoolmath.malrules.library import all_forms
from schoolmath.malrules.reading.patterns import (
    Constant,
    PatternPart,
    PatternWords,
    Reckoned,
    Source,
    TextPattern,
    Tuple,
    printed_patterns,
)
from schoolmath.malrules.reading.tokens import take_apart
from schoolmath.malrules.reading.writing import in_one_line

FILE = Path(__file__).resolve().parents[3] / "assets" / "wordings" / "printed.jsonl"
"""One pattern a line."""
STORIES = "Story"
"""The form whose texts are read by `schoolmath.problems.reading`, not by patterns."""

_RECKONED = re.compile(r"(\d+\.[\w ]+?) ([-+×÷]) (?:(\d+\.[\w ]+)|(\d+))")


def stored_patterns() -> Iterator[TextPattern]:
    """Every pattern of the file."""
    all_forms()
    for line in FILE.read_text(encoding="utf-8").splitlines():
        yield read_pattern(json.loads(line))


def write_pattern(pattern: TextPattern) -> dict[str, Any]:
    """A pattern as a JSON object: an example, its shape, where its fields stand, what is fixed.

    A field is ``null`` where it is always as in the example, else ``{name}`` for words, ``0.value``
    for a part of a slot, ``0.value + 1`` for a result, or a list of such.
    """
    return {
        "problem": write_form(pattern.example),
        "shape": pattern.shape,
        "fields": {name: _written(source) for name, source in pattern.sources.items()},
        "fixed": sorted(pattern.fixed),
    }


def read_pattern(content: dict[str, Any]) -> TextPattern:
    """The pattern that `write_pattern` wrote."""
    example = read_form(content["problem"])
    line = take_apart(in_one_line(example.stem()))
    return TextPattern(
        example,
        content["shape"],
        line.kinds,
        {name: _read(text, getattr(example, name)) for name, text in content["fields"].items()},
        {index: line.slots[index] for index in content["fixed"]},
        printed=True,
    )


def _written(source: Source) -> Any:
    match source:
        case Constant():
            return None
        case PatternWords(group):
            return f"{{{group}}}"
        case Tuple(sources):
            return [_written(each) for each in sources]
        case Reckoned(operation, one, other):
            behind = _written(other) if isinstance(other, PatternPart) else other
            return f"{_written(one)} {operation} {behind}"
    return f"{source.slot}.{source.name}"


def _read(text: Any, like: Any) -> Source:
    if text is None:
        return Constant(like)
    if isinstance(text, list):
        return Tuple(tuple(_read(each, part) for each, part in zip(text, like, strict=True)))
    if text.startswith("{"):
        return PatternWords(text[1:-1])
    if found := _RECKONED.fullmatch(text):
        other = Fraction(found[4]) if found[4] else _part(found[3], like)
        return Reckoned(found[2], _part(found[1], like), other)
    return _part(text, like)


def _part(text: str, like: Any) -> PatternPart:
    slot, name = text.split(".")
    return PatternPart(int(slot), name, like)


def _lines() -> Iterator[str]:
    for name, form in all_forms().items():
        if name != STORIES:
            for pattern in printed_patterns(form):
                yield json.dumps(write_pattern(pattern), ensure_ascii=False)


def write() -> None:
    """Writes the file."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("\n".join(_lines()) + "\n", encoding="utf-8")
