"""Getting the statistics ready while a person reads the first page."""

from __future__ import annotations

import importlib
from threading import Thread

import streamlit as st


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Imports what the next pages need, once, beside whatever else happens.

    scipy.stats takes longer to import than the first page to draw; nobody should wait for it
    before that page, nor at the first click.
    """
    Thread(target=_import, daemon=True).start()


def _import() -> None:
    for name in ("scipy.stats", "biaslab.malrules"):
        importlib.import_module(name)
    # The first use of the catalogue of rules reads all of it.
    importlib.import_module("biaslab.malrules").rules()
