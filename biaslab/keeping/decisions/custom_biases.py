"""Biases that people wrote, kept as texts in the file of runs.

A bias that is kept never changes, so that designs can name it by its id.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from biaslab.models import ModelIdentity, ModelKind
from biaslab.runs.errors import RunError
from biaslab.runs.library.notes import custom_texts, keep_text
from biaslab.runs.store.store import Store
from biaslab.studies.decisions.biases import (
    Bias,
    BiasError,
    bias,
    bias_paths,
    check_text,
    read_bias,
    scales,
)
from biaslab.studies.decisions.study import ALL


@dataclass(frozen=True, slots=True)
class FoundBias:
    """A bias with all its scenes, and the text of its file."""

    bias: Bias
    text: str


def find_bias(store: Store, bias_id: str) -> FoundBias:
    """A bias of the app, or one that is kept.

    Raises:
        RunError: there is none of this id.
        BiasError: it cannot be read.
    """
    if bias_id in bias_paths():
        return FoundBias(bias(bias_id), bias_paths()[bias_id].read_text(encoding="utf-8"))
    kept = {each.id: each.text for each in custom_texts(store)}
    if bias_id not in kept:
        near = get_close_matches(bias_id, [*bias_paths(), *kept], n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise RunError(
            f"There is no bias “{bias_id}”.{meant} `biaslab biases` lists those there are."
        )
    return FoundBias(read_bias(kept[bias_id], scales()), kept[bias_id])


def check_writer(identity: ModelIdentity) -> None:
    """Refuses models that cannot write scenes.

    Raises:
        RunError: it is a simulated learner or a tiny model.
    """
    if identity.kind is not ModelKind.LANGUAGE_MODEL:
        raise RunError(
            f"“{identity.spec}” is a {identity.kind} and cannot write scenes: it knows numbers "
            "only. Choose a language model, on a server or in a folder of this computer."
        )


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
