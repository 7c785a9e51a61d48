"""A chart on a screen: the picture, the same in words, and its numbers to take away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import streamlit as st

from biaslab.charts import Chart, config
from biaslab.ui.widgets.exports import table_csv
from biaslab.ui.widgets.words import plain

_LONGEST_NAME = 120


def is_dark() -> bool:
    """Whether the page is dark."""
    return st.context.theme.type == "dark"


def draw_chart(chart: Chart, name: str) -> None:
    """Draws a chart with its summary and downloads, whose files have the name given."""
    _plot(chart, name)
    _below(chart, name)


def clicked_point(chart: Chart, name: str) -> tuple[int, int] | None:
    """Draws a chart as `draw_chart`; says which mark was clicked, as (trace, point)."""
    event = _plot(chart, name, on_select="rerun", selection_mode="points")
    _below(chart, name)
    points: Sequence[Any] = event["selection"]["points"] if event else ()
    if not points:
        return None
    return int(points[0]["curve_number"]), int(points[0]["point_index"])


def _plot(chart: Chart, name: str, **selection: Any) -> Any:
    return st.plotly_chart(
        chart.figure,
        theme=None,
        key=f"chart {name}",
        config=config(name),
        alt=chart.summary[:_LONGEST_NAME],
        **selection,
    )


def _below(chart: Chart, name: str) -> None:
    with st.expander("This chart in words, and its numbers"):
        st.markdown(plain(chart.summary))
        if not chart.data.empty:
            st.download_button(
                "Numbers (CSV)",
                lambda: table_csv(chart.data),
                f"biaslab-{_file_name(name)}.csv",
                "text/csv",
                key=f"numbers {name}",
                on_click="ignore",
                icon=":material/download:",
            )
        st.caption("For the picture as SVG, use the camera button above the chart.")


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()
