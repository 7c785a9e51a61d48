"""How far a run is, drawn again every second while it goes on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from biaslab.runs import RunRecord, RunStatus, default_database
from biaslab.runs.jobs.queue import JobKind, QueuedWork, place
from biaslab.runs.store.records import ASK_AGAIN
from biaslab.ui.widgets.cards import figures
from biaslab.ui.widgets.words import ACTIVE, STATUSES, duration, plain, shown_errors
from schoolmath.text.figures import count

BUSY_SECONDS = 1.0
"""How often a screen looks while something is running."""

IDLE_SECONDS = 5.0
"""How often otherwise: another tab, or the command line, may start something."""

_PANELS = {RunStatus.FAILED: st.error, RunStatus.PAUSED: st.warning}


def live(draw: Callable[[], bool]) -> None:
    """Draws something again and again, faster while something is running.

    Args:
        draw: draws, and says whether anything is running.
    """
    busy_key = f"busy {draw.__module__}.{draw.__qualname__}"

    def look() -> None:
        with shown_errors():
            busy = draw()
            if busy is not st.session_state.get(busy_key):
                st.session_state[busy_key] = busy
                st.rerun()

    seconds = BUSY_SECONDS if st.session_state.get(busy_key) else IDLE_SECONDS
    st.fragment(look, run_every=seconds)()


def progress_bar(run: RunRecord) -> None:
    """Status in words, how far it is and how long it will take."""
    status = STATUSES[run.status]
    if _is_early(run):
        st.progress(1.0, f"**Finished early** · {enough_words(run)}")
        st.caption("A rule that was chosen before the run decided that no more had to be asked.")
    else:
        share = run.items_done / run.items_total if run.items_total else 1.0
        words = f"**{status.name}** · {done_words(run)}"
        if run.status in ACTIVE:
            words += _pace(run)
        st.progress(min(share, 1.0), words)
        st.caption(_waiting(run) or status.explanation)
    if run.message and not _is_shown_by_failures(run):
        shown = _PANELS.get(run.status, st.info)
        shown(plain(run.message))


def done_words(run: RunRecord) -> str:
    """How many answers are there, of how many."""
    samples = run.options.samples
    if samples == 1:
        return f"{run.items_done:,} of {count(run.items_total, 'problem')}"
    problems = count(run.items_total // samples, "problem")
    return f"{run.items_done:,} of {count(run.items_total, 'answer')} ({samples} to {problems})"


def enough_words(run: RunRecord) -> str:
    """How many pairs were enough, where a rule stopped the run early."""
    return f"{run.enough or run.pairs_total:,} of {count(run.pairs_total, 'pair')} were enough"


def waiting_words(work: QueuedWork) -> str:
    """That work waits for its turn, for how many others and why; empty where it does not."""
    path = default_database()
    before = place(path, work)
    if not before:
        return ""
    return f"Waiting: {count(before, 'other job')} first. Jobs take turns on this computer."


def _waiting(run: RunRecord) -> str:
    if run.status not in ACTIVE or run.rate_per_second is not None:
        return ""
    return plain(waiting_words(QueuedWork(JobKind.RUN, run.id)))


def _pace(run: RunRecord) -> str:
    if run.rate_per_second is None:
        return " · opening the model and writing the first answers …" if run.items_done == 0 else ""
    rate = run.rate_per_second
    pace = f"{rate:,.0f} a second" if rate >= 1.5 else f"{rate * 60:,.0f} a minute"
    if run.seconds_left is None:
        return f" · {pace}"
    left = duration(run.seconds_left)
    return f" · {pace} · {left if left.startswith('under') else f'about {left}'} left"


def counts(run: RunRecord) -> None:
    """What became of the problems asked so far."""
    figures(
        {
            "answered": f"{run.answered:,}",
            "could not be read": f"{run.invalid:,}",
            "failed": f"{run.failed:,}",
            "needless" if _is_early(run) else "not asked yet": (
                f"{run.items_total - run.items_done:,}"
            ),
        }
    )


def _is_shown_by_failures(run: RunRecord) -> bool:
    """A finished run says no more than that some failed, which its record says with reasons."""
    return (
        run.status is RunStatus.FINISHED
        and run.failed > 0
        and run.enough is None
        and run.message.endswith(ASK_AGAIN)
    )


def _is_early(run: RunRecord) -> bool:
    return run.enough is not None and run.status is RunStatus.FINISHED
