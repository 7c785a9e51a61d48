"""Fields whose text comes into the address only when it means something.

What a person is still typing wrong is kept beside, so that it is neither lost nor in a link.
"""

from __future__ import annotations

from typing import Any, TypeVar

import streamlit as st

from biaslab.ui.widgets.address import Parameter

T = TypeVar("T")


def draft_field(
    label: str, parameter: Parameter[T], *, long: bool = False, **options: Any
) -> str | None:
    """Draws a text field for a parameter.

    Args:
        label: of the field.
        parameter: reads and writes its text.
        long: whether the text has several lines.
        options: for Streamlit's field.

    Returns:
        the text that means nothing, to be told of; None where all is well.
    """
    key = f"draft {parameter.name}"
    written = parameter.write(parameter.value)
    kept: tuple[str, str | None] = st.session_state.get(f"{key} wrong", (written, None))
    before, wrong = kept
    # A link, or another choice on the page, has changed the value since.
    if before != written:
        wrong = None
    st.session_state[key] = written if wrong is None else wrong

    def keep() -> None:
        text = str(st.session_state[key] or "").strip()
        meant = parameter.read(text) if text else parameter.default
        if meant is None:
            st.session_state[f"{key} wrong"] = (written, text)
        else:
            st.session_state.pop(f"{key} wrong", None)
            parameter.change(meant)

    field = st.text_area if long else st.text_input
    field(label, key=key, on_change=keep, **options)
    return wrong
