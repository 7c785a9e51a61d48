"""Everything that is chosen before a model is asked, and what that would take."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from biaslab.models import Access, Sampling, identify
from biaslab.models.tiny.model import DEFAULT_TINY
from biaslab.runs import RunOptions
from biaslab.runs.estimate.estimating import RunEstimate
from biaslab.runs.fitting import why_not_so
from biaslab.studies import Design, Experiment
from biaslab.studies.study import is_begun
from biaslab.ui.ask import asking
from biaslab.ui.ask.asking import ChosenModel, RunChoices
from biaslab.ui.ask.estimate_panel import draw_estimate
from biaslab.ui.ask.limits_form import draw_limits
from biaslab.ui.ask.sampling_form import draw_reading, draw_repeats
from biaslab.ui.ask.server_form import draw_batch, draw_speed
from biaslab.ui.ask.stopping_form import draw_stopping
from biaslab.ui.widgets.address import named
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.run_words import UNSHORTENED
from biaslab.ui.widgets.session import has_key
from biaslab.ui.widgets.words import plain

_HOW = (
    "strategy", "temperature", "samples", "thinking", "sampling-seed", "max-tokens", "go-on",
    "reader", "until-answered", "stop", "until-narrow", "looks", "budget-requests",
    "budget-tokens", "budget-money", "price-in", "price-out", "currency",
)  # fmt: skip


class Ready(NamedTuple):
    """What can be run, and what that would take; None where no estimate could be made."""

    asking: RunChoices
    estimate: RunEstimate | None


def draw_asking(study: Experiment, design: Design, *, possible: bool) -> Ready | None:
    """Draws the choice of model, prompt strategy, repeats, rule and limits, and the estimate.

    Args:
        study: what is asked.
        design: its pairs.
        possible: whether there are such pairs.

    Returns:
        What was chosen and what it takes; None while it cannot be asked.
    """
    who, how = st.columns(2, gap="medium")
    with who:
        chosen = asking.chosen_model(study.name)
        access, batch, reachable = _draw_server(chosen)
    with (
        how,
        st.expander("How it is asked, limits", expanded=named(_HOW), key="how", on_change="rerun"),
    ):
        strategy = asking.chosen_strategy(
            study, DEFAULT_TINY if chosen is None else chosen.model.spec
        )
        if chosen is None:
            return None
        repeats = draw_repeats(
            chosen.model, None if chosen.server is None else chosen.server.capabilities
        )
        reading = draw_reading(study, chosen.model)
        stopping = draw_stopping(design.n)
        limits = draw_limits(chosen.model.spec, chosen.server, batch=batch)
    if batch and stopping.rule is not None:
        st.caption(
            "As a batch, every look at the results waits until all pairs up to it are answered, "
            "which may take a day each time."
        )
    if not possible:
        return None
    level = None if repeats.sampling is None else repeats.sampling.thinking
    if level is not None or is_begun(strategy):
        identity = identify(chosen.model.spec, access=access)
        if reason := why_not_so(strategy, identity, access, level):
            st.warning(plain(reason))
            return None
    sampling = repeats.sampling
    if reading.until_number:
        sampling = replace(sampling or Sampling(UNSHORTENED), until_number=True)
    asking.warn_of_limits(chosen.model.spec, design, strategy.name)
    if repeats.refused or stopping.refused or limits.refused:
        return None
    wanted = RunChoices(
        design,
        chosen.model.spec,
        strategy.name,
        sampling,
        RunOptions(
            samples=repeats.samples,
            access=access,
            budget=limits.budget,
            price=limits.price,
            stopping=stopping.rule,
            batch_api=batch,
            length=repeats.length,
        ),
        reading.reader,
    )
    found = None
    with shown_errors():
        found = draw_estimate(wanted)
    return Ready(wanted, found) if reachable else None


def _draw_server(chosen: ChosenModel | None) -> tuple[Access, bool, bool]:
    """How the model is reached, whether as a batch, and whether this session can."""
    if chosen is None or chosen.server is None:
        return Access(), False, True
    access = draw_speed(chosen.server)
    batch = draw_batch(chosen.server)
    return access, batch, has_key(access, "compose")
