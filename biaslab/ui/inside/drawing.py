"""Drawing answers word by word, where an answer is decided, and the probe on demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from biaslab.charts.inside import (
    WordPanel,
    probe_chart,
    swap_chart,
    word_by_word_chart,
    word_message,
)
from biaslab.studies import Arms
from biaslab.studies.word_problems.inside.probes import CUE_PLACE, PAIRS
from biaslab.studies.word_problems.inside.swaps import SwapEffects
from biaslab.studies.word_problems.inside.word_by_word import how_it_was_done
from biaslab.ui.inside import queries as inside_queries
from biaslab.ui.inside.models import SHOWING, OpenModel, probe_parameter, swaps_parameter
from biaslab.ui.inside.queries import Read
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.figures import draw_picture, is_dark, table_csv
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import percent

STYLE = Path(__file__).resolve().parents[3] / "assets" / "style" / "inside.css"

SIDE_BY_SIDE = 30
"""Words up to which the two members stand beside each other; longer ones below each other."""


def draw_in_short(readings: Mapping[str, Read], arms: Arms) -> None:
    """Says of each member what every model would answer, and from which word on."""
    alone = len(readings) == 1
    st.markdown(
        "\n".join(
            f"- {plain(word_message(panel, arm, alone=alone))}"
            for both in zip(*_panels(readings), strict=True)
            for panel, arm in zip(both, (arms.x, arms.x_prime), strict=True)
        )
    )


def draw_inside(readings: Mapping[str, Read], arms: Arms) -> None:
    """Draws the charts in the layout that fits the page, and the numbers."""
    sides = (arms.x, arms.x_prime)
    panels = _panels(readings)
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
                draw_picture(chart, f"inside along {arm}", f"word by word {arm}")
    with st.container(key="inside-narrow"):
        for chart, arm in zip(narrow, sides, strict=True):
            draw_picture(chart, f"inside rows {arm}", f"word by word {arm}")
    st.caption(
        "After each word stands what the model would say **if the problem stopped there**; the "
        "last word is the whole problem, as every study asks it. Bold words on a grey band are "
        "the sentence that differs. The light dotted line is any other number of the problem: one "
        "that stands in it, a result on the way, or all its numbers added up."
    )
    _draw_word_numbers(pd.concat([chart.data for chart in wide], ignore_index=True))
    _draw_how(readings)


def _panels(readings: Mapping[str, Read]) -> list[list[WordPanel]]:
    return [[WordPanel(model, read[side]) for model, read in readings.items()] for side in (0, 1)]


def _draw_word_numbers(data: pd.DataFrame) -> None:
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


def _draw_how(readings: Mapping[str, Read]) -> None:
    with st.expander("How this was worked out"):
        st.markdown(
            "The problem is cut after each word and asked directly: “Q: … A: The answer (Arabic "
            "numerals) is”. Nothing is written; it is read off how probable each number would be "
            "as the next thing said. The **reversed** answer is the result when the operation is "
            "reversed where the wording misleads (or, where none misleads, in the sentence that "
            "differs); it is the same step in both problems. What is missing to 100 % would be "
            "said otherwise: other numbers, or no number."
        )
        ways: dict[str, list[str]] = {}
        for model, read in readings.items():
            ways.setdefault(how_it_was_done(read[0]), []).append(model)
        for way, models in ways.items():
            st.markdown(plain(f"{', '.join(models)}: {way}"))
        st.markdown(
            "This is **one pair**: an illustration of how a model comes to its answer, not a "
            "measurement. How often it goes wrong is measured over many pairs, with intervals. The "
            "pair that this page begins with was chosen because it shows the effect: of its first "
            f"{queries.PREVIEWED} pairs, the model it begins with turns round on {SHOWING}."
        )


def draw_decided(swap_effects: SwapEffects | str | None, model: OpenModel, arms: Arms) -> None:
    """Draws the effect of each swap, or says why there is none, and offers the probe.

    Args:
        swap_effects: None where nobody has asked for it yet.
        model: inside which.
        arms: of the study.
    """
    st.header("Where it is decided", anchor=False)
    if swap_effects is None:
        st.button(
            "Swap word by word",
            key="swap",
            icon=":material/swap_vert:",
            on_click=swaps_parameter().set,
            args=(True,),
            help="One activation at a time is swapped for that of the other problem: as many "
            "passes as the prompt has words, times layers. Many minutes for a large model.",
        )
    elif isinstance(swap_effects, str):
        st.info(plain(swap_effects))
    else:
        _draw_swaps(swap_effects, model, arms)
    _draw_probe(model)


def _draw_swaps(swap_effects: SwapEffects, model: OpenModel, arms: Arms) -> None:
    dark = is_dark()
    wide = swap_chart(swap_effects, model.label, dark=dark)
    narrow = swap_chart(swap_effects, model.label, rows=True, dark=dark)
    st.markdown(
        f"The model reads the {arms.x_prime} problem, but in one layer, at one word, it is given "
        f"what it had there for the {arms.x} one: blue makes the right answer likelier, orange the "
        f"reversed one. {plain(wide.summary)}"
    )
    with st.container(key="decided-wide"):
        draw_picture(wide, "decided along")
    with st.container(key="decided-narrow"):
        draw_picture(narrow, "decided rows")
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
    chart = probe_chart(found, model.label, dark=is_dark())
    st.markdown(plain(chart.summary))
    draw_picture(chart, "probe")
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
