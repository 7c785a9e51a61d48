"""Which models can be asked a study, on screens: the rule is `biaslab.runs.fitting`'s."""

from __future__ import annotations

import streamlit as st

from biaslab.models import ModelError, Skill, identify, learner_spec
from biaslab.runs.fitting import why_unfit
from biaslab.studies import experiment

_SIMULATED = {
    Skill.IDENTIFY: learner_spec("key-drawn"),
    Skill.JUDGE: learner_spec("up-biased"),
    Skill.DECIDE: learner_spec("random"),
}
"""Whose answers show what the results of such a study look like; a tiny model has no such skill."""


def simulated_for(study: str) -> str | None:
    """Spec of the learner that is asked unless told otherwise; None: a tiny model can do it."""
    return _SIMULATED.get(experiment(study).asks)


@st.cache_data(show_spinner=False, ttl=20, max_entries=64)
def unfit_reason(spec: str, study: str) -> str:
    """Why asking this model would say nothing, and who can be asked; empty where it may."""
    try:
        model = identify(spec)
    except ModelError:
        return ""  # whoever opens it says what is wrong with it
    return why_unfit(experiment(study), model)
