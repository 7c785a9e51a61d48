"""Home: what this is, and a demo at one click."""

from __future__ import annotations

from pathlib import Path

import pytest

from biaslab.keeping.word_problems.demonstration import DESIGN, STRATEGY, example, pair_of
from biaslab.roles import Role
from biaslab.runs import open_store, prepare, run_here
from biaslab.ui.demo import starting as demos
from biaslab.ui.navigation import DOORS
from biaslab.ui.widgets import visitor
from tests.ui.conftest import Visit, links, words


@pytest.mark.usefixtures("empty")
def test_the_demo_is_the_first_button(visit: Visit) -> None:
    app = visit("home")
    assert app.button[0].label == "Run the demo"
    assert app.button[0].proto.type == "primary"


@pytest.mark.usefixtures("empty")
def test_the_picture_is_a_stored_pair_with_what_the_model_wrote(visit: Visit) -> None:
    found = example()
    pair = pair_of(found.number)
    shown = words(visit("home"))
    misled = found.answers[0]
    for given in (misled.x, misled.x_prime):
        assert all(text.strip() in shown for text in given.responses)
    assert "A model answers" not in shown
    ours, theirs = pair.x.facts["sentences"], pair.x_prime.facts["sentences"]
    assert sum(one != other for one, other in zip(ours, theirs, strict=True)) == 1
    assert pair.x.answer == pair.x_prime.answer


@pytest.mark.usefixtures("empty")
def test_before_the_demo_the_picture_leads_to_the_stored_answers_of_both_models(
    visit: Visit,
) -> None:
    assert links(visit("home"))["What both models wrote to this pair"] == "demo?"
    shown = words(visit("demo"))
    for answered in example().answers:
        assert f"Tiny model “{answered.model.removeprefix('tiny:')}”" in shown


@pytest.mark.usefixtures("without_tiny")
def test_a_demo_that_was_run_offers_its_result_at_once(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        for spec in demos.SIMULATED:
            run_here(store, prepare(store, DESIGN, spec, STRATEGY))
    app = visit("home")
    assert "The demo has been run" in words(app)
    assert "+100.0 percentage points" in words(app)
    assert [button.label for button in app.button] == ["See the result"]


def test_a_visitor_is_not_told_that_everything_stays_on_their_computer(
    empty: Path, visit: Visit
) -> None:
    shown = words(visit("home"))
    assert "kept on the computer that runs BiasLab" in shown
    assert str(empty) not in shown


@pytest.mark.usefixtures("empty")
def test_privacy_and_ways_on_are_on_the_first_screen(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)
    app = visit("home")
    assert "Everything stays on this computer" in words(app)
    steps = len(DOORS[0].screens)
    ways = [link.proto.page for link in app.get("page_link")][steps:]
    assert ways == [
        "demo", "your_class", "your_problem", "compose", "effects", "malgorithms", "concepts",
        "biases", "room", "guess", "runs",
    ]  # fmt: skip
