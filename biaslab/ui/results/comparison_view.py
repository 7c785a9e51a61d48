"""Runs beside each other: differences on the pairs they share, trends and prompt strategies."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.charts.effects.differences import differences_chart
from biaslab.runs import RunRecord
from biaslab.stats import AnalysisError, Finding, InvalidRule, RunComparison, findings_table
from biaslab.stats.comparisons.findings import finding_sentence, in_words, strongest_first
from biaslab.ui.results.comparison_table import draw_findings, letters
from biaslab.ui.results.model_based_view import draw_model_based
from biaslab.ui.results.run_labels import labels
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.figures import draw_chart, is_dark, table_csv
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import MINUS

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
    st.header("Between the runs", anchor=False)
    ordered = _ordered_strata(runs)
    over = choice("trend", (_NONE, *ordered), _NONE)
    trend = None if over.value == _NONE else over.value
    if len(runs) < 2:
        st.info(
            "Choose a second run above, under “Runs to compare”. Where both were asked the same "
            "pairs (same study, settings and seed), the difference between the two stands here, "
            "with its interval."
        )
    else:
        if ordered:
            choosing.segmented_control(
                "Trend of the effect over",
                [_NONE, *ordered],
                format_func=lambda name: "no trend" if name == _NONE else name,
                required=True,
                help="How much the effect of each run grows with one step more.",
                **over.bind(),
            )
        states = tuple(OutcomesState.of(run) for run in runs)
        try:
            found = queries.comparison_of(states, by, trend, invalid, vote)
        except AnalysisError as error:
            st.info(plain(in_words(str(error), labels(runs))))
        else:
            _draw_found(found, labels(runs))
    draw_model_based(runs, trend or by, invalid, vote)
    return {"trend": over.value} if len(runs) > 1 else {}


def _draw_found(found: RunComparison, called: dict[str, str]) -> None:
    """The differences of effects first, everything else folded."""
    whole = [each for each in found.findings if each.stratum == "all"]

    def of(*questions: str) -> list[Finding]:
        return [each for each in whole if each.question in questions]

    if len(called) > 2:
        named = letters(list(called))
        st.markdown("  \n".join(f"**{named[run]}** {plain(called[run])}" for run in called))
    draw_findings(of("effect-difference"), called)
    draw_findings(of("trend"), called)
    with st.expander("Accuracy, prompt strategies, and whether effects are the same in all strata"):
        for questions in ("accuracy-difference", "wordings", "heterogeneity"):
            draw_findings(of(questions), called)
    _draw_pair(found.findings, called)
    if found.warnings:
        with st.expander(f"What to know before believing it ({len(found.warnings)})"):
            st.markdown("\n".join(f"- {plain(in_words(each, called))}" for each in found.warnings))
    st.download_button(
        "Comparisons (CSV)",
        lambda: table_csv(findings_table(found.findings)),
        "biaslab-comparisons.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _draw_pair(found: Sequence[Finding], called: dict[str, str]) -> None:
    """The difference of two runs in every stratum, as a picture."""
    effects = [each for each in found if each.question == "effect-difference"]
    pairs = dict.fromkeys(each.runs for each in strongest_first(effects) if each.stratum == "all")
    if not pairs:
        return
    panel = st.expander("Two runs as a picture, by stratum", key="two runs", on_change="rerun")
    if not panel.open:
        return
    with panel:
        letter = letters(list(called))
        names = {"-".join(pair): f" {MINUS} ".join(letter[run] for run in pair) for pair in pairs}
        shown = next(iter(names))
        if len(names) > 1:
            chosen = choosing.selectbox(
                "Which two", names, format_func=names.__getitem__, key="which two"
            )
            shown = chosen or shown
        rows = [each for each in effects if "-".join(each.runs) == shown]
        draw_chart(differences_chart(rows, called, dark=is_dark()), f"difference {shown}")
        for each in rows:
            if sentence := finding_sentence(each, called):
                st.caption(plain(sentence))


def _ordered_strata(runs: Sequence[RunRecord]) -> list[str]:
    """Strata of numbers with several values in one of the runs."""
    found: dict[str, None] = {}
    for run in runs:
        for name, values in queries.strata_values(run.id).items():
            if len(values) > 1 and not any(isinstance(v, (str, bool)) for v in values):
                found[name] = None
    return list(found)
