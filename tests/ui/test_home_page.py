"""Home: what this is, and a demo at one click."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.experiments import Design
from biaslab.models import ModelNotFound
from biaslab.runs import open_store, prepare, run_here
from biaslab.ui import demo as demos
from biaslab.ui import picture
from tests.ui.conftest import Visit, words


@pytest.fixture
def without_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer on which the tiny model's files are missing."""
    real = demos.identify

    def identify(spec: str) -> object:
        if spec == "tiny":
            raise ModelNotFound("There is no tiny model here: train it.")
        return real(spec)

    monkeypatch.setattr(demos, "identify", identify)


@pytest.mark.usefixtures("empty")
def test_the_demo_is_the_first_button(visit: Visit) -> None:
    app = visit("home")
    assert app.button[0].label == "Run the demo"
    assert app.button[0].proto.type == "primary"


@pytest.mark.usefixtures("empty", "without_tiny")
def test_without_the_tiny_model_the_demo_says_that_it_is_simulated(visit: Visit) -> None:
    app = visit("home")
    assert "simulated learner" in app.info[0].value
    assert "train it" in app.info[0].value


@pytest.mark.usefixtures("without_tiny")
def test_a_demo_that_was_run_offers_its_result_at_once(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        run = prepare(
            store, Design("consistency", 200, 1, {"steps": "1-3"}), "learner:keyword", "cot"
        )
        run_here(store, run)
    app = visit("home")
    assert "The demo has been run" in words(app)
    assert "100.0 % of the “consistent” problems right and 0.0 %" in words(app)
    assert [button.label for button in app.button] == ["See the result"]


@pytest.mark.usefixtures("without_tiny")
def test_a_demo_that_was_begun_can_go_on(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        prepare(store, Design("consistency", 200, 1, {"steps": "1-3"}), "learner:keyword", "cot")
    app = visit("home")
    assert [button.label for button in app.button] == ["Go on"]


@pytest.mark.usefixtures("without_tiny")
def test_another_run_of_the_same_study_is_not_the_demo(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        prepare(store, Design("consistency", 200, 2, {"steps": "1-3"}), "learner:keyword", "cot")
    app = visit("home")
    assert [button.label for button in app.button] == ["Run the demo"]


def test_the_picture_is_a_real_pair_with_one_sentence_changed() -> None:
    pair = picture.minimal_pair()
    ours, theirs = pair.x.facts["sentences"], pair.x_prime.facts["sentences"]
    assert sum(one != other for one, other in zip(ours, theirs, strict=True)) == 1
    assert pair.x.answer == pair.x_prime.answer


@pytest.mark.usefixtures("empty")
def test_privacy_and_ways_on_are_on_the_first_screen(visit: Visit) -> None:
    app = visit("home")
    assert "Everything stays on this computer" in words(app)
    ways = [link.proto.page for link in app.get("page_link")]
    assert ways == [
        "your_class", "your_problem", "compose", "effects", "malgorithms", "concepts", "biases",
        "guess", "runs",
    ]  # fmt: skip
