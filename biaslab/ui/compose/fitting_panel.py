"""Finding a fitting difficulty for the chosen model, before it is asked the study."""

from __future__ import annotations

import json

import streamlit as st

from biaslab.models import read_spec
from biaslab.runs import default_database
from biaslab.runs.hosting import works_for
from biaslab.studies import Experiment
from biaslab.system.processes import Attached
from biaslab.ui.ask.asking import RunChoices
from biaslab.ui.compose.design_form import setting_parameter
from biaslab.ui.widgets.address import named
from biaslab.ui.widgets.session import environment_for
from biaslab.ui.widgets.words import plain

FIT = "fit"
"""In an address: opens the panel."""

_MODULE = "biaslab.runs.jobs.find_design"


def draw_fitting(study: Experiment, wanted: RunChoices) -> None:
    """Draws the panel; a click takes the design that was found.

    Args:
        study: to be asked.
        wanted: whom, how, and with which other settings.
    """
    if not study.ladder(wanted.design):
        return
    panel = st.expander(
        "Fitting difficulty", expanded=named([FIT]), key="fitting", on_change="rerun"
    )
    # What searches needs the statistics, which are loaded only for somebody who wants it.
    if not panel.open:
        return
    with panel:
        st.markdown(
            "Asks at most 200 problems of the easier kind and finds the design at which this "
            "model is right in 50 to 80 % of them, so that a difference has room to show. "
            "The study asks other problems."
        )
        # A result belongs to what was asked; of anything else it is not shown.
        key = f"fitting {json.dumps(_given(wanted), sort_keys=True)}"
        if st.button("Find it", key="find design"):
            st.session_state[key] = _search(wanted)
        found = st.session_state.get(key)
        if found is None:
            return
        if found["error"]:
            st.error(plain(found["error"]))
            return
        (st.success if found["settings"] else st.info)(plain(found["sentence"]))
        if found["settings"]:
            st.button(
                "Take this design",
                on_click=_take,
                args=(study, found["settings"]),
                key="take found",
            )


def _given(wanted: RunChoices) -> dict[str, object]:
    from biaslab.runs.jobs.find_design import DesignSearch

    search = DesignSearch(
        wanted.design, wanted.model, wanted.strategy, wanted.sampling, wanted.options
    )
    return {"db": str(default_database()), **search.as_json()}


def _search(wanted: RunChoices) -> dict[str, object]:
    """Searches in a process of its own, where weights are loaded; leaving the page ends it.

    What was answered by then is kept, so the next click goes on from there.
    """
    access = wanted.options.access
    key = environment_for(access) if read_spec(wanted.model).served else {}
    last: dict[str, object] = {"ended": False, "requests": 0}
    with (
        st.status("Asking …", expanded=True) as status,
        Attached(
            _MODULE, further={**key, **works_for()}, given=json.dumps(_given(wanted))
        ) as process,
    ):
        shown = st.empty()

        def tell(_: float = 0.0) -> None:
            # Called while nothing comes, too: there the page is left when somebody leaves it.
            status.update(label=f"Asking … {last['requests']} of at most 200 requests")

        for line in process.lines(waiting=tell):
            last = json.loads(line)
            tell()
            shown.markdown(plain(str(last["sentence"])))
        error = "" if last["ended"] else process.why_ended() or "The search ended too early."
    return {"settings": None, "sentence": "", **last, "error": error}


def _take(study: Experiment, settings: dict[str, str]) -> None:
    for setting in study.settings:
        if setting.name in settings:
            setting_parameter(study, setting).change(settings[setting.name])
