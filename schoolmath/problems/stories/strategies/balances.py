"""Quantities that are tied to one another: parts and a whole, factors and a product.

Whatever follows from the ties, forwards or backwards, is worked out with its equations; where one
step at a time is not enough, in units of one unknown: 3 units and 12 more are 48.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction

from schoolmath.problems.stories.strategies.terms import Term


class NoBalance(Exception):
    """An amount has no certain place in the accounts."""


@dataclass(slots=True, eq=False)
class Holding:
    """A number of the story's world; its term once it is known."""

    term: Term | None = None


@dataclass(frozen=True, slots=True)
class Tie:
    """Parts that add up to a whole, or two factors of a product."""

    parts: tuple[Holding, ...]
    whole: Holding
    sign: str = "+"

    def settle(self) -> bool:
        """Works out the one quantity that is not known; whether there was one."""
        missing = [each for each in self.parts if each.term is None]
        known = [each.term for each in self.parts if each.term is not None]
        if self.whole.term is None and not missing:
            self.whole.term = folded(self.sign, known)
            return True
        if self.whole.term is None or len(missing) != 1:
            return False
        if self.sign == "*" and not known[0].value:
            raise NoBalance
        missing[0].term = folded("-" if self.sign == "+" else "/", [self.whole.term, *known])
        return True

    def holds(self) -> bool:
        """Whether it is true of what was worked out."""
        known = [each.term for each in self.parts if each.term is not None]
        if self.whole.term is None or len(known) < len(self.parts):
            return True
        return folded(self.sign, known).value == self.whole.term.value


def folded(sign: str, terms: Sequence[Term]) -> Term:
    """The result of one operation with all terms; a step that two of them share stands once."""
    result = terms[0]
    for each in terms[1:]:
        steps = tuple(step for step in each.steps if step not in result.steps)
        result = result.combined(sign, replace(each, steps=steps))
    return result


def total(quantities: Sequence[Holding], ties: list[Tie]) -> Holding:
    """All of some quantities together; the tie between them is added."""
    if len(quantities) == 1:
        return quantities[0]
    result = Holding()
    ties.append(Tie(tuple(quantities), result))
    return result


def work_out(ties: Sequence[Tie], target: Holding | None) -> Term | None:
    """Works out all that follows from ties.

    Args:
        ties: all that is known.
        target: the quantity that is asked for.

    Returns:
        its term; None where it does not follow, or is told without a step.

    Raises:
        NoBalance: the ties contradict one another, or something would be less than none.
    """
    if target is None:
        return None
    _follow(ties)
    if target.term is None:
        unknown = {id(each): each for tie in ties for each in (*tie.parts, tie.whole)}
        for each in unknown.values():
            if each.term is None and (found := _in_units(ties, each)) is not None:
                each.term = found
                break
        _follow(ties)
    terms = [each.term for tie in ties for each in (*tie.parts, tie.whole)]
    if not all(tie.holds() for tie in ties) or any(
        each is not None and each.value < 0 for each in terms
    ):
        raise NoBalance
    return target.term if target.term is not None and target.term.steps else None


def _follow(ties: Sequence[Tie]) -> None:
    again = True
    while again:
        again = False
        for tie in ties:
            again = tie.settle() or again


@dataclass(frozen=True, slots=True)
class _Units:
    """So many units of an unknown, with so much more and so much less."""

    count: Term | None = None
    more: Term | None = None
    less: Term | None = None

    def plus(self, other: _Units) -> _Units:
        """Both together."""
        pairs = zip(
            (self.count, self.more, self.less), (other.count, other.more, other.less), strict=True
        )
        return _Units(*(_added(one, two) for one, two in pairs))

    def minus(self, other: _Units) -> _Units | None:
        """The one without the other; None where that is no number of units."""
        if _value(self.count) < _value(other.count):
            return None
        count = _taken(self.count, other.count)
        return _Units(count, _added(self.more, other.less), _added(self.less, other.more))

    def times(self, factor: Term) -> _Units:
        """So many times as much."""
        return _Units(
            *(
                None if each is None
                else factor if each.value == 1 and not each.used
                else folded("*", [_in_ones(each), factor])
                for each in (self.count, self.more, self.less)
            )
        )  # fmt: skip


def _added(one: Term | None, other: Term | None) -> Term | None:
    if one is None or other is None:
        return one or other
    if not one.used | other.used:
        # One of it and one more of it: nobody writes 1 + 1.
        return Term(one.value + other.value)
    return folded("+", [_in_ones(one), _in_ones(other)])


def _in_ones(count: Term) -> Term:
    """A count of units as a sum of ones, where it could be taken for a number that is told."""
    return count if count.used else folded("+", [Term(Fraction(1))] * int(count.value))


def _value(count: Term | None) -> Fraction:
    return Fraction(0) if count is None else count.value


def _taken(one: Term | None, other: Term | None) -> Term | None:
    """What is left of a count without another that is no greater; None for nothing."""
    if other is None or one is None:
        return one
    if one.value == other.value:
        return None
    if not one.used | other.used:
        return Term(one.value - other.value)
    return folded("-", [_in_ones(one), _in_ones(other)])


def _in_units(ties: Sequence[Tie], unit: Holding) -> Term | None:
    """A quantity, from a tie whose quantities are all so many times as much, more or less."""
    known: dict[int, _Units] = {id(unit): _Units(Term(Fraction(1)))}
    for tie in ties:
        for each in (*tie.parts, tie.whole):
            if each.term is not None:
                known[id(each)] = _Units(more=each.term)
    numbers = {each.more.value for each in known.values() if each.more is not None}
    used: set[int] = set()
    again = True
    while again:
        again = False
        for at, tie in enumerate(ties):
            if at in used:
                continue
            parts = [known.get(id(each)) for each in tie.parts]
            missing = [each for each in tie.parts if id(each) not in known]
            whole = known.get(id(tie.whole))
            made = _together(tie.sign, [each for each in parts if each is not None])
            if made is None or (missing and (whole is None or len(missing) > 1 or tie.sign == "*")):
                continue
            if missing:
                assert whole is not None
                rest = whole.minus(made)
                if rest is None:
                    continue
                known[id(missing[0])] = rest
            elif whole is None:
                known[id(tie.whole)] = made
            elif (found := _equal(made, whole, numbers)) is not None:
                return found
            again = True
            used.add(at)
    return None


def _together(sign: str, parts: Sequence[_Units]) -> _Units | None:
    """The sum of parts, or the product of one with a number."""
    if not parts:
        return None
    result = parts[0]
    for each in parts[1:]:
        if sign == "+":
            result = result.plus(each)
            continue
        numbers = [one for one in (result, each) if one.count is None and one.less is None]
        if not numbers or numbers[-1].more is None:
            return None
        other = result if numbers[-1] is each else each
        result = other.times(numbers[-1].more)
    return result


def _equal(one: _Units, other: _Units, numbers: Set[Fraction]) -> Term | None:
    """How much a unit is where two numbers of units are equal; None where any would do."""
    low, high = sorted((one, other), key=lambda each: _value(each.count))
    count = _taken(high.count, low.count)
    if count is None:
        return None
    term = _added(low.more, high.less)
    for each in (high.more, low.less):
        if each is not None and term is not None:
            term = folded("-", [term, each])
    if term is None or term.value < 0:
        return None
    if count.value == 1:
        return term
    return folded("/", [term, _in_ones(count) if count.value in numbers else count])
