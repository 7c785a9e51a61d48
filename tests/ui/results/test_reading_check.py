"""Readings of a run that a person checks, and the error beside the effect."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from biaslab.ui.results.reading_check import READINGS, ReadingCheck
from tests.ui.conftest import Asked, Visit, downloads, words


def judge(app: AppTest, label: str) -> AppTest:
    return next(each for each in app.button if each.label == label).click().run()


def unfolded(visit: Visit, run: str) -> AppTest:
    """The items of a run with the panel open."""
    app = visit("items", run=run)
    assert not [each for each in app.button if each.label == "Read correctly"]
    app.session_state[f"check readings of {run}"] = True
    return app.run()


def test_answers_are_judged_one_after_the_other_and_the_error_is_said(
    asked: Asked, visit: Visit
) -> None:
    app = unfolded(visit, asked.keyword)
    first = next(each.key for each in app.button if each.label == "Read correctly")
    assert "What you judged (CSV)" not in downloads(app)
    app = judge(app, "Read correctly")
    second = next(each.key for each in app.button if each.label == "Read correctly")
    assert first != second
    app = judge(app, "Read wrongly")
    assert not app.exception
    assert "Of 2 readings that you checked, 1 was wrong: 50.0 %" in words(app)
    assert f"3 of {READINGS}" in words(app)
    assert "What you judged (CSV)" in downloads(app)


def test_the_same_answers_are_drawn_again_and_each_once(asked: Asked, visit: Visit) -> None:
    keys = []
    app = unfolded(visit, asked.keyword)
    for _ in range(READINGS):
        keys.append(next(each.key for each in app.button if each.label == "Read correctly"))
        app = judge(app, "Read correctly")
    assert len(set(keys)) == READINGS
    assert "none were wrong: 0.0 %" in words(app)
    assert "These are all." in words(app)
    again = unfolded(visit, asked.keyword)
    assert keys[0] == next(each.key for each in again.button if each.label == "Read correctly")


def test_an_error_has_its_interval() -> None:
    assert "(95 % interval 0.0 % to 11.4 %)" in ReadingCheck(30, 0).words.replace("–", "to")
