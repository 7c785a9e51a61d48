"""Pictures show what the question says in words, and nothing else."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolmath.malrules.figures import (
    Bars,
    DrawnShape,
    Grid,
    Pictures,
    Ruler,
    as_svg,
    beside_figure,
    figure_of,
)
from schoolmath.malrules.forms import FORMS
from schoolmath.malrules.reading.problems import figure_in
from schoolmath.malrules.rules import rules
from schoolmath.problems.draws import Draws

rules()
WITH_PICTURES = sorted(name for name, form in FORMS.items() if hasattr(form, "figure"))
SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str, grade: int, seed: int):
    form = FORMS[name]
    low, high = form.grades
    return form.draw(Draws(f"figures {name} {seed}"), low + grade % (high - low + 1))


problems = st.builds(
    drawn, st.sampled_from(WITH_PICTURES), st.integers(0, 8), st.integers(0, 9_999)
)


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


def labels(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_charts_a_ruler_shapes_and_tables_have_pictures():
    kinds = {type(figure_of(drawn(name, 0, 1))) for name in WITH_PICTURES}
    assert kinds == {Bars, Pictures, Ruler, DrawnShape, Grid}
    assert len(WITH_PICTURES) >= 8


def test_a_form_without_one_has_none():
    assert figure_of(drawn("ColumnSubtraction", 0, 1)) is None


@given(problems)
def test_the_question_tells_every_number_of_its_picture(problem):
    figure = figure_of(problem)
    assert numbers_in(figure.words) <= numbers_in(problem.stem())


@given(problems)
def test_no_picture_gives_the_answer_away(problem):
    answer = problem.solve().answer.shown
    if answer not in numbers_in(problem.stem()):
        assert answer not in numbers_in(figure_of(problem).words)
        # On a ruler the marks beside the thing have their numbers.
        shown = labels(as_svg(figure_of(problem)))
        assert answer not in shown or isinstance(figure_of(problem), Ruler)


@given(problems)
def test_the_drawing_is_a_file_of_its_own_with_its_words_as_title(problem):
    figure = figure_of(problem)
    root = ElementTree.fromstring(as_svg(figure))
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == figure.words


@given(problems)
def test_nothing_is_drawn_outside_the_sheet(problem):
    root = ElementTree.fromstring(as_svg(figure_of(problem)))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert width <= 700
    for box in root.iter(f"{SVG}rect"):
        at = {name: float(box.attrib[name]) for name in ("x", "y", "width", "height")}
        assert at["x"] >= 0
        assert at["y"] >= 0
        assert at["x"] + at["width"] <= width + 0.01
        assert at["y"] + at["height"] <= height + 0.01


@given(problems)
def test_a_question_gets_its_own_picture_and_a_changed_one_gets_none(problem):
    stem = problem.stem()
    assert figure_in(stem) == figure_of(problem)
    assert figure_in(stem + " Explain.") is None


def test_bars_are_as_high_as_their_lines():
    svg = as_svg(Bars(("oaks", "pines"), (2, 5), 10))
    heights = [float(b.attrib["height"]) for b in ElementTree.fromstring(svg).iter(f"{SVG}rect")]
    assert heights[2] / heights[1] == pytest.approx(5 / 2)
    assert labels(svg) == ["0", "10", "oaks", "pines"]


def test_a_row_of_a_pictogram_has_as_many_pictures_as_it_says():
    svg = as_svg(Pictures(("cats", "dogs"), (3, 7), 5))
    boxes = list(ElementTree.fromstring(svg).iter(f"{SVG}rect"))
    assert len(boxes) == 1 + 3 + 7 + 1


def test_a_thing_lies_between_the_marks_that_are_told():
    root = ElementTree.fromstring(as_svg(Ruler(3, 9, "pencil")))
    marks = {each.text: float(each.attrib["x"]) for each in root.iter(f"{SVG}text")}
    _, thing, _ = root.iter(f"{SVG}rect")
    assert float(thing.attrib["x"]) == pytest.approx(marks["3"])
    assert float(thing.attrib["x"]) + float(thing.attrib["width"]) == pytest.approx(marks["9"])


def test_words_are_escaped():
    svg = as_svg(Grid(("", "<b>"), (("&", "1"),)))
    assert "<b>" not in svg
    assert labels(svg) == ["", "<b>", "&", "1"]


@pytest.mark.parametrize("question", ["", "52 - 17", "A poem about bars.", "x" * 9_000])
def test_a_question_of_somebody_else_has_no_picture(question):
    assert figure_in(question) is None


def test_a_table_needs_a_cell_for_each_column():
    with pytest.raises(ValueError, match="as many cells"):
        Grid(("x", "1"), (("y",),))


class TestTheQuestionBesideItsPicture:
    @given(problem=problems)
    def test_tells_none_of_the_numbers_that_the_picture_shows(self, problem):
        assert numbers_in(beside_figure(problem)) == set()

    @given(problem=problems)
    def test_asks_what_is_asked_in_words(self, problem):
        beside = beside_figure(problem)
        asked = problem.stem().rpartition(". ")[2]
        # Of a table with an empty place the place is asked for, not the number of its name.
        assert asked in beside or type(problem).__name__ in {"ProportionalTable", *SHOWN_SIDES}
        assert beside.endswith("?")

    @given(problem=problems)
    def test_with_the_picture_has_every_number_of_the_question_in_words(self, problem):
        figure = figure_of(problem)
        there = numbers_in(" ".join(labels(as_svg(figure)))) | numbers_in(figure.words)
        left = numbers_in(problem.stem()) - there - numbers_in(beside_figure(problem))
        # A total that the table adds up to, and the lines' own numbering, need not be told.
        assert not left or type(problem).__name__ in {"TwoWayTable", "BarChart"}


SHOWN_SIDES = {"Rectangle", "RightTriangle"}
"""Their last sentence names the figure by a pronoun or not."""
