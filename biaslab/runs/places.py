"""Where the file of runs is kept unless a person says otherwise."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

DATABASE_VARIABLE = "BIASLAB_DB"
"""Environment variable that names another file."""


def default_database() -> Path:
    """The file named by BIASLAB_DB, else ``runs.db`` in the user's data directory."""
    named = os.environ.get(DATABASE_VARIABLE, "").strip()
    if named:
        return Path(named).expanduser().absolute()
    return platformdirs.user_data_path("biaslab", appauthor=False) / "runs.db"
