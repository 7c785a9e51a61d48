"""Which version of their texts the studies of word problems write, and how they say a part.

Version 1, up to BiasLab 0.4, said "3 times fewer", which some take for a third and some for a
quarter, and asked how many somebody has "now" where nothing of theirs had changed. Version 2 says
"1/3 as many", or "3 times fewer" on request, and "now" only of an amount that changed. Versions
differ in words alone: a seed's people, things and numbers are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from biaslab.studies.designs import choice_of
from biaslab.studies.study import Design, Setting
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    DesignError,
    Problem,
    Statement,
    Transfer,
)

VERSION = Setting(
    "version", "Version of the texts",
    "2: “1/3 as many”, and “now” only of an amount that changed. 1: as up to BiasLab 0.4, for old "
    "seeds.",
    "choice", "2", choices=("2", "1"),
)  # fmt: skip
PART, TIMES_FEWER = "1/3 as many", "3 times fewer"
MULTIPLICATIVE = Setting(
    "multiplicative", "Wording of a part",
    "How a comparison by division is told. Some take “3 times fewer” for a quarter.",
    "choice", PART, choices=(PART, TIMES_FEWER),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wording:
    """How texts are worded.

    Attributes:
        part: whether "1/3 as many" is said in place of "3 times fewer".
        static: whether a question says "now" only of an amount that changed.
    """

    part: bool = True
    static: bool = True


def wording_of(design: Design) -> Wording:
    """The wording that a design asks for.

    Raises:
        DesignError: version 1 is asked for in words that it did not have.
    """
    part = choice_of(design, MULTIPLICATIVE) == PART
    if choice_of(design, VERSION) == "2":
        return Wording(part)
    if part and MULTIPLICATIVE.name in design.settings:
        raise DesignError(
            f"Version 1 of the texts said “{TIMES_FEWER}”, not “{PART}”.",
            f"Choose “{TIMES_FEWER}”, or version 2.",
            MULTIPLICATIVE.name,
        )
    return Wording(part=False, static=False)


def in_wording(problem: Problem, wording: Wording) -> Problem:
    """The problem in these words; statements that stay are the same objects."""
    statements = tuple(_worded(statement, wording) for statement in problem.statements)
    question = problem.question
    if question.now and wording.static and not _changes(problem):
        question = replace(question, now=False)
    return Problem(statements, question)


def _worded(statement: Statement, wording: Wording) -> Statement:
    predicate = statement.predicate
    if (
        wording.part
        and statement.form is ComparisonForm.B_FEWER
        and isinstance(predicate, Comparison)
        and predicate.type is ComparisonType.MULTIPLICATIVE
    ):
        return replace(statement, form=ComparisonForm.B_PART)
    return statement


def _changes(problem: Problem) -> bool:
    """Whether the asked person gains or loses some of what is asked for."""
    asked = problem.question
    return any(
        isinstance(each.predicate, Transfer)
        and asked.agent in (each.predicate.receiver, each.predicate.sender)
        and each.predicate.entity.noun == asked.entity.noun
        for each in problem.statements
    )
