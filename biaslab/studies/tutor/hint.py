"""Which hint helps: does a model in the pupil's place learn from the hint that fits, and only it?

The model is to play a pupil who follows a mal-rule. The teacher names this rule's mistake, or the
mistake of another rule, in the same words around it, or none; then comes the next problem. The
pupil's own answer, the right one and another rule's are the options. What counts is the right
answer: flips after a hint that fits minus flips after one that does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from biaslab.studies.designs import choice_of
from biaslab.studies.results import Expectation
from biaslab.studies.study import Arms, Design, Experiment, Item, Pair, Setting
from biaslab.studies.tutor.following import further_problem
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
from schoolmath.malrules.bank.traps import PupilWork
from schoolmath.malrules.library import LATER
from schoolmath.malrules.rules import Card, rules

NAME = "hint"
ANOTHER, GENERIC = "another mistake", "no mistake"
AGAINST = Setting(
    "against", "Compared with", "What the other hint names.", "choice", ANOTHER,
    choices=(ANOTHER, GENERIC),
)  # fmt: skip
PUPIL = "Play a pupil. Work as this pupil would, who listens to the teacher."


class HintStudy(TutorStudy):
    """The study of hints that fit and hints that don't."""

    name = NAME
    title = "Which hint helps"
    question = "Does a model in a pupil's place learn from the hint that fits, and only from it?"
    arms = Arms("a hint that fits", "a hint about another mistake")
    expects = Expectation("a pupil learns from a hint about its own mistake, not from any hint")
    baselines = ("fitting-hints", "no-hints")
    settings = (*TutorStudy.settings, AGAINST)

    def of_design(self, design: Design) -> Experiment:
        """With the name of the other hint."""
        if design.settings.get(AGAINST.name) != GENERIC:
            return self
        other = copy(self)
        other.arms = Arms("a hint that fits", "a hint that names no mistake")
        return other

    def draw(self, design: Design) -> Iterator[Pair | None]:
        """One mistake after the other, with a further problem of its kind."""
        draws, works = self.works(design)
        turn = 0
        for work in works:
            following = None if work is None else further_problem(work, type(work.problem), draws)
            if work is None or following is None:
                yield None
                continue
            turn += 1
            other = draws.one(_elsewhere(work))
            is_generic = choice_of(design, AGAINST) == GENERIC
            x = _item(work, following, work.card, turn)
            x_prime = _item(work, following, None if is_generic else other, turn)
            yield Pair.of(x, x_prime, strata_of(work), cluster=cluster_of(work))


def _elsewhere(work: PupilWork) -> list[Card]:
    """Cards of mistakes of the same content class that nobody can make on such a problem."""
    form = type(work.problem)
    return [
        rule.card
        for rule in rules().values()
        if rule.card.content_class is work.card.content_class
        and form not in rule.forms
        and rule.id not in LATER
        and rule.id not in work.card.same_idea
    ]


def _item(work: PupilWork, following: tuple[PupilWork, str], card: Card | None, turn: int) -> Item:
    after, other = following
    right, own = after.right.answer.shown, after.wrong.answer.shown
    options = lettered([right, own, other], turn)
    body = (
        f"The pupil solved this problem: {work.question}\n\n"
        f"The pupil's working, step by step:\n{numbered(steps_of(work.wrong))}\n\n"
        f"The pupil's answer: {work.wrong.answer.shown}\n\n"
        f"The teacher says: “This is not right. {_hint(card)}”\n\n"
        f"Next problem: {after.problem.stem()}\n\nWhat does the pupil answer now?"
    )
    facts = {"rule": work.rule, "own": letter_of(options, own), "introduction": PUPIL}
    if card is not work.card:  # what one answers whom this hint does not help
        facts["unfit"] = letter_of(options, own)
    return item_of(NAME, body, options, letter_of(options, right), facts)


def _hint(card: Card | None) -> str:
    if card is None:
        return "Look at each step once more, and take your time."
    return f"Here is a mistake that many make: {card.description} Do not do that."
