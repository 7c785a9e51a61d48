"""Compose with a structure of one's own: the builder and the line say the same."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Table

from biaslab.ui.studies.word_problems.structure_builder import TEMPLATES
from schoolmath.problems.structure import MOST_PARTS
from tests.ui.conftest import Visit, words

pytestmark = pytest.mark.usefixtures("empty")

LINE = "container . transfer- . comparison+ inconsistent"


@pytest.fixture
def built(visit: Visit) -> AppTest:
    """Compose with a structure of three parts, the first of them open."""
    return visit("compose", study="composed", structure=LINE)


def line_of(app: AppTest) -> str:
    """The line in its field, which is also that of the address."""
    shown = str(app.text_input(key="address structure").value)
    assert app.query_params.get("structure", shown) == shown
    return shown


def test_a_structure_is_shown_as_sentences_with_the_pair_beside_them(built: AppTest) -> None:
    assert [option.partition(" ")[2] for option in built.radio[0].options] == [
        "A has some apples.",
        "A gives away some apples.",
        "A has some fewer apples than B.",
    ]
    assert "Right answer:" in words(built)
    assert line_of(built) == LINE


def test_a_template_takes_the_place_of_the_structure(built: AppTest) -> None:
    built.selectbox(key="structure template").set_value("Packed into boxes").run()
    assert line_of(built) == TEMPLATES["Packed into boxes"]
    assert len(built.radio[0].options) == 3


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_gives_pairs_at_once(name: str, built: AppTest) -> None:
    built.selectbox(key="structure template").set_value(name).run()
    assert not built.error
    assert "Right answer:" in words(built)


@pytest.mark.parametrize(
    ("added", "line"),
    [
        ("container", f"{LINE} . container"),
        ("transfer", f"{LINE} . transfer"),
        ("comparison", f"{LINE} . comparison"),
        ("rate", f"{LINE} . rate"),
    ],
)
def test_an_added_part_comes_last_and_is_open(added: str, line: str, built: AppTest) -> None:
    built.button(key=f"structure add {added}").click().run()
    assert line_of(built) == line
    assert built.query_params["part"] == "4"


def test_parts_change_places_and_leave(built: AppTest) -> None:
    built.radio[0].set_value(3).run()
    built.button(key="structure up").click().run()
    assert line_of(built) == "container . comparison+ inconsistent . transfer-"
    assert built.radio[0].value == 2
    built.button(key="structure down").click().run()
    assert line_of(built) == LINE
    built.button(key="structure remove").click().run()
    assert line_of(built) == "container . transfer-"
    assert built.radio[0].value == 2


def test_the_first_part_cannot_go_up_and_the_last_cannot_go_down(visit: Visit) -> None:
    first = visit("compose", study="composed", structure=LINE, part="1")
    last = visit("compose", study="composed", structure=LINE, part="3")
    assert first.button(key="structure up").disabled
    assert last.button(key="structure down").disabled


def test_nothing_is_added_beyond_the_most(visit: Visit) -> None:
    full = visit("compose", study="composed", structure=" . ".join(["container"] * MOST_PARTS))
    assert full.button(key="structure add transfer").disabled


@pytest.mark.parametrize(
    ("part", "field", "value", "line"),
    [
        ("2", "sign", "+", "container . transfer+ . comparison+ inconsistent"),
        ("2", "sign", "", "container . transfer . comparison+ inconsistent"),
        ("2", "giver", "B", "container . transfer B> . comparison+ inconsistent"),
        ("2", "receiver", "B", "container . transfer >B . comparison+ inconsistent"),
        ("3", "sign", "/", "container . transfer- . comparison/ inconsistent"),
        ("3", "form", "yes", "container . transfer- . comparison+ consistent"),
        ("3", "form", "", "container . transfer- . comparison+"),
        ("3", "known", "B", "container . transfer- . comparison+ inconsistent B:B"),
        ("3", "new", "C", "container . transfer- . comparison+ inconsistent C:A"),
        ("1", "thing", "book", "container thing=book . transfer- . comparison+ inconsistent"),
        ("1", "who", "B", "container B . transfer- . comparison+ inconsistent"),
    ],
)
def test_a_changed_field_changes_its_part_of_the_line(
    part: str, field: str, value: str, line: str, visit: Visit
) -> None:
    app = visit("compose", study="composed", structure=LINE, part=part)
    kind = app.segmented_control if field in ("sign", "form") else app.selectbox
    kind(key=f"structure {field}").set_value(value).run()
    assert line_of(app) == line


def test_a_distractor_is_switched_on_and_off(visit: Visit) -> None:
    line = "container . container . transfer-"
    app = visit("compose", study="composed", structure=line, part="2")
    app.toggle(key="structure distractor").set_value(True).run()
    assert line_of(app) == "container . container distractor . transfer-"
    app.toggle(key="structure distractor").set_value(False).run()
    assert line_of(app) == line


def test_another_kind_keeps_what_still_means_something(visit: Visit) -> None:
    app = visit(
        "compose", study="composed", part="2",
        structure="container . comparison+ inconsistent B:A thing=book . transfer-",
    )  # fmt: skip
    app.selectbox(key="structure kind").set_value("transfer").run()
    assert line_of(app) == "container . transfer+ thing=book . transfer-"


def test_a_typed_line_changes_the_sentences(built: AppTest) -> None:
    built.text_input(key="address structure").set_value("container . rate/").run()
    assert built.radio[0].options[-1].endswith("packed into boxes, so many to a box.")
    assert built.query_params["structure"] == "container . rate/"


def test_somebody_compared_with_themselves_is_refused_where_it_was_chosen(visit: Visit) -> None:
    app = visit("compose", study="composed", structure=LINE, part="3")
    app.selectbox(key="structure known").set_value("B").run()
    (error,) = app.error
    assert "B is compared with themselves." in error.value
    assert "<mark>comparison+ inconsistent B:B</mark>" in words(app)
    assert app.button(key="run").disabled
    app.selectbox(key="structure known").set_value("A").run()
    assert not app.error
    assert line_of(app) == "container . transfer- . comparison+ inconsistent B:A"


def test_a_line_that_cannot_be_read_is_kept_as_typed_with_the_place_marked(
    built: AppTest,
) -> None:
    built.text_input(key="address structure").set_value("container . transfr- . rate").run()
    assert line_of(built) == "container . transfr- . rate"
    assert "<mark>transfr</mark>" in words(built)
    assert "Did you mean transfer?" in built.error[0].value
    built.button(key="structure go").click().run()
    built.text_input(key="structure unread").set_value("comparison-").run()
    assert line_of(built) == "container . comparison- . rate"
    assert not built.error


def test_an_empty_line_says_what_to_begin_with(built: AppTest) -> None:
    built.text_input(key="address structure").set_value(" . ").run()
    assert "The line is empty" in built.error[0].value
    built.button(key="structure add container").click().run()
    built.button(key="structure add comparison").click().run()
    assert line_of(built) == "container . comparison"
    assert not built.error


def test_hostile_text_in_a_line_stays_text(visit: Visit) -> None:
    app = visit("compose", study="composed", structure="container . <script>alert(1)</script>")
    assert "<script>" not in app.error[0].value.replace("\\<script\\>", "")
    assert "&lt;script&gt;" in "".join(element.proto.body for element in app.get("html"))


@pytest.mark.parametrize(
    "structure",
    ["container . transfer-", "container . comparison*", "container . rate/", LINE],
)
@pytest.mark.parametrize("diagnosable", ["no", "yes"])
def test_an_example_is_always_there(structure: str, diagnosable: str, visit: Visit) -> None:
    app = visit(
        "compose", study="composed", structure=structure, diagnosable=diagnosable,
        treatment="number-size",
    )  # fmt: skip
    assert "Right answer: <b>" in words(app)


def test_a_treatment_that_would_change_two_things_says_which_beside_it(visit: Visit) -> None:
    app = visit(
        "compose", study="composed", treatment="number-size", structure="container . comparison*"
    )
    assert "carries would change too" in app.error[0].value
    offered = app.selectbox(key="address treatment").options
    assert "Small or large numbers – not with this structure" in offered
    assert app.button(key="run").disabled


def test_every_treatment_tells_what_it_asks_and_names_the_arms(visit: Visit) -> None:
    app = visit("compose", study="composed", structure=LINE, treatment="question-wording")
    assert "Does it matter whether a problem asks “How many …?”" in words(app)
    assert not app.error


def test_the_sentence_to_change_is_chosen_by_its_words(visit: Visit) -> None:
    line = "container . comparison+ . comparison+"
    app = visit("compose", study="composed", structure=line)
    options = app.selectbox(key="address sentence").options
    assert options[2] == "2. B has some more apples than A."
    app.selectbox(key="address sentence").set_value("3").run()
    assert app.query_params["sentence"] == "3"
    assert not app.error


def test_diagnosable_numbers_show_what_each_way_of_going_wrong_answers(visit: Visit) -> None:
    app = visit(
        "compose", study="composed", structure="container . comparison+ . transfer-",
        diagnosable="yes", numbers="2-60",
    )  # fmt: skip
    (box,) = [each for each in app.expander if "error model" in each.label]
    (table,) = box.get("table")
    assert isinstance(table, Table)
    shown = table.value.to_numpy().tolist()
    named = {row[0] for row in shown}
    assert {"Reversing the comparison", "Adding all numbers"} <= named
    for column in (1, 2):
        answers = [row[column] for row in shown if row[column] != "–"]
        assert len(set(answers)) == len(answers) > 2


def test_ways_that_no_numbers_tell_apart_are_named_with_the_reason(visit: Visit) -> None:
    app = visit("compose", study="composed", structure="container . comparison-", diagnosable="yes")
    assert "Not distinguished" in words(app)
    assert "whatever the numbers" in words(app)
