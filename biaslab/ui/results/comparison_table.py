"""What a comparison found, as sentences where it is little and as a table where it is much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase

import pandas as pd
import streamlit as st

from biaslab.stats import Finding
from biaslab.stats.comparisons.findings import (
    ESTIMATES,
    finding_sentence,
    number_words,
    strongest_first,
    unit_words,
)
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import MINUS, count, exact_percent, p_words

_TITLES = {
    "effect-difference": "Differences between effects",
    "accuracy-difference": "Differences between accuracies",
    "trend": "Trends over {by}",
    "heterogeneity": "Whether the effect is the same whatever the {by}",
    "wordings": "How much it matters how a model is asked",
}

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
                help=f"{unit_words(found[0]).capitalize()}, pair by pair on the pairs that both "
                "runs were asked: the run named first minus the other."
            ),
            "For one more": column(help=f"{unit_words(found[0]).capitalize()} of the effect."),
            "p": column(help=f"Holm's p, which allows for all {_tests(found)} tests."),
            "Spread": column(help=f"Standard deviation beyond chance, in {unit_words(found[0])}."),
            "n": st.column_config.NumberColumn(help="Pairs that count."),
        },
        alt=f"{title} with n, interval and p, {len(found)} rows",
    )


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
    estimate = ESTIMATES[first.question]
    columns: dict[str, list[object]] = {
        "Runs" if len(first.runs) > 1 else "Run": [
            f" {MINUS} ".join(letter[run] for run in each.runs)
            if each.question.endswith("-difference")
            else ", ".join(letter[run] for run in each.runs)
            for each in found
        ],
        estimate: [number_words(each, each.estimate) for each in found],
    }
    if first.question != "heterogeneity":
        columns[f"{exact_percent(first.confidence)} interval"] = [
            "–"
            if each.ci_low is None
            else f"{number_words(each, each.ci_low)} to {number_words(each, each.ci_high)}"
            for each in found
        ]
    columns["p"] = [p_words(each.p_holm) for each in found]
    columns["n"] = [each.n for each in found]
    return pd.DataFrame(columns)
