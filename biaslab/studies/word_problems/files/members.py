"""Which member of each pair goes to those who must not see both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from biaslab.studies import Item, Pair


class Members(StrEnum):
    """What is taken of each pair."""

    X = "x"
    """The member that is easier by hypothesis."""
    X_PRIME = "x_prime"
    """The other one."""
    ALTERNATING = "alternating"
    """x of the first pair, x′ of the second, and so on."""
    BOTH = "both"
    """Both, one after the other."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One problem taken of a pair.

    Attributes:
        pair: id of the pair.
        row: the pair's number, from 1.
        arm: ``x`` or ``x_prime``.
        item: the problem.
    """

    pair: str
    row: int
    arm: str
    item: Item


def take(pairs: Iterable[Pair], members: Members) -> Iterator[Taken]:
    """The problems chosen, in the order of the pairs."""
    for row, pair in enumerate(pairs, start=1):
        both = {"x": pair.x, "x_prime": pair.x_prime}
        arms: tuple[str, ...]
        if members is Members.BOTH:
            arms = ("x", "x_prime")
        elif members is Members.ALTERNATING:
            arms = ("x" if row % 2 else "x_prime",)
        else:
            arms = (members.value,)
        for arm in arms:
            yield Taken(pair.id, row, arm, both[arm])
