"""Import items: from a file to a set that models can be asked and a class can be given."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.files import ImportedItem
from biaslab.runs import open_store, prepare, run_here, save_items
from biaslab.runs.library.sets import item_sets
from biaslab.studies import Design
from tests.ui.conftest import Visit, downloads, links, words

HEADER = "Question,A,B,C,Correct,Rationale A,Rationale B,Rationale C\n"
HALF = "What is 9 + 4?,13,5,94,A,,Takes away,Writes them side by side\n"
_NUMBERS = (61, 52, 73, 44, 95, 36, 57, 88, 29, 60)
BAD = "What is 2 + 2?,,4,5,B,,,\n"


def _row(n: int) -> str:
    return f"What is {n} - 7?,{n - 7},{n + 7},{n - 1},A,Takes 7 away,Adds 7,Takes 1 away\n"


def uploaded(visit: Visit, text: str) -> AppTest:
    app = visit("import_items")
    app.file_uploader[0].set_value([("quiz.csv", text.encode(), "text/csv")]).run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    app = next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def test_the_page_says_what_to_bring_and_that_nothing_is_kept(visit: Visit, empty: Path) -> None:
    shown = words(visit("import_items"))
    assert "Two to eight options" in shown
    assert "No set is saved yet" in shown
    assert not Path(empty).exists()


@pytest.mark.usefixtures("empty")
def test_without_a_file_the_reading_questions_can_be_kept_once(visit: Visit) -> None:
    app = press(visit("import_items"), "Keep the reading questions")
    assert "reading**: 24 items (24 complete)" in words(app)
    assert "Keep the reading questions" not in [button.label for button in app.button]


@pytest.mark.usefixtures("empty")
class TestFromAFileToASet:
    def test_every_row_is_told_with_what_can_be_asked_of_it(self, visit: Visit) -> None:
        app = uploaded(visit, HEADER + _row(20) + HALF + BAD)
        assert "1 complete, 1 partly usable, 0 unusable" in words(app)
        rows = app.dataframe[0].value.to_dict("records")
        assert [row["Row"] for row in rows] == [3, 4]
        assert rows[0]["Can be asked"] == "MIA only (B, C)"
        assert rows[1]["Status"] == "✗ refused"
        assert "The whole report (JSON)" in downloads(app)

    def test_the_first_item_is_shown_as_it_was_read(self, visit: Visit) -> None:
        shown = words(uploaded(visit, HEADER + _row(20)))
        assert "What is 20 - 7?" in shown
        assert "A ✓: 13" in shown
        assert "Takes 7 away" in shown

    def test_columns_that_no_name_tells_are_said_by_hand(self, visit: Visit) -> None:
        app = uploaded(visit, "Frage;eins;zwei;drei;Loesung\nWas ist 52 - 17?;35;45;69;35\n")
        assert app.error
        box = {each.label: each for each in (*app.selectbox, *app.multiselect)}
        box["Question"].set_value("Frage")
        box["Right option"].set_value("Loesung")
        box["Options, A first"].set_value(["eins", "zwei", "drei"])
        app.run()
        assert not app.error
        assert "A ✓: 35" in words(app)

    def test_columns_called_anything_are_suggested_and_read_once_a_person_says_so(
        self, visit: Visit
    ) -> None:
        rows = [f"{n} - 17;{n - 17};{n + 17};Always adds;{n * 2}\n" for n in range(50, 60)]
        app = uploaded(visit, "x;y;z;w;v\n" + "".join(rows))
        assert "We guessed some columns" in app.info[0].value
        box = {each.label: each.value for each in app.selectbox}
        assert box["Question"] == "x"
        assert not any(button.label.startswith("Keep") for button in app.button)
        # Which of two numbers is the wrong answer, nothing tells: nothing else is said of it.
        assert box["Right option"] == box["A wrong answer, where each row has one"] == "–"

    def test_what_is_suggested_is_read_once_a_person_says_that_it_is_right(
        self, visit: Visit
    ) -> None:
        rows = [f"{n} - 17;{n - 17};{n + 17};Always adds instead\n" for n in _NUMBERS]
        app = uploaded(visit, "x;y;z;w\n" + "".join(rows))
        assert not any(button.label.startswith("Keep") for button in app.button)
        app.checkbox[0].check().run()
        assert not app.exception
        assert any(button.label == "Keep 10 items" for button in app.button)
        assert "Always adds instead" in words(app)

    def test_items_are_kept_under_a_name_and_lead_on(self, visit: Visit, empty: Path) -> None:
        app = uploaded(visit, HEADER + _row(20) + _row(30) + HALF)
        app.text_input[0].set_value("My quiz")
        app = press(app, "Keep 3 items")
        with open_store(empty) as store:
            (kept,) = item_sets(store)
        assert (kept.name, kept.items, kept.origin) == ("My quiz", 3, "quiz.csv")
        assert dict(app.query_params) == {"items": kept.id}
        found = links(app)
        asked = found["Ask a model which reason led to a choice"]
        assert asked == "compose?study=malgorithm&items=My+quiz&n=4"
        assert found["Give it to your class"] == f"your_class?test=own&own=set&items={kept.id}"

    def test_a_name_that_is_taken_is_told_and_nothing_is_lost(self, visit: Visit) -> None:
        app = uploaded(visit, HEADER + _row(20))
        app = press(press(app, "Keep 1 item"), "Keep 1 item")
        assert "is saved already" in app.error[0].value
        assert "What is 20 - 7?" in words(app)

    @pytest.mark.parametrize("data", ["", "just a poem\n", "[[[[", "\x00\x01"])
    def test_a_file_without_items_is_told_in_a_sentence(self, visit: Visit, data: str) -> None:
        app = uploaded(visit, data)
        assert app.error or app.warning


LABELLED = [
    ImportedItem(f"What is {n} - 7?", (str(n - 7), str(n + 7), str(n)), "A",
                 misconceptions={"B": "adds", "C": "does nothing"})
    for n in (20, 30)
]  # fmt: skip


def test_compose_asks_a_set_as_it_is_and_hides_what_means_nothing_beside_it(
    visit: Visit, empty: Path
) -> None:
    with open_store(empty) as store:
        kept = save_items(store, "labels", LABELLED, "x.csv")
    app = visit("import_items", items=kept.id)
    assert "no AIA" in words(app)
    (address,) = (to for name, to in links(app).items() if name.startswith("Ask a model"))
    assert "against=the+question+itself" in address
    app = visit("compose", study="malgorithm", items="labels", against="the question itself", n="4")
    assert not app.error
    labels = {each.label for each in (*app.segmented_control, *app.select_slider, *app.slider)}
    assert "Order of the rationales" in labels
    assert not labels & {"Rationales", "School grades", "Content class"}


def test_results_say_which_set_was_asked_and_what_was_left_out(visit: Visit, empty: Path) -> None:
    rationales = {"A": "takes away", "B": "adds", "C": "writes both"}
    whole = ImportedItem("What is 5 - 2?", ("3", "7", "52"), "A", rationales=rationales)
    with open_store(empty) as store:
        save_items(store, "mixed", [whole, *LABELLED], "x.csv")
        design = Design("malgorithm", 2, 1, {"items": "mixed"})
        run_here(store, prepare(store, design, "learner:coin", "simple"))
    shown = words(visit("malgorithms"))
    assert "Questions of the set “mixed”, 3 items. 2 items left out" in shown


def test_a_set_is_deleted_and_its_link_says_so(visit: Visit, empty: Path) -> None:
    with open_store(empty) as store:
        kept = save_items(store, "labels", LABELLED, "x.csv")
    app = press(visit("import_items", items=kept.id), "Delete this set")
    assert "No set is saved yet" in words(app)
    app = visit("import_items", items=kept.id)
    assert "not in this file of runs" in app.warning[0].value


@pytest.mark.usefixtures("empty")
class TestFilesOfOthers:
    def test_a_key_that_the_problem_contradicts_is_told_with_its_row(self, visit: Visit) -> None:
        app = uploaded(visit, "Question,A,B,Correct\nWhat is 52 - 17?,35,45,B\n")
        (row,) = app.dataframe[0].value.to_dict("records")
        assert "its problem gives 35 (option A), and its key says 45 (B)" in row["Why"]

    @pytest.mark.parametrize(
        "table",
        [
            "Body,Question,Answer\nAna has 12 pens and gives 3 to Ben,How many has Ana left?,9\n",
            "problem,answer\n52 - 17,35\n403 - 58,345\n71 - 38,33\n",
        ],
    )
    def test_problems_are_called_so_and_lead_to_the_audit(self, visit: Visit, table: str) -> None:
        app = uploaded(visit, table)
        assert "These are problems" in app.error[0].value
        assert "`" not in app.error[0].value
        assert "See what these problems are like" in links(app)
