"""Mending pairs from a screen: progress while it goes on, and the result in this session."""

from __future__ import annotations

import streamlit as st

from biaslab.studies.word_problems.custom.correction import Correction, CorrectionProgress, correct
from biaslab.ui.custom_pairs.correcting.source import PairSource
from biaslab.ui.widgets.language_model import ReadyModel
from schoolmath.text.figures import count

_RESULT = "correction"


def stored_result(source: PairSource, writer: ReadyModel) -> Correction | None:
    """What this session has of these pairs and this model."""
    kept: tuple[str, Correction] | None = st.session_state.get(_RESULT)
    return kept[1] if kept is not None and kept[0] == _key(source, writer) else None


def forget_result() -> None:
    """Drops it, as after it was kept as a set."""
    st.session_state.pop(_RESULT, None)


def mend(source: PairSource, writer: ReadyModel, before: Correction | None = None) -> Correction:
    """Asks the model and shows how far it is; clicking anything else ends it.

    Args:
        source: the pairs.
        writer: who mends.
        before: an earlier result, of which only what got no answer is asked again.

    Raises:
        ProblemError, RunError, StoreError: the pairs cannot be made or the model not be asked.
    """
    pairs = source.pairs() if before is None else [each.pair for each in before.not_answered]
    bar = st.progress(0.0, "Opening the model …")
    note = st.empty()
    note.caption("Clicking anything else on this page ends it; nothing is kept then.")
    result = correct(
        pairs,
        writer.ask,
        writer.form,
        treatment=source.treatment,
        before=before,
        on_progress=lambda progress: bar.progress(progress.done / progress.wanted, _far(progress)),
    )
    bar.empty()
    note.empty()
    st.session_state[_RESULT] = (_key(source, writer), result)
    return result


def _far(progress: CorrectionProgress) -> str:
    parts = [
        f"{progress.done:,} of {count(progress.wanted, 'pair')}",
        f"{progress.kept:,} kept",
        f"{progress.discarded:,} discarded",
    ]
    if progress.not_answered:
        parts.append(f"{progress.not_answered:,} without an answer")
    return ", ".join(parts)


def _key(source: PairSource, writer: ReadyModel) -> str:
    return f"{source.key} {writer.spec} {writer.access.base_urls}"
