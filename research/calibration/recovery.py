"""Whether what is there is found: a learner's strategy, a bias of set strength, a pupil's rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt

from biaslab.models import LEARNERS
from biaslab.models.learner.chances import RandomLuck
from biaslab.models.learner.judging import AmountJudgement, JudgingRule, probability_of_yes
from biaslab.stats.estimates import mean_estimate, wilson
from biaslab.studies import Design, experiment
from biaslab.studies.concepts.answers import (
    LOTS,
    STRATEGIES,
    STRONG,
    Fits,
    chances_of,
    fits_of,
)
from biaslab.studies.decisions.biases import Metric, by_chance
from biaslab.studies.study import Item, Pair, Value, content_hash
from research.calibration.markdown import markdown_table
from schoolmath.malrules import cards
from schoolmath.malrules.classes import Quiz, QuizDesign, explain, make_quiz, simulate_pupil
from schoolmath.problems.draws import Draws
from schoolmath.text.figures import hundredths, percent, signed_number

_STUDY_OF_CONCEPTS = "concept-learning"
LEARNERS_ASKED = (*STRATEGIES, "random", "up-biased", "down-lost")
"""The strategies themselves, lots, and two learners of shares with a bias."""

UNDECIDED = "undecided"


def confusion(
    seeds: Sequence[int], n: int, settings: Mapping[str, Value] | None = None
) -> dict[str, dict[str, int]]:
    """For each learner, in how many designs which strategy fits best.

    Args:
        seeds: of the designs.
        n: pairs of each.
        settings: of the designs.
    """
    judging = {each.name: each.judging for each in LEARNERS}
    found: dict[str, dict[str, int]] = {name: {} for name in LEARNERS_ASKED}
    for seed in seeds:
        design = Design(_STUDY_OF_CONCEPTS, n, seed, settings or {})
        items = [
            item
            for pair in experiment(_STUDY_OF_CONCEPTS).pairs(design)
            for item in (pair.x, pair.x_prime)
        ]
        chances = chances_of([item.facts for item in items])
        for name in LEARNERS_ASKED:
            rule = judging[name] or AmountJudgement(JudgingRule.RANDOM)
            said = [_answers_yes(rule, item, seed) for item in items]
            best = Fits("", "", len(said), fits_of(chances, said)).best or UNDECIDED
            found[name][best] = found[name].get(best, 0) + 1
    return found


def recovery_section(counts: Mapping[str, Mapping[str, int]], n: int) -> str:
    """The table of `confusion` as Markdown."""
    columns = (*STRATEGIES, LOTS, UNDECIDED)
    seeds = sum(next(iter(counts.values())).values())
    table = markdown_table(
        ("learner", *columns),
        (
            (f"`{name}`", *(str(best.get(each, 0)) for each in columns))
            for name, best in counts.items()
        ),
        words=1,
    )
    return (
        f"Which strategy fits a learner's answers best, in {seeds:,} designs of {n} pairs each. "
        f"Undecided: the best is less than {10**STRONG:.0f} times likelier than the next.\n\n"
        + table
    )


def _answers_yes(rule: AmountJudgement, item: Item, seed: int) -> bool:
    luck = RandomLuck(int(content_hash(seed, item.id), 16))
    return probability_of_yes(rule, item.facts, luck) > 0.5


# Whether a bias of set strength is recovered, for each decision bias, and what habits score. A
# respondent of strength s gives a pair, with probability s, the answers that are the bias at its
# fullest; else two answers that are equally far from what the bias measures from. One coin decides
# for both arms, so its mean score is s times the fullest score, exactly, and its interval has to
# hold that in 95 % of the draws. Answers are drawn for every pair by itself, also where two pairs
# show the same control. Respondents with a habit and no bias answer with one place, whatever is
# asked; their mean scores are calculated, not drawn.


STRENGTHS = (0.5, -0.5)
"""Of the respondents whose strength is recovered; below 0 they do the opposite."""
PAIRS = 100
"""Pairs from which it is recovered, or as many as the bias has."""
POWER_STRENGTH, POWER_PAIRS = 0.2, (100, 300, 1_000)
"""A milder respondent, and from how many pairs it is asked for how often it is found."""

_STUDY = "decision"
_Scores = npt.NDArray[np.float64]


class Habit(StrEnum):
    """How somebody answers who does not look at what is asked."""

    BY_LOT = "by lot"
    FIRST = "first option shown"
    MIDDLE = "middle option"
    LAST = "last option shown"
    ONE_END = "first end of the scale"


@dataclass(frozen=True, slots=True)
class RecoveryRow:
    """What became of a respondent of set strength.

    Attributes:
        bias, pairs, scenes: what was asked.
        strength: as set; truth: the mean score that it comes to on these pairs.
        mean: of the estimates; draws: how many there are.
        covered: intervals that hold the truth; found: intervals that do not hold 0.
    """

    bias: str
    pairs: int
    scenes: int
    strength: float
    truth: float
    mean: float
    draws: int
    covered: int
    found: int


def recover(bias: str, strength: float, n: int, draws: int, seed: int = 1) -> RecoveryRow:
    """Asks a respondent of this strength the same pairs again and again.

    Args:
        bias: id.
        strength: -1 to 1; below 0 the opposite of the bias.
        n: most pairs.
        draws: how often its coins are tossed anew.
        seed: of the pairs and of the coins.
    """
    asked = _pairs(bias, n, seed)
    fullest = np.array([_fullest(pair, strength >= 0) for pair in asked])
    clusters = np.array([pair.cluster for pair in asked], dtype=object)
    truth = float(abs(strength) * fullest.mean())
    luck = np.random.default_rng([seed, *bias.encode(), int(1_000 * (strength + 1))])
    total, covered, found = 0.0, 0, 0
    for _ in range(draws):
        # A pair that the coin leaves neutral scores 0: both answers are equally far.
        scores: _Scores = np.where(luck.random(len(asked)) < abs(strength), fullest, 0.0)
        total += float(scores.mean())
        interval = mean_estimate(scores, clusters, 0.95, scale=True).interval
        if interval is not None:
            covered += interval.low <= truth <= interval.high
            found += interval.low > 0 or interval.high < 0
    return RecoveryRow(
        bias, len(asked), len(set(clusters)), strength, truth, total / draws, draws, covered, found
    )


def habit_score(bias: str, habit: Habit, n: int = PAIRS, seed: int = 1) -> float:
    """The mean score of somebody with this habit on n pairs, or as many as there are."""
    asked = _pairs(bias, n, seed)
    if habit is Habit.BY_LOT:
        return by_chance((_metric(pair), _options(pair)) for pair in asked).mean
    return float(np.mean([_score_of_habit(pair, habit) for pair in asked]))


def decisions_section(names: Sequence[str], draws: int) -> str:
    """The tables of all these biases as Markdown."""
    return "\n\n".join(
        (
            f"A respondent of strength {POWER_STRENGTH:g} or ±{STRENGTHS[0]:g} on the pairs of one "
            f"design, its coins tossed {draws:,} times. Brackets: 95 % Wilson intervals over the "
            f"draws. The last columns: in how many draws strength {POWER_STRENGTH:g} is found from "
            "so many pairs; a dash: the bias has fewer. Coins are a pair's own; a model whose "
            "answers hang together within scenes is found less often.",
            _recovery_table(names, draws),
            "Mean scores of respondents who have a habit and no bias, calculated on "
            f"{PAIRS} pairs (or as many as there are). Where one is not near 0, a score as large "
            "may be that habit alone. +1 at one end of the scale: that end is the biased answer in "
            "both arms, as keeping what there is.",
            _habit_table({name: [habit_score(name, each) for each in Habit] for name in names}),
        )
    )


def _recovery_table(names: Sequence[str], draws: int) -> str:
    columns = ["bias", "pairs", "scenes"]
    for strength in STRENGTHS:
        columns += [f"truth at {strength:+g}", "mean", "intervals that hold it"]
    columns += [f"found of {n:,} pairs" for n in POWER_PAIRS]
    rows = []
    for name in names:
        both = [recover(name, strength, PAIRS, draws) for strength in STRENGTHS]
        row = [f"`{name}`", str(both[0].pairs), str(both[0].scenes)]
        for each in both:
            row += [signed_number(each.truth), signed_number(each.mean), _share(each)]
        for n in POWER_PAIRS:
            powered = recover(name, POWER_STRENGTH, n, draws)
            row.append(percent(powered.found / draws) if powered.pairs == n else "–")
        rows.append(row)
    return markdown_table(columns, rows, words=1)


def _habit_table(scores: Mapping[str, Sequence[float]]) -> str:
    rows = [[f"`{name}`", *map(signed_number, of)] for name, of in scores.items()]
    return markdown_table(("bias", *map(str, Habit)), rows, words=1)


def _share(row: RecoveryRow) -> str:
    ends = wilson(row.covered, row.draws)
    assert ends is not None
    low, high = hundredths(ends.low), hundredths(ends.high)
    return f"{percent(row.covered / row.draws)} [{low}, {high}]"


@cache
def _pairs(bias: str, n: int, seed: int) -> tuple[Pair, ...]:
    study = experiment(_STUDY)
    most = study.size(Design(_STUDY, 1, seed, {"bias": bias}))
    wanted = n if most is None else min(n, most)
    return tuple(study.pairs(Design(_STUDY, wanted, seed, {"bias": bias})))


def _metric(pair: Pair) -> Metric:
    control, treatment = pair.x.facts, pair.x_prime.facts
    return Metric(control["kappa"], control["gamma"], treatment["gamma"])


def _options(pair: Pair) -> int:
    return int(pair.x.facts["scale"])


def _fullest(pair: Pair, is_classic: bool) -> float:
    """The score of the bias at its fullest, or of its opposite."""
    metric = _metric(pair)
    if is_classic:
        return float(metric.of(pair.x.facts["classic"], pair.x_prime.facts["classic"]))
    return float(min(metric.of(a, b) for a, b in product(range(_options(pair)), repeat=2)))


def _score_of_habit(pair: Pair, habit: Habit) -> float:
    last = _options(pair) - 1
    turned = bool(pair.x.facts["reversed"])
    place = {
        Habit.FIRST: last if turned else 0,
        Habit.MIDDLE: last // 2,
        Habit.LAST: 0 if turned else last,
        Habit.ONE_END: 0,
    }[habit]
    return float(_metric(pair).of(place, place))


# Whether Your class finds the rules that its quizzes promise to name, and accuses nobody else.
# Simulated pupils follow one rule wherever it can show, or have understood; both slip in 7 % of
# the answers and leave out 8 %. That is more than the page's own assumption (5 %), and no real
# class.


SLIPS, MISSING = 0.07, 0.08

DESIGNS = tuple(
    QuizDesign(grade, topics, n, 1, letters=letters)
    for grade, topics, n in (
        (4, ("ColumnSubtraction",), 12),
        (3, ("ColumnAddition",), 12),
        (5, ("FractionSum", "DecimalSum"), 16),
        (7, ("LinearEquation",), 12),
    )
    for letters in (True, False)
)
"""Quizzes of several grades and topics, with options and with answers of the pupils' own."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What became of simulated pupils with one quiz.

    Attributes:
        design: of the quiz; rules: how many it promises to name.
        followers: pupils who follow one of these; named: those for whom it was named.
        misled: those of them for whom some other rule was named without it, and without a part
            of it where it is of two ideas.
        understanding: pupils who have understood; accused: those for whom a rule was named.
    """

    design: QuizDesign
    rules: int
    followers: int
    named: int
    misled: int
    understanding: int
    accused: int


def measure(design: QuizDesign, copies: int, understanding: int) -> Naming:
    """Simulates pupils with the quiz of a design.

    Args:
        design: of the quiz.
        copies: pupils for each rule that the quiz promises to name.
        understanding: pupils who have understood.
    """
    quiz = make_quiz(design)
    named = misled = 0
    for rule in quiz.nameable:
        so = {rule, *cards()[rule].parts}
        for copy in range(copies):
            found = _named(quiz, rule, f"{quiz.code}/{rule}/{copy}")
            named += rule in found
            misled += bool(found) and not found & so
    accused = sum(bool(_named(quiz, None, f"{quiz.code}//{copy}")) for copy in range(understanding))
    rules = len(quiz.nameable)
    return Naming(design, rules, rules * copies, named, misled, understanding, accused)


def _named(quiz: Quiz, rule: str | None, seed: str) -> set[str]:
    draws = Draws(f"classes/{seed}")
    answers = simulate_pupil(draws, quiz, rule, slip=SLIPS)
    left = tuple(None if draws.chance(MISSING) else each for each in answers)
    return {each for found in explain(quiz, left).explanations for each in found.rules}


def classes_section(namings: Sequence[Naming]) -> str:
    """The table of the page, all quizzes together in its last row."""
    rows = [_row(f"grade {each.design.grade}, {' and '.join(each.design.topics)}, "
                 f"{'options' if each.design.letters else 'own answers'}", (each,))
            for each in namings]  # fmt: skip
    rows.append(_row("all", namings))
    head = ("quiz", "rules", "pupils who follow one", "it is named (95 % interval)",
            "another one alone is named", "pupils who understand", "a rule is named")  # fmt: skip
    return f"{__doc__}\n\n{markdown_table(head, rows, 1)}"


def _row(name: str, rows: Sequence[Naming]) -> tuple[str, ...]:
    followers, understanding = (
        sum(each.followers for each in rows), sum(each.understanding for each in rows)
    )  # fmt: skip
    return (
        name, f"{sum(each.rules for each in rows)}", f"{followers:,}",
        _share_shown(sum(each.named for each in rows), followers),
        _share_shown(sum(each.misled for each in rows), followers), f"{understanding:,}",
        _share_shown(sum(each.accused for each in rows), understanding),
    )  # fmt: skip


def _share_shown(count: int, of: int) -> str:
    interval = wilson(count, of)
    assert interval is not None
    return f"{percent(count / of, 2)} ({percent(interval.low, 2)} to {percent(interval.high, 2)})"
