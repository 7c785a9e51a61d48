"""Answers about concepts as they come from the file: their figures, and strategies that fit them.

**d' and c.** A model that says yes to everything is right half of the time; accuracy alone cannot
tell that from guessing. d' says how far yes questions and no questions are told apart, c how far
the answers lean: negative to yes, positive to no.

Hits are yes answers to yes questions, false alarms yes answers to no questions. Rates have the
log-linear correction, (hits + 0.5) / (questions + 1), so that both are finite (Hautus 1995,
Behav. Res. Methods 27:46-51). The variance of d' is that of Gourevitch & Galanter (1967,
Psychometrika 32:25-33) at the corrected rates; that of c is a quarter of it.

**Strategies.** One says yes or no to each prompt from its labelled amounts alone (the simulated
learners of `biaslab.models.learner.judging`). Somebody who follows it departs from it with an
unknown probability e, at most one half: all e up to there are equally likely beforehand. The
probability of the answers under the strategy is then, with k of n answers as it says,

    P = 2 * integral from 0 to 1/2 of (1 - e)^k e^(n - k) de,

and where it tosses a coin, one half for each answer. Evidence is the logarithm of how many times
likelier that makes the answers than lots do. Nothing is fitted, so no strategy gains by being
flexible. The best of these strategies need not be what a model does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy

from biaslab.models.learner.judging import AmountJudgement, JudgingRule, chance_of_yes
from biaslab.stats.estimates import (
    Interval,
    Values,
    check_confidence,
    clustered_share,
    effective_number,
    wilson,
)
from biaslab.stats.outcomes import require_items

if TYPE_CHECKING:
    import pandas as pd

STUDY = "concept-learning"
"""Name of the study whose items these figures are for."""

COLUMNS = (
    "run", "study", "model", "model_kind", "strategy", "arm", "item", "sample", "state",
    "outcome", "extra", "facts", "cluster", "strata",
)  # fmt: skip
"""What a table of items must have."""


@dataclass(frozen=True, slots=True)
class ConceptAnswer:
    """One question about a concept and what became of it.

    Attributes:
        arm: ``x`` or ``x_prime``; draw: what it shares with the matched prompt of its pair;
            cluster: with all prompts that have the same amounts.
        concept, pair_concept: its own concept and that of x in its pair; bound: its only
            threshold in words, or empty.
        semantics, wording: what the prompt says, and in which words ("" in version 1).
        direction, distance: monotonicity, bin of the distance.
        is_yes: whether yes is right; said_yes: None where it could not be read.
        state: answered, invalid, failed or missing; right: None unless answered.
        mass: probability of both answers together; None where text was read.
        strata: of its pair; facts: of the item.
    """

    arm: str
    draw: str
    cluster: str
    sample: int
    concept: str
    pair_concept: str
    bound: str
    family: str
    semantics: str
    wording: str
    direction: str
    distance: str
    is_yes: bool
    said_yes: bool | None
    state: str
    right: float | None
    mass: float | None
    strata: dict[str, Any]
    facts: dict[str, Any]

    @property
    def asked(self) -> tuple[str, str, str, int]:
        """What the two prompts of a pair have in common, and no others."""
        return self.draw, self.semantics, self.wording, self.sample


@dataclass(frozen=True, slots=True)
class RunAnswers:
    """The questions of one run."""

    run: str
    model: str
    model_kind: str
    strategy: str
    answers: tuple[ConceptAnswer, ...]


def run_answers(items: pd.DataFrame) -> list[RunAnswers]:
    """The runs of a table of items (`Store.answered_items`), in its order.

    Raises:
        BrokenOutcomes: a column is missing, or the items are another study's.
    """
    require_items(items, COLUMNS, STUDY, "These are figures of the study")
    return [
        RunAnswers(
            str(run),
            str(rows["model"].iloc[0]),
            str(rows["model_kind"].iloc[0]),
            str(rows["strategy"].iloc[0]),
            tuple(_answers(rows)),
        )
        for run, rows in items.groupby("run", sort=False)
    ]


def _answers(rows: pd.DataFrame) -> Iterable[ConceptAnswer]:
    columns = ("arm", "sample", "state", "outcome", "extra", "facts", "cluster", "strata")
    for arm, sample, state, outcome, extra, facts, cluster, strata in zip(
        *(rows[name] for name in columns), strict=True
    ):
        read = state == "answered"
        mass = (extra or {}).get("mass")
        yield ConceptAnswer(
            arm=arm,
            draw=facts["draw"],
            cluster=str(cluster),
            sample=int(sample),
            concept=facts["concept"],
            pair_concept=str(strata.get("concept", facts["concept"])),
            bound=facts["bound"],
            family=facts["family"],
            semantics=facts["semantics"],
            wording=str(facts.get("wording", "")),
            direction=facts["monotonicity"],
            distance=facts["distance_bin"],
            is_yes=facts["label"] == "yes",
            said_yes=(extra or {}).get("yes") if read else None,
            state=str(state),
            right=float(outcome) if read and not math.isnan(outcome) else None,
            mass=None if mass is None else float(mass),
            strata=strata,
            facts=facts,
        )


@dataclass(frozen=True, slots=True)
class SignalDetection:
    """What yes and no answers say about telling apart and leaning.

    Attributes:
        hits, signals: yes answers to yes questions, of so many; false_alarms, noise: yes
            answers to no questions, of so many. Unreadable answers are in none of them.
        d_prime, d_interval: sensitivity, 0 for chance; criterion, c_interval: the leaning. None
            where one kind of question is missing.
        yes_rate, yes_interval: share of yes answers, with Wilson's interval.
    """

    hits: int
    signals: int
    false_alarms: int
    noise: int
    d_prime: float | None
    d_interval: Interval | None
    criterion: float | None
    c_interval: Interval | None
    yes_rate: float | None
    yes_interval: Interval | None


def signal_detection(
    hits: int,
    signals: int,
    false_alarms: int,
    noise: int,
    confidence: float = 0.95,
    independent: tuple[float, float] | None = None,
) -> SignalDetection:
    """d', criterion and yes-rate from four counts.

    Args:
        hits: yes answers to yes questions.
        signals: yes questions.
        false_alarms: yes answers to no questions.
        noise: no questions.
        confidence: coverage of the intervals.
        independent: how many independent yes and no questions say as much, where a question was
            asked several times; None: as many as there are.

    Raises:
        ValueError: more yes answers than questions.
        UnknownChoice: the confidence level is not between 0 and 1.
    """
    check_confidence(confidence)
    if not (0 <= hits <= signals and 0 <= false_alarms <= noise):
        raise ValueError(
            f"{hits} of {signals} hits and {false_alarms} of {noise} false alarms: there are more "
            "yes answers than questions."
        )
    answers = signals + noise
    yes_rate = (hits + false_alarms) / answers if answers else None
    yes_interval = wilson(hits + false_alarms, answers, confidence)
    if not signals or not noise:
        return SignalDetection(
            hits, signals, false_alarms, noise, None, None, None, None, yes_rate, yes_interval
        )
    hit_rate, alarm_rate = (hits + 0.5) / (signals + 1), (false_alarms + 0.5) / (noise + 1)
    z_hit, z_alarm = (float(scipy.stats.norm.ppf(rate)) for rate in (hit_rate, alarm_rate))
    most, other_most = independent or (signals, noise)
    variance = _variance(hit_rate, z_hit, most) + _variance(alarm_rate, z_alarm, other_most)
    reach = float(scipy.stats.norm.ppf(0.5 + confidence / 2)) * math.sqrt(variance)
    d_prime, criterion = z_hit - z_alarm, -(z_hit + z_alarm) / 2
    return SignalDetection(
        hits, signals, false_alarms, noise,
        d_prime, Interval(d_prime - reach, d_prime + reach),
        criterion, Interval(criterion - reach / 2, criterion + reach / 2),
        yes_rate, yes_interval,
    )  # fmt: skip


def _variance(rate: float, z: float, n: float) -> float:
    density = float(scipy.stats.norm.pdf(z))
    return rate * (1.0 - rate) / (n * density**2)


def signals_of(answers: Iterable[ConceptAnswer], confidence: float = 0.95) -> SignalDetection:
    """Yes-rate, d' and criterion of the readable answers; the same amounts are not new."""
    read = [each for each in answers if each.said_yes is not None]
    kinds = {yes: [each for each in read if each.is_yes is yes] for yes in (True, False)}
    said = {yes: sum(bool(each.said_yes) for each in kinds[yes]) for yes in kinds}
    counts = (said[True], len(kinds[True]), said[False], len(kinds[False]))
    if len({each.cluster for each in read}) == len(read) or not all(kinds.values()):
        return signal_detection(*counts, confidence)
    independent = (_independent(kinds[True], confidence), _independent(kinds[False], confidence))
    found = signal_detection(*counts, confidence, independent)
    shares, clusters = _shares(read)
    return replace(found, yes_interval=clustered_share(shares, clusters, len(read), confidence))


def _independent(answers: Sequence[ConceptAnswer], confidence: float) -> float:
    shares, clusters = _shares(answers)
    return effective_number(shares, clusters, len(answers), confidence)


def _shares(answers: Sequence[ConceptAnswer]) -> tuple[Values, npt.NDArray[np.object_]]:
    """Whether each answer was yes, and what it shares with others."""
    clusters = np.array([each.cluster for each in answers], dtype=object)
    return np.array([float(bool(each.said_yes)) for each in answers]), clusters


STRATEGIES: Mapping[str, tuple[JudgingRule, str]] = {
    "ratio": (JudgingRule.RATIO, "A threshold between the shares of the examples."),
    "count": (JudgingRule.COUNT, "A threshold between their numbers, totals ignored."),
    "total": (JudgingRule.TOTAL, "A threshold between their totals, parts ignored."),
    "nearest": (JudgingRule.NEAREST, "The answer of the example with the nearest numbers."),
    "last-label": (JudgingRule.LAST, "The answer of the last example."),
    "always-yes": (JudgingRule.YES, "Always yes."),
}
"""By the name of the simulated learner: what it goes by, and the same in a sentence."""

LOTS = "lots"
"""What fits best where no strategy fits better than chance."""

STRONG = 1.0
"""Evidence, as a power of ten, from which on one strategy is said to fit better than another."""

MOST_ANSWERS = 500
"""Answers from which strategies are told: a limit of this app, for the time that a screen takes."""


@dataclass(frozen=True, slots=True)
class StrategyFit:
    """How well a strategy fits some answers.

    Attributes:
        strategy: its name in `STRATEGIES`, or `LOTS`.
        agreed: answers as it says; told: answers of which it says something.
        evidence: power of ten by which it makes the answers likelier than lots do; 0 for lots.
    """

    strategy: str
    agreed: int
    told: int
    evidence: float


@dataclass(frozen=True, slots=True)
class Fits:
    """All strategies on the same answers.

    Attributes:
        semantics, wording: of the prompts; n: answers.
        fits: the best first, lots among them.
    """

    semantics: str
    wording: str
    n: int
    fits: tuple[StrategyFit, ...]

    @property
    def lead(self) -> float:
        """Evidence for the best against the next, as a power of ten."""
        return self.fits[0].evidence - self.fits[1].evidence

    @property
    def best(self) -> str:
        """The strategy that fits best, "" where the lead over the next is below `STRONG`."""
        return self.fits[0].strategy if self.lead >= STRONG else ""


def strategy_fits(run: RunAnswers) -> list[Fits]:
    """The fits of a run by what its prompts say and in which words.

    Of first samples alone, and of the first `MOST_ANSWERS` of a group, which are plenty.
    """
    groups: dict[tuple[str, str], list[tuple[Mapping[str, Any], bool]]] = {}
    for each in run.answers:
        if each.said_yes is not None and each.sample == 0:
            group = groups.setdefault((each.semantics, each.wording), [])
            if len(group) < MOST_ANSWERS:
                group.append((each.facts, each.said_yes))
    return [
        Fits(
            semantics,
            wording,
            len(answers),
            fits_of(chances_of([facts for facts, _ in answers]), [yes for _, yes in answers]),
        )
        for (semantics, wording), answers in groups.items()
    ]


def chances_of(facts: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """How surely each strategy says yes to items with these facts."""
    return {
        name: [chance_of_yes(AmountJudgement(rule), each) for each in facts]
        for name, (rule, _) in STRATEGIES.items()
    }


def fits_of(
    chances: Mapping[str, Sequence[float]], said_yes: Sequence[bool]
) -> tuple[StrategyFit, ...]:
    """Every strategy on some answers, the best first.

    Args:
        chances: as `chances_of`, for each answer.
        said_yes: the answers.
    """
    found = [_fit(name, zip(own, said_yes, strict=True)) for name, own in chances.items()]
    return tuple(sorted([*found, StrategyFit(LOTS, 0, 0, 0.0)], key=lambda fit: -fit.evidence))


def _fit(name: str, answers: Iterable[tuple[float, bool]]) -> StrategyFit:
    said = [(chance > 0.5) == yes for chance, yes in answers if chance != 0.5]
    agreed, told = sum(said), len(said)
    return StrategyFit(name, agreed, told, _evidence(agreed, told))


def _evidence(agreed: int, power: int) -> float:
    """Power of ten against lots."""
    departed = power - agreed
    half = float(scipy.special.betainc(departed + 1, agreed + 1, 0.5))
    if half == 0.0:
        return -math.inf
    whole = float(scipy.special.betaln(departed + 1, agreed + 1))
    return (math.log(2.0) + whole + math.log(half) + power * math.log(2.0)) / math.log(10.0)
