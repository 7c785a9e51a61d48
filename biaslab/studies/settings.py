"""Reading the settings of a design, with refusals that say what would work."""

from __future__ import annotations

import re
from typing import NamedTuple

from biaslab.studies.study import Design, Setting, Value
from schoolmath.problems import DesignError

_RANGE = re.compile(r"\s*(-?\d+)\s*(?:(?:-|–|to)\s*(-?\d+)\s*)?")


class Range(NamedTuple):
    """Two whole numbers, both included."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


def value_of(design: Design, setting: Setting) -> Value:
    """The design's value of a setting, or the setting's default."""
    return design.settings.get(setting.name, setting.default)


def range_of(design: Design, setting: Setting) -> Range:
    """A setting of kind ``range`` as two numbers: "1-5", or "3" for three alone.

    Raises:
        DesignError: it is not a range, is upside down, or leaves what the setting allows.
    """
    text = str(value_of(design, setting))
    match = _RANGE.fullmatch(text)
    if match is None:
        raise DesignError(
            f"{setting.label}: {text!r} is not a range.",
            f"Write two whole numbers, such as {setting.default}.",
            setting.name,
        )
    low = int(match[1])
    high = int(match[2]) if match[2] else low
    nearest = Range(
        max(min(low, high), setting.minimum),
        min(max(low, high), setting.maximum),
    )
    if nearest.low > nearest.high:
        nearest = range_of(Design(design.study, design.n, design.seed), setting)
    if (low, high) != nearest:
        raise DesignError(
            f"{setting.label}: {text} is not within {setting.minimum} to {setting.maximum}"
            f"{' in rising order' if low > high else ''}.",
            f"The nearest setting that works is {nearest}.",
            setting.name,
        )
    return nearest


def choice_of(design: Design, setting: Setting) -> str:
    """A setting of kind ``choice``.

    Raises:
        DesignError: it is none of the choices.
    """
    text = str(value_of(design, setting))
    text = dict(setting.formerly).get(text, text)
    if text not in setting.choices:
        raise DesignError(
            f"{setting.label}: {text!r} is not one of the choices.",
            f"Choose {' or '.join(setting.choices)}.",
            setting.name,
        )
    return text


def integer_of(design: Design, setting: Setting) -> int:
    """A setting of kind ``integer``.

    Raises:
        DesignError: it is no whole number, or not one that the setting allows.
    """
    text = str(value_of(design, setting)).strip()
    if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII):
        raise DesignError(
            f"{setting.label}: {text!r} is not a whole number.",
            f"Write a number from {setting.minimum} to {setting.maximum}.",
            setting.name,
        )
    nearest = min(max(int(text), setting.minimum), setting.maximum)
    if int(text) != nearest:
        raise DesignError(
            f"{setting.label}: {text} is not within {setting.minimum} to {setting.maximum}.",
            f"The nearest setting that works is {nearest}.",
            setting.name,
        )
    return nearest
