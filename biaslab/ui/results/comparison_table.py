"""What a comparison found, as sentences where it is little and as a table where it is much."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from string import ascii_uppercase

import pandas as pd
import streamlit as st

from biaslab.stats import Finding
from biaslab.text.figures import MINUS, count, exact_percent, p_words, signed_number, signed_points
from biaslab.ui.widgets.words import plain

_TITLES = {
    "effect-difference": "Differences between effects",
    "accuracy-difference": "Differences between accuracies",
    "trend": "Trends over {by}",
    "heterogeneity": "Whether the effect is the same whatever the {by}",
    "wordings": "How much it matters how a model is asked",
}

_ESTIMATES = {
    "effect-difference": "Difference",
    "accuracy-difference": "Difference",
    "trend": "For one more",
    "heterogeneity": "Spread",
    "wordings": "Spread",
}
"""What the numbers of each question are called in its table."""

_FEW = 2
"""Answers up to which each gets a sentence."""

_MOST_ROWS = 10
"""Rows of a table that are seen at once; the others are scrolled to."""


def letters(runs: Sequence[str]) -> dict[str, str]:
    """A letter for every run, by id: names are too long for a table on a phone."""
    named = {}
    for place, run in enumerate(runs):
        around, letter = divmod(place, len(ascii_uppercase))
        named[run] = ascii_uppercase[letter] + (str(around + 1) if around else "")
    return named


def draw_findings(found: Sequence[Finding], called: Mapping[str, str]) -> None:
    """Draws answers to one question: a few as sentences, many as a table.

    Args:
        found: rows of one question, over all pairs.
        called: what the runs are called, by id, in the order of their letters.
    """
    found = strongest_first(each for each in found if finding_sentence(each, called))
    if not found:
        return
    question = found[0].question
    if len(found) <= _FEW:
        for each in found:
            st.markdown(plain(finding_sentence(each, called)))
        return
    title = _TITLES[question].format(by=found[0].by)
    st.markdown(f"**{plain(title)}** · {distinguishing_words(found)}")
    column = st.column_config.TextColumn
    st.dataframe(
        _table(found, letters(list(called))),
        hide_index=True,
        height="auto" if len(found) <= _MOST_ROWS else 35 * (_MOST_ROWS + 1) + 18,
        column_config={
            "Difference": column(
                help=f"{_unit(found[0]).capitalize()}, pair by pair on the pairs that both runs "
                "were asked: the run named first minus the other."
            ),
            "For one more": column(help=f"{_unit(found[0]).capitalize()} of the effect."),
            "p": column(help=f"Holm's p, which allows for all {_tests(found)} tests."),
            "Spread": column(help=f"Standard deviation beyond chance, in {_unit(found[0])}."),
            "n": st.column_config.NumberColumn(help="Pairs that count."),
        },
        alt=f"{title} with n, interval and p, {len(found)} rows",
    )


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
    value = partial(_number, finding)
    unit = _unit(finding)
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


def distinguishing_words(found: Sequence[Finding]) -> str:
    """How many of several answers can be told from chance, of those that have a test."""
    tested = [each for each in found if each.p_holm is not None]
    told = sum((each.p_holm or 0.0) < 0.05 for each in tested)
    words = (
        f"{told or 'none'} of {len(tested)} can be told from chance, allowing for "
        f"{count(_tests(found), 'test')}"
    )
    if untested := len(found) - len(tested):
        words += f"; {untested} without a test, for want of pairs"
    return words


def _tests(found: Sequence[Finding]) -> int:
    return max(len(each.family) for each in found)


def _table(found: Sequence[Finding], letter: Mapping[str, str]) -> pd.DataFrame:
    first = found[0]
    estimate = _ESTIMATES[first.question]
    columns: dict[str, list[object]] = {
        "Runs" if len(first.runs) > 1 else "Run": [
            f" {MINUS} ".join(letter[run] for run in each.runs)
            if each.question.endswith("-difference")
            else ", ".join(letter[run] for run in each.runs)
            for each in found
        ],
        estimate: [_number(each, each.estimate) for each in found],
    }
    if first.question != "heterogeneity":
        columns[f"{exact_percent(first.confidence)} interval"] = [
            "–"
            if each.ci_low is None
            else f"{_number(each, each.ci_low)} to {_number(each, each.ci_high)}"
            for each in found
        ]
    columns["p"] = [p_words(each.p_holm) for each in found]
    columns["n"] = [each.n for each in found]
    return pd.DataFrame(columns)


def _number(finding: Finding, number: float | None) -> str:
    """A number of a row in its unit; a spread has no direction, so no sign."""
    words = signed_points(number) if finding.unit == "fraction" else signed_number(number)
    return words.removeprefix("+") if _ESTIMATES.get(finding.question) == "Spread" else words


def _unit(finding: Finding) -> str:
    return "percentage points" if finding.unit == "fraction" else "units of the scale"
