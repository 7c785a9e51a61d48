"""An example of each mal-rule, as small as one is found: 52 − 17 = 45."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from schoolmath.malrules.forms import FORMS, Form, NotDrawn, draw_widely
from schoolmath.malrules.rules import Card, ContentClass, Rule, commonest_first, rules
from schoolmath.problems.draws import Draws

_DRAWN = 40
"""Problems of each form that are tried."""
_MOST_DRAWN = 600
"""The same where the rule went wrong on none of them."""

_CALCULATION = re.compile(r"What is ([^?a-z]+)\?")


@dataclass(frozen=True, slots=True)
class MalRuleExample:
    """A problem and what a pupil who follows a rule answers.

    Attributes:
        question: as a pupil reads it.
        wrong: the rule's answer.
        right: the right answer.
    """

    question: str
    wrong: str
    right: str

    @property
    def words(self) -> str:
        """In one line: ``52 − 17 = 45``, or the question and the answer behind it."""
        found = _CALCULATION.fullmatch(self.question)
        words = f"{found[1]} = {self.wrong}" if found else f"{self.question} {self.wrong}"
        return re.sub(r"-(?=\d)| - ", lambda sign: sign[0].replace("-", "−"), words)


@lru_cache(maxsize=1024)
def example_of(rule: str) -> MalRuleExample | None:
    """The shortest of some problems on which a rule goes wrong, the same on every computer.

    Args:
        rule: its id.

    Returns:
        None where it went wrong on none.

    Raises:
        KeyError: there is no such rule.
    """
    found = [each for form in rules()[rule].forms for each in _goes_wrong(rules()[rule], form)]
    return min(found, key=_unclear, default=None)


def _goes_wrong(rule: Rule, form: type[Form]) -> Iterator[MalRuleExample]:
    low, high = FORMS[form.__name__].grades
    found = 0
    for number in range(_MOST_DRAWN):
        if number >= _DRAWN and found:
            return
        draws = Draws(f"example/{rule.id}/{form.__name__}/{number}")
        try:
            draw = form.draw if number < _DRAWN else partial(draw_widely, form)
            problem = draw(draws, low + number % (high - low + 1))
        except NotDrawn:
            continue
        right = problem.solve().answer
        for worked in rule.run(problem)[:1]:
            if not worked.answer.same_as(right):
                found += 1
                yield MalRuleExample(problem.stem(), worked.answer.shown, right.shown)


def _unclear(example: MalRuleExample) -> tuple[bool, int, str]:
    """A wrong answer that stands in the question shows little, a long question less."""
    return example.wrong in example.question, len(example.question), example.question


def by_subject() -> dict[ContentClass, list[Card]]:
    """Every mal-rule by subject, those that are taken to be common first."""
    found: dict[ContentClass, list[Card]] = {each: [] for each in ContentClass}
    for rule in commonest_first(rules().values()):
        found[rule.card.content_class].append(rule.card)
    return found
