"""Drawing where an answer is decided: the swaps under their words, and the probe on demand."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from biaslab.charts import Chart, config
from biaslab.charts.word_problems import probes as probe_charts
from biaslab.charts.word_problems import swaps as swap_charts
from biaslab.studies import Arms
from biaslab.studies.word_problems.inside.probes import CUE_PLACE, PAIRS
from biaslab.studies.word_problems.inside.swaps import SwapEffects
from biaslab.ui.inside import queries as inside_queries
from biaslab.ui.inside.address import probe_parameter, swaps_parameter
from biaslab.ui.inside.models import OpenModel
from biaslab.ui.widgets.figures import is_dark, table_csv
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import percent

_LONGEST_NAME = 120


def draw_decided(decided: SwapEffects | str | None, model: OpenModel, arms: Arms) -> None:
    """Draws the effect of each swap, or says why there is none, and offers the probe.

    Args:
        decided: None where nobody has asked for it yet.
        model: inside which.
        arms: of the study.
    """
    st.header("Where it is decided", anchor=False)
    if decided is None:
        st.button(
            "Swap word by word",
            key="swap",
            icon=":material/swap_vert:",
            on_click=swaps_parameter().set,
            args=(True,),
            help="One activation at a time is swapped for that of the other problem: as many "
            "passes as the prompt has words, times layers. Many minutes for a large model.",
        )
    elif isinstance(decided, str):
        st.info(plain(decided))
    else:
        _draw_swaps(decided, model, arms)
    _draw_probe(model)


def _draw_swaps(decided: SwapEffects, model: OpenModel, arms: Arms) -> None:
    dark = is_dark()
    wide = swap_charts.swap_chart(decided, model.label, dark=dark)
    narrow = swap_charts.swap_chart(decided, model.label, rows=True, dark=dark)
    st.markdown(
        f"The model reads the {arms.x_prime} problem, but in one layer, at one word, it is given "
        f"what it had there for the {arms.x} one: blue makes the right answer likelier, orange the "
        f"reversed one. {plain(wide.summary)}"
    )
    with st.container(key="decided-wide"):
        _plot(wide, "decided along")
    with st.container(key="decided-narrow"):
        _plot(narrow, "decided rows")
    _draw_numbers(
        wide.data,
        ("p_right", "p_reversed"),
        "Effects of swaps",
        "biaslab-where-decided.csv",
        "This is activation patching. Words are swapped with the word at the same place of the "
        "other problem; layer 0 is the words as they go in. The change is of the natural logarithm "
        "of right against reversed, at the end of the whole prompt. The digits of an answer are "
        "not swapped: where both answers begin with the same one, the last word shows nothing.",
    )


def _draw_probe(model: OpenModel) -> None:
    wished = probe_parameter()
    if not wished.value and not inside_queries.is_probed(model):
        st.button(
            "Read the operation off",
            key="probe",
            icon=":material/troubleshoot:",
            on_click=wished.set,
            args=(True,),
            help=f"A linear probe at each layer and place, fitted to {PAIRS} pairs and tested on "
            f"{PAIRS} others. It takes some seconds for a tiny model, minutes for a large one.",
        )
        return
    found = inside_queries.probe(model)
    if isinstance(found, str):
        st.info(plain(found))
        return
    chart = probe_charts.probe_chart(found, model.label, dark=is_dark())
    st.markdown(plain(chart.summary))
    _plot(chart, "probe")
    shares = [name for name in chart.data.columns if name.startswith(("share", "low", "high"))]
    (cue,) = (each.cue for each in found if (each.layer, each.place) == (0, CUE_PLACE))
    shuffled = sum(each.shuffled for each in found) / len(found)
    _draw_numbers(
        chart.data,
        shares,
        "Accuracy of the probe",
        "biaslab-probe.csv",
        f"Two controls: fitted to shuffled labels, probes are right for {percent(shuffled)} on "
        f"average; a probe for the word “more” or “fewer” finds it at its place, as the words go "
        f"in, for {percent(cue)}. What can be read off is not always used: that is what swaps "
        "tell. Near the answer a probe may read its size, as sums are larger than differences.",
    )


def _plot(chart: Chart, name: str) -> None:
    st.plotly_chart(
        chart.figure,
        theme=None,
        key=f"chart {name}",
        config=config(name),
        alt=chart.summary[:_LONGEST_NAME],
    )


def _draw_numbers(
    data: pd.DataFrame, shares: Sequence[str], title: str, file: str, explained: str
) -> None:
    with st.expander(f"{title}: the numbers"):
        st.caption(plain(explained))
        shown = data.assign(**{name: data[name].map(percent) for name in shares})
        st.dataframe(
            shown.rename(columns=lambda name: name.removeprefix("p_").replace("_", " ")),
            hide_index=True,
            alt=f"{title}, {len(data)} rows",
        )
        st.download_button(
            f"{title} (CSV)",
            lambda: table_csv(data),
            file,
            "text/csv",
            on_click="ignore",
            icon=":material/download:",
        )
