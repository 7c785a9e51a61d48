"""The top of every page."""

from __future__ import annotations

import streamlit as st


def heading(title: str, purpose: str) -> None:
    """Title and what the page is for."""
    st.title(title, anchor=False)
    st.markdown(purpose)
