"""How files of pairs are laid out: the released files, and any table with two texts.

The columns of the released files are those of Opedal et al. (2024). Their "paraphrased" columns
hold the whole text after a model had corrected its grammar; their "body" columns hold the
sentences before that, without the question.

What a person says comes first, then likely names. What the first rows look like is a suggestion
for a person to confirm, and is never used unseen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from biaslab.files.columns import check_given, is_inside, listed, place_in
from biaslab.files.errors import InterchangeError
from biaslab.files.formats.format import TableRow
from biaslab.files.tables import told_as_options


class FileTreatment(StrEnum):
    """What differs between the members of a pair, as far as the file says so."""

    CONSISTENCY = "consistency"
    TRANSFER_COMPARISON = "transfer-comparison"
    CARRY = "carry"
    UNSAID = "not said"


@dataclass(frozen=True, slots=True)
class MemberColumns:
    """Where one member of a pair stands.

    Attributes:
        name: what the file calls it.
        text: column of the whole text; empty where it is put together from body and question.
        body: column of the sentences as they were before they were corrected, or empty.
        question: column of the question as it was before that, or empty.
        answers: columns that each hold the member's answer.
    """

    name: str
    text: str
    body: str = ""
    question: str = ""
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairLayout:
    """Which columns of a table make a pair.

    Attributes:
        name: as reports give it.
        x, x_prime: the members; x is the easier one by hypothesis.
        treatment: what differs between them.
        same_answer: whether both must have one answer.
        operation, carries: columns of a carry file's labels, or empty.
        steps: column of the number of reasoning steps, or empty.
    """

    name: str
    x: MemberColumns
    x_prime: MemberColumns
    treatment: FileTreatment = FileTreatment.UNSAID
    same_answer: bool = True
    operation: str = ""
    carries: str = ""
    steps: str = ""

    @property
    def members(self) -> tuple[MemberColumns, MemberColumns]:
        """Both members, x first."""
        return self.x, self.x_prime

    def mapping(self) -> dict[str, str]:
        """The column of each field, for showing."""
        fields = {
            "x": self.x.text or self.x.body,
            "x_prime": self.x_prime.text or self.x_prime.body,
            "answer_x": ", ".join(self.x.answers),
            "answer_x_prime": ", ".join(self.x_prime.answers),
            "body_x": self.x.body,
            "body_x_prime": self.x_prime.body,
            "question_x": self.x.question,
            "question_x_prime": self.x_prime.question,
            "operation": self.operation,
            "carries": self.carries,
            "steps": self.steps,
        }
        if fields["answer_x"] == fields["answer_x_prime"]:
            fields = {"answer" if n == "answer_x" else n: c for n, c in fields.items()}
            del fields["answer_x_prime"]
        return {name: column for name, column in fields.items() if column}


def plain_name(column: str) -> str:
    """A column's name as names are compared: lower case, letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", column.lower())


_RELEASED = (
    PairLayout(
        "consistency",
        MemberColumns(
            "consistent", "consistent paraphrased", "consistent body", "question", ("answer",)
        ),
        MemberColumns(
            "inconsistent", "inconsistent paraphrased", "inconsistent body", "question", ("answer",)
        ),
        FileTreatment.CONSISTENCY,
    ),
    PairLayout(
        "transfer-comparison",
        MemberColumns(
            "transition",
            "paraphrase transition",
            "body transition",
            "question transition",
            ("answer",),
        ),
        MemberColumns(
            "comparison",
            "paraphrase comparison",
            "body comparison",
            "question comparison",
            ("answer",),
        ),
        FileTreatment.TRANSFER_COMPARISON,
    ),
    PairLayout(
        "carry",
        MemberColumns(
            "no carry",
            "paraphrase no carry",
            "body no carry",
            "question",
            ("answer no carry", "answer"),
        ),
        MemberColumns(
            "carry", "paraphrase carry", "body carry", "question", ("answer carry", "answer")
        ),
        FileTreatment.CARRY,
        operation="Carry Operation",
        carries="Num. Carries",
    ),
)


def released_layout(columns: Sequence[str]) -> PairLayout | None:
    """The layout of one of the three released files, with the columns as this table writes them.

    A released file is known by its two columns of texts, or by its two columns of bodies with a
    question. What else is missing is left out of the layout; None: it is none of the three.
    """
    written = {plain_name(column): column for column in columns if column}
    for layout in _RELEASED:
        texts = all(plain_name(member.text) in written for member in layout.members)
        bodies = all(
            plain_name(member.body) in written and plain_name(member.question) in written
            for member in layout.members
        )
        if texts or bodies:
            return PairLayout(
                layout.name,
                _present(layout.x, written, texts),
                _present(layout.x_prime, written, texts),
                layout.treatment,
                layout.same_answer,
                written.get(plain_name(layout.operation), ""),
                written.get(plain_name(layout.carries), ""),
            )
    return _in_their_manner(columns)


def _in_their_manner(columns: Sequence[str]) -> PairLayout | None:
    """Columns named as in the released files, with other words for the two members.

    `biaslab pairs` writes every other study's pairs so: "paraphrase X", "body X", "question X" and
    "answer X" for each member, the first one first.
    """
    begins = "paraphrase "
    names = [column[len(begins) :] for column in columns if column.lower().startswith(begins)]
    if len(names) != 2:
        return None
    written = {column.lower(): column for column in columns}

    def member(name: str) -> MemberColumns:
        found = {
            what: written.get(f"{what} {name}".lower(), "")
            for what in ("paraphrase", "body", "question", "answer")
        }
        answer = found["answer"] or written.get("answer", "")
        return MemberColumns(
            name, found["paraphrase"], found["body"], found["question"], (answer,) * bool(answer)
        )

    x, x_prime = map(member, names)
    return PairLayout("pairs", x, x_prime, same_answer=x.answers == x_prime.answers)


def _present(member: MemberColumns, columns: dict[str, str], texts: bool) -> MemberColumns:
    named = [plain_name(column) for column in member.answers]
    answers = tuple(columns[name] for name in named if name in columns)
    return MemberColumns(
        member.name,
        columns[plain_name(member.text)] if texts else "",
        columns.get(plain_name(member.body), ""),
        columns.get(plain_name(member.question), ""),
        answers,
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
    columns: Sequence[str], first_rows: Sequence[TableRow], preset: Mapping[str, str]
) -> PairLayout:
    """Which columns make a pair.

    Args:
        columns: of the table.
        first_rows: some of its rows, to tell from their contents what has no known name.
        preset: columns by field (`PAIR_FIELDS`), where a person said so.

    Raises:
        InterchangeError: it cannot be told; the message says what is missing and what there is.
    """
    _check_given(columns, preset)
    layout = None if preset else released_layout(columns)
    if layout is None:
        layout = _of_mapping(_by_name(columns, preset))
    if layout is not None and all(member.answers for member in layout.members):
        return layout
    known = _by_name(columns, preset)
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
    columns: Sequence[str], first_rows: Sequence[TableRow], preset: Mapping[str, str]
) -> dict[str, str]:
    """What of a pair may stand in which further column, by what stands in it; none or all.

    Args:
        columns: of the table.
        first_rows: some of its rows.
        preset: columns by field (`PAIR_FIELDS`) that are known.
    """
    free = [column for column in columns if column and column not in preset.values()]
    further: dict[str, str] = {}
    missing = [name for name in ("x", "x_prime") if name not in preset]
    texts = [column for column in free if _mostly(first_rows, column, _is_problem)]
    if missing:
        if len(texts) != len(missing):
            return {}
        further = dict(zip(missing, texts, strict=True))
    if not {"answer", "answer_x", "answer_x_prime"} & set(preset):
        numbers = [
            column
            for column in free
            if _mostly(first_rows, column, lambda cell: _NUMBER.fullmatch(cell) is not None)
        ]
        if len(numbers) != 1:
            return {}
        further["answer"] = numbers[0]
    x, x_prime = ({**preset, **further}.get(name, "") for name in ("x", "x_prime"))
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


def _check_given(columns: Sequence[str], preset: Mapping[str, str]) -> None:
    check_given(columns, preset, PAIR_FIELDS, ", ".join(PAIR_FIELDS))
    texts = [preset[name] for name in ("x", "x_prime") if name in preset]
    if len(texts) == 2 and texts[0] == texts[1]:
        raise InterchangeError(
            f"The column {texts[0]!r} cannot hold both members. Choose another for one of them."
        )


def _by_name(columns: Sequence[str], preset: Mapping[str, str]) -> dict[str, str]:
    mapping = dict(preset)
    free = {plain_name(column): column for column in columns if column not in preset.values()}
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
