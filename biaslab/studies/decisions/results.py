"""How biased a model's decisions are: the published metric, what it hides, and models side by side.

The metric (Malberg et al. 2024, `biaslab.studies.decisions.biases.Metric`) is a ratio to a chosen
end of the scale, is 0 both for “no bias” and for “always the same option”, and its size is larger
for random answers than for most models. So each row also has the movement in scale lengths, the
share of unchanged answers, and the band in which random answers would lie.

Models side by side are after the heat map and the groups of similar models of Malberg et al.
(2024). The unit is a bias: two models are alike where the same biases are strong and weak in both.
Noise in each score pulls a correlation towards 0, so it is a lower bound of how alike two models
are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from math import atanh, sqrt, tanh
from typing import TYPE_CHECKING, Any

import numpy as np

from biaslab.stats.effects import ALL, Cell, Effect
from biaslab.stats.errors import BrokenOutcomes
from biaslab.stats.estimates import Interval, check_confidence, clustered_share, mean_estimate
from biaslab.stats.outcomes import require_items
from biaslab.studies.decisions.biases import (
    AskedCase,
    Bias,
    Chance,
    Metric,
    biases,
    by_chance,
    standard_error,
)

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_GAP = re.compile(r"\{[^{}]*\}")
_ALTERNATIVES = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")


@dataclass(frozen=True, slots=True)
class OptionCount:
    """An option of a scale and how often it was chosen.

    Attributes:
        position: on the scale, from 0; label: its number from 1 and its words, gaps left open.
        control, treatment: answers of each arm.
    """

    position: int
    label: str
    control: int
    treatment: int


def option_counts(items: pd.DataFrame, bias: Bias) -> list[OptionCount]:
    """How often each option was chosen, in the order of the scale.

    Args:
        items: answered items of one run (`Store.answered_items`).
        bias: which of its biases.
    """
    chosen: dict[str, Counter[int]] = {"x": Counter(), "x_prime": Counter()}
    labels = option_labels(bias)
    for row in items.to_dict("records"):
        facts = row["facts"]
        if row["state"] != "answered" or facts.get("bias") != bias.id:
            continue
        chosen[row["arm"]][int(row["extra"]["position"])] += 1
        if facts.get("imported"):  # a scale of its own, whose words may differ from case to case
            labels = [f"Option {at}" for at in range(1, max(len(labels), facts["scale"]) + 1)]
    return [
        OptionCount(at, label, chosen["x"][at], chosen["x_prime"][at])
        for at, label in enumerate(labels)
    ]


def option_labels(bias: Bias) -> list[str]:
    """The options in words that hold for every scene; gaps are written as an ellipsis."""
    labels = []
    for at, (one, other) in enumerate(zip(*bias.scale, strict=True), 1):
        words = _open(one, 0)
        if _open(other, 1) != words:
            words = f"{words} / {_open(other, 1)}"
        labels.append(f"{at} · {words}")
    return labels


def _open(option: str, arm: int) -> str:
    closed = _ALTERNATIVES.sub(lambda match: match[arm + 1].strip(), option)
    return " ".join(_GAP.sub("…", closed).split())


STUDY = "decision"
"""Name of the study whose items these figures are for."""

COLUMNS = (
    "run", "study", "model", "model_kind", "strategy", "position", "arm", "sample", "state",
    "extra", "facts", "cluster", "strata",
)  # fmt: skip
"""What a table of items must have."""

_BAND = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""


SMALLEST = 0.1
"""Lengths of the scale: a movement below it is taken for none that matters. It is one option of
eleven; chosen by us, before any model was judged by it."""
FEWEST_SCENES = 5
"""With fewer an interval over scenes says little."""
MOST_UNREAD = Fraction(1, 5)
"""With a larger share of unread pairs those that were read may be a choice of their own."""


class BiasJudgement(StrEnum):
    """What the answers say of a bias."""

    SHOWN = "shown"
    REVERSED = "reversed"
    NONE = f"none within ±{SMALLEST}"
    OPEN = "too little said"
    SCENES = "can't be measured with these scenes"


@dataclass(frozen=True, slots=True)
class BiasScore:
    """How biased the decisions of one run are, for one bias or for all.

    Attributes:
        run, model, model_kind, strategy: who answered, how asked.
        bias: id, or ``all``; stratum values where broken down by something else.
        n: pairs with both answers read; clusters: scenes they belong to; samples: how often
            each arm was asked (the most). A pair's figures are means over its samples.
        metric: mean of the published metric, -1..1, positive where people's bias is; None
            without pairs. metric_ci: interval that respects scenes.
        size: mean size of the metric, whatever its sign: noise counts like bias; size_ci.
        movement: mean signed shift in the classic direction, in scale lengths, -1..1, relative to
            the bias's own parameters; movement_ci.
        unchanged: share of pairs whose arms chose the same option of the scale; unchanged_ci.
        chance: what random answers give for these very cases, exactly.
        band: where the mean metric of random answers to these very prompts lies in 95 of 100
            runs. Pairs that show the same control have one answer to it, as they have here.
        noise: standard deviation of the metric between samples of a pair, pooled; None where
            nothing was asked twice.
        invalid: pairs (samples of pairs) left out because an answer could not be read;
            failed: because a request failed or has no answer yet.
        confidence: coverage of the intervals.
        fidelity: verdict on the tests of the pairs that count; `SEVERAL`: they differ; None: these
            biases have no record.
        constant: the lowest and the highest movement that taking one and the same option in every
            prompt gives on these very pairs: 0 and 0 unless the arms measure from two points, or
            where one place in both arms is the bias itself (keeping what there is).
    """

    run: str
    model: str
    model_kind: str
    strategy: str
    bias: str
    n: int
    clusters: int
    samples: int
    metric: float | None
    metric_ci: Interval | None
    size: float | None
    movement: float | None
    movement_ci: Interval | None
    unchanged: float | None
    unchanged_ci: Interval | None
    chance: Chance | None
    band: Interval | None
    noise: float | None
    invalid: int
    failed: int
    confidence: float
    fidelity: str | None = None
    constant: Interval | None = None
    size_ci: Interval | None = None

    @property
    def judgement(self) -> BiasJudgement:
        """What the movement says, held against nought and against always taking one option."""
        if not self.n or self.invalid > MOST_UNREAD * (self.n + self.invalid):
            return BiasJudgement.OPEN
        moved = self.movement_ci
        if moved is None or self.clusters < FEWEST_SCENES:
            return BiasJudgement.SCENES
        null = self.constant or Interval(0.0, 0.0)
        low, high = min(0.0, null.low), max(0.0, null.high)
        if moved.low > high:
            return BiasJudgement.SHOWN
        if moved.high < low:
            return BiasJudgement.REVERSED
        if low < -SMALLEST or high > SMALLEST:
            return BiasJudgement.SCENES
        within = moved.low >= -SMALLEST and moved.high <= SMALLEST
        return BiasJudgement.NONE if within else BiasJudgement.OPEN


def bias_profile(
    items: pd.DataFrame, by: str = "bias", confidence: float = 0.95
) -> list[BiasScore]:
    """The scores of every run, a row for all pairs and one for each bias.

    Args:
        items: a row per run, arm, pair and sample, as the store's answered items
            (`COLUMNS`).
        by: the stratum that rows are made for.
        confidence: coverage of the intervals.

    Raises:
        BrokenOutcomes: a column is missing, or the items are another study's.
    """
    check_confidence(confidence)
    require_items(items, COLUMNS, STUDY, "A bias profile is of the study")
    found = []
    for _, rows in items.groupby("run", sort=False):
        cases = _cases(rows)
        found.append(_score(rows.iloc[0], ALL, cases, confidence))
        values = [strata.get(by) for strata in cases["strata"]]
        for value in sorted({str(value) for value in values if value is not None}):
            chosen = np.array([str(each) == value for each in values], dtype=bool)
            found.append(_score(rows.iloc[0], value, cases[chosen], confidence))
    return found


def _cases(rows: pd.DataFrame) -> pd.DataFrame:
    """A row per pair and sample: both positions, the metric's parameters, what became of it."""
    import pandas as pd

    keys = ["position", "sample"]
    arms = {arm: each.set_index(keys) for arm, each in rows.groupby("arm", sort=False)}
    if set(arms) != {"x", "x_prime"}:
        raise BrokenOutcomes("The items of a run are of one arm only: take all of them.")
    both = arms["x"].join(arms["x_prime"].add_suffix("_prime"), how="outer")
    return pd.DataFrame(list(_each_case(both)))


def _each_case(both: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for (position, sample), row in zip(both.index, both.to_dict("records"), strict=True):
        facts, facts_prime = row["facts"], row["facts_prime"]
        states = {row["state"], row["state_prime"]}
        case: dict[str, Any] = {
            "position": position,
            "sample": sample,
            "cluster": row["cluster"],
            "strata": row["strata"],
            "options": int(facts["scale"]),
            # Cases of a file are tests of their own, whatever their bias is called.
            "bias": "" if facts.get("imported") else str(facts.get("bias", "")),
            "asked": AskedCase(
                Metric(facts["kappa"], facts["gamma"], facts_prime["gamma"]),
                int(facts["scale"]),
                str(facts.get("asked", f"{position}/x")),
                str(facts_prime.get("asked", f"{position}/x_prime")),
                bool(facts.get("reversed", False)),
            ),
            "one_place": not facts.get("imported")
            and facts.get("classic") is not None
            and facts.get("classic") == facts_prime.get("classic"),
            "counts": states == {"answered"},
            "invalid": "invalid" in states and states <= {"answered", "invalid"},
            "m": np.nan,
            "movement": np.nan,
            "same": np.nan,
        }
        if case["counts"]:
            a, b = _position(row["extra"]), _position(row["extra_prime"])
            metric: Metric = case["asked"].metric
            case["m"] = float(metric.of(a, b))
            distance = abs(a - metric.gamma1) - abs(b - metric.gamma2)
            case["movement"] = metric.kappa * distance / (case["options"] - 1)
            case["same"] = float(a == b)
        yield case


def _position(extra: Mapping[str, Any]) -> int:
    try:
        return int(extra["position"])
    except (KeyError, TypeError) as error:
        raise BrokenOutcomes(
            "An answered item does not say which option of the scale was chosen: it was read by "
            "another version; prepare a new run (what was answered is taken over)."
        ) from error


def _score(first: pd.Series, bias: str, cases: pd.DataFrame, confidence: float) -> BiasScore:
    counted = cases[cases["counts"].to_numpy(dtype=bool)]
    per_pair = counted.groupby("position", sort=False)
    means = per_pair[["m", "movement", "same"]].mean()
    sizes = counted["m"].abs().groupby(counted["position"], sort=False).mean()
    cluster = per_pair["cluster"].first().to_numpy(dtype=object)
    n = len(means)
    asked: list[AskedCase] = list(per_pair["asked"].first()) if n else []
    chance = by_chance((case.metric, case.options) for case in asked) if n else None
    samples = int(cases.groupby("position").size().max()) if len(cases) else 1
    m, movement, same = (means[name].to_numpy(float) for name in ("m", "movement", "same"))
    return BiasScore(
        run=str(first["run"]),
        model=str(first["model"]),
        model_kind=str(first["model_kind"]),
        strategy=str(first["strategy"]),
        bias=bias,
        n=n,
        clusters=len(set(cluster)),
        samples=samples,
        metric=float(m.mean()) if n else None,
        metric_ci=mean_estimate(m, cluster, confidence, scale=True).interval,
        size=float(sizes.mean()) if n else None,
        size_ci=mean_estimate(
            sizes.reindex(means.index).to_numpy(float), cluster, confidence, scale=True
        ).interval,
        movement=float(movement.mean()) if n else None,
        movement_ci=mean_estimate(movement, cluster, confidence, scale=True).interval,
        unchanged=float(same.mean()) if n else None,
        unchanged_ci=clustered_share(same, cluster, len(counted), confidence),
        chance=chance,
        band=_band(chance, asked, samples),
        noise=_noise(counted),
        invalid=int(cases["invalid"].sum()),
        failed=int((~cases["counts"].astype(bool) & ~cases["invalid"].astype(bool)).sum()),
        confidence=confidence,
        fidelity=_fidelity(set(per_pair["bias"].first())) if n else None,
        constant=_constant(asked, list(per_pair["one_place"].first())) if n else None,
    )


_PLACES = 21
"""Places of a scale that are tried, evenly spread: more than any scale here has options."""


def _constant(of_pairs: Sequence[AskedCase], one_place: Sequence[bool]) -> Interval:
    """The movements that always taking one place of the scale gives, lowest and highest.

    Where the bias itself is one place in both arms, as keeping what there is, taking that place is
    the bias and no habit beside it: such pairs count as 0.
    """
    asked = [case for case, is_one in zip(of_pairs, one_place, strict=True) if not is_one]
    if not asked:
        return Interval(0.0, 0.0)
    gammas = np.array([[each.metric.gamma1, each.metric.gamma2] for each in asked], dtype=float)
    kappa = np.array([each.metric.kappa for each in asked], dtype=float)
    last = np.array([each.options - 1 for each in asked], dtype=float)
    found = []
    for share in np.linspace(0.0, 1.0, _PLACES):
        place = np.round(share * last)
        distance = np.abs(place - gammas[:, 0]) - np.abs(place - gammas[:, 1])
        found.append(float((kappa * distance / last).sum()) / len(of_pairs))
    return Interval(min(found), max(found))


def _fidelity(names: set[str]) -> str | None:
    """The verdict on the tests of these biases; one's own biases have none."""
    known = biases()
    verdicts = {
        str(record.verdict)
        for name in names
        if name in known and (record := known[name].fidelity) is not None
    }
    return next(iter(verdicts)) if len(verdicts) == 1 else SEVERAL if verdicts else None


def _band(chance: Chance | None, cases: Sequence[AskedCase], samples: int) -> Interval | None:
    if chance is None:
        return None
    reach = _BAND * standard_error(cases) / sqrt(samples)
    return Interval(chance.mean - reach, chance.mean + reach)


def _noise(counted: pd.DataFrame) -> float | None:
    """Pooled standard deviation of the metric within pairs."""
    groups = counted.groupby("position", sort=False)["m"]
    repeated = groups.count() > 1
    if not repeated.any():
        return None
    freedom = groups.count()[repeated] - 1
    squares = (groups.var()[repeated] * freedom).sum()
    return float(sqrt(squares / freedom.sum()))


BIAS_COLUMNS = (
    "metric", "metric_ci_low", "metric_ci_high", "metric_size", "movement", "movement_ci_low",
    "movement_ci_high", "unchanged", "unchanged_ci_low", "unchanged_ci_high", "chance_metric",
    "chance_size", "chance_low", "chance_high", "noise", "scenes", "fidelity", "judgement",
    "constant_low", "constant_high",
)  # fmt: skip
"""Added to the columns of effects where a run is of decision biases: see `BiasScore`. Movement is
its signed shift relative to the bias's own parameters; the band of chance is chance_low to
chance_high, scenes are the clusters, and fidelity is the verdict on the bias's test beside the
published template (`Verdict`), "several" where biases of several verdicts stand in a row. The
judgement is what the movement says (`BiasJudgement`); constant_low and constant_high are the
movements that always taking one option gives on the same pairs."""

SEVERAL = "several"

COUNTS, TEXTS = ("scenes",), ("fidelity", "judgement")


def bias_cells(
    effects: Sequence[Effect], items: pd.DataFrame, by: str | None = None
) -> list[dict[str, Cell]]:
    """For each effect the cells of `BIAS_COLUMNS`.

    Args:
        effects: effects of runs of this study, broken down by ``by``.
        items: their answered items.
        by: a stratum, or None for all pairs.
    """
    scores = {
        (score.run, score.bias): score
        for score in bias_profile(items, by or "bias")
        if (score.bias == ALL) == (by is None)
    }
    return [
        _cells(scores.get((effect.run, str(effect.stratum_value) if by else ALL)))
        for effect in effects
    ]


def _cells(score: BiasScore | None) -> dict[str, Cell]:
    if score is None:
        return dict.fromkeys(BIAS_COLUMNS)
    chance = score.chance
    return {
        "metric": score.metric,
        **_ends("metric_ci", score.metric_ci),
        "metric_size": score.size,
        "movement": score.movement,
        **_ends("movement_ci", score.movement_ci),
        "unchanged": score.unchanged,
        **_ends("unchanged_ci", score.unchanged_ci),
        "chance_metric": None if chance is None else chance.mean,
        "chance_size": None if chance is None else chance.mean_size,
        **_ends("chance", score.band),
        "noise": score.noise,
        "scenes": score.clusters,
        "fidelity": score.fidelity,
        "judgement": str(score.judgement),
        **_ends("constant", score.constant),
    }


def _ends(name: str, interval: Interval | None) -> dict[str, Cell]:
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return {f"{name}_low": low, f"{name}_high": high}


FEWEST_BIASES = 5
"""With fewer biases in common no correlation is told."""

_FARTHEST = 2.0
"""The most that two values of -1 to 1 differ: the distance of rows without a bias in common."""

Values = Mapping[str, float]
"""A figure of a model by bias; biases that were not asked are missing."""


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike two models are over the biases that both were asked.

    Attributes:
        one, other: names of the models.
        n: biases in common.
        correlation: Pearson's, -1..1; None with fewer than `FEWEST_BIASES`, or where all values of
            a model are the same.
        interval: of the correlation over biases like these (Fisher 1921); None where there is no
            correlation or it is exactly 1 or -1. It knows nothing of the noise in each value.
        distance: mean difference of the values, whatever its sign; None without biases in common.
    """

    one: str
    other: str
    n: int
    correlation: float | None
    interval: Interval | None
    distance: float | None


def similarity(
    one: str, other: str, models: Mapping[str, Values], confidence: float = 0.95
) -> Similarity:
    """How alike two of the models are.

    Args:
        one: a name among ``models``.
        other: another one.
        models: their figures.
        confidence: coverage of the interval.
    """
    check_confidence(confidence)
    first, second = models[one], models[other]
    shared = [bias for bias in first if bias in second]
    n = len(shared)
    if not n:
        return Similarity(one, other, 0, None, None, None)
    pairs = [(first[bias], second[bias]) for bias in shared]
    distance = sum(abs(a - b) for a, b in pairs) / n
    found = _pearson(pairs) if n >= FEWEST_BIASES else None
    return Similarity(one, other, n, found, _interval(found, n, confidence), distance)


def similarities(models: Mapping[str, Values], confidence: float = 0.95) -> list[Similarity]:
    """Every pair of models, the most alike first; pairs without a correlation last."""
    found = [similarity(a, b, models, confidence) for a, b in combinations(models, 2)]
    return sorted(
        found, key=lambda each: -2.0 if each.correlation is None else each.correlation, reverse=True
    )


def alike_together(rows: Mapping[str, Values]) -> list[str]:
    """The rows in an order in which those that are alike stand together.

    Average linkage of the mean difference over shared columns, leaves ordered so that neighbours
    differ least (Bar-Joseph et al. 2001). Rows that share no column lie farthest apart.

    Args:
        rows: of the heat map, or its columns turned.
    """
    names = list(rows)
    if len(names) < 3:
        return names
    from scipy.cluster.hierarchy import leaves_list, linkage

    tree = linkage(_distances(rows), method="average", optimal_ordering=True)
    return [names[at] for at in leaves_list(tree)]


def turned(rows: Mapping[str, Values]) -> dict[str, dict[str, float]]:
    """Columns in place of rows: for each bias the models' values."""
    biases = dict.fromkeys(bias for values in rows.values() for bias in values)
    return {
        bias: {name: values[bias] for name, values in rows.items() if bias in values}
        for bias in biases
    }


def _distances(rows: Mapping[str, Values]) -> np.ndarray:
    import numpy as np

    found = []
    for one, other in combinations(rows.values(), 2):
        gaps = [abs(one[name] - other[name]) for name in one if name in other]
        found.append(sum(gaps) / len(gaps) if gaps else _FARTHEST)
    return np.array(found)


def _pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    n = len(pairs)
    mean_a, mean_b = (sum(values) / n for values in zip(*pairs, strict=True))
    spread_a = sum((a - mean_a) ** 2 for a, _ in pairs)
    spread_b = sum((b - mean_b) ** 2 for _, b in pairs)
    # A constant differs from its own mean by rounding alone.
    if min(spread_a, spread_b) < 1e-18:
        return None
    both = sum((a - mean_a) * (b - mean_b) for a, b in pairs)
    return max(-1.0, min(1.0, float(both / sqrt(spread_a * spread_b))))


def _interval(correlation: float | None, n: int, confidence: float) -> Interval | None:
    """Fisher's (1921) interval of a correlation."""
    if correlation is None or abs(correlation) > 1 - 1e-12:
        return None
    from scipy.stats import norm

    reach = float(norm.ppf((1 + confidence) / 2)) / sqrt(n - 3)
    middle = atanh(correlation)
    return Interval(tanh(middle - reach), tanh(middle + reach))
