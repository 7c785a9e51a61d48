"""What the family says on the whole, in one or two sentences made from its table."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab.training.origins.claims import Truth, is_larger
from biaslab.training.origins.effects import OriginEffect, final_effects
from biaslab.training.origins.predictions import (
    BALANCED,
    CARRY,
    CARRY_RARE,
    CONSISTENCY,
    REVERSED,
    SKEWED,
    TRANSFER,
)
from biaslab.training.origins.rows import CheckKind, FamilyRow
from biaslab.training.origins.wording import effect_words, seeds_words
from schoolmath.text.figures import listed, signed_points

_WAYS = {"direct": "asked directly", "cot": "step by step"}


def answer(rows: Sequence[FamilyRow]) -> tuple[str, str]:
    """Two sentences: on consistency, and on the other two studies; at one step, at the end."""
    return (
        f"{_study(rows, CONSISTENCY, 'consistency', (SKEWED, BALANCED, REVERSED))}.",
        f"{_study(rows, TRANSFER, 'transfer-comparison', (SKEWED, BALANCED, REVERSED))}; "
        f"{_study(rows, CARRY, 'carry', (CARRY_RARE, BALANCED)).replace('The', 'the', 1)}.",
    )


def in_short(rows: Sequence[FamilyRow]) -> str:
    """One sentence: on consistency, with the figures of the first prompt strategy alone."""
    mixes = (SKEWED, BALANCED, REVERSED)
    return f"{_study(rows, CONSISTENCY, 'consistency', mixes, brief=True)}."


def _study(
    rows: Sequence[FamilyRow], study: str, name: str, mixes: Sequence[str], *, brief: bool = False
) -> str:
    """The mixes from the one in which the harder arm is rarest to the one where it is not."""
    answers: dict[str, Truth] = {}
    measured: dict[str, dict[str, OriginEffect]] = {}
    for strategy, way in _WAYS.items():
        found = final_effects(rows, CheckKind(study, 1, strategy))
        some = {mix: found[mix] for mix in mixes if mix in found}
        if len(some) == len(mixes):
            measured[way] = some
            answers[way] = is_larger(some[mixes[0]], some[mixes[-1]], "").answer
    if not measured:
        return f"The {name} effect has not been measured with all mixes at one step"
    first, *further = (f"{way} {_listed(some)}" for way, some in measured.items())
    if further and len(set(answers.values())) == 1:
        # Where both ways say the same, the second one's intervals would only be in the way.
        further = [f"{way} {_briefly(some)}" for way, some in list(measured.items())[1:]]
    behind = sorted({seeds_words(effect) for some in measured.values() for effect in some.values()})
    ways = (first,) if brief else (first, *further)
    return (
        f"The {name} effect {_follows(answers)}: {'; '.join(ways)} "
        f"(points; at one step; for each mix {' or '.join(behind)})"
    )


def _follows(answers: dict[str, Truth]) -> str:
    by_answer = {each: [way for way, found in answers.items() if found is each] for each in Truth}
    if len(by_answer[Truth.TRUE]) == len(answers):
        return "follows the mix"
    if len(by_answer[Truth.FALSE]) == len(answers):
        return "does not follow the mix"
    words = {
        Truth.TRUE: "follows the mix {}",
        Truth.FALSE: "does not follow it {}",
        Truth.OPEN: "is too uncertain to tell {}",
    }
    parts = [text.format(" and ".join(by_answer[each])) for each, text in words.items()
             if by_answer[each]]  # fmt: skip
    if len(parts) == 1:
        return "is too uncertain to tell whether it follows the mix"
    return " but ".join(parts)


def _listed(effects: dict[str, OriginEffect]) -> str:
    return listed(f"{effect_words(effect)} with {mix}" for mix, effect in effects.items())


def _briefly(effects: dict[str, OriginEffect]) -> str:
    return listed(signed_points(effect.cate) for effect in effects.values())
