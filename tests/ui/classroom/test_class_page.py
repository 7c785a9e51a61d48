"""Your class: quiz, sheet, groups, deleting."""

from __future__ import annotations

import html
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from biaslab.files import ImportedItem
from biaslab.publishing.misconceptions import misconceptions_page
from biaslab.runs import open_store
from biaslab.runs.library.sets import save_items
from schoolmath.malrules.classes import (
    Quiz,
    QuizDesign,
    make_quiz,
    read_sheet,
    simulate_class,
    write_sheet,
)
from schoolmath.malrules.rules import cards, rules
from schoolmath.problems.draws import Draws
from tests.ui.conftest import Visit, downloads, links, words

DESIGN = QuizDesign(4, ("ColumnSubtraction",), 12, 1)


@pytest.fixture(scope="module")
def quiz() -> Quiz:
    return make_quiz(DESIGN)


@pytest.fixture(autouse=True)
def _no_file(empty: object) -> None:
    """There is no run, no model and no key."""


def _give_in(app: AppTest, text: str) -> AppTest:
    app.text_area[0].set_value(text)
    return next(b for b in app.button if b.label == "Read the answers").click().run()


def _class_of(quiz: Quiz) -> str:
    rules = [quiz.nameable[0]] * 4 + [None] * 6
    return write_sheet(quiz, simulate_class(Draws("class"), quiz, rules))


def test_a_quiz_is_ready_to_print_at_the_first_look(visit: Visit) -> None:
    app = visit("your_class")
    text = words(app)
    quiz = make_quiz(replace(DESIGN, letters=False))
    assert quiz.code in text
    assert "Choose A, B, C or D" not in text
    assert "Row number:" in text
    assert "no name" in text
    assert all(item.question.split()[2] in text for item in quiz.items)


def test_misconceptions_have_an_example_and_all_of_them_a_page_to_print(visit: Visit) -> None:
    app = visit("your_class", grade="5", topics="FractionSum", answers="own")
    assert "**adds tops and adds bottoms of fractions**: 1/2 + 1/4 = 2/6" in words(app)
    assert "Every misconception, to print" in downloads(app)
    page = misconceptions_page()
    assert all(html.escape(card.name) in page for card in cards().values())
    assert "204 − 56 = 252" in page


def test_a_link_of_before_still_means_four_options(visit: Visit, quiz: Quiz) -> None:
    text = words(visit("your_class", grade="4", topics="ColumnSubtraction", n="12", set="1"))
    assert quiz.code in text
    assert "Choose A, B, C or D" in text


def test_the_key_names_what_is_behind_each_wrong_option(visit: Visit, quiz: Quiz) -> None:
    text = words(visit("your_class", paper="key"))
    assert "Key for the teacher" in text
    for item in quiz.items:
        for idea in item.gives:
            assert rules()[idea].card.name in text


def test_the_quiz_comes_as_a_file_for_learning_platforms(visit: Visit) -> None:
    for answers in ("letters", "own"):
        assert {"GIFT", "Moodle XML", "QTI 2.1 (zip)"} <= {
            *downloads(visit("your_class", answers=answers))
        }


def test_a_link_opens_the_same_quiz(visit: Visit) -> None:
    app = visit("your_class", grade="5", topics="FractionSum", n="8", set="3", answers="own")
    found = links(app)["Link to this quiz"]
    assert found == "your_class?grade=5&topics=FractionSum&n=8&set=3&answers=own"
    design = QuizDesign(5, ("FractionSum",), 8, 3, letters=False)
    assert make_quiz(design).code in words(app)


def test_a_topic_with_too_few_questions_says_what_to_do(visit: Visit) -> None:
    app = visit("your_class", topics="FractionDifference", n="24")
    assert "Ask for fewer items" in app.warning[0].value
    assert not app.error


def test_a_sheet_becomes_groups_with_row_numbers_and_reasons(visit: Visit, quiz: Quiz) -> None:
    app = _give_in(visit("your_class", step="answers"), _class_of(quiz))
    text = words(app)
    assert app.query_params["step"] == "groups"
    assert "rows 1, 2, 3 and 4" in text
    assert "not a diagnosis of a child" in text
    assert "Careless mistakes alone would produce this" in text


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("Anna Beispiel", "name"),
        ("anna@example.org", "e-mail"),
        ("03/04/2014", "date"),
        ("4711081542", "long id"),
    ],
)
def test_personal_data_in_a_sheet_is_left_out_and_nothing_of_it_stays(
    visit: Visit, quiz: Quiz, cell: str, told: str
) -> None:
    lines = _class_of(quiz).splitlines()
    lines[2] = f"{cell},{lines[2].partition(',')[2]}"
    app = _give_in(visit("your_class", step="answers"), "\n".join(lines))
    assert "Cell A3" in words(app)
    assert told in words(app)
    # The other rows are read, and the row too, under the number of its place.
    assert f"{len(lines) - 1} rows" in words(app)
    assert not any(area.value for area in app.text_area)
    assert cell not in words(app)
    assert not _stands_in_session(app, cell)


def test_a_sheet_that_is_no_sheet_is_told(visit: Visit) -> None:
    app = _give_in(visit("your_class", step="answers"), "1,A,B")
    assert "the quiz needs 13" in app.warning[0].value


def test_deleting_leaves_nothing_in_the_session(visit: Visit, quiz: Quiz) -> None:
    app = _give_in(visit("your_class", step="answers"), _class_of(quiz))
    assert "class: answers" in _session(app)
    app.button(key="delete class").click().run()
    assert "Deleted" in app.success[0].value
    assert "class: answers" not in _session(app)
    assert not _stands_in_session(app, _class_of(quiz).splitlines()[1])
    assert "rows 1, 2, 3 and 4" not in words(app)


def test_nothing_of_a_class_is_in_the_address_or_the_file_of_runs(
    visit: Visit, quiz: Quiz, empty: object
) -> None:
    app = _give_in(visit("your_class", step="answers"), _class_of(quiz))
    assert dict(app.query_params) == {"step": "groups"}
    from pathlib import Path

    assert not Path(str(empty)).exists()


def test_answers_of_another_quiz_are_not_read_as_of_this_one(visit: Visit, quiz: Quiz) -> None:
    app = _give_in(visit("your_class", step="answers"), _class_of(quiz))
    app.query_params["set"] = "2"
    app.run()
    assert f"belong to quiz {quiz.code}" in app.warning[0].value
    assert "Why these rows" not in words(app)


def test_a_made_up_class_shows_everything_and_says_what_it_is(visit: Visit) -> None:
    app = visit("your_class", step="answers")
    app.button(key="made-up class").click().run()
    assert "Report as one file" in downloads(app)
    assert "simulated" in app.info[0].value
    assert "Made-up pupils" in words(app)
    app.segmented_control[0].set_value("next").run()
    assert "Sheet 1" in words(app)
    assert "rows" not in words(app).partition('aria-label="Sheet 1"')[2]
    app.segmented_control[1].set_value("key").run()
    assert "Key to what to ask next" in words(app)


def test_the_template_can_be_filled_in(visit: Visit, quiz: Quiz) -> None:
    from biaslab.ui.classroom.sheet import _template

    assert "Template to fill in (CSV)" in downloads(visit("your_class", step="answers"))
    filled = _template(quiz).decode().splitlines()
    filled[1] = "1" + ",A" * 12
    assert read_sheet("\n".join(filled), quiz).answers[1][0] is not None


SHEET = "name,1,2,3,4\nAna,45,325,445,47\nBen,35,275,355,33\n"


def _custom(visit: Visit, text: str) -> AppTest:
    app = visit("your_class", test="own")
    app.text_area[0].set_value(text)
    return next(b for b in app.button if b.label == "Read the test").click().run()


def test_a_typed_test_is_printed_and_its_answers_become_groups_and_counts(visit: Visit) -> None:
    app = _custom(visit, "52 - 17\n403 - 128\n600 - 245\n71 - 38")
    assert "own test" in words(app)
    assert "**takes the smaller digit from the larger**: 204 − 56 = 252 (4)" in words(app)
    app.segmented_control[0].set_value("answers").run()
    app = _give_in(app, SHEET)
    assert "Group 1: takes the smaller digit from the larger" in words(app)
    assert "Ana" not in words(app)
    next(c for c in app.segmented_control if c.label == "Look at the answers").set_value(
        "items"
    ).run()
    assert "What would give it" in words(app)
    assert "1 of 2" in words(app)
    assert dict(app.query_params) == {"test": "own", "step": "groups", "by": "items"}


def test_names_stand_on_the_screen_where_they_are_wanted_and_go_with_the_answers(
    visit: Visit,
) -> None:
    app = _custom(visit, "52 - 17\n403 - 128\n600 - 245\n71 - 38")
    app.segmented_control[0].set_value("answers").run()
    app.checkbox[0].check()
    app = _give_in(app, SHEET)
    shown = words(app)
    assert "Ana" in shown
    assert shown.count("Ben") == 1, "only the list of names has who is in no group"
    app.button(key="delete class").click().run()
    assert not _stands_in_session(app, "Ana")
    assert not _stands_in_session(app, "Ben")


def test_a_test_that_cannot_be_used_says_which_item_and_what_to_do(visit: Visit) -> None:
    app = _custom(visit, "52 - 17\nName the capital of France.")
    assert "Item 2" in app.warning[0].value
    assert "right answer" in app.warning[0].value
    assert "Worksheet" not in words(app)
    assert app.text_area[0].value.startswith("52 - 17")


def test_the_typed_test_is_still_there_after_another_step(visit: Visit) -> None:
    app = _custom(visit, "52 - 17\n403 - 128")
    app.segmented_control[0].set_value("answers").run()
    app.segmented_control[0].set_value("quiz").run()
    assert app.text_area[0].value == "52 - 17\n403 - 128"
    assert "own test" in words(app)


def test_a_kept_set_is_a_test_that_a_link_opens(visit: Visit, empty: object) -> None:
    items = [
        ImportedItem(f"What is {a} - {b}?", (str(a - b), str(a - b + 10), "1"), "A")
        for a, b in ((52, 17), (64, 28), (71, 38))
    ]
    with open_store(str(empty)) as store:
        kept = save_items(store, "from my book", items, "test.csv")
    app = visit("your_class", test="own", own="set", items=kept.id)
    assert "from my book" in words(app)
    assert "What is 64 - 28?" in words(app)
    app = visit("your_class", test="own", own="set", items="deleted")
    assert "not saved in this file" in app.warning[0].value


def test_without_a_kept_set_the_page_says_how_to_keep_one_and_makes_no_file(
    visit: Visit, empty: object
) -> None:
    app = visit("your_class", test="own", own="set")
    assert "No set of items is saved yet" in app.info[0].value
    assert "Import items" in links(app)
    from pathlib import Path

    assert not Path(str(empty)).exists()


def _session(app: AppTest) -> dict[str, object]:
    return dict(app.session_state._state.filtered_state)


def _stands_in_session(app: AppTest, text: str) -> bool:
    return any(
        text in str(value) or text in str(getattr(value, "__dict__", ""))
        for value in _session(app).values()
    )
