"""Digits by their places."""

from __future__ import annotations

from collections.abc import Sequence

PLACES = ("ones", "tens", "hundreds", "thousands", "ten thousands", "hundred thousands")
"""Names of the places from the right."""


def digits(value: int) -> list[int]:
    """The digits of a whole number from the ones on.

    Raises:
        ValueError: the number is negative.
    """
    if value < 0:
        raise ValueError(f"{value} is negative; digits are those of its size.")
    return [int(digit) for digit in reversed(str(value))]


def number(written: Sequence[int]) -> int:
    """The number with these digits from the ones on."""
    return sum(digit * 10**place for place, digit in enumerate(written))
