"""A set of pairs at a glance: how difficult it is, and whether its members are balanced.

Outside the treated sentences everything counts. Inside them only what the treatment does not
name: a consistent and an inconsistent comparison differ in "more" and "fewer" and in the order
of the names by nature, but not in zero digits or in grammar.

    maker = OverviewMaker.of(design)
    for pair in pairs: maker.add(pair)
    overview = maker.result()
    overview.distribution("steps").mean_x
    overview.warnings       # in 12 of 200 pairs the members differ in zero digits
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from math import log10

from biaslab.studies import Design, Item, Pair
from biaslab.studies.word_problems.composed import NAME as COMPOSED
from biaslab.studies.word_problems.composed import TREATMENT
from biaslab.studies.word_problems.features import Feature
from biaslab.studies.word_problems.overview.measures import (
    MEASURES,
    OPERATION_NAMES,
    Level,
    ProblemMeasure,
    grammar_faults,
    names_in,
    number_words_in,
    numbers_in,
    thing_asked,
    words_in,
)
from biaslab.studies.word_problems.treatments import treatments
from biaslab.studies.word_problems.verification import sentences_of, steps_of, treated_of

# One word each, whatever they are made of: "times as many ... as" and "times fewer ... than" are
# the two sides of the consistency treatment.
_RELATIONS = re.compile(r"\b(?:as many|as much|more|fewer|less|than|as)\b")
_PART = re.compile(r"\b1/(\d+)(?= as (?:many|much)\b)")
RELATIONAL = ("consistency", "predicate")
"""Treatments that turn a relation round, or put another one in its place."""


def names_masked(text: str) -> str:
    """With one letter for every name."""
    for name in names_in(text):
        text = re.sub(rf"\b{re.escape(name)}\b", "A", text)
    return text


def relations_masked(text: str, treatment: str) -> str:
    """With one letter for "more", "as many" and so on where the treatment is about them."""
    return _masked(text) if treatment in RELATIONAL else text


def _masked(text: str) -> str:
    """With one letter for relations; “1/3 as many ... as” is one like “3 times as many ... as”."""
    return _RELATIONS.sub("R", _PART.sub(r"\1 times", text))


def _without_numbers(text: str) -> list[str]:
    return re.sub(r"\d+", "N", text).split()


def _without_relations(text: str) -> list[str]:
    """In the order of the alphabet, because the treatment turns the sentence round."""
    return sorted(words_in(re.sub(r"\d+", "N", names_masked(_masked(text)))))


BARE: dict[str, Callable[[str], list[str]]] = {
    "consistency": _without_relations,
    "carry": _without_numbers,
    "number-size": _without_numbers,
    "name-familiarity": lambda text: names_masked(text).split(),
}
"""The words of a treated sentence that a treatment has to leave as they are."""


class Aspect(StrEnum):
    """In what members can differ; the text is what screens call it."""

    ELSEWHERE = "sentences outside the treatment"
    WORDING = "wording beyond the treatment"
    QUESTION = "wording of the question"
    SENTENCES = "number of sentences"
    WORDS = "length in words"
    CHARACTERS = "length in characters"
    NUMBERS = "size of the numbers"
    DIGITS = "digits of the numbers"
    ZEROS = "zero digits"
    NUMBER_WORDS = "number words instead of digits"
    GRAMMAR = "faults of grammar"
    NAMES = "names"
    ANSWER = "answer"
    STEPS = "reasoning steps"
    OPERATIONS = "operations"
    CARRIES = "carries and borrows"


_TREATMENTS = {"consistency": "consistency", "transfer-comparison": "predicate", "carry": "carry"}
_UNSAID = ("", "unsaid")
_LENGTH = frozenset((Aspect.WORDS, Aspect.CHARACTERS))
_FOLLOWING: dict[Feature, frozenset[Aspect]] = {
    Feature.NUMBERS: frozenset((Aspect.NUMBERS,)),
    Feature.DIGITS: frozenset((Aspect.DIGITS,)),
    Feature.ZEROS: frozenset((Aspect.ZEROS,)),
    Feature.CARRIES: frozenset((Aspect.CARRIES,)),
    Feature.ANSWER: frozenset((Aspect.ANSWER,)),
    Feature.OPERATIONS: frozenset((Aspect.OPERATIONS,)),
    Feature.NAMES: frozenset((Aspect.NAMES,)),
    Feature.QUESTION: frozenset((Aspect.QUESTION,)),
    Feature.SENTENCES: frozenset((Aspect.SENTENCES,)),
    # A sentence more brings its number and its people with it.
    Feature.IRRELEVANT: frozenset((Aspect.NUMBERS, Aspect.DIGITS, Aspect.ZEROS, Aspect.NAMES)),
    Feature.WORDS: _LENGTH,
}
"""What members differ in when they differ in a feature of a problem."""


@cache
def _named_by(treatment: str) -> frozenset[Aspect]:
    """What a treatment changes by its nature, beside the words of its own sentences.

    Length is compared without the words of a relation where the treatment turns one round, so
    that a difference that is left over counts.
    """
    known = treatments().get(treatment)
    changes = () if known is None else known.reasons
    named = frozenset[Aspect]().union(*(_FOLLOWING.get(each, ()) for each in changes))
    return named - _LENGTH if treatment in RELATIONAL else named


def treatment_of(design: Design) -> str:
    """The name of the treatment that a design's pairs have; empty where it is not known."""
    default = TREATMENT.default if design.study == COMPOSED else ""
    chosen = design.settings.get(TREATMENT.name, default)
    return _TREATMENTS.get(design.study, str(chosen))


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which the members of one pair differ beyond the treatment.

    Attributes:
        aspect: what.
        amount: x minus x′ in the aspect's own unit; None where it has none (a wording).
        detail: what is different, as a clause.
        within: whether it stands in sentences that the treatment changes, and there alone.
    """

    aspect: Aspect
    amount: float | None
    detail: str
    within: bool = False


@dataclass(frozen=True, slots=True)
class _Member:
    """A member's text with what is compared; `known`: the pair itself says what is treated."""

    item: Item
    sentences: tuple[str, ...]
    treated: frozenset[int]
    known: bool

    @property
    def elsewhere(self) -> list[str]:
        last = len(self.sentences) - 1
        return [s for i, s in enumerate(self.sentences) if i not in self.treated and i != last]


def differences(pair: Pair, treatment: str) -> list[Difference]:
    """Everything in which the pair's members differ beyond the treatment.

    Args:
        pair: with facts or, for texts from a file, without.
        treatment: its name (`treatment_of`). An empty one is looked up in the pair's strata;
            one that is not known names nothing, so that within the treated sentences only the
            choice of words is allowed to differ.
    """
    if treatment in _UNSAID:
        said = str(pair.strata.get("treatment", ""))
        treatment = _TREATMENTS.get(said, said)
    x, x_prime = _members(pair)
    named = _named_by(treatment)
    found: list[Difference] = []
    if detail := _elsewhere(x, x_prime, treatment):
        found.append(Difference(Aspect.ELSEWHERE, None, detail))
    if detail := _wording(x, x_prime, treatment):
        found.append(Difference(Aspect.WORDING, None, detail))
    if Aspect.QUESTION not in named and (detail := _question(x, x_prime)):
        found.append(Difference(Aspect.QUESTION, None, detail))
    for aspect, read in _COUNTS.items():
        if aspect in named:
            continue
        one, other = read(x, treatment), read(x_prime, treatment)
        if one is not None and other is not None and one != other:
            found.append(Difference(aspect, one - other, f"x has {one:g}, x′ {other:g}"))
    if any(each.aspect is Aspect.WORDS for each in found):
        found = [each for each in found if each.aspect is not Aspect.CHARACTERS]
    if Aspect.NAMES not in named and (detail := _names(x, x_prime)):
        found.append(Difference(Aspect.NAMES, None, detail))
    if Aspect.ANSWER not in named and pair.x.answer != pair.x_prime.answer:
        detail = f"{pair.x.answer} and {pair.x_prime.answer}"
        found.append(Difference(Aspect.ANSWER, None, detail))
    if Aspect.OPERATIONS not in named and (detail := _operations(x, x_prime)):
        found.append(Difference(Aspect.OPERATIONS, None, detail))
    within = x.known and not _elsewhere(x, x_prime, treatment) and _question_within(x, x_prime)
    return [replace(each, within=within) for each in found]


_COMPARED = (
    Aspect.SENTENCES, Aspect.WORDS, Aspect.NUMBERS, Aspect.DIGITS, Aspect.ZEROS, Aspect.STEPS,
    Aspect.CARRIES,
)  # fmt: skip


def amounts(pair: Pair) -> dict[str, float]:
    """How far apart the members are in each thing that has an amount: x minus x′.

    The size of numbers is that of their mean in powers of ten, so that one large number does not
    outweigh all others.
    """
    x, x_prime = _members(pair)
    found: dict[str, float] = {}
    for aspect in _COMPARED:
        one, other = (_COUNTS[aspect](member, "") for member in (x, x_prime))
        if one is None or other is None:
            continue
        if aspect is Aspect.NUMBERS:
            one, other = log10(1 + one), log10(1 + other)
        found[str(aspect)] = one - other
    return found


def _question_within(x: _Member, x_prime: _Member) -> bool:
    same = x.sentences[-1] == x_prime.sentences[-1]
    return same or len(x.sentences) - 1 in x.treated


def _members(pair: Pair) -> tuple[_Member, _Member]:
    texts = sentences_of(pair.x), sentences_of(pair.x_prime)
    treated = treated_of(pair.x), treated_of(pair.x_prime)
    if treated[0] is None or treated[1] is None:
        # A text from a file: wherever the members differ may be the treatment.
        changed = [
            frozenset(i for i, sentence in enumerate(one) if sentence not in other)
            for one, other in (texts, texts[::-1])
        ]
    else:
        changed = [frozenset(treated[0]), frozenset(treated[1])]
    known = None not in treated
    return (
        _Member(pair.x, texts[0], changed[0], known),
        _Member(pair.x_prime, texts[1], changed[1], known),
    )


def _elsewhere(x: _Member, x_prime: _Member, treatment: str) -> str:
    one, other = x.elsewhere, x_prime.elsewhere
    if treatment == "sentence-order":
        one, other = sorted(one), sorted(other)
    if one == other:
        return ""
    for first, second in zip(one, other, strict=False):
        if first != second:
            return f"“{first}” and “{second}”"
    return f"{len(one)} and {len(other)} sentences that the treatment leaves alone"


def _wording(x: _Member, x_prime: _Member, treatment: str) -> str:
    """What differs within treated sentences though the treatment leaves the words alone."""
    bare = BARE.get(treatment)
    if bare is None or len(x.sentences) != len(x_prime.sentences):
        return ""
    # The question is compared by itself.
    for index in sorted(x.treated & x_prime.treated - {len(x.sentences) - 1}):
        one, other = x.sentences[index], x_prime.sentences[index]
        if bare(one) != bare(other):
            return f"“{one}” and “{other}”"
    return ""


def _question(x: _Member, x_prime: _Member) -> str:
    one, other = x.sentences[-1], x_prime.sentences[-1]
    last = len(x.sentences) - 1, len(x_prime.sentences) - 1
    said = f"“{one}” and “{other}”"
    if last[0] in x.treated and last[1] in x_prime.treated:
        one, other = names_masked(one), names_masked(other)
    return "" if one == other else said


def _names(x: _Member, x_prime: _Member) -> str:
    one, other = set(names_in(x.item.text)), set(names_in(x_prime.item.text))
    if one == other:
        return ""
    only = [", ".join(sorted(names)) or "none" for names in (one - other, other - one)]
    return f"only in x: {only[0]}; only in x′: {only[1]}"


def _operations(x: _Member, x_prime: _Member) -> str:
    one, other = ([step.operation for step in steps_of(m.item)] for m in (x, x_prime))
    if not one or not other or len(one) != len(other) or sorted(one) == sorted(other):
        return ""
    said = [", ".join(OPERATION_NAMES[sign] for sign in signs) for signs in (one, other)]
    return f"{said[0]} and {said[1]}"


def _words(member: _Member, treatment: str) -> float:
    return len(words_in(relations_masked(member.item.text, treatment)))


def _characters(member: _Member, treatment: str) -> float:
    """Of everything but names, numbers and relations, which are compared by themselves."""
    text = names_masked(relations_masked(member.item.text, treatment))
    return len(re.sub(r"\d+", "N", text))


def _numbers(member: _Member) -> list[str]:
    return [number.replace(",", "") for number in numbers_in(member.item.text)]


def _mean_number(member: _Member, treatment: str) -> float | None:
    del treatment
    values = [int(number) for number in _numbers(member)]
    return sum(values) / len(values) if values else None


def _grammar(member: _Member, treatment: str) -> float:
    del treatment
    asked = thing_asked(member.sentences[-1])
    return sum(len(grammar_faults(sentence, asked)) for sentence in member.sentences)


def _step_count(member: _Member, treatment: str) -> float | None:
    del treatment
    return len(steps_of(member.item)) or None


def _carries(member: _Member, treatment: str) -> float | None:
    del treatment
    steps = steps_of(member.item)
    return sum(step.carries for step in steps) if steps else None


_COUNTS: dict[Aspect, Callable[[_Member, str], float | None]] = {
    Aspect.SENTENCES: lambda member, _: len(member.sentences),
    Aspect.WORDS: _words,
    Aspect.CHARACTERS: _characters,
    Aspect.NUMBERS: _mean_number,
    Aspect.DIGITS: lambda member, _: sum(map(len, _numbers(member))),
    Aspect.ZEROS: lambda member, _: sum(number.count("0") for number in _numbers(member)),
    Aspect.NUMBER_WORDS: lambda member, _: number_words_in(member.item.text),
    Aspect.GRAMMAR: _grammar,
    Aspect.STEPS: _step_count,
    Aspect.CARRIES: _carries,
}


_UNITS = {
    Aspect.SENTENCES: "sentences",
    Aspect.WORDS: "words",
    Aspect.CHARACTERS: "characters",
    Aspect.NUMBERS: "in the mean of the numbers",
    Aspect.DIGITS: "digits",
    Aspect.ZEROS: "zero digits",
    Aspect.NUMBER_WORDS: "number words",
    Aspect.GRAMMAR: "faults",
    Aspect.STEPS: "steps",
    Aspect.CARRIES: "carries",
}


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each level of a measure occurs among the members of each arm.

    Attributes:
        measure: what was measured.
        x, x_prime: count of every level, levels in order; grades are rounded to whole ones.
        mean_x, mean_x_prime: of the values themselves; None for names, or without values.
    """

    measure: ProblemMeasure
    x: tuple[tuple[Level, int], ...]
    x_prime: tuple[tuple[Level, int], ...]
    mean_x: float | None
    mean_x_prime: float | None


@dataclass(frozen=True, slots=True)
class Imbalance:
    """A warning: members differ in something that the treatment does not name.

    Attributes:
        aspect: what.
        pairs: in how many pairs; of: among how many.
        mean_difference: x minus x′, mean over all pairs; None for what has no amount.
        unit: of the difference, plural; empty without an amount.
        example: the first pair that shows it.
        detail: what is different in the example, as a clause.
        within: whether it stands, in every one of these pairs, in sentences that the treatment
            changes and there alone: the treatment brings it along.
    """

    aspect: Aspect
    pairs: int
    of: int
    mean_difference: float | None
    unit: str
    example: Pair
    detail: str
    within: bool

    def __str__(self) -> str:
        start = f"In {self.pairs} of {self.of} pairs the members differ in {self.aspect}"
        end = ", only in sentences that the treatment changes." if self.within else "."
        if self.mean_difference is None:
            return f"{start} ({self.detail}){end}"
        if abs(self.mean_difference) < _SMALLEST:
            return f"{start}; over all pairs it evens out{end}"
        more = "x" if self.mean_difference > 0 else "x′"
        amount = f"{abs(self.mean_difference):.2f} more {self.unit}"
        return f"{start}: {more} has {amount} on average{end}"


_SMALLEST = 0.005


@dataclass(frozen=True, slots=True)
class PairOverview:
    """What a set of pairs is like.

    Attributes:
        pairs: how many.
        treatment: the name of what its members differ in; empty where it is not known.
        distributions: one for every measure of `MEASURES` that has values.
        warnings: imbalances, those of the most pairs first.
    """

    pairs: int
    treatment: str
    distributions: tuple[Distribution, ...]
    warnings: tuple[Imbalance, ...]

    def distribution(self, name: str) -> Distribution | None:
        """The distribution of a measure by its name; None where it has no values."""
        return next((each for each in self.distributions if each.measure.name == name), None)


@dataclass(slots=True)
class _MeasureCounts:
    """What was counted of one measure in one arm."""

    counts: Counter[Level] = field(default_factory=Counter)
    total: float = 0.0
    values: int = 0

    def add(self, level: Level) -> None:
        self.values += 1
        if isinstance(level, str):
            self.counts[level] += 1
        else:
            self.counts[round(level)] += 1
            self.total += level

    @property
    def mean(self) -> float | None:
        return self.total / self.values if self.values else None


@dataclass(slots=True)
class _AspectCounts:
    """What was counted of one aspect."""

    example: Pair
    detail: str
    pairs: int = 0
    total: float | None = None
    within: bool = True

    def add(self, difference: Difference) -> None:
        self.pairs += 1
        self.within &= difference.within
        if difference.amount is not None:
            self.total = (self.total or 0.0) + difference.amount


class OverviewMaker:
    """Takes pairs one by one, so that a large design need not be held at once."""

    def __init__(self, treatment: str) -> None:
        """A maker for pairs of this treatment; see `pair_balance.treatment_of`."""
        self._treatment = treatment
        self._pairs = 0
        self._seen = [(measure, _MeasureCounts(), _MeasureCounts()) for measure in MEASURES]
        self._found: dict[Aspect, _AspectCounts] = {}

    @classmethod
    def of(cls, design: Design) -> OverviewMaker:
        """A maker for the pairs of a design."""
        return cls(treatment_of(design))

    def add(self, pair: Pair) -> None:
        """Counts one more pair."""
        self._pairs += 1
        for measure, *arms in self._seen:
            for seen, item in zip(arms, (pair.x, pair.x_prime), strict=True):
                for level in measure.read(item):
                    seen.add(level)
        for difference in differences(pair, self._treatment):
            found = self._found.get(difference.aspect)
            if found is None:
                found = _AspectCounts(pair, difference.detail)
                self._found[difference.aspect] = found
            found.add(difference)

    def result(self) -> PairOverview:
        """What has been counted so far."""
        distributions = [
            Distribution(
                measure,
                _ordered(x),
                _ordered(x_prime),
                x.mean if measure.numeric else None,
                x_prime.mean if measure.numeric else None,
            )
            for measure, x, x_prime in self._seen
            if x.values or x_prime.values
        ]
        warnings = [
            Imbalance(
                aspect,
                found.pairs,
                self._pairs,
                None if found.total is None else found.total / self._pairs,
                _UNITS.get(aspect, ""),
                found.example,
                found.detail,
                found.within,
            )
            for aspect, found in self._found.items()
        ]
        warnings.sort(key=lambda warning: (-warning.pairs, list(Aspect).index(warning.aspect)))
        return PairOverview(self._pairs, self._treatment, tuple(distributions), tuple(warnings))


def pair_overview(pairs: Iterable[Pair], design: Design) -> PairOverview:
    """The overview of these pairs of a design; texts from a file have fewer measures."""
    maker = OverviewMaker.of(design)
    for pair in pairs:
        maker.add(pair)
    return maker.result()


def _ordered(counts: _MeasureCounts) -> tuple[tuple[Level, int], ...]:
    """Numbers in rising order, names with the most frequent first."""
    numbers = sorted((lv, n) for lv, n in counts.counts.items() if not isinstance(lv, str))
    names = [(lv, n) for lv, n in counts.counts.most_common() if isinstance(lv, str)]
    return (*numbers, *names)
