"""Claims about effects, each true, false or open by its interval; and what several come to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum

from biaslab.stats.estimates import Interval
from biaslab.training.origins.effects import OriginEffect, contrast
from biaslab.training.origins.measures import NO_EFFECT, no_effect


class Truth(Enum):
    """What the figures say of a claim."""

    TRUE = "true"
    FALSE = "false"
    OPEN = "open"
    UNKNOWN = "not measured"


class Verdict(StrEnum):
    """What came of a prediction."""

    AS_PREDICTED = "as predicted"
    NOT_AS_PREDICTED = "not as predicted"
    UNDECIDED = "undecided: intervals too wide"
    NOT_MEASURED = "undecided: not measured"


@dataclass(frozen=True, slots=True)
class Claim:
    """A part of a prediction.

    Attributes:
        text: what is claimed: ``the effect with skewed is positive``.
        answer: what the figures say.
        way: how the pairs were asked; empty where that is one and the same for all claims.
    """

    text: str
    answer: Truth
    way: str = ""


def message(claims: Sequence[Claim], answer: Truth) -> str:
    """The claims with this answer, each text once with the prompt strategies it goes for."""
    ways: dict[str, list[str]] = {}
    for claim in claims:
        if claim.answer is answer:
            ways.setdefault(claim.text, []).append(claim.way)
    every = len({claim.way for claim in claims})
    return "; ".join(
        text if len(of) == every else f"{text} ({' and '.join(of)})" for text, of in ways.items()
    )


def verdict(claims: Iterable[Claim]) -> Verdict:
    """One false claim is enough for "not as predicted"; all must be true for "as predicted"."""
    answers = {claim.answer for claim in claims}
    if Truth.FALSE in answers:
        return Verdict.NOT_AS_PREDICTED
    if Truth.UNKNOWN in answers or not answers:
        return Verdict.NOT_MEASURED
    return Verdict.UNDECIDED if Truth.OPEN in answers else Verdict.AS_PREDICTED


def positive(interval: Interval | None, sign: int = 1) -> Truth:
    """Whether what an interval belongs to is above zero (``sign`` 1) or below it (-1).

    False where it lies on the other side, and where it holds zero and nothing as large as
    `NO_EFFECT` on the side claimed: a narrow interval around zero is an answer too.
    """
    if interval is None:
        return Truth.UNKNOWN
    low, high = sorted((sign * interval.low, sign * interval.high))
    if low > 0.0:
        return Truth.TRUE
    return Truth.FALSE if high < NO_EFFECT else Truth.OPEN


def is_positive(effect: OriginEffect | None, name: str, sign: int = 1) -> Claim:
    """The effect of a mix is positive, or negative."""
    word = "positive" if sign > 0 else "negative"
    interval = None if effect is None else effect.spread.judged
    return Claim(f"the effect with {name} is {word}", positive(interval, sign))


def is_none(effect: OriginEffect | None, name: str) -> Claim:
    """The effect of a mix is within `NO_EFFECT` of zero."""
    text = f"the effect with {name} is within 5 points of zero"
    if effect is None or effect.spread.judged is None:
        return Claim(text, Truth.UNKNOWN)
    return Claim(text, {True: Truth.TRUE, False: Truth.FALSE, None: Truth.OPEN}[no_effect(effect)])


def is_larger(one: OriginEffect | None, other: OriginEffect | None, names: str) -> Claim:
    """The first effect is larger than the second, by the interval of their difference."""
    interval = None if one is None or other is None else contrast(one, other).judged
    return Claim(f"the effect is larger with {names}", positive(interval))


def differ(one: OriginEffect | None, other: OriginEffect | None, names: str) -> Claim:
    """The interval of the first lies wholly above that of the second.

    False where no more than a difference of `NO_EFFECT` is left between them.
    """
    text = f"the intervals of {names} do not overlap"
    a = None if one is None else one.spread.judged
    b = None if other is None else other.spread.judged
    if a is None or b is None:
        return Claim(text, Truth.UNKNOWN)
    return Claim(text, positive(Interval(a.low - b.high, a.high - b.low)))
