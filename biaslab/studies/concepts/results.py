"""How well concepts were learned: accuracy, leaning, gaps, and what is possible at all.

Accuracy counts an answer that cannot be read (a tie of both probabilities, say) by the rule for
invalid answers; yes-rate, d' and criterion are of the readable answers alone. A gap compares
matched prompts pair by pair, and stands beside what counting alone gives on the same pairs, and
what goes beyond that. A failed request is nobody's answer and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from biaslab.models.learner.judging import AmountJudgement, JudgingRule, chance_of_yes
from biaslab.stats.comparisons.comparisons import EffectSpread, spread_between
from biaslab.stats.effects import ALL, Cell, Effect
from biaslab.stats.estimates import (
    Estimate,
    Interval,
    Values,
    check_confidence,
    clustered_share,
    mean_estimate,
    wilson,
)
from biaslab.stats.outcomes import InvalidRule, check_rule
from biaslab.stats.paired import cate_estimate
from biaslab.studies.concepts.answers import (
    ConceptAnswer,
    RunAnswers,
    SignalDetection,
    run_answers,
    signals_of,
)
from biaslab.studies.concepts.prompts import TINY_MASS
from schoolmath.text.figures import exact_percent

if TYPE_CHECKING:
    import pandas as pd

_EXPLANATIONS = {
    JudgingRule.RATIO: "Ratio learner: a threshold between the shares of the examples.",
    JudgingRule.COUNT: "Count learner: a threshold between the numbers of the examples, "
    "totals ignored.",
}


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What a learner reaches.

    Attributes:
        name: ``ratio`` or ``count``; explanation: its rule in a sentence.
        accuracy: expected share right on these questions, 0..1; None without questions.
    """

    name: str
    explanation: str
    accuracy: float | None


def ceilings(answers: Sequence[ConceptAnswer]) -> tuple[Ceiling, ...]:
    """Both learners on the questions of these answers, whatever became of them."""
    found = []
    for rule, explanation in _EXPLANATIONS.items():
        chances = [_chance_right(rule, answer) for answer in answers]
        accuracy = sum(chances) / len(chances) if chances else None
        found.append(Ceiling(str(rule), explanation, accuracy))
    return tuple(found)


def _chance_right(rule: JudgingRule, answer: ConceptAnswer) -> float:
    examples = tuple((total, has, yes) for total, has, yes, *_ in answer.facts["examples"])
    total, has, *_ = answer.facts["question"]
    yes = _chance_of_yes(rule, examples, (total, has))
    return yes if answer.is_yes else 1.0 - yes


@lru_cache(maxsize=200_000)
def _chance_of_yes(
    rule: JudgingRule, examples: tuple[tuple[int, int, int], ...], question: tuple[int, int]
) -> float:
    return chance_of_yes(AmountJudgement(rule), {"examples": examples, "question": question})


MOST_TIES = 0.5
MOST_TINY = 0.1
"""Shares of ties, and of tiny masses, from which a run's probabilities are not to be believed."""


@dataclass(frozen=True, slots=True)
class ConceptAccuracy:
    """A share of right answers.

    Attributes:
        value: the share, 0..1; interval: Wilson's, or clustered where amounts come repeatedly.
        n: answers that count; invalid: could not be read; left: failed or not asked yet.
    """

    value: float | None
    interval: Interval | None
    n: int
    invalid: int
    left: int


@dataclass(frozen=True, slots=True)
class ConceptFigures:
    """One concept in one prompt strategy.

    Attributes:
        concept, bound, direction, semantics, arm: what was asked; arm is that of its pairs.
        signals: yes-rate, d' and criterion; ceilings: what is possible on the same questions.
        mass: median probability of both answers together; None for written answers.
    """

    run: str
    concept: str
    bound: str
    direction: str
    semantics: str
    arm: str
    accuracy: ConceptAccuracy
    signals: SignalDetection
    ceilings: tuple[Ceiling, ...]
    mass: float | None


@dataclass(frozen=True, slots=True)
class Gap:
    """A difference of accuracies over matched prompts.

    Attributes:
        what: names of the groups it is of, such as semantics and concept.
        first, second: shares right; estimate: first minus second with its interval and p.
        only_first, only_second: pairs of which one alone was right.
        counting: the same difference for a learner that counts and never looks at the total,
            calculated over all its luck; beyond: the model's difference minus that.
    """

    run: str
    what: tuple[str, ...]
    first: float | None
    second: float | None
    estimate: Estimate
    only_first: int
    only_second: int
    counting: float | None
    beyond: Estimate


def accuracy_of(
    answers: Sequence[ConceptAnswer], invalid: InvalidRule = "strict", confidence: float = 0.95
) -> ConceptAccuracy:
    """The share of right answers.

    Raises:
        UnknownChoice: an unknown rule for invalid answers or confidence level.
    """
    check_rule(invalid)
    check_confidence(confidence)
    counted = [each for each in answers if each.state in _counted(invalid)]
    unread = sum(each.state == "invalid" for each in answers)
    left = sum(each.state in ("failed", "missing") for each in answers)
    if not counted:
        return ConceptAccuracy(None, None, 0, unread, left)
    outcomes = np.array([each.right or 0.0 for each in counted])
    clusters = np.array([each.cluster for each in counted], dtype=object)
    if len(set(clusters)) < len(counted):
        interval = clustered_share(outcomes, clusters, len(counted), confidence)
    else:
        interval = wilson(int(outcomes.sum()), len(counted), confidence)
    return ConceptAccuracy(float(outcomes.mean()), interval, len(counted), unread, left)


def by_concept(run: RunAnswers, invalid: InvalidRule = "strict") -> list[ConceptFigures]:
    """Figures of every concept and semantics: first concepts first, thresholds rising."""
    groups = _groups(run.answers, lambda each: (each.arm, each.concept, each.semantics))
    found = [figures_of(run.run, group, invalid) for group in groups.values()]
    return sorted(found, key=lambda each: (each.arm, _rising(each.bound), each.concept))


def figures_of(
    run: str, answers: Sequence[ConceptAnswer], invalid: InvalidRule = "strict"
) -> ConceptFigures:
    """Figures of some answers about one concept, at least one."""
    first = answers[0]
    masses = [each.mass for each in answers if each.mass is not None]
    return ConceptFigures(
        run, first.concept, first.bound, first.direction, first.semantics, first.arm,
        accuracy_of(answers, invalid), signals_of(answers), ceilings(answers),
        median(masses) if masses else None,
    )  # fmt: skip


def by_distance(
    run: RunAnswers, invalid: InvalidRule = "strict"
) -> dict[tuple[str, str, str], ConceptAccuracy]:
    """Accuracy by semantics, arm and bin of the distance from the threshold, bins rising."""
    groups = _groups(run.answers, lambda each: (each.semantics, each.arm, each.distance))
    return {key: accuracy_of(groups[key], invalid) for key in sorted(groups)}  # type: ignore[misc]


def up_down_gaps(run: RunAnswers, invalid: InvalidRule = "strict") -> list[Gap]:
    """First minus second concept of the pairs, for every semantics."""
    return _gaps(run, lambda each: (each.semantics,), invalid)


def gaps_by_concept(run: RunAnswers, invalid: InvalidRule = "strict") -> list[Gap]:
    """First minus second concept, for every semantics and first concept, thresholds rising."""
    bounds = {each.concept: _rising(each.bound) for each in run.answers}
    found = _gaps(run, lambda each: (each.semantics, each.pair_concept), invalid)
    return sorted(found, key=lambda gap: bounds[gap.what[1]])


def gaps_by_wording(run: RunAnswers, invalid: InvalidRule = "strict") -> list[Gap]:
    """First minus second concept, for every semantics and wording."""
    return _gaps(run, lambda each: (each.semantics, each.wording), invalid)


def between_wordings(
    run: RunAnswers, invalid: InvalidRule = "strict"
) -> list[tuple[str, EffectSpread]]:
    """How far the gaps of the wordings lie apart, by semantics; over amounts asked in all of them.

    None of a semantics that was asked in one wording.
    """
    found = []
    for (semantics,), group in _groups(run.answers, lambda each: (each.semantics,)).items():
        tables = [
            _differences(_matched(answers), invalid)
            for answers in _groups(group, lambda each: (each.wording,)).values()
        ]
        if len(tables) < 2:
            continue
        tables = [table.droplevel(["semantics", "wording"]) for table in tables]
        shared = tables[0].index
        for table in tables[1:]:
            shared = shared.intersection(table.index, sort=False)
        cluster = shared.get_level_values("cluster").to_numpy(dtype=object)

        def estimate(values: Values, level: float, cluster: Values = cluster) -> Estimate:
            return mean_estimate(values, cluster, level, bound=2.0)

        effects = [
            (table["first"] - table["second"]).loc[shared].to_numpy(float) for table in tables
        ]
        if len(shared):
            found.append((semantics, spread_between(effects, cluster, estimate)))
    return found


def gap_of(answers: RunAnswers, invalid: InvalidRule = "strict") -> Gap | None:
    """First minus second concept over all the pairs; None without any."""
    return next(iter(_gaps(answers, lambda _: (), invalid)), None)


def explicit_gains(runs: Sequence[RunAnswers], invalid: InvalidRule = "strict") -> list[Gap]:
    """Explicit minus hidden for either arm, over prompts with the same numbers.

    The prompts may stand in one run or in several of one model and prompt strategy; made-up words
    count as hidden where nothing else is.
    """
    found = []
    by_model = _groups_of_runs(runs)
    for (model, _), group in by_model.items():
        answers = [each for run in group for each in run.answers]
        for arm in ("x", "x_prime"):
            sides = {
                semantics: {
                    (each.draw, each.wording, each.sample): each
                    for each in answers
                    if each.arm == arm and each.semantics == semantics
                }
                for semantics in ("explicit", "hidden", "made-up")
            }
            second = sides["hidden"] or sides["made-up"]
            both = [
                (explicit, second[key])
                for key, explicit in sides["explicit"].items()
                if key in second
            ]
            if both:
                found.append(_gap(group[0].run, (model, arm), both, invalid))
    return found


def warnings_of(run: RunAnswers) -> list[str]:
    """Why the probabilities of a run are not to be believed, in sentences; none if they are."""
    scored = [each for each in run.answers if each.mass is not None]
    if not scored:
        return []
    found = []
    ties = sum(each.state == "invalid" for each in scored)
    if ties > MOST_TIES * len(scored):
        found.append(
            f"Both answers were exactly equally probable in {ties:,} of {len(scored):,} questions. "
            "The model or server gives no real probabilities, so this run says nothing."
        )
    tiny = sum(bool(each.mass is not None and each.mass < TINY_MASS) for each in scored)
    if tiny > MOST_TINY * len(scored):
        found.append(
            f"In {tiny:,} of {len(scored):,} questions both answers together had a probability "
            f"below {exact_percent(TINY_MASS)}: the model was about to say something else. Choose "
            "other answer words, more examples, or a chat."
        )
    return found


def _rising(bound: str) -> tuple[bool, bool, Fraction]:
    """Shares before numbers, and concepts without one threshold last."""
    return (not bound, "/" not in bound, Fraction(bound or 0))


def _counted(invalid: InvalidRule) -> tuple[str, ...]:
    return ("answered", "invalid") if invalid == "strict" else ("answered",)


def _groups(
    answers: Iterable[ConceptAnswer], key: Callable[[ConceptAnswer], tuple[str, ...]]
) -> dict[tuple[str, ...], list[ConceptAnswer]]:
    found: dict[tuple[str, ...], list[ConceptAnswer]] = {}
    for each in answers:
        found.setdefault(key(each), []).append(each)
    return found


def _groups_of_runs(runs: Iterable[RunAnswers]) -> dict[tuple[str, str], list[RunAnswers]]:
    found: dict[tuple[str, str], list[RunAnswers]] = {}
    for run in runs:
        found.setdefault((run.model, run.strategy), []).append(run)
    return found


def _gaps(
    run: RunAnswers, key: Callable[[ConceptAnswer], tuple[str, ...]], invalid: InvalidRule
) -> list[Gap]:
    return [
        _gap(run.run, what, _matched(group), invalid)
        for what, group in _groups(run.answers, key).items()
    ]


def _matched(answers: Sequence[ConceptAnswer]) -> list[tuple[ConceptAnswer, ConceptAnswer]]:
    """Both members of every pair."""
    seconds = {each.asked: each for each in answers if each.arm == "x_prime"}
    return [
        (each, seconds[each.asked]) for each in answers if each.arm == "x" and each.asked in seconds
    ]


def _gap(
    run: str,
    what: tuple[str, ...],
    both: Sequence[tuple[ConceptAnswer, ConceptAnswer]],
    invalid: InvalidRule,
) -> Gap:
    means = _differences(both, invalid)
    first, second, counting = (means[name].to_numpy(float) for name in means.columns)
    cluster = means.index.get_level_values("cluster").to_numpy(dtype=object)
    return Gap(
        run,
        what,
        float(first.mean()) if first.size else None,
        float(second.mean()) if second.size else None,
        cate_estimate(first, second, cluster),
        int((first > second).sum()),
        int((second > first).sum()),
        float(counting.mean()) if counting.size else None,
        mean_estimate(first - second - counting, cluster, bound=2.0),
    )


def _differences(
    both: Sequence[tuple[ConceptAnswer, ConceptAnswer]], invalid: InvalidRule
) -> pd.DataFrame:
    """A row a pair, over its samples: how right either member was, and what counting gives.

    Counting is the mean over the pairs of the same amounts: both ways that is 0, whatever each
    pair gives, so that no chance comes in with it.
    """
    import pandas as pd

    check_rule(invalid)
    states = _counted(invalid)
    rows = [
        (
            *one.asked[:-1], one.cluster, one.right or 0.0, other.right or 0.0,
            _chance_right(JudgingRule.COUNT, one) - _chance_right(JudgingRule.COUNT, other),
        )
        for one, other in both
        if one.state in states and other.state in states
    ]  # fmt: skip
    by = ["draw", "semantics", "wording", "cluster"]
    table = pd.DataFrame(rows, columns=[*by, "first", "second", "counting"])
    means = table.groupby(by, sort=False).mean()
    means["counting"] = means.groupby("cluster", sort=False)["counting"].transform("mean")
    return means


_FIGURES = ("yes_rate", "d_prime", "d_prime_ci_low", "d_prime_ci_high", "criterion")
_BEYOND = ("baseline_count", "beyond_count", "beyond_count_ci_low", "beyond_count_ci_high",
           "beyond_count_p")  # fmt: skip
CONCEPT_COLUMNS = (
    *(f"{name}_{arm}" for arm in ("x", "x_prime") for name in _FIGURES),
    *_BEYOND,
)
"""Added to the columns of effects where a run is of this study: yes-rate, d' and criterion of
readable answers; the effect that counting alone has on the same pairs, and the rest."""


def concept_cells(
    effects: Sequence[Effect],
    items: pd.DataFrame,
    by: str | None = None,
    invalid: InvalidRule = "strict",
) -> list[dict[str, Cell]]:
    """For each effect of this study the cells of `CONCEPT_COLUMNS`.

    Args:
        effects: effects of runs of this study by the same ``by``.
        items: `Store.answered_items` of these runs.
        by: the stratum.
        invalid: as for `effects`.
    """
    answers = {run.run: run for run in run_answers(items)}
    return [_cells(effect, answers[effect.run], by, invalid) for effect in effects]


def _cells(
    effect: Effect, run: RunAnswers, by: str | None, invalid: InvalidRule
) -> dict[str, Cell]:
    inside = tuple(
        each
        for each in run.answers
        if effect.stratum == ALL or each.strata.get(by or "") == effect.stratum_value
    )
    cells: dict[str, Cell] = {}
    for arm in ("x", "x_prime"):
        of_arm = [each for each in inside if each.arm == arm]
        seen = signals_of(of_arm)
        interval = seen.d_interval
        values = (
            seen.yes_rate,
            seen.d_prime,
            None if interval is None else interval.low,
            None if interval is None else interval.high,
            seen.criterion,
        )
        cells |= {f"{name}_{arm}": value for name, value in zip(_FIGURES, values, strict=True)}
    gap = gap_of(replace(run, answers=inside), invalid)
    if gap is not None:
        ends = gap.beyond.interval
        rest: tuple[Cell, ...] = (
            gap.counting,
            gap.beyond.mean,
            None if ends is None else ends.low,
            None if ends is None else ends.high,
            gap.beyond.p,
        )
        cells |= dict(zip(_BEYOND, rest, strict=True))
    return cells
