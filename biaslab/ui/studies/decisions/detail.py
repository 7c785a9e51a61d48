"""One bias in detail: what it is, what was answered, and its scenes side by side."""

from __future__ import annotations

import html
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from biaslab.charts.decisions import answers_chart
from biaslab.runs import RunRecord
from biaslab.stats.effects import ALL
from biaslab.studies import experiment
from biaslab.studies.decisions.biases import (
    Bias,
    BiasError,
    Case,
    FidelityVerdict,
    fill,
    value_combinations,
)
from biaslab.studies.decisions.published import AVERAGE, RANDOM, faithful_tests, published_biases
from biaslab.studies.decisions.results import STUDY, BiasScore
from biaslab.ui.navigation import COMPOSE, ITEMS, link
from biaslab.ui.results.item_detail import draw_pair
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.studies.decisions.queries import (
    bias_parameter,
    focus_parameter,
    left_out_sentence,
    scene_parameter,
    score_sentences,
)
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.cards import differing, to_html
from biaslab.ui.widgets.choosing import written
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import run_of
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import percent, signed_number


def draw_case(case: Case) -> None:
    """Draws both arms with the differing words marked, and the options once where they agree."""
    one, other = case.control, case.treatment
    st.html(
        '<div class="bl bl-pair">'
        + _arm("Control", one.text, other.text, one.options, other.options, "x")
        + _arm("Treatment", other.text, one.text, other.options, one.options, "x-prime")
        + "</div>"
    )
    # Values that hold texts with gaps of their own stand filled in the arms above.
    drawn = {name: value for name, value in case.values.items() if "{" not in str(value)}
    if drawn:
        said = ", ".join(f"{name} = {value}" for name, value in drawn.items())
        st.caption(plain(f"Drawn values: {said}."))


def draw_extremes(case: Case) -> None:
    """Says which answers give the ends of the metric."""
    metric = case.metric
    lines = [
        f"The score compares distances from option {metric.gamma1 + 1} in the control and from "
        f"option {metric.gamma2 + 1} in the treatment (kappa {metric.kappa}; a point may lie off "
        "the scale)."
    ]
    for name, answers in (
        ("in the direction of the bias", case.classic),
        ("the other way", case.opposite),
    ):
        if all(0 <= answer < len(case.control.options) for answer in answers):
            said = (case.control.options[answers[0]], case.treatment.options[answers[1]])
            score = signed_number(float(metric.of(*answers)))
            lines.append(f"Fully {name}: “{said[0]}”, then “{said[1]}”: {score}.")
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def _arm(
    name: str, text: str, other: str, options: tuple[str, ...], others: tuple[str, ...], side: str
) -> str:
    listed = "".join(
        f"<li>{to_html(differing(option, beside))}</li>"
        for option, beside in zip(options, others, strict=True)
    )
    return (
        f'<section class="bl-card {side}" aria-label="{name}"><div class="bl-arm">{name}</div>'
        f'<p class="bl-text">{to_html(differing(text, other))}</p>'
        f"<details><summary>{len(options)} options: {html.escape(options[0])} … "
        f"{html.escape(options[-1])}</summary><ol>{listed}</ol></details></section>"
    )


_BREAKDOWNS = {"order": "By order of the options", "field": "By field of work"}


def draw_bias(runs: Sequence[RunRecord]) -> None:
    """Draws the choice of the bias and everything about it."""
    names = bias_queries.names()
    parameter = bias_parameter(names)
    choosing.selectbox("Bias", list(names), format_func=names.__getitem__, **parameter.bind())
    if parameter.refused is not None:
        st.warning(f"There is no bias “{plain(parameter.refused)}” here; another one is shown.")
    bias = bias_queries.find(parameter.value)
    _draw_what(bias)
    asked = [run for run in runs if bias.id in bias_queries.scores(OutcomesState.of(run))]
    if not asked:
        st.info(
            "No answers to this bias in the runs chosen." if runs else "Nothing was asked yet.",
            icon=":material/info:",
        )
        _draw_links(bias)
        _draw_scenes(bias)
        return
    run = run_of("Run", asked, focus_parameter(asked))
    _draw_links(bias)
    st.header("What was answered", anchor=False)
    score = bias_queries.scores(OutcomesState.of(run))[bias.id]
    designed = experiment(run.study).of_design(run.design)
    st.markdown(plain(" ".join(score_sentences(score, designed, bias.moved))))
    if left_out := left_out_sentence(score):
        st.caption(plain(left_out))
    _draw_published(bias)
    counts = bias_queries.counts(OutcomesState.of(run), bias.id, bias)
    draw_chart(answers_chart(counts, dark=is_dark()), f"answers {bias.id}")
    _draw_breakdowns(run, bias)
    _draw_pairs(run, bias)


def _draw_what(bias: Bias) -> None:
    st.markdown(f"**{plain(bias.question)}**")
    st.markdown(plain(bias.explanation))
    if bias.repairs:
        st.markdown(f"**Repaired variant of {plain(bias.variant_of)}.** {plain(bias.repairs)}")
    elif bias.variant_of:
        st.markdown(f"**As published**, where {plain(bias.variant_of)} is not.")
    if bias.sensitive:
        st.warning(
            "This bias is about groups of people. Its scenes test for prejudice; they say nothing "
            "about the groups.",
            icon=":material/warning:",
        )
    with st.expander("Sources, scale and notes"):
        st.markdown(f"After {plain('; '.join(bias.references))}. Class {bias.kind}.")
        if bias.notes:
            st.markdown(plain(bias.notes))
        if bias.vignettes:
            draw_extremes(fill(bias, bias.vignettes[0], next(value_combinations(bias))))


def _draw_links(bias: Bias) -> None:
    link(COMPOSE, "Ask a model about this bias", {"study": STUDY, "bias": bias.id, "n": "40"})


def _draw_published(bias: Bias) -> None:
    _draw_fidelity(bias)
    cells = [cell for cell in published_biases() if bias.id in faithful_tests(cell.bias)]
    if not cells:
        return
    models = [cell.value for cell in cells if cell.model not in (AVERAGE, RANDOM)]
    average = next(cell.value for cell in cells if cell.model == AVERAGE)
    note = "; its published scores used a reversed scale by mistake" if cells[0].note else ""
    st.caption(
        plain(
            f"Published, other scenes: {len(models)} models score from "
            f"{signed_number(min(models))} to {signed_number(max(models))}, on average "
            f"{signed_number(average)}{note}."
        )
    )


def _draw_fidelity(bias: Bias) -> None:
    """Says how the test stands to the published template."""
    record = bias.fidelity
    if record is None:
        return
    told = [f"Next to the published template: {record.verdict}.", record.changed]
    if record.verdict is not FidelityVerdict.FAITHFUL:
        told.append("So published scores do not stand next to it.")
    if record.flaw:
        told.append(f"Of the template: {record.flaw}")
    st.caption(plain(" ".join(filter(None, told))))


def _draw_breakdowns(run: RunRecord, bias: Bias) -> None:
    for by, title in _BREAKDOWNS.items():
        found = bias_queries.scores(OutcomesState.of(run), by, bias.id)
        rows = [score for value, score in found.items() if value != ALL]
        with st.expander(title, expanded=by == "order"):
            _draw_table(rows)


def _draw_table(rows: Sequence[BiasScore]) -> None:
    st.dataframe(
        pd.DataFrame(
            {
                "": [row.bias for row in rows],
                "Pairs": [row.n for row in rows],
                "Score": [signed_number(row.metric) for row in rows],
                "Movement": [signed_number(row.movement) for row in rows],
                "95 % interval of the movement": [
                    "not determined"
                    if (ends := row.movement_ci) is None
                    else f"{signed_number(ends.low)} to {signed_number(ends.high)}"
                    for row in rows
                ],
                "Unchanged": [percent(row.unchanged) for row in rows],
            }
        ),
        hide_index=True,
    )


def _draw_pairs(run: RunRecord, bias: Bias) -> None:
    st.header("Scenes side by side", anchor=False)
    state, strata = OutcomesState.of(run), (("bias", bias.id),)
    total = sum(queries.pattern_counts(state, strata).values())
    parameter = scene_parameter(total)
    rows = queries.pair_rows(state, (), strata, parameter.value - 1, 1)
    if not rows:
        return
    st.pagination(total, max_visible_pages=5, **parameter.bind())
    draw_pair(queries.samples_of(state, rows[0].pair, 1)[0], experiment(STUDY))
    address = {"run": run.id, "pair": rows[0].pair, "strata": written({"bias": bias.id})}
    link(ITEMS, "This pair on Items", address)


def _draw_scenes(bias: Bias) -> None:
    if not bias.vignettes:
        return
    st.header("Scenes side by side", anchor=False)
    parameter = scene_parameter(len(bias.vignettes))
    st.pagination(len(bias.vignettes), max_visible_pages=5, **parameter.bind())
    vignette = bias.vignettes[parameter.value - 1]
    combinations = list(value_combinations(bias))
    try:
        draw_case(fill(bias, vignette, combinations[7 * parameter.value % len(combinations)]))
    except BiasError as error:
        st.error(plain(str(error)))
