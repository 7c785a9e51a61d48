"""Biases that people wrote, kept as texts in the file of runs.

A bias that is kept never changes, so that designs can name it by its id.
"""

from __future__ import annotations

from biaslab.runs.errors import RunError
from biaslab.runs.library.custom_texts import keep_text
from biaslab.runs.store.store import Store
from biaslab.studies.decisions.biases import Bias, BiasError, bias_paths, check_text, scales
from biaslab.studies.decisions.study import ALL


def keep_bias(store: Store, text: str) -> Bias:
    """Keeps a bias, so that designs can name it. Keeping the same text again does nothing.

    Args:
        store: where.
        text: its file.

    Raises:
        BiasError: the file has faults; the first one is told.
        RunError: the id belongs to another bias. Nothing was written.
    """
    checked = check_text(text, scales())
    if checked.usable is None:
        first = checked.faults[0]
        raise BiasError(first.message, "", first.where, first.line)
    found = checked.usable
    if found.id in bias_paths() or found.id == ALL:
        raise RunError(
            f"The id “{found.id}” belongs to BiasLab's own biases. Give yours another, such as "
            f"my-{found.id}."
        )
    keep_text(store, found.id, found.name, text)
    return found
