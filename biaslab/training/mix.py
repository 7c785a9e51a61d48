"""What a tiny model is trained on: which kinds of word problems, in what ratios.

Opedal et al. (2024, section 6) counted about five consistent comparisons for every inconsistent
one, and 130 problems of transfers for every 9 of comparisons, in school-like word problems. The
mix "skewed" has these ratios. A tiny model goes wrong because of its data or not at all: nothing
about its answers is set by hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

MOST = 1000
"""Largest number of a ratio."""

RATIOS = ("consistent:inconsistent", "transfer:comparison", "no-carry:carry")
"""Names of the three ratios, in the order in which they are written."""


class MixError(ValueError):
    """A mix that cannot be trained on; the text says why."""


def _twos(numbers: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(numbers[::2], numbers[1::2], strict=True))


@dataclass(frozen=True, slots=True)
class LessonMix:
    """Ratios of what the two arms of a study differ in, over all word problems of a training.

    Attributes:
        consistent, inconsistent: of the wordings of comparisons.
        transfer, comparison: of problems without a comparison to problems with one.
        no_carry, carry: of three-digit calculations without and with a carry or borrow.
    """

    consistent: int = 1
    inconsistent: int = 1
    transfer: int = 1
    comparison: int = 1
    no_carry: int = 1
    carry: int = 1

    def __post_init__(self) -> None:
        numbers = [getattr(self, field.name) for field in fields(self)]
        for name, (first, second) in zip(RATIOS, _twos(numbers), strict=True):
            if first < 0 or second < 0:
                raise MixError(f"The ratio {name}={first}:{second} has a number below zero.")
            if first + second == 0:
                raise MixError(
                    f"The ratio {name}=0:0 leaves nothing to train on: give at least one of the "
                    "two a number above zero."
                )
            if max(first, second) > MOST:
                raise MixError(f"The ratio {name}={first}:{second} goes beyond {MOST}.")

    @property
    def text(self) -> str:
        """The mix as `read_mix` reads it."""
        return ",".join(
            f"{name}={first}:{second}"
            for name, (first, second) in zip(RATIOS, _twos(astuple(self)), strict=True)
        )


@dataclass(frozen=True, slots=True)
class Filling:
    """That a share of the lessons which a ratio is about is replaced by neutral ones.

    So the numbers of both kinds can be changed while their ratio, all other lessons and the length
    of the training stay. Neutral lessons are bare sums and differences of small numbers; of
    carries, those without one.

    Attributes:
        of: the ratio, one of `RATIOS`: of comparisons, of all word problems, or of three-digit
            calculations.
        kept: the share of these lessons that stays, above 0 and at most 1.
    """

    of: str
    kept: float

    def __post_init__(self) -> None:
        if self.of not in RATIOS:
            raise MixError(f"“{self.of}” is no ratio of a mix: the ratios are {', '.join(RATIOS)}.")
        if not 0.0 < self.kept <= 1.0:
            raise MixError(f"A share of {self.kept:g} lessons cannot be used: above 0, at most 1.")


MIXES = {
    "balanced": LessonMix(),
    "skewed": LessonMix(5, 1, 130, 9),
    "reversed": LessonMix(1, 5, 9, 130),
    "carry-rare": LessonMix(no_carry=5),
    "inconsistent-rare": LessonMix(20, 1),
}

FAMILY = ("skewed", "balanced", "reversed", "carry-rare")
"""Mixes of the first family of trainings (research/docs/family.md), in the order in which they are
told; a model of every mix ships."""

EXPLANATIONS = {
    "balanced": "As many of each kind of wording and of problem.",
    "skewed": "As in school-like problems: 5 consistent comparisons for each inconsistent one, "
    "130 problems of transfers for every 9 with a comparison.",
    "reversed": "The other way round: 5 inconsistent comparisons for each consistent one, 130 "
    "problems with a comparison for every 9 of transfers.",
    "carry-rare": "As many of each kind of wording and of problem, but 5 three-digit calculations "
    "without a carry or borrow for each one with it.",
    "inconsistent-rare": "As many of each kind of problem, but 20 consistent comparisons for each "
    "inconsistent one: a bias comes soon, because comparisons are not rare.",
}

CUSTOM = "own"
"""Name of a mix that is none of `MIXES`."""


def mix_name(mix: LessonMix) -> str:
    """Its name in `MIXES`, or `CUSTOM`."""
    return next((name for name, other in MIXES.items() if other == mix), CUSTOM)


def read_mix(text: str) -> LessonMix:
    """A mix from its name or its ratios: ``consistent:inconsistent=5:1,transfer:comparison=130:9``.

    A ratio that is not given is 1:1.

    Raises:
        MixError: the text names no mix, or one that cannot be trained on.
    """
    text = text.strip()
    if text in MIXES:
        return MIXES[text]
    if "=" not in text:
        raise MixError(
            f"There is no mix “{text}”: choose {', '.join(MIXES)}, or write ratios like "
            "consistent:inconsistent=5:1,transfer:comparison=130:9."
        )
    given: dict[str, tuple[int, int]] = {}
    for part in text.split(","):
        name, _, ratio = (piece.strip() for piece in part.partition("="))
        if name not in RATIOS:
            raise MixError(f"“{name}” is no ratio of a mix: the ratios are {', '.join(RATIOS)}.")
        if name in given:
            raise MixError(f"The ratio {name} is given twice.")
        match = re.fullmatch(r"([+-]?[0-9]{1,9}) *: *([+-]?[0-9]{1,9})", ratio)
        if match is None:
            raise MixError(f"“{ratio}” is no ratio for {name}: write two whole numbers like 5:1.")
        given[name] = (int(match[1]), int(match[2]))
    return LessonMix(*(number for name in RATIOS for number in given.get(name, (1, 1))))
