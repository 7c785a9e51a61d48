"""Bare sums, differences, products and quotients: what a tiny model learns before problems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from schoolmath.problems import Draws, Operation
from schoolmath.problems.quantities import apply, carries

KIND_SHARES = (("small", 0.36), ("two digits", 0.22), ("three digits", 0.22), ("table", 0.20))
"""Sums and differences as in problems with numbers up to 20, of two and of three digits, and
products and quotients."""

FIRST_SHARES = (("small", 0.75), ("two digits", 0.25))
"""What a model starts with."""


@dataclass(frozen=True, slots=True)
class Equation:
    """``left operation right = result``, all whole numbers from 1."""

    left: int
    operation: str
    right: int
    result: int

    @property
    def question(self) -> str:
        """The equation without its result: ``18 - 3``."""
        return f"{self.left} {self.operation} {self.right}"


def equations(
    seed: int | str,
    shares: tuple[tuple[str, float], ...] = KIND_SHARES,
    carrying: tuple[int, int] | None = None,
) -> Iterator[Equation]:
    """Equations without end; the same seed gives the same ones.

    Args:
        seed: any whole number, or a text.
        shares: kinds of equations and their shares, which add up to 1.
        carrying: ratio of three-digit sums and differences without a carry or borrow to those
            with one; as they come where it is left out.
    """
    draws = Draws(f"equations/{seed}")
    while True:
        kind = _kind(draws, shares)
        if kind != "three digits" or carrying is None:
            yield _draw(draws, kind)
            continue
        without = draws.below(sum(carrying)) < carrying[0]
        while True:
            drawn = _draw(draws, kind)
            if (carries(drawn.operation, drawn.left, drawn.right) == 0) is without:
                yield drawn
                break


def _kind(draws: Draws, shares: tuple[tuple[str, float], ...]) -> str:
    point = draws.between(0, 9_999) / 10_000
    for kind, share in shares:
        point -= share
        if point < 0:
            return kind
    return shares[-1][0]


def _draw(draws: Draws, kind: str) -> Equation:
    if kind == "table":
        return _table(draws)
    if kind == "small":
        left, right = draws.between(2, 60 if draws.chance(0.4) else 20), draws.between(2, 20)
    elif kind == "two digits":
        left, right = draws.between(1, 120), draws.between(1, 99)
    else:
        left, right = draws.between(100, 999), draws.between(100, 999)
    if draws.chance(0.5) and left + right <= 999:
        return Equation(left, Operation.ADD, right, left + right)
    left, right = max(left, right), min(left, right)
    if left == right:
        left += 1
    return Equation(left, Operation.SUBTRACT, right, left - right)


def _table(draws: Draws) -> Equation:
    if draws.chance(0.5):
        left = draws.between(2, 40 if draws.chance(0.3) else 20)
        right = draws.between(2, min(20, 999 // left))
        return Equation(left, Operation.MULTIPLY, right, apply(Operation.MULTIPLY, left, right))
    right = draws.between(2, 20)
    result = draws.between(1, 10 if draws.chance(0.7) else 20)
    return Equation(right * result, Operation.DIVIDE, right, result)
