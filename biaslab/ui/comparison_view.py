"""Runs beside each other: differences on the pairs they share, trends and ways of asking."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.analysis import AnalysisError, Finding, InvalidRule, findings_table
from biaslab.charts.differences import differences_chart
from biaslab.runs import RunRecord
from biaslab.ui import choosing, kept
from biaslab.ui.address import choice
from biaslab.ui.exports import table_csv
from biaslab.ui.figures import draw_chart, is_dark
from biaslab.ui.kept import State
from biaslab.ui.runs_apart import labels
from biaslab.ui.words import count, p_words, plain, signed_number, signed_points

_NONE = "none"


def draw_comparison(
    runs: Sequence[RunRecord], by: str | None, invalid: InvalidRule, vote: bool
) -> dict[str, str]:
    """Draws what these runs say beside each other.

    Args:
        runs: the runs that were chosen.
        by: the stratum by which the page breaks effects down.
        invalid: the rule for answers that could not be read.
        vote: whether the most frequent of several answers counts.

    Returns:
        the choices made here, for a link.
    """
    st.divider()
    st.subheader("Between the runs", anchor=False)
    if len(runs) < 2:
        st.caption(
            "Choose a second run above that was asked the same pairs (same study, settings and "
            "seed), and the difference between the two stands here, with its interval."
        )
        return {}
    ordered = _ordered_strata(runs)
    over = choice("trend", (_NONE, *ordered), _NONE)
    if ordered:
        choosing.segmented_control(
            "Trend of the effect over",
            [_NONE, *ordered],
            format_func=lambda name: "no trend" if name == _NONE else name,
            required=True,
            help="How much the effect of each run grows with one step more.",
            **over.bind(),
        )
    trend = None if over.value == _NONE else over.value
    try:
        found = kept.comparison_of(tuple(State.of(run) for run in runs), by, trend, invalid, vote)
    except AnalysisError as error:
        st.info(plain(str(error)))
        return {"trend": over.value}
    called = labels(runs)
    apart = [each for each in found.findings if each.question.endswith("-difference")]
    _draw_sentences(apart, called)
    effects = [each for each in apart if each.question == "effect-difference"]
    for pair in dict.fromkeys(each.runs for each in effects):
        rows = [each for each in effects if each.runs == pair]
        draw_chart(differences_chart(rows, called, dark=is_dark()), f"difference {'-'.join(pair)}")
    _draw_sentences([each for each in found.findings if each not in apart], called)
    for sentence in found.warnings:
        st.caption(plain(sentence))
    st.download_button(
        "Comparisons (CSV)",
        lambda: table_csv(findings_table(found.findings)),
        "biaslab-comparisons.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
    )
    return {"trend": over.value}


def _draw_sentences(found: Sequence[Finding], called: dict[str, str]) -> None:
    for finding in found:
        if sentence := finding_sentence(finding, called):
            st.markdown(plain(sentence))


def finding_sentence(finding: Finding, called: dict[str, str]) -> str:
    """What a row says, with n and interval; empty for rows that only the chart and file have."""
    if finding.estimate is None or finding.stratum != "all":
        return ""
    points = finding.unit == "fraction"
    value = signed_points if points else signed_number
    unit = "percentage points" if points else "units of the scale"
    names = [f"“{called[run]}”" for run in finding.runs]
    ends = "no interval"
    if finding.ci_low is not None:
        level = f"{100 * finding.confidence:g} % interval"
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
                f"Between {len(names)} ways of asking, the effect varies by "
                f"{value(finding.estimate).removeprefix('+')} {unit} beyond chance (standard "
                f"deviation; {ends}{allowing}, {on})."
            )
        case _:
            return ""


def _ordered_strata(runs: Sequence[RunRecord]) -> list[str]:
    """Strata of numbers with several values in one of the runs."""
    found: dict[str, None] = {}
    for run in runs:
        for name, values in kept.strata_values(run.id).items():
            if len(values) > 1 and not any(isinstance(v, (str, bool)) for v in values):
                found[name] = None
    return list(found)
