"""Where things are kept here, and where it is opened, unless a person says otherwise."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

DATABASE_VARIABLE = "BIASLAB_DB"
"""Environment variable that names another file of runs."""

MODELS_VARIABLE = "BIASLAB_MODELS"
"""Environment variable that names another directory of models trained here."""

HOSTS_VARIABLE = "BIASLAB_HOSTS"
"""Environment variable with further names under which the app is opened, between commas."""

FIRST_VARIABLE = "BIASLAB_FIRST"
"""Environment variable with the page that whoever started the app sees first."""

TINY_MODELS = Path(__file__).resolve().parents[1] / "assets" / "models"
"""Where the tiny models that come with the app are kept, a directory each."""


def default_database() -> Path:
    """The file named by BIASLAB_DB, else ``runs.db`` in the user's data directory."""
    named = _named(DATABASE_VARIABLE)
    return named or platformdirs.user_data_path("biaslab", appauthor=False) / "runs.db"


def custom_models() -> Path:
    """Where models that people train are kept, a directory each; it may not be there yet.

    The directory named by BIASLAB_MODELS, else ``models`` next to the file of runs.
    """
    return _named(MODELS_VARIABLE) or default_database().parent / "models"


def hub_models() -> Path:
    """Where models from the Hugging Face hub are kept, ``OWNER/MODEL``; it may not be there yet."""
    return beside_runs("hub-models")


def _named(variable: str) -> Path | None:
    named = os.environ.get(variable, "").strip()
    return Path(named).expanduser().absolute() if named else None


def beside_runs(name: str) -> Path:
    """A file of this computer's own, beside the file of runs; it may not be there yet."""
    return default_database().parent / name
