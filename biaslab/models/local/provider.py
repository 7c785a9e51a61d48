"""Models whose weights are opened where the run is, and ``local:`` with a directory or file."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath

from biaslab.models.counting import MeasuredRatio, TokenCounter, counter_of_directory
from biaslab.models.local.directory import find_files, inspect_directory
from biaslab.models.local.gguf.head import (
    ARCHITECTURES,
    PACKAGE_MODEL,
    FoundFile,
    found_files,
    needs,
    only_file,
    package_file,
    read_head,
    title_of,
)
from biaslab.models.local.gguf.sums import (
    is_name,
    kept_directory,
    known_name,
    libraries,
    name_of,
    sum_of,
)
from biaslab.models.local.hub import fetched_directories, read_record
from biaslab.models.local.precision import is_known, known, mark, settled
from biaslab.models.provider import (
    AUTO,
    DTYPES,
    AnswerSource,
    ModelChoice,
    ModelQuery,
    Opening,
    Provider,
)
from biaslab.models.requests import (
    WORD_PROBLEMS,
    Model,
    ModelError,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Unsupported,
)
from biaslab.models.tiny.model import CARD_FILE, read_card

PREFIX = "local"


def local_spec(path: Path | str) -> str:
    """How the model in a directory is opened."""
    return f"{PREFIX}:{path}"


class WeightsProvider(Provider):
    """A kind of model that is files, on this machine or, a directory, on a cluster's nodes."""

    source = AnswerSource.WEIGHTS
    closed = ""

    @abstractmethod
    def directory(self, name: str, how: Opening) -> Path:
        """The model's directory, or its GGUF file."""

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
        """What `measuring` is run with for the format to be known.

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
        if how.access.cluster and path.is_file():
            raise Unsupported(
                "A cluster opens models in directories, and this is a GGUF file: leave the cluster "
                "out, or put the model as a directory with safetensors on every node."
            )
        if how.access.cluster:
            identity = _in_format(identity, dtype)
            from biaslab.models.cluster import open_on_cluster
            from biaslab.models.spec import open_model

            spec = self.spec(str(path) if is_name(name) else name)
            return open_on_cluster(
                identity, how.access, spec=spec, opener=open_model, path=path,
                tiny_models=how.tiny_models, device=how.device, dtype=dtype,
                batch_tokens=how.batch_tokens,
            )  # fmt: skip
        # As in `biaslab.system.processes`: it must be said before torch comes in.
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
        opening: Callable[..., Model] = LocalModel
        if path.is_file():
            from biaslab.models.local.gguf.opening import open_file

            opening = open_file
        dtype = settled(path, identity.revision, dtype, partial(measure, path))
        return opening(
            path, _in_format(identity, dtype), device=how.device, dtype=dtype,
            batch_tokens=how.batch_tokens,
        )  # fmt: skip

    def counter(self, name: str, measured: MeasuredRatio | None, tiny_models: Path) -> TokenCounter:
        """By the model's own tokenizer."""
        path = self.directory(name, Opening(tiny_models=tiny_models))
        return counter_of_directory(
            kept_directory(sum_of(path)) if path.is_file() else path, measured
        )


class LocalProvider(WeightsProvider):
    """Causal language models in directories and GGUF files, or on the hub if it can be reached."""

    prefix = PREFIX
    form = f"{PREFIX}:DIRECTORY or {PREFIX}:FILE.gguf"

    def directory(self, name: str, how: Opening) -> Path:
        """The directory or GGUF file itself, or where the hub's files are kept."""
        return find_files(name, download=how.download)

    def identify_files(self, name: str, how: Opening) -> ModelIdentity:
        """Which model is in the directory or file."""
        path = self.directory(name, how)
        if path.is_file():
            return self._identify_file(path)
        directory = inspect_directory(path)
        config = directory.config
        on_hub = not Path(name).expanduser().is_dir() and not is_name(name)
        spec = self.spec(name if on_hub else directory.name())
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
                "directory": path.name,
                "model_type": config.get("model_type"),
                "context": config.get("max_position_embeddings", config.get("n_positions")),
                **fetched,
            },
        )

    def _identify_file(self, path: Path) -> ModelIdentity:
        head, title = read_head(path), title_of(path)
        return ModelIdentity(
            spec=self.spec(name_of(path, title)),
            kind=ModelKind.LANGUAGE_MODEL,
            revision=sum_of(path)[:16],
            form=ModelForm.CHAT if head.template else ModelForm.BASE,
            details={
                "file": title or path.name,
                "sha256": sum_of(path),
                "number_format": head.number_format,
                "parameters": head.parameters,
                "licence": head.said.get("general.license"),
                "model_type": head.architecture,
                "context": head.own("context_length"),
                "libraries": libraries(),
            },
        )

    def choices(self, looking: ModelQuery) -> Sequence[ModelChoice]:
        """Directories to be offered, models fetched from the hub, and files found here."""
        directories = dict.fromkeys((*looking.directories, *fetched_directories()))
        fetched = {only_file(path) for path in directories}
        found = (file for file in found_files() if file.path not in fetched)
        return (*map(self._choice, directories), *map(self._found, found))

    def short_name(self, name: str) -> str:
        """The name of the directory or GGUF file, without the path and the file's digest."""
        last = PurePath(name).name
        stem, ending, digest = last.partition(".gguf")
        return (stem if ending and digest[:1] in {"", "#"} else last) or self.spec(name)

    def _found(self, file: FoundFile) -> ModelChoice:
        """A file as it is offered: its head is read, none of its weights."""
        name = PACKAGE_MODEL if file.path == package_file() else str(file.path)
        name = known_name(file.path, title_of(file.path)) or name if name != PACKAGE_MODEL else name
        try:
            head = read_head(file.path)
        except ModelError as error:
            return ModelChoice(self.spec(name), file.title, self.kind, "", False, str(error))
        how = "answers in turns" if head.template else "continues text"
        tried = ARCHITECTURES[head.architecture]
        return ModelChoice(
            self.spec(name),
            file.title,
            self.kind,
            f"A {head.architecture} model that {how}, found {file.place}; {needs(head)}."
            + ("" if tried else " No model of this architecture was measured with BiasLab."),
            ready=True,
        )

    def _choice(self, directory: Path) -> ModelChoice:
        spec, label = self.spec(str(directory)), directory.name
        if file := only_file(directory):
            return replace(self._found(FoundFile(file, file.stem, "next to your runs")), spec=spec)
        try:
            found = inspect_directory(directory)
        except ModelError as error:
            return ModelChoice(spec, label, self.kind, str(directory), False, str(error))
        spec = self.spec(found.known_name() or str(directory))
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
    return replace(identity, revision=f"{identity.revision}-{mark(dtype)}")


PROVIDER = LocalProvider()
