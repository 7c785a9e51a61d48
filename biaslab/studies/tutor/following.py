"""What comes next: does the model foresee what a pupil with this idea answers?

One worked mistake is shown, then another problem on which the same mal-rule gives a wrong answer:
of the same form, or of another one. The options are the rule's answer, the right one and that of
another rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms, Design, Item, Pair
from biaslab.studies.tutor.items import (
    TutorStudy,
    cluster_of,
    item_of,
    letter_of,
    lettered,
    numbered,
    steps_of,
    strata_of,
)
from schoolmath.malrules.bank.traps import PupilWork, mistakes_of
from schoolmath.malrules.library import LATER, dealt_forms
from schoolmath.malrules.rules import rules
from schoolmath.problems import Draws

NAME = "next-answer"


class NextAnswerStudy(TutorStudy):
    """The study of foreseeing a pupil's answer."""

    name = NAME
    title = "What comes next"
    question = "Does the model foresee what a pupil with this idea answers to the next problem?"
    arms = Arms("the same kind of problem", "another kind of problem")
    expects = Expectation("an idea is foreseen more easily on the kind of problem it was seen on")
    baselines = ("words",)

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """One mistake after the other, of rules that go wrong on two kinds of problems."""
        draws, works = self.works(design)
        turn = 0
        for work in works:
            others = [] if work is None else _other_forms(work)
            if work is None or not others:
                yield None
                continue
            forms = (type(work.problem), draws.one(others))
            same, other = (further_problem(work, form, draws) for form in forms)
            if same is None or other is None:
                yield None
                continue
            turn += 1
            x, x_prime = _item(work, same, turn), _item(work, other, turn, unlike=True)
            yield Pair.of(x, x_prime, strata_of(work), cluster=cluster_of(work))


def _other_forms(work: PupilWork) -> list[type]:
    """Further forms of the bank on which the rule of a work goes wrong."""
    own = type(work.problem)
    return [
        form
        for form in rules()[work.rule].forms
        if form is not own and form.__name__ in dealt_forms()
    ]


def further_problem(work: PupilWork, form: type, draws: Draws) -> tuple[PupilWork, str] | None:
    """A further problem on which the rule is wrong, and another rule's wrong answer to it."""
    works = mistakes_of(form, draws, work.grade, work.rule)
    if len(works) != 1 or works[0].problem == work.problem:
        return None
    following = works[0]
    given = {following.right.answer.value, following.wrong.answer.value}
    others = [
        worked.answer
        for rule in rules().values()
        if form in rule.forms and rule.id not in LATER
        for worked in rule.run(following.problem)
        if worked.answer.value not in given
    ]
    return (following, draws.one(others).shown) if others else None


def _item(
    work: PupilWork, following: tuple[PupilWork, str], turn: int, *, unlike: bool = False
) -> Item:
    after, other = following
    foreseen = after.wrong.answer.shown
    options = lettered([foreseen, after.right.answer.shown, other], turn)
    body = (
        f"A pupil solved this problem: {work.question}\n\n"
        f"The pupil's working, step by step:\n{numbered(steps_of(work.wrong))}\n\n"
        f"The pupil's answer: {work.wrong.answer.shown}\n\n"
        f"Next problem: {after.problem.stem()}\n\n"
        "The pupil works in the same way. What will the pupil answer?"
    )
    right = letter_of(options, after.right.answer.shown)
    facts = {"rule": work.rule, "own": right}
    if unlike:
        facts["unfit"] = right  # what one answers who foresees nothing on another kind
    return item_of(NAME, body, options, letter_of(options, foreseen), facts)
