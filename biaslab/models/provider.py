"""From the text a person types to a model, and the list of models to choose from.

Nothing here imports torch or transformers until a local or tiny model is opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from biaslab.models.access import Access
from biaslab.models.errors import ModelError, UnknownModel, Unsupported
from biaslab.models.learner.model import LearnerModel
from biaslab.models.learner.named import LEARNERS
from biaslab.models.learner.solver import Learner
from biaslab.models.local.directory import find_directory, inspect_directory
from biaslab.models.requests import Model, ModelForm, ModelIdentity, ModelKind
from biaslab.models.server.model import ServerModel, identify_server
from biaslab.models.skills import WORD_PROBLEMS
from biaslab.models.tiny.model import (
    CARD_FILE,
    DEFAULT_NAME,
    TINY_MODELS,
    checkpoint_names,
    full_spec,
    identify_tiny,
    own_names,
    read_card,
    tiny_directory,
    tiny_names,
    tiny_spec,
)

DTYPES = ("float32", "bfloat16", "float16")
"""Number formats that weights can be loaded in; the first is the default and exact one."""

_OPENAI = Access()


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that a person can choose.

    Attributes:
        spec: what opens it.
        label: name on screens.
        kind: learner, tiny model or language model.
        explanation: one line for someone who does not know it.
        ready: whether it can be opened; why_not: a sentence where it cannot.
        own: whether it is a tiny model that was trained here and did not come with the app.
        checkpoint_of: spec of the tiny model that it is a copy of, from along its training;
            empty for every other model.
    """

    spec: str
    label: str
    kind: ModelKind
    explanation: str
    ready: bool
    why_not: str = ""
    own: bool = False
    checkpoint_of: str = ""


class _Named(NamedTuple):
    kind: ModelKind
    name: str
    served: bool = False


def open_model(
    spec: str,
    *,
    device: str | None = None,
    dtype: str = DTYPES[0],
    batch_tokens: int | None = None,
    download: bool = True,
    tiny_models: Path = TINY_MODELS,
    access: Access = _OPENAI,
) -> Model:
    """Opens the model that the text names.

    Args:
        spec: ``learner:NAME``, ``tiny:NAME`` (``tiny`` alone is the default one of them),
            ``local:DIRECTORY`` (also ``local:OWNER/MODEL``, a name on the Hugging Face hub), or
            ``openai:NAME``, a model on an OpenAI-compatible server.
        device: ``cpu``, ``cuda`` or ``cuda:N``; a GPU if there is one by default. Like all
            options but the spec, of no meaning to a learner or a server's model.
        dtype: one of `DTYPES`.
        batch_tokens: how many tokens are worked on at once; a default that suits the device.
        download: whether a hub model that is not on this machine yet is fetched.
        tiny_models: directory that holds the tiny models.
        access: how the servers of an ``openai:NAME`` are reached (nothing is sent to them yet),
            or the cluster that a local or tiny model is opened on.

    Raises:
        UnknownModel: the text names no model.
        ModelNotFound, BrokenModel: its files are missing or damaged.
        BadAddress: a base URL is no address of a server.
        Unsupported: torch or, for a cluster, Ray is not installed, or the device or dtype is not
            there.
        ModelError: the cluster cannot run the model; see `biaslab.models.cluster.model`.
    """
    identity = identify(
        spec, dtype=dtype, download=download, tiny_models=tiny_models, access=access
    )
    named = _parse(spec)
    if named.kind is ModelKind.LEARNER:
        return LearnerModel(_learner(named.name))
    if named.served:
        return ServerModel(named.name, access)
    if named.kind is ModelKind.TINY:
        path = tiny_directory(named.name, tiny_models)
    else:
        path = find_directory(named.name, download=False)
    if access.cluster:
        from biaslab.models.cluster.model import open_on_cluster

        return open_on_cluster(
            identity, access, opener=open_model, path=path, tiny_models=tiny_models,
            device=device, dtype=dtype, batch_tokens=batch_tokens,
        )  # fmt: skip
    try:
        from biaslab.models.local.model import LocalModel
    except ImportError as error:
        raise Unsupported(
            f"Opening “{spec}” needs the packages torch and transformers, and {error.name} is not "
            "installed: run `pip install -r requirements.txt`."
        ) from error
    return LocalModel(path, identity, device=device, dtype=dtype, batch_tokens=batch_tokens)


def identify(
    spec: str,
    *,
    dtype: str = DTYPES[0],
    download: bool = False,
    tiny_models: Path = TINY_MODELS,
    access: Access = _OPENAI,
) -> ModelIdentity:
    """Which model the text names, without loading weights: safe and quick in a server.

    Takes what `open_model` takes, but fetches nothing unless told to.

    Raises:
        UnknownModel, ModelNotFound, BrokenModel, BadAddress: as for `open_model`.
        Unsupported: there is no such dtype.
    """
    if dtype not in DTYPES:
        raise Unsupported(f"There is no number format “{dtype}”: choose {', '.join(DTYPES)}.")
    named = _parse(spec)
    if named.kind is ModelKind.LEARNER:
        return LearnerModel(_learner(named.name)).identity
    if named.served:
        return identify_server(named.name, access)
    if named.kind is ModelKind.TINY:
        identity = identify_tiny(named.name, tiny_models)
    else:
        identity = _identify_local(named.name, download)
    if dtype == DTYPES[0]:
        return identity
    return replace(identity, revision=f"{identity.revision}-{dtype}")


def list_models(
    directories: Sequence[Path] = (),
    *,
    tiny_models: Path = TINY_MODELS,
    checkpoints: bool = False,
) -> list[ModelChoice]:
    """Models to choose from: tiny ones, simulated learners and local directories.

    Tiny models that come with the app stand before those that were trained here.

    Args:
        directories: directories of language models to be offered as well.
        tiny_models: directory that holds the tiny models that come with the app.
        checkpoints: whether copies along training are listed as well, each after its model.
            They can be opened all the same; a list to choose from would be flooded by them.
    """
    choices = []
    for name, own in (
        *((name, False) for name in _offered_tiny(tiny_models)),
        *((name, True) for name in own_names(tiny_models)),
    ):
        choices.append(_tiny_choice(name, tiny_models, own=own))
        if checkpoints:
            choices += _checkpoints(name, tiny_models, own=own)
    choices += [
        ModelChoice(
            f"learner:{learner.name}",
            learner.label,
            ModelKind.LEARNER,
            learner.explanation,
            ready=True,
        )
        for learner in LEARNERS
    ]
    return choices + [_local_choice(directory) for directory in directories]


def _offered_tiny(tiny_models: Path) -> tuple[str, ...]:
    there = tiny_names(tiny_models)
    return there if DEFAULT_NAME in there else (DEFAULT_NAME, *there)


def _checkpoints(name: str, tiny_models: Path, *, own: bool) -> list[ModelChoice]:
    try:
        copies = checkpoint_names(name, tiny_models)
    except ModelError:
        return []
    return [_tiny_choice(copy, tiny_models, own=own, of=tiny_spec(name)) for copy in copies]


def _tiny_choice(name: str, tiny_models: Path, *, own: bool, of: str = "") -> ModelChoice:
    label = f"Tiny model “{name}”"
    explanation = "A very small transformer that this project trained on its own problems."
    why_not = ""
    try:
        card = read_card(tiny_directory(name, tiny_models))
        label, explanation = card.label, card.explanation
        identify_tiny(name, tiny_models)
    except ModelError as error:
        why_not = str(error)
    return ModelChoice(
        tiny_spec(name), label, ModelKind.TINY, explanation, not why_not, why_not, own, of
    )


def _local_choice(directory: Path) -> ModelChoice:
    spec = f"local:{directory}"
    label = directory.name
    try:
        found = inspect_directory(directory)
    except ModelError as error:
        return ModelChoice(spec, label, ModelKind.LANGUAGE_MODEL, str(directory), False, str(error))
    if (directory / CARD_FILE).exists():
        try:
            card = read_card(directory)
        except ModelError as error:
            return ModelChoice(spec, label, ModelKind.TINY, str(directory), False, str(error))
        return ModelChoice(spec, card.label, ModelKind.TINY, card.explanation, ready=True)
    how = "answers in turns" if found.form is ModelForm.CHAT else "continues text"
    explanation = f"A {found.config.get('model_type', 'language')} model that {how}."
    return ModelChoice(spec, label, ModelKind.LANGUAGE_MODEL, explanation, ready=True)


def _identify_local(name: str, download: bool) -> ModelIdentity:
    path = find_directory(name, download=download)
    directory = inspect_directory(path)
    config = directory.config
    given = Path(name).expanduser()
    spec = f"local:{given.resolve() if given.is_dir() else name}"
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
    return ModelIdentity(
        spec=spec,
        kind=ModelKind.LANGUAGE_MODEL,
        revision=directory.revision,
        form=directory.form,
        details={
            "directory": str(path),
            "model_type": config.get("model_type"),
            "context": config.get("max_position_embeddings", config.get("n_positions")),
        },
    )


def _parse(spec: str) -> _Named:
    prefix, _, name = full_spec(spec).partition(":")
    if prefix == "tiny" and name:
        return _Named(ModelKind.TINY, name)
    if prefix == "learner" and name:
        return _Named(ModelKind.LEARNER, _learner(name).name)
    if prefix == "local" and name:
        return _Named(ModelKind.LANGUAGE_MODEL, name)
    if prefix == "openai" and name.strip():
        return _Named(ModelKind.LANGUAGE_MODEL, name.strip(), served=True)
    raise UnknownModel(_no_such_model(spec.strip()))


def _no_such_model(spec: str) -> str:
    if not spec:
        return "No model was named: give tiny, learner:NAME, local:DIRECTORY or openai:NAME."
    if Path(spec).expanduser().is_dir():
        return f"“{spec}” names no model: write local:{spec} for the model in that directory."
    known = [
        "tiny",
        "learner",
        "local",
        "openai",
        *(f"learner:{learner.name}" for learner in LEARNERS),
    ]
    names = {learner.name: f"learner:{learner.name}" for learner in LEARNERS}
    near = get_close_matches(spec, [*known, *names], n=1, cutoff=0.5)
    meant = f" Did you mean {names.get(near[0], near[0])}?" if near else ""
    return (
        f"“{spec}” names no model: give tiny, learner:NAME, local:DIRECTORY or openai:NAME.{meant}"
    )


def _learner(name: str) -> Learner:
    by_name = {learner.name: learner for learner in LEARNERS}
    if name in by_name:
        return by_name[name]
    near = [known for known in by_name if name.lower() in known]
    near = near or get_close_matches(name, by_name, n=1, cutoff=0.5)
    meant = f"did you mean learner:{near[0]}? There are" if near else "there are"
    raise UnknownModel(f"There is no learner “{name}”: {meant} {', '.join(by_name)}.")
