"""Guess the mal-rule: rounds, truth, score, teams, models."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from biaslab.malrules.rules import rules
from biaslab.runs import open_store
from biaslab.ui.classroom.guess_rounds import CHOICES, Round, from_bank
from biaslab.ui.classroom.guess_score import Game
from tests.ui.conftest import Visit, ask, links, words


def _guess(app: AppTest, rule: str, shown: Round) -> AppTest:
    return app.button(key=f"guess {shown.choices.index(rule) + 1}").click().run()


@given(st.integers(1, 999_999), st.integers(1, 20))
@settings(max_examples=40, deadline=None)
def test_a_round_has_one_true_rule_among_four(seed: int, number: int) -> None:
    shown = from_bank.__wrapped__(seed, 0, "", number)
    assert len(set(shown.choices)) == CHOICES
    assert shown.rule in shown.choices
    assert shown.trace.answer.shown in shown.wrong
    for other in set(shown.choices) - {shown.rule}:
        wrong = shown.trace.answer
        given = rules()[other].run(shown.problem)
        assert not any(each.answer.same_as(wrong) for each in given)


@pytest.mark.usefixtures("empty")
def test_the_truth_is_hidden_until_somebody_guesses(visit: Visit) -> None:
    app = visit("guess", seed="5")
    assert "The truth" not in words(app)
    assert "Confidence" not in words(app)
    assert len([b for b in app.button if b.key and b.key.startswith("guess ")]) == CHOICES


@pytest.mark.usefixtures("empty")
def test_a_right_guess_counts_and_shows_trace_and_source(visit: Visit) -> None:
    shown = from_bank(5, 0, "", 1)
    app = _guess(visit("guess", seed="5"), shown.rule, shown)
    text = words(app)
    assert "✓ Right" in text
    assert "1 of 1" in text
    assert "streak 1" in text
    assert "here it goes wrong" in text
    assert f"Confidence {rules()[shown.rule].card.confidence}" in text


@pytest.mark.usefixtures("empty")
def test_a_wrong_guess_is_told_and_ends_the_streak(visit: Visit) -> None:
    shown = from_bank(5, 0, "", 1)
    other = next(rule for rule in shown.choices if rule != shown.rule)
    text = words(_guess(visit("guess", seed="5"), other, shown))
    assert "✗ Not this time" in text
    assert f"You guessed <b>{rules()[other].card.name}" in text
    assert "0 of 1" in text


@pytest.mark.usefixtures("empty")
def test_next_shows_another_round_and_keeps_the_score(visit: Visit) -> None:
    shown = from_bank(5, 0, "", 1)
    app = _guess(visit("guess", seed="5"), shown.rule, shown)
    app.button(key="next round").click().run()
    assert app.query_params["round"] == "2"
    assert "1 of 1" in words(app)
    assert "The truth" not in words(app)


@pytest.mark.usefixtures("empty")
def test_a_link_opens_the_same_round_without_the_guess(visit: Visit) -> None:
    app = visit("guess", seed="7", round="3", **{"class": "algebra"})
    assert links(app)["Link to this round"] == "guess?seed=7&round=3&class=algebra"
    assert from_bank(7, 0, "algebra", 3).wrong in words(app)


@pytest.mark.usefixtures("empty")
def test_teams_take_turns_and_their_names_are_text(visit: Visit) -> None:
    app = visit("guess", seed="5")
    app.text_input[0].set_value("<b>Reds</b>, *Blues*").run()
    shown = from_bank(5, 0, "", 1)
    assert "&lt;b&gt;Reds" in words(app)
    app = _guess(app, shown.rule, shown)
    assert "*Blues* (plays now)" in words(app)


def test_a_second_guess_in_a_round_counts_nothing() -> None:
    game = Game()
    game.guess(("bank", 1), "NO01", right=False)
    game.guess(("bank", 1), "NO02", right=True)
    assert game.scores[""].guesses == 1
    assert game.scores[""].right == 0


def test_no_name_comes_twice_and_names_are_short() -> None:
    game = Game()
    game.name_teams("Reds, Reds,, Blues " + "x" * 99)
    assert game.teams == ["Reds", ("Blues " + "x" * 99)[:24]]


@pytest.mark.usefixtures("empty")
def test_without_a_run_it_says_that_no_model_was_asked(visit: Visit) -> None:
    shown = from_bank(5, 0, "", 1)
    assert "No model was asked" in words(_guess(visit("guess", seed="5"), shown.rule, shown))


def test_the_questions_of_a_run_show_what_its_model_said(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.db"
    monkeypatch.setenv("BIASLAB_DB", str(path))
    with open_store(path) as store:
        run = ask(store, "malgorithm", 12, "", "learner:perfect", "simple")
    app = visit("guess", **{"from": run})
    app.button(key="guess 1").click().run()
    text = words(app)
    assert "simulated, no real model" in text
    assert "which one did the model say" in text
