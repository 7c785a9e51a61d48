"""An item that came from a file of somebody else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from biaslab.files.decoding import decode, read_bytes
from biaslab.files.errors import FEWEST_OPTIONS, LETTERS, MOST_OPTIONS, InterchangeError
from biaslab.files.items.reasons import Reasons, reasons_of
from schoolmath.malrules import cards
from schoolmath.malrules.bank import ChoiceItem, ItemError, check_item, read_item
from schoolmath.text.given_files import parse_json

ITEM_FORMAT = "BiasLab items"
"""Marks JSON objects that are items of ours: their texts are plain, whatever signs they have."""


@dataclass(frozen=True, slots=True)
class ImportedItem:
    """A question with two to eight options, as a file gave it.

    Attributes:
        question: what is asked.
        options: in their order, A first.
        key: letter of the right one.
        passage: what is read before the question; often empty.
        rationales: how somebody comes to an option, by its letter; may be incomplete.
        misconceptions: name or number of what is behind a wrong option, by its letter.
        grade: where it is known.
        content_class: in the file's own words; often empty.
        topic: narrower than the class (Eedi's construct); often empty.
        dok: depth of knowledge, where it is known.
        row: where it stood in its file: the spreadsheet's row, or the question's number.
        lost: what could not be taken over without which it cannot be asked, such as a picture;
            each a clause.

    Raises:
        ValueError: there is no question, an option is blank, or the key is none of the letters.
    """

    question: str
    options: tuple[str, ...]
    key: str
    passage: str = ""
    rationales: Mapping[str, str] = field(default_factory=dict)
    misconceptions: Mapping[str, str] = field(default_factory=dict)
    grade: int | None = None
    content_class: str = ""
    topic: str = ""
    dok: int | None = None
    row: int = 0
    lost: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.question.strip():
            raise ValueError("An item needs a question.")
        if not FEWEST_OPTIONS <= len(self.options) <= MOST_OPTIONS:
            raise ValueError(f"An item has {FEWEST_OPTIONS} to {MOST_OPTIONS} options.")
        if not all(option.strip() for option in self.options):
            raise ValueError("No option may be blank.")
        letters = set(self.letters)
        if self.key not in letters:
            raise ValueError(f"The key {self.key!r} is none of {', '.join(self.letters)}.")
        for name, texts in (
            ("rationales", self.rationales),
            ("misconceptions", self.misconceptions),
        ):
            if not set(texts) <= letters:
                raise ValueError(f"The {name} name a letter that no option has.")

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of its options."""
        return tuple(LETTERS[: len(self.options)])

    @property
    def reasons(self) -> Reasons:
        """The reasons behind its options that can be told apart, and what they allow to ask."""
        return reasons_of(self.options, self.key, self.rationales, self.misconceptions, self.lost)

    @property
    def id(self) -> str:
        """Sixteen hexadecimal digits from passage, question, options and key."""
        content = json.dumps([self.passage, self.question, self.options, self.key])
        return blake2b(content.encode(), digest_size=8).hexdigest()

    def option(self, letter: str) -> str:
        """The text of the option with this letter."""
        return self.options[LETTERS.index(letter)]


def write_imported(item: ImportedItem) -> dict[str, Any]:
    """The item as a JSON object; fields that a bank's item has too are called the same."""
    return {
        "format": ITEM_FORMAT,
        "id": item.id,
        "question": item.question,
        "passage": item.passage,
        "options": dict(zip(item.letters, item.options, strict=True)),
        "key": item.key,
        "rationales": dict(item.rationales),
        "misconceptions": dict(item.misconceptions),
        "grade": item.grade,
        "content_class": item.content_class,
        "topic": item.topic,
        "dok": item.dok,
        "row": item.row,
        "lost": list(item.lost),
    }


def read_imported(content: Any) -> ImportedItem:
    """The item that `write_imported` wrote.

    Raises:
        InterchangeError: a field is missing or of another type; the message names it.
    """
    if not isinstance(content, dict):
        raise InterchangeError("This is no JSON object.")
    options = _texts(content, "options", required=True)
    if list(options) != list(LETTERS[: len(options)]):
        raise InterchangeError("Field options: its letters must be A, B and so on, in order.")
    # Up to 0.4 this field also held what is now told from the item itself.
    lost = content["lost"] if "lost" in content else _pictures(content.get("unusable", []))
    if not (isinstance(lost, list) and all(isinstance(each, str) for each in lost)):
        raise InterchangeError("Field lost: it must be a list of texts.")
    try:
        return ImportedItem(
            question=_text(content, "question", required=True),
            options=tuple(options.values()),
            key=_text(content, "key", required=True),
            passage=_text(content, "passage"),
            rationales=_texts(content, "rationales"),
            misconceptions=_texts(content, "misconceptions"),
            grade=_number(content, "grade"),
            content_class=_text(content, "content_class"),
            topic=_text(content, "topic"),
            dok=_number(content, "dok"),
            row=_number(content, "row") or 0,
            lost=tuple(lost),
        )
    except ValueError as error:
        raise InterchangeError(str(error)) from error


def as_imported(item: ImportedItem | ChoiceItem) -> ImportedItem:
    """An item of the bank in the form of a file's; the mal-rules stand as misconceptions."""
    if isinstance(item, ImportedItem):
        return item
    named = cards()
    return ImportedItem(
        question=item.question,
        options=item.options,
        key=item.key,
        rationales=dict(item.rationales),
        misconceptions={
            letter: f"{rule} {named[rule].name}" if rule in named else rule
            for letter, rule in item.rules.items()
        },
        grade=item.grade,
        content_class=item.content_class,
        dok=item.dok,
    )


def _pictures(unusable: Any) -> Any:
    if not isinstance(unusable, list):
        return unusable
    return [each for each in unusable if not isinstance(each, str) or "picture" in each]


def _text(content: dict[str, Any], name: str, required: bool = False) -> str:
    value = content.get(name, None if required else "")
    if not isinstance(value, str):
        raise InterchangeError(f"Field {name}: it must be a text.")
    return value


def _texts(content: dict[str, Any], name: str, required: bool = False) -> dict[str, str]:
    value = content.get(name, None if required else {})
    if not (isinstance(value, dict) and all(isinstance(text, str) for text in value.values())):
        raise InterchangeError(f"Field {name}: it must be an object of texts by letter.")
    return value


def _number(content: dict[str, Any], name: str) -> int | None:
    value = content.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise InterchangeError(f"Field {name}: it must be a whole number or null.")
    return value


def write_items(items: Iterable[ImportedItem]) -> str:
    """A line of JSON for every item."""
    return "".join(f"{json.dumps(write_imported(item), ensure_ascii=False)}\n" for item in items)


def read_item_file(path: Path) -> Iterator[ImportedItem | ChoiceItem]:
    """The items of a JSONL file; those of the bank are worked again and compared.

    Raises:
        InterchangeError: a row is no item, or does not hold; the message names the row.
        OSError: the file cannot be read.
    """
    for number, line in enumerate(decode(read_bytes(path)).text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"Row {number} of {path.name}"
        try:
            content = parse_json(line)
        except ValueError as error:
            raise InterchangeError(
                f"{where} is no JSON object on one line. This command reads what "
                "`biaslab items` and `biaslab import` write."
            ) from error
        try:
            if isinstance(content, dict) and "problem" in content:
                item = read_item(content, where)
                check_item(item, where)
                yield item
            else:
                yield read_imported(content)
        except InterchangeError as error:
            raise InterchangeError(f"{where}: {error}") from error
        except ItemError as error:
            raise InterchangeError(str(error)) from error
