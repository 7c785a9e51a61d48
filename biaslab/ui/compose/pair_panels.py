"""What else can be done with the pairs of a design: one panel at a time, below the pairs."""

from __future__ import annotations

import streamlit as st

from biaslab.studies import Design, Experiment
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.compose.design_keeping import draw_keeping
from biaslab.ui.compose.export_panel import pair_downloads
from biaslab.ui.compose.pair_overview_panel import draw_overview
from biaslab.ui.navigation import IMPORT_PAIRS, REVIEW, link
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter, choice, named

FILES, CONTENTS, KEEP = "files", "contents", "keep"
_PANELS = {
    FILES: "Export",
    CONTENTS: "What is in them",
    KEEP: "Keep this design",
}


def draw_panels(study: Experiment, design: Design, *, possible: bool) -> None:
    """Draws the choice of a panel, and the one that is chosen.

    Only the chosen one is made, so that the page follows a change of the settings at once.

    Args:
        study: whose pairs they are.
        design: which of its pairs.
        possible: whether the design gives any; one that does not can only be kept.
    """
    panel = choice("box", _PANELS, FILES if possible else KEEP)
    with st.expander(
        "Export, contents, keep", expanded=named(["box"]), key="panels", on_change="rerun"
    ):
        _draw_panels(study, design, panel, possible=possible)


def _draw_panels(
    study: Experiment, design: Design, panel: Parameter[str], *, possible: bool
) -> None:
    choosing.segmented_control(
        "What else to do with these pairs",
        list(_PANELS),
        format_func=_PANELS.__getitem__,
        required=True,
        wrap=True,
        **panel.bind(),
    )
    if panel.value == KEEP:
        draw_keeping(design)
    elif not possible:
        st.info("As soon as the settings give pairs, this can be seen.")
    elif panel.value == CONTENTS:
        draw_overview(study, design)
    else:
        pair_downloads(study, design)
        link(REVIEW, "Have people judge some of them: quality review", address_of(design))
        link(IMPORT_PAIRS, "Bring pairs of your own instead: import a file")
