"""Random choices that are the same on every machine and Python version.

`random.Random.random` is the only method of the standard generator whose sequence Python
promises to keep for a seed; everything here is built on it alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class Draws:
    """A stream of random choices determined by its seed.

    Args:
        seed: any text; streams with different seeds are independent.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed).random

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, all equally likely."""
        return int(self._random() * bound)

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._random() < probability

    def one(self, options: Sequence[T]) -> T:
        """One of the options, all equally likely."""
        return options[int(self._random() * len(options))]

    def several(self, options: Sequence[T], count: int) -> list[T]:
        """`count` different options in random order."""
        pool = list(options)
        for i in range(count):
            j = i + int(self._random() * (len(pool) - i))
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:count]


class BalancedDeck(Generic[T]):
    """Deals options so that each comes up equally often.

    The options are dealt like shuffled packs of cards: after every full pack all counts are
    equal, so any prefix of the stream is balanced to within one.
    """

    __slots__ = ("_draws", "_hand", "_options")

    def __init__(self, draws: Draws, options: Sequence[T]) -> None:
        self._draws = draws
        self._options: list[T] = list(options)
        self._hand: list[T] = []

    def next(self) -> T:
        """The next option."""
        if not self._hand:
            self._hand = self._draws.several(self._options, len(self._options))
        return self._hand.pop()
