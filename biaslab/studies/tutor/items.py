"""What the studies of tutors share: pupils' work as text, options by letter, and their reading.

Pupils' work on somebody's own questions: a kept set of items, read as typed problems.

A question counts where its reading leaves no doubt about the right answer and the set's key says
the same. The wrong work is that of our mal-rules; the set's wrong options play no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from biaslab.models import Likelihood, ModelForm, Skill
from biaslab.studies.answers.labels import LabelSubject, likeliest, read_choice
from biaslab.studies.designs import choice_of, range_of
from biaslab.studies.study import (
    Answered,
    Design,
    Experiment,
    Item,
    Reading,
    Setting,
    StoredItems,
    StoredSources,
    Strategy,
    Stratum,
    Value,
)
from biaslab.studies.tutor.prompts import VERDICT_STRATEGIES
from schoolmath.malrules.answers import Working
from schoolmath.malrules.bank import LETTERS
from schoolmath.malrules.bank.traps import PupilWork, mistakes, mistakes_on, traps, traps_of
from schoolmath.malrules.forms import Form, listed
from schoolmath.malrules.library import all_forms, dealt_forms
from schoolmath.malrules.reading import UnreadProblem, read_problem
from schoolmath.malrules.reading.given_answers import read_given
from schoolmath.malrules.rules import ContentClass
from schoolmath.problems import DesignError, Draws
from schoolmath.text.figures import count

if TYPE_CHECKING:
    from biaslab.files.items import ImportedItem

CUSTOM_ITEMS = Setting(
    "items", "Problems from",
    "BiasLab's own problems, or the questions of a set of items that was imported.", "items", "",
)  # fmt: skip
_MOST_CHARACTERS = 600
"""Of a question; a longer one is left out."""


def custom_works(
    stored: StoredSources | None, design: Design, draws: Draws, *, trap: bool
) -> Iterator[PupilWork]:
    """Every work on the questions of a design's set once, all questions in turn.

    Args:
        stored: where sets are kept.
        design: names the set.
        draws: the stream of random choices.
        trap: whether works give the right answer by a mal-rule, else a wrong one.

    Raises:
        DesignError: there is no such set, or no question of it gives a work.
    """
    named = str(design.settings[CUSTOM_ITEMS.name])
    items = None if stored is None else stored.item_set(named)
    if items is None:
        raise DesignError(
            f"There is no set of items {named!r} in this file of runs.",
            "Choose one of those that are saved, or import the items again.",
            CUSTOM_ITEMS.name,
        )
    rounds = [draws.several(each, len(each)) for each in _works(items, trap=trap) if each]
    if not rounds:
        raise DesignError(
            f"No question of the set {named!r} can be read as a problem on which a mal-rule "
            + ("gives the right answer." if trap else "goes wrong."),
            "Import questions such as “52 − 17” or “What is 3/4 of 20?”, or take BiasLab's own.",
            CUSTOM_ITEMS.name,
        )
    for turn in range(max(map(len, rounds))):
        now = [each[turn] for each in rounds if turn < len(each)]
        yield from draws.several(now, len(now))


def _works(items: StoredItems, *, trap: bool) -> Iterator[list[PupilWork]]:
    for item, problem in _usable(items):
        grade = item.grade or listed(problem).grades[0]
        of = traps_of if trap else mistakes_on
        yield of(problem, grade, text=item.question)


def usable_sentence(items: StoredItems) -> str:
    """How many questions of a set can be used, and why not all."""
    usable = sum(1 for _ in _usable(items))
    return (
        f"{usable} of {count(len(items), 'question')} can be used: those that we read without "
        "doubt, and whose key agrees."
    )


def _usable(items: StoredItems) -> Iterator[tuple[ImportedItem, Form]]:
    for item in items:
        problem = problem_of(item.question, item.options["ABCDEFGH".index(item.key)])
        if problem is not None and not item.passage:
            yield item, problem


@lru_cache(maxsize=4096)
def problem_of(question: str, key: str) -> Form | None:
    """The typed problem that a question asks; None where that, or its answer, is in doubt.

    Args:
        question: as it is printed.
        key: the right answer, as it is printed.
    """
    if len(question) > _MOST_CHARACTERS:
        return None
    try:
        meanings = [form for group in read_problem(question).meanings for form in group]
    except UnreadProblem:
        return None
    right = meanings[0].solve().answer
    if not all(each.solve().answer.same_as(right) for each in meanings):
        return None
    given = read_given(key, right, ())
    return meanings[0] if given is not None and given.same_as(right) else None


ALL_CLASSES = "all"

GRADES = Setting(
    "grade", "School grades", "Lowest and highest grade that problems are drawn for.",
    "range", "3-9", 3, 11, unless="items",
)  # fmt: skip
CONTENT_CLASS = Setting(
    "content_class", "Content class", "What the problems are about.", "choice", ALL_CLASSES,
    choices=(ALL_CLASSES, *(each.value for each in ContentClass)), unless="items",
)  # fmt: skip
PupilWorks: TypeAlias = Iterator[PupilWork | None]
"""Works one after the other; None where a draw gave none."""

LETTERED = (*LETTERS, "E", "F", "G", "H")


class TutorStudy(Experiment):
    """A study in which a tutor, or a pupil, chooses between options about a pupil's work."""

    source = "after studies of tutoring; problems and verdicts are ours"
    asks = Skill.REVIEW
    reader = "verdicts 2"
    strata: tuple[Stratum, ...] = (
        Stratum("grade", "grade", "School grade that the problem is for."),
        Stratum("content_class", "content class", "What the problem is about."),
        Stratum("dok", "depth of knowledge", "Of the mal-rule's usual problems."),
        Stratum("rule", "mal-rule", "The mal-rule behind the pupil's work."),
    )
    settings: tuple[Setting, ...] = (GRADES, CONTENT_CLASS, CUSTOM_ITEMS)
    strategies: tuple[Strategy, ...] = VERDICT_STRATEGIES
    forms: tuple[str, ...] = ()
    sayings: Mapping[str, tuple[str, ...]] = {}
    """Shorter sentences that say the same as an option, by its text."""
    stored: StoredSources | None = None

    def with_stored(self, stored: StoredSources) -> Self:
        """The study with the sets of items that a file of runs keeps."""
        study = copy(self)
        study.stored = stored
        return study

    def works(self, design: Design, *, trap: bool = False) -> tuple[Draws, PupilWorks]:
        """The stream of random choices of a design, and pupils' work from it.

        Args:
            design: of the pairs.
            trap: whether works give the right answer by a mal-rule, else a wrong one.

        Raises:
            DesignError: the study has no problem of the design.
        """
        draws = Draws(f"{self.name}/{design.seed}/{choice_of(design, CONTENT_CLASS)}")
        if not design.settings.get(CUSTOM_ITEMS.name):
            grades, content_class = self.scope(design)
            return draws, (traps if trap else mistakes)(draws, grades, content_class)
        for setting in (GRADES, CONTENT_CLASS):
            if design.settings.get(setting.name, setting.default) != setting.default:
                raise DesignError(
                    f"{setting.label}: the questions of a set are asked as they are.",
                    f"Leave {setting.name} out; effects can be broken down by it.",
                    setting.name,
                )
        return draws, custom_works(self.stored, design, draws, trap=trap)

    def scope(self, design: Design) -> tuple[tuple[int, int], ContentClass | None]:
        """The grades and the content class of a design.

        Raises:
            DesignError: no form of the study is about the class in these grades.
        """
        grades, chosen = range_of(design, GRADES), choice_of(design, CONTENT_CLASS)
        forms = [all_forms()[name] for name in self.forms or dealt_forms()]
        fitting = [
            form
            for form in forms
            if form.grades[0] <= grades.high
            and form.grades[1] >= grades.low
            and chosen in {ALL_CLASSES, form.content_class}
        ]
        if not fitting:
            held = sorted({form.content_class for form in forms})
            raise DesignError(
                f"No problem of {chosen} in grades {grades.low} to {grades.high} is in this study.",
                f"Take more grades, or one of {', '.join(held)}.",
                CONTENT_CLASS.name,
            )
        return (grades.low, grades.high), None if chosen == ALL_CLASSES else ContentClass(chosen)

    def read(
        self,
        item: Item,
        responses: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002
    ) -> Reading:
        """Right when the letter read last is that of the option which working the rule gives."""
        last, options = responses[-1], item.facts["options"]
        if isinstance(last, Likelihood):
            choice = likeliest(last, list(options))
        else:
            cut_off = last.finish == "length"
            said = {letter: self.sayings.get(text, ()) for letter, text in options.items()}
            choice = read_choice(
                last.text, LabelSubject.VERDICT, cut_off, len(options), options, said
            )
        outcome = None if choice.value is None else float(choice.value == item.answer)
        return Reading(
            choice.value, outcome, choice.rule, choice.explanation, choice.span, {}, choice.missing
        )


def cluster_of(work: PupilWork) -> str:
    """What the pairs of a work share: its mal-rule, or the question that somebody asked.

    Few questions of somebody's own make many pairs.
    """
    return work.text or work.rule


def strata_of(work: PupilWork) -> dict[str, Value]:
    """The strata that all these studies have."""
    return {
        "grade": work.grade, "content_class": work.content_class.value, "dok": work.card.dok,
        "rule": work.rule,
    }  # fmt: skip


def lettered(options: Sequence[str], turn: int = 0) -> dict[str, str]:
    """Options by letter, moved on by so many places, so that each comes to every letter."""
    many = len(options)
    moved = [options[(at - turn) % many] for at in range(many)]
    return dict(zip(LETTERED, moved, strict=False))


def letter_of(options: Mapping[str, str], text: str) -> str:
    """The letter of an option."""
    return next(letter for letter, each in options.items() if each == text)


def steps_of(working: Working) -> list[str]:
    """The steps of a working as sentences."""
    return [f"{step.text[:1].upper()}{step.text[1:]}." for step in working.steps]


def numbered(steps: Sequence[str]) -> str:
    """Steps as a list."""
    return "\n".join(f"{at}. {step}" for at, step in enumerate(steps, 1))


def item_of(
    study: str, body: str, options: Mapping[str, str], right: str, facts: Mapping[str, Any]
) -> Item:
    """An item: what is told and asked, its options, and the letter of the right one."""
    listed = "\n".join(f"{letter}. {text}" for letter, text in options.items())
    known = {"options": dict(options), "key": right, **facts}
    return Item.of(study, f"{body}\n\nOptions:\n{listed}", right, known, tuple(options))
