"""Checks of the fields of geometry, data and story problems, each error a sentence."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction


def check_whole(low: int, high: int, **fields: object) -> None:
    """That every field is a whole number within the limits, both included.

    Raises:
        ValueError: one is not; the message names it.
    """
    for name, value in fields.items():
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            words = name.replace("_", " ")
            raise ValueError(
                f"The {words} must be a whole number from {low} to {high}, not {value!r}."
            )


def check_wholes(low: int, high: int, least: int, **fields: object) -> None:
    """That every field is a tuple of at least so many whole numbers within the limits.

    Raises:
        ValueError: one is not; the message names it.
    """
    for name, values in fields.items():
        if not isinstance(values, tuple) or len(values) < least:
            raise ValueError(f"The {name} must be {least} numbers or more, not {values!r}.")
        for value in values:
            check_whole(low, high, **{f"numbers_in_{name}": value})


def check_one_of(options: Collection[str], **fields: object) -> None:
    """That every field is one of the options.

    Raises:
        ValueError: one is not; the message names it.
    """
    for name, value in fields.items():
        if value not in options:
            raise ValueError(f"The {name} must be one of {sorted(options)}, not {value!r}.")


def check_share(**fields: object) -> None:
    """That every field is a fraction between 0 and 1, both left out.

    Raises:
        ValueError: one is not; the message names it.
    """
    for name, value in fields.items():
        if not isinstance(value, Fraction) or not 0 < value < 1:
            raise ValueError(f"The {name} must be a fraction between 0 and 1, not {value!r}.")


def check_that(good: bool, sentence: str) -> None:
    """That something holds.

    Raises:
        ValueError: it does not; with the sentence.
    """
    if not good:
        raise ValueError(sentence)
