"""A paper about the runs on a page, as one file: figures, tables, methods and the bundle."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.paper import Analysis, PaperError, check_runs, make_paper, zipped
from biaslab.runs import RunRecord
from biaslab.stats import InvalidRule
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.words import plain


def draw_paper(runs: Sequence[RunRecord], by: str | None, invalid: InvalidRule, vote: bool) -> None:
    """Draws the button; the paper is made when it is clicked.

    Args:
        runs: those of the page: q allows for all of one study among them.
        by: the stratum by which the page breaks effects down; a study that lacks it is broken
            down by its own.
        invalid: the rule for answers that could not be read.
        vote: whether the most frequent of several answers counts.
    """
    st.header("For a paper", anchor=False)
    try:
        check_runs(runs)
    except PaperError as error:
        st.caption(plain(str(error)))
        return
    ids = [run.id for run in runs]
    st.download_button(
        "Paper (ZIP)",
        lambda: paper_zip(ids, by, invalid, vote),
        f"biaslab-paper-{ids[0]}.zip",
        "application/zip",
        key="paper",
        on_click="ignore",
        icon=":material/article:",
        help="Figures for one and two columns, tables for LaTeX, methods and limitations with "
        "figures computed from these runs, and a bundle of all prompts and answers with "
        "checksums. `biaslab reproduce` makes it again.",
    )
    st.caption("It is made when you click, which takes some seconds for each run.")


def paper_zip(run_ids: Sequence[str], by: str | None, invalid: InvalidRule, vote: bool) -> bytes:
    """The paper about some runs, as `biaslab paper --out NAME.zip` writes it."""
    chosen = () if by is None else (by,)
    paper = make_paper(queries.store(), run_ids, Analysis(invalid, vote=vote), chosen, strict=False)
    return zipped(paper.files, f"biaslab-paper-{run_ids[0]}")
