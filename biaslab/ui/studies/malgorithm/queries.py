"""What the page Malgorithms reads and works out, kept until the runs change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import pandas as pd
import streamlit as st

from biaslab.charts.malgorithm.grid import GridCell
from biaslab.charts.malgorithm.mixups import MixUp, Sort
from biaslab.runs import AnswerState, PairDetail, RunRecord
from biaslab.stats import InvalidRule
from biaslab.studies.malgorithm.answers import KEY, STUDY, UNREADABLE, confusion
from biaslab.studies.malgorithm.items import NOT_NAMED, asks_reason
from biaslab.studies.malgorithm.results import Identification, identifications
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.queries import OutcomesState
from schoolmath.malrules.rules import Card, cards

_CELL = "grade and dok"
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


def study_runs() -> list[RunRecord]:
    """Runs of this study that have something to show, the newest first."""
    return [run for run in queries.runs_with_answers() if run.study == STUDY]


def card(rule: str) -> Card | None:
    """What is known of a rule; None for one that this version's catalogue does not have."""
    return cards().get(rule)


def rule_words(rule: str) -> str:
    """A rule's id and name, as in “NO01 smaller-from-larger”."""
    if rule == KEY:
        return RIGHT_WAY
    if rule == NOT_NAMED:
        return "no rule named"
    known = card(rule)
    return f"{rule} {known.name}" if known is not None else rule


@st.cache_resource(show_spinner=False, max_entries=8)
def _items(state: OutcomesState) -> pd.DataFrame:
    """The items of a run as they stand; shared, so never to be changed."""
    return queries.store().answered_items([state.run])


@st.cache_data(show_spinner="Working out the figures …", max_entries=64)
def figures(state: OutcomesState, by: str | None, invalid: InvalidRule) -> list[Identification]:
    """AIA, MIA and what stands behind them, of a run as it stands."""
    items = _items(state)
    return identifications(items, by, invalid) if len(items) else []


@st.cache_data(show_spinner=False, max_entries=32)
def cells(state: OutcomesState, invalid: InvalidRule) -> list[GridCell]:
    """The figures of every grade and depth of knowledge of a run as it stands."""
    items = _items(state)
    if items.empty:
        return []
    both = pd.Series(
        [
            {_CELL: 10 * each["grade"] + each["dok"]} if each["grade"] and each["dok"] else {}
            for each in items["facts"]
        ],
        index=items.index,
        dtype=object,
    )
    if not any(both):
        return []
    found = identifications(items.assign(strata=both), _CELL, invalid)
    return [GridCell(*divmod(int(each.stratum_value or 0), 10), each) for each in found]


@st.cache_data(show_spinner=False, max_entries=32)
def mixups(state: OutcomesState) -> list[MixUp]:
    """What was taken for what in a run as it stands, the most frequent first."""
    table = confusion(_items(state))
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
    items = _items(state)
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
    table, items = queries.outcomes((state,)), _items(state)
    asked = items["item"][[facts["question_id"] == question for facts in items["facts"]]]
    mine = table[table["item_x_prime"].isin(asked) & (table["sample"] == sample)]
    return tuple(queries.store().pair_detail(state.run, pair, sample) for pair in mine["pair"])
