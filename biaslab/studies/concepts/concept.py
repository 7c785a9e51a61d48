"""Concepts: which parts of a total count, as exact predicates over whole numbers.

A concept says yes or no to a pair (total, has): how many things there are, and how many of them
somebody has. Fractions are compared by multiplying whole numbers, never as floats: ``has > 0.7 *
total`` is wrong for 63 of 90.

Whether a concept is monotone is computed from its predicate, never declared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction


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
