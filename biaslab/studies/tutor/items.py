"""What the studies of tutors share: pupils' work as text, options by letter, and their reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    Strategy,
    Stratum,
    Value,
)
from biaslab.studies.tutor.prompts import VERDICT_STRATEGIES
from schoolmath.malrules.answers import Worked
from schoolmath.malrules.bank import LETTERS
from schoolmath.malrules.bank.traps import PupilWork
from schoolmath.malrules.library import all_forms, dealt_forms
from schoolmath.malrules.rules import ContentClass
from schoolmath.problems import DesignError

ALL_CLASSES = "all"

GRADES = Setting(
    "grade", "School grades", "Lowest and highest grade that problems are drawn for.",
    "range", "3-9", 3, 11,
)  # fmt: skip
CONTENT_CLASS = Setting(
    "content_class", "Content class", "What the problems are about.", "choice", ALL_CLASSES,
    choices=(ALL_CLASSES, *(each.value for each in ContentClass)),
)  # fmt: skip
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
    settings: tuple[Setting, ...] = (GRADES, CONTENT_CLASS)
    strategies: tuple[Strategy, ...] = VERDICT_STRATEGIES
    forms: tuple[str, ...] = ()
    sayings: Mapping[str, tuple[str, ...]] = {}
    """Shorter sentences that say the same as an option, by its text."""

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
        answered: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002
    ) -> Reading:
        """Right when the letter read last is that of the option which working the rule gives."""
        last, options = answered[-1], item.facts["options"]
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


def steps_of(working: Worked) -> list[str]:
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
