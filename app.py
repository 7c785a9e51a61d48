"""Starts the app: ``streamlit run app.py``.

The screens are declared by `biaslab.ui.main` rather than here, because Streamlit would run a
page of the folder ``pages/`` without its navigation when the first visit goes straight to it.
"""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from biaslab.ui.errors import show_unexpected

MAIN = Path(__file__).resolve().parent / "biaslab" / "ui" / "main.py"


@asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    """Keeps what was imported out of later garbage collections, which then take no time."""
    gc.collect()
    gc.freeze()
    yield


app = st.App(MAIN, lifespan=lifespan, on_script_error=show_unexpected)
