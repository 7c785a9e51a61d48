"""Finding a fitting difficulty: on Compose, and from an effect at the floor or ceiling."""

from __future__ import annotations

import re

import pytest

from biaslab.runs import default_database, open_store, prepare, run_here
from biaslab.studies import Design
from tests.ui.conftest import Visit, links, words

pytestmark = pytest.mark.usefixtures("empty")


def test_a_click_finds_a_design_and_another_one_takes_it(visit: Visit) -> None:
    # Given a learner that slips in one step of seven: one step is too easy, five are too hard
    app = visit("compose", model="learner:careless", strategy="direct", fit="yes")
    app.button(key="find design").click().run()
    assert not app.error, app.error
    told = app.success[-1].value
    steps = re.search(r"Steps (\d), numbers (2-\d+) fits", told)
    assert steps, told
    app.button(key="take found").click().run()
    assert app.query_params["steps"] == steps[1]
    assert app.query_params.get("numbers", "2-20") == steps[2]


def test_a_study_without_an_order_of_difficulty_has_no_such_panel(visit: Visit) -> None:
    app = visit("compose", study="decision", model="learner:random", fit="yes")
    assert "fitting difficulty" not in words(app)


def test_an_effect_at_the_ceiling_leads_there(visit: Visit) -> None:
    with open_store(default_database()) as store:
        run = prepare(store, Design("consistency", 60, 1), "learner:perfect", "direct")
        run_here(store, run)
    address = links(visit("effects", runs=run))["Find a fitting difficulty"]
    assert address.startswith("compose?")
    assert "study=consistency" in address
    assert "perfect" in address
    assert "fit=yes" in address


def test_odds_are_shown_in_nats_on_effects_and_items(visit: Visit) -> None:
    with open_store(default_database()) as store:
        run = prepare(store, Design("consistency-odds", 40, 1), "learner:tipped", "begun")
        run_here(store, run)
    effects, items = visit("effects", runs=run), visit("items", run=run)
    for page in (effects, items):
        assert not page.error
        assert "nats" in words(page)
    assert "towards the right answer in the “consistent” problems" in words(effects)
