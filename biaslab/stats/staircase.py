"""Finding the difficulty that fits: at which of several designs half to four fifths come out right.

The designs are a ladder from the easiest to the hardest, and problems are asked in blocks, each at
one rung. Where to ask next follows from a curve over the rungs, logistic, with unknown place and
steepness (as Watson & Pelli 1983, Percept. Psychophys. 33, choose a stimulus): at the rung that
most probably fits. The curve only says where to look. Whether a rung fits is judged by its own
answers alone, once there are `SETTLED` of them, and once only: going on until a share comes out as
wanted would find it anywhere.

Nothing is asked here: the caller asks a block and comes back with what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from biaslab.stats.errors import ImpossiblePlan
from biaslab.stats.estimates import Interval, wilson

LOW, HIGH = 0.5, 0.8
"""A rung fits where this share of the easier problems is right, both ends included: below, the
harder ones soon reach the floor; above, rare errors show too seldom."""

BLOCK = 10
"""Problems in a block."""

SETTLED = 40
"""So many problems settle a rung."""

_LAPSE = 0.02
"""Share of slips that no ease prevents."""

_STEEPNESS = np.array([0.25, 0.5, 1.0, 2.0, 4.0])
"""Of the curve, in logits a rung: from hardly any slope to a cliff."""


class Ending(StrEnum):
    """How a search ends."""

    FITS = "fits"
    FLOOR = "floor"
    """Even the easiest rung is too hard."""
    CEILING = "ceiling"
    """Even the hardest rung is too easy."""
    BETWEEN = "between"
    """One rung is too easy and the next too hard."""
    SPENT = "spent"
    """Not enough may be asked any more to settle another rung."""


@dataclass(frozen=True, slots=True)
class Block:
    """What came of some problems at one rung.

    Attributes:
        rung: from 0, the easiest.
        asked: problems with an answer, read or not.
        right: of them; unread: of them, answers that could not be read, which are not right.
    """

    rung: int
    asked: int
    right: int
    unread: int = 0


@dataclass(frozen=True, slots=True)
class Rung:
    """All that was asked at one rung.

    Attributes:
        rung, asked, right, unread: as in `Block`.
    """

    rung: int
    asked: int
    right: int
    unread: int

    @property
    def interval(self) -> Interval:
        """Wilson's at 95 % of the share right. It does not allow for how the rung was chosen."""
        found = wilson(self.right, self.asked)
        assert found is not None  # something was asked
        return found

    @property
    def share(self) -> float:
        """Share right, from 0 to 1."""
        return self.right / self.asked

    @property
    def settled(self) -> bool:
        """Whether enough was asked to judge it."""
        return self.asked >= SETTLED


@dataclass(frozen=True, slots=True)
class Search:
    """How far a search has come.

    Attributes:
        rungs: those at which something was asked, the easiest first.
        next: at which rung to ask the next block; None: the search has ended.
        ending: how; None while it goes on.
        found: the rung that fits; None where none does, or while the search goes on.
    """

    rungs: tuple[Rung, ...]
    next: int | None
    ending: Ending | None
    found: Rung | None


def search(blocks: Sequence[Block], rungs: int, left: int) -> Search:
    """What to do after these blocks.

    Args:
        blocks: what was asked so far, in any order.
        rungs: of the ladder.
        left: problems that may still be asked.

    Raises:
        ImpossiblePlan: a ladder without rungs, or a block that is not on it.
    """
    if rungs < 1 or any(not 0 <= each.rung < rungs for each in blocks):
        raise ImpossiblePlan(f"A ladder of {rungs} rungs cannot be searched with these blocks.")
    known = {each.rung: each for each in _rungs(blocks)}
    settled = [each for each in known.values() if each.settled]
    fitting = [each for each in settled if LOW <= each.share <= HIGH]
    every = tuple(known.values())
    if fitting:
        return Search(every, None, Ending.FITS, fitting[0])
    # The hardest that is too easy and the easiest that is too hard leave what is between them.
    low = max((each.rung + 1 for each in settled if each.share > HIGH), default=0)
    hard = (each.rung for each in settled if each.share < LOW and each.rung >= low)
    high = min(hard, default=rungs)
    if low == high:
        ending = Ending.CEILING if low == rungs else Ending.BETWEEN if low else Ending.FLOOR
        return Search(every, None, ending, None)
    chances = _chances(blocks, rungs)
    place = max(range(low, high), key=lambda rung: (chances[rung], -rung))
    missing = SETTLED - (known[place].asked if place in known else 0)
    if left < min(missing, BLOCK):
        return Search(every, None, Ending.SPENT, None)
    return Search(every, place, None, None)


def _rungs(blocks: Sequence[Block]) -> list[Rung]:
    found = []
    for rung in sorted({each.rung for each in blocks if each.asked}):
        here = [each for each in blocks if each.rung == rung]
        sums = (sum(getattr(each, name) for each in here) for name in ("asked", "right", "unread"))
        found.append(Rung(rung, *sums))
    return found


def _chances(blocks: Sequence[Block], rungs: int) -> list[float]:
    """For each rung, how probable it is that its share right fits, by the curve."""
    places = np.arange(-3.0, rungs + 2.5, 0.5)
    at = np.arange(rungs)
    # Shape (places, steepness, rungs): share right.
    curve = (1 - _LAPSE) / (
        1 + np.exp(-_STEEPNESS[None, :, None] * (places[:, None, None] - at[None, None, :]))
    )
    curve = np.clip(curve, 1e-6, 1 - 1e-6)
    log = np.zeros(curve.shape[:2])
    for each in blocks:
        here = curve[:, :, each.rung]
        log += each.right * np.log(here) + (each.asked - each.right) * np.log1p(-here)
    weight = np.exp(log - log.max())
    fits = (curve >= LOW) & (curve <= HIGH)
    found: list[float] = ((fits * weight[:, :, None]).sum((0, 1)) / weight.sum()).tolist()
    return found
