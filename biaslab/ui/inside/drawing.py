"""Drawing answers word by word: both members of a pair, a panel for each model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import streamlit as st

from biaslab.charts import Chart, config
from biaslab.charts.word_problems.word_by_word import WordPanel, message, word_by_word_chart
from biaslab.studies import Arms
from biaslab.studies.word_problems.inside.word_by_word import how_it_was_done
from biaslab.ui.inside.address import SHOWING
from biaslab.ui.inside.queries import Read
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import is_dark, table_csv
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import percent

STYLE = Path(__file__).resolve().parents[3] / "assets" / "style" / "inside.css"

SIDE_BY_SIDE = 30
"""Words up to which the two members stand beside each other; longer ones below each other."""

_LONGEST_NAME = 120


def draw_in_short(found: Mapping[str, Read], arms: Arms) -> None:
    """Says of each member what every model would answer, and from which word on."""
    alone = len(found) == 1
    st.markdown(
        "\n".join(
            f"- {plain(message(panel, arm, alone=alone))}"
            for both in zip(*_panels(found), strict=True)
            for panel, arm in zip(both, (arms.x, arms.x_prime), strict=True)
        )
    )


def draw_inside(found: Mapping[str, Read], arms: Arms) -> None:
    """Draws the charts in the layout that fits the page, and the numbers."""
    sides = (arms.x, arms.x_prime)
    panels = _panels(found)
    dark = is_dark()
    wide = [
        word_by_word_chart(some, arm, dark=dark) for some, arm in zip(panels, sides, strict=True)
    ]
    narrow = [
        word_by_word_chart(some, arm, rows=True, dark=dark)
        for some, arm in zip(panels, sides, strict=True)
    ]
    st.html(STYLE)
    words = max(len(panel.read.words) for some in panels for panel in some)
    with st.container(key="inside-wide"):
        places = st.columns(2, gap="medium") if words <= SIDE_BY_SIDE else [st.container()] * 2
        for place, chart, arm in zip(places, wide, sides, strict=True):
            with place:
                _plot(chart, arm, "along")
    with st.container(key="inside-narrow"):
        for chart, arm in zip(narrow, sides, strict=True):
            _plot(chart, arm, "rows")
    st.caption(
        "After each word stands what the model would say **if the problem stopped there**; the "
        "last word is the whole problem, as every study asks it. Bold words on a grey band are "
        "the sentence that differs. The light dotted line is any other number of the problem: one "
        "that stands in it, a result on the way, or all its numbers added up."
    )
    _draw_numbers(pd.concat([chart.data for chart in wide], ignore_index=True))
    _draw_how(found)


def _panels(found: Mapping[str, Read]) -> list[list[WordPanel]]:
    return [[WordPanel(model, read[side]) for model, read in found.items()] for side in (0, 1)]


def _plot(chart: Chart, arm: str, layout: str) -> None:
    st.plotly_chart(
        chart.figure,
        theme=None,
        key=f"chart inside {layout} {arm}",
        config=config(f"word by word {arm}"),
        alt=chart.summary[:_LONGEST_NAME],
    )


def _draw_numbers(data: pd.DataFrame) -> None:
    with st.expander("The numbers behind it"):
        shown = data.copy()
        for name in ("p_right", "p_reversed", "p_other_number"):
            shown[name] = shown[name].map(_percent)
        st.dataframe(
            shown.rename(columns=lambda name: name.removeprefix("p_").replace("_", " ")),
            hide_index=True,
            alt=f"Probabilities after each word, {len(data)} rows",
        )
        st.download_button(
            "Numbers (CSV)",
            lambda: table_csv(data),
            "biaslab-word-by-word.csv",
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
        st.caption("For a picture as SVG, use the camera button above its chart.")


def _percent(value: float | None) -> str:
    return "–" if pd.isna(value) else percent(value)


def _draw_how(found: Mapping[str, Read]) -> None:
    with st.expander("How this was worked out"):
        st.markdown(
            "The problem is cut after each word and asked directly: “Q: … A: The answer (Arabic "
            "numerals) is”. Nothing is written; it is read off how probable each number would be "
            "as the next thing said. The **reversed** answer is what comes out when the operation "
            "is turned round where the wording misleads (or, where none misleads, in the sentence "
            "that differs); it is the same step in both problems. What is missing to 100 % "
            "would be said otherwise: other numbers, or no number."
        )
        ways: dict[str, list[str]] = {}
        for model, read in found.items():
            ways.setdefault(how_it_was_done(read[0]), []).append(model)
        for way, models in ways.items():
            st.markdown(plain(f"{', '.join(models)}: {way}"))
        st.markdown(
            "This is **one pair**: an illustration of how a model comes to its answer, not a "
            "measurement. How often it goes wrong is measured over many pairs, with intervals. The "
            "pair that this page begins with was chosen because it shows the effect: of its first "
            f"{queries.PREVIEWED} pairs, the model it begins with turns round on {SHOWING}."
        )
