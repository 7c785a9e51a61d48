"""Right for the wrong reason: is a wrong idea seen behind a right answer?

A mal-rule happens to give the right answer of some problems. A pair has such a problem twice with
the same answer: once with the right working, once with the rule's. The model says whether the
working is sound; which one it is is known by working the rule, and nobody judges it.

A tutor that goes by the answer takes both for sound: right on x, wrong on x'. One that doubts all
is wrong on x and right on x'; one that sees no difference has d' = 0 whichever way it leans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

from biaslab.models import Likelihood, ModelForm, Skill
from biaslab.studies.answers.labels import LabelSubject, likeliest, read_choice
from biaslab.studies.designs import choice_of, range_of
from biaslab.studies.results import Expectation, FurtherColumns
from biaslab.studies.study import (
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    Pair,
    Reading,
    Setting,
    Stratum,
)
from biaslab.studies.tutor.prompts import VERDICT_STRATEGIES
from schoolmath.malrules.answers import Worked
from schoolmath.malrules.bank.traps import TRAP_FORMS, Trap, traps
from schoolmath.malrules.library import all_forms
from schoolmath.malrules.rules import ContentClass
from schoolmath.problems import DesignError, Draws

if TYPE_CHECKING:
    import pandas as pd

    from biaslab.stats.effects import Cell, Effect
    from biaslab.stats.outcomes import InvalidRule

NAME = "trap"
ALL_CLASSES = "all"
SOUND = "The working is sound: it gives the right answer to every problem of this kind."
FLAWED = "The working is flawed: it gives the right answer here, but not to every problem."

GRADES = Setting(
    "grade", "School grades", "Lowest and highest grade that problems are drawn for.",
    "range", "3-9", 3, 11,
)  # fmt: skip
CONTENT_CLASS = Setting(
    "content_class", "Content class", "What the problems are about.", "choice", ALL_CLASSES,
    choices=(ALL_CLASSES, *(each.value for each in ContentClass)),
)  # fmt: skip


class TrapStudy(Experiment):
    """The study of right answers by a wrong way."""

    name = NAME
    title = "Right for the wrong reason"
    question = "Does the model see a wrong idea behind a right answer?"
    source = "after the correct-answer trap of tutoring studies; problems and verdicts are ours"
    asks = Skill.REVIEW
    reader = "verdicts 1"
    arms = Arms("sound working", "flawed working")
    strata = (
        Stratum("grade", "grade", "School grade that the problem is for."),
        Stratum("content_class", "content class", "What the problem is about."),
        Stratum("dok", "depth of knowledge", "Of the mal-rule's usual problems."),
        Stratum("rule", "mal-rule", "The mal-rule that gives the right answer."),
    )
    settings = (GRADES, CONTENT_CLASS)
    strategies = VERDICT_STRATEGIES
    expects = Expectation("a right answer hides the wrong idea behind it")
    baselines = ("agrees", "doubts")

    def further_columns(self) -> FurtherColumns:
        """How often a working is called sound, and d'."""
        return FurtherColumns(
            VERDICT_COLUMNS,
            (),
            verdict_cells,
            "Shares of verdicts and d' are of single answers, not of votes.",
        )

    def draw(self, design: Design) -> Iterator[Pair]:
        """One trap after the other.

        Raises:
            DesignError: no problem of the grades has a rule of the class that is right by luck.
        """
        grades, chosen = range_of(design, GRADES), choice_of(design, CONTENT_CLASS)
        content_class = None if chosen == ALL_CLASSES else ContentClass(chosen)
        forms = [all_forms()[name] for name in TRAP_FORMS]
        if not any(
            form.grades[0] <= grades.high
            and form.grades[1] >= grades.low
            and content_class in {None, form.content_class}
            for form in forms
        ):
            held = sorted({form.content_class for form in forms})
            raise DesignError(
                f"No mal-rule of {chosen} gives right answers in grades {grades.low} to "
                f"{grades.high}.",
                f"Take more grades, or one of {', '.join(held)}.",
                CONTENT_CLASS.name,
            )
        draws = Draws(f"{NAME}/{design.seed}/{chosen}")
        found = traps(draws, (grades.low, grades.high), content_class)
        for one, other in zip(found, found, strict=False):
            # Of two pairs in a row one has "sound" first: who always names A gets half of each.
            first = draws.chance(0.5)
            yield pair_of(one, sound_first=first)
            yield pair_of(other, sound_first=not first)

    def read(
        self,
        item: Item,
        answered: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002
    ) -> Reading:
        """Right when the verdict read is the one that working the rule gives."""
        last, options = answered[-1], item.facts["options"]
        if isinstance(last, Likelihood):
            found = likeliest(last, list(options))
        else:
            cut_off = last.finish == "length"
            found = read_choice(last.text, LabelSubject.OPTION, cut_off, len(options), options)
        outcome = None if found.value is None else float(found.value == item.answer)
        return Reading(
            found.value, outcome, found.rule, found.explanation, found.span, {}, found.missing
        )


VERDICT_COLUMNS = ("called_sound", "sees_flaws")
"""The share of all workings that are called sound, and d' of flawed workings among sound ones."""


def verdict_cells(
    effects: Sequence[Effect],
    items: pd.DataFrame,  # noqa: ARG001
    by: str | None = None,  # noqa: ARG001
    invalid: InvalidRule = "strict",  # noqa: ARG001
) -> list[dict[str, Cell]]:
    """For each effect the cells of `VERDICT_COLUMNS`; an unread verdict counts as not right.

    d' is from both shares with half an answer added to each cell, so that none is infinite
    (Hautus 1995).
    """
    z = NormalDist().inv_cdf
    cells: list[dict[str, Cell]] = []
    for effect in effects:
        sound, flawed = effect.accuracy_x, effect.accuracy_x_prime
        if sound is None or flawed is None:
            cells.append(dict.fromkeys(VERDICT_COLUMNS))
            continue
        n = effect.n
        hits, alarms = ((share * n + 0.5) / (n + 1) for share in (flawed, 1 - sound))
        cells.append({"called_sound": (sound + 1 - flawed) / 2, "sees_flaws": z(hits) - z(alarms)})
    return cells


def pair_of(trap: Trap, *, sound_first: bool) -> Pair:
    """A trap with the right working, and with the rule's.

    Args:
        trap: the problem and both ways to its answer.
        sound_first: whether the verdict that a working is sound is option A, in both members.
    """
    strata = {
        "grade": trap.grade, "content_class": trap.content_class.value, "dok": trap.card.dok,
        "rule": trap.rule,
    }  # fmt: skip
    x, x_prime = (
        _item(trap, working, "sound" if working is trap.right else "flawed", sound_first)
        for working in (trap.right, trap.wrong)
    )
    return Pair.of(x, x_prime, strata, cluster=trap.rule)


def _item(trap: Trap, working: Worked, verdict: str, sound_first: bool) -> Item:
    sound, flawed = ("A", "B") if sound_first else ("B", "A")
    options = dict(sorted({sound: SOUND, flawed: FLAWED}.items()))
    steps = "\n".join(f"{at}. {_sentence(step.text)}" for at, step in enumerate(working.steps, 1))
    listed = "\n".join(f"{letter}. {text}" for letter, text in options.items())
    text = (
        f"Problem: {trap.problem.stem()}\n\nThe pupil's working, step by step:\n{steps}\n\n"
        f"The pupil's answer: {trap.right.answer.shown}\n\n"
        f"The answer is right. Is the working?\n\nOptions:\n{listed}"
    )
    right = sound if verdict == "sound" else flawed
    facts = {
        "rule": trap.rule, "options": options, "key": right, "sound": sound, "flawed": flawed,
        "verdict": verdict,
    }  # fmt: skip
    return Item.of(NAME, text, right, facts, tuple(options))


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:]}."


STUDIES = (TrapStudy(),)
