"""The five predictions of research/docs/family.md, judged by the family's table and nothing else.

They were written down before any model of the family was trained. Each is taken apart into claims
and judged at the end of training, at one step, asked directly and step by step; predictions 4 and
5 look along training as well. "The effect" of a mix is that of all its comparisons, additive and
multiplicative ones together, where the table has both; prediction 4 goes by those that were asked
at every check, prediction 5 by additive ones, whose operations are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

from biaslab.stats.estimates import Interval
from biaslab.training.origins.effects import (
    NO_EFFECT,
    OperatorChoice,
    OriginEffect,
    along_training,
    balance_cures,
    contrast,
    effect_words,
    examples_words,
    final_effects,
    no_effect,
    operator_choice,
    seeds_words,
)
from biaslab.training.origins.rows import CheckKind, FamilyRow
from schoolmath.text.figures import listed, percent, percents, signed_points

# Claims about effects, each true, false or open by its interval; and what several come to.


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
        number: in research/docs/family.md; title: its name there; predicted: what it says, in
            short.
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
        "Balance alone is no cure",
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


def _figures(way: str, effects: dict[str, OriginEffect], mixes: Sequence[str]) -> str:
    figures = [f"{mix} {effect_words(effects[mix])}" for mix in mixes if mix in effects]
    absent = [mix for mix in mixes if mix not in effects]
    if absent:
        figures.append(f"{' and '.join(absent)} not measured")
    behind = sorted({seeds_words(effect) for mix, effect in effects.items() if mix in mixes})
    after = f" (95 % intervals; {' or '.join(behind)})" if behind else ""
    return f"{way}: {', '.join(figures)}{after}."


def _claimed(way: str, *claims: Claim) -> list[Claim]:
    return [replace(claim, way=f"{way[0].lower()}{way[1:]}") for claim in claims]


def _judgement(
    number: int, title: str, predicted: str, claims: Sequence[Claim], verdicts: Sequence[str]
) -> Judgement:
    said = list(verdicts)
    for answer, words in ((Truth.FALSE, "Does not hold"), (Truth.OPEN, "Inconclusive")):
        those = message(claims, answer)
        if those:
            said.append(f"{words}: {those}.")
    return Judgement(number, title, predicted, verdict(claims), tuple(claims), tuple(said))


# What the family says on the whole, in one or two sentences made from its table.


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
        Truth.OPEN: "is inconclusive {}",
    }
    parts = [text.format(" and ".join(by_answer[each])) for each, text in words.items()
             if by_answer[each]]  # fmt: skip
    if len(parts) == 1:
        return "is inconclusive: it may or may not follow the mix"
    return " but ".join(parts)


def _listed(effects: dict[str, OriginEffect]) -> str:
    return listed(f"{effect_words(effect)} with {mix}" for mix, effect in effects.items())


def _briefly(effects: dict[str, OriginEffect]) -> str:
    return listed(signed_points(effect.cate) for effect in effects.values())
