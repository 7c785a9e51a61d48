"""From the text that names a model to the model: where such a text is taken apart.

A spec is a prefix, a colon and a name: ``tiny:NAME`` (``tiny`` alone is the default one of them),
``learner:NAME``, ``local:DIRECTORY`` (also ``local:OWNER/MODEL``, a name on the Hugging Face hub),
``adapter:NAME``, a model of this computer with something taught, ``openai:NAME``, a model on an
OpenAI-compatible server, and what other packages add. The prefix tells the provider, who knows
everything else.

Nothing here imports torch or transformers until a local or tiny model is opened.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import pkgutil
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from biaslab.models.counting import LengthCounter, MeasuredRatio, TokenCounter
from biaslab.models.provider import (
    AUTO,
    DTYPES,
    Access,
    AnswerSource,
    ModelChoice,
    ModelQuery,
    Opening,
    Provider,
)
from biaslab.models.requests import (
    Model,
    ModelIdentity,
    ModelKind,
    Skill,
    UnknownModel,
    Unsupported,
)
from biaslab.system.places import TINY_MODELS

# Finding the kinds of models. A folder of this package whose module ``provider`` offers
# ``PROVIDER`` is one. Another package adds one by an entry point of the group ``biaslab.models``
# that names its `Provider`; as every process finds it there, the process of a run does too.


GROUP = "biaslab.models"
"""Group of the entry points by which other packages add kinds of models."""

_ORDER = ("tiny", "learner", "local", "adapter", "openai")
"""In which the kinds are told to people; those of other packages follow."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Registry:
    """The kinds of models that there are.

    Attributes:
        providers: by prefix, in the order in which they are told.
        refused: why a kind that a package adds cannot be used, by the name of its entry point.
    """

    providers: Mapping[str, Provider]
    refused: Mapping[str, str]


@cache
def registry() -> Registry:
    """All kinds of models, looked for once in a process."""
    found = {provider.prefix: provider for provider in _shipped()}
    refused: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        try:
            provider = point.load()
        except Exception as error:  # a package of others may raise anything
            refused[point.name] = f"{point.value} cannot be loaded ({error})"
            _log.warning("The kind of model “%s” cannot be used.", point.name, exc_info=True)
            continue
        if reason := _why_refused(provider, found):
            refused[point.name] = f"{point.value} {reason}"
            _log.warning("The kind of model “%s” cannot be used: %s.", point.name, reason)
        else:
            found[provider.prefix] = provider
    places = {prefix: place for place, prefix in enumerate(_ORDER)}
    ordered = sorted(found, key=lambda prefix: places.get(prefix, len(places)))
    return Registry({prefix: found[prefix] for prefix in ordered}, refused)


def _shipped() -> list[Provider]:
    """The kinds that come with BiasLab."""
    package = importlib.import_module("biaslab.models")
    names = [
        f"{folder.name}.provider"
        for folder in pkgutil.iter_modules(package.__path__, "biaslab.models.")
        if folder.ispkg and importlib.util.find_spec(f"{folder.name}.provider") is not None
    ]
    return [importlib.import_module(name).PROVIDER for name in names]


def _why_refused(provider: object, providers: Mapping[str, Provider]) -> str:
    """Why what a package adds is no further kind, the end of a sentence; empty where it is."""
    if not isinstance(provider, Provider):
        return "is no biaslab.models.Provider"
    if not provider.prefix.isidentifier():
        return f"has the prefix “{provider.prefix}”, and one is a word without spaces or colons"
    if provider.prefix in providers:
        return f"has the prefix “{provider.prefix}”, which another kind of model has"
    return ""


_OPENAI = Access()


@dataclass(frozen=True, slots=True)
class Spec:
    """What names a model, taken apart.

    Attributes:
        text: with the model's name in full; equal texts name the same model.
        prefix: before the colon; empty where there is none.
        name: after it.
        provider: whose prefix it is; None where nobody has it, as in a file of runs from a
            computer with a kind of model that this one lacks.
    """

    text: str
    prefix: str
    name: str
    provider: Provider | None

    def __str__(self) -> str:
        return self.text

    @property
    def kind(self) -> ModelKind:
        """Of such models, before more is known; one that nobody provides is a language model."""
        return ModelKind.LANGUAGE_MODEL if self.provider is None else self.provider.kind

    @property
    def served(self) -> bool:
        """Whether the model is on a server."""
        return self.provider is not None and self.provider.source is AnswerSource.SERVER

    @property
    def has_weights(self) -> bool:
        """Whether the model is opened from files where the run is."""
        return self.provider is not None and self.provider.source is AnswerSource.WEIGHTS

    @property
    def short_name(self) -> str:
        """What the model is called where its label is not known."""
        if self.provider is None or not self.name:
            return self.text
        return self.provider.short_name(self.name)


def read_spec(text: str) -> Spec:
    """Takes a text apart, whatever it says: nothing is looked up.

    Args:
        text: as typed or as written in a file; space around it does not count.
    """
    text = text.strip()
    prefix, colon, name = text.partition(":")
    provider = registry().providers.get(prefix)
    if provider is not None and not colon and provider.default:
        return Spec(provider.spec(provider.default), prefix, provider.default, provider)
    return Spec(text, prefix, name, provider) if colon else Spec(text, "", text, None)


def full_spec(text: str) -> str:
    """What opens the same model, with its name in full where the text is a short name for it."""
    return read_spec(text).text


def forms(source: AnswerSource | None = None, kind: ModelKind | None = None) -> str:
    """How specs are written, for people: “tiny or local:DIRECTORY”.

    Args:
        source: of the kinds of models that are told; None: of all.
        kind: the same.
    """
    told = [
        provider.form for provider in registry().providers.values()
        if source in (None, provider.source) and kind in (None, provider.kind)
    ]  # fmt: skip
    return " or ".join(filter(None, (", ".join(told[:-1]), told[-1])))


def able(skill: Skill) -> tuple[str, ...]:
    """Specs that are suggested to people who look for a model with this skill."""
    return tuple(
        spec for provider in registry().providers.values() for spec in provider.able(skill)
    )


def open_model(
    spec: str,
    *,
    device: str | None = None,
    dtype: str | None = None,
    batch_tokens: int | None = None,
    download: bool = True,
    tiny_models: Path = TINY_MODELS,
    access: Access = _OPENAI,
) -> Model:
    """Opens the model that the text names.

    Args:
        spec: as at the top of this module.
        device: ``cpu``, ``cuda`` or ``cuda:N``; a GPU if there is one by default. Like all
            options but the spec, of no meaning to a learner or a server's model.
        dtype: one of `DTYPES`, or `AUTO`; None: as ``access`` says.
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
        ModelError: the cluster cannot run the model; see `biaslab.models.cluster`.
    """
    how = Opening(access, device, dtype or access.dtype, batch_tokens, download, tiny_models)
    provider, name = _checked(spec, how)
    return provider.open(name, how)


def identify(
    spec: str,
    *,
    dtype: str | None = None,
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
    how = Opening(access, dtype=dtype or access.dtype, download=download, tiny_models=tiny_models)
    provider, name = _checked(spec, how)
    return provider.identify(name, how)


def list_models(
    directories: Sequence[Path] = (),
    *,
    tiny_models: Path = TINY_MODELS,
    checkpoints: bool = False,
) -> list[ModelChoice]:
    """Models to choose from: tiny ones, simulated learners, local directories, others' kinds.

    Tiny models that come with the app stand before those that were trained here.

    Args:
        directories: directories of language models to be offered as well.
        tiny_models: directory that holds the tiny models that come with the app.
        checkpoints: whether copies along training are listed as well, each after its model.
            They can be opened all the same; a list to choose from would be flooded by them.
    """
    looking = ModelQuery(directories, tiny_models, checkpoints)
    return [
        choice for provider in registry().providers.values() for choice in provider.choices(looking)
    ]


def token_counter(
    spec: str, *, measured: MeasuredRatio | None = None, tiny_models: Path = TINY_MODELS
) -> TokenCounter:
    """The best way there is here to count the tokens of requests to a model.

    Args:
        spec: as in `open_model`.
        measured: what is known of a model whose tokenizer is not here.
        tiny_models: directory that holds the tiny models.

    Raises:
        ModelNotFound, BrokenModel: a local model is not there, or its tokenizer is damaged.
    """
    named = read_spec(spec)
    if named.provider is None:
        return LengthCounter(measured)
    return named.provider.counter(named.name, measured, tiny_models)


def parse(text: str) -> Spec:
    """Takes a text apart that is to name a model.

    Raises:
        UnknownModel: it names none; the nearest name is suggested.
    """
    spec = read_spec(text)
    if spec.provider is None or not spec.name:
        raise UnknownModel(_no_such_model(text.strip()))
    name = spec.provider.check(spec.name)
    return replace(spec, text=spec.provider.spec(name), name=name)


def _checked(text: str, how: Opening) -> tuple[Provider, str]:
    """Who provides the model and what it is called there."""
    if how.dtype not in (AUTO, *DTYPES):
        raise Unsupported(
            f"There is no number format “{how.dtype}”: choose {', '.join((AUTO, *DTYPES))}."
        )
    spec = parse(text)
    assert spec.provider is not None
    return spec.provider, spec.name


def _no_such_model(text: str) -> str:
    if not text:
        return f"No model was named: give {forms()}."
    if Path(text).expanduser().is_dir():
        return f"“{text}” names no model: write local:{text} for the model in that directory."
    providers, refused = registry().providers, registry().refused
    if reason := refused.get(text.partition(":")[0]):
        return f"“{text}” cannot be opened: {reason}. Repair or update the package that adds it."
    by_name = {
        name: provider.spec(name) for provider in providers.values() for name in provider.names()
    }
    near = get_close_matches(text, [*providers, *by_name.values(), *by_name], n=1, cutoff=0.5)
    meant = f" Did you mean {by_name.get(near[0], near[0])}?" if near else ""
    return f"“{text}” names no model: give {forms()}.{meant}"


_WEIGHTS = re.compile(r"(?<![a-z\d.])(\d{1,4}(?:\.\d{1,3})?)([bm])(?![a-z\d])", re.IGNORECASE)


def weights_in_name(spec: str) -> float | None:
    """How many weights a model says that it has by its name, as in “Qwen2.5-0.5B-Instruct”.

    Returns:
        None where its name says nothing, or two numbers, as a mixture of experts does.
    """
    name = spec.rpartition("/")[2] or spec
    found = {float(n) * (1e9 if unit in "bB" else 1e6) for n, unit in _WEIGHTS.findall(name)}
    return found.pop() if len(found) == 1 else None
