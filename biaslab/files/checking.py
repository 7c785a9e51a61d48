"""Every row becomes an item or is refused, with the reason; and the report of all rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from biaslab.files.columns import problem_text
from biaslab.files.decoding import clean, has_unwanted
from biaslab.files.errors import FEWEST_OPTIONS, LETTERS, MAX_CELL, MOST_OPTIONS
from biaslab.files.formats.format import FileEntry
from biaslab.files.items import (
    ImportedItem,
    ItemStatus,
    answer_of,
    same_option,
    same_text,
    without_feedback,
)
from schoolmath.malrules.answers import Answer, AnswerKind
from schoolmath.malrules.reading import UnreadProblem, read_problem
from schoolmath.malrules.reading.given_answers import read_given
from schoolmath.text.written_answers import MADE_BY_A_SPREADSHEET, is_date


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that gave no item.

    Attributes:
        row: the spreadsheet's row, or the question's number, from 1.
        reason: why, as a clause.
        name: what the file calls it; often empty.
    """

    row: int
    reason: str
    name: str = ""

    def __str__(self) -> str:
        name = f" ({self.name})" if self.name else ""
        return f"Row {self.row}{name}: {self.reason}."


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that was changed, left out or is doubtful.

    Attributes:
        text: what, as a sentence or, for a row, a clause.
        row: of which row; None for the whole file.
    """

    text: str
    row: int | None = None

    def __str__(self) -> str:
        return self.text if self.row is None else f"Row {self.row}: {self.text}."


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a file: every row is an item or is refused.

    Attributes:
        items: the items, in the file's order.
        refused: the other rows with the reason.
        remarks: what was changed, left out or is doubtful.
        form: the format: malalgoqa, eedi, gift, aiken, moodle, csv, xlsx or json.
        mapping: column of each field, for tables; empty for other formats.
        rows: how many rows or questions were found; blank rows do not count.
        encoding: how the text was read; empty where the format says so itself.
        found_by: how the format was found, as a clause.

    Raises:
        ValueError: the counts do not add up.
    """

    items: tuple[ImportedItem, ...]
    refused: tuple[RefusedRow, ...]
    remarks: tuple[Remark, ...]
    form: str
    mapping: Mapping[str, str] = field(default_factory=dict)
    rows: int = 0
    encoding: str = ""
    found_by: str = ""

    def __post_init__(self) -> None:
        if self.rows != len(self.items) + len(self.refused):
            raise ValueError(
                f"{self.rows} rows gave {len(self.items)} items and {len(self.refused)} refusals."
            )

    @property
    def statuses(self) -> Counter[ItemStatus]:
        """How many items have each status."""
        return Counter(item.reasons.status for item in self.items)

    def summary(self) -> str:
        """The counts in one sentence."""
        counts = self.statuses
        each = ", ".join(f"{counts[status]} {status}" for status in ItemStatus)
        return f"{self.rows} rows: {len(self.items)} items ({each}), {len(self.refused)} refused."

    def as_json(self) -> dict[str, Any]:
        """Everything but the items themselves, as a JSON object."""
        return {
            "format": self.form,
            "found_by": self.found_by,
            "encoding": self.encoding,
            "mapping": dict(self.mapping),
            "rows": self.rows,
            "statuses": {str(status): self.statuses[status] for status in ItemStatus},
            "items": [_entry(item) for item in self.items],
            "refused": [
                {"row": each.row, "name": each.name, "reason": each.reason} for each in self.refused
            ],
            "remarks": [{"row": each.row, "text": each.text} for each in self.remarks],
        }


def _entry(item: ImportedItem) -> dict[str, Any]:
    reasons = item.reasons
    return {
        "row": item.row,
        "id": item.id,
        "status": str(reasons.status),
        "reasons_are": str(reasons.told),
        "usable_for": reasons.usable_for,
        "missing": list(reasons.missing),
    }


_DECIMAL = re.compile(r"\d[.,](\d+)(?!.*\d)")


def contradicted_key(item: ImportedItem) -> str:
    """What the problem gives where the key says something else, as a clause; else "".

    Nothing is said where the problem has several meanings and the key is right in one of them,
    where the key is the right answer rounded, or where it cannot be compared.
    """
    parts = {"passage": item.passage, "question": item.question}
    try:
        meanings = read_problem(problem_text(parts, tuple(parts))).meanings
    except UnreadProblem:
        return ""
    rights = [group[0].solve().answer for group in meanings]
    if any(_may_be(item.option(item.key), right) for right in rights):
        return ""
    right = rights[0]
    fitting = [letter for letter in item.letters if _may_be(item.option(letter), right)]
    where = f" (option {fitting[0]})" if len(fitting) == 1 else ""
    return (
        f"worked out here its problem gives {right}{where}, and its key says "
        f"{item.option(item.key)[:60]} ({item.key})"
    )


def _may_be(option: str, right: Answer) -> bool:
    """Whether an option says this answer, or nothing that can be compared with it."""
    if right.kind is AnswerKind.LABEL or same_option(option, right.shown):
        return True
    # LaTeX around a number is no part of what people type.
    given = read_given(option, right, (), new_phrases=False) or answer_of(option)[0]
    if given.kind is not right.kind or given.same_as(right):
        return True
    places = _DECIMAL.search(option)
    if places is None or isinstance(given.value, str) or isinstance(right.value, str):
        return False
    half = Fraction(1, 2 * 10 ** len(places[1]))
    return abs(given.value - right.value) <= half


_GRADE = re.compile(
    r"(?:grade|year|level|gr\.?)?\s*(\d{1,2})(?:st|nd|rd|th)?(?:\.0+)?(?:\s*grade)?"
)
_DOK = re.compile(r"(?:dok|level|depth of knowledge)?\s*(?:level)?\s*([1-4]|iv|i{1,3})(?:\.0+)?")
MOST_WORKED = 5_000
"""So many questions are worked out to look at their key."""
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}


@dataclass(slots=True)
class Checking:
    """What the rows of a file have become so far.

    Attributes:
        items: of the rows that are taken over.
        refused: the others.
        remarks: what was changed in a row.
    """

    items: list[ImportedItem] = field(default_factory=list)
    refused: list[RefusedRow] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    _seen: dict[tuple[str, ...], ImportedItem] = field(default_factory=dict)

    def add(self, entry: FileEntry) -> None:
        """Takes a row over or refuses it."""
        try:
            item, remarks = self._checked(entry)
        except _RowError as refusal:
            self.refused.append(RefusedRow(entry.row, str(refusal), clean(entry.name)[:80]))
            return
        self.items.append(item)
        if len(self.items) == MOST_WORKED:
            self.remarks.append(
                Remark(
                    f"Only the first {MOST_WORKED:,} items were worked out to look at their key."
                )
            )
        self.remarks += [Remark(text, entry.row) for text in (*entry.remarks, *remarks)]

    def _checked(self, entry: FileEntry) -> tuple[ImportedItem, list[str]]:
        if entry.refusal:
            raise _RowError(entry.refusal)
        _check_lengths(entry)
        entry, remarks = _cleaned(entry)
        _check_question(entry)
        item = _item(entry, remarks)
        content = _content(item)
        if content in self._seen:
            other = self._seen[content]
            if same_text(other.option(other.key), item.option(item.key)):
                raise _RowError(f"it is the same as row {other.row}")
            raise _RowError(
                f"it is the same as row {other.row} with another right answer "
                f"({item.option(item.key)!r} instead of {other.option(other.key)!r})"
            )
        self._seen[content] = item
        if len(self.items) < MOST_WORKED and not item.lost:
            remarks += filter(None, [contradicted_key(item)])
        return item, remarks


class _RowError(Exception):
    """A row gives no item; the message is a clause."""


def _check_lengths(entry: FileEntry) -> None:
    texts = (
        entry.question, entry.passage, entry.grade, entry.dok, entry.content_class, entry.topic,
        *entry.options, *entry.rationales, *entry.misconceptions,
    )  # fmt: skip
    longest = max(map(len, texts))
    if longest > MAX_CELL:
        raise _RowError(f"one of its texts has {longest:,} characters; the limit is {MAX_CELL:,}")


def _cleaned(entry: FileEntry) -> tuple[FileEntry, list[str]]:
    remarks = []
    texts = (
        entry.question, entry.passage, entry.content_class, entry.topic,
        *entry.options, *entry.rationales, *entry.misconceptions,
    )  # fmt: skip
    if any(map(has_unwanted, texts)):
        remarks.append("control characters (such as zero bytes) were taken out")
    options = tuple(map(clean, entry.options))
    filled = len(options)
    while filled and not options[filled - 1]:
        filled -= 1
    cleaned = replace(
        entry,
        question=clean(entry.question),
        passage=clean(entry.passage),
        options=options[:filled],
        rationales=tuple(map(clean, entry.rationales)),
        misconceptions=tuple(map(clean, entry.misconceptions)),
        content_class=clean(entry.content_class),
        topic=clean(entry.topic),
    )
    return cleaned, remarks


def _check_question(entry: FileEntry) -> None:
    if not entry.question:
        raise _RowError("its question is empty")
    count = len(entry.options)
    if not FEWEST_OPTIONS <= count <= MOST_OPTIONS:
        options = "1 option" if count == 1 else f"{count or 'no'} options"
        raise _RowError(f"it has {options}; {FEWEST_OPTIONS} to {MOST_OPTIONS} can be taken over")
    for letter, option in zip(LETTERS, entry.options, strict=False):
        if not option:
            raise _RowError(f"option {letter} is empty, with others behind it")
    if not entry.right:
        raise _RowError("no option is given as right")
    if len(entry.right) > 1:
        letters = " and ".join(LETTERS[place] for place in entry.right)
        raise _RowError(f"options {letters} are both given as right")
    if entry.right[0] >= count:
        raise _RowError(f"the right option is {LETTERS[entry.right[0]]}, which is empty")
    right = entry.right[0]
    for place, option in enumerate(entry.options):
        if place != right and same_text(option, entry.options[right]):
            raise _RowError(
                f"option {LETTERS[place]} is the same as the right option {LETTERS[right]}"
            )


def _item(entry: FileEntry, remarks: list[str]) -> ImportedItem:
    letters = LETTERS[: len(entry.options)]
    key = letters[entry.right[0]]
    told = _rationales(_by_letter(letters, entry.rationales, "rationale", remarks), remarks)
    misconceptions = _by_letter(letters, entry.misconceptions, "misconception", remarks)
    dates = [letter for letter, text in zip(letters, entry.options, strict=True) if is_date(text)]
    if dates:
        shown = entry.options[letters.index(dates[0])]
        remarks.append(f"option {', '.join(dates)} is a date ({shown}), {MADE_BY_A_SPREADSHEET}")
    misconceptions = {
        letter: text for letter, text in misconceptions.items() if without_feedback(text)
    }
    if misconceptions.pop(key, ""):
        remarks.append(f"the misconception given for the right option {key} was left out")
    return ImportedItem(
        question=entry.question,
        options=entry.options,
        key=key,
        passage=entry.passage,
        rationales=told,
        misconceptions=misconceptions,
        grade=_whole(entry.grade, _GRADE, "grade", remarks),
        content_class=entry.content_class,
        topic=entry.topic,
        dok=_whole(entry.dok, _DOK, "dok", remarks),
        row=entry.row,
        lost=entry.lost,
    )


def _by_letter(
    letters: str, texts: tuple[str, ...], what: str, remarks: list[str]
) -> dict[str, str]:
    without = [LETTERS[place] for place in range(len(letters), len(texts)) if texts[place]]
    if without:
        remarks.append(f"the {what} for {', '.join(without)} was left out: no such option")
    return {letter: text for letter, text in zip(letters, texts, strict=False) if text}


def _rationales(rationales: dict[str, str], remarks: list[str]) -> dict[str, str]:
    """What is told in them, without what only says whether the option is right."""
    told = {letter: without_feedback(text) for letter, text in rationales.items()}
    changed = {letter: text for letter, text in told.items() if text != rationales[letter]}
    empty = [letter for letter, text in changed.items() if not text]
    if empty:
        remarks.append(
            f"what stands as rationale {', '.join(empty)} is feedback, such as “Well done”, and "
            "tells no way to the option; it was left out"
        )
    cut = [letter for letter, text in changed.items() if text]
    if cut:
        remarks.append(
            f"what says whether the option is right was taken off the start of rationale "
            f"{', '.join(cut)}, as it gives the key away"
        )
    return {letter: text for letter, text in told.items() if text}


def _whole(text: str, pattern: re.Pattern[str], what: str, remarks: list[str]) -> int | None:
    said = text.strip().lower()
    if said in ("", "nan", "none", "null", "na", "n/a"):
        return None
    match = pattern.fullmatch(said)
    if match is None:
        remarks.append(f"its {what} {clean(text)[:40]!r} is no single number and was left out")
        return None
    return _ROMAN[match[1]] if match[1] in _ROMAN else int(match[1])


def _content(item: ImportedItem) -> tuple[str, ...]:
    texts = (item.passage, item.question, *sorted(item.options))
    return tuple(" ".join(text.lower().split()) for text in texts)
