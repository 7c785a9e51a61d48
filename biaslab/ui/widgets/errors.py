"""Errors as sentences: what a person sees when something cannot be done."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import format_exception
from typing import Final

import streamlit as st

from biaslab.models import ModelError
from biaslab.runs import RunError, StoreError
from biaslab.stats import AnalysisError
from biaslab.system.roles import NotAllowed
from biaslab.ui.widgets.words import plain
from schoolmath.problems import ProblemError

PLAIN_ERRORS: Final = (
    ProblemError, ModelError, RunError, StoreError, AnalysisError, NotAllowed,
)  # fmt: skip
"""Errors whose text is written for the person who sees them."""

_log = logging.getLogger(__name__)


@contextmanager
def shown_errors() -> Iterator[None]:
    """Shows what goes wrong inside as a sentence where it happened, never a stack trace."""
    try:
        yield
    except PLAIN_ERRORS as error:
        st.error(plain(str(error)), icon=":material/error:")
    except Exception as error:
        show_unexpected(error)


def show_unexpected(error: Exception) -> bool:
    """Says that this program has a fault, with what is needed to report it.

    Returns:
        True: nothing more needs to be shown (the meaning that Streamlit gives to it).
    """
    if isinstance(error, PLAIN_ERRORS):
        st.error(plain(str(error)), icon=":material/error:")
        return True
    _log.error("Unexpected error on a screen", exc_info=error)
    st.error(
        "Something went wrong that BiasLab did not expect. Nothing that was kept is lost. Reload "
        "the page; if it happens again, please report it with the details below.",
        icon=":material/error:",
    )
    with st.expander("Details for a report"):
        st.code("".join(format_exception(error)), language=None, wrap_lines=True)
    return True
