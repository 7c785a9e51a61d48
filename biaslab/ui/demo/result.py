"""The result of the demo: both models in one chart, what each did, and the way to its answers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.charts import cate_chart
from biaslab.runs import PairPattern, RunRecord
from biaslab.studies import experiment
from biaslab.studies.effects import unread_sentence
from biaslab.ui.demo.design import DESIGN
from biaslab.ui.demo.starting import Demo
from biaslab.ui.demo.words import effect_of, finding, who
from biaslab.ui.navigation import EFFECTS, ITEMS, LOOK_INSIDE, ORIGINS, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain


def draw_result(now: Demo) -> None:
    """Draws what both runs of the demo found.

    Args:
        now: the demo, both runs finished.
    """
    runs = now.done
    st.header("Who is misled by the wording?", anchor=False)
    with st.grid(len(runs), min_column_width=300, border=True):
        for run in runs:
            with st.container():
                _draw_one(run)
    states = tuple(queries.OutcomesState.of(run) for run in runs)
    effects = queries.effects_of(states, None, "strict")
    ordered = sorted(effects, key=lambda effect: [run.id for run in runs].index(effect.run))
    draw_chart(cate_chart(ordered, experiment(DESIGN.study).arms, dark=is_dark()), "demo")
    _draw_meaning(now, runs)


def _draw_one(run: RunRecord) -> None:
    arms = experiment(run.study).arms
    effect = effect_of(run)
    st.markdown(f"**{plain(who(run.model_spec))}**")
    st.markdown(plain(finding(run)))
    if unread := unread_sentence(effect):
        st.caption(plain(unread))
    misled = queries.pattern_counts(queries.OutcomesState.of(run), ())[PairPattern.ONLY_X]
    with st.container(horizontal=True, gap="small"):
        if misled:
            where = {"run": run.id, "pattern": str(PairPattern.ONLY_X)}
            link(ITEMS, f"The {misled} pairs with only “{arms.x}” right", where)
        link(ITEMS, "All its pairs", {"run": run.id})


def _draw_meaning(now: Demo, runs: Sequence[RunRecord]) -> None:
    if now.why_simulated:
        st.caption(
            "Asked were simulated learners, programs that make known mistakes or none: this shows "
            f"what a bias looks like, not that a model has one. {plain(now.why_simulated)}"
        )
    else:
        st.caption(
            "Both are very small transformers of this project's own, trained alike on its own "
            "problems, in other ratios. So the wording misleads the one because of what it was "
            "taught. This simulates how a bias can arise; it is no evidence about large models "
            "or children."
        )
    with st.container(horizontal=True):
        link(EFFECTS, "All numbers and tests", {"runs": ",".join(run.id for run in runs)})
        if not now.why_simulated:
            link(LOOK_INSIDE, "Look inside while they read", _inside(now))
        link(ORIGINS, "More mixes and studies: where biases come from")


def _inside(now: Demo) -> dict[str, str]:
    low, _, _ = str(DESIGN.settings["steps"]).partition("-")
    model, beside = now.models
    return {
        "model": model, "beside": beside, "study": DESIGN.study, "steps": low,
        "operations": str(DESIGN.settings["operations"]), "seed": str(DESIGN.seed),
    }  # fmt: skip
