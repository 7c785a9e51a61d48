"""Any problem in: what people type becomes the typed problem that it is, or is refused."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schoolmath.malrules import NotDrawn
from schoolmath.malrules.catalogue.algebra.like_terms_and_brackets import BracketExpansion
from schoolmath.malrules.catalogue.data.averages import MeanOfList, MedianOfList
from schoolmath.malrules.catalogue.equations.linear_equations import LinearEquation
from schoolmath.malrules.catalogue.equations.slopes import SlopeOfPoints
from schoolmath.malrules.catalogue.fractions.arithmetic import FractionSum
from schoolmath.malrules.catalogue.fractions.percents import PercentOf
from schoolmath.malrules.catalogue.geometry.measuring import UnitConversion
from schoolmath.malrules.catalogue.geometry.rectangles import Rectangle
from schoolmath.malrules.catalogue.numbers.column_subtraction import ColumnSubtraction
from schoolmath.malrules.catalogue.numbers.columns import (
    ColumnAddition,
    ColumnMultiplication,
    DecimalSum,
)
from schoolmath.malrules.catalogue.numbers.division import Division
from schoolmath.malrules.catalogue.numbers.order_of_operations import OperationChain
from schoolmath.malrules.catalogue.numbers.rounding import Rounding
from schoolmath.malrules.catalogue.numbers.signed_numbers import SignedSum
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.forms import Form
from schoolmath.malrules.library import all_forms
from schoolmath.malrules.reading import UnreadProblem, read_problem
from schoolmath.malrules.reading.given_answers import read_given
from schoolmath.malrules.reading.patterns import worked_patterns
from schoolmath.malrules.reading.ways import ways_of_writing
from schoolmath.problems.draws import Draws
from tests.loops import over


def meant(text: str) -> list[Form]:
    """Every problem that a text may mean."""
    return [problem for group in read_problem(text).meanings for problem in group]


@over("name", [name for name in all_forms() if name != "Story"])
def test_what_a_form_prints_is_read_as_the_problem_that_it_is(name: str) -> None:
    form = all_forms()[name]
    for index in range(8):
        try:
            problem = form.draw(Draws(f"reading/{index}"), form.grades[index % 2])
        except NotDrawn:
            continue
        same = [each for each in meant(problem.stem()) if isinstance(each, form)]
        # Names that stand nowhere in the text are the only thing that may differ.
        assert [each.stem() for each in same] == [problem.stem()]
        assert same[0].solve() == problem.solve()


@over(
    ("text", "problem"),
    [
        ("52 - 17", ColumnSubtraction(52, 17)),
        ("52−17=", ColumnSubtraction(52, 17)),
        ("52 – 17 = ?", ColumnSubtraction(52, 17)),
        ("1,204 - 398 = ___", ColumnSubtraction(1204, 398)),
        ("Subtract 17 from 52.", ColumnSubtraction(52, 17)),
        ("  431\n- 163\n-----\n", ColumnSubtraction(431, 163)),
        ("  46\n+  3", ColumnAddition(46, 3)),
        ("306 x 4", ColumnMultiplication(306, 4)),
        ("74 : 2", Division(74, 2)),
        ("74 divided by 2", Division(74, 2)),
        ("1/2 + 1/3", FractionSum(1, 2, 1, 3)),
        ("½ + ⅓ =", FractionSum(1, 2, 1, 3)),
        (r"\( \frac{1}{2}+\frac{1}{3} \)", FractionSum(1, 2, 1, 3)),
        ("24,8 + 2,26", DecimalSum(Fraction("24.8"), Fraction("2.26"))),
        ("30 % of 80", PercentOf(30, 80)),
        ("What is 30 percent of 80?", PercentOf(30, 80)),
        ("-6 + -8", SignedSum(-6, -8, False)),
        ("20 - 4 + 6", OperationChain((20, 4, 6), ("-", "+"))),
        ("2 + 3 * 4", OperationChain((2, 3, 4), ("+", "×"))),
        ("solve for x: 3x+12=33", LinearEquation(3, 12, 0, 33)),
        ("33 = 12 + 3x", LinearEquation(3, 12, 0, 33)),
        ("3y + 12 = 33", LinearEquation(3, 12, 0, 33)),
        ("20 - x = 8", LinearEquation(-1, 20, 0, 8)),
        ("Expand 3(x + 4)", BracketExpansion(0, 3, 4)),
        ("Find the median of 4, 8, 6, 2", MedianOfList((4, 8, 6, 2), "plain")),
        ("the average of 3, 5, 9 and 7", MeanOfList((3, 5, 9, 7), "plain")),
        ("Round 3472 to the nearest hundred", Rounding(3472, 100)),
        ("3 m in cm", UnitConversion(Fraction(3), "m", "cm")),
        ("Find the area of a rectangle with length 12 cm and width 5 cm",
         Rectangle(12, 5, "area", "rectangle")),
        ("mean of 24 28 25 24 29", MeanOfList((24, 28, 25, 24, 29), "plain")),
        ("round 3 672 to the nearest 100", Rounding(3672, 100)),
        ("What is the perimeter of a 7 by 4 rectangle?", Rectangle(7, 4, "perimeter", "rectangle")),
        ("slope through (1,2) and (5,10)", SlopeOfPoints(1, 2, 5, 10)),
        ("What is the slope of the line through (4, 6) and (7, 15)?", SlopeOfPoints(4, 6, 7, 15)),
    ],
)  # fmt: skip
def test_many_ways_of_writing_are_read(text: str, problem: Form) -> None:
    assert [each.stem() for each in meant(text) if isinstance(each, type(problem))] == [
        problem.stem()
    ]


MINUS = st.sampled_from(["-", "−", "–", "-"])
SPACE = st.sampled_from(["", " ", "  ", "\u00a0"])
START = st.sampled_from(
    ["", "What is ", "Work out ", "calculate: ", "Please work out ", "How much is ", "Evaluate "]
)
END = st.sampled_from(["", "=", " =", " = ?", "=?", "?", " = ___", "."])


@given(
    st.integers(2, 99_999), st.integers(1, 99_998), START, MINUS, SPACE, SPACE, END, st.booleans()
)
@example(1204, 398, "", "−", "", "", "=", True)
def test_a_difference_is_the_same_however_it_is_written(
    one: int, other: int, start: str, minus: str, before: str, after: str, end: str, commas: bool
) -> None:
    if one == other:
        return
    top, bottom = max(one, other), min(one, other)
    shown = [f"{each:,}" if commas else str(each) for each in (top, bottom)]
    text = f"{start}{shown[0]}{before}{minus}{after}{shown[1]}{end}"
    assert ColumnSubtraction(top, bottom) in meant(text)


@given(st.integers(1, 99_999), st.integers(1, 99_999), st.integers(0, 4), st.booleans())
def test_numbers_in_columns_are_a_sum(one: int, other: int, indent: int, line: bool) -> None:
    width = max(len(str(one)), len(str(other))) + 2 + indent
    text = f"{one:>{width}}\n+{other:>{width - 1}}\n" + ("-" * width if line else "")
    assert ColumnAddition(one, other) in meant(text)


@given(
    st.lists(st.integers(0, 999), min_size=3, max_size=9),
    st.sampled_from([", ", ",", " , "]),
    st.booleans(),
)
def test_a_list_is_the_same_with_or_without_an_and(
    values: list[int], comma: str, joined: bool
) -> None:
    shown = comma.join(map(str, values[:-1])) + (" and " if joined else comma) + str(values[-1])
    if comma == "," and any(len(str(value)) == 3 for value in values):
        return  # 1,234 is a number.
    assert MeanOfList(tuple(values), "plain") in meant(f"What is the mean of {shown}?")


@given(st.integers(2, 40), st.integers(-40, 40), st.integers(-99, 99), st.sampled_from("xyznp"))
def test_an_equation_is_the_same_with_any_letter_and_spacing(
    factor: int, constant: int, right: int, letter: str
) -> None:
    sign = "-" if constant < 0 else "+"
    middle = f"{sign}{abs(constant)}" if constant else ""
    text = f"Solve for {letter}: {factor}{letter}{middle}={right}"
    assert LinearEquation(factor, constant, 0, right) in meant(text)


def test_one_question_that_two_forms_look_at_is_one_meaning() -> None:
    (group,) = read_problem("52 - 17").meanings
    assert {type(each) for each in group} == {ColumnSubtraction, SignedSum}


def test_a_story_is_read_in_its_own_words_or_in_plainer_ones() -> None:
    plain = "Ana has 15 pens. Ana has 6 more pens than Ben. How many pens does Ben have?"
    read = read_problem(plain)
    assert isinstance(read.meanings[0][0], Story)
    assert read.as_read == ""
    retold = read_problem("There were 12 birds on a tree. 5 flew away. How many birds are left?")
    assert retold.meanings[0][0].solve().answer.value == 7
    assert retold.as_read


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no problem"),
        ("hello", "no number"),
        ("5 & 7", "no problem that can be read"),
        ("1/0 + 2", "A number is missing"),
        ("9^9^9", "An exponent is a whole number up to 6"),
        ("x" * 3000, "3,000 signs"),
        ("The area of the moon is 38 million square kilometres and that is a lot", "as a story"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(UnreadProblem, match=reason):
        read_problem(text)


@given(st.text(max_size=60))
@example("½²√(((((-")
@example("1/0 + 2/0")
@example("\\frac{1}{0} + 1/2")
@example("12:99 to 3:60")
@example("9" * 400 + " + 1")
def test_no_text_whatever_ends_in_anything_but_a_reading_or_a_reason(text: str) -> None:
    reason = ""
    try:
        assert read_problem(text).meanings
    except UnreadProblem as refused:
        reason = str(refused)
    assert not reason or reason.endswith(".")


def test_every_example_of_a_way_of_writing_gives_one_pattern() -> None:
    examples = list(ways_of_writing())
    # A number that stands in two places would be refused, one that stands nowhere give no pattern.
    assert len(worked_patterns(examples)) == len(examples)


def test_a_right_answer_is_right_with_its_powers_in_superscript() -> None:
    raised = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
    wrong, tried = [], 0
    for name, form in all_forms().items():
        draws = Draws(f"superscripts {name}")
        for index in range(8):
            try:
                problem = form.draw(draws, form.grades[index % 2])
            except NotDrawn:
                continue
            right = problem.solve().answer
            said = re.sub(r"\^(-?\d+)", lambda power: power[1].translate(raised), right.shown)
            if said != right.shown:
                tried += 1
                given = read_given(said, right, ())
                wrong += [] if given is not None and given.same_as(right) else [f"{name}: {said}"]
    assert not wrong
    assert tried > 40
