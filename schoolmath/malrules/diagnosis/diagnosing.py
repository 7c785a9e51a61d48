"""What may be behind one answer: all that reproduces it, and never one name of several.

Candidates are single mal-rules, and pairs of things on stories. Mal-rules on stories may give
fractions without end, which hardly anybody writes as fractions: 5.67 is read as 17/3 too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from schoolmath.malrules.answers import Answer, Working, by_steps, step
from schoolmath.malrules.catalogue.stories.chain import work
from schoolmath.malrules.catalogue.stories.choices import places
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis.slips import Slip, share_of, slips
from schoolmath.malrules.forms import Form
from schoolmath.malrules.library import RARE_HABITS
from schoolmath.malrules.rules import Card, Confidence, rules, rules_for

_DIGITS = re.compile(r"\d+")

SLIPPED = "slip"
"""Stands for an arithmetic slip in the second place of a pair."""

_SOURCED = {Confidence.A: Fraction(1), Confidence.B: Fraction(3, 4), Confidence.C: Fraction(1, 2)}
_SECOND_RULE = Fraction(1, 20)
"""What a second rule makes less likely, and a slip after a rule."""
_RARE = Fraction(1, 4)
_LONGER = Fraction(4, 5)
"""For each step more than the right way has."""
_UNLIKELY_SIZE = Fraction(1, 2)
"""For numbers on the way that are longer by two digits than any of the right way."""
_SLIPS_AFTER = (1, -1, 10, -10)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to come to an answer.

    Attributes:
        rules: ids in the order in which they are applied; one or two, the second one may be
            `SLIPPED`.
        trace: what is done.
        weight: for ranking only, no probability: see `docs/your-class.md`.
        chance_share: share of the random slips on this problem that the rules would also
            explain.
        why: where the weight comes from, as a sentence.
    """

    rules: tuple[str, ...]
    trace: Working
    weight: Fraction
    chance_share: Fraction
    why: str


def single_candidates(problem: Form, answer: Answer) -> list[Candidate]:
    """Every rule that gives this answer, each once, the likeliest first.

    Two habits at once are left out where one of them gives the answer alone.
    """
    found = []
    for rule in rules_for(problem):
        given = rule.run(problem)
        trace = next((each for each in given if each.answer.same_as(answer)), None)
        if trace is not None:
            found.append(_candidate(problem, (rule.card,), trace, given))
    alone = {each.rules[0] for each in found}
    known = rules()
    return ranked([each for each in found if alone.isdisjoint(known[each.rules[0]].card.parts)])


def _candidate(
    problem: Form, which: tuple[Card, ...], trace: Working, solutions: tuple[Working, ...]
) -> Candidate:
    (card,) = which
    share = share_of(problem, {each.answer.value for each in solutions})
    letter = card.confidence_on(type(problem).__name__)
    weight = _SOURCED[letter] * (1 - share) / len(solutions)
    if card.id in RARE_HABITS:
        weight *= _RARE
    weight *= _LONGER ** max(0, len(trace.steps) - len(problem.solve().steps))
    if _digits(trace) > _digits(problem.solve()) + 1:
        weight *= _UNLIKELY_SIZE
    ways = "the one answer" if len(solutions) == 1 else f"one of the {len(solutions)} answers"
    why = f"{ways[0].upper()}{ways[1:]} that this rule gives here; source: {letter.value}."
    return Candidate((card.id,), trace, weight, share, why)


def _digits(trace: Working) -> int:
    """Digits of the longest number on the way."""
    numbers = [each for step in trace.steps for each in step.numbers]
    return max((len(digits) for each in numbers for digits in _DIGITS.findall(each)), default=0)


def ranked(candidates: list[Candidate]) -> list[Candidate]:
    """Fewer rules first, then by weight, then by id."""
    return sorted(candidates, key=lambda each: (len(each.rules), -each.weight, each.rules))


@dataclass(frozen=True, slots=True)
class _Pair:
    rules: tuple[str, str]
    trace: Working


@lru_cache(maxsize=512)
def pairs(story: Story) -> tuple[_Pair, ...]:
    """Two rules at different steps, or a rule and then a slip at the end."""
    return (*_two_rules(story), *_rule_and_slip(story))


def _two_rules(story: Story) -> Iterator[_Pair]:
    struck = [
        (index, rule, edit)
        for rule, spots in places(story).items()
        for index, edit in spots.items()
    ]
    struck.sort(key=lambda each: each[:2])
    for index, first, edit in struck:
        alone = work(story, {index: edit})
        for later, second, other in struck:
            if later <= index or first == second:
                continue
            trace = work(story, {index: edit, later: other})
            only = work(story, {later: other})
            # A pair of which one rule has no effect is no pair.
            if trace is None or _same(trace, alone) or _same(trace, only):
                continue
            yield _Pair((first, second), trace)


def _same(one: Working, other: Working | None) -> bool:
    return other is not None and one.answer.same_as(other.answer)


def _rule_and_slip(story: Story) -> Iterator[_Pair]:
    right = story.amounts[-1]
    for rule in rules_for(story):
        for worked in rule.run(story):
            value = worked.answer.value
            if not isinstance(value, Fraction) or value == right:
                continue
            for offset in _SLIPS_AFTER:
                answer = Answer.number(value + offset)
                clause = step("writes {0} in place of {1}", answer.shown, worked.answer.shown)
                trace = by_steps(answer, *worked.steps, clause, key_step=worked.key_step)
                yield _Pair((rule.id, SLIPPED), trace)


def pair_candidates(story: Story, answer: Answer) -> list[Candidate]:
    """Every pair that gives this answer, each pair of names once, the likeliest first."""
    known = rules()
    every = pairs(story)
    found: dict[tuple[str, str], Candidate] = {}
    for pair in every:
        if pair.rules in found or not pair.trace.answer.same_as(answer):
            continue
        weight, told = _SECOND_RULE, []
        for name in pair.rules:
            if name != SLIPPED:
                letter = known[name].card.confidence_on(type(story).__name__)
                weight *= _SOURCED[letter]
                told.append(f"{name}: {letter.value}")
        values = {each.trace.answer.value for each in every if each.rules == pair.rules}
        share = share_of(story, values)
        found[pair.rules] = Candidate(
            pair.rules,
            pair.trace,
            weight * (1 - share) / len(values),
            share,
            f"Needs two things at once, which is rarer; sources: {', '.join(told)}.",
        )
    return ranked(list(found.values()))


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What reproduces an answer.

    Attributes:
        correct: the answer is right; then there is nothing else to say.
        candidates: everything that gives this answer, single rules before pairs.
        slip: correct method and an arithmetic slip, where one gives this answer.
        unknown: nothing known gives this answer.
        ambiguous: no one explanation stands out: several single rules fit, or one and a
            slip, or nothing but pairs of which there are several.
    """

    correct: bool
    candidates: tuple[Candidate, ...] = ()
    slip: Slip | None = None
    unknown: bool = False
    ambiguous: bool = False

    @property
    def single(self) -> tuple[Candidate, ...]:
        """The candidates of one rule."""
        return tuple(each for each in self.candidates if len(each.rules) == 1)


def diagnose(problem: Form, answer: Answer) -> Diagnosis:
    """What may be behind an answer.

    Args:
        problem: a problem of any registered form. Pairs of rules are tried on stories only.
        answer: what was answered.
    """
    if answer.same_as(problem.solve().answer):
        return Diagnosis(correct=True)
    single = single_candidates(problem, answer)
    pairs: list[Candidate] = []
    if isinstance(problem, Story):
        explained = {each.rules[0] for each in single}
        # A rule that explains it alone needs no second one.
        pairs = [
            each
            for each in pair_candidates(problem, answer)
            if not explained.intersection(each.rules)
        ]
    slip = next((each for each in slips(problem) if each.trace.answer.same_as(answer)), None)
    plain = len(single) + (slip is not None)
    return Diagnosis(
        correct=False,
        candidates=(*single, *pairs),
        slip=slip,
        unknown=not (single or pairs or slip),
        ambiguous=plain > 1 or (plain == 0 and len(pairs) > 1),
    )


_MOST_PLACES = 6


@dataclass(frozen=True, slots=True)
class WrittenDiagnosis:
    """What may be behind a number as somebody wrote it.

    Attributes:
        diagnosis: of the number, or of what it was rounded from where only that is explained.
        exact: what it was rounded from, such as ``17/3`` for 5.67; empty if it was not.
    """

    diagnosis: Diagnosis
    exact: str = ""


def diagnose_written(problem: Form, response: Answer | Fraction) -> WrittenDiagnosis:
    """What may be behind an answer as somebody wrote it, rounded or not."""
    answer = response if isinstance(response, Answer) else Answer.number(response)
    diagnosis = diagnose(problem, answer)
    exact = None
    if diagnosis.unknown and isinstance(answer.value, Fraction):
        exact = unrounded(problem, answer.value)
    if exact is None or exact.same_as(problem.solve().answer):
        return WrittenDiagnosis(diagnosis)
    return WrittenDiagnosis(diagnose(problem, exact), exact.shown)


def is_rounded(decimal: Fraction, exact: Fraction | str) -> bool:
    """Whether a decimal is what this value is when rounded to as many places; never if whole.

    Whole numbers are not taken for rounded ones: too many explanations would fit.
    """
    places = _places(decimal)
    if not places or not isinstance(exact, Fraction) or decimal == exact:
        return False
    return abs(decimal - exact) <= Fraction(1, 2 * 10**places)


def unrounded(problem: Form, decimal: Fraction) -> Answer | None:
    """The exact answer of a mal-rule of which a decimal may be the rounded form.

    Returns:
        None where there is none, or where several different ones round to it.
    """
    if not _places(decimal):
        return None
    found = {
        worked.answer.value: worked.answer
        for rule in rules_for(problem)
        for worked in rule.run(problem)
        if is_rounded(decimal, worked.answer.value)
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _places(value: Fraction) -> int:
    """How many decimals a number has; 0 for whole numbers and for what has no end or too many."""
    for decimals in range(1, _MOST_PLACES + 1):
        if (value * 10**decimals).denominator == 1:
            return 0 if value.denominator == 1 else decimals
    return 0
