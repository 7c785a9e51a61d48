"""Correct the grammar: pairs go to a model on a loopback server, what passes the check is kept.

The model behind the server is a simulation (`tests.servers.mending`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.runs import open_store
from biaslab.runs.library.pair_sets import pair_sets, save_set, set_pairs
from biaslab.studies import Design, experiment
from tests.servers.faulty import FaultyServer, status
from tests.servers.mending import connect_mender, mends, replacing
from tests.ui.conftest import links, words


@pytest.fixture
def server(empty: Path) -> Iterator[FaultyServer]:
    """A connected server, whose simulated model leaves every sentence as it is."""
    with FaultyServer() as running:
        running.always = mends()
        with open_store(empty) as store:
            connect_mender(store, running.url)
        yield running


def click(app: AppTest, label: str) -> AppTest:
    (found,) = [each for each in app.button if each.label == label]
    found.click().run()
    assert not app.exception, app.exception
    return app


@pytest.mark.usefixtures("empty")
class TestWithoutALanguageModel:
    def test_the_page_says_how_to_connect_one(self, visit):
        app = visit("correct")

        assert "No language model is connected" in words(app)
        assert "Connect a server" in links(app)
        assert [each.disabled for each in app.button if each.label == "Correct these pairs"] == [
            True
        ]

    def test_models_that_know_numbers_only_are_refused(self, visit):
        app = visit("correct", model="tiny")

        assert "knows numbers only" in words(app)

    def test_a_model_that_was_never_tested_leads_to_its_test(self, visit):
        app = visit("correct", model="openai:qwen")

        assert "never tested" in words(app)
        assert "Test this model" in links(app)


class TestMending:
    def test_the_keep_rate_is_shown_with_its_interval_and_the_pairs_are_kept(
        self, visit, server, empty
    ):
        app = visit("correct", first="3", study="consistency")

        click(app, "Correct these pairs")

        assert "<b>100.0 %</b>" in words(app)
        assert "43.9 % to 100.0 %" in words(app)
        assert len(server.asked) == 3
        click(app, "Keep 3 pairs as a set")
        with open_store(empty) as store:
            (kept,) = pair_sets(store)
            first = next(iter(set_pairs(store, kept.id)))
        assert app.query_params["set"] == kept.id
        assert "corrected by openai:faulty" in kept.origin
        assert first.strata["treatment"] == "consistency"

    def test_reasons_for_discards_are_counted_and_shown_with_what_the_model_wrote(
        self, visit, server
    ):
        server.always = mends(replacing(".", " in 2 rooms.", 1))
        app = visit("correct", first="2")

        click(app, "Correct these pairs")

        shown = words(app)
        assert "Why 2 pairs were discarded" in shown
        assert "a number was changed, lost or added" in shown
        assert "The model wrote" in shown
        assert "nothing to keep" in shown
        assert not [each for each in app.button if each.label.startswith("Keep")]

    def test_pairs_without_an_answer_are_no_discards_and_can_be_asked_again(self, visit, server):
        server.always = status(400, {"message": "Not now."})
        app = visit("correct", first="2")
        click(app, "Correct these pairs")

        assert "2 pairs got no answer and count nowhere" in words(app)
        assert "discarded</b>" not in words(app)
        server.always = mends()
        click(app, "Ask these again")

        assert "got no answer" not in words(app)
        assert "2 of 2" in words(app)

    def test_pairs_of_a_kept_set_can_be_mended(self, visit, server, empty):
        pairs = list(experiment("carry").pairs(Design("carry", 2, 1)))
        with open_store(empty) as store:
            kept = save_set(store, "mine", pairs, "a test")
        app = visit("correct", study="imported", set=kept.id)

        click(app, "Correct these pairs")

        assert len(server.asked) == 2
        assert "2 of 2" in words(app)

    @pytest.mark.usefixtures("server")
    def test_settings_that_give_no_pairs_are_refused_before_anything_is_asked(self, visit):
        app = visit("correct", numbers="2-3", steps="5-5", operations="multiplicative")

        assert len(app.error) == 1
        assert [each.disabled for each in app.button if each.label == "Correct these pairs"] == [
            True
        ]
