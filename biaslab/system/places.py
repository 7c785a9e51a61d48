"""Where things are kept here, and where it is opened, unless a person says otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterable
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

RECORDED_VARIABLE = "BIASLAB_RECORDED"
"""Environment variable that names another gallery of recorded runs; a folder that is not there is
an empty one."""

TINY_MODELS = Path(__file__).resolve().parents[2] / "assets" / "models"
"""Where the tiny models that come with the app are kept, a directory each."""


def default_database() -> Path:
    """The file named by BIASLAB_DB, else ``runs.db`` in the user's data directory."""
    return _named(DATABASE_VARIABLE) or _custom_folder() / "runs.db"


def custom_models() -> Path:
    """Where models that people train are kept, a directory each; it may not be there yet.

    The directory named by BIASLAB_MODELS, else ``models`` next to the file of runs.
    """
    return _named(MODELS_VARIABLE) or default_database().parent / "models"


def hub_models() -> Path:
    """Where models from the Hugging Face hub are kept, ``OWNER/MODEL``; it may not be there yet."""
    return beside_runs("hub-models")


def recorded_runs() -> Path:
    """The folder of the gallery of recorded runs; it may not be there."""
    return _named(RECORDED_VARIABLE) or TINY_MODELS.parent / "recorded"


def _named(variable: str) -> Path | None:
    named = os.environ.get(variable, "").strip()
    return Path(named).expanduser().absolute() if named else None


def beside_runs(name: str) -> Path:
    """A file of this computer's own, beside the file of runs; it may not be there yet."""
    return default_database().parent / name


def opened(port: int) -> Path:
    """The file with the addresses of an app that is open on a port, for its owner's eyes."""
    return beside_runs(f"opened-{port}.json")


def all_opened(database: Path) -> Iterable[Path]:
    """The files of all apps that were opened with a file of runs, each as `opened`."""
    return sorted(database.parent.glob("opened-*.json"))


def make_private(folder: Path) -> None:
    """Makes a folder that is not there, and lets nobody but its owner into it.

    One that is there stays as it is, since others may share it, but for the one that BiasLab makes
    of itself: earlier versions let everybody in.

    Raises:
        OSError: it cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder == _custom_folder() and folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def write_private(path: Path, text: str) -> None:
    """Writes a file that nobody but its owner reads, at once and as a whole.

    Raises:
        OSError: it cannot be written.
    """
    make_private(path.parent)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    writing = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(writing, "w", encoding="utf-8") as file:  # noqa: PTH123 - opened for us alone
        file.write(text)
    part.replace(path)


def _custom_folder() -> Path:
    return platformdirs.user_data_path("biaslab", appauthor=False)
