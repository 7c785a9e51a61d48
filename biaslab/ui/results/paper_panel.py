"""What the runs on a page showed, to take away: a report as one file, and a paper."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.publishing.paper import Analysis, PaperError, check_runs, make_paper, zipped
from biaslab.runs import RunRecord
from biaslab.stats import InvalidRule
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.words import plain


def draw_paper(runs: Sequence[RunRecord], by: str | None, invalid: InvalidRule, vote: bool) -> None:
    """Draws the buttons; a report or a paper is made when its button is clicked.

    Args:
        runs: those of the page: q allows for all of one study among them.
        by: the stratum by which the page breaks effects down; a study that lacks it is broken
            down by its own.
        invalid: the rule for answers that could not be read.
        vote: whether the most frequent of several answers counts.
    """
    st.header("To take away", anchor=False)
    try:
        check_runs(runs)
    except PaperError as error:
        st.caption(plain(str(error)))
        return
    ids = [run.id for run in runs]
    with st.container(horizontal=True):
        st.download_button(
            "Report as one file",
            lambda: report_page(ids, by, invalid, vote),
            f"biaslab-report-{ids[0]}.html",
            "text/html",
            key="report",
            on_click="ignore",
            icon=":material/description:",
            help="Findings in words, charts, tables, every pair with prompts and answers to "
            "search, methods and the data, in one HTML file that opens in any browser without a "
            "network and can be printed. It loads nothing and sends nothing.",
        )
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
    st.caption("Each is made when you click, which takes some seconds for each run.")


def report_page(run_ids: Sequence[str], by: str | None, invalid: InvalidRule, vote: bool) -> bytes:
    """The report about some runs, as `biaslab report --out NAME.html` writes it."""
    from biaslab.publishing.report import page, report_of_runs

    chosen = () if by is None else (by,)
    analysis = Analysis(invalid, vote=vote)
    return page(report_of_runs(queries.store(), run_ids, analysis, chosen, strict=False))


def paper_zip(run_ids: Sequence[str], by: str | None, invalid: InvalidRule, vote: bool) -> bytes:
    """The paper about some runs, as `biaslab paper --out NAME.zip` writes it."""
    chosen = () if by is None else (by,)
    paper = make_paper(queries.store(), run_ids, Analysis(invalid, vote=vote), chosen, strict=False)
    return zipped(paper.files, f"biaslab-paper-{run_ids[0]}")
