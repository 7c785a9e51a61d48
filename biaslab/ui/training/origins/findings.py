"""What came of the experiment and of fine-tuning, on the page Where biases come from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import plotly.io
import streamlit as st

from biaslab.charts.chart import Chart
from biaslab.training.origins import findings
from biaslab.training.origins.findings import (
    Block,
    Cells,
    FindingPicture,
    FindingText,
    Fold,
    read_findings,
)
from biaslab.ui.training.origins.queries import TableState, state
from biaslab.ui.training.origins.tables import draw_judgements
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain


def draw_findings(of: str, title: str = "") -> bool:
    """Everything that was found of the experiment or of fine-tuning.

    Args:
        of: `biaslab.training.origins.findings.EXPERIMENT` or `TUNING`.
        title: stands above, where there is something.

    Returns:
        whether there is anything.
    """
    now = state(findings.FINDINGS_FILE)
    blocks = () if now is None else _blocks(now, of)
    if blocks and title:
        st.header(title, anchor=False)
    _draw(blocks)
    return bool(blocks)


def _draw(blocks: Iterable[Block]) -> None:
    for block in blocks:
        match block:
            case FindingText(text, caption):
                (st.caption if caption else st.markdown)(plain(text))
            case FindingPicture():
                figure = plotly.io.from_json(block.dark if is_dark() else block.light)
                draw_chart(Chart(figure, block.summary, pd.DataFrame(block.data)), block.name)
            case Cells(title, alt, rows):
                st.markdown(f"**{plain(title)}**")
                st.dataframe(pd.DataFrame(rows), hide_index=True, height="content", alt=alt)
            case Fold(label, inside):
                with st.expander(label):
                    _draw(inside)
            case judgement:
                draw_judgements([judgement])


@st.cache_data(show_spinner=False, max_entries=4)
def _blocks(now: TableState, of: str) -> tuple[Block, ...]:
    return read_findings(Path(now.path), of)
