"""A sheet of a class's answers: one row a pupil, row numbers only, one column an item.

Text is looked at cell by cell before anything of it is kept. Only what an answer can look like is
let through; what may be about a pupil is marked with its cell and a reason, and left out; the rest
of the sheet is read. Names in the place of row numbers become the row's place; they are kept beside
the answers only where the teacher asks for it. What is said about a cell never repeats it.

A class that is simulated has such a sheet too.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from schoolmath.malrules.answers import Answer, AnswerKind
from schoolmath.malrules.classes.items import Quiz, QuizItem
from schoolmath.malrules.diagnosis import slips
from schoolmath.malrules.reading.answer_units import in_unit_of
from schoolmath.malrules.reading.given_answers import read_given
from schoolmath.problems.draws import Draws
from schoolmath.problems.errors import ProblemError

BLANKS = frozenset(
    {
        "", "-", "–", "—", "--", "?", "??", ".", "/", "n/a", "na", "blank", "none", "no answer",
        "not answered", "absent", "abs", "ill", "sick", "excused", "missing", "skipped", "skip",
        "don't know", "don’t know", "dont know", "i don't know", "i don’t know", "dk", "idk",
        "no idea", "left out", "empty",
    }
)  # fmt: skip
"""Cells that mean that nothing was answered, in lower case."""

UNITS = frozenset(
    {
        "mm", "cm", "dm", "km", "ml", "cl", "dl", "kg", "min", "hour", "hours", "day", "days",
        "dollar", "dollars", "cent", "cents", "euro", "euros", "rest", "remainder", "degree",
        "degrees", "percent", "unit", "units", "square", "cubic",
    }
)  # fmt: skip
"""Words that may stand beside a number."""

_LETTER = re.compile(r"\(?([A-Ha-h])[.):]?")
_SEVERAL = re.compile(r"[A-H](?:\s*(?:[,;/&+]|and|or)?\s*[A-H])+|[a-h](?:\s*[,;/&+]\s*[a-h])+")


def is_several(text: str, item: QuizItem) -> bool:
    """Whether several of an item's options were chosen, as in “AB” or “A, C”."""
    if _SEVERAL.fullmatch(text) is None:
        return False
    letters = re.sub(r"and|or|[^A-Za-z]", "", text).upper()
    return bool(item.options) and set(letters) <= set(item.options)


def is_blank(text: str) -> bool:
    """Whether nothing was answered."""
    return text.casefold().strip(" .!") in BLANKS or text.casefold() in BLANKS


def read_written(text: str, item: QuizItem) -> Answer | None:
    """The answer in a cell that is not blank; None where no answer can be read.

    A letter is the option with this letter in an item with options. Anything else is compared
    with what is known to be written for this item, then read as a number.
    """
    if (match := _LETTER.fullmatch(text)) and (chosen := item.options.get(match[1].upper())):
        return chosen
    # In a sheet words that no rule gives are a note or a name, never an answer.
    figures = any(map(str.isdigit, text)) and not words_in(text)
    said = in_unit_of(text, item.question)
    return read_given(said, item.right, _known(item), new_phrases=figures)


def words_of(item: QuizItem) -> frozenset[str]:
    """The words that an answer to this item can have, in lower case."""
    return UNITS.union(*(words_in(each.shown) for each in (item.right, *_known(item))))


def _known(item: QuizItem) -> list[Answer]:
    """The wrong answers that are known for an item."""
    return [*item.options.values(), *(each for given in item.gives.values() for each in given)]


def words_in(text: str) -> list[str]:
    """Runs of two or more letters, in lower case."""
    return [word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text)]


def digits_of(item: QuizItem) -> int:
    """Most digits that a known answer to this item has."""
    known = (item.right, *_known(item))
    return max(sum(sign.isdigit() for sign in each.shown) for each in known)


LONGEST_CELL = 40
"""Longest cell that is looked at."""
LONG_NUMBER = 7
"""So many digits are an id or a telephone number, unless an answer has as many."""

_WORDS = "it has words that no answer to this item has; it may be a name"
_DATE = re.compile(r"\b\d{1,4}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{1,4}\b")
_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|"
    r"june|july|august|september|october|november|december|mär|mai|okt|dez)\b",
    re.IGNORECASE,
)
_WEB = re.compile(r"https?:|www\.|\w\.(?:com|org|net|edu|de|uk)\b", re.IGNORECASE)
_IDENTIFIER = re.compile(r"(?=.*\d.*\d)(?=.*[^\W\d_]{2})[\w-]{6,}")

_HEADERS = {
    "a name": {"name", "names", "firstname", "lastname", "surname", "forename", "vorname",
               "nachname", "nickname", "initials"},
    "an e-mail address": {"mail", "email", "mails", "emails", "login", "username", "user"},
    "a date of birth or an age": {"birth", "born", "birthday", "birthdate", "dob", "age",
                                  "geburtsdatum"},
    "a telephone number": {"phone", "tel", "telephone", "mobile"},
    "an address": {"address", "street", "city", "town", "postcode", "zip"},
    "a fact about the pupil": {"gender", "sex", "ethnicity", "nationality", "language",
                               "religion", "sen", "iep", "diagnosis", "remark", "remarks",
                               "comment", "comments", "note", "notes"},
    "a class, school, parent or teacher": {"class", "school", "teacher", "parent", "parents",
                                           "guardian", "mother", "father", "group", "form"},
}  # fmt: skip


def reason_in_answer(text: str, known_words: Collection[str], most_digits: int) -> str:
    """Why a cell looks like personal data; empty where it does not.

    Args:
        text: what stands in the cell.
        known_words: words that an answer to this item can have, in lower case.
        most_digits: so many digits can an answer have.
    """
    if len(text) > LONGEST_CELL:
        return f"it has {len(text)} characters, more than any answer"
    if "@" in text:
        return "it looks like an e-mail address"
    if _WEB.search(text):
        return "it looks like a web address"
    words = [word for word in words_in(text) if word not in known_words]
    if _DATE.search(text) or (words and any(map(str.isdigit, text)) and _MONTH.search(text)):
        return (
            "it looks like a date (a spreadsheet may have made it from a fraction: format the "
            "column as text and type the fraction again)"
        )
    if sum(map(str.isdigit, text)) > max(LONG_NUMBER - 1, most_digits):
        return "it looks like a long id or a telephone number"
    if words and _IDENTIFIER.fullmatch(text):
        return "it looks like an id"
    if words:
        return _WORDS
    return ""


def reason_in_row_number(text: str) -> str:
    """Why what stands in place of a row number looks like personal data; else empty."""
    found = reason_in_answer(text, (), 0)
    if found == _WORDS:
        return "it has words where only a row number may stand; it may be a name"
    if not found and any(map(str.isalpha, text)):
        found = "it has letters where only a row number may stand; they may be initials"
    return found


def reason_in_header(text: str) -> str:
    """Why a column with this header may hold personal data; else empty."""
    words = set(words_in(text.replace("-", "").replace("_", " ")))
    for what, named in _HEADERS.items():
        if words & named:
            return f"the column is named as if it held {what}"
    return reason_in_answer(text, words, 3)


MOST_ROWS = 200
MOST_SIGNS = 200_000
"""Longest text of a sheet."""
MOST_BYTES = 4 * MOST_SIGNS
"""Of a file with such a text, in any encoding."""
LARGEST_ROW_NUMBER = 999

_ROW_WORDS = frozenset({"row", "rows", "no", "nr", "number", "pupil", "student", "child",
                        "learner", "id", "line", "#"})  # fmt: skip
_POINTS_WORDS = frozenset({"points", "point", "pts", "score", "scores", "total", "sum", "marks",
                           "result", "results", "percent", "%", "correct"})  # fmt: skip
_NAME_WORDS = frozenset({"name", "names", "firstname", "lastname", "surname", "forename",
                         "nickname", "first", "last"})  # fmt: skip
LONGEST_NAME = 60
"""Of a pupil; the rest is cut off."""
_ITEM = re.compile(r"(?:q|i|item|question|task|problem|no|nr)?\s*[.#:]?\s*(\d{1,2})\.?", re.I)


@dataclass(frozen=True, slots=True)
class SheetRefusal:
    """Something in a sheet that is not taken.

    Attributes:
        cell: as spreadsheets call it, such as ``C4``; empty: the sheet as a whole.
        reason: a clause that does not repeat what stands in the cell.
        personal: whether it may be personal data.
    """

    cell: str
    reason: str
    personal: bool


class SheetRefused(ProblemError):
    """A sheet is not taken; nothing of it is kept.

    Args:
        refusals: every reason that was found, personal data first.
    """

    def __init__(self, refusals: Sequence[SheetRefusal]) -> None:
        self.refusals = tuple(sorted(refusals, key=lambda each: not each.personal))
        first = self.refusals[0]
        where = f"Cell {first.cell}: " if first.cell else ""
        more = f" (and {len(refusals) - 1} more)" if len(refusals) > 1 else ""
        super().__init__(f"{where}{first.reason}{more}.")


@dataclass(frozen=True, slots=True)
class ClassSheet:
    """A class's answers.

    Attributes:
        answers: by row number, one for every item of the quiz; None: not answered.
        marks: cells and columns that were left out, with the reason.
        names: of pupils by row number, where they were to be kept.
    """

    answers: dict[int, tuple[Answer | None, ...]]
    marks: tuple[SheetRefusal, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict, repr=False)

    @property
    def blanks(self) -> int:
        """Cells without an answer."""
        return sum(each is None for row in self.answers.values() for each in row)


def read_sheet(text: str, quiz: Quiz, *, keep_names: bool = False) -> ClassSheet:
    """The answers in a sheet that was pasted from a spreadsheet or stands in a CSV file.

    Columns are separated by tabs, semicolons or commas. The first row may be a header with
    ``row`` and the numbers of the items; without one, the columns are the row number and all
    items in their order, or all items alone.

    Args:
        text: the sheet.
        quiz: what was asked.
        keep_names: what stands in the place of row numbers, or in a column of names, is kept beside
            the row's number.

    Raises:
        SheetRefused: it is no table of rows and items; single cells never refuse a sheet.
    """
    table = _table(text)
    header = _header(table[0][1], len(quiz.items))
    rows = table if header is None else table[1:]
    marks: list[SheetRefusal] = []
    if header is None:
        columns = _columns(table, quiz)
    else:
        columns = _named(header, table[0], quiz, marks, keep_names=keep_names)
    if not rows:
        raise SheetRefused([SheetRefusal("", "There is a header and no row of answers", False)])
    if not any(column >= 0 for column in columns):
        raise SheetRefused(marks) if marks else _refused("No column holds answers to an item")
    return _Reading(quiz, columns, marks, keep_names=keep_names).read(rows)


_Line = tuple[int, list[str]]
_ROW, _LEFT_OUT, _NAME = -1, -2, -3
"""Stand for the column of row numbers, for columns that are left out, and for those of names, among
the columns, which else are items from 0."""


def _table(text: str) -> list[_Line]:
    """The rows that are not empty with their numbers in the sheet, cells trimmed."""
    if len(text) > MOST_SIGNS:
        raise _refused(f"The sheet has more than {MOST_SIGNS:,} characters")
    if text.startswith("PK\x03\x04") or "\x00" in text:
        raise _refused(
            "This is no text. Copy the cells in your spreadsheet and paste them, or save as CSV"
        )
    signs = {sign: text.count(sign) for sign in "\t;,"}
    comma = "\t" if signs["\t"] else ";" if signs[";"] else ","
    try:
        lines = list(csv.reader(text.lstrip("\ufeff").splitlines(), delimiter=comma))
    except csv.Error:
        raise _refused("The sheet cannot be read as a table: check its quotation marks") from None
    found = [
        (number, [" ".join(cell.split()) for cell in line])
        for number, line in enumerate(lines, start=1)
        if any(cell.strip() for cell in line)
    ]
    if not found:
        raise _refused("The sheet is empty")
    if len(found) > MOST_ROWS + 1:
        raise _refused(f"The sheet has more than {MOST_ROWS} rows")
    for _, cells in found:
        while cells and not cells[-1]:
            cells.pop()
    return found


def _refused(reason: str) -> SheetRefused:
    return SheetRefused([SheetRefusal("", reason, False)])


def _header(cells: Sequence[str], items: int) -> list[str] | None:
    """The cells of the first row if it is a header."""
    folded = [cell.casefold().strip(" .:") for cell in cells]
    words = folded and (set(folded[0].split()) & _ROW_WORDS or reason_in_header(folded[0]))
    numbers = [int(cell) for cell in folded if cell.isdecimal()]
    named = [cell for cell in folded if _ITEM.fullmatch(cell) and not cell.isdecimal()]
    counted = numbers == list(range(1, items + 1)) and len(numbers) >= len(folded) - 1
    listed = folded and not folded[0] and len(numbers) == len(folded) - 1
    if words or len(named) >= 2 or counted or listed:
        return list(cells)
    return None


def _named(
    header: Sequence[str], line: _Line, quiz: Quiz, marks: list[SheetRefusal], *, keep_names: bool
) -> list[int]:
    """Which column holds what, by the header; what is left out is added to the marks."""
    columns: list[int] = []
    for place, cell in enumerate(header):
        folded = cell.casefold().strip(" .:")
        where = cell_name(place, line[0])
        match = _ITEM.fullmatch(folded)
        if place == 0 and not folded:
            columns.append(_ROW)
        elif match and 1 <= int(match[1]) <= len(quiz.items):
            columns.append(int(match[1]) - 1)
        elif set(folded.split()) & _POINTS_WORDS:
            columns.append(_LEFT_OUT)
            marks.append(SheetRefusal(where, "a column of points; answers are read instead", False))
        elif match:
            columns.append(_LEFT_OUT)
            reason = f"the quiz has {len(quiz.items)} items and none of this number"
            marks.append(SheetRefusal(where, reason, False))
        elif keep_names and set(folded.replace("-", "").split()) & _NAME_WORDS:
            columns.append(_NAME)
        elif reason := reason_in_header(cell):
            columns.append(_LEFT_OUT)
            marks.append(SheetRefusal(where, f"{reason}; it was left out", True))
        elif set(folded.split()) & _ROW_WORDS:
            columns.append(_ROW)
        else:
            columns.append(_LEFT_OUT)
            reason = "the header is neither “row” nor the number of an item; the column may hold "
            marks.append(SheetRefusal(where, f"{reason}something personal and was left out", True))
    double = {each for each in columns if each > _LEFT_OUT and columns.count(each) > 1}
    if double:
        what = "row number" if _ROW in double else f"item {min(double) + 1}"
        raise _refused(f"Two columns are for the {what}")
    return columns


def _columns(table: Sequence[_Line], quiz: Quiz) -> list[int]:
    """Which column holds what where there is no header."""
    width = max(len(cells) for _, cells in table)
    items = len(quiz.items)
    every = list(range(items))
    if width == items + 1:
        return [_ROW, *every]
    firsts = [cells[0] for _, cells in table]
    numbered = len(firsts) > 2 and firsts == [str(at) for at in range(1, len(firsts) + 1)]
    if width == items and not numbered:
        return every
    # Whatever stands in a sheet of another shape, personal data is the first thing to say.
    words = frozenset().union(*map(words_of, quiz.items))
    digits = max(map(digits_of, quiz.items))
    personal = [
        SheetRefusal(cell_name(place, number), reason, True)
        for number, cells in table
        for place, cell in enumerate(cells)
        if (reason := reason_in_answer(cell, words, digits))
    ]
    if personal:
        raise SheetRefused(personal)
    raise _refused(
        f"The sheet has {width} columns where the quiz needs {items + 1}: the row number and "
        f"{items} items. Fill the template, or add a header with “row” and the items’ numbers"
    )


class _Reading:
    def __init__(
        self, quiz: Quiz, columns: Sequence[int], marks: Sequence[SheetRefusal], *, keep_names: bool
    ) -> None:
        self._quiz = quiz
        self._columns = columns
        self._marks = list(marks)
        self._keep_names = keep_names
        self._words = [*map(words_of, quiz.items)]
        self._digits = [*map(digits_of, quiz.items)]

    def read(self, rows: Sequence[_Line]) -> ClassSheet:
        """The answers of all rows."""
        answers: dict[int, tuple[Answer | None, ...]] = {}
        names: dict[int, str] = {}
        for place, (line, cells) in enumerate(rows, start=1):
            number = place
            called: list[str] = []
            found: list[Answer | None] = [None] * len(self._quiz.items)
            for at, cell in enumerate(cells):
                if at >= len(self._columns):
                    self._beyond(cell_name(at, line), cell)
                elif self._columns[at] == _LEFT_OUT:
                    continue
                elif self._is_name(self._columns[at], cell):
                    called.append(cell)
                elif self._columns[at] == _ROW:
                    number = self._row_number(cell_name(at, line), cell, place)
                elif not is_blank(cell):
                    item = self._columns[at]
                    found[item] = self._answer(cell_name(at, line), cell, item)
            if number in answers:
                free = next(at for at in range(1, 2 * MOST_ROWS + 2) if at not in answers)
                reason = f"row number {number} stands there twice; this row became {free}"
                self._marks.append(SheetRefusal(cell_name(0, line), reason, False))
                number = free
            answers[number] = tuple(found)
            if any(called):
                names[number] = " ".join(filter(None, called))[:LONGEST_NAME]
        return ClassSheet(answers, tuple(self._marks), names)

    def _is_name(self, column: int, cell: str) -> bool:
        return column == _NAME or (column == _ROW and self._keep_names and _may_be_name(cell))

    def _beyond(self, where: str, cell: str) -> None:
        if not is_blank(cell):
            reason = "the column has no header, and may hold something personal; it was left out"
            self._marks.append(SheetRefusal(where, reason, True))

    def _row_number(self, where: str, cell: str, place: int) -> int:
        digits = re.sub(r"\.0?$", "", cell)
        if digits.isdecimal() and 1 <= int(digits) <= LARGEST_ROW_NUMBER:
            return int(digits)
        reason = reason_in_row_number(cell)
        if not reason and digits.isdecimal():
            reason = f"row numbers go from 1 to {LARGEST_ROW_NUMBER}; this may be an id of a pupil"
        told = f"{reason or 'there is no row number'}; the row became {place}"
        self._marks.append(SheetRefusal(where, told, bool(reason)))
        return place

    def _answer(self, where: str, cell: str, at: int) -> Answer | None:
        item = self._quiz.items[at]
        reason = reason_in_answer(cell, self._words[at], self._digits[at])
        if is_several(cell, item):
            self._marks.append(
                SheetRefusal(where, "several options; it counts as not answered", False)
            )
            return None
        if reason:
            self._marks.append(SheetRefusal(where, f"{reason}; it was left out", True))
            return None
        answer = read_written(cell, item)
        if answer is None:
            told = f"it is no answer to item {at + 1}, which takes {_wanted(item)}"
            self._marks.append(SheetRefusal(where, told, False))
        return answer


def _wanted(item: QuizItem) -> str:
    """What an answer to an item can be, in words."""
    number = item.right.kind is AnswerKind.NUMBER
    if item.options:
        return ", ".join(item.options) + (" or a number" if number else "")
    return "a number" if number else f"an answer such as “{item.right.shown}”"


def _may_be_name(cell: str) -> bool:
    """Whether what stands in place of a row number is words and nothing else."""
    return any(map(str.isalpha, cell)) and not any(sign.isdigit() or sign == "@" for sign in cell)


def cell_name(column: int, row: int) -> str:
    """What spreadsheets call a cell: column 0 of row 1 is ``A1``."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return f"{name}{row}"


def simulate_pupil(
    draws: Draws, quiz: Quiz, rule: str | None = None, *, slip: float = 0.05, follows: float = 1.0
) -> tuple[Answer | None, ...]:
    """The answers of somebody who follows one rule where it can show, and else works rightly.

    Args:
        draws: random choices.
        quiz: what is asked.
        rule: its id; None: somebody who has understood.
        slip: how often an answer is a slip: another option, or a slip of arithmetic.
        follows: how often the rule is followed where it can be.
    """
    return tuple(_simulated_answer(draws, item, rule, slip, follows) for item in quiz.items)


def _simulated_answer(
    draws: Draws, item: QuizItem, rule: str | None, slip: float, follows: float
) -> Answer:
    gives = item.gives.get(rule, ()) if rule is not None else ()
    if draws.chance(slip):
        return _slipped(draws, item)
    if gives and draws.chance(follows):
        return draws.one(gives)
    return item.right


def _slipped(draws: Draws, item: QuizItem) -> Answer:
    """Another option, or a slip of arithmetic; the right answer where neither is known."""
    if item.options:
        return draws.one([each for letter, each in item.options.items() if letter != item.key])
    slipped = [each.trace.answer for each in slips(item.problems[0])] if item.problems else []
    if slipped:
        return draws.one(slipped)
    value = item.right.value
    return Answer.number(value + 1) if isinstance(value, Fraction) else item.right


def simulate_class(draws: Draws, quiz: Quiz, followed: Sequence[str | None]) -> ClassSheet:
    """A sheet with one simulated pupil for each rule named (None: has understood)."""
    rows = {
        row: simulate_pupil(draws, quiz, rule, follows=0.9)
        for row, rule in enumerate(followed, start=1)
    }
    return ClassSheet(rows)


def write_sheet(quiz: Quiz, sheet: ClassSheet) -> str:
    """A sheet as CSV, as a teacher would fill it in; letters where the quiz has options."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["row", *range(1, len(quiz.items) + 1)])
    for row, answers in sheet.answers.items():
        writer.writerow([row, *map(_written, quiz.items, answers)])
    return text.getvalue()


def _written(item: QuizItem, answer: Answer | None) -> str:
    if answer is None:
        return ""
    chosen = (letter for letter, each in item.options.items() if each.same_as(answer))
    return next(chosen, answer.shown)
