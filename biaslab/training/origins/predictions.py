"""The five predictions of docs/origins.md, judged by the family's table and nothing else.

They were written down before any model of the family was trained. Each is taken apart into claims
(`biaslab.training.origins.claims`) and judged at the end of training, at one step, asked directly
and step by step; predictions 4 and 5 look along training as well. "The effect" of a mix is that
of all its comparisons, additive and multiplicative ones together, where the table has both;
prediction 4 goes by those that were asked at every check, prediction 5 by additive ones, whose
operations are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from biaslab.training.origins.claims import (
    Claim,
    Truth,
    Verdict,
    differ,
    is_larger,
    is_none,
    is_positive,
    message,
    positive,
    verdict,
)
from biaslab.training.origins.effects import OriginEffect, along_training, contrast, final_effects
from biaslab.training.origins.measures import (
    OperatorChoice,
    balance_cures,
    no_effect,
    operator_choice,
)
from biaslab.training.origins.rows import CheckKind, FamilyRow
from biaslab.training.origins.wording import (
    effect_words,
    examples_words,
    seeds_words,
)
from schoolmath.text.figures import percent, percents

STRATEGIES = {"direct": "Directly", "cot": "Step by step"}
"""Prompt strategies that are judged, as sentences begin."""

CONSISTENCY, TRANSFER, CARRY = "consistency", "transfer-comparison", "carry"
STUDIES = {
    CONSISTENCY: "Consistent or inconsistent wording",
    TRANSFER: "Transfer or comparison",
    CARRY: "Without or with a carry",
}
"""What the studies are called here, in their order."""

ARMS = {
    CONSISTENCY: ("consistent", "inconsistent"),
    TRANSFER: ("transfer", "comparison"),
    CARRY: ("no carry", "carry"),
}
"""What their members are called."""

BALANCED, SKEWED, REVERSED, CARRY_RARE = "balanced", "skewed", "reversed", "carry-rare"

_STEPS = 1
_LEAST_CHECKPOINTS = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of a prediction.

    Attributes:
        number: in docs/origins.md; title: its name there; predicted: what it says, in short.
        verdict: by all claims together; claims: its parts.
        found: the figures in plain sentences, with the claims that do not hold.
    """

    number: int
    title: str
    predicted: str
    verdict: Verdict
    claims: tuple[Claim, ...]
    found: tuple[str, ...]


def judge(rows: Sequence[FamilyRow]) -> tuple[Judgement, ...]:
    """The five predictions in their order."""
    return (
        _consistency(rows),
        _transfer(rows),
        _carry(rows),
        _along(rows),
        _cure(rows),
    )


def _consistency(rows: Sequence[FamilyRow]) -> Judgement:
    claims, said = [], []
    for strategy, way in STRATEGIES.items():
        found = final_effects(rows, CheckKind(CONSISTENCY, _STEPS, strategy))
        skewed, balanced, reversed_ = (found.get(mix) for mix in (SKEWED, BALANCED, REVERSED))
        claims += _claimed(
            way,
            is_positive(skewed, SKEWED),
            is_positive(reversed_, REVERSED, -1),
            is_none(balanced, BALANCED),
            differ(skewed, reversed_, f"{SKEWED} and {REVERSED}"),
        )
        said.append(_figures(way, found, (SKEWED, BALANCED, REVERSED)))
    return _judgement(
        1,
        "Consistency",
        "positive with skewed, negative with reversed, within 5 points of zero with balanced; the "
        "intervals of skewed and reversed do not overlap",
        claims,
        said,
    )


def _transfer(rows: Sequence[FamilyRow]) -> Judgement:
    claims, said = [], []
    for strategy, way in STRATEGIES.items():
        found = final_effects(rows, CheckKind(TRANSFER, _STEPS, strategy))
        skewed, balanced, reversed_ = (found.get(mix) for mix in (SKEWED, BALANCED, REVERSED))
        claims += _claimed(
            way,
            is_larger(skewed, balanced, f"{SKEWED} than with {BALANCED}"),
            is_positive(balanced, BALANCED),
            is_larger(balanced, reversed_, f"{BALANCED} than with {REVERSED}"),
            is_positive(reversed_, REVERSED, -1),
        )
        said.append(_figures(way, found, (SKEWED, BALANCED, REVERSED)))
    return _judgement(
        2,
        "Transfer against comparison",
        "larger with skewed than with balanced, still positive with balanced, negative with "
        "reversed",
        claims,
        said,
    )


def _carry(rows: Sequence[FamilyRow]) -> Judgement:
    claims, said = [], []
    for strategy, way in STRATEGIES.items():
        found = final_effects(rows, CheckKind(CARRY, _STEPS, strategy))
        rare, balanced = found.get(CARRY_RARE), found.get(BALANCED)
        claims += _claimed(
            way,
            is_larger(rare, balanced, f"{CARRY_RARE} than with {BALANCED}"),
            is_positive(balanced, BALANCED),
        )
        said.append(_figures(way, found, (CARRY_RARE, BALANCED)))
    return _judgement(
        3, "Carry", "larger with carry-rare than with balanced, where it is positive too", claims,
        said,
    )  # fmt: skip


def _along(rows: Sequence[FamilyRow]) -> Judgement:
    claims, said = [], []
    for strategy, way in STRATEGIES.items():
        curve = along_training(rows, CheckKind(CONSISTENCY, _STEPS, strategy)).get(SKEWED, ())
        grows, shrinks = "the effect grows at first", "the effect shrinks afterwards"
        if len(curve) < _LEAST_CHECKPOINTS:
            claims += _claimed(way, Claim(grows, Truth.UNKNOWN), Claim(shrinks, Truth.UNKNOWN))
            said.append(f"{way}: fewer than {_LEAST_CHECKPOINTS} checkpoints were measured.")
            continue
        first, *between, last = curve
        top = max(between, key=lambda effect: effect.cate)
        claims += _claimed(
            way,
            Claim(grows, positive(contrast(top, first).judged)),
            Claim(shrinks, positive(contrast(top, last).judged)),
        )
        said.append(
            f"{way}: {effect_words(first)} after {examples_words(first.examples)}, at most "
            f"{effect_words(top)} on the way, after {examples_words(top.examples)}, and "
            f"{effect_words(last)} after {examples_words(last.examples)} "
            f"(95 % intervals; at the end {seeds_words(last)})."
        )
    return _judgement(
        4, "Along training", "the consistency effect of skewed first grows, then shrinks", claims,
        said,
    )  # fmt: skip


def _cure(rows: Sequence[FamilyRow]) -> Judgement:
    """Whether there is a balanced model without the effect that does not choose operations."""
    claims: list[Claim] = []
    said: list[str] = []
    kind = CheckKind(CONSISTENCY, _STEPS, "cot", comparison="additive")
    for effect in along_training(rows, kind).get(BALANCED, ()):
        choice = operator_choice(effect)
        if choice is None or no_effect(effect) is False:
            continue
        text = f"{_when(effect)} {BALANCED} has no effect and hardly chooses operations"
        claims.append(Claim(text, _ignores(effect, choice)))
        first = claims[-1].answer is Truth.TRUE and not said
        if effect.final or first:
            said.append(f"{_when(effect).capitalize()} {_choice_words(effect, choice)}.")
        if effect.final:
            said.append(cure_sentence(effect, choice))
    answers = {claim.answer for claim in claims}
    if Truth.TRUE in answers:
        found = Verdict.AS_PREDICTED
    elif not answers:
        found = Verdict.NOT_MEASURED
        said.append(
            f"No check of {BALANCED} has both an effect that may be none and operations counted."
        )
    else:
        found = Verdict.UNDECIDED if Truth.OPEN in answers else Verdict.NOT_AS_PREDICTED
    return Judgement(
        5,
        "Balance is no cure by itself",
        "a model that ignores the wording has no effect either, so an effect of zero with balanced "
        "is not enough: there are balanced models without it that choose operations hardly better "
        "than by always taking the commonest",
        found,
        tuple(claims),
        tuple(said),
    )


def cure_sentence(effect: OriginEffect, choice: OperatorChoice | None) -> str:
    """Whether it may be said of these models that balance removes the bias, and why."""
    if balance_cures(effect, choice):
        return (
            "So balance removes the bias here: there is no effect, and operations are chosen well "
            "above that."
        )
    if no_effect(effect) is not True:
        return (
            "So it cannot be said that balance removes the bias: the effect itself is not surely "
            "within 5 points of zero."
        )
    return (
        "So it cannot be said that balance removes the bias: the operations are not surely 10 "
        "points better chosen than that."
    )


def _ignores(effect: OriginEffect, choice: OperatorChoice) -> Truth:
    if choice.well_above:
        return Truth.FALSE
    return Truth.TRUE if choice.surely_not and no_effect(effect) is True else Truth.OPEN


def _when(effect: OriginEffect) -> str:
    return "at the end" if effect.final else f"after {examples_words(effect.examples)}"


def _choice_words(effect: OriginEffect, choice: OperatorChoice) -> str:
    judged = choice.spread.judged
    spread = "" if judged is None else f" (95 % interval {percents(judged.low, judged.high)})"
    return (
        f"the effect was {effect_words(effect)}, and the operation was right in "
        f"{percent(choice.chosen.value)}{spread} of {choice.chosen.n:,} answers, where always "
        f"{choice.commonest} would be in {percent(choice.baseline)}"
    )


def _figures(way: str, found: dict[str, OriginEffect], mixes: Sequence[str]) -> str:
    figures = [f"{mix} {effect_words(found[mix])}" for mix in mixes if mix in found]
    absent = [mix for mix in mixes if mix not in found]
    if absent:
        figures.append(f"{' and '.join(absent)} not measured")
    behind = sorted({seeds_words(effect) for mix, effect in found.items() if mix in mixes})
    after = f" (95 % intervals; {' or '.join(behind)})" if behind else ""
    return f"{way}: {', '.join(figures)}{after}."


def _claimed(way: str, *claims: Claim) -> list[Claim]:
    return [replace(claim, way=f"{way[0].lower()}{way[1:]}") for claim in claims]


def _judgement(
    number: int, title: str, predicted: str, claims: Sequence[Claim], found: Sequence[str]
) -> Judgement:
    said = list(found)
    for answer, words in ((Truth.FALSE, "Does not hold"), (Truth.OPEN, "Cannot be told")):
        those = message(claims, answer)
        if those:
            said.append(f"{words}: {those}.")
    return Judgement(number, title, predicted, verdict(claims), tuple(claims), tuple(said))
