"""A logistic model of right answers beside the effects that need none, worked out where wanted."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from biaslab.runs import RunRecord
from biaslab.stats import Coefficient, Effect, Finding, InvalidRule
from biaslab.stats.comparisons.findings import in_words
from biaslab.ui.results.comparison_table import letters
from biaslab.ui.results.run_labels import labels
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import interval_words, p_words, signed_points

_MEANING = (
    "The model says how the condition (the kind of problem named first, against the other) changes "
    "the **odds** of a right answer; odds do not say how many points that is. So the effect that "
    "the model implies stands beside the one that needs no model. Over the same pairs the two are "
    "the same number, and the interval to believe is the one without a model: the model's is too "
    "narrow where few pairs differ or few share a source."
)

_TRAP = (
    "Where all problems of one kind are answered right (100 %) or all wrong, no odds ratio exists: "
    "it grows without end, and programs print some huge number all the same. Here none is shown. "
    "Above, x is the kind of problem named first, x' the other."
)


def draw_model_based(
    runs: Sequence[RunRecord], over: str | None, invalid: InvalidRule, vote: bool
) -> None:
    """A folded panel with a logistic model of every run, fitted when it is opened.

    Args:
        runs: the runs that were chosen.
        over: the stratum that the model knows, with its interaction; None for none.
        invalid: the rule for answers that could not be read.
        vote: whether the most frequent of several answers counts.
    """
    title = "A logistic model beside the effects"
    panel = st.expander(title, key="logistic model", on_change="rerun")
    if not panel.open:
        return
    with panel, st.spinner("Fitting the model …"):
        states = tuple(OutcomesState.of(run) for run in runs)
        models = queries.models_of(states, over, invalid, vote)
        plainly = {each.run: each for each in queries.effects_of(states, None, invalid, vote)}
        called = labels(runs)
        short = letters([run.id for run in runs])
        if len(runs) == 2:  # of more, the letters stand above
            st.markdown("  \n".join(f"**{short[run.id]}** {plain(called[run.id])}" for run in runs))
        if models.findings:
            rows = [(each, plainly[each.runs[0]]) for each in models.findings]
            st.dataframe(_effects(rows, short), hide_index=True, alt=f"Models, {len(rows)} rows")
        if terms := [(each.runs[0], c) for each in models.findings for c in each.coefficients]:
            st.markdown("**What the model says of the odds**")
            st.dataframe(
                _terms(terms, short), hide_index=True, alt=f"Odds ratios, {len(terms)} rows"
            )
        st.caption(_MEANING)
        for sentence in models.sentences:
            st.warning(plain(in_words(sentence, called)))
        st.caption(_TRAP)


def _effects(rows: Sequence[tuple[Finding, Effect]], called: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Run": [called[model.runs[0]] for model, _ in rows],
            "Pairs": [model.n for model, _ in rows],
            "Odds ratio": [_ratio(_condition(model)) for model, _ in rows],
            "Effect it implies": [
                _points(model.estimate, model.ci_low, model.ci_high) for model, _ in rows
            ],
            "Effect without a model": [
                _points(effect.cate, effect.ci_low, effect.ci_high) for _, effect in rows
            ],
        }
    )


def _terms(terms: Sequence[tuple[str, Coefficient]], called: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Run": [called[run] for run, _ in terms],
            "Term": [term.name.replace(":", " × ") for _, term in terms],
            "Odds ratio": [_ratio(term) for _, term in terms],
            "p": [p_words(term.p) for _, term in terms],
        }
    )


def _condition(model: Finding) -> Coefficient | None:
    return next((each for each in model.coefficients if each.name == "condition"), None)


def _ratio(term: Coefficient | None) -> str:
    if term is None:
        return "none"
    estimate, low, high = (math.exp(each) for each in (term.estimate, term.ci_low, term.ci_high))
    return f"{estimate:.3g} ({low:.3g} to {high:.3g})"


def _points(value: float | None, low: float | None, high: float | None) -> str:
    words = interval_words(low, high) if low is not None else "no interval"
    return f"{signed_points(value)} ({words})"
