"""Downloads in processes of their own, which outlive the page, the tab and the app.

A download is `biaslab fetch-model`. Beside the model's directory stand which process it is and
what it wrote, so every page and every start of the app knows of it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from biaslab.models.local.hub import HubModel, hub_directory, read_record
from biaslab.models.local.hub_download import FetchError
from biaslab.models.local.provider import local_spec
from biaslab.system.processes import detach, host, is_running
from biaslab.system.roles import May, require

_ERROR = "Error: "
"""What a command writes before the sentence with which it ends."""

_MOST_LOG = 1 << 16


@dataclass(frozen=True, slots=True)
class Fetching:
    """How far a model of the hub is.

    Attributes:
        model: of the list.
        running: whether a process downloads it.
        complete: whether it can be asked.
        here: bytes that are here; total: of so many, 0 where that is not known yet.
        error: the sentence with which the last download ended, else empty.
    """

    model: HubModel
    running: bool
    complete: bool
    here: int
    total: int
    error: str

    @property
    def spec(self) -> str:
        """What opens it."""
        return local_spec(hub_directory(self.model.repository))


def look(model: HubModel) -> Fetching:
    """How far a model is; asks the disk alone."""
    directory = hub_directory(model.repository)
    running = _process(directory) is not None
    record = read_record(directory)
    complete = record is not None and record.complete
    return Fetching(
        model,
        running,
        complete and not running,
        0 if record is None else record.here(directory),
        0 if record is None else record.size,
        "" if running or complete else _why_ended(directory),
    )


def start(model: HubModel) -> None:
    """Starts a download or goes on with it; nothing where one runs.

    Raises:
        NotAllowed: whoever acts may not do this.
        FetchError: its files cannot be written, or no process started.
    """
    require(May.TRAIN)
    directory = hub_directory(model.repository)
    if _process(directory) is not None:
        return
    try:
        _log(directory).unlink(missing_ok=True)
        pid = detach("biaslab", ["fetch-model", model.repository], _log(directory))
        began = 0.0
        with suppress(psutil.Error):
            began = psutil.Process(pid).create_time()
        noted = json.dumps({"host": host(), "pid": pid, "began": began})
        _note(directory).write_text(noted, encoding="utf-8")
    except OSError as error:
        raise FetchError(
            f"The download cannot be started in {directory.parent} ({error.strerror or error}): "
            "check that the directory may be written to."
        ) from error


def stop(model: HubModel) -> None:
    """Ends a download; what is here is kept, and it can be gone on with.

    Raises:
        NotAllowed: whoever acts may not do this.
    """
    require(May.TRAIN)
    pid = _process(hub_directory(model.repository))
    if pid is not None:
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            process.terminate()
            process.wait(5)


def _process(directory: Path) -> int | None:
    """The number of the process that downloads it now."""
    try:
        said = json.loads(_note(directory).read_text(encoding="utf-8"))
        alive = is_running(said["host"], said["pid"], said["began"])
        return int(said["pid"]) if alive else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _why_ended(directory: Path) -> str:
    try:
        with _log(directory).open("rb") as file:
            lines = file.read(_MOST_LOG).decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    said = [line.removeprefix(_ERROR) for line in lines if line.startswith(_ERROR)]
    return said[-1] if said else ""


def _note(directory: Path) -> Path:
    return directory.with_name(f"{directory.name}.fetching.json")


def _log(directory: Path) -> Path:
    return directory.with_name(f"{directory.name}.fetching.log")
