"""Where it goes wrong: is the wrong step of a working found, and none where none is?

A pair has one problem with two workings of as many steps: a mal-rule's, with a wrong answer, and
the right one. The model names the wrong step, or says that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from biaslab.studies.study import Arms, Design, Item, Pair
from biaslab.studies.tutor.items import (
    LETTERED,
    TutorStudy,
    cluster_of,
    item_of,
    letter_of,
    lettered,
    numbered,
    steps_of,
    strata_of,
)
from schoolmath.malrules.answers import Working
from schoolmath.malrules.bank.traps import PupilWork

NAME = "wrong-step"
NONE = "No step: the working is right."
_MOST_STEPS = len(LETTERED) - 1


class WrongStepStudy(TutorStudy):
    """The study of finding the wrong step."""

    name = NAME
    title = "Where it goes wrong"
    question = "Does the model find the wrong step of a pupil's working?"
    arms = Arms("one wrong step", "no wrong step")
    baselines = ("agrees",)

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """One mistake after the other, of those that say which of two steps or more is wrong."""
        _, works = self.works(design)
        turn = 0
        for work in works:
            if work is None or not _has_one_wrong_step(work):
                yield None
                continue
            yield _pair(work, turn)
            turn += 1


def _has_one_wrong_step(work: PupilWork) -> bool:
    """Whether the rule's working has one step that the right way has not, and those before it."""
    wrong, right = steps_of(work.wrong), steps_of(work.right)
    at = work.wrong.key_step
    return 2 <= len(wrong) == len(right) <= _MOST_STEPS and (
        wrong[:at] == right[:at] and wrong[at] != right[at]
    )


def _pair(work: PupilWork, turn: int) -> Pair:
    x, x_prime = (_item(work, working, turn) for working in (work.wrong, work.right))
    return Pair.of(x, x_prime, strata_of(work), cluster=cluster_of(work))


def _item(work: PupilWork, working: Working, turn: int) -> Item:
    steps = steps_of(working)
    names = [f"Step {at}." for at in range(1, len(steps) + 1)]
    options = lettered([*names, NONE], turn)
    wrong = names[working.key_step] if working is work.wrong else NONE
    body = (
        f"Problem: {work.question}\n\nThe pupil's working, step by step:\n{numbered(steps)}"
        f"\n\nThe pupil's answer: {working.answer.shown}\n\nWhich step is the first wrong one?"
    )
    # Who doubts everything names the step at which the idea shows, or would show.
    facts = {
        "rule": work.rule, "sound": letter_of(options, NONE),
        "flawed": letter_of(options, names[work.wrong.key_step]),
    }  # fmt: skip
    return item_of(NAME, body, options, letter_of(options, wrong), facts)
