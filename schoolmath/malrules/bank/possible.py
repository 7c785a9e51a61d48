"""What cannot be, by the kind of quantity that a question asks for.

A pupil may well answer that a probability is 7/6. As an option it tells whoever knows what a
probability is that it is wrong, without any thought of the rule behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from schoolmath.malrules.answers import Answer, AnswerKind


@dataclass(frozen=True, slots=True)
class Quantity:
    """A kind of quantity, and what it can be.

    Attributes:
        name: of the kind.
        asked: found in the last sentence of a question that asks for it.
        low, high: it lies between them; None: no such end.
        ends: whether it can be as small as low, and as large as high.
        whole: whether it is counted.
    """

    name: str
    asked: re.Pattern[str]
    low: int | None = None
    high: int | None = None
    ends: tuple[bool, bool] = (True, True)
    whole: bool = False

    def can_be(self, value: Fraction) -> bool:
        """Whether a quantity of this kind can have the value."""
        if self.whole and value.denominator != 1:
            return False
        if self.low is not None and (value < self.low or (value == self.low and not self.ends[0])):
            return False
        return self.high is None or value < self.high or (value == self.high and self.ends[1])


_MEASURED = (
    "hundred|thousand|degrees|kilograms?|grams?|(?:centi|milli|kilo)?metres?|(?:milli)?litres?|"
    "dollars?|cents?|hours?|minutes?|seconds?|square|cubic|times|points|more|percent|units"
)

QUANTITIES = (
    Quantity("probability", re.compile(r"\bprobability\b"), 0, 1),
    Quantity(
        "angle", re.compile(r"\bdegrees does .*\bangle\b|\bdegrees is .*\bangle\b"), 0, 180,
        (False, False),
    ),
    Quantity("length, area or volume", re.compile(
        r"\b(?:area|perimeter|volume|circumference|length|width|height|radius|diameter)\b"
        r"|\bhow (?:long|wide|high|tall|far)\b", re.IGNORECASE,
    ), 0, None, (False, True)),
    Quantity(
        "number of things",
        re.compile(rf"\b[Hh]ow many (?!(?:{_MEASURED})\b)\w+"), 0, None, (True, True), True,
    ),
)  # fmt: skip
"""The first that is asked for is the kind of a question."""


def quantity_of(question: str) -> Quantity | None:
    """The kind of quantity that a question asks for, None where it is a plain number."""
    last = re.split(r"(?<=[.?!])\s+", question.rstrip("”"))[-1]
    return next((each for each in QUANTITIES if each.asked.search(last)), None)


def can_be(question: str, answer: Answer) -> bool:
    """Whether an answer is a value that the quantity asked for can have."""
    if answer.kind is not AnswerKind.NUMBER or not isinstance(answer.value, Fraction):
        return True
    kind = quantity_of(question)
    return kind is None or kind.can_be(answer.value)
