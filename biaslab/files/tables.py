"""From the rows of a table to questions, whatever file the table came from.

Cells of tables: no spreadsheet runs one as a formula, and HTML in them becomes plain text.
"""

from __future__ import annotations

import ast
import html
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from biaslab.files.columns import guess, listed, problem_columns
from biaslab.files.decoding import clean
from biaslab.files.errors import (
    FEWEST_OPTIONS,
    LETTERS,
    MAX_CELL,
    InterchangeError,
    ProblemsGiven,
)
from biaslab.files.formats.format import FileEntry, FileReading, TableRow
from biaslab.files.formats.moodle import html_text
from biaslab.files.items import ITEM_FORMAT, same_text
from biaslab.files.opening import LOOKED_AT
from schoolmath.malrules.reading.given_answers import read_number
from schoolmath.text.given_files import parse_json
from schoolmath.text.written_answers import MARK, stated_last

if TYPE_CHECKING:
    import pandas as pd

# What a spreadsheet would run as a formula when it opens the file. A plain negative number is
# none, and would be no number any more with an apostrophe before it.
_FORMULA = re.compile(r"['\s]*[=+\-@]")
_NUMBER = re.compile(r"[+-][0-9]+(?:\.[0-9]+)?")
_GUARDED = re.compile(r"'['\s]*[=+\-@]")


def guarded(cell: str) -> str:
    """The cell with an apostrophe before it where a spreadsheet would see a formula."""
    if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


def guarded_table(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its texts and column names `guarded`; numbers stay numbers."""
    safe = table.map(lambda value: guarded(value) if isinstance(value, str) else value)
    return safe.rename(columns=lambda name: guarded(str(name)))


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would run the cell."""
    return _FORMULA.match(cell) is not None and not _NUMBER.fullmatch(cell)


def unguarded(cell: str) -> str:
    """What `guarded` was given."""
    return cell[1:] if _GUARDED.match(cell) else cell


# Only tags that are known: "a<b and c>d" is mathematics.
_TAG = re.compile(
    r"</?(?:p|br|b|i|u|em|strong|span|div|sup|sub|ul|ol|li|table|tr|td|th|tbody|img)"
    r"(?:\s+[\w-]+\s*=[^<>]*)?\s*/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:#[0-9]{1,6}|#x[0-9a-f]{1,5}|[a-z]{2,8}[0-9]{0,2});", re.IGNORECASE)


def is_markup(text: str) -> bool:
    """Whether the text has tags or entities of HTML."""
    return _TAG.search(text) is not None or _ENTITY.search(text) is not None


def plain_text(text: str) -> str:
    """The text as people read it: no HTML, no control characters, nothing blank at the ends.

    Powers and indices keep a sign: ``x<sup>2</sup>`` is ``x^2``.
    """
    if _TAG.search(text):
        # What looks like a tag and is none stays: "3 <5" would end the text for a browser.
        kept = re.sub(r"<(?!/?[a-z])", "&lt;", text, flags=re.IGNORECASE)
        return clean(html_text(kept)[0])
    return clean(html.unescape(text) if _ENTITY.search(text) else text)


def as_markup(text: str) -> str:
    """What `plain_text` makes this text of, for files that it will read again."""
    return html.escape(text, quote=False) if is_markup(text) else text


EEDI_COLUMNS = ("QuestionText", "AnswerAText", "AnswerBText", "CorrectAnswer")
"""A table with these is one of Eedi's competition files."""

_NOTHING = {"", "nan", "none", "null", "na", "n/a"}
_LETTER = re.compile(r"(?:option|choice|answer)?\s*[(\[]?\s*([A-Ha-h])\s*[)\].:]?")
_SEVERAL = re.compile(
    r"[(\[]?([A-Ha-h])[)\].]?(?:\s*(?:,|;|&|/|\+|\band\b|\s)\s*[(\[]?([A-Ha-h])[)\].]?)+"
)
_INDEX = re.compile(r"([0-9])(?:\.0)?")
_LABEL = re.compile(r"\(?([A-Ha-h1-8])[).:]\s*(.*)", re.DOTALL)
_NAMED = re.compile(r"\s*[a-zA-Z]\s*=[^=]*")
"""An answer such as "x = 3", which is no working."""
_TRUE = {"true", "1", "1.0", "yes", "y", "x", "right", "correct"}


def read_table(
    columns: Sequence[str],
    rows: Iterable[TableRow],
    preset: Mapping[str, str] | None = None,
    form: str = "",
    misconceptions: Mapping[str, str] | None = None,
) -> FileReading:
    """The questions of a table.

    Args:
        columns: of the table.
        rows: its rows; blank ones are passed over.
        preset: fields and their columns, where they are known; the others are guessed.
        form: malalgoqa or eedi where the user says so.
        misconceptions: names of misconceptions by their number.

    Raises:
        InterchangeError: the columns of a question are not there.
    """
    mapping = guess(columns, preset)
    rows = list(rows)
    if _tells_wrong_answers(mapping):
        return _wrong_answers(mapping, columns, rows, misconceptions or {})
    is_eedi = set(EEDI_COLUMNS) <= set(columns)
    if form == "eedi" and not is_eedi:
        missing = [name for name in EEDI_COLUMNS if name not in columns]
        raise InterchangeError(
            f"This is no file of Eedi's competition: there is no column {listed(missing)}. "
            f"The columns are {listed(columns)}."
        )
    _check_mapping(mapping, columns, rows)
    table = _Table(mapping, misconceptions or {})
    found: list[tuple[FileEntry, str]] = []
    blank = 0
    for row in rows:
        if not row.refusal and not any(cell.strip() for cell in row.cells.values()):
            blank += 1
        else:
            found.append(table.read(row))
    remarks = [f"{blank} blank rows were passed over."] if blank else []
    unused = [column for column in columns if column and column not in mapping.values()]
    if unused:
        remarks.append(f"Columns that were not used: {listed(unused)}.")
    if table.unknown:
        remarks.append(
            f"{len(table.unknown)} numbers of misconceptions have no name in the table of "
            f"misconceptions, such as {min(table.unknown)}."
        )
    resolved, more = _right_options(found)
    narrower = "eedi" if is_eedi else "malalgoqa" if _like_malalgoqa(mapping) else ""
    return FileReading(resolved, (*remarks, *more), mapping, form or narrower)


def _tells_wrong_answers(mapping: Mapping[str, str]) -> bool:
    """Whether each row has one wrong answer beside the right one, and no options."""
    no_options = "options" not in mapping and "option_a" not in mapping
    return no_options and {"question", "key", "wrong_answer"} <= set(mapping)


def _wrong_answers(
    mapping: Mapping[str, str],
    columns: Sequence[str],
    rows: Iterable[TableRow],
    misconceptions: Mapping[str, str],
) -> FileReading:
    """Questions from rows of a question, its right answer, a wrong one and what is behind it.

    Rows with the same question and right answer are one question, with an option for each answer.
    Options come in an order that their texts decide, so that no place gives the key away.
    """
    table = _Table(mapping, misconceptions)
    found: list[FileEntry] = []
    open_at: dict[tuple[str, str], int] = {}
    joined = 0
    for row in rows:
        if not row.refusal and not any(cell.strip() for cell in row.cells.values()):
            continue
        one, key = table.read_wrong(row)
        same = (" ".join(one.question.split()), " ".join(key.split()))
        at = open_at.get(same)
        if one.refusal or at is None or len(found[at].options) == len(LETTERS):
            open_at[same] = len(found)
            found.append(one)
        else:
            joined += 1
            found[at] = _joined(found[at], one)
    remarks = [f"{joined} rows were put to others with their question."] if joined else []
    unused = [column for column in columns if column and column not in mapping.values()]
    if unused:
        remarks.append(f"Columns that were not used: {listed(unused)}.")
    return FileReading([_in_their_order(each) for each in found], tuple(remarks), mapping)


def _without_working(answer: str) -> str:
    """The number that a worked answer ends in; any other answer as it is."""
    last = stated_last(answer)
    return answer if read_number(last) is None or _NAMED.fullmatch(answer) else last


def _joined(one: FileEntry, other: FileEntry) -> FileEntry:
    """A question with a further wrong answer; two labels of one answer stand together."""
    options, labels = list(one.options), list(one.misconceptions)
    wrong, label = other.options[1], other.misconceptions[1]
    at = next((at for at, text in enumerate(options) if same_text(text, wrong)), None)
    if at is None:
        options.append(wrong)
        labels.append(label)
    elif at and label and label not in labels[at].split("; or: "):
        labels[at] = "; or: ".join(filter(None, [labels[at], label]))
    remarks = (*one.remarks, *other.remarks)
    return replace(one, options=tuple(options), misconceptions=tuple(labels), remarks=remarks)


def _in_their_order(entry: FileEntry) -> FileEntry:
    """The same question with its options where a hash of their texts puts them."""
    if entry.refusal:
        return entry
    order = sorted(
        range(len(entry.options)),
        key=lambda at: blake2b(f"{entry.question}\x1f{entry.options[at]}".encode()).digest(),
    )
    return replace(
        entry,
        options=tuple(entry.options[at] for at in order),
        misconceptions=tuple(entry.misconceptions[at] for at in order),
        right=(order.index(0),),
    )


def _like_malalgoqa(mapping: Mapping[str, str]) -> bool:
    """Rationales for the options and a depth of knowledge, and no misconceptions named."""
    kinds = {name.partition("_")[0].removesuffix("s") for name in mapping}
    return {"rationale", "dok"} <= kinds and "misconception" not in kinds


def _check_mapping(
    mapping: Mapping[str, str], columns: Sequence[str], rows: Sequence[TableRow]
) -> None:
    missing = [] if "question" in mapping else ["the question (question)"]
    if "options" not in mapping and not {"option_a", "option_b"} <= set(mapping):
        missing.append("the options (option_a, option_b, ...) or a wrong answer (wrong_answer)")
    if "key" not in mapping and not any(name.startswith("right_") for name in mapping):
        missing.append("the right option (key)")
    if not missing:
        return
    may_be = _by_contents(mapping, columns, rows)
    no_options = not {"options", "option_a", "wrong_answer"} & set(mapping) and not any(
        word in column.lower() for column in columns for word in ("option", "choice")
    )
    problems = problem_columns(columns, rows[:LOOKED_AT])
    if no_options and problems and not may_be:
        raise ProblemsGiven(problems)
    raise InterchangeError(
        f"No column was found for {' and '.join(missing)}. The columns are "
        f"{listed(columns) or 'without names'}. Say which holds what, such as "
        f"--column question=NAME.{may_be}"
    )


def _by_contents(
    mapping: Mapping[str, str], columns: Sequence[str], rows: Sequence[TableRow]
) -> str:
    """What the columns may hold by what stands in them, as options of the command line."""
    # Problems are worked out for it, which most tables never need.
    from biaslab.files.columns import suggest

    found = suggest(columns, rows[:LOOKED_AT], mapping)
    return told_as_options(found) if found.keys() - {"question"} else ""


def told_as_options(columns: Mapping[str, str]) -> str:
    """What columns may hold, as options of the command line for a person to look at."""
    told = " ".join(f"--column {shlex.quote(f'{field}={name}')}" for field, name in columns.items())
    return f" By what stands in them it may be {told} (look whether it is so)."


class _Table:
    def __init__(self, mapping: Mapping[str, str], misconceptions: Mapping[str, str]) -> None:
        self._mapping = mapping
        self._misconceptions = misconceptions
        self.unknown: set[str] = set()

    def read(self, row: TableRow) -> tuple[FileEntry, str]:
        """The question, and what stands in the column of the right option."""
        if row.refusal:
            return FileEntry(row.number, name=row.name, refusal=row.refusal), ""
        # "&lt;" and "<sup>2</sup>" are how web pages write; in a table nobody means the signs.
        ours = row.cells.get("format") == ITEM_FORMAT
        if not ours and any(map(is_markup, row.cells.values())):
            cells = {name: plain_text(cell) for name, cell in row.cells.items()}
            remarks = (*row.remarks, "HTML was turned into plain text")
            row = replace(row, cells=cells, remarks=remarks)
        refusal = ""
        options: tuple[str, ...] = ()
        rationales: tuple[str, ...] = ()
        try:
            options = _without_letters(self._several(row, "option", "options"))
        except _NoList as error:
            refusal = str(error)
        try:
            rationales = self._several(row, "rationale", "rationales")
        except _NoList as error:
            row = replace(row, remarks=(*row.remarks, f"{error}, so they were left out"))
        rights = self._each(row, "right")
        found = FileEntry(
            row.number,
            question=self._cell(row, "question"),
            options=options,
            right=tuple(at for at, text in enumerate(rights) if text.strip().lower() in _TRUE),
            rationales=rationales,
            misconceptions=tuple(map(self._misconception, self._each(row, "misconception"))),
            passage=self._cell(row, "passage"),
            grade=self._cell(row, "grade"),
            dok=self._cell(row, "dok"),
            content_class=self._cell(row, "content_class"),
            topic=self._cell(row, "topic"),
            name=row.name or self._cell(row, "name"),
            refusal=refusal,
            remarks=row.remarks,
        )
        key = self._cell(row, "key").strip()
        return found, stated_last(key) if MARK in key else key

    def read_wrong(self, row: TableRow) -> tuple[FileEntry, str]:
        """A question with its right answer first and the row's wrong one, and the right one."""
        found, key = self.read(row)
        wrong = plain_text(cell) if is_markup(cell := self._cell(row, "wrong_answer")) else cell
        answers = key, wrong.strip()
        key, wrong = map(_without_working, answers)
        left_out = ("what stands before its answer was left out",) * (answers != (key, wrong))
        refusal = found.refusal or (
            "there is no right answer" if not key else "" if wrong
            else "there is no wrong answer"
        )  # fmt: skip
        label = self._misconception(self._cell(row, "misconception"))
        return replace(
            found, options=(key, wrong), misconceptions=("", label), right=(0,),
            remarks=(*found.remarks, *left_out), refusal=refusal,
        ), key  # fmt: skip

    def _cell(self, row: TableRow, name: str) -> str:
        column = self._mapping.get(name)
        return row.cells.get(column, "") if column is not None else ""

    def _each(self, row: TableRow, kind: str) -> tuple[str, ...]:
        return tuple(self._cell(row, f"{kind}_{letter.lower()}") for letter in LETTERS)

    def _several(self, row: TableRow, kind: str, together: str) -> tuple[str, ...]:
        if f"{kind}_a" in self._mapping or together not in self._mapping:
            return self._each(row, kind)
        return _listed_texts(self._cell(row, together), together)

    def _misconception(self, text: str) -> str:
        said = text.strip()
        if said.lower() in _NOTHING:
            return ""
        said = re.sub(r"\.0+$", "", said) if re.fullmatch(r"\d+\.0+", said) else said
        if not self._misconceptions:
            return said
        if said not in self._misconceptions:
            self.unknown.add(said)
            return said
        return f"{said} {self._misconceptions[said]}"


def _without_letters(options: tuple[str, ...]) -> tuple[str, ...]:
    """The options without their letters, "A) 35", where each has its own."""
    labels = [_LABEL.fullmatch(text.strip()) for text in options]
    filled = [text for text in options if text.strip()]
    own = [
        match is not None and match[1].upper() == letter
        for letter, match in zip(LETTERS, labels, strict=False)
    ]
    if len(filled) < FEWEST_OPTIONS or sum(own) != len(filled):
        return options
    return tuple(match[2].strip() if match else "" for match in labels)


class _NoList(Exception):
    """A cell that should hold several texts does not; the message is a clause."""


def _listed_texts(cell: str, what: str) -> tuple[str, ...]:
    """Several texts in one cell: a JSON or Python list or object, or lines with letters."""
    text = cell.strip()
    if not text:
        return ()
    if len(text) > MAX_CELL:
        raise _NoList(f"its {what} have {len(text):,} characters; the limit is {MAX_CELL:,}")
    if text[0] in "[{":
        value = _literal(text)
        if isinstance(value, dict):
            value = [value.get(letter, value.get(letter.lower(), "")) for letter in LETTERS]
        if isinstance(value, list | tuple) and len(value) <= len(LETTERS):
            return tuple("" if each is None else str(each) for each in value)
        raise _NoList(f"its {what} are no list that can be read")
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    labels = [_LABEL.fullmatch(line) for line in lines]
    if len(lines) > 1 and len(lines) <= len(LETTERS):
        return tuple(
            match[2].strip() if match else line for match, line in zip(labels, lines, strict=True)
        )
    raise _NoList(f"its {what} stand in one cell and cannot be distinguished")


def _literal(text: str) -> object:
    try:
        return parse_json(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _right_options(read: list[tuple[FileEntry, str]]) -> tuple[list[FileEntry], list[str]]:
    """Settles what the column of the right option means, for all rows together.

    A letter is a letter. A number may be the place of an option or its text: the rows where it
    can only be one of them decide for all, and where no row decides, such a row is refused.
    """
    as_text = as_place = zero = False
    for found, key in read:
        match = _INDEX.fullmatch(key)
        if match is None or found.refusal:
            continue
        is_text = any(same_text(key, option) for option in found.options)
        is_place = int(match[1]) <= sum(map(bool, found.options))
        as_text |= is_text and not is_place
        as_place |= is_place and not is_text
        zero |= match[1] == "0" and not is_text
    places = as_place and not as_text
    first = 0 if zero else 1
    found_all = []
    used = False
    for found, key in read:
        if not key or found.refusal or found.right:
            found_all.append(found)
            continue
        right, refusal = _right(key, found.options, places, as_text, first)
        used |= _INDEX.fullmatch(key) is not None and places
        found_all.append(replace(found, right=right, refusal=refusal))
    remarks = [f"Right options given as numbers were counted from {first}."] if used else []
    return found_all, remarks


def _right(
    key: str, options: tuple[str, ...], places: bool, texts: bool, first: int
) -> tuple[tuple[int, ...], str]:
    letter = _LETTER.fullmatch(key)
    if letter:
        return (LETTERS.index(letter[1].upper()),), ""
    alike = tuple(at for at, option in enumerate(options) if option and same_text(key, option))
    index = _INDEX.fullmatch(key)
    if index and not texts:
        place = int(index[1]) - first
        if places and 0 <= place < len(LETTERS):
            return (place,), ""
        if alike and alike != (place,):
            return (), (f"the right option {key!r} may be a place or a text; name it by its letter")
    if alike:
        return alike, ""
    if _SEVERAL.fullmatch(key):
        named = re.sub(r"\band\b", " ", key, flags=re.IGNORECASE).upper()
        return tuple(place for place, each in enumerate(LETTERS) if each in named), ""
    return (), f"the right option {key[:60]!r} is none of its options"
