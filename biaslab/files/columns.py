"""Which column of a table, or which name in a JSON record, holds what: by name, or contents.

What is seen in the contents is a suggestion for a person to confirm, and is never used unseen.
Where two columns could be meant, none is suggested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from biaslab.files.errors import LETTERS, InterchangeError
from biaslab.files.formats.format import TableRow
from biaslab.files.items import same_text
from schoolmath.malrules.answers import Answer
from schoolmath.malrules.reading import UnreadProblem, read_problem
from schoolmath.malrules.reading.given_answers import read_given

# Names are compared in lower case, letters and digits only: "Answer A Text" is answeratext.
_PLAIN_NAMES: dict[str, tuple[str, ...]] = {
    "question": (
        "questiontext", "question", "questionstem", "stem", "itemstem", "itemtext", "problem",
        "problemtext", "prompt", "item",
    ),
    "passage": (
        "passage", "passagetext", "readingpassage", "stimulus", "context", "readingtext", "text",
    ),
    "key": (
        "key", "answerkey", "correctanswer", "correctchoice", "correctoption", "rightanswer",
        "rightoption", "correct", "correctletter",
        "correctresponse", "rightresponse", "solution", "goldanswer", "gold", "answer", "label",
    ),
    "options": ("options", "choices", "answerchoices", "answeroptions", "answers"),
    "wrong_answer": (
        "wronganswer", "incorrectanswer", "wrongresponse", "incorrectresponse", "studentanswer",
        "pupilanswer", "pupilsanswer", "studentresponse", "answered", "given",
    ),
    "misconception": (
        "misconception", "misconceptionname", "misconceptiondescription", "misconceptionlabel",
        "misconceptiontext", "errortype", "error",
    ),
    "rationales": ("rationales", "explanations", "malgorithms", "rationale"),
    "grade": ("grade", "gradelevel", "gradeband", "yeargroup", "year"),
    "dok": ("dok", "doklevel", "depthofknowledge", "depthofknowledgelevel", "depth"),
    "content_class": (
        "contentclass", "contentclassification", "contentarea", "contentdomain", "contentstrand",
        "subjectname", "domain", "strand", "category", "contentcategory", "content", "subject",
    ),
    "topic": ("topic", "constructname", "construct", "skill", "standard", "substrand"),
    "name": ("id", "questionid", "itemid", "uid", "questionnumber", "number"),
}  # fmt: skip
_SPOT = r"(?P<spot>[a-h]|[0-8])"
_OPTION_NAMES: dict[str, tuple[str, ...]] = {
    "rationale": (
        rf"(?:rationale|explanation|feedback|malgorithm|reason|reasoning)s?(?:for)?(?:answer|option|choice)?{_SPOT}(?:text)?",
        rf"(?:answer|option|choice)s?{_SPOT}(?:rationale|explanation|feedback|malgorithm|reason|reasoning)",
        rf"{_SPOT}(?:rationale|explanation|feedback|malgorithm)",
    ),
    "misconception": (
        rf"(?:misconception|malrule|rule|misconceptionid|misconceptionname)s?{_SPOT}(?:id|name|text)?",
        rf"(?:answer|option|choice)s?{_SPOT}(?:misconception|malrule|rule)(?:id|name)?",
    ),
    "right": (rf"(?:answer|option|choice)s?{_SPOT}(?:iscorrect|correct|isright|iskey|isanswer)",),
    "option": (
        rf"(?:question)?(?:answer|option|choice|answerchoice|answeroption|opt|response)s?(?:text)?{_SPOT}"
        r"(?:text|content|value|answer|option|choice)?",
        rf"{_SPOT}",
    ),
}
FIELDS = (
    *(name for name in _PLAIN_NAMES),
    *(f"{kind}_{letter.lower()}" for kind in _OPTION_NAMES for letter in LETTERS),
)
"""Everything that a column can hold."""


def guess(columns: Sequence[str], preset: Mapping[str, str] | None = None) -> dict[str, str]:
    """The column of each field, by likely names; what is given comes first.

    Args:
        columns: the table's columns.
        preset: fields and their columns, where they are known.

    Raises:
        InterchangeError: a given field or column does not exist.
    """
    mapping = dict(preset or {})
    explained = (
        f"{', '.join(_PLAIN_NAMES)}, and option_a, rationale_a, misconception_a, right_a and so on"
    )
    check_given(columns, mapping, FIELDS, explained)
    free = [column for column in columns if column and column not in mapping.values()]
    plain = {column: re.sub(r"[^a-z0-9]", "", column.lower()) for column in free}
    for kind, patterns in _OPTION_NAMES.items():
        for spot, column in _spots(free, plain, patterns).items():
            if mapping.setdefault(f"{kind}_{spot}", column) == column:
                free.remove(column)
    for name, likely in _PLAIN_NAMES.items():
        if name in mapping:
            continue
        for each in likely:
            match = next((column for column in free if plain[column] == each), None)
            if match is not None:
                mapping[name] = match
                free.remove(match)
                break
    return {name: mapping[name] for name in FIELDS if name in mapping}


def check_given(
    columns: Sequence[str], preset: Mapping[str, str], fields: Container[str], explained: str
) -> None:
    """Refuses what a person says of columns where a field or a column does not exist.

    Args:
        columns: the table's.
        preset: fields and their columns.
        fields: what a column can hold.
        explained: these in words.

    Raises:
        InterchangeError: the message names what there is.
    """
    for name, column in preset.items():
        if name not in fields:
            raise InterchangeError(f"There is no field {name!r}. Fields are {explained}.")
        if column not in columns:
            raise InterchangeError(
                f"There is no column {column!r} (for {name}). The columns are {listed(columns)}."
            )


def listed(columns: Iterable[str]) -> str:
    """Names of columns for a sentence, not too many."""
    names = [repr(column[:40]) for column in columns if column]
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    return ", ".join(names[:20]) + more


def _spots(
    columns: Sequence[str], plain: Mapping[str, str], patterns: tuple[str, ...]
) -> dict[str, str]:
    """Columns of one kind by the small letter of their option."""
    found: dict[str, str] = {}
    for pattern in patterns:
        for column in columns:
            match = re.fullmatch(pattern, plain[column])
            # Columns that are just 0, 1, 2 are a table without a header, not options.
            if match and not (plain[column].isdigit()):
                found.setdefault(match["spot"], column)
    digits = {spot for spot in found if spot.isdigit()}
    if not digits:
        return found
    if digits != set(found):
        return {spot: column for spot, column in found.items() if spot not in digits}
    first = 0 if "0" in digits else 1
    letters = LETTERS.lower()
    return {
        letters[int(spot) - first]: column
        for spot, column in found.items()
        if int(spot) - first < len(letters)
    }


# By what stands in it: for tables whose columns are called anything.


FEWEST_ROWS = 3
"""With fewer rows nothing is suggested: anything may be chance."""
FEWEST_ROWS_WITH_OPTIONS = 8
"""With fewer, options cannot be told from what stands beside them."""

_MOST, _NEARLY_ALL, _ALL_BUT_SLIPS = 0.6, 0.9, 0.95
_WORDS_OF_A_SENTENCE = 3.0
"""Words, on average, of a column that holds sentences."""
_WORKED_ROWS = 12
"""So many problems are worked out to tell a right answer from a wrong one."""

_LETTER = re.compile(r"[(\[]?([A-Ha-h])[)\].:]?")
_ASKS = re.compile(
    r"\?|_{2,}|\b(?:what|which|how|find|solve|calculate|work out|simplify|evaluate|expand|"
    r"estimate|round|write|choose|complete)\b|[=+×÷/*]|\d\s*[-−]\s*\d",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Column:
    """A column by its name, with the text of each row."""

    name: str
    cells: tuple[str, ...]

    def share(self, fits: Callable[[str], object]) -> float:
        """Of the cells that hold something, those that fit."""
        filled = [cell for cell in self.cells if cell]
        return sum(bool(fits(cell)) for cell in filled) / len(filled) if filled else 0.0

    @property
    def filled(self) -> float:
        """Share of rows that hold something."""
        return sum(map(bool, self.cells)) / len(self.cells)

    @property
    def words(self) -> float:
        """Words of a cell, on average."""
        filled = [cell for cell in self.cells if cell]
        return sum(len(cell.split()) for cell in filled) / len(filled) if filled else 0.0

    @property
    def different(self) -> float:
        """Different texts among those there are, as a share."""
        filled = [cell for cell in self.cells if cell]
        return len(set(filled)) / len(filled) if filled else 0.0

    @property
    def serial(self) -> bool:
        """Whether it only numbers the rows."""
        if not all(cell.isdecimal() for cell in self.cells):
            return False
        return all(int(after) > int(before) for before, after in pairwise(self.cells))


def suggest(
    columns: Sequence[str], rows: Sequence[TableRow], preset: Mapping[str, str]
) -> dict[str, str]:
    """Fields of items and the columns that may hold them, besides those known by their names.

    Args:
        columns: of the table, in its order.
        rows: some of its rows.
        preset: fields and columns that were found by name.

    Returns:
        Further fields and their columns; empty where nothing is lacking, or nothing is clear.
    """
    has_options = any(name.startswith("option") for name in preset)
    if {"question", "key"} <= preset.keys() and (has_options or "wrong_answer" in preset):
        return {}
    read = [row for row in rows if not row.refusal and any(row.cells.values())]
    if len(read) < FEWEST_ROWS:
        return {}
    table = [
        _Column(name, tuple(" ".join(row.cells.get(name, "").split()) for row in read))
        for name in columns
        if name
    ]
    return _Search(table, preset).fields()


class _Search:
    """Field after field, each given what the ones before gave; nothing that is taken is changed."""

    def __init__(self, table: Sequence[_Column], columns: Mapping[str, str]) -> None:
        self._all = {column.name: column for column in table}
        self._known = {field: name for field, name in columns.items() if name in self._all}

    def fields(self) -> dict[str, str]:
        """What may be where, besides what is known."""
        new: dict[str, str] = {}
        if "question" not in self._known:
            candidates = self._questions()
            if len(candidates) != 1:
                return {}
            new = {"question": candidates[0].name}
        options = self._options(new)
        if options:
            new |= options
            return new | self._reasons(new)
        return new | self._answers(new)

    def _column(self, field: str, new: Mapping[str, str]) -> _Column | None:
        name = new.get(field, self._known.get(field))
        return None if name is None else self._all[name]

    def _free(self, *taken: Mapping[str, str]) -> list[_Column]:
        """The columns that hold something and are neither known nor taken."""
        names = {name for each in (self._known, *taken) for name in each.values()}
        return [each for each in self._all.values() if each.name not in names and each.filled]

    def _questions(self) -> list[_Column]:
        """Columns that may hold what is asked."""
        asking = [
            column
            for column in self._free()
            if column.filled >= _NEARLY_ALL
            and column.different >= _MOST
            and column.words >= _WORDS_OF_A_SENTENCE - 1
            and column.share(_ASKS.search) >= _MOST
        ]
        with_mark = [each for each in asking if each.share(lambda c: c.endswith("?")) >= _MOST]
        if len(with_mark) == 1:
            return with_mark
        # Reasons have signs of calculations too; what can be read as a problem is the question.
        readable = [each for each in asking if _read_share(each) >= _MOST]
        return readable if len(readable) == 1 else asking

    def _options(self, new: Mapping[str, str]) -> dict[str, str]:
        """The options in their order, with the column that says which is right; none, or all."""
        named = [
            self._all[self._known[f"option_{letter}"]]
            for letter in LETTERS.lower()
            if f"option_{letter}" in self._known
        ]
        runs = [named] if named else self._runs(new)
        fitting = [(run, key) for run in runs if (key := self._key_of(run, new)) is not None]
        if len(fitting) != 1:
            return {}
        run, key = fitting[0]
        found = {} if "key" in self._known else {"key": key.name}
        if not named:
            found |= {
                f"option_{letter}": column.name
                for letter, column in zip(LETTERS.lower(), run, strict=False)
            }
        return found

    def _runs(self, new: Mapping[str, str]) -> list[list[_Column]]:
        """Neighbouring columns with different short texts in each row, as long as can be."""
        order = list(self._all.values())
        short = {
            column.name
            for column in self._free(new)
            if column.filled >= _MOST
            and not column.serial
            and column.share(_LETTER.fullmatch) < _ALL_BUT_SLIPS
        }
        found: list[list[_Column]] = []
        run: list[_Column] = []
        for column in [*order, None]:
            if column is not None and column.name in short and _unlike(column, run):
                run.append(column)
                continue
            if 2 <= len(run) <= len(LETTERS):
                found.append(run)
            run = [column] if column is not None and column.name in short else []
        return found

    def _key_of(self, run: Sequence[_Column], new: Mapping[str, str]) -> _Column | None:
        """The one column that says which of these options is right."""
        known = self._column("key", self._known)
        if known is not None and "option_a" in self._known:
            return known
        letters = LETTERS[: len(run)].lower()
        others = [column for column in self._free(new) if column not in run]
        if known is not None:
            others = [known]
        by_letter = [
            column
            for column in others
            if column.filled >= _NEARLY_ALL
            and all(
                (match := _LETTER.fullmatch(cell)) and match[1].lower() in letters
                for cell in column.cells
                if cell
            )
        ]
        by_text = [
            column
            for column in others
            if column.filled >= _NEARLY_ALL
            and _share(
                sum(same_text(cell, option.cells[at]) for option in run if option.cells[at]) == 1
                for at, cell in enumerate(column.cells)
                if cell
            )
            >= _ALL_BUT_SLIPS
        ]
        found = by_letter or by_text
        if len(found) != 1:
            return None
        if known is None and not self._is_key(found[0], run, bool(by_letter), new):
            return None
        return found[0]

    def _is_key(
        self, key: _Column, run: Sequence[_Column], letters: bool, new: Mapping[str, str]
    ) -> bool:
        """Whether every option is right at times, and no problem that can be read says otherwise.

        A column of grades beside the options looks like one more, which is right by chance alone.
        """
        places = [
            (ord(cell.strip("([)].:").lower()) - ord("a"))
            if letters
            else next((n for n, each in enumerate(run) if same_text(cell, each.cells[at])), -1)
            for at, cell in enumerate(key.cells)
            if cell
        ]
        if len(places) < FEWEST_ROWS_WITH_OPTIONS:
            return False
        seldom = min(places.count(place) for place in range(len(run)))
        if seldom < max(2, len(places) / (4 * len(run))):
            return False
        if not letters:
            return self._right(key, new) is not False
        told = tuple(
            run[ord(cell.strip("([)].:").lower()) - ord("a")].cells[at] if cell else ""
            for at, cell in enumerate(key.cells)
        )
        return self._right(_Column(key.name, told), new) is not False

    def _right(self, answers: _Column, new: Mapping[str, str]) -> bool | None:
        """Whether these answers are right; None where too few problems can be read."""
        question = self._column("question", new)
        share = None if question is None else _right_share(question, answers)
        return None if share is None else share >= _NEARLY_ALL

    def _reasons(self, new: Mapping[str, str]) -> dict[str, str]:
        """As many neighbouring columns of sentences as there are options, in their order."""
        if any(name.startswith(("rationale", "misconception")) for name in self._known):
            return {}
        sentences = {c.name for c in self._free(new) if c.words >= _WORDS_OF_A_SENTENCE}
        runs: list[list[_Column]] = [[]]
        for column in self._all.values():
            if column.name in sentences:
                runs[-1].append(column)
            elif runs[-1]:
                runs.append([])
        options = sum(field.startswith("option_") for field in {**self._known, **new})
        fitting = [run for run in runs if len(run) == options]
        if len(fitting) != 1:
            return {}
        cells = [cell for column in fitting[0] for cell in column.cells if cell]
        repeated = len(set(cells)) / len(cells) < _MOST
        kind = "misconception" if repeated else "rationale"
        return {
            f"{kind}_{letter}": column.name
            for letter, column in zip(LETTERS.lower(), fitting[0], strict=False)
        }

    def _answers(self, new: Mapping[str, str]) -> dict[str, str]:
        """A right and a wrong answer in each row, told apart by working the problems out.

        Both or neither: a right answer alone makes no item.
        """
        if "wrong_answer" in self._known and "key" in self._known:
            return {}
        short = [
            column
            for column in self._free(new)
            if column.filled >= _NEARLY_ALL and column.words < _WORDS_OF_A_SENTENCE
        ]
        key, wrong = self._column("key", new), self._column("wrong_answer", new)
        if key is None:
            right = [column for column in short if self._right(column, new)]
            if len(right) != 1:
                return {}
            key = right[0]
        if wrong is None:
            may_be = [
                column
                for column in short
                if column is not key and _is_wrong(column, key) and not self._right(column, new)
            ]
            if len(may_be) != 1:
                return {}
            wrong = may_be[0]
        found = {"key": key.name, "wrong_answer": wrong.name}
        said = [
            column
            for column in self._free(new, found)
            if column.words >= _WORDS_OF_A_SENTENCE and column.share(_ASKS.search) < _MOST
        ]
        if "misconception" not in self._known and len(said) == 1:
            found["misconception"] = said[0].name
        return {field: name for field, name in found.items() if field not in self._known}


def _is_wrong(column: _Column, key: _Column) -> bool:
    """Whether a column may hold wrong answers to problems with these right ones."""
    return (
        not column.serial
        and column.different > 1 / len(LETTERS)
        and _share(
            bool(cell) and not same_text(cell, key.cells[at])
            for at, cell in enumerate(column.cells)
        )
        >= _NEARLY_ALL
        and column.share(lambda c: any(s.isdecimal() for s in c)) >= _MOST
    )


def _unlike(column: _Column, run: Sequence[_Column]) -> bool:
    """Whether a column may be another option: in nearly every row different from those before."""
    return (
        _share(
            not any(same_text(cell, other.cells[at]) for other in run)
            for at, cell in enumerate(column.cells)
            if cell
        )
        >= _NEARLY_ALL
    )


def _share(facts: Iterable[bool]) -> float:
    """Of some facts those that are so; 0 of none."""
    given = list(facts)
    return sum(given) / len(given) if given else 0.0


def _read_share(column: _Column) -> float:
    """Of the first problems those that can be read here."""
    return _share(_worked(cell) is not None for cell in column.cells[:_WORKED_ROWS])


def _right_share(question: _Column, answers: _Column) -> float | None:
    """Of the problems that can be read those whose answer stands there; None with fewer than
    three.
    """
    told = []
    for asked, cell in list(zip(question.cells, answers.cells, strict=True))[:_WORKED_ROWS]:
        right = _worked(asked)
        if right is not None:
            given = read_given(cell, right, (), new_phrases=False) if cell else None
            told.append(given is not None and given.same_as(right))
    return _share(told) if len(told) >= FEWEST_ROWS else None


@lru_cache(maxsize=256)
def _worked(problem: str) -> Answer | None:
    """The right answer of a problem that can be read in one way; else None."""
    try:
        meanings = read_problem(problem).meanings
    except UnreadProblem:
        return None
    return meanings[0][0].solve().answer if len(meanings) == 1 else None


# Word problems: a whole text in one column, or what is told and what is asked in two, such as Body
# and Question of SVAMP (Patel et al. 2021).


WHOLE = (
    "text", "problem", "question", "body", "task", "stem", "item", "exercise", "wordproblem",
    "questiontext", "problemtext", "originaltext", "squestion", "fullquestion",
)  # fmt: skip
"""Names of columns of whole problems, the likelier ones first."""
_TOLD = (
    "body", "problembody", "bodytext", "story", "context", "premise", "scenario", "background",
    "passage", "stimulus",
)  # fmt: skip
_ASKED = ("question", "ques", "questiontext", "query", "asked")

_WORDS_OF_A_TEXT = 5
_MOSTLY = 0.5
"""A column is what so many of its cells are."""
_ASKS_IN_A_TEXT = re.compile(
    r"\?\s*$|\b(?:how (?:many|much|long|far|old)|what|find|calculate)\b", re.IGNORECASE
)
_CALCULATES = re.compile(r"\d\s*[-−+*×·/÷:^]\s*[\d(a-z]|\d\s*%|[\da-z)]\s*=")
_ENDED = re.compile(r"[.?!,;:…]['\"”’)]*$")
_PLACE = re.compile(
    r"\bnumber_?\d+\b|\[[A-Z][A-Z_]+\d*\]|(?<![\\\w}])\{\{?[A-Za-z_]\w*\}?\}|"
    r"<(?:num|name|number|entity)_?\d*>|\bN_\d+\b|\bNUM_?\d*\b|\btemp_[a-z]\b"
)


def problem_columns(columns: Sequence[str], first: Sequence[TableRow]) -> tuple[str, ...]:
    """The columns that hold the problems, in the order in which their texts are read.

    Args:
        columns: of the table.
        first: some of its rows.

    Returns:
        one column; or two, what is told and what is asked; none where it is not clear.
    """
    plain = {column: re.sub(r"[^a-z]", "", column.lower()) for column in columns if column}
    wordy = [each for each in plain if _mostly(first, each, _is_text)]
    for told in (each for name in _TOLD for each in wordy if plain[each] == name):
        for asked in (each for name in _ASKED for each in plain if plain[each] == name):
            if _parts(first, told, asked):
                return told, asked
    short = [each for each in plain if _mostly(first, each, _is_calculation)]
    for likely in WHOLE:
        by_name = [column for column in (*wordy, *short) if plain[column] == likely]
        if len(by_name) == 1:
            return (by_name[0],)
    return (wordy[0],) if len(wordy) == 1 else ()


def problem_text(cells: Mapping[str, str], columns: Sequence[str]) -> str:
    """The problem of a row: its parts one after the other, each ended as a sentence."""
    parts = [part for column in columns if (part := cells.get(column, "").strip())]
    ended = [part if _ENDED.search(part) else f"{part}." for part in parts[:-1]]
    return " ".join([*ended, *parts[-1:]])


def place_in(text: str) -> str:
    """A place in a text where a number or a name should stand, such as “number0”; else ""."""
    found = _PLACE.search(text)
    return found[0] if found else ""


def is_inside(one: str, other: str) -> bool:
    """Whether one of two texts stands in the other, whatever their blanks and capitals."""
    first, second = (" ".join(text.lower().split()).rstrip(" .,") for text in (one, other))
    return bool(first and second) and (first in second or second in first)


def _parts(first: Sequence[TableRow], statement: str, question: str) -> bool:
    """Whether one column tells and the other asks, and neither has the other's text in it."""
    return (
        statement != question
        and _mostly(first, question, _asks)
        and not _mostly(first, statement, lambda cell: cell.endswith("?"))
        and not _mostly_of(
            first, lambda row: is_inside(row.cells.get(statement, ""), row.cells.get(question, ""))
        )
    )


def _is_text(cell: str) -> bool:
    return len(cell.split()) >= _WORDS_OF_A_TEXT


def _is_calculation(cell: str) -> bool:
    return not _is_text(cell) and _CALCULATES.search(cell) is not None


def _asks(cell: str) -> bool:
    return _ASKS_IN_A_TEXT.search(cell) is not None


def _mostly(first: Sequence[TableRow], column: str, test: Callable[[str], bool]) -> bool:
    cells = [cell for row in first if (cell := row.cells.get(column, "").strip())]
    return bool(cells) and sum(map(test, cells)) >= _MOSTLY * len(cells)


def _mostly_of(first: Sequence[TableRow], test: Callable[[TableRow], bool]) -> bool:
    return bool(first) and sum(map(test, first)) >= _MOSTLY * len(first)
