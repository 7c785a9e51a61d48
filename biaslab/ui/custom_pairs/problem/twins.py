"""The minimal pairs of a teacher's problem: looked at, ticked, kept as a set."""

from __future__ import annotations

import streamlit as st

from biaslab.runs import RunError, StoreError
from biaslab.runs.library.pair_sets import save_set
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.studies.word_problems.custom.problem import (
    FIRST_TWINS,
    CustomProblem,
    CustomTwin,
    twins_of,
)
from biaslab.ui.navigation import COMPOSE, go
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter
from biaslab.ui.widgets.cards import pair_cards
from biaslab.ui.widgets.words import plain
from schoolmath.text.figures import count

_ORIGIN = "made from a problem of one's own"
_LONGEST_NAME = 80


def draw_twins(own: CustomProblem) -> list[CustomTwin]:
    """Draws every pair with its tick, why others cannot be made, and keeping; those ticked."""
    twins = _twins(own)
    if not twins:
        st.info("The answer stands in the text, so nothing is calculated and no pair can be made.")
    possible = [twin for twin in twins if twin.pair is not None]
    if possible:
        st.caption(
            "Each pair is your problem twice with one feature changed, in BiasLab's own "
            "sentences, and was proved to differ in nothing else. The words that differ are "
            "underlined and bold. Tick those that you want."
        )
    ticked = _ticked(possible)
    for twin in possible:
        _draw(twin, ticked)
    _draw_impossible([twin for twin in twins if twin.pair is None])
    chosen = [twin for twin in possible if twin.name in ticked.value]
    if possible:
        _draw_keeping(own, chosen)
    return chosen


@st.cache_data(show_spinner="Making the pairs …", max_entries=32, hash_funcs={CustomProblem: repr})
def _twins(own: CustomProblem) -> tuple[CustomTwin, ...]:
    return twins_of(own)


def _ticked(possible: list[CustomTwin]) -> Parameter[list[str]]:
    """Which are ticked, as it stands in the address; the paper's studies unless chosen."""
    names = [twin.name for twin in possible]

    def read(text: str) -> list[str]:
        return [name for name in text.split(",") if name in names]

    default = [name for name in names if name in FIRST_TWINS] or names[:1]
    return Parameter("twins", default, read, lambda chosen: ",".join(chosen) or "none")


def _draw(twin: CustomTwin, ticked: Parameter[list[str]]) -> None:
    key = f"twin {twin.name}"
    st.session_state[key] = twin.name in ticked.value

    def change() -> None:
        others = [name for name in ticked.value if name != twin.name]
        ticked.set([*others, twin.name] if st.session_state[key] else others)

    with st.container(border=True):
        st.checkbox(f"**{plain(twin.label)}**", key=key, on_change=change)
        st.caption(plain(twin.question))
        if twin.pair is not None:
            pair_cards(twin.pair, twin.arms, working=False)


def _draw_impossible(twins: list[CustomTwin]) -> None:
    if not twins:
        return
    with st.expander(f"{count(len(twins), 'pair')} cannot be made from this problem, and why"):
        st.markdown(
            "\n".join(f"- **{plain(twin.label)}:** {plain(twin.why_not)}" for twin in twins)
        )


def _draw_keeping(own: CustomProblem, chosen: list[CustomTwin]) -> None:
    name = st.text_input(
        "Name of the set", value=f"My problem: {own.text}"[:_LONGEST_NAME], key="name of own set"
    )
    pairs = [twin.pair for twin in chosen if twin.pair is not None]
    words = f"Keep {count(len(pairs), 'pair')} and ask a model" if pairs else "Tick a pair to keep"
    if st.button(words, type="primary", disabled=not pairs):
        try:
            made = save_set(queries.store(), name, pairs, _ORIGIN)
        except (RunError, StoreError) as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        go(COMPOSE, study=IMPORTED, set=made.id, n=str(made.pairs))
