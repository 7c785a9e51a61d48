"""Which columns of any table hold the two texts of a pair and their answer.

What a person says comes first, then likely names. What the first rows look like is a suggestion
for a person to confirm, and is never used unseen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from biaslab.files.columns import check_given, is_inside, listed, place_in
from biaslab.files.errors import InterchangeError
from biaslab.files.formats.format import TableRow
from biaslab.files.tables import told_as_options
from biaslab.studies.word_problems.files.layouts import (
    MemberColumns,
    PairLayout,
    plain_name,
    released_layout,
)

PAIR_FIELDS = (
    "x", "x_prime", "answer", "answer_x", "answer_x_prime",
    "body_x", "body_x_prime", "question_x", "question_x_prime", "steps",
)  # fmt: skip
"""Everything that a column of a file of pairs can be said to hold."""

_NAMES: dict[str, tuple[str, ...]] = {
    "x": ("x", "textx", "xtext", "text1", "texta", "firsttext", "firstmember", "first",
          "problem1", "problema", "problemx", "original", "consistent", "control", "easy"),
    "x_prime": ("xprime", "textxprime", "xprimetext", "x2", "text2", "textb", "secondtext",
                "secondmember", "second", "problem2", "problemb", "problemxprime", "changed",
                "inconsistent", "treated", "twin", "hard"),
    "answer": ("answer", "solution", "rightanswer", "correctanswer", "goldanswer", "gold",
               "label", "result", "key"),
    "answer_x": ("answerx", "answer1", "answera", "firstanswer", "solution1"),
    "answer_x_prime": ("answerxprime", "answer2", "answerb", "secondanswer", "solution2"),
    "body_x": ("bodyx",),
    "body_x_prime": ("bodyxprime",),
    "question_x": ("questionx",),
    "question_x_prime": ("questionxprime",),
    "steps": ("steps", "reasoningsteps", "numberofsteps", "numsteps"),
}  # fmt: skip

_SHARE = 0.8
_FEWEST_WORDS = 6
_PROBLEM = re.compile(r"\d.*\?", re.DOTALL)
_NUMBER = re.compile(r"\s*-?\d[\d,]*(?:\.0+)?\s*")


def find_layout(
    columns: Sequence[str], first_rows: Sequence[TableRow], given: Mapping[str, str]
) -> PairLayout:
    """Which columns make a pair.

    Args:
        columns: of the table.
        first_rows: some of its rows, to tell from their contents what has no known name.
        given: columns by field (`PAIR_FIELDS`), where a person said so.

    Raises:
        InterchangeError: it cannot be told; the message says what is missing and what there is.
    """
    _check_given(columns, given)
    layout = None if given else released_layout(columns)
    if layout is None:
        layout = _of_mapping(_by_name(columns, given))
    if layout is not None and all(member.answers for member in layout.members):
        return layout
    known = _by_name(columns, given)
    further = suggest_pairs(columns, first_rows, known)
    may_be = told_as_options({**known, **further}) if further else ""
    what = "No column was found for the answer"
    if layout is None:
        what = "No two columns were found that hold the texts of pairs"
    raise InterchangeError(
        f"{what}. The columns are {listed(columns) or 'without names'}. Say "
        "which hold them, such as --column x=NAME --column x_prime=NAME --column answer=NAME."
        f"{may_be}"
    )


def suggest_pairs(
    columns: Sequence[str], first_rows: Sequence[TableRow], known: Mapping[str, str]
) -> dict[str, str]:
    """What of a pair may stand in which further column, by what stands in it; none or all.

    Args:
        columns: of the table.
        first_rows: some of its rows.
        known: columns by field (`PAIR_FIELDS`) that are known.
    """
    free = [column for column in columns if column and column not in known.values()]
    further: dict[str, str] = {}
    missing = [name for name in ("x", "x_prime") if name not in known]
    texts = [column for column in free if _mostly(first_rows, column, _is_problem)]
    if missing:
        if len(texts) != len(missing):
            return {}
        further = dict(zip(missing, texts, strict=True))
    if not {"answer", "answer_x", "answer_x_prime"} & set(known):
        numbers = [column for column in free if _mostly(first_rows, column, _is_number)]
        if len(numbers) != 1:
            return {}
        further["answer"] = numbers[0]
    x, x_prime = ({**known, **further}.get(name, "") for name in ("x", "x_prime"))
    inside = [is_inside(row.cells.get(x, ""), row.cells.get(x_prime, "")) for row in first_rows]
    return {} if sum(inside) >= _SHARE * len(inside) else further


def likely_layout(columns: Sequence[str]) -> PairLayout | None:
    """The layout that the names of the columns alone make sure of, or None."""
    layout = released_layout(columns) or _of_mapping(_by_name(columns, {}))
    return layout if layout and all(member.answers for member in layout.members) else None


def likely_mapping(columns: Sequence[str]) -> dict[str, str]:
    """The column of each field, as far as their names tell; for a form to begin with."""
    layout = released_layout(columns)
    return layout.mapping() if layout is not None else _by_name(columns, {})


def _check_given(columns: Sequence[str], given: Mapping[str, str]) -> None:
    check_given(columns, given, PAIR_FIELDS, ", ".join(PAIR_FIELDS))
    texts = [given[name] for name in ("x", "x_prime") if name in given]
    if len(texts) == 2 and texts[0] == texts[1]:
        raise InterchangeError(
            f"The column {texts[0]!r} cannot hold both members. Choose another for one of them."
        )


def _by_name(columns: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    mapping = dict(given)
    free = {plain_name(column): column for column in columns if column not in given.values()}
    for name, likely in _NAMES.items():
        if name in mapping or (name == "answer" and "answer_x" in mapping):
            continue
        found = next((each for each in likely if each in free), None)
        if found is not None:
            mapping[name] = free.pop(found)
    return mapping


def _of_mapping(mapping: Mapping[str, str]) -> PairLayout | None:
    if not {"x", "x_prime"} <= set(mapping):
        return None
    members = []
    for arm in ("x", "x_prime"):
        answers = tuple(mapping[name] for name in (f"answer_{arm}", "answer") if name in mapping)[
            :1
        ]
        members.append(
            MemberColumns(
                mapping[arm],
                mapping[arm],
                mapping.get(f"body_{arm}", ""),
                mapping.get(f"question_{arm}", ""),
                answers,
            )
        )
    x, x_prime = members
    return PairLayout(
        "table", x, x_prime, same_answer=x.answers == x_prime.answers,
        steps=mapping.get("steps", ""),
    )  # fmt: skip


def _mostly(rows: Sequence[TableRow], column: str, test: Callable[[str], bool]) -> bool:
    cells = [row.cells[column] for row in rows if row.cells.get(column, "").strip()]
    return bool(cells) and sum(map(test, cells)) >= _SHARE * len(cells)


def _is_problem(cell: str) -> bool:
    return (
        len(cell.split()) >= _FEWEST_WORDS
        and _PROBLEM.search(cell) is not None
        and not place_in(cell)
    )


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None
