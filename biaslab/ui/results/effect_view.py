"""The effects of one study's runs: in words, as charts and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from biaslab.charts import arms_chart, cate_chart
from biaslab.charts.chart import Chart
from biaslab.charts.effects.runs import by_run
from biaslab.runs import RunRecord
from biaslab.runs.fitting import NEVER_LEARNED, steps_of
from biaslab.stats import Effect, InvalidRule, end_of, undivided_sentence, unread_more
from biaslab.studies import Experiment
from biaslab.studies.effects import (
    effect_sentence,
    finding_words,
    unread_sentence,
    verdict_sentence,
)
from biaslab.studies.published import PublishedEffect, human_baselines, published_effects
from biaslab.studies.study import called_after, outcome_scale
from biaslab.ui.ask.model_cards import cannot
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.compose.fitting_panel import FIT
from biaslab.ui.navigation import COMPOSE, ITEMS, go, link
from biaslab.ui.results.agreement_view import draw_agreement
from biaslab.ui.results.effect_table import draw_downloads, draw_table
from biaslab.ui.results.explained_view import draw_explained
from biaslab.ui.results.run_labels import distinguishing, labels, legend
from biaslab.ui.studies.screens import screens_of
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import clicked_point, draw_chart, is_dark
from biaslab.ui.widgets.progress import enough_words
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.strata_filter import written
from biaslab.ui.widgets.words import plain

_FINDINGS = 8
"""So many runs have their line above the chart; more would push it off the screen."""


def draw_study(
    study: Experiment,
    runs: Sequence[RunRecord],
    by: str | None,
    invalid: InvalidRule,
    published: bool,
    vote: bool = False,
    name: str = "",
    headed: bool = False,
) -> None:
    """Everything about the effects of some runs of one study.

    Broken down by a stratum, or by None for all pairs together; ``invalid`` is the rule for
    answers that could not be read; published models are shown beside if wanted; with ``vote``,
    the most frequent of several answers counts in place of their mean; ``name`` is the part's
    on the page, where a study has several (by default the study's); ``headed`` where a heading
    of its own stands above it.
    """
    section = st.subheader if headed else st.header
    name = name or study.name
    study = called_after(study, [run.design for run in runs])
    scale = outcome_scale(study.name)
    if scale is not None:
        st.caption(plain(f"Outcomes are in {scale.unit}. {scale.explanation}"))
    if by is not None and not any(by in queries.strata_values(run.id) for run in runs):
        st.caption(plain(undivided_sentence(f"“{study.title}”", by)))
        by = None
    states = tuple(OutcomesState.of(run) for run in runs)
    overall = queries.effects_of(states, None, invalid, vote)
    part = study.beside
    alone = [] if part is None else queries.effects_of_part(states, part, invalid, vote)
    found = queries.effects_of(states, by, invalid, vote)
    dark = is_dark()
    label = next((s.label.capitalize() for s in study.strata if s.name == by), "")
    beside = _published(study, runs) if published else []
    drawn = (label, published, dark, tuple(legend(runs).items()))
    chart, arms = _charts((states, by, invalid, vote), drawn, found, study, beside)
    section("The effect", anchor=False)
    if len(overall) > 1:
        _draw_findings(study, runs, overall)
    else:
        _draw_sentences(study, runs, overall, {effect.run: effect for effect in alone})
    clicked = clicked_point(chart, f"effect {name}")
    if clicked is not None and (effect := effect_at(found, clicked)) is not None:
        go(ITEMS, **_items_of(effect))
    _draw_ways_to_items(found, runs, by)
    if len(overall) > 1:
        section("In words", anchor=False)
        _draw_sentences(study, runs, overall, {effect.run: effect for effect in alone})
    binary = all(effect.binary for effect in found)
    section(
        "How often each kind was answered right"
        if binary
        else "Where the answers of each kind lie",
        anchor=False,
    )
    draw_chart(arms, f"accuracy {name}")
    section("All numbers", anchor=False)
    corrected = {run.id for run in runs if run.looks}
    strategies = {s.name: s.label for s in study.strategies}
    draw_table(found, study.arms, strategies, corrected, distinguishing(runs))
    draw_downloads(found, name)
    draw_explained(study, runs, invalid, name)
    if (draw_further := screens_of(study.name).below_effects) is not None:
        draw_further(runs)
    draw_agreement(study, runs, headed=headed)
    draw_people(study)


@st.cache_resource(show_spinner=False, max_entries=64)
def _charts(
    of: tuple[tuple[OutcomesState, ...], str | None, InvalidRule, bool],  # noqa: ARG001  (tells them apart)
    drawn: tuple[str, bool, bool, tuple[tuple[str, str], ...]],
    _found: Sequence[Effect],
    _study: Experiment,
    _beside: Sequence[PublishedEffect],
) -> tuple[Chart, Chart]:
    """The effects and how often each kind was answered right; shared, so never to be changed.

    Args:
        of: what the effects depend on.
        drawn: label of the stratum, whether published models stand beside, whether the page is
            dark, what runs are called.
    """
    label, _, dark, called = drawn
    both: dict[str, Any] = {"stratum_label": label, "called": dict(called), "dark": dark}
    return (
        cate_chart(_found, _study.arms, published=_beside, designed=_study, **both),
        arms_chart(_found, _study.arms, **both),
    )


def _draw_findings(study: Experiment, runs: Sequence[RunRecord], overall: Sequence[Effect]) -> None:
    """Draws what several runs came to, a line each."""
    called = labels(runs)
    designed = {run.id: study.of_design(run.design) for run in runs}
    lines = [
        f"- **{plain(called[effect.run])}**: "
        + plain(finding_words(effect, designed[effect.run].arms, designed[effect.run]))
        for effect in overall
    ]
    st.markdown("\n".join(lines[:_FINDINGS]))
    if len(lines) > _FINDINGS:
        st.caption(f"And {len(lines) - _FINDINGS} more; each stands below.")


def _draw_sentences(
    study: Experiment,
    runs: Sequence[RunRecord],
    overall: Sequence[Effect],
    beside: Mapping[str, Effect],
) -> None:
    by_id = {run.id: run for run in runs}
    called = labels(runs)
    for effect in overall:
        run = by_id[effect.run]
        with st.container(border=True):
            st.markdown(f"**{plain(called[run.id])}**")
            designed = study.of_design(run.design)
            arms = designed.arms
            sentence = effect_sentence(effect, arms, "the model", corrected=bool(run.looks))
            st.markdown(plain(sentence))
            st.markdown(plain(verdict_sentence(effect, arms, designed)))
            if end_of(effect) is not None and study.ladder(run.design):
                asked = {"model": run.model_spec, "strategy": run.strategy, FIT: "yes"}
                link(COMPOSE, "Find a fitting difficulty", address_of(run.design) | asked)
            if (part := beside.get(effect.run)) is not None:
                alone = effect_sentence(part, arms, "the model", corrected=bool(run.looks))
                st.markdown(plain(f"The {part.stratum_value} pairs alone: {alone}"))
            if looking := looking_sentence(run):
                st.caption(plain(looking))
            if unread := unread_sentence(effect):
                st.caption(plain(unread))
            if more := unread_more(effect, arms):
                st.warning(plain(f"{more[0].upper()}{more[1:]}"))
            for reason in cannot(run.model_spec, run.study, steps_of(run.design), run.strategy):
                st.warning(f"{plain(reason)} {NEVER_LEARNED}")


def looking_sentence(run: RunRecord) -> str:
    """What a rule for stopping early means for the interval; empty where there is none."""
    if run.looks:
        early = f"Finished early: {enough_words(run)}. " if run.enough is not None else ""
        return f"{early}{run.looks[-1].adjustment['note']}"
    if run.options.stopping is not None:
        return (
            "This run may stop early and was not looked at yet. Its interval does not allow for "
            "looking repeatedly: wait for the first look."
        )
    return ""


def effect_at(found: Sequence[Effect], clicked: tuple[int, int]) -> Effect | None:
    """The effect that a mark of the chart stands for; None for a published one."""
    runs = by_run([effect for effect in found if effect.cate is not None])
    trace, point = clicked
    if trace >= len(runs):
        return None
    return list(runs[trace].effects.values())[point]


def _items_of(effect: Effect) -> dict[str, str]:
    address = {"run": effect.run}
    if effect.stratum_value is not None:
        address["strata"] = written({effect.stratum.partition("=")[0]: effect.stratum_value})
    return address


def _draw_ways_to_items(found: Sequence[Effect], runs: Sequence[RunRecord], by: str | None) -> None:
    st.caption("Click a mark, or choose here, to read the problems behind it.")
    called = labels(runs)
    for run in runs:
        if len(runs) > 1:
            st.markdown(plain(called[run.id]))
        with st.container(horizontal=True, gap="xsmall"):
            for effect in found:
                if effect.run != run.id or not effect.n:
                    continue
                value = effect.stratum.partition("=")[2]
                link(ITEMS, f"{by}: {value}" if by else "all pairs", _items_of(effect))


def _published(study: Experiment, runs: Sequence[RunRecord]) -> list[PublishedEffect]:
    strategies = dict.fromkeys(run.strategy for run in runs)
    return [effect for name in strategies for effect in published_effects(study.name, name)]


def draw_people(study: Experiment) -> None:
    """What is expected and by whom, and what is known about people, if anything."""
    if study.expects is None:
        st.caption(
            "Nobody has said which member of these pairs should be easier, and nothing is known "
            "here about people."
        )
        return
    st.caption(plain(study.expects.sentence))
    people = study.expects.people
    if people is None:
        st.caption("Nothing is known here about people.")
        return
    baselines = human_baselines(people.effect, without_n=True) if people.effect else []
    with st.expander("What is known about people"):
        st.markdown(f"- {plain(people.sentence)}")
        for baseline in baselines:
            st.markdown(f"- {plain(baseline.sentence)}")
        st.caption(
            "From publications, with source. Levels of people and of models are not comparable; "
            "the direction of an effect is."
        )
