"""A chart on a screen: the picture, the same in words, and its numbers to export."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from biaslab.charts import Chart, config
from biaslab.files.tables import guarded, guarded_table
from biaslab.ui.widgets.words import plain

if TYPE_CHECKING:
    import pandas as pd


def to_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as CSV with these columns; what a row does not have stays empty.

    No cell begins with what a spreadsheet would run: models write what they like.
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode()


def table_csv(table: pd.DataFrame) -> bytes:
    """A table as CSV without its index; no cell begins with what a spreadsheet would run."""
    return guarded_table(table).to_csv(index=False).encode()


def _cell(value: Any) -> Any:
    return guarded(value) if isinstance(value, str) else value


_LONGEST_NAME = 120


def is_dark() -> bool:
    """Whether the page is dark."""
    return st.context.theme.type == "dark"


def draw_chart(chart: Chart, name: str) -> None:
    """Draws a chart with its summary and downloads, whose files have the name given."""
    draw_picture(chart, name)
    _below(chart, name)


def clicked_point(chart: Chart, name: str) -> tuple[int, int] | None:
    """Draws a chart as `draw_chart`; says which mark was clicked, as (trace, point)."""
    event = draw_picture(chart, name, on_select="rerun", selection_mode="points")
    _below(chart, name)
    points: Sequence[Any] = event["selection"]["points"] if event else ()
    if not points:
        return None
    return int(points[0]["curve_number"]), int(points[0]["point_index"])


def draw_picture(chart: Chart, name: str, file: str = "", **selection: Any) -> Any:
    """Draws the picture alone; what it is called on the page and, if otherwise, as a file."""
    return st.plotly_chart(
        chart.figure,
        theme=None,
        key=f"chart {name}",
        config=config(file or name),
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
