"""Null calibration and positive control of every study.

A learner without the bias in question is asked hundreds of designs that differ in their seed:
5 % may be findings, and 95 % of the intervals have to hold the true effect. A learner whose bias
has a set strength is asked as many: its true effect has to lie in 95 % of the intervals, and is
found as often as the size of the effect allows. The true effect is calculated from the learner's
probabilities and the very pairs (`expected_difference`); everything else goes the way of every
run: pairs, prompts, responses, reading, outcomes, effects.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

import numpy as np
import pandas as pd

from biaslab.files.opening import open_table
from biaslab.models import (
    LEARNERS,
    Completion,
    Failure,
    Learner,
    LearnerModel,
    ModelForm,
    ModelKind,
    Sampling,
    learner_spec,
)
from biaslab.models.learner.chances import every_way
from biaslab.models.learner.choosing import choose
from biaslab.models.learner.deciding import chances_of
from biaslab.models.learner.judging import chance_of_yes
from biaslab.runs.engine.ask import Outcomes, ask_without_store
from biaslab.stats import effects
from biaslab.stats.estimates import Interval, wilson
from biaslab.studies import Design, experiment
from biaslab.studies.study import Experiment, Item, Pair, Reading, Value
from biaslab.studies.word_problems.files.importing import read_pairs
from research.calibration.markdown import markdown_table
from schoolmath.text.figures import exact_percent, hundredths, percent, signed_points, typed

# What a simulated learner's outcome is on average, exactly, over all its luck.


def expected_difference(study: Experiment, learner: Learner, pair: Pair) -> float:
    """Outcome of x minus outcome of x', as the learner's probabilities say."""
    return expected_outcome(study, learner, pair.x) - expected_outcome(study, learner, pair.x_prime)


def expected_outcome(study: Experiment, learner: Learner, item: Item) -> float:
    """The mean of Y over all luck of the learner.

    Raises:
        ValueError: the learner cannot be asked such an item.
    """
    facts = item.facts
    if "examples" in facts and learner.judging is not None:
        yes = chance_of_yes(learner.judging, facts)
        return yes if facts["label"] == "yes" else 1.0 - yes
    if "rationales" in facts and (choosing := learner.choosing) is not None:
        asked = {"task": "identify", **facts}
        ways = every_way(lambda chances: choose(choosing, asked, chances, item.text))
        return sum(probability for probability, label in ways if label == facts["right"])
    if "key" in facts and (reviewing := learner.choosing) is not None:
        asked = {"task": "mcq", **facts}
        ways = every_way(lambda chances: choose(reviewing, asked, chances, item.text))
        return sum(probability for probability, label in ways if label == facts["key"])
    if "bias" in facts and learner.deciding is not None:
        chances = chances_of(learner.deciding, {**facts, "options": item.options}, item.text)
        return sum(
            probability * _outcome(study, item, number) for number, probability in chances.items()
        )
    if "harder" in facts and learner.weighing is not None:
        return learner.weighing.mean_odds(facts["harder"])
    if "steps" in facts:
        return learner.expected_accuracy(facts["steps"])
    raise ValueError(f"The learner {learner.name} cannot be asked items of {study.name}.")


def _outcome(study: Experiment, item: Item, number: int) -> float:
    said = Completion(f"Option {number}", "stop", 0, 0, 0.0)
    outcome = study.read(item, (said,), ModelForm.BASE).outcome
    if outcome is None:
        raise ValueError(f"Option {number} of item {item.id} is not read.")
    return outcome


LEVEL = 0.05
"""A finding is a p below this; intervals are at one minus this."""

_SET_SIZE = 300
"""Pairs in the set that stands for imported ones."""

_MOST_TOKENS = 1_024

_PART = 25
"""Designs that a process asks in one go."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Trial:
    """A design, and the learners that are asked it.

    Attributes:
        study, settings, n: of the design; label: the settings in words, "" for the defaults.
        unbiased: names of learners without the bias; biased: of learners whose bias has a
            set strength.
        known: learners that find something although they lack the bias in question, because of
            the design as it is: by name, what is known of it. Shown as what it is, not hidden.
        exact: of so many designs of a part the true effect is calculated: slow for word problems,
            whose true effect hardly differs between designs.
    """

    study: str
    n: int
    unbiased: tuple[str, ...]
    biased: tuple[str, ...]
    settings: Mapping[str, Value] = field(default_factory=dict)
    label: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    exact: int = 1

    @property
    def learners(self) -> tuple[str, ...]:
        """All that are asked."""
        return (*self.unbiased, *self.biased, *self.known)


TRIALS = (
    Trial("consistency", 60, ("careless", "coin"), ("halfway",)),
    Trial("transfer-comparison", 60, ("careless", "forgetful"), ("comparer",)),
    Trial("carry", 60, ("coin", "halfway"), ("carry-dropper",)),
    Trial("composed", 60, ("coin", "comparer"), ("halfway",)),
    *(
        Trial(name, 60, ("even",), ("tipped",))
        for name in ("consistency-odds", "transfer-comparison-odds", "carry-odds")
    ),
    Trial(
        "imported", 60, ("coin", "shy"), ("halfway",), {"set": "texts"}, "pairs of texts",
    ),
    Trial("malgorithm", 60, ("coin", "unsure"), ("key-drawn",)),
    Trial("trap", 60, ("random",), ("half-seeing",)),
    Trial("wrong-step", 60, ("random",), ("doubts",)),
    Trial("next-answer", 60, ("random",), ("fitting-hints",)),
    Trial("pressure", 60, ("random",), ("gives-in",)),
    Trial("hint", 60, ("random", "no-hints"), ("fitting-hints",)),
    Trial(
        "concept-learning", 60, ("count", "random", "ratio"), ("down-lost", "up-biased"),
        exact=_PART,
    ),
    *(
        Trial("concept-learning", 60, ("count",), ("down-lost",), chosen, label, exact=_PART)
        for chosen, label in (
            ({"against": "complement"}, "the complement"),
            ({"concept": "published"}, "nine fractions"),
            ({"semantics": "hidden and explicit"}, "hidden and explicit"),
            ({"wording": "all three"}, "all wordings"),
        )
    ),
    Trial(
        "concept-learning", 60, ("random",), ("down-lost",), {"counting": "one way"}, "one way",
        {"count": "it never looks at the total, and one way that gives it an effect"},
        exact=_PART,
    ),
    *(
        Trial(
            "decision", 40, ("random", "first-option"), ("swayed",), {"bias": bias}, bias,
            {"scale-end": known} if known else {}, exact=_PART,
        )
        for bias, known in (
            ("status-quo-bias", "what is kept is named first in both arms: it looks wholly biased"),
            ("anchoring", ""),
            ("framing-effect", ""),
        )
    ),
)  # fmt: skip
"""Every study. A pair of a malgorithm question shares it with two others: 20 questions."""


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """What came of one learner in one trial.

    Attributes:
        trial, learner: which; biased: whether it has the bias in question.
        seeds: designs that were asked.
        truth: the mean true effect of the pairs; mean: of the estimates.
        found: designs with a p below `LEVEL`.
        covered: designs whose interval holds the truth.
        width: mean width of the intervals.
        unread: answers that failed or could not be read.
    """

    trial: Trial
    learner: str
    seeds: int
    truth: float
    mean: float
    found: int
    covered: int
    width: float
    unread: int

    @property
    def biased(self) -> bool:
        """Whether it is a positive control."""
        return self.learner in self.trial.biased

    @property
    def unbiased(self) -> bool:
        """Whether it is a null calibration."""
        return self.learner in self.trial.unbiased

    def share(self, times: int) -> Interval:
        """A Wilson interval at 95 % for something that happened so many times."""
        found = wilson(times, self.seeds)
        if found is None:
            raise ValueError("No design was asked.")
        return found


@dataclass(frozen=True, slots=True)
class TrialAnswers:
    """What one learner's answers to some designs of a trial came to.

    Attributes:
        estimates: a row a design: effect, ends of its interval, p.
        truths: the true effect of each pair of the first of these designs.
        unread: answers that failed or could not be read.
    """

    trial: Trial
    learner: str
    estimates: tuple[tuple[float, float, float, float], ...]
    truths: tuple[float, ...]
    unread: int


def calibrate(trials: Sequence[Trial], seeds: int, jobs: int = 1) -> list[CalibrationRow]:
    """Asks every learner of every trial one design a seed, in so many processes."""
    parts = [
        (trial, range(first, min(first + _PART, seeds)))
        for first in range(0, seeds, _PART)
        for trial in trials
    ]
    if jobs == 1:
        return judged(ask_designs(*part) for part in parts)
    with ProcessPoolExecutor(jobs) as pool:
        return judged(pool.map(ask_designs, *zip(*parts, strict=True)))


def ask_designs(trial: Trial, seeds: Sequence[int]) -> list[TrialAnswers]:
    """Asks every learner of the trial the designs with these seeds."""
    study = study_of(trial)
    designs = {
        seed: list(study.pairs(Design(trial.study, trial.n, seed, trial.settings)))
        for seed in seeds
    }
    learners = {learner.name: learner for learner in LEARNERS}
    return [_ask(study, trial, learners[name], designs) for name in trial.learners]


def judged(parts: Iterable[Sequence[TrialAnswers]]) -> list[CalibrationRow]:
    """What the answers to all parts of the designs come to, a row a trial and learner."""
    groups: dict[tuple[str, str, str], list[TrialAnswers]] = {}
    for each in chain.from_iterable(parts):
        groups.setdefault((each.trial.study, each.trial.label, each.learner), []).append(each)
    return [_judge(group) for group in groups.values()]


def study_of(trial: Trial) -> Experiment:
    """The trial's study; imported pairs are texts that were written out and read back."""
    return experiment(trial.study).with_stored(_ImportedTexts())


def outcomes_table(
    study: Experiment, learner: str, pairs: Sequence[Pair], outcomes: Outcomes
) -> pd.DataFrame:
    """The table of outcomes that a file of runs would give (`biaslab.stats.outcomes`)."""
    rows = []
    for position, pair in enumerate(pairs):
        members: dict[str, str | float] = {}
        for member, item in (("x", pair.x), ("x_prime", pair.x_prime)):
            state, outcome = _state(outcomes[item.id])
            members |= {f"item_{member}": item.id, f"y_{member}": outcome, f"state_{member}": state}
        rows.append(
            {
                "run": learner, "study": study.name, "model": learner_spec(learner),
                "model_kind": ModelKind.LEARNER, "strategy": study.strategies[0].name,
                "pair": pair.id, "position": position, "cluster": pair.cluster,
                "strata": dict(pair.strata), **members,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _ask(
    study: Experiment, trial: Trial, learner: Learner, designs: Mapping[int, Sequence[Pair]]
) -> TrialAnswers:
    estimates, truths, unread = [], [], 0
    for seed, pairs in designs.items():
        items = chain.from_iterable((pair.x, pair.x_prime) for pair in pairs)
        sampling = Sampling(max_new_tokens=_MOST_TOKENS, seed=seed)
        said = ask_without_store(study, study.strategies[0], LearnerModel(learner), items, sampling)
        unread += sum(_state(each)[0] != "answered" for each in said.values())
        (effect,) = effects(outcomes_table(study, learner.name, pairs, said))
        figures = (effect.cate, effect.ci_low, effect.ci_high, effect.p)
        if None in figures:
            raise ValueError(f"{learner.name} has no effect in {study.name}, seed {seed}.")
        estimates.append(figures)
        if len(estimates) <= trial.exact:
            truths += [expected_difference(study, learner, pair) for pair in pairs]
    return TrialAnswers(trial, learner.name, tuple(estimates), tuple(truths), unread)  # type: ignore[arg-type]


def _judge(parts: Sequence[TrialAnswers]) -> CalibrationRow:
    first = parts[0]
    estimates = np.array([row for part in parts for row in part.estimates])
    effect, low, high, p = estimates.T
    truth = float(np.mean([truth for part in parts for truth in part.truths]))
    return CalibrationRow(
        trial=first.trial,
        learner=first.learner,
        seeds=len(estimates),
        truth=truth,
        mean=float(effect.mean()),
        found=int((p < LEVEL).sum()),
        covered=int(((low - _ROUNDING <= truth) & (truth <= high + _ROUNDING)).sum()),
        width=float((high - low).mean()),
        unread=sum(part.unread for part in parts),
    )


def _state(result: Reading | Failure) -> tuple[str, float]:
    if isinstance(result, Failure):
        return "failed", math.nan
    return ("invalid", math.nan) if result.outcome is None else ("answered", result.outcome)


class _ImportedPairs:
    """Pairs of a file that was imported, in memory."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs

    def __len__(self) -> int:
        return len(self._pairs)

    def at(self, positions: Sequence[int]) -> Iterator[Pair]:
        return (self._pairs[position] for position in positions)


class _ImportedTexts:
    """The imported pairs as what is kept in a file of runs."""

    def pair_set(self, _set_id: str) -> _ImportedPairs:
        return _imported()

    def case_set(self, _named: str) -> None:
        return None

    def item_set(self, _named: str) -> None:
        return None

    def custom_text(self, _text_id: str) -> None:
        return None


@cache
def _imported() -> _ImportedPairs:
    """Consistency pairs as a file of texts and answers, read back as anybody's pairs are."""
    made = experiment("consistency").pairs(Design("consistency", _SET_SIZE, 0))
    lines = [
        json.dumps({"x": pair.x.text, "x_prime": pair.x_prime.text, "answer": pair.x.answer})
        for pair in made
    ]
    found = read_pairs(open_table("\n".join(lines).encode(), "pairs.jsonl"))
    return _ImportedPairs(list(found.pairs))


# In docs: what was asked, what came, and whether it is as promised.


def studies_section(rows: Sequence[CalibrationRow]) -> str:
    """The tables of null calibrations, positive controls and known findings, as Markdown."""
    seeds = max((each.seeds for each in rows), default=0)
    of_nulls = [each for each in rows if each.unbiased]
    of_controls = [each for each in rows if each.biased]
    known = [each for each in rows if not each.unbiased and not each.biased]
    parts = [
        f"Each row: {seeds:,} designs that differ in their seed, asked of one simulated learner "
        "by the study's first strategy. Effects, widths in points (on decisions: hundredths of a "
        "scale length; of odds: hundredths of a nat). Brackets: 95 % Wilson intervals over the "
        "designs. The true effect is calculated from the learner's probabilities.",
        "### Learners without the bias in question",
        f"At most {exact_percent(LEVEL)} may be findings. The interval is cautious with small "
        "samples, where "
        "few pairs differ and where pairs share clusters, so fewer are expected.",
        _table(of_nulls, "false findings"),
        "### Learners whose bias has a set strength",
        f"The true effect has to lie in {exact_percent(1 - LEVEL)} of the intervals.",
        _table(of_controls, "found"),
    ]
    if known:
        parts += [
            "### Findings that are the design's",
            "These learners lack the bias in question and are given an effect by the design as it "
            "is. The effects are real differences between the answers, and rightly estimated; "
            "what they mean is another question. So `biaslab effects --strategies` says what "
            "simple strategies get on the same items.",
            _table(known, "found"),
            "\n".join(
                f"* `{each.learner}`, {_named(each)}: {each.trial.known[each.learner]}."
                for each in known
            ),
        ]
    return "\n\n".join(parts)


def _table(rows: Sequence[CalibrationRow], label: str) -> str:
    columns = (
        "study", "learner", "pairs", "true effect", "mean estimate", label,
        "intervals that hold the truth", "mean width",
    )  # fmt: skip
    return markdown_table(columns, (_cells(each) for each in rows), words=2)


def _cells(row: CalibrationRow) -> tuple[str, ...]:
    return (
        _named(row),
        f"`{row.learner}`",
        str(row.trial.n),
        _points(row.truth),
        _points(row.mean),
        _share(row.found, row.seeds, row.share(row.found)),
        _share(row.covered, row.seeds, row.share(row.covered)),
        hundredths(row.width),
    )


def _named(row: CalibrationRow) -> str:
    label = f", {row.trial.label}" if row.trial.label else ""
    return f"{experiment(row.trial.study).name}{label}"


def _points(value: float) -> str:
    return typed(signed_points(value))


def _share(times: int, of: int, interval: Interval) -> str:
    return f"{percent(times / of)} [{hundredths(interval.low)}, {hundredths(interval.high)}]"
