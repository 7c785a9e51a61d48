"""Runs beside each other: differences, trends, a logistic model, and whether answers agree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from string import ascii_uppercase

import pandas as pd
import streamlit as st

from biaslab.charts.comparison import differences_chart
from biaslab.runs import RunRecord
from biaslab.stats import (
    Agreement,
    AnalysisError,
    Coefficient,
    Effect,
    Finding,
    Interval,
    InvalidRule,
    RunComparison,
    findings_table,
)
from biaslab.stats.comparisons.findings import (
    ESTIMATES,
    finding_sentence,
    in_words,
    number_words,
    strongest_first,
    unit_words,
)
from biaslab.studies import Experiment
from biaslab.studies.study import strategy_label
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.address import choice
from biaslab.ui.widgets.figures import draw_chart, is_dark, table_csv
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import (
    MINUS,
    count,
    exact_percent,
    interval_words,
    listed,
    p_words,
    percent,
    percents,
    signed_points,
)

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


def draw_findings(findings: Sequence[Finding], labels: Mapping[str, str]) -> None:
    """Draws answers to one question: a few as sentences, many as a table.

    Args:
        findings: rows of one question, over all pairs.
        labels: what the runs are called, by id, in the order of their letters.
    """
    findings = strongest_first(each for each in findings if finding_sentence(each, labels))
    if not findings:
        return
    question = findings[0].question
    if len(findings) <= _FEW:
        for each in findings:
            st.markdown(plain(finding_sentence(each, labels)))
        return
    title = _TITLES[question].format(by=findings[0].by)
    st.markdown(f"**{plain(title)}** · {distinguishing_words(findings)}")
    column = st.column_config.TextColumn
    st.dataframe(
        _table(findings, letters(list(labels))),
        hide_index=True,
        height="auto" if len(findings) <= _MOST_ROWS else 35 * (_MOST_ROWS + 1) + 18,
        column_config={
            "Difference": column(
                help=f"{unit_words(findings[0]).capitalize()}, pair by pair on the pairs that both "
                "runs were asked: the run named first minus the other."
            ),
            "For one more": column(help=f"{unit_words(findings[0]).capitalize()} of the effect."),
            "p": column(help=f"Holm's p, which allows for all {_tests(findings)} tests."),
            "Spread": column(
                help=f"Standard deviation beyond chance, in {unit_words(findings[0])}."
            ),
            "n": st.column_config.NumberColumn(help="Pairs that count."),
        },
        alt=f"{title} with n, interval and p, {len(findings)} rows",
    )


def distinguishing_words(findings: Sequence[Finding]) -> str:
    """How many of several answers are significant, of those that have a test."""
    tested = [each for each in findings if each.p_holm is not None]
    told = sum((each.p_holm or 0.0) < 0.05 for each in tested)
    words = (
        f"{told or 'none'} of {len(tested)} statistically significant, allowing for "
        f"{count(_tests(findings), 'test')}"
    )
    if untested := len(findings) - len(tested):
        words += f"; {untested} without a test, for want of pairs"
    return words


def _tests(findings: Sequence[Finding]) -> int:
    return max(len(each.family) for each in findings)


def _table(findings: Sequence[Finding], letter: Mapping[str, str]) -> pd.DataFrame:
    first = findings[0]
    estimate = ESTIMATES[first.question]
    columns: dict[str, list[object]] = {
        "Runs" if len(first.runs) > 1 else "Run": [
            f" {MINUS} ".join(letter[run] for run in each.runs)
            if each.question.endswith("-difference")
            else ", ".join(letter[run] for run in each.runs)
            for each in findings
        ],
        estimate: [number_words(each, each.estimate) for each in findings],
    }
    if first.question != "heterogeneity":
        columns[f"{exact_percent(first.confidence)} interval"] = [
            "–"
            if each.ci_low is None
            else f"{number_words(each, each.ci_low)} to {number_words(each, each.ci_high)}"
            for each in findings
        ]
    columns["p"] = [p_words(each.p_holm) for each in findings]
    columns["n"] = [each.n for each in findings]
    return pd.DataFrame(columns)


_MEANING = (
    "The model says how the condition (the kind of problem named first, against the other) changes "
    "the **odds** of a right answer; odds do not say how many points that is. So the effect that "
    "the model implies stands next to the one that needs no model. Over the same pairs the two are "
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
    title = "A logistic model next to the effects"
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


def _effects(rows: Sequence[tuple[Finding, Effect]], labels: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Run": [labels[model.runs[0]] for model, _ in rows],
            "Pairs": [model.n for model, _ in rows],
            "Odds ratio": [
                _ratio(next((c for c in model.coefficients if c.name == "condition"), None))
                for model, _ in rows
            ],
            "Effect it implies": [
                _points(model.estimate, model.ci_low, model.ci_high) for model, _ in rows
            ],
            "Effect without a model": [
                _points(effect.cate, effect.ci_low, effect.ci_high) for _, effect in rows
            ],
        }
    )


def _terms(terms: Sequence[tuple[str, Coefficient]], labels: dict[str, str]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "Run": [labels[run] for run, _ in terms],
            "Term": [term.name.replace(":", " × ") for _, term in terms],
            "Odds ratio": [_ratio(term) for _, term in terms],
            "p": [p_words(term.p) for _, term in terms],
        }
    )


def _ratio(term: Coefficient | None) -> str:
    if term is None:
        return "none"
    estimate, low, high = (math.exp(each) for each in (term.estimate, term.ci_low, term.ci_high))
    return f"{estimate:.3g} ({low:.3g} to {high:.3g})"


def _points(value: float | None, low: float | None, high: float | None) -> str:
    words = interval_words(low, high) if low is not None else "no interval"
    return f"{signed_points(value)} ({words})"


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
            if mixed := asked_otherwise(runs):
                st.warning(plain(mixed), icon=":material/warning:")
            _draw_found(found, labels(runs))
    draw_model_based(runs, trend or by, invalid, vote)
    return {"trend": over.value} if len(runs) > 1 else {}


def asked_otherwise(runs: Sequence[RunRecord]) -> str:
    """That models were not asked in one way, so that their difference is not the models' alone.

    Empty where every two runs of different models share a prompt strategy.
    """
    ways: dict[str, set[str]] = {}
    for run in runs:
        ways.setdefault(run.model_spec, set()).add(strategy_label(run.study, run.strategy))
    if len(ways) < 2 or len(set(map(frozenset, ways.values()))) == 1:
        return ""
    told = "; ".join(
        f"{queries.model_label(spec)}: {listed(sorted(each))}" for spec, each in ways.items()
    )
    return (
        f"These models were asked in different ways ({told}). Their difference may come from the "
        "way and not from the model: compare runs of one prompt strategy."
    )


def _draw_found(comparison: RunComparison, labels: dict[str, str]) -> None:
    """The differences of effects first, everything else folded."""
    whole = [each for each in comparison.findings if each.stratum == "all"]

    def of(*questions: str) -> list[Finding]:
        return [each for each in whole if each.question in questions]

    if len(labels) > 2:
        named = letters(list(labels))
        st.markdown("  \n".join(f"**{named[run]}** {plain(labels[run])}" for run in labels))
    draw_findings(of("effect-difference"), labels)
    draw_findings(of("trend"), labels)
    with st.expander("Accuracy, prompt strategies, and whether effects are the same in all strata"):
        for questions in ("accuracy-difference", "wordings", "heterogeneity"):
            draw_findings(of(questions), labels)
    _draw_pair(comparison.findings, labels)
    if comparison.warnings:
        with st.expander(f"What to know before believing it ({len(comparison.warnings)})"):
            st.markdown(
                "\n".join(f"- {plain(in_words(each, labels))}" for each in comparison.warnings)
            )
    st.download_button(
        "Comparisons (CSV)",
        lambda: table_csv(findings_table(comparison.findings)),
        "biaslab-comparisons.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _draw_pair(findings: Sequence[Finding], labels: dict[str, str]) -> None:
    """The difference of two runs in every stratum, as a picture."""
    effects = [each for each in findings if each.question == "effect-difference"]
    pairs = dict.fromkeys(each.runs for each in strongest_first(effects) if each.stratum == "all")
    if not pairs:
        return
    panel = st.expander("Two runs as a picture, by stratum", key="two runs", on_change="rerun")
    if not panel.open:
        return
    with panel:
        letter = letters(list(labels))
        names = {"-".join(pair): f" {MINUS} ".join(letter[run] for run in pair) for pair in pairs}
        shown = next(iter(names))
        if len(names) > 1:
            chosen = choosing.selectbox(
                "Which two", names, format_func=names.__getitem__, key="which two"
            )
            shown = chosen or shown
        rows = [each for each in effects if "-".join(each.runs) == shown]
        draw_chart(differences_chart(rows, labels, dark=is_dark()), f"difference {shown}")
        for each in rows:
            if sentence := finding_sentence(each, labels):
                st.caption(plain(sentence))


def _ordered_strata(runs: Sequence[RunRecord]) -> list[str]:
    """Strata of numbers with several values in one of the runs."""
    found: dict[str, None] = {}
    for run in runs:
        for name, values in queries.strata_values(run.id).items():
            if len(values) > 1 and not any(isinstance(v, (str, bool)) for v in values):
                found[name] = None
    return list(found)


EXPLAINED = (
    "Two answers agree when both could be read and say the same. It says nothing about being "
    "right: a model may be wrong in the same way every time. The two problems of a pair count as "
    "one observation for the intervals."
)


def draw_agreement(study: Experiment, runs: Sequence[RunRecord], *, headed: bool = False) -> None:
    """Draws how much repeated answers agree, where there are any; ``headed`` as for effects."""
    found = [*_within(runs), *_between(runs)]
    if not found:
        return
    section = st.subheader if headed else st.header
    section("Does it say the same again?", anchor=False)
    for agreement in found:
        st.markdown(plain(agreement_sentence(agreement)))
    st.dataframe(
        {
            "Who": [queries.model_label(a.model) for a in found],
            "Asked": [strategy_label(study.name, a.strategy) for a in found],
            "Compared": [_compared(a) for a in found],
            "Problems": [a.items for a in found],
            "Two answers agree": [_share(a.agreement, a.agreement_ci) for a in found],
            "All answers the same": [_share(a.alike, a.alike_ci) for a in found],
            "Once right, once wrong": [_share(a.differing, a.differing_ci) for a in found],
            "Unread": [a.unreadable for a in found],
        },
        hide_index=True,
        column_config={
            "Problems": st.column_config.NumberColumn(
                help="Problems with at least two answers to compare."
            ),
            "Two answers agree": st.column_config.TextColumn(
                help="How likely two answers to the same problem are to say the same."
            ),
            "All answers the same": st.column_config.TextColumn(
                help="Share of problems all of whose answers were read and say the same."
            ),
            "Once right, once wrong": st.column_config.TextColumn(
                help="Share of problems that were answered right at least once and not right at "
                "least once."
            ),
            "Unread": st.column_config.NumberColumn(
                help="Answers that could not be read. They agree with nothing."
            ),
        },
        alt=f"Agreement between repeated answers, {count(len(found), 'row')}",
    )
    st.caption(EXPLAINED)


def agreement_sentence(agreement: Agreement) -> str:
    """How much repeated answers agree, with n and interval, in plain text."""
    runs, samples = len(agreement.runs), agreement.samples
    asked = f"Asked in {runs} runs" if runs > 1 else f"Asked {samples} times"
    told = (
        f"{asked}, {queries.model_label(agreement.model)} gave the same answer every time to "
        f"{percent(agreement.alike)} of {count(agreement.items, 'problem')}"
        f"{_spread(agreement.alike_ci, agreement.confidence)}. Two answers to the same problem "
        f"agreed in {percent(agreement.agreement)} of cases"
        f"{_spread(agreement.agreement_ci, agreement.confidence)}, and "
        f"{percent(agreement.differing)} of the problems were right once and not right another "
        "time."
    )
    if agreement.left_out:
        told += (
            f" {count(agreement.left_out, 'problem')} with fewer than two answers "
            f"{'is' if agreement.left_out == 1 else 'are'} left out."
        )
    return told


def _within(runs: Sequence[RunRecord]) -> list[Agreement]:
    repeated = tuple(OutcomesState.of(run) for run in runs if run.options.samples > 1)
    found = queries.agreement_of(repeated) if repeated else []
    return [agreement for agreement in found if agreement.items]


def _between(runs: Sequence[RunRecord]) -> list[Agreement]:
    """Only where two of the runs asked the same model in the same way."""
    alike: dict[tuple[str, str], list[RunRecord]] = {}
    for run in runs:
        alike.setdefault((run.model_spec, run.strategy), []).append(run)
    several = tuple(
        OutcomesState.of(run) for same in alike.values() if len(same) > 1 for run in same
    )
    found = queries.agreement_between(several) if several else []
    return [agreement for agreement in found if agreement.items]


def _compared(agreement: Agreement) -> str:
    if len(agreement.runs) > 1:
        return f"{len(agreement.runs)} runs"
    return count(agreement.samples, "sample")


def _share(share: float | None, interval: Interval | None) -> str:
    if interval is None:
        return percent(share)
    return f"{percent(share)} ({percents(interval.low, interval.high)})"


def _spread(interval: Interval | None, confidence: float) -> str:
    if interval is None:
        return ""
    return f" ({exact_percent(confidence)} interval {percents(interval.low, interval.high)})"
