"""Rounds of Guess the mal-rule: an item, a wrong answer, and four ideas to guess from.

On items of the bank the ideas are rules, and the way to every answer is worked out. On items of a
kept set they are the reasons that the file gives, and what leads where is as the file says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from biaslab.models import ModelKind
from biaslab.runs import AnswerState, RunRecord
from biaslab.runs.library.sets import find_items
from biaslab.studies.malgorithm.items import MISCONCEPTION, RationaleQuestion, of_import
from biaslab.ui.studies.malgorithm import queries as malgorithm_queries
from biaslab.ui.widgets import queries
from schoolmath.malrules.answers import Answer, Working
from schoolmath.malrules.bank import LETTERS, BankDesign, BankMix, ChoiceItem, make_items
from schoolmath.malrules.forms import Form, read_form
from schoolmath.malrules.rules import Rule, rules, rules_for
from schoolmath.problems.draws import Draws
from schoolmath.problems.errors import DesignError

CHOICES = 4
_FEWEST_CHOICES = 3
"""Of an item's own reasons; where it has fewer, others of the set stand beside them."""
MOST_ROUNDS = 200
_AT_ONCE = 20
_NEIGHBOURS = 8


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the game.

    Attributes:
        question_id: id of the item.
        question: what is asked; right, wrong: the right answer and the one to explain.
        letter: of the option with the wrong answer.
        grade: of the item; 0 where it is not known.
        truth: what is behind the wrong answer: the id of a rule, or a reason as its file says it.
        choices: what to guess from, the truth among them.
        problem: the typed problem; None for an item of a kept set.
        leads_to: for an item of a kept set the option that each of its reasons belongs to.
        labels: whether its reasons name what a pupil believes, and tell no way to the answer.
    """

    question_id: str
    question: str
    right: str
    wrong: str
    letter: str
    grade: int
    truth: str
    choices: tuple[str, ...]
    problem: Form | None = None
    leads_to: Mapping[str, str] = field(default_factory=dict)
    labels: bool = False

    def name(self, choice: str) -> str:
        """What a choice is called."""
        return choice if self.problem is None else rules()[choice].card.name

    @property
    def trace(self) -> Working | None:
        """The way to the wrong answer, where it can be worked out."""
        if self.problem is None:
            return None
        given = rules()[self.truth].run(self.problem)
        right = self.problem.solve().answer
        wrong = [each for each in given if not each.answer.same_as(right)]
        # A rule may go wrong in several places: the one that the option shows.
        return next((each for each in wrong if self.wrong.startswith(each.answer.shown)), wrong[0])

    def gives(self, choice: str) -> str:
        """What an idea leads to here; empty where it does not apply or changes nothing."""
        if self.problem is None:
            return self.leads_to.get(choice, "")
        right = self.problem.solve().answer
        found = [each.answer for each in rules()[choice].run(self.problem)]
        return next((each.shown for each in found if not each.same_as(right)), "")


@dataclass(frozen=True, slots=True)
class NamedRule:
    """What a model said about a round's wrong answer.

    Attributes:
        who: what the model is called. simulated: whether it is a simulated learner. named: id of
        the rule whose rationale it named, or `biaslab.studies.malgorithm.answers.KEY`;
            None where nothing could be read.
        right: whether that is the true one.
    """

    who: str
    simulated: bool
    named: str | None
    right: bool


@st.cache_resource(show_spinner="Dealing …", max_entries=64)
def from_bank(seed: int, grade: int, content_class: str, number: int) -> Round:
    """A round with an item of the bank; the same arguments give the same round everywhere.

    Args:
        seed: of the game.
        grade: 0 for all.
        content_class: empty for all.
        number: from 1 to `MOST_ROUNDS`.

    Raises:
        DesignError: there is no item like that.
    """
    items = _items(seed, grade, content_class, -(-number // _AT_ONCE) * _AT_ONCE)
    if not items:
        raise DesignError("There are no such items.", "Choose another grade or class.", "grade")
    item = items[(number - 1) % len(items)]
    draws = Draws(f"guess/{seed}/{number}/{item.id}")
    letter = draws.one([each for each in LETTERS if each != item.key])
    return _round(
        draws,
        item.id,
        item.question,
        dict(zip(LETTERS, item.options, strict=True)),
        item.key,
        letter,
        item.rules[letter],
        item.problem,
        item.grade,
    )


@st.cache_resource(show_spinner=False, max_entries=16)
def _items(seed: int, grade: int, content_class: str, count: int) -> tuple[ChoiceItem, ...]:
    design = BankDesign(
        n=MOST_ROUNDS,
        seed=seed,
        grades=(grade, grade) if grade else (3, 11),
        content_classes=(content_class,) if content_class else None,
        doks=(1, 2),
        mix=BankMix.EVEN,
    )
    found: list[ChoiceItem] = []
    try:
        for item in make_items(design):
            found.append(item)
            if len(found) == count:
                break
    except DesignError:
        # Without any item there is nothing to play; with some, they come round again.
        if not found:
            raise
    return tuple(found)


def from_run(run: RunRecord, seed: int, number: int) -> Round | None:
    """A round with a question that a run asked; None where the run has none that can be used."""
    state = queries.OutcomesState.of(run)
    questions = malgorithm_queries.questions(state, 0)
    known = rules()
    usable = [
        (question, choice)
        for question in questions
        for choice in question.choices
        if choice.rule in known
    ]
    if not usable:
        return None
    order = Draws(f"guess/{seed}/{run.id}").several(usable, len(usable))
    question, choice = order[(number - 1) % len(order)]
    pairs = malgorithm_queries.pairs_of(state, question.id, 0)
    if not pairs:
        return None
    facts: Mapping[str, Any] = pairs[0].x.item.facts
    draws = Draws(f"guess/{seed}/{number}/{question.id}")
    return _round(
        draws,
        question.id,
        str(facts["question"]),
        facts["options"],
        str(facts["key"]),
        choice.letter,
        choice.rule,
        facts["problem"],
        question.grade or 0,
    )


def from_set(set_id: str, seed: int, number: int) -> Round | None:
    """A round with an item of a kept set and its own reasons; None where it has none to choose
    from.
    """
    usable = _of_set(str(queries.store().path), set_id)
    if not usable:
        return None
    order = Draws(f"guess/{seed}/{set_id}").several(usable, len(usable))
    question, letter = order[(number - 1) % len(order)]
    truth = question.reasons[letter]
    draws = Draws(f"guess/{seed}/{number}/{question.id}")
    its_own = [text for text in question.reasons.values() if text != truth]
    # Another question's reasons often name its numbers, which gives them away.
    elsewhere = (
        sorted({each.reasons[other] for each, other in usable} - {truth, *its_own})
        if len(its_own) + 1 < _FEWEST_CHOICES
        else []
    )
    others = [each for pool in (its_own, elsewhere) for each in draws.several(pool, len(pool))]
    chosen = [truth, *others[: CHOICES - 1]]
    return Round(
        question.id,
        question.text,
        question.options[question.key],
        question.options[letter],
        letter,
        question.known.get("grade") or 0,
        truth,
        tuple(draws.several(chosen, len(chosen))),
        leads_to={text: question.options[each] for each, text in question.reasons.items()},
        labels=question.told == MISCONCEPTION,
    )


@st.cache_resource(show_spinner="Opening the set …", max_entries=8)
def _of_set(file: str, set_id: str) -> tuple[tuple[RationaleQuestion, str], ...]:
    """The questions of a set with each wrong option that has a reason; a set never changes."""
    del file  # The same id may stand in another file.
    questions = (of_import(item) for item in find_items(queries.store(), set_id) or ())
    return tuple((question, letter) for question in questions for letter in question.wrong)


def _round(
    draws: Draws,
    question_id: str,
    question: str,
    options: Mapping[str, str],
    key: str,
    letter: str,
    rule: str,
    record: Mapping[str, Any],
    grade: int,
) -> Round:
    rules()
    problem = read_form(record)
    wrong = next(
        each.answer
        for each in rules()[rule].run(problem)
        if not each.answer.same_as(problem.solve().answer)
    )
    return Round(
        question_id,
        question,
        options[key],
        options[letter],
        letter,
        grade,
        rule,
        choices_for(draws, problem, rule, wrong, grade),
        problem,
    )


def choices_for(
    draws: Draws, problem: Form, rule: str, wrong: Answer, grade: int
) -> tuple[str, ...]:
    """The true rule among others that do not give this answer, shuffled.

    Rules that give another wrong answer on the same problem come first, then rules of the same
    form, then the nearest in class and grade.
    """
    known = rules()

    def explains(other: Rule) -> bool:
        return any(each.answer.same_as(wrong) for each in other.run(problem))

    right = problem.solve().answer
    same = [each for each in rules_for(problem) if each.id != rule and not explains(each)]
    active = [each for each in same if any(not w.answer.same_as(right) for w in each.run(problem))]
    idle = [each for each in same if each not in active]
    true = known[rule].card
    near = sorted(
        (
            each
            for each in known.values()
            if each.id != rule and not isinstance(problem, each.forms)
        ),
        key=lambda each: (
            each.card.content_class != true.content_class,
            max(each.card.grades[0] - grade, grade - each.card.grades[1], 0),
            abs(each.card.grades[0] - true.grades[0]),
            each.id,
        ),
    )[:_NEIGHBOURS]
    others = [each for pool in (active, idle, near) for each in draws.several(pool, len(pool))]
    chosen = [rule, *(each.id for each in others[: CHOICES - 1])]
    return tuple(draws.several(chosen, len(chosen)))


def answers_about(game: Round, runs: Sequence[RunRecord]) -> list[NamedRule]:
    """What the models said that were asked which rationale led to this wrong answer.

    Args:
        game: the round.
        runs: runs of the study, the newest first; of each model the newest counts.
    """
    found: dict[str, NamedRule] = {}
    for run in runs:
        if run.model_spec in found:
            continue
        for question in malgorithm_queries.questions(queries.OutcomesState.of(run), 0):
            if question.id != game.question_id:
                continue
            for choice in question.choices:
                if choice.letter == game.letter and choice.state in _ASKED:
                    found[run.model_spec] = NamedRule(
                        queries.model_label(run.model_spec),
                        run.model_kind == ModelKind.LEARNER,
                        choice.named,
                        bool(choice.right),
                    )
    return list(found.values())


_ASKED = (AnswerState.ANSWERED, AnswerState.INVALID)
