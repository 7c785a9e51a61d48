"""Settings that every design of word problems has: the version of its texts and its numbers.

Version 1, up to BiasLab 0.4, said "3 times fewer", which some take for a third and some for a
quarter, and asked how many somebody has "now" where nothing of theirs had changed. Version 2 says
"1/3 as many", or "3 times fewer" on request, and "now" only of an amount that changed. Versions
differ in words alone: a seed's people, things and numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from biaslab.studies.designs import Range, choice_of
from biaslab.studies.study import Design, Setting, Value
from schoolmath.problems import (
    Comparison,
    ComparisonForm,
    ComparisonType,
    DesignError,
    Problem,
    Question,
    Statement,
    Transfer,
)
from schoolmath.problems.quantities import NumberRange

VERSION = Setting(
    "version", "Version of the texts",
    "2: “1/3 as many”, and “now” only of an amount that changed. 1: as up to BiasLab 0.4, for old "
    "seeds.",
    "choice", "2", choices=("2", "1"),
)  # fmt: skip
PART, TIMES_FEWER = "1/3 as many", "3 times fewer"
MULTIPLICATIVE = Setting(
    "multiplicative", "Wording of a part",
    "How a comparison by division is worded. Some take “3 times fewer” for a quarter.",
    "choice", PART, choices=(PART, TIMES_FEWER),
)  # fmt: skip
OURS, EVENLY = "ours", "as published"
SHARES = Setting(
    "shares", "Things and rates",
    "As published: a third of the things has an attribute, a third a unit, a third neither, and a "
    "step is a rate as often as a transfer. Ours: fewer units and rates.",
    "choice", OURS, choices=(OURS, EVENLY),
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
    """The problem in these words; a problem and statements that stay are the same objects."""
    statements, question = problem.statements, problem.question
    if wording.part and any(map(_is_part, statements)):
        statements = tuple(statement_in_wording(statement, wording) for statement in statements)
    if question.now and wording.static and not _changes(problem):
        question = Question(question.agent, question.entity, question.phrasing)
    if statements is problem.statements and question is problem.question:
        return problem
    return Problem(statements, question)


def statement_in_wording(statement: Statement, wording: Wording) -> Statement:
    """A statement of a problem in these words; the same object where it stays."""
    if not wording.part or not _is_part(statement):
        return statement
    return Statement(statement.predicate, ComparisonForm.B_PART, statement.phrasing)


def _is_part(statement: Statement) -> bool:
    """Whether it may be told as "1/3 as many"."""
    return (
        statement.form is ComparisonForm.B_FEWER
        and isinstance(statement.predicate, Comparison)
        and statement.predicate.type is ComparisonType.MULTIPLICATIVE
    )


def _changes(problem: Problem) -> bool:
    """Whether the asked person gains or loses some of what is asked for."""
    agent, noun = problem.question.agent, problem.question.entity.noun
    for statement in problem.statements:
        moved = statement.predicate
        if (
            isinstance(moved, Transfer)
            and (agent == moved.receiver or agent == moved.sender)
            and moved.entity.noun == noun
        ):
            return True
    return False


T = TypeVar("T")

ATTEMPTS = 1_000
"""After so many draws without success a kind of problem counts as impossible."""


def first_success(attempt: Callable[[], T | None]) -> T | None:
    """The first result of an attempt that may reach a dead end, or None after `ATTEMPTS`."""
    for _ in range(ATTEMPTS):
        found = attempt()
        if found is not None:
            return found
    return None


def difficulties(steps: Setting, numbers: Sequence[str]) -> tuple[Mapping[str, Value], ...]:
    """A ladder over steps, each with these ranges of numbers, and three digits at its top.

    A further step is harder than larger numbers of the same steps.
    """
    counts = range(steps.minimum, steps.maximum + 1)
    found = [{"steps": str(count), "numbers": each} for count in counts for each in numbers]
    return (*found, {"steps": str(steps.maximum), "numbers": "2-999"})


def require_numbers(
    numbers: Range, setting: Setting, impossible: Callable[[NumberRange], Iterable[str]]
) -> NumberRange:
    """The range of numbers, once every kind of problem in the design can be made with it.

    Args:
        numbers: what was asked for.
        setting: the setting it comes from.
        impossible: the kinds of problem for which a range holds no numbers, in words.

    Raises:
        DesignError: naming such a kind and the nearest wider range that holds numbers for all,
            or saying that none does.
    """
    asked = NumberRange(*numbers)
    kind = next(iter(impossible(asked)), None)
    if kind is None:
        return asked
    nearest = _nearest(asked, setting, impossible)
    raise DesignError(
        f"{setting.label}: with numbers from {asked.low} to {asked.high} there are no problems "
        f"with {kind}.",
        f"The nearest setting that works is {nearest}."
        if nearest
        else f"No wider range up to {setting.minimum}-{setting.maximum} was found to work either: "
        "change the other settings.",
        setting.name,
    )


def _nearest(
    numbers: NumberRange, setting: Setting, impossible: Callable[[NumberRange], Iterable[str]]
) -> str:
    """The range widened upwards, downwards or both ways, by as little as makes it work.

    Otherwise the setting's default; "" where that does not work either.
    """
    low, high = numbers
    wider = 1
    while wider <= 2 * setting.maximum:
        up = min(high + wider, setting.maximum)
        down = max(low - wider, setting.minimum)
        for candidate in (NumberRange(low, up), NumberRange(down, high), NumberRange(down, up)):
            if next(iter(impossible(candidate)), None) is None:
                return f"{candidate.low}-{candidate.high}"
        wider *= 2
    least, _, most = str(setting.default).partition("-")
    default = NumberRange(int(least), int(most or least))
    return "" if next(iter(impossible(default)), None) else str(setting.default)
