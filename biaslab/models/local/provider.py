"""Models whose weights are opened where the run is, and ``local:DIRECTORY`` as a kind of them."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath

from biaslab.models.counting import MeasuredRatio, TokenCounter, counter_of_directory
from biaslab.models.errors import ModelError, Unsupported
from biaslab.models.local.directory import find_directory, inspect_directory
from biaslab.models.local.formats import is_known, known, settled
from biaslab.models.local.hub import fetched_directories, read_record
from biaslab.models.provider import AUTO, DTYPES, Looking, ModelChoice, Opening, Provider, Source
from biaslab.models.requests import Model, ModelForm, ModelIdentity, ModelKind
from biaslab.models.skills import WORD_PROBLEMS
from biaslab.models.tiny.card import CARD_FILE, read_card

PREFIX = "local"


def local_spec(path: Path | str) -> str:
    """How the model in a directory is opened."""
    return f"{PREFIX}:{path}"


class WeightsProvider(Provider):
    """A kind of model that is a directory of files, on this machine or on a cluster's nodes."""

    source = Source.WEIGHTS
    closed = ""

    @abstractmethod
    def directory(self, name: str, how: Opening) -> Path:
        """Where the model's files are."""

    @abstractmethod
    def identify_files(self, name: str, how: Opening) -> ModelIdentity:
        """Which model the name means, at full precision."""

    def identify(self, name: str, how: Opening) -> ModelIdentity:
        """Which model the name means; other number formats give other answers."""
        return _in_format(self.identify_files(name, how), self.format(name, how))

    def format(self, name: str, how: Opening) -> str:
        """The number format of the weights, as far as is known without opening them."""
        path = self.directory(name, replace(how, download=False))
        return known(path, self.identify_files(name, how).revision, _dtype(how))

    def unmeasured(self, name: str, how: Opening) -> list[str] | None:
        """What `biaslab.models.local.measuring` is to be run with for the format to be known.

        None where it is known.
        """
        path, dtype = self.directory(name, replace(how, download=False)), _dtype(how)
        revision = self.identify_files(name, how).revision
        return None if is_known(path, revision, dtype) else [str(path), revision, dtype]

    def open(self, name: str, how: Opening) -> Model:
        """Loads the weights, here or on the cluster that ``how.access`` names.

        Raises:
            Unsupported: torch or, for a cluster, Ray is not installed.
        """
        identity = self.identify_files(name, how)
        path = self.directory(name, replace(how, download=False))
        dtype = _dtype(how)
        if how.access.cluster:
            identity = _in_format(identity, dtype)
            from biaslab.models.cluster.model import open_on_cluster
            from biaslab.models.spec import open_model

            return open_on_cluster(
                identity, how.access, opener=open_model, path=path, tiny_models=how.tiny_models,
                device=how.device, dtype=dtype, batch_tokens=how.batch_tokens,
            )  # fmt: skip
        # As in `biaslab.processes`: it must be said before torch comes in.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            from biaslab.models.local.measuring import measure
            from biaslab.models.local.model import LocalModel
        except ImportError as error:
            raise Unsupported(
                f"Opening “{self.spec(name)}” needs the packages torch and transformers, and "
                f"{error.name} is not installed: `make app` adds them (README.md says how without "
                "make)."
            ) from error
        dtype = settled(path, identity.revision, dtype, partial(measure, path))
        return LocalModel(
            path, _in_format(identity, dtype), device=how.device, dtype=dtype,
            batch_tokens=how.batch_tokens,
        )  # fmt: skip

    def counter(self, name: str, measured: MeasuredRatio | None, tiny_models: Path) -> TokenCounter:
        """By the model's own tokenizer."""
        return counter_of_directory(
            self.directory(name, Opening(tiny_models=tiny_models)), measured
        )


class LocalProvider(WeightsProvider):
    """Causal language models in directories, or on the hub where the network allows."""

    prefix = PREFIX
    form = f"{PREFIX}:DIRECTORY"

    def directory(self, name: str, how: Opening) -> Path:
        """The directory itself, or where the hub's files are kept."""
        return find_directory(name, download=how.download)

    def identify_files(self, name: str, how: Opening) -> ModelIdentity:
        """Which model is in the directory."""
        path = self.directory(name, how)
        directory = inspect_directory(path)
        config = directory.config
        given = Path(name).expanduser()
        spec = self.spec(str(given.resolve()) if given.is_dir() else name)
        if (path / CARD_FILE).exists():
            # Trained here, wherever it lies: its results are never shown as a language model's.
            return ModelIdentity(
                spec,
                ModelKind.TINY,
                directory.revision,
                directory.form,
                read_card(path).to_json(),
                WORD_PROBLEMS,
            )
        record = read_record(path)
        fetched = {} if record is None else {"hub": record.repository, "commit": record.commit}
        return ModelIdentity(
            spec=spec,
            kind=ModelKind.LANGUAGE_MODEL,
            revision=directory.revision,
            form=directory.form,
            details={
                "directory": str(path),
                "model_type": config.get("model_type"),
                "context": config.get("max_position_embeddings", config.get("n_positions")),
                **fetched,
            },
        )

    def choices(self, looking: Looking) -> Sequence[ModelChoice]:
        """The directories that are to be offered, and those that were fetched from the hub."""
        directories = dict.fromkeys((*looking.directories, *fetched_directories()))
        return tuple(map(self._choice, directories))

    def short_name(self, name: str) -> str:
        """The directory's name, without the path that leads to it."""
        return PurePath(name).name or self.spec(name)

    def _choice(self, directory: Path) -> ModelChoice:
        spec, label = self.spec(str(directory)), directory.name
        try:
            found = inspect_directory(directory)
        except ModelError as error:
            return ModelChoice(spec, label, self.kind, str(directory), False, str(error))
        if (directory / CARD_FILE).exists():
            try:
                card = read_card(directory)
            except ModelError as error:
                return ModelChoice(spec, label, ModelKind.TINY, str(directory), False, str(error))
            return ModelChoice(spec, card.label, ModelKind.TINY, card.explanation, ready=True)
        how = "answers in turns" if found.form is ModelForm.CHAT else "continues text"
        explanation = f"A {found.config.get('model_type', 'language')} model that {how}."
        if (record := read_record(directory)) is not None:
            explanation += f" From the hub: {record.repository}, commit {record.commit[:7]}."
        return ModelChoice(spec, label, self.kind, explanation, ready=True)


def _dtype(how: Opening) -> str:
    """The number format asked for: only the processor of this machine is measured."""
    elsewhere = how.access.cluster or (how.device or "cpu") != "cpu"
    return DTYPES[0] if how.dtype == AUTO and elsewhere else how.dtype


def _in_format(identity: ModelIdentity, dtype: str) -> ModelIdentity:
    if dtype == DTYPES[0]:
        return identity
    return replace(identity, revision=f"{identity.revision}-{dtype}")


PROVIDER = LocalProvider()
