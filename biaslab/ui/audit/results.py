"""What an audit found: pictures, signal words, and the mix as one of the training lab."""

from __future__ import annotations

import json

import streamlit as st

from biaslab.audit import OPERATIONS, ratios
from biaslab.audit.report import CorrectedShares, as_json, counted, finding, sample_sentence
from biaslab.charts.audit import audit_chart
from biaslab.training.mix import RATIOS, read_mix
from biaslab.ui.audit.work import AuditWork, forget
from biaslab.ui.navigation import TRAINING_LAB, link
from biaslab.ui.training.mix import mix_address
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import NONE

_FIRST = ("wording", "problems")
_FURTHER = ("carries", "operations", "steps")


def draw_results(task: AuditWork, corrected: CorrectedShares | None) -> None:
    """Draws the finding, its picture and the way to the training lab."""
    found = task.found
    st.header(plain(task.name), anchor=False)
    for remark in task.corpus.remarks:
        st.warning(plain(remark))
    if task.corpus.refused:
        shown = " ".join(task.corpus.refused[:3])
        st.warning(plain(f"{len(task.corpus.refused)} rows could not be read. {shown}"))
    st.markdown(f"**{plain(finding(found))}**")
    st.caption(
        plain(counted(found))
        + " What could not be told of a text is no part of any share, so how many texts tell a "
        "feature stands beside it."
    )
    if corrected is not None:
        st.caption(plain(sample_sentence(corrected)))
    title = "Wordings, transfers and comparisons"
    draw_chart(audit_chart(found, _FIRST, title, corrected, dark=is_dark()), "audit")
    _draw_mix(task, corrected)
    with st.expander("Carries, operations and steps"):
        st.caption("Of texts that are read as a whole and solved.")
        chart = audit_chart(found, _FURTHER, "Carries, operations and steps", dark=is_dark())
        draw_chart(chart, "audit of steps")
    with st.expander("Signal words and operations"):
        _draw_signals(task)
    with st.container(horizontal=True):
        st.download_button(
            "The audit (JSON)",
            lambda: json.dumps(as_json(found, corrected), indent=1).encode(),
            "audit.json",
            "application/json",
            on_click="ignore",
            icon=":material/download:",
        )
        st.button("Forget these texts", on_click=forget, icon=":material/delete:")


def _draw_mix(task: AuditWork, corrected: CorrectedShares | None) -> None:
    pairs = ratios(task.found, None if corrected is None else corrected.ratios())
    if not pairs:
        st.caption("No ratio is told, so there is no mix to train on.")
        return
    mix = read_mix(",".join(f"{name}={a}:{b}" for name, (a, b) in pairs.items()))
    said = ", ".join(f"{name.replace(':', ' to ')} {a}:{b}" for name, (a, b) in pairs.items())
    untold = [name.replace(":", " to ") for name in RATIOS if name not in pairs]
    rest = f" Not told, and so 1:1: {', '.join(untold)}." if untold else ""
    link(TRAINING_LAB, "Use this mix in the training lab", mix_address(mix))
    st.caption(plain(f"The mix: {said}.{rest}"))


def _draw_signals(task: AuditWork) -> None:
    st.caption(
        "Of the solved texts in which a word stands, how many need an operation. A text with "
        "several steps may need several."
    )
    st.table(
        [
            {
                "word": signal.word,
                "texts": f"{signal.texts:,}",
                "solved": f"{signal.told:,}",
                **{
                    OPERATIONS[share.kind]: f"{share.count:,}" if share.n else NONE
                    for share in signal.operations
                },
            }
            for signal in task.found.signals
        ],
    )
