"""From outcomes to effects: one row per run and stratum, with all that a reader needs; as tables.

Benjamini-Hochberg's false discovery rate is controlled within a family: the rows of one study in
one call, simulated learners apart from models. So call it with the runs of one comparison, as the
paper does within each bias (Opedal et al. 2024, section 5.1). Every row names its family.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy

from biaslab.stats.effect_estimator import Estimator, UnreadDifference, unread_difference
from biaslab.stats.errors import UnknownStratum
from biaslab.stats.estimates import Interval, check_confidence
from biaslab.stats.outcomes import (
    InvalidRule,
    check_outcomes,
    check_rule,
    count_pairs,
    majority,
    most_samples,
    right_or_wrong,
)
from biaslab.stats.paired import IntervalMethod, Outcomes, mcnemar_p, paired_t_p
from biaslab.stats.stopping import Adjustment
from schoolmath.text.figures import signed_points

if TYPE_CHECKING:
    import pandas as pd

StratumValue: TypeAlias = str | int | bool | None
"""What the pairs of a stratum share; None for all pairs, or for pairs that do not say."""

_NUMBER = re.compile(r"\d+")
_DIGITS = 12

ALL = "all"
"""The stratum of all pairs of a run."""


def stratum_label(name: str, value: StratumValue) -> str:
    """A stratum as rows name it: ``steps=2``."""
    match value:
        case None:
            return f"{name}=not given"
        case bool():
            return f"{name}={str(value).lower()}"
        case _:
            return f"{name}={value}"


def with_joint_stratum(table: pd.DataFrame, by: str | None) -> pd.DataFrame:
    """A table of outcomes or items in which strata taken together are one more stratum.

    Args:
        table: with a column ``strata``, a mapping in each row.
        by: names with commas between, ``grade,dok``; one name, or None, changes nothing.

    Returns:
        The table with the stratum of that name, ``5, 2``, in every row that has all of them.
    """
    if by is None or "," not in by:
        return table
    joint: list[Any] = []
    for strata in map(_named, table["strata"]):
        found = [strata.get(name) for name in by.split(",")]
        whole = None not in found
        joint.append({**strata, by: ", ".join(map(str, found))} if whole else strata)
    return table.assign(strata=joint)


def stratum_order(value: StratumValue) -> tuple[int, float, str]:
    """A key to sort by: numbers by size, then words with numbers in them by size, last None."""
    match value:
        case None:
            return (2, 0.0, "")
        case str():
            return (1, 0.0, _NUMBER.sub(lambda number: number[0].zfill(_DIGITS), value))
        case _:
            return (0, float(value), "")


# What answers that are missing could change: an answer that was cut off, or whose request failed.
#
# Their pairs are left out of an effect. Whether that matters shows when each of them is taken for
# right, or for wrong (Manski 1990, *Nonparametric bounds on treatment effects*, American Economic
# Review 80(2): bounds without any assumption about what is missing).


@dataclass(frozen=True, slots=True)
class MissingAnswers:
    """Answers that are missing, and what the CATE would be with them.

    Attributes:
        x, x_prime: how many are missing, of each arm (samples of pairs).
        if_right, if_wrong: CATE if all of them were right, or wrong, as fractions.
        low, high: the least and the most that it can be, whichever of them are right.
    """

    x: int
    x_prime: int
    if_right: float
    if_wrong: float
    low: float
    high: float

    def sentence(self, arms: tuple[str, str] = ("x", "x'")) -> str:
        """What it means for the effect.

        Args:
            arms: what x and x' are called.
        """
        return (
            f"{self.x + self.x_prime:,} answers are missing, because they were cut off or their "
            f"requests failed ({self.x:,} to “{arms[0]}”, {self.x_prime:,} to “{arms[1]}”), and "
            f"their pairs are left out. {self.what_if()}"
        )

    def what_if(self) -> str:
        """What the difference would be with them."""
        return (
            "If all missing answers were right the difference would be "
            f"{signed_points(self.if_right)} points, if all were wrong "
            f"{signed_points(self.if_wrong)}; whichever of them are right, it is between "
            f"{signed_points(self.low)} and {signed_points(self.high)}."
        )


def missing_answers(outcomes: pd.DataFrame, invalid: InvalidRule) -> MissingAnswers | None:
    """What missing answers could change; None where none is missing.

    Args:
        outcomes: checked rows of one run, or of one stratum of it, right or wrong.
        invalid: as for `effects`.
    """
    absent = {arm: (outcomes[f"state_{arm}"] == "failed").to_numpy() for arm in ("x", "x_prime")}
    if not any(each.any() for each in absent.values()):
        return None

    def cate(x: float, x_prime: float) -> float:
        supposed = outcomes.copy()
        for arm, outcome in (("x", x), ("x_prime", x_prime)):
            y, state = supposed[f"y_{arm}"].to_numpy(float), supposed[f"state_{arm}"]
            supposed[f"y_{arm}"] = np.where(absent[arm], outcome, y)
            supposed[f"state_{arm}"] = np.where(absent[arm], "answered", state)
        counted = count_pairs(supposed, invalid)
        difference = counted.y_x - counted.y_x_prime
        return float(difference.mean()) if difference.size else 0.0

    return MissingAnswers(
        int(absent["x"].sum()),
        int(absent["x_prime"].sum()),
        if_right=cate(1.0, 1.0),
        if_wrong=cate(0.0, 0.0),
        low=cate(0.0, 1.0),
        high=cate(1.0, 0.0),
    )


@dataclass(frozen=True, slots=True)
class Effect:
    """What changing one feature did to one run, over all pairs or over one stratum.

    Attributes:
        study, model, model_kind, strategy, run: what was compared, who answered, how asked.
        stratum: ``all``, or for example ``steps=2``; stratum_value: the 2.
        n: pairs that count; clusters: the groups they belong to.
        samples: how often each item was asked (the most, where some are missing). Then a
            pair's outcome is the mean of its samples; n stays the number of pairs.
        voted: whether it is the outcome of the most frequent answer instead; never where every
            item was asked once, for want of anything to vote on.
        binary: whether outcomes are right (1) or wrong (0); otherwise they are positions on
            a scale, accuracies are means in its unit, and there is no McNemar test.
        accuracy_x, accuracy_x_prime: share right of each arm, as fractions 0..1 (never per
            cent), with Wilson intervals (t intervals of means where not binary). With several
            samples they respect clusters.
        cate: accuracy_x - accuracy_x_prime, a fraction -1..1; positive: x was right more often.
        ci_low, ci_high: interval of cate; None with fewer than two pairs or clusters. Where the
            run was looked at repeatedly it allows for that, and method says how.
        p: of the test that belongs to the interval (`biaslab.stats.estimates`): it
        respects
            clusters and samples, and does not allow for looking.
        p_t: two-tailed paired t-test, the paper's; None where pairs share clusters, since it
            takes them as independent.
        p_mcnemar: exact McNemar test; None where pairs share clusters, outcomes are not binary,
            or a pair has several samples and no vote was taken.
        q_bh: p adjusted by Benjamini & Hochberg within the family.
        family: the rows that q_bh allows for, this one among them, each as ``run stratum``;
            empty where there is no p.
        invalid_x, invalid_x_prime: number of answers that could not be read, among pairs
            (samples of pairs) whose members both came back; answers: how many these are, of
            each arm.
        excluded: pairs left out for an invalid answer; failed: for one that is missing, because it
            was cut off or its request failed;
            unfinished: because not yet answered. A pair counts as soon as one of its samples
            does; method says how many of its samples are left out.
        confidence: coverage of all intervals.
        interval_method: which method made the CATE interval (`IntervalMethod`).
        unread: how the shares of unread answers differ between the arms; None without answers.
        missing: what answers that are missing could change; None where none is, or where
            outcomes are not binary.
        looked: whether the run was looked at while it went on, which the interval allows for.
        method: how the numbers were made, in plain sentences.
    """

    study: str
    model: str
    model_kind: str
    strategy: str
    run: str
    stratum: str
    stratum_value: StratumValue
    n: int
    clusters: int
    binary: bool
    accuracy_x: float | None
    accuracy_x_ci: Interval | None
    accuracy_x_prime: float | None
    accuracy_x_prime_ci: Interval | None
    cate: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    p_t: float | None
    p_mcnemar: float | None
    q_bh: float | None
    invalid_x: int
    invalid_x_prime: int
    excluded: int
    failed: int
    unfinished: int
    confidence: float
    interval_method: IntervalMethod
    looked: bool
    method: str
    family: tuple[str, ...] = ()
    samples: int = 1
    voted: bool = False
    answers: int = 0
    unread: UnreadDifference | None = None
    missing: MissingAnswers | None = None


def effects(
    outcomes: pd.DataFrame,
    by: str | None = None,
    invalid: InvalidRule = "strict",
    confidence: float = 0.95,
    vote: bool = False,
    adjusted: Mapping[str, Adjustment] | None = None,
    interval: IntervalMethod = "imagined-pairs",
) -> list[Effect]:
    """The effects of every run in a table of outcomes.

    Args:
        outcomes: a row per pair and sample of a run, as the store gives it
            (`outcomes.COLUMNS`).
        by: name of a stratum to break effects down by, or None for all pairs together.
            Pairs of a study that do not name the stratum form one of their own; runs of a
            study without the stratum keep their row for all pairs (`effect_warnings`).
        invalid: ``strict`` counts an answer that cannot be read as not right, ``exclude``
            leaves its pair out. On a scale there is no "not right": such pairs are always
            left out there, and `Effect.method` says so.
        confidence: coverage of the intervals.
        vote: whether a pair's outcomes are those of each member's most frequent answer
            (`majority`) in place of the means of its samples.
        adjusted: for runs that were looked at while they went on, how their CATE interval has
            to be made (`Decision.adjustment` of the last look). Their rows never promise more
            coverage than the rule did.
        interval: how the CATE interval is made; a published method is refused where it is none
            for such pairs.

    Returns:
        A row per run, in the order of the table, and stratum, in ascending order. Strata
        without countable pairs keep their row, with n = 0.

    Raises:
        BrokenOutcomes: the table contradicts itself.
        UnknownStratum: no pair of any study has the stratum.
        UnknownChoice: an unknown rule for invalid answers or confidence level.
    """
    runs = outcomes_by_run(outcomes, invalid, confidence, vote)
    divided = set() if by is None else _studies_with(runs, by)
    found: list[Effect] = []
    for run in runs:
        adjustment = (adjusted or {}).get(run.run)
        estimator = Estimator(
            run.binary, invalid, confidence, run.samples, run.voted, adjustment, interval
        )
        found += [
            _effect(run.rows.loc[chosen], run.asked, stratum, value, estimator)
            for stratum, value, chosen in _strata(run.rows, by if run.study in divided else None)
        ]
    told = "recorded" in outcomes
    recorded = outcomes.loc[outcomes["recorded"].astype(bool), "run"] if told else ()
    return _with_discovery_rate(found, frozenset(recorded))


def _studies_with(runs: Sequence[RunOutcomes], by: str) -> set[str]:
    """The studies whose pairs have the stratum; refused if there are outcomes and no such study."""
    names: dict[str, set[str]] = {}
    for run in runs:
        names.setdefault(run.study, set()).update(
            name for strata in run.rows["strata"] for name in _named(strata)
        )
    found = {study for study, known in names.items() if by in known}
    if names and not found:
        known = sorted(set().union(*names.values()))
        offer = f"choose {', '.join(known)} or all pairs" if known else "choose all pairs"
        of = "study" if len(names) == 1 else "studies"
        raise UnknownStratum(
            f"The pairs of {of} {', '.join(names)} have no stratum '{by}': {offer}."
        )
    return found


def _named(strata: object) -> Mapping[str, StratumValue]:
    return strata if isinstance(strata, Mapping) else {}


def _strata(rows: pd.DataFrame, by: str | None) -> Iterator[tuple[str, StratumValue, pd.Index]]:
    if by is None:
        yield ALL, None, rows.index
        return
    members: dict[StratumValue, list[int]] = defaultdict(list)
    for position, strata in enumerate(rows["strata"]):
        members[_named(strata).get(by)].append(position)
    for value in sorted(members, key=stratum_order):
        yield stratum_label(by, value), value, rows.index[members[value]]


def _effect(
    rows: pd.DataFrame, items: pd.DataFrame, stratum: str, value: StratumValue, estimator: Estimator
) -> Effect:
    counted = count_pairs(rows, estimator.invalid if estimator.binary else "exclude")
    y_x, y_x_prime = counted.y_x, counted.y_x_prime
    estimate = estimator.estimate(counted)
    interval = estimate.interval
    single = estimate.clusters == estimate.n
    first = rows.iloc[0]
    # A vote hides answers that could not be read; they are reported all the same.
    asked_here = items[items["pair"].isin(rows["pair"])] if estimator.voted else rows
    answers = count_pairs(asked_here, "strict") if estimator.voted else counted
    return Effect(
        study=str(first["study"]),
        model=str(first["model"]),
        model_kind=str(first["model_kind"]),
        strategy=str(first["strategy"]),
        run=str(first["run"]),
        stratum=stratum,
        stratum_value=value,
        n=estimate.n,
        clusters=estimate.clusters,
        binary=estimator.binary,
        accuracy_x=_mean(y_x),
        accuracy_x_ci=estimator.arm_interval(y_x, counted),
        accuracy_x_prime=_mean(y_x_prime),
        accuracy_x_prime_ci=estimator.arm_interval(y_x_prime, counted),
        cate=estimate.mean,
        ci_low=None if interval is None else interval.low,
        ci_high=None if interval is None else interval.high,
        p=estimate.p,
        p_t=paired_t_p(y_x, y_x_prime) if single else None,
        p_mcnemar=(
            mcnemar_p(y_x, y_x_prime)
            if single and estimator.binary and not estimator.averaged
            else None
        ),
        q_bh=None,
        invalid_x=answers.invalid_x,
        invalid_x_prime=answers.invalid_x_prime,
        excluded=counted.excluded,
        failed=counted.failed,
        unfinished=counted.unfinished,
        confidence=estimator.coverage,
        interval_method=estimator.interval,
        looked=estimator.adjustment is not None,
        method=estimator.method(counted, estimate),
        samples=estimator.samples,
        voted=estimator.voted,
        answers=answers.answers,
        unread=unread_difference(asked_here, estimator.coverage),
        missing=missing_answers(rows, estimator.invalid) if estimator.binary else None,
    )


def _mean(outcomes: Outcomes) -> float | None:
    return float(outcomes.mean()) if outcomes.size else None


def _with_discovery_rate(effects: list[Effect], recorded: frozenset[str]) -> list[Effect]:
    """Gives every row with a p its family and q; recorded runs are never in one with others."""
    families: dict[tuple[str, bool, bool], dict[int, float]] = defaultdict(dict)
    for index, effect in enumerate(effects):
        if effect.p is not None:
            learner = _is_simulated(effect)
            families[effect.study, learner, effect.run in recorded][index] = effect.p
    adjusted = list(effects)
    for members in families.values():
        names = tuple(f"{effects[index].run} {effects[index].stratum}" for index in members)
        rates = scipy.stats.false_discovery_control(list(members.values()), method="bh")
        for index, q in zip(members, rates, strict=True):
            effect = effects[index]
            adjusted[index] = replace(
                effect,
                q_bh=float(q),
                family=names,
                method=f"{effect.method} {_family_note(effect, len(members), recorded)}",
            )
    return adjusted


def _is_simulated(effect: Effect) -> bool:
    # Late, so that the statistics can be imported without what is asked.
    from biaslab.models import ModelKind

    return effect.model_kind == ModelKind.LEARNER


def _family_note(effect: Effect, size: int, recorded: frozenset[str]) -> str:
    """What q allows for, as a sentence."""
    who = "simulated learners" if _is_simulated(effect) else "models"
    who = f"recorded {who}" if effect.run in recorded else who
    tests = "test" if size == 1 else "tests"
    return f"q: Benjamini-Hochberg over the {size} {tests} of {who} in this comparison."


@dataclass(frozen=True, slots=True)
class RunOutcomes:
    """What one run came to.

    Attributes:
        run, study: as in the table of outcomes.
        rows: what counts: a row per pair and sample, or per pair where it was voted on.
        asked: a row per pair and sample, whether voted on or not.
        binary: whether outcomes are right or wrong; samples, voted: as in `Effect`.
    """

    run: str
    study: str
    rows: pd.DataFrame
    asked: pd.DataFrame
    binary: bool
    samples: int
    voted: bool


def outcomes_by_run(
    outcomes: pd.DataFrame, invalid: InvalidRule, confidence: float, vote: bool
) -> list[RunOutcomes]:
    """The runs of a table of outcomes, in its order; arguments are those of `effects`.

    Raises:
        BrokenOutcomes: the table contradicts itself.
        UnknownChoice: an unknown rule for invalid answers or confidence level.
    """
    check_rule(invalid)
    check_confidence(confidence)
    check_outcomes(outcomes)
    outcomes = outcomes.reset_index(drop=True)
    asked = dict(iter(outcomes.groupby("run", sort=False)))
    counted = majority(outcomes) if vote else outcomes
    binary = {
        str(study): right_or_wrong(rows) for study, rows in counted.groupby("study", sort=False)
    }
    found = []
    for run, rows in counted.groupby("run", sort=False):
        study, samples = str(rows["study"].iloc[0]), most_samples(asked[run])
        found.append(
            RunOutcomes(
                str(run), study, rows, asked[run], binary[study], samples, vote and samples > 1
            )
        )
    return found


FORMAT = 2
"""Version of a row. 1 had no columns after invalid_x_prime, and a q of p_t."""

_NUMBERS = (
    "accuracy_x", "accuracy_x_prime", "cate", "ci_low", "ci_high", "p_t", "p_mcnemar", "q_bh",
)  # fmt: skip

TABLE_COLUMNS = (
    "study", "model", "strategy", "stratum", "n", *_NUMBERS, "invalid_x", "invalid_x_prime",
    "p", "run", "settings", "model_kind", "samples", "voted", "clusters", "confidence",
    "interval_method", "looked", "family", "method", "reader", "unread_difference", "unread_p",
    "format",
)  # fmt: skip
"""Columns of a table of effects, in order. Accuracies and CATE are fractions (0.25, never 25);
p-values and q_bh are unrounded; invalid_x and invalid_x_prime are numbers of answers. All are as
in `Effect`, but for settings and reader (`Origin`; null where not given), unread_difference and
unread_p (`Effect.unread`), and format (`FORMAT`). docs/file-format.md describes each."""

Cell: TypeAlias = str | int | float | list[str] | list[dict[str, Any]] | dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the answers of a run come from.

    Attributes:
        settings: what the run's design chose, JSON-ready.
        reader: which way of reading its answers were read by; None where nobody noted it.
    """

    settings: Mapping[str, Any]
    reader: str | None = None


Origins: TypeAlias = Mapping[str, Origin]
"""Origins of runs by their ids."""


def effects_records(
    effects: Sequence[Effect], origins: Origins | None = None
) -> list[dict[str, Cell]]:
    """One JSON-ready object per effect with exactly the columns of `TABLE_COLUMNS`."""
    return [_record(effect, (origins or {}).get(effect.run)) for effect in effects]


def _record(effect: Effect, origin: Origin | None) -> dict[str, Cell]:
    own: dict[str, Cell] = {
        "settings": None if origin is None else dict(origin.settings),
        "reader": None if origin is None else origin.reader,
        "unread_difference": None if effect.unread is None else effect.unread.difference,
        "unread_p": None if effect.unread is None else effect.unread.p,
        "family": list(effect.family),
        "format": FORMAT,
    }
    return {name: own[name] if name in own else getattr(effect, name) for name in TABLE_COLUMNS}


def effects_table(effects: Sequence[Effect], origins: Origins | None = None) -> pd.DataFrame:
    """One row per effect with exactly the columns of `TABLE_COLUMNS`; NaN where undefined.

    Settings are JSON text, the rows of a family are separated by semicolons. For a JSON file
    prefer `effects_json`: pandas rounds small p-values to zero.
    """
    import pandas as pd

    records = effects_records(effects, origins)
    for record in records:
        if record["settings"] is not None:
            record["settings"] = json.dumps(record["settings"], ensure_ascii=False, sort_keys=True)
        record["family"] = "; ".join(str(row) for row in record["family"])  # type: ignore[union-attr]
    table = pd.DataFrame(records, columns=list(TABLE_COLUMNS))
    return table.astype(dict.fromkeys((*_NUMBERS, "p", "unread_difference", "unread_p"), "float64"))


def effects_json(effects: Sequence[Effect], origins: Origins | None = None) -> str:
    """A JSON list of `effects_records`, numbers in full precision, undefined ones null."""
    return json.dumps(
        effects_records(effects, origins), ensure_ascii=False, indent=2, allow_nan=False
    )
