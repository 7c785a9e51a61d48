"""Guess the mal-rule: rounds, truth, score, teams, models."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from biaslab.files import ImportedItem
from biaslab.runs import open_store, save_items
from biaslab.ui.classroom.guess_rounds import CHOICES, Round, from_bank, from_set
from biaslab.ui.classroom.guess_table import Game
from schoolmath.malrules.rules import rules
from tests.ui.conftest import Visit, ask, links, words


def _guess(app: AppTest, rule: str, shown: Round) -> AppTest:
    return app.button(key=f"guess {shown.choices.index(rule) + 1}").click().run()


@given(st.integers(1, 999_999), st.integers(1, 20))
@settings(max_examples=40, deadline=None)
def test_a_round_has_one_true_rule_among_four(seed: int, number: int) -> None:
    shown = from_bank.__wrapped__(seed, 0, "", number)
    assert len(set(shown.choices)) == CHOICES
    assert shown.truth in shown.choices
    assert shown.trace.answer.shown in shown.wrong
    for other in set(shown.choices) - {shown.truth}:
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
    app = _guess(visit("guess", seed="5"), shown.truth, shown)
    text = words(app)
    assert "✓ Right" in text
    assert "1 of 1" in text
    assert "streak 1" in text
    assert "here it goes wrong" in text
    assert f"Confidence {rules()[shown.truth].card.confidence}" in text


@pytest.mark.usefixtures("empty")
def test_a_wrong_guess_is_told_and_ends_the_streak(visit: Visit) -> None:
    shown = from_bank(5, 0, "", 1)
    other = next(rule for rule in shown.choices if rule != shown.truth)
    text = words(_guess(visit("guess", seed="5"), other, shown))
    assert "✗ Not this time" in text
    assert f"You guessed <b>{rules()[other].card.name}" in text
    assert "0 of 1" in text


@pytest.mark.usefixtures("empty")
def test_next_shows_another_round_and_keeps_the_score(visit: Visit) -> None:
    shown = from_bank(5, 0, "", 1)
    app = _guess(visit("guess", seed="5"), shown.truth, shown)
    app.button(key="next round").click().run()
    assert app.query_params["round"] == "2"
    assert "1 of 1" in words(app)
    assert "The truth" not in words(app)


@pytest.mark.usefixtures("empty")
def test_a_link_opens_the_same_round_without_the_guess(visit: Visit) -> None:
    app = visit("guess", seed="7", round="3", **{"class": "algebra"})
    assert links(app)["Link"] == "guess?seed=7&round=3&class=algebra"
    assert from_bank(7, 0, "algebra", 3).wrong in words(app)


@pytest.mark.usefixtures("empty")
def test_teams_take_turns_and_their_names_are_text(visit: Visit) -> None:
    app = visit("guess", seed="5")
    app.text_input[0].set_value("<b>Reds</b>, *Blues*").run()
    shown = from_bank(5, 0, "", 1)
    assert "&lt;b&gt;Reds" in words(app)
    app = _guess(app, shown.truth, shown)
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
    assert "No model was asked" in words(_guess(visit("guess", seed="5"), shown.truth, shown))


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


def _imported(n: int, **others: object) -> ImportedItem:
    return ImportedItem(
        question=f"What is {n} - 7?",
        options=(str(n - 7), str(n + 7), str(n - 1)),
        key="A",
        **others,  # type: ignore[arg-type]
    )


def _reasons(n: int) -> dict[str, str]:
    return {"A": f"Takes 7 from {n}", "B": f"Adds 7 to {n}", "C": f"Takes 1 from {n}"}


def _set(path: Path, *items: ImportedItem) -> str:
    with open_store(path) as store:
        return save_items(store, "from <my> book", items, "book.csv").id


class TestAKeptSet:
    def test_is_played_with_the_reasons_of_its_file(self, visit: Visit, empty: Path) -> None:
        kept = _set(empty, *(_imported(n, rationales=_reasons(n)) for n in (20, 31)))
        app = visit("guess", **{"from": kept})
        asked = next(n for n in (20, 31) if f"What is {n} - 7?" in words(app))
        at = next(
            place
            for place in (1, 2, 3)
            if f"Takes 7 from {asked}" in app.button(key=f"guess {place}").label
        )
        text = words(app.button(key=f"guess {at}").click().run())
        assert "✗ Not this time: the file says" in text
        assert f"You guessed <b>Takes 7 from {asked}</b>" in text
        assert f"belongs to the answer {asked - 7}" in text
        assert "we have not checked it" in text

    def test_has_every_wrong_answer_with_a_reason_once_before_one_comes_again(
        self, empty: Path
    ) -> None:
        kept = _set(empty, *(_imported(n, rationales=_reasons(n)) for n in (20, 31)))
        rounds = [from_set(kept, 3, number) for number in range(1, 5)]
        assert {(each.question, each.wrong) for each in rounds if each} == {
            ("What is 20 - 7?", "27"), ("What is 20 - 7?", "19"),
            ("What is 31 - 7?", "38"), ("What is 31 - 7?", "30"),
        }  # fmt: skip
        assert all(each and each.leads_to[each.truth] == each.wrong for each in rounds)

    def test_of_misconceptions_says_that_they_are_names(self, visit: Visit, empty: Path) -> None:
        labels = {"B": "Adds instead of takes away", "C": "Counts the start"}
        kept = _set(empty, _imported(20, misconceptions=labels))
        app = visit("guess", **{"from": kept})
        assert "label from the file for what a pupil believes" in words(
            app.button(key="guess 1").click().run()
        )

    def test_with_few_reasons_borrows_those_of_other_questions(
        self, visit: Visit, empty: Path
    ) -> None:
        items = [_imported(n, misconceptions={"B": f"Believes {n}"}) for n in (20, 31, 42)]
        assert from_set(_set(empty, *items), 1, 1) is None
        items = [
            _imported(n, misconceptions={"B": f"Believes {n}", "C": "Counts the start"})
            for n in (20, 31, 42)
        ]
        with open_store(empty) as store:
            kept = save_items(store, "three labels", items, "book.csv").id
        app = visit("guess", **{"from": kept})
        text = words(app.button(key="guess 1").click().run())
        assert "belongs to another question" in text

    def test_without_reasons_says_so(self, visit: Visit, empty: Path) -> None:
        app = visit("guess", **{"from": _set(empty, _imported(20))})
        assert "no question for this game" in words(app)

    def test_is_one_click_from_where_it_was_imported(self, visit: Visit, empty: Path) -> None:
        kept = _set(empty, _imported(20, rationales=_reasons(20)))
        assert links(visit("import_items", items=kept))["Play it"] == f"guess?from={kept}"
