"""One item with four options, as it is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from typing import Any

from schoolmath.malrules.rules import rules
from schoolmath.problems.errors import ProblemError
from schoolmath.version import __version__

LETTERS = ("A", "B", "C", "D")
"""What the options are called, in their order."""

_canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class ItemError(ProblemError):
    """An item is not what its problem gives; the message names item and field.

    Args:
        item: its id, or where it was found.
        field: the field at fault.
        reason: what is wrong with it, as a clause.
    """

    def __init__(self, item: str, field: str, reason: str) -> None:
        super().__init__(f"Item {item}, field {field}: {reason}.")
        self.item = item
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ChoiceItem:
    """A question with four options; each wrong one is what a mal-rule gives.

    Attributes:
        id: hash of the content: the same item has the same id everywhere.
        question: what is asked.
        options: the four options, A to D.
        key: letter of the right one.
        rules: id of the mal-rule for each other letter.
        rationales: for every letter how somebody comes to it, the answer itself hidden.
        grade: for which it was drawn.
        content_class: of its problem.
        dok: depth of knowledge, 1 to 3.
        style: of the rationales.
        problem: what `schoolmath.malrules.write_form` writes.
        library_version: of this program and the rules that made it.
        seed: of the design that it was made by.
        pupils: names of four pupils, in the order of the options, where the question is which
            of them is right; empty otherwise.
        others: for a letter the further rules that give the same option; empty for an item that
            identifies its rules.
    """

    id: str
    question: str
    options: tuple[str, ...]
    key: str
    rules: Mapping[str, str]
    rationales: Mapping[str, str]
    grade: int
    content_class: str
    dok: int
    style: str
    problem: Mapping[str, Any]
    library_version: str
    seed: int
    pupils: tuple[str, ...] = ()
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def ambiguous(self) -> bool:
        """Whether some option fits several rules: not for telling rules apart."""
        return bool(self.others)

    def option(self, letter: str) -> str:
        """The text of the option with this letter."""
        return self.options[LETTERS.index(letter)]

    def with_id(self) -> ChoiceItem:
        """The same item with the id that its content has."""
        return replace(self, id=item_id(self))


def item_id(item: ChoiceItem) -> str:
    """Sixteen hexadecimal digits from everything but id, seed and version."""
    content = write_item(item)
    for left_out in ("id", "seed", "library_version"):
        del content[left_out]
    return blake2b(_canonical(content).encode(), digest_size=8).hexdigest()


BANK_VERSION = 5
"""Of how items are chosen and told. It rises whenever the items of a seed change.

1: to 0.4. 2: rationales tell the step that shows the idea and lead to their option alone; places of
keys by value and words of rationales are evened out; options that cannot be are refused. 3: who
takes the longest decimal goes by its length (NO213), not by its denominator (NO33). 4: 38 further
forms are dealt, so that most cells of grade, class and depth have five; no percent is a fraction.
5: the published mix has the counts that MalAlgoQA prints (two pairs of classes were swapped); a
question about a number on a line no longer names the number.
"""


@cache
def library_version() -> str:
    """The version of this program and, after a plus sign, that of the bank and a hash of all
    rules with their versions: ``0.5.0+bank5.1f2e3d4c``.
    """
    hashed = _versions_hash((r.id, r.card.version) for r in rules().values())
    return f"{__version__}+bank{BANK_VERSION}.{hashed}"


def bank_version(of_library: str) -> int:
    """The version of the bank in a `library_version`; 1 where none is named, as to 0.4."""
    found = re.search(r"\+bank(\d{1,4})\.", of_library)
    return int(found[1]) if found else 1


def _versions_hash(versions: Iterable[tuple[str, int]]) -> str:
    return blake2b(_canonical(sorted(versions)).encode(), digest_size=4).hexdigest()


def write_item(item: ChoiceItem) -> dict[str, Any]:
    """The item as a JSON object."""
    content: dict[str, Any] = {
        "id": item.id,
        "question": item.question,
        "options": dict(zip(LETTERS, item.options, strict=True)),
        "key": item.key,
        "rules": dict(item.rules),
        "rationales": dict(item.rationales),
        "grade": item.grade,
        "content_class": item.content_class,
        "dok": item.dok,
        "style": item.style,
        "problem": dict(item.problem),
        "library_version": item.library_version,
        "seed": item.seed,
    }
    if item.pupils:
        content["pupils"] = list(item.pupils)
    if item.others:
        content["others"] = {letter: list(ids) for letter, ids in item.others.items()}
    return content


def read_item(content: Mapping[str, Any], where: str = "") -> ChoiceItem:
    """The item that `write_item` wrote, its shape checked and nothing else.

    Args:
        content: the JSON object.
        where: named in errors where the item has no id.

    Raises:
        ItemError: a field is missing, unknown or of another type.
    """
    if not isinstance(content, Mapping):
        raise ItemError(where or "?", "id", "this is no JSON object")
    name = _name(content, where)
    for key in content:
        if key not in _SHAPES and key not in _OPTIONAL:
            raise ItemError(name, str(key), "there is no such field")
    for key, shape in _SHAPES.items():
        if key not in content:
            raise ItemError(name, key, "it is missing")
        if not isinstance(content[key], shape) or isinstance(content[key], bool):
            raise ItemError(name, key, f"it must be a JSON {_JSON_NAMES[shape]}")
    for key, shape in _OPTIONAL.items():
        if key in content and not isinstance(content[key], shape):
            raise ItemError(name, key, f"it must be a JSON {_JSON_NAMES[shape]}")
    key = content["key"]
    if key not in LETTERS:
        raise ItemError(name, "key", "it must be A, B, C or D")
    wrong = set(LETTERS) - {key}
    for mapping, letters in (("options", LETTERS), ("rationales", LETTERS), ("rules", wrong)):
        if set(content[mapping]) != set(letters):
            raise ItemError(name, mapping, f"its letters must be {', '.join(sorted(letters))}")
        if not all(isinstance(text, str) for text in content[mapping].values()):
            raise ItemError(name, mapping, "its values must be texts")
    others = content.get("others", {})
    if not all(isinstance(ids, list) for ids in others.values()) or not set(others) <= wrong:
        raise ItemError(name, "others", "it must be lists of rules by letter of a wrong option")
    values = {key: content[key] for key in _SHAPES if key != "options"}
    return ChoiceItem(
        **values,
        options=tuple(content["options"][letter] for letter in LETTERS),
        pupils=tuple(content.get("pupils", ())),
        others={letter: tuple(ids) for letter, ids in others.items()},
    )


_SHAPES: dict[str, type[Any]] = {
    "id": str, "question": str, "options": dict, "key": str, "rules": dict, "rationales": dict,
    "grade": int, "content_class": str, "dok": int, "style": str, "problem": dict,
    "library_version": str, "seed": int,
}  # fmt: skip
_OPTIONAL: dict[str, type[Any]] = {"pupils": list, "others": dict}
_JSON_NAMES = {str: "text", dict: "object", int: "whole number", list: "list"}


def _name(content: Mapping[str, Any], where: str) -> str:
    found = content.get("id")
    known = found if isinstance(found, str) and found else "?"
    return f"{known} ({where})" if where else known
