"""What one pupil's answers to several problems have in common.

A pupil is said to follow a rule only if at least two of the wrong answers are exactly what
the rule gives, that is far more than slips would bring about, and the rule shows in a good
part of the problems where it can show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.diagnosis.slips import expected_by_chance
from schoolmath.malrules.forms import Form
from schoolmath.malrules.rules import Rule, rules_for

LEAST_HITS = 2
"""So many answers at least must be what the rule gives."""
LEAST_SHARE = Fraction(1, 3)
"""Least share of the problems where the rule can show in which it must show."""
SLIP_RATE = Fraction(1, 20)
"""How often a pupil who has understood slips."""
MOST_CHANCE = Fraction(1, 10_000)
"""A rule is named only if slips would bring about so many hits less often than this."""
_LEAST_PER_ITEM = Fraction(1, 40)
"""Share of slips that the rule is taken to explain where the listed slips explain fewer:
not every slip is in the list."""


@dataclass(frozen=True, slots=True)
class LikelyRule:
    """A rule that some answers of one pupil follow.

    Attributes:
        rule: its id.
        hits: indices of the answers that are what the rule gives.
        chances: indices of the answered problems where the rule would give a wrong answer.
        by_chance: probability that slips alone bring about so many hits or more.
    """

    rule: str
    hits: tuple[int, ...]
    chances: tuple[int, ...]
    by_chance: Fraction


def likely_rules(answers: Sequence[tuple[Form, Answer | None]]) -> tuple[LikelyRule, ...]:
    """The rules that one pupil seems to follow; those with most hits first.

    Several rules that explain the same answers are all given: look at the hits, and ask the
    problem that `separating_problem` finds. A pupil with none is not thereby without any
    misconception: there may be one that is not known.

    Args:
        answers: problems and answers; None: not answered.
    """
    given = [(index, problem, each) for index, (problem, each) in enumerate(answers) if each]
    wrong = [each for each in given if not each[2].same_as(each[1].solve().answer)]
    hits: dict[str, list[int]] = {}
    known: dict[str, Rule] = {}
    for index, problem, answer in wrong:
        for rule in rules_for(problem):
            if any(worked.answer.same_as(answer) for worked in rule.run(problem)):
                hits.setdefault(rule.id, []).append(index)
                known[rule.id] = rule
    found = [
        _follow(known[name], tuple(seen), given)
        for name, seen in hits.items()
        if len(seen) >= LEAST_HITS
    ]
    likely = [each for each in found if each is not None]
    return tuple(sorted(likely, key=lambda each: (-len(each.hits), each.by_chance, each.rule)))


def _follow(
    rule: Rule, hits: tuple[int, ...], given: Sequence[tuple[int, Form, Answer]]
) -> LikelyRule | None:
    chances, shares = [], []
    for index, problem, _ in given:
        right = problem.solve().answer
        if all(worked.answer.same_as(right) for worked in rule.run(problem)):
            continue
        chances.append(index)
        shares.append(SLIP_RATE * max(expected_by_chance(problem, rule), _LEAST_PER_ITEM))
    if Fraction(len(hits), len(chances)) < LEAST_SHARE:
        return None
    by_chance = _at_least(len(hits), shares)
    if by_chance > MOST_CHANCE:
        return None
    return LikelyRule(rule.id, hits, tuple(chances), by_chance)


def _at_least(count: int, shares: Sequence[Fraction]) -> Fraction:
    """Probability of so many successes or more in independent trials with these chances.

    The chances are rounded up to millionths, so that the exact numbers stay short.
    """
    unit = 10**6
    none_to_count = [1] + [0] * count
    for share in shares:
        yes = -(-share.numerator * unit // share.denominator)
        no = unit - yes
        after = [none_to_count[k] * no for k in range(count + 1)]
        for k in range(count):
            after[k + 1] += none_to_count[k] * yes
        after[count] += none_to_count[count] * yes
        none_to_count = after
    return Fraction(none_to_count[count], unit ** len(shares))
