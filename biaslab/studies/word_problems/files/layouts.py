"""How files of pairs are laid out: the three released files, and any table with two texts.

The columns of the released files are those of Opedal et al. (2024). Their "paraphrased" columns
hold the whole text after a model had corrected its grammar; their "body" columns hold the
sentences before that, without the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


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


def _present(member: MemberColumns, written: dict[str, str], texts: bool) -> MemberColumns:
    named = [plain_name(column) for column in member.answers]
    answers = tuple(written[name] for name in named if name in written)
    return MemberColumns(
        member.name,
        written[plain_name(member.text)] if texts else "",
        written.get(plain_name(member.body), ""),
        written.get(plain_name(member.question), ""),
        answers,
    )
