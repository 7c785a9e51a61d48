"""Models: who can be asked, and what can be done with each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.models.tiny.model import DEFAULT_NAME, tiny_names
from biaslab.runs import open_store
from biaslab.system.roles import Role
from biaslab.ui.widgets import visitor
from tests.ui.conftest import Visit, ask_writer, links, words
from tests.ui.models.conftest import errors_of, remembered, remembered_in

pytestmark = pytest.mark.usefixtures("at_this_computer", "nearby")


# What is there to begin with


@pytest.mark.usefixtures("empty")
def test_the_first_thing_to_do_is_to_connect_a_server(visit: Visit) -> None:
    app = visit("models")
    (primary,) = [button for button in app.button if button.proto.type == "primary"]
    assert primary.label == "Test the connection"
    assert "Connect one with the form" in words(app)


@pytest.mark.usefixtures("empty")
def test_what_comes_with_the_app_can_be_asked_at_once(visit: Visit) -> None:
    app = visit("models")
    asked = [f"{link.proto.page}?{link.proto.query_string}" for link in app.get("page_link")]
    assert "compose?model=tiny%3Abalanced&strategy=cot&steps=1-3" in asked
    assert "compose?model=tiny%3Askewed&strategy=cot&steps=1-3&operations=additive" in asked
    found = links(app)
    assert found["A beginner"] == "compose?model=learner%3Anovice"


def test_a_directory_that_was_asked_before_is_listed(empty: Path, visit: Visit) -> None:
    with open_store(empty) as store:
        ask_writer(store, "15")
    app = visit("models")
    assert links(app)["writer"] == "models?model=local%3A%2Fmodels%2Fwriter"
    assert "Language model · not available" in words(app)


@pytest.mark.usefixtures("empty")
def test_a_visitor_is_told_on_which_computer_models_are(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "**On this computer**" in words(visit("models"))
    monkeypatch.setattr(visitor, "role", lambda: Role.NEAR)
    shown = words(visit("models"))
    assert "**On the computer that runs BiasLab**" in shown
    assert "On this computer" not in shown


# What can be done with a server


def test_a_tested_server_leads_to_compose(empty: Path, visit: Visit) -> None:
    remembered(empty, "qwen")
    found = links(visit("models"))
    assert found["qwen"].startswith("models?model=openai%3Aqwen&server=http")
    app = visit("models", model="openai:qwen")
    app.button(key="ask").click().run()
    assert app.query_params["model"] == "openai:qwen"
    assert not app.error


def test_a_forgotten_server_is_gone_from_the_list(empty: Path, visit: Visit) -> None:
    remembered(empty, "qwen")
    app = visit("models", model="openai:qwen")
    app.button(key="forget this").click().run()
    assert not remembered_in(empty)
    assert "Connect one with the form" in words(app)


def test_testing_again_brings_what_is_known_up_to_date(
    empty: Path, server: str, visit: Visit
) -> None:
    remembered(empty, "tiny", f"{server}/v1")
    app = visit("models")
    app.button(key="test again 0").click().run()
    assert not app.error
    assert remembered_in(empty)[0].capabilities.longest == 1024
    assert "1,024 tokens" in words(app)


def test_a_server_that_is_gone_keeps_what_was_found_before(empty: Path, visit: Visit) -> None:
    before = remembered(empty, "qwen", "http://127.0.0.1:9/v1")
    app = visit("models")
    app.button(key="test again 0").click().run()
    assert "Nothing answers" in errors_of(app)
    assert "Below is the result of the last successful test" in words(app)
    assert remembered_in(empty)[0].capabilities == before.capabilities


def test_two_servers_with_the_same_model_are_told_apart(empty: Path, visit: Visit) -> None:
    remembered(empty, "qwen", "http://one/v1")
    remembered(empty, "qwen", "http://two/v1")
    for url in ("http://one/v1", "http://two/v1"):
        app = visit("models", model="openai:qwen", server=url)
        assert f"Language model on {url.split('/')[2]}" in words(app)


@pytest.mark.usefixtures("empty")
def test_what_a_tiny_model_gets_right_is_drawn_as_it_is_asked(visit: Visit) -> None:
    app = visit("models", model="tiny:skewed", strategy="cot")
    (chart,) = app.get("plotly_chart")
    assert "step by step" in chart.proto.spec
    assert "130 problems of transfers for every 9" in words(app)
    app.segmented_control[0].set_value("direct").run()
    assert "strategy" not in app.query_params  # it is what the page begins with
    (chart,) = app.get("plotly_chart")
    assert "asked directly" in chart.proto.spec


@pytest.mark.usefixtures("empty")
def test_tiny_models_beside_the_default_are_folded_with_what_was_rare_in_their_lessons(
    visit: Visit,
) -> None:
    app = visit("models")
    (folded,) = (each for each in app.expander if each.label.startswith("More tiny models"))
    inside = links(folded)
    assert {name for name in inside if name.startswith("Tiny model")} == {
        f"Tiny model “{name}”" for name in tiny_names() if name != DEFAULT_NAME
    }
    lines = " ".join(each.value for each in folded.caption).replace("\u00a0", " ")
    assert "rare: inconsistent comparisons (1 of 6), problems with a comparison" in lines
    assert "208,000 lessons · nothing is rare" in lines


@pytest.mark.usefixtures("empty")
def test_a_copy_along_training_that_hardly_reads_the_wording_is_marked(visit: Visit) -> None:
    app = visit("models", model="tiny:skewed@0016k")
    assert any("hardly reads the wording" in each.value for each in app.warning)
    assert not visit("models", model="tiny:skewed").warning


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("spec", ["openai:unheard-of", "local:/no/where_at_all"])
def test_a_link_to_a_model_that_is_not_here_says_so(spec: str, visit: Visit) -> None:
    app = visit("models", model=spec)
    assert "not among" in [*app.info, *app.warning][0].value
    assert app.button(key="test")


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("spec", ["tiny:balanced", "learner:novice"])
def test_a_model_of_this_computer_says_what_it_can_do(spec: str, visit: Visit) -> None:
    app = visit("models", model=spec)
    assert "Log-probabilities" in words(app)
    app.button(key="ask").click().run()
    assert app.query_params["model"] == spec


# What it costs


def test_a_price_that_is_entered_is_kept_through_another_test(
    empty: Path, server: str, visit: Visit
) -> None:
    remembered(empty, "tiny", f"{server}/v1")
    app = visit("models", model="openai:tiny")
    assert "No price is known" in words(app)
    for field, amount in zip(_prices(app), ("0,15", "0.6"), strict=True):
        field.set_value(amount)
    app.button[[button.label for button in app.button].index("Keep this price")].click().run()
    assert not app.error
    app.button(key="test again this").click().run()
    price = remembered_in(empty)[0].price
    assert price is not None
    assert (str(price.input_per_million), str(price.output_per_million)) == ("0.15", "0.6")
    assert "A million tokens cost 0.15 USD sent" in words(app)
    app.button(key="forget price").click().run()
    assert remembered_in(empty)[0].price is None


def test_an_amount_that_is_none_is_told(empty: Path, visit: Visit) -> None:
    remembered(empty, "qwen")
    app = visit("models", model="openai:qwen")
    _prices(app)[0].set_value("cheap")
    app.button[[button.label for button in app.button].index("Keep this price")].click().run()
    assert "is not an amount" in errors_of(app)


def test_a_price_of_the_table_says_where_it_is_from(empty: Path, visit: Visit) -> None:
    remembered(empty, "gpt-5.5", "https://api.openai.com/v1")
    shown = words(visit("models", model="openai:gpt-5.5"))
    assert "developers.openai.com" in shown
    assert "2026-09-13" in shown


def _prices(app: AppTest) -> list[Any]:
    return [field for field in app.text_input if field.label.startswith("A million tokens")]
