"""How somebody comes to an answer: steps whose every number is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from schoolmath.malrules.answers import Answer

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is done.

    Attributes:
        template: a clause in the third person present, such as ``takes {0} from {1} in the ones
            column and writes {2}``: no capital at the start, no full stop, no digit, and a
            place for every number, each at least once.
        numbers: the numbers as they are written, in the order of their places.
    """

    template: str
    numbers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        places = _places(self.template)
        self.template.format(*self.numbers)
        if places != frozenset(range(len(self.numbers))):
            raise ValueError(f"The places of “{self.template}” are not those of {self.numbers}.")

    @property
    def text(self) -> str:
        """The clause with its numbers."""
        return self.template.format(*self.numbers)


@lru_cache(maxsize=8192)
def _places(template: str) -> frozenset[int]:
    """The places for numbers in a template, looked for once: millions of steps share a few."""
    if _DIGIT.search(re.sub(r"\{\d+\}", "", template)):
        raise ValueError(f"A number stands in the words of “{template}”: give it a place.")
    return frozenset(int(place) for place in re.findall(r"\{(\d+)\}", template))


def step(template: str, *numbers: object) -> Step:
    """A step from numbers of any exact kind, written as `str` writes them."""
    return Step(template, tuple(str(number) for number in numbers))


@dataclass(frozen=True, slots=True)
class Worked:
    """An answer and the way to it.

    Attributes:
        answer: what comes out.
        steps: what is done, in order; at least one. The first one that shows the idea (for a
            mal-rule: where it goes wrong) is ``steps[key_step]``.
        key_step: index of the step that a one-clause rationale tells.
    """

    answer: Answer
    steps: tuple[Step, ...]
    key_step: int = 0
