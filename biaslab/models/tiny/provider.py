"""Tiny models as a kind of model: ``tiny:NAME``, and ``tiny`` for the default one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from biaslab.models.local.provider import WeightsProvider
from biaslab.models.provider import ModelChoice, ModelQuery, Opening
from biaslab.models.requests import WORD_PROBLEMS, ModelError, ModelIdentity, ModelKind, Skill
from biaslab.models.tiny.model import (
    ALIAS,
    DEFAULT_NAME,
    checkpoint_names,
    custom_names,
    identify_tiny,
    read_card,
    tiny_directory,
    tiny_names,
)


class TinyProvider(WeightsProvider):
    """The tiny models that come with the app and those that were trained here."""

    prefix = ALIAS
    form = ALIAS
    kind = ModelKind.TINY
    default = DEFAULT_NAME

    def directory(self, name: str, how: Opening) -> Path:
        """Where the model or the checkpoint is."""
        return tiny_directory(name, how.tiny_models)

    def identify_files(self, name: str, how: Opening) -> ModelIdentity:
        """Which tiny model this is, its card in the details."""
        return identify_tiny(name, how.tiny_models)

    def names(self) -> Sequence[str]:
        """Of those that come with the app and those that were trained here."""
        return (*tiny_names(), *custom_names())

    def choices(self, looking: ModelQuery) -> Sequence[ModelChoice]:
        """Those that come with the app, then those that were trained here."""
        return tuple(self._choices(looking))

    def able(self, skill: Skill) -> Sequence[str]:
        """The default one, for what tiny models are trained on."""
        return (ALIAS,) if skill in WORD_PROBLEMS else ()

    def _choices(self, looking: ModelQuery) -> Iterator[ModelChoice]:
        shipped = tiny_names(looking.tiny_models)
        if DEFAULT_NAME not in shipped:
            shipped = (DEFAULT_NAME, *shipped)  # offered with the reason why it is not there
        own = custom_names(looking.tiny_models)
        for name in (*shipped, *own):
            yield self._choice(name, looking, own=name in own)
            if not looking.checkpoints:
                continue
            try:
                copies = checkpoint_names(name, looking.tiny_models)
            except ModelError:
                continue
            for copy in copies:
                yield self._choice(copy, looking, own=name in own, of=self.spec(name))

    def _choice(self, name: str, looking: ModelQuery, *, own: bool, of: str = "") -> ModelChoice:
        label = f"Tiny model “{name}”"
        explanation = "A very small transformer that this project trained on its own problems."
        why_not = ""
        try:
            card = read_card(tiny_directory(name, looking.tiny_models))
            label, explanation = card.label, card.explanation
            identify_tiny(name, looking.tiny_models)
        except ModelError as error:
            why_not = str(error)
        return ModelChoice(
            self.spec(name), label, self.kind, explanation, not why_not, why_not, own, of
        )


PROVIDER = TinyProvider()
