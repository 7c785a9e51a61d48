"""What a run found, for whoever has a minute: a verdict, two bars, and the rest in words behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from biaslab.runs import RunRecord
from biaslab.runs.fitting import NEVER_LEARNED, steps_of
from biaslab.stats import Effect, InvalidRule, end_of, unread_more
from biaslab.studies import Arms, Experiment
from biaslab.studies.effects import (
    difference_words,
    effect_sentence,
    unread_sentence,
    verdict,
    verdict_sentence,
)
from biaslab.ui.ask.asking import cannot
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.compose.planning import FIT
from biaslab.ui.navigation import COMPOSE, link
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.cards import Bar, draw_bars, enough_words
from biaslab.ui.widgets.queries import OutcomesState
from biaslab.ui.widgets.runs import labels
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import percent


def draw_verdicts(
    study: Experiment,
    runs: Sequence[RunRecord],
    overall: Sequence[Effect],
    comparisons: Mapping[str, Effect],
    invalid: InvalidRule,
) -> None:
    """Draws a card for each effect over all pairs.

    Args:
        study: whose.
        runs: their runs.
        overall: an effect for each of some of the runs.
        comparisons: effects of the part that a study looks at by itself, by run.
        invalid: the rule for answers that could not be read.
    """
    by_id = {run.id: run for run in runs}
    called = labels(runs)
    for effect in overall:
        run = by_id[effect.run]
        with st.container(border=True):
            designed = study.of_design(run.design)
            arms = designed.arms
            st.markdown(f"**{plain(verdict(effect, arms))}**")
            st.caption(plain(called[run.id]))
            _draw_bars(effect, arms)
            if end_of(effect) is not None and study.ladder(run.design):
                asked = {"model": run.model_spec, "strategy": run.strategy, FIT: "yes"}
                link(COMPOSE, "Find a fitting difficulty", address_of(run.design) | asked)
            with st.expander("In words"):
                sentence = effect_sentence(effect, arms, "the model", corrected=bool(run.looks))
                st.markdown(plain(sentence))
                st.markdown(plain(verdict_sentence(effect, arms, designed)))
                if (part := comparisons.get(effect.run)) is not None:
                    alone = effect_sentence(part, arms, "the model", corrected=bool(run.looks))
                    st.markdown(plain(f"The {part.stratum_value} pairs alone: {alone}"))
            state = OutcomesState.of(run)
            if unlike := queries.adjusted_sentence(state, invalid, binary=effect.binary):
                st.warning(plain(unlike), icon=":material/balance:")
            if looking := looking_sentence(run):
                st.caption(plain(looking))
            if unread := unread_sentence(effect):
                st.caption(plain(unread))
            if more := unread_more(effect, arms):
                st.warning(plain(f"{more[0].upper()}{more[1:]}"))
            for reason in cannot(run.model_spec, run.study, steps_of(run.design), run.strategy):
                st.warning(f"{plain(reason)} {NEVER_LEARNED}")


def _draw_bars(effect: Effect, arms: Arms) -> None:
    """Both shares as bars, or the means of a study on a scale in words, with the difference."""
    shares = (effect.accuracy_x, effect.accuracy_x_prime)
    if effect.cate is None or not effect.binary or None in shares:
        st.caption(plain(difference_words(effect)))
        return
    bars = [
        Bar(side, f"“{name}” problems right", share or 0.0, percent(share, 0))
        for side, name, share in zip(("x", "x-prime"), arms, shares, strict=True)
    ]
    draw_bars(bars, below=difference_words(effect))


def looking_sentence(run: RunRecord) -> str:
    """What a rule for stopping early means for the interval; empty where there is none."""
    if run.looks:
        early = f"Finished early: {enough_words(run)}. " if run.enough is not None else ""
        return f"{early}{run.looks[-1].adjustment['note']}"
    if run.options.stopping is not None:
        return (
            "This run may stop early and was not checked yet. Its interval does not allow for "
            "repeated checks: wait for the first look."
        )
    return ""
