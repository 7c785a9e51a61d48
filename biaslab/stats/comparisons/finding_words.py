"""Findings of a comparison as sentences and as figures, wherever they are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from biaslab.stats.comparisons.findings import Finding
from schoolmath.text.figures import count, exact_percent, p_words, signed_number, signed_points

ESTIMATES = {
    "effect-difference": "Difference",
    "accuracy-difference": "Difference",
    "trend": "For one more",
    "heterogeneity": "Spread",
    "wordings": "Spread",
}
"""What the numbers of each question are called in its table."""


def strongest_first(found: Iterable[Finding]) -> list[Finding]:
    """Findings with the largest estimate, whatever its sign, first; last those without a test."""
    return sorted(found, key=lambda each: (each.p_holm is None, -abs(each.estimate or 0.0)))


def in_words(sentence: str, called: Mapping[str, str]) -> str:
    """A sentence of the analysis with the names of runs in place of their ids."""
    for run, name in called.items():
        sentence = sentence.replace(run, f"“{name}”")
    return sentence


def finding_sentence(finding: Finding, called: Mapping[str, str]) -> str:
    """What a row says, with n and interval; empty for rows that only the chart and file have."""
    if finding.estimate is None or finding.stratum != "all":
        return ""
    value = partial(number_words, finding)
    unit = unit_words(finding)
    names = [f"“{called[run]}”" for run in finding.runs]
    ends = "no interval"
    if finding.ci_low is not None:
        level = f"{exact_percent(finding.confidence)} interval"
        ends = f"{level} {value(finding.ci_low)} to {value(finding.ci_high)}"
    p = finding.p_holm
    allowing = f", p {p_words(p)}"
    if len(finding.family) > 1:
        allowing += f" allowing for {len(finding.family)} tests"
    found = "" if p is None or p < 0.05 else " No difference can be told from chance."
    on = count(finding.n, "pair")
    match finding.question:
        case "effect-difference" | "accuracy-difference":
            what = "effect" if finding.question == "effect-difference" else "accuracy"
            return (
                f"On the {on} that both were asked, the {what} of {names[0]} minus that of "
                f"{names[1]} is {value(finding.estimate)} {unit} ({ends}{allowing}).{found}"
            )
        case "trend":
            flat = "" if p is None or p < 0.05 else " No trend can be told from chance."
            return (
                f"With one more in {finding.by}, the effect of {names[0]} changes by "
                f"{value(finding.estimate)} {unit} ({ends}{allowing}, {on}).{flat}"
            )
        case "heterogeneity":
            same = "differs" if p is not None and p < 0.05 else "can't be told to differ"
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
