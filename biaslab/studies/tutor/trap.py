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

from biaslab.studies.results import Expectation, FurtherColumns
from biaslab.studies.study import Arms, Design, Item, Pair
from biaslab.studies.tutor.items import (
    TutorStudy,
    cluster_of,
    item_of,
    numbered,
    steps_of,
    strata_of,
)
from schoolmath.malrules.answers import Working
from schoolmath.malrules.bank.traps import TRAP_FORMS, PupilWork

if TYPE_CHECKING:
    import pandas as pd

    from biaslab.stats.effects import Cell, Effect
    from biaslab.stats.outcomes import InvalidRule

NAME = "trap"
SOUND = "The working is sound: it gives the right answer to every problem of this kind."
FLAWED = "The working is flawed: it gives the right answer here, but not to every problem."


class TrapStudy(TutorStudy):
    """The study of right answers by a wrong way."""

    name = NAME
    title = "Right for the wrong reason"
    question = "Does the model see a wrong idea behind a right answer?"
    arms = Arms("sound working", "flawed working")
    expects = Expectation("a right answer hides the wrong idea behind it")
    baselines = ("agrees", "doubts")
    forms = TRAP_FORMS
    sayings = {  # noqa: RUF012 (never changed)
        SOUND: tuple(f"the working is {each}" for each in ("sound", "correct", "right", "valid")),
        FLAWED: tuple(f"the working is {each}" for each in ("flawed", "incorrect", "wrong")),
    }

    def further_columns(self) -> FurtherColumns:
        """How often a working is called sound, and d'."""
        return FurtherColumns(
            VERDICT_COLUMNS,
            (),
            verdict_cells,
            "Shares of verdicts and d' are of single answers, not of votes.",
        )

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """One trap after the other."""
        draws, works = self.works(design, trap=True)
        one: PupilWork | None = None
        for work in works:
            if work is None:
                yield None
            elif one is None:
                one = work
            else:
                # Of two pairs in a row one has "sound" first: who always names A gets half of each.
                first = draws.chance(0.5)
                yield _pair(one, sound_first=first)
                yield _pair(work, sound_first=not first)
                one = None
        if one is not None:
            yield _pair(one, sound_first=draws.chance(0.5))


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


def _pair(trap: PupilWork, *, sound_first: bool) -> Pair:
    x, x_prime = (
        _item(trap, working, "sound" if working is trap.right else "flawed", sound_first)
        for working in (trap.right, trap.wrong)
    )
    return Pair.of(x, x_prime, strata_of(trap), cluster=cluster_of(trap))


def _item(trap: PupilWork, working: Working, verdict: str, sound_first: bool) -> Item:
    sound, flawed = ("A", "B") if sound_first else ("B", "A")
    options = dict(sorted({sound: SOUND, flawed: FLAWED}.items()))
    body = (
        f"Problem: {trap.question}\n\nThe pupil's working, step by step:\n"
        f"{numbered(steps_of(working))}\n\nThe pupil's answer: {trap.right.answer.shown}\n\n"
        "The answer is right. Is the working?"
    )
    right = sound if verdict == "sound" else flawed
    facts = {"rule": trap.rule, "sound": sound, "flawed": flawed, "verdict": verdict}
    return item_of(NAME, body, options, right, facts)
