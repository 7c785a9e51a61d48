"""Compose: how many pairs are needed."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.runs import open_store
from biaslab.stats import discordance_seen, pairs_for_width, pairs_needed
from tests.ui.conftest import Asked, Visit, words


def _opened(visit: Visit, **address: str) -> AppTest:
    app = visit("compose", model="learner:perfect", **address)
    app.session_state["planner"] = True
    return app.run()


@pytest.mark.usefixtures("empty")
def test_the_planner_reckons_only_for_somebody_who_opens_it(visit: Visit) -> None:
    assert not [button for button in visit("compose").button if button.key == "take planned"]


@pytest.mark.usefixtures("empty")
def test_a_number_of_pairs_is_taken_with_one_click(visit: Visit) -> None:
    app = _opened(visit, effect="12", power="90")
    planned = pairs_needed(0.12, 0.9)
    assert f"**{planned.pairs} pairs** are needed." in words(app)
    assert "ASSUMED" in words(app)
    app.button(key="take planned").click().run()
    assert app.query_params["n"] == str(planned.pairs)
    assert app.number_input(key="address n").value == planned.pairs


@pytest.mark.usefixtures("empty")
def test_an_interval_of_a_given_width_can_be_planned(visit: Visit) -> None:
    app = _opened(visit, plan="measure", width="8")
    assert f"**{pairs_for_width(0.08).pairs} pairs**" in words(app)


@pytest.mark.usefixtures("empty")
def test_looks_of_the_rule_for_stopping_are_planned_for(visit: Visit) -> None:
    app = _opened(visit, stop="test", looks="4")
    plan = pairs_needed(0.1, 0.8, looks=4)
    assert f"**{plan.pairs} pairs** at most; about" in words(app)


def test_the_discordance_may_be_that_of_a_run(asked: Asked, visit: Visit) -> None:
    with open_store(asked.path) as store:
        seen = discordance_seen(store.outcomes([asked.shy]))
    assert seen is not None
    app = _opened(visit, like=asked.shy)
    plan = pairs_needed(0.1, 0.8, seen.discordance)
    assert f"{100 * seen.discordance:.1f} % of 40 pairs did" in words(app)
    assert f"**{plan.pairs} pairs**" in words(app)


@pytest.mark.usefixtures("empty")
def test_an_effect_that_no_pairs_could_have_is_told(visit: Visit) -> None:
    app = _opened(visit, effect="90")
    assert app.warning[0].value
    assert not [button for button in app.button if button.key == "take planned"]


def test_more_pairs_than_a_design_may_have_are_not_offered(empty: Path, visit: Visit) -> None:
    assert not empty.exists()
    app = _opened(visit, effect="0.5")
    assert "pairs at most" in app.warning[0].value
    assert not [button for button in app.button if button.key == "take planned"]
