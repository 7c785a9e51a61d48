"""Fine-tuning on the page Where biases come from: one sentence, one figure, one table, verdicts."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

from biaslab.charts.training.tuning import tuning_chart
from biaslab.training.experiment.table import Kept, read_table
from biaslab.training.origins.predictions import Judgement
from biaslab.training.tuning import table as tuning_table
from biaslab.training.tuning.estimates import Results, judge
from biaslab.training.tuning.predictions import LESSONS, Stop
from biaslab.training.tuning.summary import rows, sentence, worse
from biaslab.ui.training.origins.queries import State, state
from biaslab.ui.training.origins.tables import draw_judgements
from biaslab.ui.widgets.figures import draw_chart, is_dark
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import NONE

_TITLES = {
    Stop.LARGEST: "From where its effect is largest",
    Stop.END: "From the end of its training",
}


def draw_tuning() -> None:
    """What a few hundred lessons do to a model that has the bias."""
    now = state(tuning_table.TUNING_FILE)
    if now is None:
        st.info("Nothing is fine-tuned yet. Do it with the command below, within the hour.")
        st.code(tuning_table.TUNING.make_it, language=None)
        return
    results = Results(_table(now))
    st.markdown(plain(sentence(results)))
    draw_chart(tuning_chart(results, dark=is_dark()), "effect by lessons of fine-tuning")
    st.markdown(plain(worse(results)))
    for stop, title in _TITLES.items():
        found = pd.DataFrame([row.cells() for row in rows(results) if row.stop is stop])
        # What was not done from there has no column.
        found = found.loc[:, ~(found == NONE).all()]
        st.markdown(f"**{title}**")
        st.dataframe(
            found, hide_index=True, height="content",
            alt=f"{title}, before and after {LESSONS[-1]} lessons, {len(found)} rows",
        )  # fmt: skip
    st.caption(
        f"Before, and after {LESSONS[-1]} lessons; difference: balanced minus its own mix. Effects "
        "and differences in points, shares in per cent, step by step unless said; in brackets 95 % "
        "intervals, of the model before over items alone. Where hardly anything is right, no "
        "effect can show."
    )
    with st.expander("How it is done, and what was predicted"):
        st.markdown(
            "The skewed model, where its effect is largest, learns additive comparisons of one "
            "step: both members of balanced pairs; the same kind with 5 consistent ones for each "
            "inconsistent one; or what its own training would have gone on with. Two steps are "
            "asked from the end of its training. The predictions were committed before "
            "(docs/origins.md)."
        )
        draw_judgements(_judgements(now))


@st.cache_data(show_spinner=False, max_entries=2)
def _table(now: State) -> tuple[Kept, ...]:
    return read_table(Path(now.path), tuning_table.TUNING)


@st.cache_data(show_spinner=False, max_entries=2)
def _judgements(now: State) -> tuple[Judgement, ...]:
    return judge(Results(_table(now)))
