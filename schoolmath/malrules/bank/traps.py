"""Pupils' work by a mal-rule: wrong answers with their working, and traps.

A trap is a problem on which the rule happens to give the right answer: only the working shows the
wrong idea. What is wrong with a work is found by working the rule, never judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from schoolmath.malrules.answers import Working
from schoolmath.malrules.forms import Form, ListedForm, NotDrawn, draw_widely, listed
from schoolmath.malrules.library import LATER, all_forms, dealt_forms
from schoolmath.malrules.rules import Card, ContentClass, MistakeKind, rules, rules_for
from schoolmath.problems.draws import Draws

_TRIES = 80
"""Problems of a form that are drawn for one trap before another form is taken."""

TRAP_FORMS = (
    "Story",
    "MeanOfList",
    "MedianOfList",
    "DecimalProduct",
    "ColumnSubtraction",
    "Rounding",
    "FunctionValue",
    "Inequality",
    "SlopeOfPoints",
    "SlopeOfLine",
    "FractionDifference",
    "PercentOf",
    "GrowingField",
    "TriangleArea",
    "NextInRun",
    "PercentChange",
    "MissingSide",
    "ClockReading",
    "Parallelogram",
    "InverseProportion",
    "CompositeFunction",
    "DistanceTimeGraph",
    "InputOutput",
    "MissingInPattern",
    "FreqTable",
    "DecimalRounding",
    "SignificantFigures",
    "SignedCompare",
    "IncreaseBy",
    "FractionAsPercent",
    "ExpectedCount",
)
"""Forms on whose problems some rule gives the right answer, in the order in which they are dealt.

As `schoolmath.malrules.library.ORDER`, the order is data: a new form goes to the end.
"""

SOUND_THERE = frozenset({"NO16", "NO42", "NO45", "NO46", "NO117", "NO122", "NO138", "NO205"})
"""Rules whose working, where it gives the right answer, is a sound way to it: 8.1 + 8.7 may well be
added on both sides of the point. Read by one person on the problems of 400 draws a form."""


@dataclass(frozen=True, slots=True)
class PupilWork:
    """A problem with the right way and that of a mal-rule.

    Attributes:
        rule: id of the mal-rule.
        problem: on which it is worked.
        right, wrong: the right way and the rule's; in a trap both have one answer.
        grade: for which the problem was drawn.
        text: the words in which somebody asked it; "" where the form's own are used.
    """

    rule: str
    problem: Form
    right: Working
    wrong: Working
    grade: int
    text: str = ""

    @property
    def question(self) -> str:
        """The problem as it is asked."""
        return self.text or self.problem.stem()

    @property
    def content_class(self) -> ContentClass:
        """What the problem is about."""
        return ContentClass(listed(self.problem).content_class)

    @property
    def card(self) -> Card:
        """The rule's card."""
        return rules()[self.rule].card


def traps(
    draws: Draws, grades: tuple[int, int], content_class: ContentClass | None = None
) -> Iterator[PupilWork | None]:
    """Traps without end, forms and rules in turn as the draws decide; None where none came up.

    Args:
        draws: the stream of random choices.
        grades: lowest and highest grade, within those of some form.
        content_class: of the problems; None: any.
    """
    forms = _forms(grades, content_class, TRAP_FORMS)
    while forms:
        form = forms[draws.below(len(forms))]
        low, high = max(form.grades[0], grades[0]), min(form.grades[1], grades[1])
        grade = draws.between(low, high)
        for _ in range(_TRIES):
            try:
                problem = draw_widely(form, draws, grade)
            except NotDrawn:
                continue
            if here := _of_then(traps_of(problem, grade)):
                yield draws.one(here)
                break
        else:
            yield None


def _of_then(works: list[PupilWork]) -> list[PupilWork]:
    """Those of rules as old as the studies that draw them, so that seeds stay what they were."""
    return [work for work in works if work.rule not in LATER]


def traps_of(problem: Form, grade: int, text: str = "") -> list[PupilWork]:
    """Every rule that gives the right answer of a problem by another way.

    A working that has the numbers of the right one tells nobody from who follows that, and a slip
    is no idea: both are left out.
    """
    right = problem.solve()
    return [
        PupilWork(rule.id, problem, right, wrong, grade, text)
        for rule in rules_for(problem)
        if rule.card.kind in _IDEAS and rule.id not in SOUND_THERE
        for wrong in rule.run(problem)
        if wrong.answer.same_as(right.answer) and _numbers(wrong) != _numbers(right)
    ]


def mistakes(
    draws: Draws, grades: tuple[int, int], content_class: ContentClass | None = None
) -> Iterator[PupilWork | None]:
    """Works with a wrong answer without end, forms in turn; None where none came up.

    Args:
        draws: the stream of random choices.
        grades: as for `traps`, of all forms that the bank deals.
        content_class: of the problems; None: any.
    """
    forms = _forms(grades, content_class, tuple(dealt_forms()))
    while forms:
        form = forms[draws.below(len(forms))]
        low, high = max(form.grades[0], grades[0]), min(form.grades[1], grades[1])
        grade = draws.between(low, high)
        works = mistakes_of(form, draws, grade)
        yield draws.one(works) if works else None


def mistakes_of(form: type[Form], draws: Draws, grade: int, rule: str = "") -> list[PupilWork]:
    """Every idea that gives a wrong answer of one problem of a form; of one rule alone, if told.

    Returns:
        none where no problem came up, or none on which a rule goes wrong.
    """
    for _ in range(_TRIES):
        try:
            problem = draw_widely(form, draws, grade)
        except NotDrawn:
            continue
        works = mistakes_on(problem, grade, rule)
        if works := works if rule else _of_then(works):
            return works
    return []


def mistakes_on(problem: Form, grade: int, rule: str = "", text: str = "") -> list[PupilWork]:
    """Every idea that gives a wrong answer of a problem; of one rule alone, if told."""
    right = problem.solve()
    return [
        PupilWork(each.id, problem, right, wrong, grade, text)
        for each in rules_for(problem)
        if each.card.kind in _IDEAS and rule in {"", each.id}
        for wrong in each.run(problem)
        if not wrong.answer.same_as(right.answer)
    ]


def sprung(trap: PupilWork, draws: Draws) -> Form | None:
    """A problem of the same form on which the rule is wrong; None where none came up."""
    form = type(trap.problem)
    for _ in range(_TRIES):
        try:
            problem = draw_widely(form, draws, trap.grade)
        except NotDrawn:
            continue
        given = rules()[trap.rule].run(problem)
        right = problem.solve().answer
        if given and not any(each.answer.same_as(right) for each in given):
            return problem
    return None


_IDEAS = frozenset({MistakeKind.MISCONCEPTION, MistakeKind.PROCEDURAL_BUG, MistakeKind.STRATEGY})


def _numbers(working: Working) -> Counter[str]:
    return Counter(number for step in working.steps for number in step.numbers)


@cache
def _forms(
    grades: tuple[int, int], content_class: ContentClass | None, names: tuple[str, ...]
) -> tuple[type[ListedForm], ...]:
    low, high = grades
    return tuple(
        form
        for name in names
        for form in [all_forms()[name]]
        if form.grades[0] <= high and form.grades[1] >= low
        and (content_class is None or form.content_class == content_class)
    )  # fmt: skip
