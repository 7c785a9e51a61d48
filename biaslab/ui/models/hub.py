"""Small language models from the hub: a button each, and downloads that outlive page and app.

A download is `biaslab fetch-model`. Beside the model's directory stand which process it is and
what it wrote, so every page and every start of the app knows of it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import streamlit as st

from biaslab.models.local.hub import HubModel, gigabytes, hub_directory, hub_list, read_record
from biaslab.models.local.hub_download import FetchError, hub_address
from biaslab.models.local.provider import local_spec
from biaslab.system.processes import detach, host, is_running
from biaslab.system.roles import May, require
from biaslab.ui.compose.design_form import asked_of
from biaslab.ui.navigation import COMPOSE, link
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.cards import live
from biaslab.ui.widgets.words import plain, shown_errors

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


def draw_hub() -> None:
    """Draws it for the person at this computer, whose disk and network it uses."""
    if not visitor.may(May.TRAIN):
        return
    running = any(each.running for each in _states())
    with st.expander("A small language model from the hub", expanded=running), shown_errors():
        host = plain(urlsplit(hub_address()).netloc)
        st.caption(
            f"Openly licensed models, as of {hub_list().date}, from {host}. Nothing is downloaded "
            "before you click. Sizes of directories are estimated from the number of parameters. "
            "Models that we measured with BiasLab say so."
        )
        if running:
            live(_draw_all)
        else:
            # What draws itself again by the clock would disturb whoever types in the form beside.
            _draw_all()


def _states() -> list[Fetching]:
    return [look(model) for model in hub_list().models]


def _draw_all() -> bool:
    """All models of the list; whether one is being downloaded."""
    states = _states()
    known = {choice.spec for choice in queries.models()}
    if any(each.complete and each.spec not in known for each in states):
        queries.models.clear()
    for state in states:
        with st.container(border=True):
            _draw(state)
    return any(state.running for state in states)


def _draw(state: Fetching) -> None:
    model = state.model
    st.markdown(f"**{plain(model.name)}**")
    st.caption(
        f"{plain(model.licence)} · about {gigabytes(model.download_bytes)} to download · about "
        f"{gigabytes(model.memory_bytes)} of memory · {plain(model.expect)}"
    )
    if state.complete:
        link(COMPOSE, "Ask this model", asked_of(state.spec))
        return
    if state.running:
        draw_progress(state)
        return
    if state.error:
        st.error(plain(state.error), icon=":material/error:")
    begun = state.here > 0
    if begun:
        st.caption(f"{gigabytes(state.here)} of {gigabytes(state.total)} are here already.")
    st.button(
        "Go on" if begun else "Download",
        key=f"fetch {model.repository}",
        icon=":material/download:",
        on_click=_start,
        args=(model,),
    )


def draw_progress(state: Fetching) -> None:
    """How far a download is, with a button that stops it."""
    if state.total:
        share = min(state.here / state.total, 1.0)
        st.progress(share, f"{gigabytes(state.here)} of {gigabytes(state.total)}")
    else:
        st.progress(0.0, "Asking the hub …")
    st.caption("It continues if you leave this page.")
    st.button(
        "Stop",
        key=f"stop {state.model.repository}",
        icon=":material/stop_circle:",
        on_click=_stop,
        args=(state.model,),
    )


def _start(model: HubModel) -> None:
    if visitor.may(May.TRAIN):
        with shown_errors():
            start(model)


def _stop(model: HubModel) -> None:
    if visitor.may(May.TRAIN):
        stop(model)
