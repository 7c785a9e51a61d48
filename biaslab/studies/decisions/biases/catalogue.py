"""The biases that come with the app, and what a person's own must be to stand beside them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from biaslab.studies.decisions.biases.checking import CheckedText, check_text
from biaslab.studies.decisions.biases.document import BiasError
from biaslab.studies.decisions.biases.files import read_bias, read_scales, with_scenes
from biaslab.studies.decisions.biases.template import Bias

ASSETS = Path(__file__).resolve().parents[4] / "assets" / "biases"
ALL = "all"
"""In a design: every bias of the app."""
_SCALES = "scales.yaml"
_SCENES = "scenes"
"""The folder of the scenes that came with the second version of the study, a file for each bias."""


@cache
def scales() -> dict[str, tuple[str, ...]]:
    """Option texts of the scales that have a name."""
    return read_scales(ASSETS / _SCALES)


@cache
def bias_paths() -> dict[str, Path]:
    """The files by the ids of their biases, in alphabetical order."""
    paths = (path for path in sorted(ASSETS.glob("*.yaml")) if path.name != _SCALES)
    return {path.stem: path for path in paths}


def biases() -> dict[str, Bias]:
    """All biases by id, in alphabetical order.

    Raises:
        BiasError: a file is wrong; the message names it.
    """
    return {name: _loaded(path) for name, path in bias_paths().items()}


def check_given(data: bytes) -> CheckedText:
    """Reads and checks a bias that somebody wrote, with the scales that come with the app.

    Args:
        data: a text; what is no UTF-8 in it shows as such, and the check says so.
    """
    return check_text(data.decode("utf-8", errors="replace"), scales())


def load_bias(path: Path) -> Bias:
    """A bias from a file, and its later scenes from the file beside it.

    A variant without a file of scenes has the later ones of its original, where it fills the same
    slots; one without scenes has all of them, where it fills no other slots.

    Raises:
        BiasError: naming the file, the key and the line.
    """
    try:
        found = read_bias(_text(path), scales())
    except BiasError as error:
        raise BiasError(f"{path.name}: {error}") from error
    if found.id != path.stem:
        raise BiasError(f"{path.name}: its id is “{found.id}”.", "Id and file name must agree.")
    scenes = path.parent / _SCENES / path.name
    if scenes.exists():
        try:
            return with_scenes(found, _text(scenes))
        except BiasError as error:
            raise BiasError(f"{_SCENES}/{path.name}: {error}") from error
    original = bias_paths().get(found.variant_of)
    return found if original is None else _with_scenes_of(found, _loaded(original))


def _with_scenes_of(variant: Bias, original: Bias) -> Bias:
    """A variant with its original's scenes, where they fill its slots: those that it lacks."""
    if not set(variant.slots) <= set(original.slots):
        return variant
    if variant.vignettes and list(variant.slots) != list(original.slots):
        return variant
    shared = original.vignettes[len(original.vignettes) - original.later :]
    if not variant.vignettes:
        shared = original.vignettes
    scenes = tuple(
        replace(each, slots={name: each.slots[name] for name in variant.slots}) for each in shared
    )
    return replace(variant, vignettes=variant.vignettes + scenes, later=original.later)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BiasError(f"{path.name} cannot be read: {error}.") from error


def bias(name: str) -> Bias:
    """The bias of this id; no other file is read.

    Raises:
        BiasError: there is none, with the nearest; or its file is wrong.
    """
    path = bias_paths().get(name)
    if path is None:
        near = difflib.get_close_matches(name, bias_paths(), n=1, cutoff=0.6)
        raise BiasError(
            f"There is no bias “{name}”.",
            f"Did you mean {near[0]}?" if near else f"There are: {', '.join(bias_paths())}.",
        )
    return _loaded(path)


_loaded = cache(load_bias)


@dataclass(frozen=True, slots=True)
class FoundBias:
    """A bias with all its scenes, and the text of its file."""

    bias: Bias
    text: str


def find_bias(bias_id: str, custom: Mapping[str, str]) -> FoundBias:
    """A bias of the app, or one of a person's own.

    Args:
        bias_id: its id.
        custom: texts of those that are kept, by id.

    Raises:
        BiasError: there is none of this id, or it cannot be read.
    """
    if bias_id in bias_paths():
        return FoundBias(bias(bias_id), _text(bias_paths()[bias_id]))
    if bias_id not in custom:
        near = difflib.get_close_matches(bias_id, [*bias_paths(), *custom], n=1)
        meant = f" Did you mean {near[0]}?" if near else ""
        raise BiasError(
            f"There is no bias “{bias_id}”.{meant}", "`biaslab biases` lists those there are."
        )
    return FoundBias(read_bias(custom[bias_id], scales()), custom[bias_id])


def custom_bias(text: str) -> Bias:
    """The bias of a file that somebody wrote, where it may be kept.

    Raises:
        BiasError: the file has faults, the first of which is told; or the id is the app's.
    """
    checked = check_text(text, scales())
    if checked.usable is None:
        first = checked.faults[0]
        raise BiasError(first.message, "", first.where, first.line)
    if checked.usable.id in bias_paths() or checked.usable.id == ALL:
        raise BiasError(
            f"The id “{checked.usable.id}” belongs to BiasLab's own biases.",
            f"Give yours another, such as my-{checked.usable.id}.",
        )
    return checked.usable
