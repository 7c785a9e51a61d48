"""Concepts: which parts of a total count, as exact predicates over whole numbers, and as text.

A concept says yes or no to a pair (total, has): how many things there are, and how many of them
somebody has. Fractions are compared by multiplying whole numbers, never as floats: ``has > 0.7 *
total`` is wrong for 63 of 90.

Whether a concept is monotone is computed from its predicate, never declared.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from schoolmath.problems import DesignError


class ConceptFamily(StrEnum):
    """What sort of concept it is."""

    PROPORTION = "proportion"
    CARDINAL = "number"
    QUANTIFIER = "quantifier"
    INTERVAL = "interval"
    EXACT = "exact amount"
    PARITY = "parity of the part"
    TOTAL_PARITY = "parity of the total"


class ConceptRelation(StrEnum):
    """How the part is judged; the value is how it is written."""

    MORE = "more than"
    LESS = "less than"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    EXACTLY = "exactly"
    BETWEEN = "between"
    OUTSIDE = "outside"
    ALL = "all"
    NONE = "none"
    SOME = "some"
    NOT_ALL = "not all"
    EVEN = "an even number"
    ODD = "an odd number"
    EVEN_TOTAL = "an even total"
    ODD_TOTAL = "an odd total"


class Monotonicity(StrEnum):
    """What happens to a yes when somebody has more of the same total."""

    UP = "upward"
    """It stays a yes."""
    DOWN = "downward"
    """It stays a yes when somebody has less."""
    BOTH = "both"
    """The part makes no difference."""
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class ConceptThreshold:
    """Where a concept changes its mind: a share of the total, or a number of things."""

    value: Fraction
    is_share: bool

    def side(self, total: int, has: int) -> int:
        """Below 0 where the part is smaller than the bound, 0 where it is equal, else above."""
        whole = total if self.is_share else 1
        return has * self.value.denominator - self.value.numerator * whole

    def distance(self, total: int, has: int) -> Fraction:
        """How far the part is from the bound, as a share of the total."""
        share = self.value if self.is_share else self.value / total
        return abs(Fraction(has, total) - share)

    def __str__(self) -> str:
        if self.is_share:
            return f"{self.value.numerator}/{self.value.denominator}"
        return str(self.value)


_COMPLEMENTS = (
    (ConceptRelation.MORE, ConceptRelation.AT_MOST),
    (ConceptRelation.LESS, ConceptRelation.AT_LEAST),
    (ConceptRelation.BETWEEN, ConceptRelation.OUTSIDE),
    (ConceptRelation.ALL, ConceptRelation.NOT_ALL),
    (ConceptRelation.NONE, ConceptRelation.SOME),
    (ConceptRelation.EVEN, ConceptRelation.ODD),
    (ConceptRelation.EVEN_TOTAL, ConceptRelation.ODD_TOTAL),
)
_COMPLEMENT = {one: other for pair in _COMPLEMENTS for one, other in (pair, pair[::-1])}
_MIRROR = {
    ConceptRelation.MORE: ConceptRelation.LESS,
    ConceptRelation.LESS: ConceptRelation.MORE,
    ConceptRelation.AT_LEAST: ConceptRelation.AT_MOST,
    ConceptRelation.AT_MOST: ConceptRelation.AT_LEAST,
    ConceptRelation.ALL: ConceptRelation.NONE,
    ConceptRelation.NONE: ConceptRelation.ALL,
    ConceptRelation.SOME: ConceptRelation.NOT_ALL,
    ConceptRelation.NOT_ALL: ConceptRelation.SOME,
}
_UNCHANGED = (ConceptRelation.EXACTLY, ConceptRelation.BETWEEN, ConceptRelation.OUTSIDE)
_FAMILIES = {
    ConceptRelation.EXACTLY: ConceptFamily.EXACT,
    ConceptRelation.BETWEEN: ConceptFamily.INTERVAL,
    ConceptRelation.OUTSIDE: ConceptFamily.INTERVAL,
    ConceptRelation.ALL: ConceptFamily.QUANTIFIER,
    ConceptRelation.NONE: ConceptFamily.QUANTIFIER,
    ConceptRelation.SOME: ConceptFamily.QUANTIFIER,
    ConceptRelation.NOT_ALL: ConceptFamily.QUANTIFIER,
    ConceptRelation.EVEN: ConceptFamily.PARITY,
    ConceptRelation.ODD: ConceptFamily.PARITY,
    ConceptRelation.EVEN_TOTAL: ConceptFamily.TOTAL_PARITY,
    ConceptRelation.ODD_TOTAL: ConceptFamily.TOTAL_PARITY,
}
_WHOLE = ConceptThreshold(Fraction(1), is_share=True)
_NOTHING = ConceptThreshold(Fraction(0), is_share=False)
_HIDDEN_BOUNDS = {
    ConceptRelation.ALL: (_WHOLE,),
    ConceptRelation.NOT_ALL: (_WHOLE,),
    ConceptRelation.NONE: (_NOTHING,),
    ConceptRelation.SOME: (_NOTHING,),
}


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept, as it is written: `biaslab.studies.concepts.read_concept` reads its id.

    Attributes:
        relation: how the part is judged.
        bounds: what it is compared with: none, one, or two in rising order.
        swapped: whether the answers are exchanged: yes to what the phrase is not true of.
    """

    relation: ConceptRelation
    bounds: tuple[ConceptThreshold, ...] = ()
    swapped: bool = False

    @property
    def id(self) -> str:
        """The concept in words, as on the command line."""
        return f"{'swapped: ' if self.swapped else ''}{self.phrase}"

    @property
    def phrase(self) -> str:
        """What it means, without the exchange of answers: ``more than 3/10``."""
        if not self.bounds:
            return str(self.relation)
        return f"{self.relation} {' and '.join(map(str, self.bounds))}"

    @property
    def family(self) -> ConceptFamily:
        """What sort of concept it is."""
        known = _FAMILIES.get(self.relation)
        if known is not None:
            return known
        return ConceptFamily.PROPORTION if self.bounds[0].is_share else ConceptFamily.CARDINAL

    @property
    def bound(self) -> str:
        """Its bound in words, where it has exactly one: ``3/10``."""
        return str(self.bounds[0]) if len(self.bounds) == 1 else ""

    def holds(self, total: int, has: int) -> bool:
        """Whether the phrase is true of somebody who has so many of a total."""
        match self.relation:
            case ConceptRelation.ALL | ConceptRelation.NOT_ALL:
                return (has == total) == (self.relation is ConceptRelation.ALL)
            case ConceptRelation.NONE | ConceptRelation.SOME:
                return (has == 0) == (self.relation is ConceptRelation.NONE)
            case ConceptRelation.EVEN | ConceptRelation.ODD:
                return (has % 2 == 0) == (self.relation is ConceptRelation.EVEN)
            case ConceptRelation.EVEN_TOTAL | ConceptRelation.ODD_TOTAL:
                return (total % 2 == 0) == (self.relation is ConceptRelation.EVEN_TOTAL)
            case ConceptRelation.BETWEEN | ConceptRelation.OUTSIDE:
                low, high = self.bounds
                inside = low.side(total, has) >= 0 >= high.side(total, has)
                return inside == (self.relation is ConceptRelation.BETWEEN)
        side = self.bounds[0].side(total, has)
        match self.relation:
            case ConceptRelation.MORE:
                return side > 0
            case ConceptRelation.LESS:
                return side < 0
            case ConceptRelation.AT_LEAST:
                return side >= 0
            case ConceptRelation.AT_MOST:
                return side <= 0
        return side == 0

    def answers_yes(self, total: int, has: int) -> bool:
        """Whether yes is the right answer: as `holds`, unless answers are exchanged."""
        return self.holds(total, has) != self.swapped

    def is_tie(self, total: int, has: int) -> bool:
        """Whether the part lies exactly on a bound that parts it from others."""
        if self.relation is ConceptRelation.EXACTLY:
            return False
        return any(bound.side(total, has) == 0 for bound in self.bounds)

    def distance(self, total: int, has: int) -> Fraction | None:
        """How far the part is from the nearest bound, as a share; None without a bound."""
        bounds = self.bounds or _HIDDEN_BOUNDS.get(self.relation, ())
        return min((bound.distance(total, has) for bound in bounds), default=None)

    @property
    def complement(self) -> Concept:
        """The concept that says yes exactly where this one says no."""
        other = _COMPLEMENT.get(self.relation)
        if other is None:
            return self.with_labels_swapped
        return replace(self, relation=other)

    @property
    def with_labels_swapped(self) -> Concept:
        """The same phrase with the answers exchanged."""
        return replace(self, swapped=not self.swapped)

    @property
    def opposite(self) -> Concept | None:
        """Less for more of the same bound, and the like; None where there is no such concept."""
        relation = _MIRROR.get(self.relation)
        return None if relation is None else replace(self, relation=relation)

    @property
    def mirror(self) -> Concept | None:
        """The concept that says of a part what this one says of the rest of the total.

        None where that is no concept of these families, as for numbers and parity.
        """
        if self.relation in (ConceptRelation.EVEN_TOTAL, ConceptRelation.ODD_TOTAL):
            return self
        if not all(bound.is_share for bound in self.bounds):
            return None
        unchanged: ConceptRelation | None = self.relation if self.relation in _UNCHANGED else None
        relation = _MIRROR.get(self.relation, unchanged)
        if relation is None:
            return None
        turned = tuple(replace(each, value=1 - each.value) for each in reversed(self.bounds))
        return replace(self, relation=relation, bounds=turned)


PUBLISHED = "published"
"""Stands for the nine concepts of the publication: more than 1/10, 2/10, ... 9/10."""

MOST_CONCEPTS = 50
"""Most concepts in one design: a limit of this app."""

LARGEST_BOUND = 1_000
"""Largest number in a concept: no total is larger."""

_SPELLINGS = {
    "fewer than": ConceptRelation.LESS,
    "under": ConceptRelation.LESS,
    "over": ConceptRelation.MORE,
    "no more than": ConceptRelation.AT_MOST,
    "not more than": ConceptRelation.AT_MOST,
    "no less than": ConceptRelation.AT_LEAST,
    "no fewer than": ConceptRelation.AT_LEAST,
    "not less than": ConceptRelation.AT_LEAST,
    "not fewer than": ConceptRelation.AT_LEAST,
    "even number": ConceptRelation.EVEN,
    "even": ConceptRelation.EVEN,
    "odd number": ConceptRelation.ODD,
    "odd": ConceptRelation.ODD,
    "even total": ConceptRelation.EVEN_TOTAL,
    "odd total": ConceptRelation.ODD_TOTAL,
    "no": ConceptRelation.NONE,
    **{str(relation): relation for relation in ConceptRelation},
}
_BOUNDS = {
    ConceptRelation.MORE: 1, ConceptRelation.LESS: 1, ConceptRelation.AT_LEAST: 1,
    ConceptRelation.AT_MOST: 1,
    ConceptRelation.EXACTLY: 1, ConceptRelation.BETWEEN: 2, ConceptRelation.OUTSIDE: 2,
}  # fmt: skip
_SWAPPED = re.compile(r"\s*(?:labels?\s+)?swapped\s*:?\s*", re.IGNORECASE)
_WORDS = re.compile(r"[a-z]+(?: [a-z]+)*")
_NUMBER = re.compile(
    r"(?P<numerator>\d{1,6})\s*/\s*(?P<denominator>\d{1,6})"
    r"|(?P<percent>\d{1,3}(?:\.\d{1,4})?)\s*(?:%|per\s?cent\b)"
    r"|(?P<decimal>0?\.\d{1,6})|(?P<count>\d{1,6})"
)
_HALF = re.compile(r"\b(?:a |one )?(half|third|quarter)\b")
_NAMED = {"half": "1/2", "third": "1/3", "quarter": "1/4"}
EXAMPLES = "more than 3/10, at most 20, between 1/4 and 3/4, all, an even number"


class ConceptError(DesignError):
    """A text that is no concept.

    Args:
        reason: why not, in a full sentence.
        suggestion: what to write instead.
        setting: the setting at fault.
    """


def read_concept(text: str, setting: str = "concept") -> Concept:
    """The concept that a text names.

    Args:
        text: such as ``more than 3/10``, ``fewer than 12``, ``swapped: all``. A fraction, a
            percentage or a decimal is a share of the total, a whole number is a number of things.
        setting: named by errors.

    Raises:
        ConceptError: it names none; the error says what is wrong and what could stand there.
    """
    plain = " ".join(text.split()).casefold().rstrip(".")
    swap = _SWAPPED.match(plain)
    body = plain[swap.end() :] if swap else plain
    body = _HALF.sub(lambda match: _NAMED[match[1]], body)
    words = _WORDS.match(body)
    if words is None:
        raise ConceptError(
            f"“{text}” is no concept." if plain else "No concept is named.",
            f"Write one such as: {EXAMPLES}.",
            setting,
        )
    relation = _SPELLINGS.get(words[0].removesuffix(" of the"))
    if relation is None:
        near = difflib.get_close_matches(words[0], [str(each) for each in ConceptRelation], 1, 0.5)
        raise ConceptError(
            f"“{words[0]}” in “{text}” is no relation that concepts have.",
            f"Did you mean “{near[0]}”?" if near else f"Write one such as: {EXAMPLES}.",
            setting,
        )
    bounds = _bounds(body[words.end() :], relation, text, setting)
    return Concept(relation, bounds, swap is not None)


def _bounds(
    rest: str, relation: ConceptRelation, text: str, setting: str
) -> tuple[ConceptThreshold, ...]:
    wanted = _BOUNDS.get(relation, 0)
    parts = [part.strip() for part in re.split(r"\band\b", rest)] if rest.strip() else []
    if len(parts) != wanted:
        needs = ("no number", "one number", "two numbers with “and” between them")[wanted]
        raise ConceptError(
            f"“{text}”: “{relation}” needs {needs}.",
            f"Write one such as: {EXAMPLES}.",
            setting,
        )
    bounds = tuple(_bound(part, text, setting) for part in parts)
    if len({bound.is_share for bound in bounds}) > 1:
        raise ConceptError(
            f"“{text}” mixes a share of the total with a number of things.",
            "Write two fractions, such as 1/4 and 3/4, or two whole numbers, such as 5 and 10.",
            setting,
        )
    if len(bounds) == 2 and bounds[0].value >= bounds[1].value:
        raise ConceptError(
            f"“{text}”: the first number is not smaller than the second.",
            f"Write “{relation} {bounds[1]} and {bounds[0]}”."
            if bounds[0].value > bounds[1].value
            else "Write two different numbers, the smaller one first.",
            setting,
        )
    return bounds


def _bound(part: str, text: str, setting: str) -> ConceptThreshold:
    match = _NUMBER.fullmatch(part)
    if match is None:
        raise ConceptError(
            f"“{part}” in “{text}” is no number that concepts have.",
            "Write a fraction such as 3/10, a percentage such as 30 %, or a whole number.",
            setting,
        )
    if match["count"] is not None:
        count = int(match["count"])
        if count > LARGEST_BOUND:
            raise ConceptError(
                f"{count:,} in “{text}” is larger than any total.",
                f"The nearest that works is {LARGEST_BOUND}.",
                setting,
            )
        return ConceptThreshold(Fraction(count), is_share=False)
    if match["denominator"] is not None:
        if int(match["denominator"]) == 0:
            raise ConceptError(
                f"{part} in “{text}” divides by zero.", "Write a fraction such as 3/10.", setting
            )
        share = Fraction(int(match["numerator"]), int(match["denominator"]))
    elif match["percent"] is not None:
        share = Fraction(match["percent"]) / 100
    else:
        share = Fraction(match["decimal"])
    if share > 1:
        raise ConceptError(
            f"{part} in “{text}” is more than the whole total, which nobody can have.",
            "Write a fraction up to 1/1, or a whole number for a number of things.",
            setting,
        )
    return ConceptThreshold(share, is_share=True)


def read_concepts(text: str, setting: str = "concept") -> tuple[Concept, ...]:
    """Several concepts with semicolons between them, or ``published`` for the nine.

    Raises:
        ConceptError: one of them is none, comes twice, or there are too many.
    """
    if text.strip().casefold() == PUBLISHED:
        return tuple(
            Concept(ConceptRelation.MORE, (ConceptThreshold(Fraction(tenths, 10), is_share=True),))
            for tenths in range(1, 10)
        )
    parts = [part for part in text.split(";") if part.strip()]
    if len(parts) > MOST_CONCEPTS:
        raise ConceptError(
            f"{len(parts)} concepts are more than one design takes.",
            f"The nearest that works is {MOST_CONCEPTS}.",
            setting,
        )
    found = tuple(read_concept(part, setting) for part in parts or [""])
    for at, concept in enumerate(found):
        if concept in found[:at]:
            raise ConceptError(
                f"The concept “{concept.id}” is named twice.", "Name each one once.", setting
            )
    return found
