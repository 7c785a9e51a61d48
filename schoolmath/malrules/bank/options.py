"""Four options of one item, the key and three distractors, with the ways to tell each of them.

A pupil may well answer that a probability is 7/6. As an option it tells whoever knows what a
probability is that it is wrong, without any thought of the rule behind it: `can_be`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations

from schoolmath.malrules.answers import Answer, AnswerKind, Working, write_decimal
from schoolmath.malrules.bank.balancing import distinctive
from schoolmath.malrules.bank.rationales import RationaleStyle, RationaleTelling, tellings
from schoolmath.malrules.forms import Form, listed
from schoolmath.malrules.rules import Confidence, ContentClass, MistakeKind, Rule, dealt_rules
from schoolmath.problems.draws import Draws


@dataclass(frozen=True, slots=True)
class Quantity:
    """A kind of quantity, and what it can be.

    Attributes:
        name: of the kind.
        asked: found in the last sentence of a question that asks for it.
        low, high: it lies between them; None: no such end.
        ends: whether it can be as small as low, and as large as high.
        whole: whether it is counted.
    """

    name: str
    asked: re.Pattern[str]
    low: int | None = None
    high: int | None = None
    ends: tuple[bool, bool] = (True, True)
    whole: bool = False

    def can_be(self, value: Fraction) -> bool:
        """Whether a quantity of this kind can have the value."""
        if self.whole and value.denominator != 1:
            return False
        if self.low is not None and (value < self.low or (value == self.low and not self.ends[0])):
            return False
        return self.high is None or value < self.high or (value == self.high and self.ends[1])


_MEASURED = (
    "hundred|thousand|degrees|kilograms?|grams?|(?:centi|milli|kilo)?metres?|(?:milli)?litres?|"
    "dollars?|cents?|hours?|minutes?|seconds?|square|cubic|times|points|more|percent|units"
)

QUANTITIES = (
    Quantity("probability", re.compile(r"\bprobability\b"), 0, 1),
    Quantity(
        "angle", re.compile(r"\bdegrees does .*\bangle\b|\bdegrees is .*\bangle\b"), 0, 180,
        (False, False),
    ),
    Quantity("length, area or volume", re.compile(
        r"\b(?:area|perimeter|volume|circumference|length|width|height|radius|diameter)\b"
        r"|\bhow (?:long|wide|high|tall|far)\b", re.IGNORECASE,
    ), 0, None, (False, True)),
    Quantity(
        "number of things",
        re.compile(rf"\b[Hh]ow many (?!(?:{_MEASURED})\b)\w+"), 0, None, (True, True), True,
    ),
)  # fmt: skip
"""The first that is asked for is the kind of a question."""


def quantity_of(question: str) -> Quantity | None:
    """The kind of quantity that a question asks for, None where it is a plain number."""
    last = re.split(r"(?<=[.?!])\s+", question.rstrip("”"))[-1]
    return next((each for each in QUANTITIES if each.asked.search(last)), None)


def can_be(question: str, answer: Answer) -> bool:
    """Whether an answer is a value that the quantity asked for can have."""
    if answer.kind is not AnswerKind.NUMBER or not isinstance(answer.value, Fraction):
        return True
    kind = quantity_of(question)
    return kind is None or kind.can_be(answer.value)


DISTRACTORS = 3
"""An item has so many wrong options."""

EVEN = (0.0,) * (1 + DISTRACTORS)
"""No place of the key among the values has come too often."""
FAR = 20
"""An option so many times the key, or so small a part of it, is far off."""

_OF_RANK, _OF_FAR, _OF_GRADE = 4.0, 6, 2
_SHORTLIST = 6
_PLAIN = re.compile(r"(?P<before>[^\d\-]*)(?P<sign>-?)(?P<number>\d[\d.,/ ]*)(?P<after>\D*)")
_SIGNED = re.compile(r"[+\-]? ?\d+")
_DECIMAL = re.compile(r"\d+\.\d+")
_NEGATIVE = re.compile(r"(?<![\w)])(?<![\w)] )-\s?\d")
_GRADE_OF_NEGATIVES = 6


@dataclass(frozen=True, slots=True)
class Distractor:
    """What a rule gives on a problem, as an option.

    Attributes:
        rule: the rule.
        worked: its answer and trace; the answer is written as the option is.
        others: ids of further rules that give the same value.
    """

    rule: Rule
    worked: Working
    others: tuple[str, ...] = ()


def wrong_answers(problem: Form, right: Working) -> list[Distractor]:
    """Everything that rules give on this problem and that is not marked as right.

    One entry for each value and each rule that gives it first; rules that give the same value
    are named in ``others``.
    """
    by_value: dict[tuple[AnswerKind, Fraction | str], list[tuple[Rule, Working]]] = {}
    key = (right.answer.kind, right.answer.value)
    for rule in _rules_of(type(problem)):
        for worked in rule.run(problem):
            value = (worked.answer.kind, worked.answer.value)
            if value != key:
                by_value.setdefault(value, []).append((rule, worked))
    return [
        Distractor(rule, worked, tuple(other.id for other, _ in given if other is not rule))
        for given in by_value.values()
        for rule, worked in given
    ]


@cache
def _rules_of(form: type[Form]) -> tuple[Rule, ...]:
    """The rules that make options of a form's problems, looked for once."""
    return tuple(rule for rule in dealt_rules() if issubclass(form, rule.forms))


def plausible(problem: Form, question: str, right: Answer, wrong: Answer) -> bool:
    """Whether a wrong answer is of the kind and format that the question asks for."""
    if wrong.kind is not right.kind:
        return False
    if not (isinstance(wrong.value, Fraction) and isinstance(right.value, Fraction)):
        return True
    if wrong.value < 0 <= right.value and not _knows_negatives(problem, question):
        return False
    if not can_be(question, wrong):
        return False
    before, written, after = _format(right.shown)
    other_before, other_written, other_after = _format(wrong.shown)
    if (before, after) != (other_before, other_after):
        return False
    if after == "%" and other_written == "fraction":  # no pupil writes 5000/47%
        return False
    return written == other_written or (
        "unknown" not in (written, other_written) and _may_be_broken(problem)
    )


def written_alike(answers: Sequence[Answer]) -> tuple[str, ...]:
    """The answers as options are written: decimals with one number of places for all."""
    places = max((_places(answer.shown) for answer in answers), default=0)
    if not places:
        return tuple(answer.shown for answer in answers)
    return tuple(_with_places(answer, places) for answer in answers)


def choose(
    draws: Draws,
    right: Working,
    candidates: Sequence[Distractor],
    ranks: Sequence[float] = EVEN,
    grade: int | None = None,
    weights: Mapping[str, float] | None = None,
) -> tuple[Distractor, ...] | None:
    """Three distractors of different rules; None where there are none.

    Those with a source are preferred, such in the key's format, such of different kinds, such
    that are not far off, and such whose rule is known at the grade. The key is never the only one
    in its format.

    Args:
        draws: random choices.
        right: the key.
        candidates: what there is to choose from.
        ranks: by how much the key has been smallest, second, third and largest too often.
        grade: that the question is for; None: any.
        weights: by how much a rule, by its id, is to be preferred.
    """
    number = right.answer.kind is AnswerKind.NUMBER
    written = _format(right.answer.shown)[1] if number else ""
    weighed = [
        _weighed(right.answer, each, written, grade, (weights or {}).get(each.rule.id, 0.0))
        for each in draws.several(candidates, len(candidates))
    ]
    best: tuple[Distractor, ...] | None = None
    fewest = float("inf")
    for some in combinations(_shortlist(weighed), DISTRACTORS):
        cost = sum([each.cost for each in some]) - len({each.kind for each in some})
        cost += _OF_RANK * ranks[sum([each.less for each in some])]
        if cost >= fewest or all(each.unlike for each in some):
            continue
        chosen = tuple([each.distractor for each in some])
        if _separate(right.answer, chosen):
            best, fewest = chosen, cost
    return best


@dataclass(frozen=True, slots=True)
class _OptionCost:
    """A distractor and what speaks against it: the more, the higher the cost."""

    distractor: Distractor
    cost: float
    kind: MistakeKind
    less: bool
    unlike: bool


def _weighed(
    key: Answer, distractor: Distractor, text: str, grade: int | None, weight: float
) -> _OptionCost:
    card, answer = distractor.rule.card, distractor.worked.answer
    unlike = bool(text) and _format(answer.shown)[1] != text
    strange = grade is not None and not card.grades[0] <= grade <= card.grades[1]
    cost = 3.0 * (card.confidence is Confidence.C) + 2 * unlike
    cost += _OF_FAR * far_off(key, answer) + _OF_GRADE * strange - weight
    return _OptionCost(distractor, cost, card.kind, bool(rank_of(key, [distractor])), unlike)


def _shortlist(weighed: Sequence[_OptionCost]) -> list[_OptionCost]:
    """The best that are less than the key and the best that are not, so that every place of the
    key that can be had can be had still.
    """
    best = sorted(weighed, key=lambda each: each.cost)
    return [
        each for less in (True, False) for each in [e for e in best if e.less is less][:_SHORTLIST]
    ]


def rank_of(right: Answer, distractors: Sequence[Distractor]) -> int:
    """How many of the distractors are less than the key; 0 where the answers are no numbers."""
    return sum(
        isinstance(each.worked.answer.value, Fraction)
        and isinstance(right.value, Fraction)
        and each.worked.answer.value < right.value
        for each in distractors
    )


def far_off(right: Answer, wrong: Answer) -> bool:
    """Whether a wrong answer is `FAR` times the key or more, or so small a part of it."""
    if not (isinstance(right.value, Fraction) and isinstance(wrong.value, Fraction)):
        return False
    if not right.value or not wrong.value:
        return False
    key, other = abs(right.value), abs(wrong.value)
    return other >= FAR * key or key >= FAR * other


def as_written(distractor: Distractor, option: str) -> Distractor:
    """The distractor with its answer written as the option is."""
    answer = distractor.worked.answer
    if answer.shown == option:
        return distractor
    worked = replace(distractor.worked, answer=replace(answer, shown=option))
    return replace(distractor, worked=worked)


def _separate(right: Answer, distractors: tuple[Distractor, ...]) -> bool:
    answers = [right, *(each.worked.answer for each in distractors)]
    if len({each.rule.id for each in distractors}) < DISTRACTORS:
        return False
    if len({(answer.kind, answer.value) for answer in answers}) < len(answers):
        return False
    shown = written_alike(answers)
    if len({" ".join(text.lower().split()) for text in shown}) < len(answers):
        return False
    # The key must not be the only one of its shape, with the others alike.
    shapes = [_SIGNED.sub("#", text) for text in shown]
    return shapes[0] in shapes[1:] or len(set(shapes[1:])) > 1


def _knows_negatives(problem: Form, question: str) -> bool:
    if _NEGATIVE.search(question):
        return True
    high = listed(problem).grades[1]
    return listed(problem).content_class == ContentClass.ALGEBRA and high >= _GRADE_OF_NEGATIVES


def _may_be_broken(problem: Form) -> bool:
    """Whether a whole number may stand beside a fraction or decimal: not where things count."""
    return listed(problem).content_class != ContentClass.WORD_PROBLEMS


def _format(option: str) -> tuple[str, str, str]:
    """What stands around a number and how it is written."""
    match = _PLAIN.fullmatch(option)
    if match is None:
        return (option, "unknown", "")
    number = match["number"].strip()
    if "/" in number:
        written = "mixed number" if " " in number else "fraction"
    else:
        written = "decimal" if "." in number else "whole"
    return (match["before"].strip(), written, match["after"].strip())


def _places(option: str) -> int:
    match = _DECIMAL.search(option)
    return len(match[0].partition(".")[2]) if match else 0


def _with_places(answer: Answer, places: int) -> str:
    match = _DECIMAL.search(answer.shown)
    if match is None or not isinstance(answer.value, Fraction):
        return answer.shown
    return answer.shown.replace(match[0], write_decimal(Fraction(match[0]), places))


@dataclass(frozen=True, slots=True)
class ItemDraft:
    """What an item is put together from.

    Attributes:
        question: the problem's stem.
        right: the key and its trace.
        distractors: three, of different rules.
        told: the tellings of the key and of each distractor.
    """

    question: str
    right: Working
    distractors: tuple[Distractor, ...]
    told: tuple[tuple[RationaleTelling, ...], ...]


_CHOICES = 3
"""So many choices of distractors are tried, each without those that cannot be told."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """A problem and what three distractors can be chosen from.

    Attributes:
        problem, grade, question, right: the problem, for whom, its stem and its key.
        possible: wrong answers that can be options.
        every: all wrong answers that the library gives.
        chosen: three of the possible ones.
    """

    problem: Form
    grade: int
    question: str
    right: Working
    possible: tuple[Distractor, ...]
    every: tuple[Distractor, ...]
    chosen: tuple[Distractor, ...]

    @property
    def rank(self) -> int:
        """How many of the chosen are less than the key."""
        return rank_of(self.right.answer, self.chosen)


def candidates(
    draws: Draws, problem: Form, grade: int, *, strict: bool, ranks: Sequence[float] = EVEN
) -> Candidates | None:
    """What can be options of an item on this problem; None where there are no three.

    Args:
        draws: random choices among distractors.
        problem: the problem.
        grade: that it was drawn for.
        strict: only distractors that fit one rule of the library.
        ranks: by how much the key has been smallest, second, third and largest too often.
    """
    right = problem.solve()
    every = wrong_answers(problem, right)
    found = [each for each in every if not each.others] if strict else every
    if len(found) < DISTRACTORS:
        return None
    question = problem.stem()
    possible = [
        each for each in found if plausible(problem, question, right.answer, each.worked.answer)
    ]
    chosen = choose(draws, right, possible, ranks, grade)
    if chosen is None:
        return None
    return Candidates(problem, grade, question, right, tuple(possible), tuple(every), chosen)


def draft(
    draws: Draws, candidates: Candidates, style: RationaleStyle, ranks: Sequence[float] = EVEN
) -> ItemDraft | None:
    """A draft of an item; None where no three distractors and the key can be told.

    Args:
        draws: random choices among distractors.
        candidates: what there is to choose from.
        style: of the rationales.
        ranks: as for `candidates`.
    """
    possible, chosen = candidates.possible, candidates.chosen
    for _ in range(_CHOICES):
        key, options = dressed(candidates.right, chosen)
        told = tellings_of(candidates.question, key, options, style, candidates.every)
        if all(told):
            return ItemDraft(candidates.question, key, options, told)
        mute = {each.rule.id for each, ways in zip(options, told[1:], strict=True) if not ways}
        possible = tuple(each for each in possible if each.rule.id not in mute)
        again = (
            choose(draws, candidates.right, possible, ranks, candidates.grade) if told[0] else None
        )
        if again is None:
            return None
        chosen = again
    return None


def dressed(
    right: Working, distractors: Sequence[Distractor]
) -> tuple[Working, tuple[Distractor, ...]]:
    """Key and distractors with their answers written alike."""
    answers: list[Answer] = [right.answer, *(each.worked.answer for each in distractors)]
    shown = written_alike(answers)
    key = replace(right, answer=replace(right.answer, shown=shown[0]))
    return key, tuple(map(as_written, distractors, shown[1:]))


def tellings_of(
    question: str,
    right: Working,
    distractors: Sequence[Distractor],
    style: RationaleStyle,
    every: Sequence[Distractor],
) -> tuple[tuple[RationaleTelling, ...], ...]:
    """The tellings of the key and of each distractor, such that each leads to its own alone.

    Args:
        question: what is asked.
        right: the key.
        distractors: the wrong options.
        style: of the rationales.
        every: all wrong answers that the library gives on the problem.
    """
    traces = [right, *(each.worked for each in distractors)]
    told = [tellings(question, worked, style) for worked in traces]
    return tuple(map(tuple, distinctive(told, traces, [each.worked for each in every])))
