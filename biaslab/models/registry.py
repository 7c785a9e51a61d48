"""Finding the kinds of models: folders of this package, and packages that add one.

A folder here whose module ``provider`` offers ``PROVIDER`` is a kind. Another package adds one by
an entry point of the group ``biaslab.models`` that names its `Provider`; as every process finds
it there, the process of a run does too.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

from biaslab.models.provider import Provider

GROUP = "biaslab.models"
"""Group of the entry points by which other packages add kinds of models."""

_ORDER = ("tiny", "learner", "local", "openai")
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


def _why_refused(provider: object, found: Mapping[str, Provider]) -> str:
    """Why what a package adds is no further kind, the end of a sentence; empty where it is."""
    if not isinstance(provider, Provider):
        return "is no biaslab.models.Provider"
    if not provider.prefix.isidentifier():
        return f"has the prefix “{provider.prefix}”, and one is a word without spaces or colons"
    if provider.prefix in found:
        return f"has the prefix “{provider.prefix}”, which another kind of model has"
    return ""
