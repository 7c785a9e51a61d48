"""How things are named, numbers written and errors told on screens."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from traceback import format_exception
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import streamlit as st

from biaslab.models import ModelError, ModelKind, read_spec
from biaslab.runs import RunError, RunStatus, StoreError
from biaslab.stats import AnalysisError
from biaslab.system.roles import NotAllowed
from schoolmath.malrules.rules import Card, Confidence
from schoolmath.problems import ProblemError
from schoolmath.text.figures import count

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#$|~^]|:(?=\w|//))")
"""What Markdown, its formulas and Streamlit's ``:name:`` would take for their own. A web address
is found before other marks are read, and would show the backslash of its port."""

CONFIDENCE = {
    Confidence.A: "a well-known primary source for this error",
    Confidence.B: "found in textbooks or catalogues of errors, or attributed indirectly",
    Confidence.C: "common practice of those who write test items; no primary source is known",
}
"""What the letter beside a source means. No citation was opened page by page."""


def source_words(card: Card, form: str) -> str:
    """Where an error is known from, and how well on problems of this form; "": none is known."""
    letter = card.confidence_on(form) if form else card.confidence
    return (
        f"{card.source}. Confidence {letter}: {CONFIDENCE[letter]}. "
        "No citation was opened page by page."
    )


class DefinedTerm(NamedTuple):
    """A name on screens and one line for someone who has not met it."""

    name: str
    explanation: str


KINDS = {
    ModelKind.LEARNER: DefinedTerm(
        "Simulated learner",
        "A program that makes known mistakes with known chances. It shows what a bias looks "
        "like; it says nothing about any real model.",
    ),
    ModelKind.TINY: DefinedTerm(
        "Tiny model",
        "A very small transformer that this project trained on its own problems, so that "
        "everything can be tried on any computer; no language model, which learns from human text.",
    ),
    ModelKind.LANGUAGE_MODEL: DefinedTerm(
        "Language model", "A model that was trained on text written by people."
    ),
}

STATUSES = {
    RunStatus.READY: DefinedTerm("Ready to start", "Nothing has been asked yet."),
    RunStatus.RUNNING: DefinedTerm("Running", "The model is being asked; you may close this page."),
    RunStatus.STOPPING: DefinedTerm("Stopping", "It ends after the answers that are on their way."),
    RunStatus.STOPPED: DefinedTerm(
        "Stopped", "You stopped it. Every answer is saved; resume any time."
    ),
    RunStatus.PAUSED: DefinedTerm(
        "Paused",
        "BiasLab stopped asking because somebody has to do something first, see below. "
        "Every answer is saved.",
    ),
    RunStatus.INTERRUPTED: DefinedTerm(
        "Interrupted",
        "The program that asks has ended, as when the computer was switched off. "
        "Every answer is saved; resume any time.",
    ),
    RunStatus.FINISHED: DefinedTerm("Finished", "Every problem was asked."),
    RunStatus.FAILED: DefinedTerm("Could not go on", "The message below says why."),
}

ACTIVE = (RunStatus.RUNNING, RunStatus.STOPPING)
"""A worker is at it."""

RESUMABLE = (
    RunStatus.READY,
    RunStatus.STOPPED,
    RunStatus.PAUSED,
    RunStatus.INTERRUPTED,
    RunStatus.FAILED,
)
"""Starting again goes on where it ended."""


def plain(text: str) -> str:
    """Text from files, models and errors for places that would read it as Markdown."""
    return _MARKUP.sub(r"\\\1", text)


_POWER = re.compile(r"(?<=[\w)])\^(?:(-?(?:\d+|[abn]\b))|\(([abn+]+)\))")
_RAISED = str.maketrans("+-0123456789abn", "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇⁿ")


def raised(text: str) -> str:
    """Mathematics with powers as in a book: x² for x^2, xᵃ⁺ᵇ for x^(a+b)."""
    return _POWER.sub(lambda power: (power[1] or power[2]).translate(_RAISED), text)


def kind_name(kind: str) -> str:
    """What a kind of model is called."""
    return KINDS[ModelKind(kind)].name


def short_name(spec: str) -> str:
    """A model's name where its label is not known, without the path that leads to it."""
    return read_spec(spec).short_name


def place(url: str) -> str:
    """A server's address as people say it, without ``https://`` in front."""
    return url.partition("://")[2] or url


def duration(seconds: float) -> str:
    """A time span for people: "under a second", "40 seconds", "3 minutes", "2.5 hours"."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return count(round(seconds), "second")
    if seconds < 5400:
        return count(round(seconds / 60), "minute")
    return f"{seconds / 3600:.1f} hours"


def moment(iso: str | None, zone: str | None = None) -> str:
    """A time in UTC as kept in the file, in the viewer's time zone where it is known."""
    if not iso:
        return "–"
    when = datetime.fromisoformat(iso)
    if zone:
        try:
            when = when.astimezone(ZoneInfo(zone))
        except (KeyError, ValueError):
            return f"{_written(when)} UTC"
        return _written(when)
    return f"{_written(when)} UTC"


def _written(when: datetime) -> str:
    return f"{when.day} {when:%b %Y, %H:%M}"


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
        "Something went wrong that BiasLab did not expect. Nothing that was saved is lost. Reload "
        "the page; if it happens again, please report it with the details below.",
        icon=":material/error:",
    )
    with st.expander("Details for a report"):
        st.code("".join(format_exception(error)), language=None, wrap_lines=True)
    return True
