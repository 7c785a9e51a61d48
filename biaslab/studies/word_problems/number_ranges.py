"""The range of numbers in a design, and refusing one in which some problem cannot be made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from biaslab.studies.designs import Range
from biaslab.studies.study import Setting, Value
from schoolmath.problems import DesignError
from schoolmath.problems.quantities import NumberRange

T = TypeVar("T")

ATTEMPTS = 1_000
"""After so many draws without success a kind of problem counts as impossible."""


def first_success(attempt: Callable[[], T | None]) -> T | None:
    """The first result of an attempt that may reach a dead end, or None after `ATTEMPTS`."""
    for _ in range(ATTEMPTS):
        found = attempt()
        if found is not None:
            return found
    return None


def difficulties(steps: Setting, numbers: Sequence[str]) -> tuple[Mapping[str, Value], ...]:
    """A ladder over steps, each with these ranges of numbers, and three digits at its top.

    A further step is harder than larger numbers of the same steps.
    """
    counts = range(steps.minimum, steps.maximum + 1)
    found = [{"steps": str(count), "numbers": each} for count in counts for each in numbers]
    return (*found, {"steps": str(steps.maximum), "numbers": "2-999"})


def require_numbers(
    numbers: Range, setting: Setting, impossible: Callable[[NumberRange], Iterable[str]]
) -> NumberRange:
    """The range of numbers, once every kind of problem in the design can be made with it.

    Args:
        numbers: what was asked for.
        setting: the setting it comes from.
        impossible: the kinds of problem for which a range holds no numbers, in words.

    Raises:
        DesignError: naming such a kind and the nearest wider range that holds numbers for all,
            or saying that none does.
    """
    asked = NumberRange(*numbers)
    kind = next(iter(impossible(asked)), None)
    if kind is None:
        return asked
    nearest = _nearest(asked, setting, impossible)
    raise DesignError(
        f"{setting.label}: with numbers from {asked.low} to {asked.high} there are no problems "
        f"with {kind}.",
        f"The nearest setting that works is {nearest}."
        if nearest
        else f"No wider range up to {setting.minimum}-{setting.maximum} was found to work either: "
        "change what is asked of the problems.",
        setting.name,
    )


def _nearest(
    numbers: NumberRange, setting: Setting, impossible: Callable[[NumberRange], Iterable[str]]
) -> str:
    """The range widened upwards, downwards or both ways, by as little as makes it work.

    Otherwise the setting's default; "" where that does not work either.
    """
    low, high = numbers
    wider = 1
    while wider <= 2 * setting.maximum:
        up = min(high + wider, setting.maximum)
        down = max(low - wider, setting.minimum)
        for candidate in (NumberRange(low, up), NumberRange(down, high), NumberRange(down, up)):
            if next(iter(impossible(candidate)), None) is None:
                return f"{candidate.low}-{candidate.high}"
        wider *= 2
    least, _, most = str(setting.default).partition("-")
    default = NumberRange(int(least), int(most or least))
    return "" if next(iter(impossible(default)), None) else str(setting.default)
