"""What a comparison found: a row for every question, in figures and in sentences."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from biaslab.stats.effects import ALL
from schoolmath.text.figures import count, exact_percent, p_words, signed_number, signed_points

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1
"""Version of a row. docs/effects.md describes its columns."""

Question: TypeAlias = Literal[
    "effect-difference", "accuracy-difference", "trend", "heterogeneity", "wordings", "model"
]
"""What a row answers; each is described by the module that makes it."""

Unit: TypeAlias = Literal["fraction", "scale"]
"""Of the numbers of a row: fractions of right answers (0.25, never 25), or positions on the
study's scale. A trend is that much for one step of its stratum."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient of a logistic model, in logits.

    Attributes:
        name: what it belongs to; estimate: log odds ratio; error: its standard error.
        ci_low, ci_high, p: by t, with one less than the clusters as degrees of freedom.
    """

    name: str
    estimate: float
    error: float
    ci_low: float
    ci_high: float
    p: float


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question about some runs.

    Attributes:
        question: what is answered; unit: of estimate, interval and values.
        study, runs, models, model_kinds, strategies: what was asked and who answered, one entry
            a run, in the order in which they are compared (the first minus the second).
        by: the stratum in question; None where all pairs are taken together.
        stratum: which of its values the row is about, as ``steps=2``; ``all`` for all of them.
        n: pairs that count, in all of the runs; clusters: the groups they belong to.
        unshared: for each of several runs, its pairs that not all of the others were asked;
            uncounted: pairs that all were asked and that do not count in every run.
        labels, values: what is compared, as run ids or strata, and the effect (or accuracy) of
            each on these pairs.
        estimate: the answer; ci_low, ci_high: its interval; p: of its test, two-sided. None where
            there is none; method says why.
        p_holm: p adjusted by Holm within the family; family: the rows that this allows for, this
            one among them, each as ``run-run stratum``.
        coefficients: of a logistic model; empty for other questions.
        confidence: coverage of the interval.
        invalid: the rule for answers that could not be read; samples: the most that an item was
            asked; voted: whether the most frequent answer counts.
        looked: whether one of the runs was looked at while it went on. Nothing here allows
            for that.
        method: how the numbers were made, in plain sentences.
    """

    question: Question
    unit: Unit
    study: str
    runs: tuple[str, ...]
    models: tuple[str, ...]
    model_kinds: tuple[str, ...]
    strategies: tuple[str, ...]
    by: str | None
    stratum: str
    n: int
    clusters: int
    unshared: tuple[int, ...]
    uncounted: int
    labels: tuple[str, ...]
    values: tuple[float, ...]
    estimate: float | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    confidence: float
    invalid: str
    samples: int
    voted: bool
    looked: bool
    method: str
    coefficients: tuple[Coefficient, ...] = ()
    p_holm: float | None = None
    family: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The row among those of its question."""
        return f"{'-'.join(self.runs)} {self.stratum}"


FINDING_COLUMNS = (*(field.name for field in fields(Finding)), "format")
"""Columns of a table of findings, in order; all as in `Finding`, but for format (`FORMAT`)."""


def with_holm(findings: Sequence[Finding]) -> list[Finding]:
    """Gives every row with a p its family and Holm's p.

    A family is the rows of one question; those of single strata are one of their own. Holm
    (1979, Scand. J. Stat. 6:65-70) keeps the chance of any false finding in the family, however
    its tests depend on each other.
    """
    families: dict[tuple[Question, bool], list[int]] = defaultdict(list)
    for index, finding in enumerate(findings):
        if finding.p is not None:
            families[finding.question, finding.stratum == ALL].append(index)
    adjusted = list(findings)
    for members in families.values():
        names = tuple(findings[index].name for index in members)
        p = holm([findings[index].p or 0.0 for index in members])
        for index, each in zip(members, p, strict=True):
            adjusted[index] = replace(findings[index], p_holm=each, family=names)
    return adjusted


def holm(p: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given."""
    order = np.argsort(p, kind="stable")
    raised = np.asarray(p)[order] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(raised))
    return [float(each) for each in adjusted]


def findings_records(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """One JSON-ready object per finding with exactly the columns of `FINDING_COLUMNS`."""
    return [
        {name: _plain(value) for name, value in asdict(finding).items()} | {"format": FORMAT}
        for finding in findings
    ]


def findings_json(findings: Sequence[Finding]) -> str:
    """A JSON list of `findings_records`, numbers in full precision, undefined ones null."""
    return json.dumps(findings_records(findings), ensure_ascii=False, indent=2, allow_nan=False)


def findings_table(findings: Sequence[Finding]) -> pd.DataFrame:
    """One row per finding with the columns of `FINDING_COLUMNS`; lists are JSON text."""
    import pandas as pd

    rows = [
        {
            name: json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
            for name, value in record.items()
        }
        for record in findings_records(findings)
    ]
    table = pd.DataFrame(rows, columns=list(FINDING_COLUMNS))
    return table.astype(dict.fromkeys(("estimate", "ci_low", "ci_high", "p", "p_holm"), "float64"))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


ESTIMATES = {
    "effect-difference": "Difference",
    "accuracy-difference": "Difference",
    "trend": "For one more",
    "heterogeneity": "Spread",
    "wordings": "Spread",
}
"""What the numbers of each question are called in its table."""


def strongest_first(findings: Iterable[Finding]) -> list[Finding]:
    """Findings with the largest estimate, whatever its sign, first; last those without a test."""
    return sorted(findings, key=lambda each: (each.p_holm is None, -abs(each.estimate or 0.0)))


def in_words(sentence: str, labels: Mapping[str, str]) -> str:
    """A sentence of the analysis with the names of runs in place of their ids."""
    for run, name in labels.items():
        sentence = sentence.replace(run, f"“{name}”")
    return sentence


def finding_sentence(finding: Finding, labels: Mapping[str, str]) -> str:
    """What a row says, with n and interval; empty for rows that only the chart and file have."""
    if finding.estimate is None or finding.stratum != "all":
        return ""
    value = partial(number_words, finding)
    unit = unit_words(finding)
    names = [f"“{labels[run]}”" for run in finding.runs]
    ends = "no interval"
    if finding.ci_low is not None:
        level = f"{exact_percent(finding.confidence)} interval"
        ends = f"{level} {value(finding.ci_low)} to {value(finding.ci_high)}"
    p = finding.p_holm
    allowing = f", p {p_words(p)}"
    if len(finding.family) > 1:
        allowing += f" allowing for {len(finding.family)} tests"
    found = "" if p is None or p < 0.05 else " There is no clear difference."
    on = count(finding.n, "pair")
    match finding.question:
        case "effect-difference" | "accuracy-difference":
            what = "effect" if finding.question == "effect-difference" else "accuracy"
            return (
                f"On the {on} that both were asked, the {what} of {names[0]} minus that of "
                f"{names[1]} is {value(finding.estimate)} {unit} ({ends}{allowing}).{found}"
            )
        case "trend":
            flat = "" if p is None or p < 0.05 else " There is no clear trend."
            return (
                f"With one more in {finding.by}, the effect of {names[0]} changes by "
                f"{value(finding.estimate)} {unit} ({ends}{allowing}, {on}).{flat}"
            )
        case "heterogeneity":
            same = "differs" if p is not None and p < 0.05 else "no clear difference"
            return (
                f"The effect of {names[0]} {same} between the values of {finding.by} "
                f"({allowing.removeprefix(', ')}, {on})."
            )
        case "wordings":
            return (
                f"Between {len(names)} prompt strategies, the effect varies by "
                f"{value(finding.estimate)} {unit} beyond chance (standard "
                f"deviation; {ends}{allowing}, {on})."
            )
        case _:
            return ""


def number_words(finding: Finding, number: float | None) -> str:
    """A number of a row in its unit; a spread has no direction, so no sign."""
    words = signed_points(number) if finding.unit == "fraction" else signed_number(number)
    return words.removeprefix("+") if ESTIMATES.get(finding.question) == "Spread" else words


def unit_words(finding: Finding) -> str:
    """What the numbers of a row are in."""
    return "percentage points" if finding.unit == "fraction" else "units of the scale"
