"""Screens as a person sees them: Streamlit's own test runner over a real file of runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from biaslab.models import (
    Access,
    Completion,
    Endpoint,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    ModelForm,
    ModelIdentity,
    ModelKind,
    ModelNotFound,
    Sampling,
    identify,
)
from biaslab.models.prices import Price
from biaslab.models.server.capabilities import Capabilities, EndpointReport, Seed
from biaslab.runs import Connection, RunOptions, Store, open_store, prepare, remember, run_here
from biaslab.runs.engine.sources import Sources
from biaslab.studies import Design, experiment
from biaslab.studies.strategies import AS_BEFORE
from biaslab.training.origins.predictions import judge
from biaslab.ui.training import demo
from schoolmath.malrules.classes import make_quiz
from tests.conftest import DEADLINE

_ESCAPED = re.compile(r"\\([^a-zA-Z0-9\s])")

ROOT = Path(__file__).resolve().parents[2]
MAIN = ROOT / "biaslab" / "ui" / "main.py"

HOSTILE = 'The answer is $15$ <script>alert("x")</script> **bold** [link](http://a.example) {'
"""What a model may write to do mischief on a page that takes it for markup."""


@dataclass(frozen=True)
class Asked:
    """A file of runs and the runs in it."""

    path: Path
    keyword: str
    shy: str
    step_by_step: str
    comparer: str
    hostile: str


class SimulatedWriter:
    """A simulated model that always writes the same text."""

    def __init__(self, text: str, fails: bool = False) -> None:
        self._text = text
        self._fails = fails

    @property
    def identity(self) -> ModelIdentity:
        return ModelIdentity("local:/models/writer", ModelKind.LANGUAGE_MODEL, "1", ModelForm.CHAT)

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        for index, _ in enumerate(requests):
            if self._fails and index % 2:
                yield index, Failure("The server in room_1 did not answer.", retryable=False)
            else:
                yield index, Completion(self._text, "length", 10, 20, 0.1)

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        raise NotImplementedError(requests)


def ask(store: Store, study: str, n: int, steps: str, model: str, strategy: str = "direct") -> str:
    """A run of a simulated learner, done."""
    settings = {"steps": steps} if steps else {}
    run = prepare(store, Design(study, n, 1, settings), model, strategy)
    run_here(store, run)
    return run


def ask_writer(store: Store, text: str, fails: bool = False) -> str:
    """A run of a simulated model that always writes the same, or fails every other time."""
    model = SimulatedWriter(text, fails)
    sources = Sources(experiment, lambda *_: model.identity, lambda *_: model)
    options = RunOptions(length=AS_BEFORE)
    design = Design("consistency", 3, 1)
    run = prepare(store, design, "local:x", "direct", options=options, sources=sources)
    run_here(store, run, sources=sources)
    return run


class SimulatedServer:
    """A simulated model on a server, which answers as told; no request leaves this process.

    Args:
        access: how it would be reached.
        answers: what it gives one after the other, over and over again: a completion, or a
            failure.
    """

    def __init__(self, access: Access, answers: Sequence[Completion | Failure]) -> None:
        self._access = access
        self._answers = cycle(answers)

    @property
    def identity(self) -> ModelIdentity:
        return identify("openai:small", access=self._access)

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        for index, _ in enumerate(requests):
            yield index, next(self._answers)

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        raise NotImplementedError(requests)


SERVER = Access(("http://localhost:8000/v1",), Endpoint.CHAT, "small")
"""Where nothing is: pages ask no server."""

ANSWER = Completion("15", "stop", 60, 10, 0.2, served="small-2026-08")


def ask_server(
    store: Store,
    answers: Sequence[Completion | Failure] = (ANSWER,),
    options: RunOptions | None = None,
    sampling: Sampling | None = None,
    n: int = 5,
    seed: int = 1,
) -> str:
    """A run of a simulated server's model, as far as it goes."""
    options = options or RunOptions(access=SERVER)
    model = SimulatedServer(options.access, answers)
    sources = Sources(experiment, lambda *_: model.identity, lambda *_: model)
    design = Design("consistency", n, seed, {"steps": "1-2"})
    run = prepare(
        store, design, "openai:small", "direct", sampling, options=options, sources=sources
    )
    run_here(store, run, sources=sources, pauses=())
    return run


def connect(
    store: Store,
    access: Access = SERVER,
    price: Price | None = None,
    name: str = "small",
    seed: Seed = Seed.REPEATS,
    cold: bool = True,
) -> None:
    """Writes a server down as if it had been tested."""
    found = EndpointReport(Endpoint.CHAT, works=True, served=name, seed=seed, cold=cold)
    capabilities = Capabilities(
        name, access.base_urls, ok=True, endpoint=Endpoint.CHAT, served=name, found=(found,)
    )
    remember(store, Connection(f"openai:{name}", access, capabilities, price))


@pytest.fixture(scope="session")
def _asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    path = tmp_path_factory.mktemp("screens") / "runs.db"
    with open_store(path) as store:
        return Asked(
            path,
            hostile=ask_writer(store, HOSTILE),
            comparer=ask(store, "transfer-comparison", 20, "", "learner:comparer"),
            step_by_step=ask(store, "consistency", 20, "1-3", "learner:halfway", "cot"),
            shy=ask(store, "consistency", 40, "1-2", "learner:shy"),
            keyword=ask(store, "consistency", 40, "1-2", "learner:keyword"),
        )


@pytest.fixture(scope="session", autouse=True)
def _components_are_looked_for_once() -> Iterator[None]:
    """Streamlit looks through all installed packages for components in each app that is made."""
    found = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        yield


@pytest.fixture(scope="session", autouse=True)
def _what_never_changes_is_made_once() -> Iterator[None]:
    """What screens make of shipped data alone, which every test would else make anew."""
    with pytest.MonkeyPatch.context() as patch:
        for place, make in {
            "biaslab.ui.classroom.quiz.make_quiz": make_quiz,
            "biaslab.ui.training.origins.judge": judge,
        }.items():
            patch.setattr(place, cache(make))
        yield


@pytest.fixture(autouse=True)
def _the_main_module_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit puts the page that it runs in its place, and leaves it there.

    A process that another test spawns afterwards would run that page before it does its work.
    """
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def asked(_asked: Asked, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """A file with finished runs; tests that use it change nothing in it."""
    monkeypatch.setenv("BIASLAB_DB", str(_asked.path))
    return _asked


@pytest.fixture
def without_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer on which the files of the demo's models are missing."""

    def missing(spec: str) -> ModelIdentity:
        if spec in demo.MODELS:
            raise ModelNotFound("There is no tiny model here: train it.")
        return identify(spec)

    monkeypatch.setattr("biaslab.ui.training.demo.identify", missing)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that does not exist yet."""
    path = tmp_path / "new" / "runs.db"
    monkeypatch.setenv("BIASLAB_DB", str(path))
    return path


Visit = Callable[..., AppTest]


def turn_to(app: AppTest, name: str) -> AppTest:
    """The page of this name is the one that runs next: `AppTest.switch_page` knows files alone."""
    app._page_hash = calc_hash(name)
    return app


@pytest.fixture
def visit() -> Visit:
    """Opens a page as a link does."""

    def open_page(name: str, /, **address: str) -> AppTest:
        app = AppTest.from_file(str(MAIN), default_timeout=DEADLINE)
        if name != "home":
            turn_to(app, name)
        app.query_params.update(address)
        app.run()
        assert not app.exception, app.exception
        return app

    return open_page


def words(app: AppTest) -> str:
    """Everything on the page that is text or this project's own HTML, as a person reads it.

    What is folded or stands behind a question mark is read as well.
    """
    parts: list[str] = []
    for kind in ("title", "header", "subheader", "markdown", "caption", "text", "code"):
        parts += [str(element.value) for element in app.get(kind)]
        parts += [element.proto.help for element in app.get(kind) if hasattr(element.proto, "help")]
    for kind in ("selectbox", "button_group"):
        parts += [element.proto.help for element in app.get(kind)]
    for kind in ("error", "warning", "info", "success"):
        parts += [str(element.value) for element in app.get(kind)]
    parts += [element.proto.body for element in app.get("html")]
    return _ESCAPED.sub(r"\1", "\n".join(parts))


def links(app: AppTest) -> dict[str, str]:
    """The page's links to other pages, by label, with what they carry."""
    found = app.get("page_link")
    return {link.proto.label: f"{link.proto.page}?{link.proto.query_string}" for link in found}


def downloads(app: AppTest) -> list[str]:
    """Labels of the files that can be exported."""
    return [button.proto.label for button in app.get("download_button")]
