"""The teacher's text: typed or pasted, in the address while it is short, else in the session."""

from __future__ import annotations

import streamlit as st

from biaslab.studies.word_problems.custom.problem import MOST_CHARACTERS

LONGEST_IN_ADDRESS = 600
"""Characters of a text that still makes a link which programs pass on whole."""

EXAMPLE = (
    "Mia has 24 stickers. Mia gives Omar 9 stickers. Zoe has 7 fewer stickers than Mia. "
    "How many stickers does Zoe have now?"
)
"""A problem that can be read, with a comparison and a transfer."""

_TEXT = "own problem"
_FIELD = "own problem field"
_NAME = "text"


def given_text() -> str:
    """The text as it stands: the address's, or what this session has."""
    in_address = st.query_params.get(_NAME)
    if in_address is not None:
        st.session_state[_TEXT] = in_address[:MOST_CHARACTERS]
    return str(st.session_state.get(_TEXT, ""))


def use_text(text: str) -> None:
    """Takes another text in place of the one there is."""
    text = text.strip()
    st.session_state[_TEXT] = text
    if text and len(text) <= LONGEST_IN_ADDRESS:
        st.query_params[_NAME] = text
    else:
        st.query_params.pop(_NAME, None)


def _use_field() -> None:
    use_text(str(st.session_state.get(_FIELD) or ""))


def draw_text() -> str:
    """Draws the field; gives its text."""
    text = given_text()
    if st.session_state.get(_FIELD) != text:
        # Set at every run, it would take away what somebody types while a run goes on.
        st.session_state[_FIELD] = text
    st.text_area(
        "A word problem, the question last",
        key=_FIELD,
        on_change=_use_field,
        height=140,
        max_chars=MOST_CHARACTERS,
        placeholder=f"For example: {EXAMPLE}",
    )
    with st.container(horizontal=True):
        # The click may reach us with the address from before what was typed: the field counts.
        st.button("Read it", type="primary", on_click=_use_field)
        if not text:
            st.button("Use the example", on_click=use_text, args=(EXAMPLE,))
        else:
            st.button("Clear", on_click=use_text, args=("",))
    st.caption(
        "**Write made-up names in place of real pupils'.** The text stays in this browser session "
        "until you keep pairs of it; "
        + (
            "as it is short, it also stands in the page's address, so a link shows it."
            if len(text) <= LONGEST_IN_ADDRESS
            else "it is too long for the page's address, so a link does not show it."
        )
        + " Reading it sends nothing anywhere."
    )
    return text
