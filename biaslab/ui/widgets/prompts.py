"""Exactly what is sent to a model."""

from __future__ import annotations

import streamlit as st

from biaslab.models import ModelForm
from biaslab.runs import RunRecord
from biaslab.studies import Design, Request
from biaslab.ui.widgets import kept

ROLES = {
    "text": "Text that the model continues",
    "user": "To the model",
    "assistant": "The model's own words before",
    "system": "Instructions to the model",
}


def example_prompt(run: RunRecord) -> None:
    """The first thing that was asked in a run, or will be."""
    with st.expander("The exact prompt, for the first problem"):
        request = _first_request(run)
        if request is None:
            st.caption("Nothing is asked in this way.")
        else:
            show_request(request)


def show_request(request: Request) -> None:
    """The messages of a request as plain text."""
    for message in request.messages:
        st.caption(ROLES.get(message.role, message.role))
        st.code(message.content, language=None, wrap_lines=True)


def _first_request(run: RunRecord) -> Request | None:
    """As it was sent, where it was; else as it would be."""
    store = kept.store()
    rows = store.pair_rows(run.id, limit=1)
    if rows:
        requests = store.pair_detail(run.id, rows[0].pair).x.requests
        if requests:
            return requests[0]
    study = kept.study_of(run.study)
    design = Design(run.study, 1, run.design.seed, run.design.settings)
    item = next(iter(study.pairs(design))).x
    for strategy in study.strategies:
        if strategy.name == run.strategy:
            return strategy.next_request(item, (), ModelForm(run.model_form))
    return None
