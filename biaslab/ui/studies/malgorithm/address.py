"""What stands in the address of the page Malgorithms, and the questions that it asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from biaslab.runs import AnswerState, RunRecord
from biaslab.studies.malgorithm.answers import KEY
from biaslab.ui.studies.malgorithm.queries import Choice, QuestionResult
from biaslab.ui.widgets.address import Parameter, choice, integer

ANY = ""
"""Stands for no condition."""

RESULTS, QUESTIONS = "results", "questions"
ON_A_PAGE = 8
"""Questions in the list at a time."""

_AFTER_FILTER = ("list", "question")


class QuestionOutcome(StrEnum):
    """How a question came out; one may come out in several ways."""

    ALL_RIGHT = "right"
    MAL_RULE_MISSED = "missed"
    KEY_MISSED = "key-missed"
    TAKEN_FOR_KEY = "taken-for-key"
    QUESTION_WRONG = "question-wrong"
    UNREAD = "unread"
    UNFINISHED = "unfinished"


OUTCOME_WORDS = {
    QuestionOutcome.ALL_RIGHT: "✓ every choice explained rightly",
    QuestionOutcome.MAL_RULE_MISSED: "✗ a wrong choice explained wrongly",
    QuestionOutcome.KEY_MISSED: "✗ the right choice explained wrongly",
    QuestionOutcome.TAKEN_FOR_KEY: "✗ a wrong choice explained by the right way",
    QuestionOutcome.QUESTION_WRONG: "✗ the question itself answered wrongly",
    QuestionOutcome.UNREAD: "? an answer could not be read",
    QuestionOutcome.UNFINISHED: "… an answer is not there",
}


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """Conditions on questions; each empty one asks nothing.

    Attributes:
        rule, named: what led to a choice, and what was named for it: ids or `KEY`. With them,
            ``outcome`` is about those choices alone.
    """

    grade: str = ANY
    dok: str = ANY
    content_class: str = ANY
    rule: str = ANY
    named: str = ANY
    outcome: str = ANY


def view_parameter() -> Parameter[str]:
    """Results, or question by question."""
    return choice("view", (RESULTS, QUESTIONS), RESULTS)


def focus_parameter(runs: Sequence[RunRecord]) -> Parameter[str]:
    """The run that charts and lists are about, of those chosen."""
    return choice("of", tuple(run.id for run in runs), runs[0].id, _AFTER_FILTER)


def sample_parameter(run: RunRecord) -> Parameter[int]:
    """Which of several samples is shown, from 1."""
    return integer("sample", 1, 1, run.options.samples)


def filter_parameter(name: str, options: Iterable[str]) -> Parameter[str]:
    """A condition; `ANY` is none."""
    known = {ANY, *options}
    return choice(name, known, ANY, _AFTER_FILTER)


def question_parameter() -> Parameter[str]:
    """The question shown; the first of the list where none is named."""
    return Parameter("question", "", lambda text: text or None)


def list_parameter(pages: int, default: int = 1) -> Parameter[int]:
    """The page of the list."""
    return integer("list", min(default, pages), 1, pages, ("question",))


def meets(question: QuestionResult, wanted: QuestionFilter) -> bool:
    """Whether a question meets all conditions."""
    if wanted.grade not in (ANY, str(question.grade)):
        return False
    if wanted.dok not in (ANY, str(question.dok)):
        return False
    if wanted.content_class not in (ANY, question.content_class):
        return False
    choices = [
        each
        for each in question.choices
        if wanted.rule in (ANY, each.rule) and wanted.named in (ANY, each.named)
    ]
    if not choices:
        return False
    return wanted.outcome == ANY or _OUTCOMES[QuestionOutcome(wanted.outcome)](question, choices)


_Test = Callable[[QuestionResult, Sequence[Choice]], bool]

_OUTCOMES: dict[QuestionOutcome, _Test] = {
    QuestionOutcome.ALL_RIGHT: lambda _, choices: all(each.right is True for each in choices),
    QuestionOutcome.MAL_RULE_MISSED: lambda _, choices: any(
        each.right is False and each.rule != KEY for each in choices
    ),
    QuestionOutcome.KEY_MISSED: lambda _, choices: any(
        each.right is False and each.rule == KEY for each in choices
    ),
    QuestionOutcome.TAKEN_FOR_KEY: lambda _, choices: any(
        each.named == KEY and each.rule != KEY for each in choices
    ),
    QuestionOutcome.QUESTION_WRONG: lambda question, _: question.mcq is False,
    QuestionOutcome.UNREAD: lambda _, choices: any(
        each.state is AnswerState.INVALID for each in choices
    ),
    QuestionOutcome.UNFINISHED: lambda _, choices: any(
        each.state in (AnswerState.MISSING, AnswerState.FAILED) for each in choices
    ),
}
