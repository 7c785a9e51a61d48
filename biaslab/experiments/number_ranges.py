"""The range of numbers in a design, and refusing one in which no problem can be made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from biaslab.experiments.experiment import Design, Setting
from biaslab.experiments.settings import range_of
from biaslab.problems import DesignError
from biaslab.problems.quantities import NumberRange

T = TypeVar("T")

ATTEMPTS = 2_000
"""So many draws without success and a range of numbers is refused."""


def number_range(design: Design, setting: Setting) -> NumberRange:
    """The design's range of numbers."""
    return NumberRange(*range_of(design, setting))


def pairs_of_numbers(
    attempt: Callable[[NumberRange], T | None], numbers: NumberRange, setting: Setting
) -> T:
    """The first success of an attempt that may reach a dead end.

    Raises:
        DesignError: the range holds no such numbers, with the nearest wider one that does.
    """
    found = _try(attempt, numbers)
    if found is not None:
        return found
    raise DesignError(
        f"{setting.label}: with numbers from {numbers.low} to {numbers.high} "
        "there are no problems of the kind asked for.",
        f"The nearest setting that works is {_nearest(attempt, numbers, setting)}.",
        setting.name,
    )


def _try(attempt: Callable[[NumberRange], T | None], numbers: NumberRange) -> T | None:
    for _ in range(ATTEMPTS):
        found = attempt(numbers)
        if found is not None:
            return found
    return None


def _nearest(
    attempt: Callable[[NumberRange], T | None], numbers: NumberRange, setting: Setting
) -> str:
    """The range widened upwards, then downwards, by as little as makes it work."""
    low, high = numbers
    wider = 1
    while wider <= setting.maximum:
        for candidate in (
            NumberRange(low, min(high + wider, setting.maximum)),
            NumberRange(max(low - wider, setting.minimum), high),
            NumberRange(max(low - wider, setting.minimum), min(high + wider, setting.maximum)),
        ):
            if any(attempt(candidate) is not None for _ in range(ATTEMPTS // 10)):
                return f"{candidate.low}-{candidate.high}"
        wider *= 2
    return f"{setting.minimum}-{setting.maximum}"
