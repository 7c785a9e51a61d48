"""Questions which of four pupils is right, and why (DOK 3, by composition)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from biaslab.problems.draws import Draws
from biaslab.problems.vocabulary import vocabulary

_PUPILS = 4


def pupils_for(draws: Draws, question: str) -> tuple[str, ...]:
    """Four names with different first letters that do not stand in the question."""
    taken = set(re.findall(r"\w+", question))
    names = _names()
    chosen: list[str] = []
    while len(chosen) < _PUPILS:
        name = draws.one(names)
        if name not in taken and name[0] not in {other[0] for other in chosen}:
            chosen.append(name)
    return tuple(chosen)


def write_comparison(
    question: str, pupils: Sequence[str], answers: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Question and options from a problem's own, the pupils in the order of the options."""
    said = [f"{name} says {answer}" for name, answer in zip(pupils, answers, strict=True)]
    whole = (
        f"Four pupils work on this question: “{question}” "
        f"{', '.join(said[:-1])} and {said[-1]}. Who is right, and why?"
    )
    options = (f"{name}, who says {answer}" for name, answer in zip(pupils, answers, strict=True))
    return whole, tuple(options)


@cache
def _names() -> tuple[str, ...]:
    return tuple(name.text for name in vocabulary().names)
