"""How well rationales were identified: AIA, MIA, what may stand behind them, and their columns.

AIA (algorithm identification accuracy) is the share of the keys' choices whose rationale was
identified, MIA (malgorithm identification accuracy) that of the distractors' choices (Sonkar et
al. 2024). AIA - MIA is this study's CATE (`biaslab.stats.effects`).

Every item counts once, with the mean over its samples, and items of a question share a cluster.
An answer that cannot be read counts as not right; beside it stands the share among those that
could be read. A failed request is nobody's answer and is left out.

Everything here works on `Store.answered_items`, on its columns alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from biaslab.stats.effects import Cell, Effect, StratumValue
from biaslab.stats.estimates import (
    Estimate,
    Interval,
    check_confidence,
    clustered_share,
    mean_estimate,
)
from biaslab.stats.outcomes import InvalidRule, check_rule
from biaslab.studies.malgorithm.answers import STUDY, Rows, check_items, counted, strata_of
from biaslab.studies.malgorithm.items import RATIONALE

if TYPE_CHECKING:
    import pandas as pd

_Objects = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class GuessRates:
    """What guessing reaches on the same items: means over those that count.

    Attributes:
        aia, mia: one of the labels shown.
        mcq: one of the question's options.
        all_three: all wrong options of a question.
        attraction: of wrong identifications those that take the key's reason, if the wrong ones
            are equally attractive.
    """

    aia: float | None = 1 / 4
    mia: float | None = 1 / 4
    mcq: float | None = 1 / 4
    all_three: float | None = 1 / 64
    attraction: float | None = 1 / 3


OF_FOUR = GuessRates()
"""Those of the bank's items, with four options and four rationales."""


@dataclass(frozen=True, slots=True)
class ReadShare:
    """A share of items, by the rule for unreadable answers, and among readable ones alone.

    Attributes:
        value: the share; None where nothing counts. interval: clustered by template.
        n: items that count; clusters: templates of the questions they belong to, on which
            intervals are clustered (runs of before 0.5: the questions themselves).
        valid, valid_interval, n_valid: the same with unreadable answers left out, whatever the
            rule.
        invalid, failed, unfinished: answers (samples of items) that could not be read, got no
            response, or have not been asked yet.
    """

    value: float | None
    interval: Interval | None
    n: int
    clusters: int
    valid: float | None
    valid_interval: Interval | None
    n_valid: int
    invalid: int
    failed: int
    unfinished: int


@dataclass(frozen=True, slots=True)
class LabelSlot:
    """How often one label was named, against how often it was right.

    Attributes:
        named, right: shares of the readable answers; bias: their difference, positive where
            the label is named more often than it is right; interval: of bias, clustered.
    """

    label: str
    named: float
    right: float
    bias: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a rule that understands nothing would reach on the same items.

    Attributes:
        name: ``longest``, ``shortest``, ``words alone``, ``place by value`` or ``value inside``.
        explanation: the rule in a sentence.
        aia, mia, mcq: exact expected shares; ties are broken by chance. None without items, and
            where the rule says nothing of it.
        beyond: what the run has of MCQ less the rule, question by question; None where the rule
            says nothing of MCQ.
    """

    name: str
    explanation: str
    aia: float | None
    mia: float | None
    mcq: float | None = None
    beyond: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Identification:
    """One run, over all questions or one stratum.

    Attributes:
        aia, mia: see the module; mcq: questions answered rightly when asked themselves.
        all_three: questions whose wrong options (three, in the bank) were all identified, among
            those all of whose were asked and came back.
        attraction: of the wrong identifications of mal-rules where the key's rationale is shown,
            the share that took it. Readable answers only.
        slots: one a label, over the readable answers of both arms.
        baselines: rules that understand nothing, on the same items.
        exact_json: share of all written answers that were exactly the JSON asked for; None:
            nothing was written.
        chances: what guessing reaches on the same items.
        misconceptions: whether some reasons are names of misconceptions, which say what a pupil
            believes and not how the answer comes about.
    """

    study: str
    model: str
    model_kind: str
    strategy: str
    run: str
    stratum: str
    stratum_value: StratumValue
    aia: ReadShare
    mia: ReadShare
    mcq: ReadShare
    all_three: ReadShare
    attraction: ReadShare
    slots: tuple[LabelSlot, ...]
    baselines: tuple[Baseline, ...]
    exact_json: float | None
    invalid_rule: InvalidRule
    confidence: float
    chances: GuessRates = OF_FOUR
    misconceptions: bool = False


def identifications(
    items: pd.DataFrame,
    by: str | None = None,
    invalid: InvalidRule = "strict",
    confidence: float = 0.95,
) -> list[Identification]:
    """The figures of every run in a table of items.

    Args:
        items: as `Store.answered_items` gives it, of runs of this study.
        by: ``grade``, ``dok``, ``content_class`` or ``rule``. A stratum holds the mal-rules'
            choices that belong to it, and the keys' choices of the same questions.
        invalid: ``strict`` or ``exclude``, as in `effects`.
        confidence: coverage of the intervals.

    Raises:
        BrokenOutcomes: a column is missing, or the items are another study's.
        UnknownStratum: no item has the stratum.
        UnknownChoice: an unknown rule for invalid answers or confidence level.
    """
    check_rule(invalid)
    check_confidence(confidence)
    check_items(items)
    found = []
    for run, rows in items.groupby("run", sort=False):
        table = counted(rows)
        for stratum, value, chosen in strata_of(table, by, str(run)):
            found.append(_identification(rows, chosen, stratum, value, invalid, confidence))
    return found


def _identification(
    rows: pd.DataFrame,
    table: Rows,
    stratum: str,
    value: StratumValue,
    invalid: InvalidRule,
    confidence: float,
) -> Identification:
    first = rows.iloc[0]
    asked, mal = table[table["arm"] == "x"], table[table["arm"] == "x_prime"]
    key = asked[asked["of_reason"].astype(bool)]
    read = table[(table["state"] == "answered") & table["of_reason"].astype(bool)]
    keys, mals = _items(key), _items(mal)
    questions, wrong, every = _questions(asked), _wrong(mal), _all_three(mal)
    return Identification(
        study=str(first["study"]),
        model=str(first["model"]),
        model_kind=str(first["model_kind"]),
        strategy=str(first["strategy"]),
        run=str(first["run"]),
        stratum=stratum,
        stratum_value=value,
        aia=_share(key, invalid, confidence),
        mia=_share(mal, invalid, confidence),
        mcq=_share(questions, invalid, confidence),
        all_three=_share(every, invalid, confidence),
        attraction=_share(wrong, invalid, confidence),
        slots=tuple(_slots(read, confidence)),
        baselines=(
            Baseline(
                "longest", "Takes the longest rationale.",
                _mean(keys["longest"]), _mean(mals["longest"]),
            ),
            Baseline(
                "shortest", "Takes the shortest rationale.",
                _mean(keys["shortest"]), _mean(mals["shortest"]),
            ),
            Baseline(
                "words alone",
                "Takes the rationale with most words of the question and the choice.",
                _mean(keys["words"]), _mean(mals["words"]),
            ),
            _place_by_value(questions, invalid, confidence),
            Baseline(
                "value inside",
                "Takes a rationale in which the choice itself stands, and guesses where none is.",
                _mean(keys["inside"]), _mean(mals["inside"]),
            ),
        ),
        exact_json=_mean(
            table.loc[table["state"].isin(("answered", "invalid")), "json"].dropna().astype(float)
        ),
        invalid_rule=invalid,
        confidence=confidence,
        chances=GuessRates(
            aia=_mean(1 / keys["labels"]),
            mia=_mean(1 / mals["labels"]),
            mcq=_mean(1 / _items(questions)["options"]),
            all_three=_mean((1 / every["labels"]) ** every["wrong"]) if len(every) else None,
            attraction=_mean(1 / (wrong["labels"] - 1)),
        ),
        misconceptions=bool((table["told"] != RATIONALE).any()),
    )  # fmt: skip


def _questions(key: Rows) -> Rows:
    """The questions' own answers in place of the identifications."""
    answered = key["mcq"].notna()
    back = key["state"].isin(("answered", "invalid"))
    state = key["state"].mask(back, "invalid").mask(back & answered, "answered")
    asked = ~back | key["mcq_read"]
    return key.assign(state=state, outcome=key["mcq"].astype(float))[asked]


def _all_three(mal: Rows) -> Rows:
    """A row a question and sample whose wrong choices were all asked."""
    if mal.empty:
        return mal
    order = {"failed": 0, "missing": 1, "invalid": 2, "answered": 3}
    grouped = mal.assign(rank=mal["state"].map(order)).groupby(["question", "sample"], sort=False)
    made = grouped.agg(
        asked=("item", "nunique"),
        cluster=("cluster", "first"),
        rank=("rank", "min"),
        outcome=("outcome", "min"),
        wrong=("wrong", "first"),
        labels=("labels", "first"),
    ).reset_index()
    made = made[made["asked"] == made["wrong"]]
    made["state"] = made["rank"].map({rank: state for state, rank in order.items()})
    return made.assign(item=made["question"])


def _wrong(mal: Rows) -> Rows:
    """The readable wrong identifications; the outcome is whether they took the key's.

    Where the key's reason is not shown, or only it is beside the right one, nothing can be told.
    """
    wrong = mal[(mal["state"] == "answered") & (mal["value"] != mal["right"])]
    wrong = wrong[(wrong["key_label"] != "") & (wrong["labels"] > 2)]
    return wrong.assign(outcome=(wrong["value"] == wrong["key_label"]).astype(float))


def _slots(read: Rows, confidence: float) -> Iterator[LabelSlot]:
    if read.empty:
        return
    cluster = read["cluster"].to_numpy(dtype=object)
    for label in sorted({*read["right"], *read["key_label"], *read["value"]}):
        named = (read["value"] == label).to_numpy(dtype=float)
        right = (read["right"] == label).to_numpy(dtype=float)
        yield LabelSlot(
            label,
            float(named.mean()),
            float(right.mean()),
            float((named - right).mean()),
            mean_estimate(named - right, cluster, confidence).interval,
        )


def _share(rows: Rows, invalid: InvalidRule, confidence: float) -> ReadShare:
    state: _Objects = rows["state"].to_numpy(dtype=object)
    valid = state == "answered"
    back = valid | (state == "invalid")
    outcome = np.where(valid, rows["outcome"].to_numpy(dtype=np.float64), 0.0)
    readable = _per_item(rows, outcome, valid, confidence)
    chosen = readable if invalid == "exclude" else _per_item(rows, outcome, back, confidence)
    return ReadShare(
        value=chosen.mean,
        interval=chosen.interval,
        n=chosen.n,
        clusters=chosen.clusters,
        valid=readable.mean,
        valid_interval=readable.interval,
        n_valid=readable.n,
        invalid=int((state == "invalid").sum()),
        failed=int((state == "failed").sum()),
        unfinished=int((state == "missing").sum()),
    )


@dataclass(frozen=True, slots=True)
class _Estimate:
    mean: float | None
    interval: Interval | None
    n: int
    clusters: int


def _per_item(
    rows: Rows, outcome: npt.NDArray[np.float64], counts: npt.NDArray[np.bool_], confidence: float
) -> _Estimate:
    """The mean of the items' means; numpy alone, for a page asks it some hundred times."""
    items: _Objects = rows["item"].to_numpy(dtype=object)[counts]
    if not len(items):
        return _Estimate(None, None, 0, 0)
    _, first, of = np.unique(items.astype(str), return_index=True, return_inverse=True)
    order = np.argsort(first)
    values = (np.bincount(of, outcome[counts]) / np.bincount(of))[order]
    cluster: _Objects = rows["cluster"].to_numpy(dtype=object)[counts][first[order]]
    interval = clustered_share(values, cluster, len(items), confidence)
    return _Estimate(float(values.mean()), interval, len(values), len(set(cluster)))


def _items(rows: Rows) -> Rows:
    """The items that came back, each once."""
    return rows[rows["state"].isin(("answered", "invalid"))].drop_duplicates("item")


def _place_by_value(questions: Rows, invalid: InvalidRule, confidence: float) -> Baseline:
    """Over the questions that count and whose options are all numbers, each once."""
    valid = questions["state"] == "answered"
    counts = valid if invalid == "exclude" else valid | (questions["state"] == "invalid")
    beyond = questions["outcome"].where(valid, 0.0) - questions["second"]
    told = questions.assign(beyond=beyond)[counts & questions["second"].notna()]
    each = told.groupby("item", sort=False).agg(
        second=("second", "first"), beyond=("beyond", "mean"), cluster=("cluster", "first")
    )
    values, cluster = each["beyond"].to_numpy(float), each["cluster"].to_numpy(object)
    return Baseline(
        "place by value",
        "Answers the question with the second smallest option.",
        None,
        None,
        _mean(each["second"]),
        mean_estimate(values, cluster, confidence),
    )


def _mean(values: pd.Series) -> float | None:
    return None if values.empty else float(values.mean())


IDENTIFICATION_COLUMNS = tuple(
    f"{name}{part}" for name in ("aia", "mia", "mcq") for part in ("", "_ci_low", "_ci_high", "_n")
)
"""Added to the columns of effects where a run is of this study: shares as fractions 0..1, their
intervals, clustered by question, and the number of items that count."""


def identification_cells(
    effects: Sequence[Effect],
    items: pd.DataFrame,
    by: str | None = None,
    invalid: InvalidRule = "strict",
) -> list[dict[str, Cell]]:
    """For each effect the cells of `IDENTIFICATION_COLUMNS`; none for other studies.

    Args:
        effects: effects by the same ``by`` and ``invalid``.
        items: `Store.answered_items` of the runs of this study among them.
        by: as for `identifications`.
        invalid: as for `identifications`.
    """
    if items.empty:
        return [{} for _ in effects]
    made = {(each.run, each.stratum): each for each in identifications(items, by, invalid)}
    return [_cells(made, effect) for effect in effects]


def _cells(
    identifications: Mapping[tuple[str, str], Identification], effect: Effect
) -> dict[str, Cell]:
    if effect.study != STUDY:
        return {}
    of_run = identifications.get((effect.run, effect.stratum))
    cells: dict[str, Cell] = {}
    for name in ("aia", "mia", "mcq"):
        share: ReadShare | None = None if of_run is None else getattr(of_run, name)
        interval = None if share is None else share.interval
        cells[name] = None if share is None else share.value
        cells[f"{name}_ci_low"] = None if interval is None else interval.low
        cells[f"{name}_ci_high"] = None if interval is None else interval.high
        cells[f"{name}_n"] = 0 if share is None else share.n
    return cells | _place_by_value_cells(of_run)


def _place_by_value_cells(of_run: Identification | None) -> dict[str, Cell]:
    """What the second smallest option gets of the questions, and what MCQ has beyond it."""
    name = "mcq_place_by_value"
    if of_run is None:
        return {}
    rule = next(each for each in of_run.baselines if each.beyond is not None)
    rest = rule.beyond
    assert rest is not None
    return {
        f"baseline_{name}": rule.mcq,
        f"beyond_{name}": rest.mean,
        f"beyond_{name}_ci_low": None if rest.interval is None else rest.interval.low,
        f"beyond_{name}_ci_high": None if rest.interval is None else rest.interval.high,
        f"beyond_{name}_p": rest.p,
    }
