"""Loads every module that holds forms and rules."""

from __future__ import annotations

import importlib
import pkgutil

import biaslab.malrules.catalogue as shelves


def load() -> None:
    """Imports all modules of `biaslab.malrules.catalogue`."""
    for module in pkgutil.iter_modules(shelves.__path__):
        importlib.import_module(f"{shelves.__name__}.{module.name}")
