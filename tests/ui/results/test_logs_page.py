"""Other logs: two logs of any task, as a person gives them."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.system.places import RECORDED_VARIABLE
from biaslab.system.roles import Role
from biaslab.ui.widgets import visitor
from tests.ui.conftest import Visit, downloads, words

A = "id,score\n" + "".join(f"q{n},{int(n % 4 > 0)}\n" for n in range(40))
B = "id,score\n" + "".join(f"q{n},{int(n % 2 > 0)}\n" for n in range(38)) + "other,1\n"


@pytest.fixture(autouse=True)
def at_home(empty: object, monkeypatch: pytest.MonkeyPatch) -> None:
    del empty
    monkeypatch.setattr(visitor, "role", lambda: Role.HERE)


def given(visit: Visit, *files: tuple[str, str]) -> AppTest:
    app = visit("logs")
    field = app.file_uploader[0]
    return field.set_value([(name, text.encode(), "text/csv") for name, text in files]).run()


def test_an_example_of_a_recorded_model_stands_there_until_files_are_chosen(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(RECORDED_VARIABLE, raising=False)
    app = visit("logs")
    assert not app.error
    assert "An example until you choose two files" in words(app)
    assert "Think step by step scores higher" in words(app)
    assert "Results (JSON)" in downloads(app)


def test_two_tables_are_joined_by_id_and_their_difference_stands_first(visit: Visit) -> None:
    app = given(visit, ("a.csv", A), ("b.csv", B))
    assert not app.error
    said = words(app)
    assert "a.csv scores higher: +23.7 points (a.csv minus b.csv)" in said
    assert "38 samples" in said
    (table,) = [each for each in app.dataframe if "sample" in each.value.columns]
    assert list(table.value["sample"]) == [f"q{n}" for n in range(2, 38, 4)]


def test_what_is_no_log_is_refused_in_a_sentence(visit: Visit) -> None:
    app = given(visit, ("a.csv", A), ("b.csv", "title,words\nx,y\n"))
    assert len(app.error) == 1
    assert "b.csv" in app.error[0].value


def test_files_of_one_name_have_letters(visit: Visit) -> None:
    app = given(visit, ("a.csv", A), ("a.csv", B))
    assert "A: a" in words(app)
    assert "A scores higher" in words(app)
