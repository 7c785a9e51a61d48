"""What is drawn of the study of decision biases alone: the choice of the biases of a design."""

from __future__ import annotations

import streamlit as st

from biaslab.studies import Experiment, Setting
from biaslab.studies.decisions import study as decisions
from biaslab.studies.decisions.biases import Bias, BiasError, biases
from biaslab.studies.decisions.biases.catalogue import ALL
from biaslab.ui.navigation import BIASES, link
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.studies.screens import Field, StudyScreens
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.words import plain
from schoolmath.problems import DesignError

_ASKED = 4
"""With no more biases than this, the question of each is shown."""


def draw_biases(
    _study: Experiment, setting: Setting, parameter: Parameter[str], _error: DesignError | None
) -> None:
    """Draws the choice; none chosen means all. What a link names stays, known or not."""
    chosen = _ids(parameter.value)
    known = bias_queries.names()
    every = [each for each in biases().values() if each.vignettes and not each.variant_of]
    listed: Parameter[list[str]] = Parameter(
        parameter.name, [], lambda text: _ids(text), lambda ids: ",".join(ids)
    )
    choosing.multiselect(
        setting.label,
        [*known, *(name for name in chosen if name not in known)],
        format_func=lambda name: known.get(name, name),
        select_all=False,
        help="Leave it empty for all of them. “Repaired” variants avoid what the published design "
        "confounds; they, and biases of your own, are asked only where you choose them.",
        placeholder=f"all {len(every)} biases",
        **listed.bind(),
    )
    for name in chosen if len(chosen) <= _ASKED else ():
        if (found := _found(name)) is not None:
            st.caption(f"**{plain(found.name)}**: {plain(found.question)}")
    link(BIASES, "What the biases are", {"view": "one", **({"bias": chosen[0]} if chosen else {})})


def _ids(text: str) -> list[str]:
    names = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    return [] if names == [ALL] else names


def _found(name: str) -> Bias | None:
    try:
        return bias_queries.find(name)
    except BiasError:
        return None


SCREENS = {
    decisions.EXPERIMENT.name: StudyScreens(fields={decisions.BIASES.name: Field(draw_biases)})
}
