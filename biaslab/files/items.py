"""An item from a file of somebody else: its options, the reasons behind them, how it is kept.

A reason is a rationale (how somebody comes to an option) or, where no wrong option has one, the
name of a misconception (what a pupil believes who chooses it). Which reason led to a choice can
only be asked where it is the reason of this choice alone.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import Any

from biaslab.files.decoding import decode, read_bytes
from biaslab.files.errors import FEWEST_OPTIONS, LETTERS, MOST_OPTIONS, InterchangeError
from schoolmath.malrules import Answer, cards
from schoolmath.malrules.bank import ChoiceItem, ItemError, check_item, read_item
from schoolmath.text.given_files import parse_json

# Whether two options are one answer: 2/4 and 1/2, 50% and 0.5. Only numbers are compared by value.
# Texts of a file are never given to a program that evaluates expressions: x + x and 2x count as
# different.


_DIGITS = "[0-9]{1,30}"
_WHOLE = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,9}|[0-9]{1,30})"
_VALUE = re.compile(
    rf"(?P<before>[$£€]?)\s*(?P<sign>-?)\s*(?P<currency>[$£€]?)\s*(?:"
    rf"(?:(?P<mixed>{_DIGITS})\s+)?(?P<top>{_DIGITS})\s*/\s*(?P<bottom>{_DIGITS})"
    rf"|(?P<whole>{_WHOLE})?(?:\.(?P<places>{_DIGITS}))?"
    r")\s*(?P<percent>%?)\s*(?P<unit>[^0-9]*)"
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_LONGEST = 200


def answer_of(option: str) -> tuple[Answer, str]:
    """What an option says, and the unit behind it.

    A number where it is one (a fraction, a decimal, a percentage, an amount of money), else the
    text itself.
    """
    text = _plain(option)
    match = _VALUE.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None or not (match["top"] or match["whole"] or match["places"]):
        return Answer.label(option), ""
    if match["top"]:
        if int(match["bottom"]) == 0:
            return Answer.label(option), ""
        value = Fraction(int(match["top"]), int(match["bottom"])) + int(match["mixed"] or 0)
    else:
        places = match["places"] or ""
        digits = (match["whole"] or "").replace(",", "") + places
        value = Fraction(int(digits), 10 ** len(places))
    if match["sign"]:
        value = -value
    if match["percent"]:
        value /= 100
    unit = match["before"] + match["currency"] + " ".join(match["unit"].lower().split())
    return Answer.number(value, option), unit.strip(" .")


def same_option(first: str, second: str) -> bool:
    """Whether two options are one answer.

    A unit given with only one of them makes no difference.
    """
    (answer, unit), (other, other_unit) = answer_of(first), answer_of(second)
    return answer.same_as(other) and (unit == other_unit or not unit or not other_unit)


def same_text(first: str, second: str) -> bool:
    """Whether two options are written alike but for case and blanks."""
    return " ".join(first.lower().split()) == " ".join(second.lower().split())


def _plain(option: str) -> str:
    r"""A number without LaTeX around it: ``\( \frac{1}{2} \)`` is 1/2."""
    text = option.strip()
    for start, end in (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$")):
        if text.startswith(start) and text.endswith(end) and len(text) > len(start + end):
            text = text[len(start) : -len(end)].strip()
            break
    if len(text) > _LONGEST:
        return text
    text = _FRACTION.sub(r" \1/\2", text).replace("\\%", "%").replace("−", "-")
    return "".join(map(_plain_fraction, text)).strip()


def _plain_fraction(character: str) -> str:
    """½ is " 1/2", with a blank so that 2½ is a mixed number."""
    if unicodedata.decomposition(character).startswith("<fraction>"):
        return " " + unicodedata.normalize("NFKC", character).replace("⁄", "/")
    return character


_VERDICT = re.compile(
    r"\W{0,3}(?:(?:this|that|it)(?:['’]s| is) )?(?:correct|incorrect|right|wrong)"
    r"(?: (?:answer|choice|option|response))?\s*(?:[.!:;,]+|[–—]|\s-(?=\s)|$)\s*",
    re.IGNORECASE,
)
_WORDS = (
    r"well done|good (?:job|work|try|effort|thinking|one)|great(?: (?:job|work|thinking))?|"
    r"nice(?:ly done| work| one| try)?|excellent(?: work)?|perfect|brilliant|super|fantastic|"
    r"awesome|bravo|hooray|congratulations|exactly|absolutely|yes|yep|no|nope|sorry|oops|"
    r"not quite(?: right)?|almost(?: there)?|nearly(?: there)?|close|"
    r"(?:please )?(?:try|have another go|think|check|look)(?: (?:it|again|once more|harder))*|"
    r"(?:please )?check (?:your|the) (?:working|answer|work|calculation)s?|"
    r"you(?:['’]ve| have)? (?:got it|did it|are right|are wrong|are correct)"
    r"(?: right| wrong)?|keep (?:it up|going|trying)|better luck next time|"
    r"(?:that|this|it)(?:['’]s| is|(?:['’]s| is) not|(?: is)?n['’]t) "
    r"(?:the )?(?:right|wrong|correct|incorrect|it|quite right)(?: answer)?|"
    r"(?:the )?(?:correct|incorrect|right|wrong)(?: (?:answer|choice|option|response))?|"
    r"ok(?:ay)?|o\.k|good|great|fine|nice|cool|wow|yay|hmm+|oh(?: no| dear)?|al(?:l )?right|"
    r"true|false|spot on|right on|bingo|sure|n/?a|none|nothing|null|nil|nan|tb[ad]|to ?do|"
    r"(?:see|as) above|no (?:rationale|reason|explanation|feedback|comment|idea)"
)
_SENTENCE = re.compile(
    rf"\W*(?:{_WORDS})(?:,? (?:{_WORDS}))*\s*"
    r"(?:[.!?:;,…]+|\s[–—-]+(?=\s|$)|$)\s*",
    re.IGNORECASE,
)


class ItemStatus(StrEnum):
    """How much of what the study of rationales asks can be asked of an item."""

    COMPLETE = "complete"
    """The reason of every option."""
    PARTLY = "partly usable"
    """The reasons of some."""
    UNUSABLE = "unusable"
    """Of none: fewer than two differ."""


class ReasonKind(StrEnum):
    """What the reasons of an item are."""

    RATIONALE = "rationale"
    MISCONCEPTION = "misconception"


@dataclass(frozen=True, slots=True)
class Reasons:
    """The reasons of an item that differ.

    Attributes:
        told: what they are.
        texts: by the letter of their option.
        key: letter of the right option.
        missing: why it is not complete, each a clause.
    """

    told: ReasonKind
    texts: Mapping[str, str]
    key: str
    missing: tuple[str, ...]

    @property
    def of_key(self) -> bool:
        """Whether the reason of the right option can be asked for (AIA)."""
        return self.key in self.texts and len(self.texts) > 1

    @property
    def of_wrong(self) -> tuple[str, ...]:
        """Letters of the wrong options whose reason can be asked for (MIA)."""
        wrong = tuple(letter for letter in self.texts if letter != self.key)
        return wrong if len(self.texts) > 1 else ()

    @property
    def status(self) -> ItemStatus:
        """How much can be asked."""
        if not self.missing:
            return ItemStatus.COMPLETE
        return ItemStatus.PARTLY if self.of_wrong else ItemStatus.UNUSABLE

    @property
    def usable_for(self) -> str:
        """What can be asked, in words; empty where nothing can."""
        if not self.of_wrong:
            return ""
        figures = "AIA and MIA" if self.of_key else "MIA only"
        return f"{figures} ({', '.join(sorted(self.texts))})"


def reasons_of(
    options: Sequence[str],
    key: str,
    rationales: Mapping[str, str],
    misconceptions: Mapping[str, str],
    lost: Sequence[str] = (),
) -> Reasons:
    """The reasons of an item that differ.

    Args:
        options: their texts, A first.
        key: letter of the right one.
        rationales: by letter; may be incomplete.
        misconceptions: by letter of a wrong option; may be incomplete.
        lost: what the item misses as a whole, such as a picture: then nothing can be asked.
    """
    letters = LETTERS[: len(options)]
    named = not any(letter in rationales for letter in letters if letter != key) and bool(
        misconceptions
    )
    told = ReasonKind.MISCONCEPTION if named else ReasonKind.RATIONALE
    given = misconceptions if named else rationales
    missing = [*lost, *_missing(letters, key, given, told)]
    left_out = set()
    for (first, text), (second, other) in combinations(zip(letters, options, strict=True), 2):
        if not same_option(text, other):
            continue
        if key in (first, second):
            wrong = first if second == key else second
            missing.append(
                f"option {wrong} ({options[letters.index(wrong)]}) is equal to the right option "
                f"{key} ({options[letters.index(key)]})"
            )
            left_out.add(wrong)
        else:
            missing.append(f"options {first} ({text}) and {second} ({other}) are equal")
            left_out |= {first, second}
    there = [(letter, given[letter]) for letter in letters if letter in given]
    for (first, text), (second, other) in combinations(there, 2):
        if same_text(text, other):
            missing.append(f"{first} and {second} have the same {told}")
            left_out |= {first, second}
    texts = {letter: text for letter, text in there if letter not in left_out}
    if lost:
        texts = {}
    elif len(texts) == 1:
        missing.append(f"only {next(iter(texts))} has a {told} of its own")
    return Reasons(told, texts, key, tuple(missing))


def _missing(letters: str, key: str, columns: Mapping[str, str], kind: ReasonKind) -> list[str]:
    without = [letter for letter in letters if letter not in columns]
    found = []
    if kind is ReasonKind.MISCONCEPTION:
        without = [letter for letter in without if letter != key]
        found.append(f"misconceptions say nothing of the right option {key}")
    if without:
        found.append(f"there is no {kind} for {', '.join(without)}")
    return found


def without_feedback(rationale: str) -> str:
    """The rationale without words of praise and blame at its start; empty where it is nothing else.

    "Well done! Adds the ones first" gives the key away before it tells anything; "Well done" tells
    nothing at all. Only whole sentences that hold nothing else are taken for such words, so "Right
    angles are 90" and "Correctly adds, then forgets the carry" stay as they are.
    """
    rest = rationale
    while rest:
        match = _SENTENCE.match(rest) or _VERDICT.match(rest)
        if match is None or not match.end():
            break
        rest = rest[match.end() :]
    if not re.search(r"\w", rest):
        return ""
    rest = rest.strip()
    return rationale if rest == rationale else rest[:1].upper() + rest[1:]


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
        """The reasons behind its options that differ, and what they allow to ask."""
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
