"""Tiny models: very small transformers that this project trained on its own problems.

They are opened like any local model; what is to be known of each stands in its card
(`biaslab.models.tiny.card`). ``tiny:NAME`` is one that comes with the app or one that was trained
here (`custom_models`), ``tiny:NAME@CHECKPOINT`` a copy of it from along its training. ``tiny``
alone is short for the default one.
"""

from __future__ import annotations

from pathlib import Path

from biaslab.models.errors import BrokenModel, ModelNotFound
from biaslab.models.local.directory import inspect_directory
from biaslab.models.requests import ModelIdentity, ModelKind
from biaslab.models.skills import WORD_PROBLEMS
from biaslab.models.tiny.card import (
    CARD_FILE,
    Ability,
    AbilityVerdict,
    CardEffect,
    ModelCard,
    UnseenAccuracy,
    read_card,
)
from biaslab.system.places import TINY_MODELS, custom_models

__all__ = [
    "ALIAS",
    "CARD_FILE",
    "CHECKPOINTS",
    "CHECKPOINT_MARK",
    "DEFAULT_NAME",
    "DEFAULT_TINY",
    "TINY_MODELS",
    "Ability",
    "AbilityVerdict",
    "CardEffect",
    "ModelCard",
    "UnseenAccuracy",
    "checkpoint_names",
    "custom_names",
    "identify_tiny",
    "read_card",
    "tiny_directory",
    "tiny_names",
    "tiny_spec",
]

DEFAULT_NAME = "balanced-640k"
"""The model that ``tiny`` stands for: the one that can do the most studies, and whose lessons
favour no arm of them. What it does wrong, nobody put in on purpose."""

ALIAS = "tiny"
"""What the default model is called for short, and what every spec of a tiny model begins with. No
model may have this name."""

DEFAULT_TINY = f"{ALIAS}:{DEFAULT_NAME}"
"""How the default model is written down, in runs and on screens."""

CHECKPOINTS = "checkpoints"
"""Directory inside a model's with copies of it along its training, a directory each."""

_PLAN_FILE = "plan.json"
"""What a training puts into its directory long before the model is ready."""

CHECKPOINT_MARK = "@"
"""Between a model's name and a checkpoint's, as in ``tiny:skewed@0040k``."""


def tiny_names(models: Path = TINY_MODELS) -> tuple[str, ...]:
    """Names of the tiny models that come with the app, the default one first."""
    return tuple(sorted(_carded(models), key=lambda name: name != DEFAULT_NAME))


def custom_names(models: Path = TINY_MODELS) -> tuple[str, ...]:
    """Names of the tiny models that were trained here; none that a shipped model has."""
    return tuple(name for name in _carded(custom_models()) if not (models / name).is_dir())


def checkpoint_names(name: str, models: Path = TINY_MODELS) -> tuple[str, ...]:
    """Names of a model's copies along its training, the earliest first: ``skewed@0040k``."""
    copies = _carded(tiny_directory(name, models) / CHECKPOINTS)
    return tuple(f"{name}{CHECKPOINT_MARK}{copy}" for copy in copies)


def tiny_directory(name: str, models: Path = TINY_MODELS) -> Path:
    """Where the tiny model of this name is: one that comes with the app, or one trained here.

    Args:
        name: a model's, or a checkpoint's as in ``skewed@0040k``.
        models: where those that come with the app are.

    Raises:
        ModelNotFound: there is no such model, or no such checkpoint of it.
    """
    model, mark, copy = name.partition(CHECKPOINT_MARK)
    path = _child(models, model) or _child(custom_models(), model)
    if path is None:
        there = ", ".join((*tiny_names(models), *custom_names(models))) or "none"
        raise ModelNotFound(
            f"There is no tiny model “{model}” in {models} or {custom_models()} (there: {there}): "
            "choose one of these, or train it with `biaslab train`."
        )
    if not mark:
        return path
    checkpoint = _child(path / CHECKPOINTS, copy)
    if checkpoint is None:
        kept = _carded(path / CHECKPOINTS)
        raise ModelNotFound(
            f"The tiny model “{model}” has no checkpoint “{copy}”: "
            + (f"choose {', '.join(kept)}." if kept else "none were kept of it.")
        )
    return checkpoint


def _carded(directory: Path) -> list[str]:
    """Names of the models in a directory that have a card."""
    try:
        return sorted(entry.name for entry in directory.iterdir() if (entry / CARD_FILE).exists())
    except OSError:
        return []


def _child(directory: Path, name: str) -> Path | None:
    """The directory of exactly this name in another, if it is there."""
    if Path(name).name != name or name in ("", ".", ".."):
        return None
    path = directory / name
    return path if path.is_dir() else None


def tiny_spec(name: str) -> str:
    """How the model is opened, its name given in full."""
    return f"{ALIAS}:{name}"


def identify_tiny(name: str, models: Path = TINY_MODELS) -> ModelIdentity:
    """Which tiny model this is, its card in the details, without loading weights.

    Raises:
        ModelNotFound, BrokenModel: it is not there, or its files are damaged.
    """
    path = tiny_directory(name, models)
    if (path / _PLAN_FILE).exists() and not (path / CARD_FILE).exists():
        raise BrokenModel(
            f"The tiny model “{name}” is not ready: its training in {path} has not come to its "
            f"end. Go on with it in the lab or with `biaslab train --out {path}`."
        )
    directory = inspect_directory(path)
    return ModelIdentity(
        spec=tiny_spec(name),
        kind=ModelKind.TINY,
        revision=directory.revision,
        form=directory.form,
        details=read_card(path).to_json(),
        skills=WORD_PROBLEMS,
    )
