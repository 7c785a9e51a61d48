"""Buttons that give files."""

from __future__ import annotations

import streamlit as st

from biaslab.experiments import Design, Experiment
from biaslab.ui.exports import pairs_csv, pairs_jsonl
from biaslab.ui.words import count


def pair_downloads(study: Experiment, design: Design) -> None:
    """All pairs of a design as CSV and JSON lines; they are made when asked for."""
    name = f"biaslab-{design.study}-{design.n}-seed{design.seed}"
    st.caption(
        f"Take all {count(design.n, 'pair')} away, one row for each problem. The address of this "
        "page is a link to exactly this design."
    )
    with st.container(horizontal=True):
        st.download_button(
            "Pairs (CSV)",
            lambda: pairs_csv(study, design),
            f"{name}.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            "Pairs (JSONL)",
            lambda: pairs_jsonl(study, design),
            f"{name}.jsonl",
            "application/jsonl",
            on_click="ignore",
            icon=":material/download:",
        )
