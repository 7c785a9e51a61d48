"""What the page Malgorithms reads, kept until the runs change; its address; figures in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import streamlit as st

from biaslab.charts.malgorithm import GridCell, MixUp, Sort
from biaslab.runs import AnswerState, PairDetail, RunRecord
from biaslab.stats import Effect, Interval, InvalidRule
from biaslab.stats.effects import with_joint_stratum
from biaslab.studies.malgorithm.answers import KEY, UNREADABLE, confusion
from biaslab.studies.malgorithm.items import NOT_NAMED, QUESTION_ITSELF, RIGHT_REASON, asks_reason
from biaslab.studies.malgorithm.results import (
    GuessRates,
    Identification,
    ReadShare,
    identifications,
)
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter, choice, integer
from biaslab.ui.widgets.queries import OutcomesState
from schoolmath.malrules.rules import Card, cards
from schoolmath.text.figures import count, exact_percent, percent, percents, signed_points

_CELL = "grade,dok"
_Row: TypeAlias = "tuple[Choice | None, dict[str, object], object]"
"""A choice (none where the question alone was asked), its facts, and how that was answered."""
RIGHT_WAY = "the right way"
"""What the rule of the key is called."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What became of one choice of a question.

    Attributes:
        letter: of the option; rule: id of the mal-rule that gives it, or `KEY`.
        state: of its answer; right: whether the rationale was identified, None where nothing
            could be read; named: id of the rule whose rationale was named, or `KEY`.
    """

    letter: str
    rule: str
    state: AnswerState
    right: bool | None
    named: str | None


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """A question of a run with what became of its choices in one sample.

    Attributes:
        id: of the question; number: its place in the run, from 1.
        grade, dok: None where its set does not tell them.
        mcq: whether the question itself was answered rightly; None where that is not known.
    """

    id: str
    number: int
    grade: int | None
    dok: int | None
    content_class: str
    text: str
    choices: tuple[Choice, ...]
    mcq: bool | None

    @property
    def rules(self) -> set[str]:
        """The mal-rules behind its choices that were asked."""
        return {choice.rule for choice in self.choices} - {KEY}


def card(rule: str) -> Card | None:
    """What is known of a rule; None for one that this version's catalogue does not have."""
    return cards().get(rule)


def rule_words(rule: str) -> str:
    """A rule's id and name, as in “NO01 takes the smaller digit from the larger”."""
    if rule == KEY:
        return RIGHT_WAY
    if rule == NOT_NAMED:
        return "no rule named"
    known = card(rule)
    return f"{rule} {known.name}" if known is not None else rule


@st.cache_data(show_spinner="Working out the figures …", max_entries=64)
def figures(state: OutcomesState, by: str | None, invalid: InvalidRule) -> list[Identification]:
    """AIA, MIA and what stands behind them, of a run as it stands; none by what nothing tells."""
    items = queries.answered_items(state)
    told = by is None or any(by in strata for strata in items["strata"])
    return identifications(items, by, invalid) if len(items) and told else []


@st.cache_data(show_spinner=False, max_entries=32)
def cells(state: OutcomesState, invalid: InvalidRule) -> list[GridCell]:
    """The figures of every grade and depth of knowledge of a run as it stands."""
    items = queries.answered_items(state)
    if items.empty:
        return []
    both = with_joint_stratum(items, _CELL)
    if not any(_CELL in strata for strata in both["strata"]):
        return []
    found = identifications(both, _CELL, invalid)
    made = []
    for each in found:
        grade, dok = map(int, str(each.stratum_value).split(", "))
        made.append(GridCell(grade, dok, each))
    return made


@st.cache_data(show_spinner=False, max_entries=32)
def mixups(state: OutcomesState) -> list[MixUp]:
    """What was taken for what in a run as it stands, the most frequent first."""
    table = confusion(queries.answered_items(state))
    of = Counter[str]()
    for rule, answers in zip(table["rule"], table["answers"], strict=True):
        of[rule] += int(answers)
    found = [
        MixUp(
            rule, named, rule_words(rule), rule_words(named), int(answers), of[rule],
            Sort.TO_KEY if named == KEY else Sort.FROM_KEY if rule == KEY else Sort.AMONG,
        )
        for rule, named, answers in zip(
            table["rule"], table["named"], table["answers"], strict=True
        )
        if named not in (rule, UNREADABLE)
    ]  # fmt: skip
    return sorted(found, key=lambda each: (-each.answers, each.of, each.rule, each.named))


@st.cache_resource(show_spinner=False, max_entries=16)
def questions(state: OutcomesState, sample: int) -> tuple[QuestionResult, ...]:
    """The questions of a run in their order, as they stand in one sample."""
    items = queries.answered_items(state)
    rows: dict[str, list[_Row]] = {}
    kept_rows = items[items["sample"] == sample]
    for answered, value, facts, extra in zip(
        kept_rows["state"], kept_rows["value"], kept_rows["facts"],
        kept_rows["extra"], strict=True,
    ):  # fmt: skip
        question = facts["question_id"]
        if not asks_reason(facts):
            rows.setdefault(question, []).append((None, facts, extra.get("mcq")))
            continue
        rules = facts["rules"]
        read = answered == AnswerState.ANSWERED
        made = Choice(
            letter=facts["choice"],
            rule=rules[facts["right"]],
            state=AnswerState(answered),
            right=value == facts["right"] if read else None,
            named=rules.get(value) if read else None,
        )
        rows.setdefault(question, []).append((made, facts, extra.get("mcq")))
    return tuple(_question(number, rows[name]) for number, name in enumerate(rows, start=1))


def _question(number: int, rows: Sequence[_Row]) -> QuestionResult:
    facts = rows[0][1]
    asked = [mcq for _, _, mcq in rows if mcq is not None]
    return QuestionResult(
        id=str(facts["question_id"]),
        number=number,
        grade=_whole(facts["grade"]),
        dok=_whole(facts["dok"]),
        content_class=str(facts["content_class"]),
        text=str(facts["question"]),
        choices=tuple(
            sorted(
                (choice for choice, _, _ in rows if choice is not None),
                key=lambda each: each.letter,
            )
        ),
        mcq=asked[0] == 1 if asked else None,
    )


def _whole(value: object) -> int | None:
    return None if value is None else int(str(value))


@st.cache_resource(show_spinner=False, max_entries=64)
def pairs_of(state: OutcomesState, question: str, sample: int) -> tuple[PairDetail, ...]:
    """Everything kept about the pairs of a question; none where the run does not have it."""
    table, items = queries.outcomes((state,)), queries.answered_items(state)
    asked = items["item"][[facts["question_id"] == question for facts in items["facts"]]]
    mine = table[table["item_x_prime"].isin(asked) & (table["sample"] == sample)]
    return tuple(queries.store().pair_detail(state.run, pair, sample) for pair in mine["pair"])


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


def meets(question: QuestionResult, query: QuestionFilter) -> bool:
    """Whether a question meets all conditions."""
    if query.grade not in (ANY, str(question.grade)):
        return False
    if query.dok not in (ANY, str(question.dok)):
        return False
    if query.content_class not in (ANY, question.content_class):
        return False
    choices = [
        each
        for each in question.choices
        if query.rule in (ANY, each.rule) and query.named in (ANY, each.named)
    ]
    if not choices:
        return False
    return query.outcome == ANY or _OUTCOMES[QuestionOutcome(query.outcome)](question, choices)


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


def spread_words(interval: Interval | None, confidence: float = 0.95) -> str:
    """An interval of a share, as in "95 % interval 51.0 % to 72.7 %"."""
    level = f"{exact_percent(confidence)} interval"
    if interval is None:
        return f"no {level} can be determined"
    return f"{level} {percents(interval.low, interval.high)}"


def share_words(share: ReadShare) -> str:
    """A share with interval and n, as in "62.5 % (95 % interval 51.0 % to 72.7 %, n = 24)"."""
    if share.value is None:
        return "no value yet"
    return f"{percent(share.value)} ({spread_words(share.interval)}, n = {share.n:,})"


def result_sentence(identification: Identification) -> str:
    """AIA, MIA and MCQ with n and intervals, in plain text."""
    parts = []
    if identification.mia.value is not None:
        parts.append(
            f"For {count(identification.mia.n, 'wrong choice')}, the model named the rationale "
            "that leads "
            f"to it {percent(identification.mia.value)} of the time "
            f"({spread_words(identification.mia.interval)})."
        )
    if identification.aia.value is not None:
        parts.append(
            f"For {count(identification.aia.n, 'right choice')} it did so "
            f"{percent(identification.aia.value)} of "
            f"the time ({spread_words(identification.aia.interval)})."
        )
    if identification.mcq.value is not None:
        parts.append(
            f"Asked {count(identification.mcq.n, 'question')} themselves, it chose the right "
            "option "
            f"{percent(identification.mcq.value)} of the time "
            f"({spread_words(identification.mcq.interval)})."
        )
    parts.append(_guessing(identification.chances))
    if identification.misconceptions:
        parts.append(
            "The reasons are names of misconceptions: each says what a pupil believes who makes "
            "such a choice, not how this answer comes about."
        )
    return " ".join(parts)


def _guessing(chances: GuessRates) -> str:
    """What guessing reaches, for each figure there is."""
    there = {
        name: value
        for name, value in (("MIA", chances.mia), ("AIA", chances.aia), ("MCQ", chances.mcq))
        if value is not None
    }
    if all(value == 1 / 4 for value in there.values()):
        return f"Guessing among four gives {percent(1 / 4)} each time."
    each = ", ".join(f"{percent(value)} ({name})" for name, value in there.items())
    return f"Guessing among as many as there are gives {each}."


def chance_sentence(identification: Identification) -> str:
    """Whether the mal-rules were identified more often than by guessing."""
    share, chance = identification.mia, identification.chances.mia
    if share.value is None or chance is None:
        return ""
    if share.interval is None:
        return "For the wrong choices no interval can be worked out, so chance is not excluded."
    if share.interval.low > chance:
        return (
            "It sees why a wrong answer was chosen more often than guessing would: the whole "
            "interval is above the chance line."
        )
    if share.interval.high < chance:
        return (
            "It sees why a wrong answer was chosen less often than guessing would: the whole "
            "interval is below the chance line."
        )
    return (
        "The interval includes the chance line: with these questions, seeing why a wrong answer "
        "was chosen is no clearer than guessing."
    )


def gap_sentence(effect: Effect | None, against: str = RIGHT_REASON) -> str:
    """AIA - MIA, the effect of this study, or MCQ - MIA where that is compared."""
    if effect is None or effect.cate is None:
        return ""
    gap = signed_points(effect.cate)
    of_question = against == QUESTION_ITSELF
    figures = "MCQ − MIA" if of_question else "AIA − MIA"
    if effect.ci_low is None or effect.ci_high is None:
        return f"{figures} over the pairs: {gap} percentage points."
    spread = f"95 % interval {signed_points(effect.ci_low)} to {signed_points(effect.ci_high)}"
    if effect.ci_low > 0:
        verdict = (
            "answering the questions was easier than seeing why wrong choices are made"
            if of_question
            else "right choices were easier to explain than wrong ones"
        )
    elif effect.ci_high < 0:
        verdict = (
            "seeing why wrong choices are made was easier than answering the questions"
            if of_question
            else "wrong choices were easier to explain than right ones"
        )
    else:
        verdict = "no clear difference"
    return f"{figures} over the pairs: {gap} percentage points ({spread}); {verdict}."


def unread_sentence(identification: Identification) -> str:
    """How many answers did not count as they were, or nothing."""
    parts = []
    unread = identification.aia.invalid + identification.mia.invalid
    if unread:
        treated = (
            "were left out" if identification.invalid_rule == "exclude" else "count as not right"
        )
        parts.append(f"{count(unread, 'answer')} could not be read and {treated}")
    failed = identification.aia.failed + identification.mia.failed
    if failed:
        parts.append(f"{count(failed, 'answer')} missing (cut off or failed) and left out")
    unfinished = identification.aia.unfinished + identification.mia.unfinished
    if unfinished:
        parts.append(f"{count(unfinished, 'answer')} not there yet")
    return "; ".join(parts) + "." if parts else ""
