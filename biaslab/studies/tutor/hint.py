"""Which hint helps: does a model in the pupil's place learn from the hint that fits, and only it?

The model is to play a pupil who follows a mal-rule. The teacher names this rule's mistake, or the
mistake of another rule, in the same words around it; then comes the next problem. The pupil's own
answer, the right one and another rule's are the options. What counts is the right answer: flips
after a hint that fits minus flips after one that does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from biaslab.studies.designs import choice_of
from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms, Design, Item, Pair
from biaslab.studies.tutor.following import further_problem
from biaslab.studies.tutor.items import (
    CONTENT_CLASS,
    TutorStudy,
    item_of,
    letter_of,
    lettered,
    numbered,
    steps_of,
    strata_of,
)
from schoolmath.malrules.bank.traps import PupilWork, mistakes
from schoolmath.malrules.rules import Card, rules
from schoolmath.problems import Draws

NAME = "hint"
PUPIL = "Play a pupil. Work as this pupil would, who listens to the teacher."


class HintStudy(TutorStudy):
    """The study of hints that fit and hints that don't."""

    name = NAME
    title = "Which hint helps"
    question = "Does a model in a pupil's place learn from the hint that fits, and only from it?"
    arms = Arms("a hint that fits", "a hint about another mistake")
    expects = Expectation("a pupil learns from a hint about its own mistake, not from any hint")
    baselines = ("fitting-hints", "no-hints")

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """One mistake after the other, with a further problem of its kind."""
        grades, content_class = self.scope(design)
        draws = Draws(f"{NAME}/{design.seed}/{choice_of(design, CONTENT_CLASS)}")
        turn = 0
        for work in mistakes(draws, grades, content_class):
            following = None if work is None else further_problem(work, type(work.problem), draws)
            if work is None or following is None:
                yield None
                continue
            turn += 1
            other = draws.one(_elsewhere(work))
            x = _item(work, following, work.card, turn)
            x_prime = _item(work, following, other, turn)
            yield Pair.of(x, x_prime, strata_of(work), cluster=work.rule)


def _elsewhere(work: PupilWork) -> list[Card]:
    """Cards of mistakes of the same content class that nobody can make on such a problem."""
    form = type(work.problem)
    return [
        rule.card
        for rule in rules().values()
        if rule.card.content_class is work.card.content_class
        and form not in rule.forms
        and rule.id not in work.card.same_idea
    ]


def _item(work: PupilWork, following: tuple[PupilWork, str], named: Card, turn: int) -> Item:
    after, other = following
    right, own = after.right.answer.shown, after.wrong.answer.shown
    options = lettered([right, own, other], turn)
    body = (
        f"The pupil solved this problem: {work.problem.stem()}\n\n"
        f"The pupil's working, step by step:\n{numbered(steps_of(work.wrong))}\n\n"
        f"The pupil's answer: {work.wrong.answer.shown}\n\n"
        f"The teacher says: “This is not right. Here is a mistake that many make: "
        f"{named.description} Do not do that.”\n\n"
        f"Next problem: {after.problem.stem()}\n\nWhat does the pupil answer now?"
    )
    facts = {"rule": work.rule, "own": letter_of(options, own), "introduction": PUPIL}
    if named is not work.card:
        facts["unfit"] = letter_of(options, own)
    return item_of(NAME, body, options, letter_of(options, right), facts)
