"""The examples of the design for geometry and measurement, and what else its rules answer."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schoolmath.malrules import Answer, rules
from schoolmath.malrules.catalogue.geometry.angles import (
    PolygonAngleSum,
    StraightAngle,
    TriangleAngle,
)
from schoolmath.malrules.catalogue.geometry.circles import Circle, Cone, EnlargedCircle
from schoolmath.malrules.catalogue.geometry.coordinates import PointMoved, PointReading
from schoolmath.malrules.catalogue.geometry.measuring import (
    ElapsedTime,
    RulerReading,
    UnitConversion,
)
from schoolmath.malrules.catalogue.geometry.rectangles import (
    MeasuredRectangle,
    Rectangle,
    RectangleInUnits,
)
from schoolmath.malrules.catalogue.geometry.scaling import (
    EnlargedRectangle,
    SimilarRectangles,
    SimilarSides,
    SquareGrown,
)
from schoolmath.malrules.catalogue.geometry.solids import Box, EnlargedBox
from schoolmath.malrules.catalogue.geometry.triangles import RightTriangle, TriangleArea, write_root
from tests.loops import over

# Problem, rule, right answer, wrong answer: as the design has them.
EXAMPLES = [
    (Rectangle(7, 4), "GM01", "22", "28"),
    (Rectangle(7, 4), "GM02", "22", "11"),
    (TriangleArea(10, 6, 8), "GM03", "30", "60"),
    (TriangleArea(10, 6, 8), "GM04", "30", "40"),
    (EnlargedRectangle(3, 3, 2), "GM05", "36", "18"),
    (EnlargedBox(5, 2, 1, 3), "GM06", "270", "30"),
    (SquareGrown(3, 3), "GM07", "4", "2"),
    (SquareGrown(3, 3), "GM08", "4", "9"),
    (Circle(10, "diameter", "area"), "GM09", "25", "100"),
    (Circle(5, "radius", "area"), "GM10", "25", "10"),
    (RightTriangle(6, 8), "GM11", "10", "14"),
    (RightTriangle(6, 8), "GM12", "10", "100"),
    (RightTriangle(13, 5, "leg"), "GM13", "12", "sqrt(194)"),
    (TriangleAngle(50, 60), "GM14", "70", "250"),
    (StraightAngle(35), "GM15", "145", "55"),
    (PolygonAngleSum(6), "GM16", "720", "1080"),
    (Box(4, 3, 2), "GM17", "24", "9"),
    (Box(4, 3, 2), "GM18", "24", "26"),
    (Box(4, 3, 2), "GM19", "24", "52"),
    (Cone(3, 4, "radius"), "GM20", "12", "36"),
    (UnitConversion(Fraction(3), "m", "cm"), "GM21", "300", "0.03"),
    (UnitConversion(Fraction(2), "m2", "cm2"), "GM22", "20000", "200"),
    (ElapsedTime(110, 135), "GM23", "25", "65"),
    (RulerReading(3, 8), "GM24", "5", "8"),
    (PointReading(3, 5), "GM25", "(3, 5)", "(5, 3)"),
    (SimilarSides(3, 5, 9), "GM26", "15", "11"),
]

# The same ideas on other problems; several answers where a rule goes wrong in several ways.
FURTHER = [
    (Rectangle(7, 4, "area"), "GM01", "28", ["22"]),
    (MeasuredRectangle(2, 9, 1, 5), "GM24", "22", ["28", "26"]),
    (MeasuredRectangle(2, 9, 1, 5), "GM02", "22", ["11"]),
    (RectangleInUnits(3, 2, asked="perimeter"), "GM21", "1000", ["0.1"]),
    (RectangleInUnits(3, 2, asked="perimeter"), "GM22", "1000", []),
    (RectangleInUnits(3, 2, asked="area"), "GM22", "60000", ["600"]),
    (EnlargedRectangle(3, 3, 2), "GM26", "36", ["25"]),
    (SimilarRectangles(4, 6, 8), "GM26", "96", ["80"]),
    (SimilarRectangles(4, 6, 8), "GM05", "96", ["48"]),
    (SimilarRectangles(4, 6, 8, "perimeter"), "GM05", "40", []),
    (SquareGrown(3, 3), "GM26", "4", ["27"]),
    (EnlargedBox(5, 2, 1, 3), "GM26", "270", ["160"]),
    (EnlargedBox(5, 2, 1, 3), "GM17", "270", ["24"]),
    (EnlargedCircle(10, 3), "GM05", "225", ["75"]),
    (EnlargedCircle(10, 3), "GM09", "225", ["900"]),
    (EnlargedCircle(5, 3, "radius"), "GM09", "225", []),
    (Circle(10, "diameter", "circumference"), "GM09", "10", ["20"]),
    (Circle(10, "diameter", "circumference"), "GM10", "10", ["25"]),
    (Cone(6, 4, "diameter"), "GM09", "12", ["48"]),
    (TriangleArea(10, 6, 8), "GM02", "30", ["18"]),
    (RightTriangle(6, 8, "perimeter"), "GM11", "24", ["28"]),
    (RightTriangle(6, 8, "perimeter"), "GM12", "24", ["114"]),
    (RightTriangle(6, 8, "perimeter"), "GM02", "24", ["14"]),
    (RightTriangle(5, 12, "perimeter"), "GM01", "30", ["30"]),
    (RightTriangle(13, 5, "leg"), "GM11", "12", ["8"]),
    (RightTriangle(13, 5, "leg"), "GM12", "12", ["144"]),
    (RightTriangle(6, 8), "GM13", "10", []),
    (TriangleAngle(50, 60), "GM15", "70", []),
    (TriangleAngle(30, 40), "GM15", "110", ["20"]),
    (TriangleAngle(50, 60), "GM16", "70", ["430"]),
    (StraightAngle(120), "GM15", "60", []),
    (PolygonAngleSum(6), "GM14", "720", ["360"]),
    (UnitConversion(Fraction(3), "m", "cm"), "GM22", "300", []),
    (ElapsedTime(110, 135), "GM24", "25", ["15", "30"]),
    (ElapsedTime(125, 135), "GM23", "10", []),
    (RulerReading(3, 8), "GM24", "5", ["8", "6"]),
    (RulerReading(3, 8, "mm"), "GM24", "50", ["80", "60"]),
    (RulerReading(3, 8, "mm"), "GM21", "50", ["0.5"]),
    (RulerReading(3, 8), "GM21", "5", []),
    (PointReading(4, 4), "GM25", "(4, 4)", []),
    (PointMoved(2, 5, 4, 1), "GM25", "(6, 6)", ["(9, 3)", "(3, 9)"]),
    (PointMoved(2, 5, 4, 1), "GM24", "(6, 6)", ["(5, 5)"]),
]


def answer(text: str) -> Answer:
    if text.startswith("sqrt"):
        return Answer.expression(text)
    return Answer.label(text) if text.startswith("(") else Answer.number(Fraction(text))


@over(("problem", "rule", "right", "wrong"), EXAMPLES)
def test_the_example_of_the_design(problem, rule, right, wrong):
    assert problem.solve().answer.same_as(answer(right))
    assert rules()[rule].run(problem)[0].answer.same_as(answer(wrong))


@over(("problem", "rule", "right", "wrong"), FURTHER)
def test_the_same_idea_elsewhere(problem, rule, right, wrong):
    assert problem.solve().answer.same_as(answer(right))
    found = [worked.answer for worked in rules()[rule].run(problem)]
    assert [each.value for each in found] == [answer(text).value for text in wrong]


@over("number", [1, 2, 8, 9, 12, 72, 180, 194, 200, 313, 1224, 5000])
def test_a_root_is_the_one_that_sympy_writes(number):
    found = write_root(number)
    expected = Answer.expression(f"sqrt({number})")
    assert str(found.value) == expected.value
    assert found.shown in (f"sqrt({number})", expected.value)


@over(
    ("make", "said"),
    [
        (lambda: Rectangle(0, 4), "length"),
        (lambda: Rectangle("7", 4), "length"),
        (lambda: Rectangle(7, True), "width"),
        (lambda: Rectangle(7, 4, "volume"), "asked"),
        (lambda: MeasuredRectangle(5, 5, 1, 2), "later mark"),
        (lambda: RectangleInUnits(3, 2, "km", "cm"), "no change"),
        (lambda: TriangleArea(10, 6, 6), "longer than the height"),
        (lambda: RightTriangle(6, 7), "whole number"),
        (lambda: RightTriangle(5, 13, "leg"), "longer than the leg"),
        (lambda: TriangleAngle(90, 90), "less than 180"),
        (lambda: StraightAngle(180), "angle"),
        (lambda: PolygonAngleSum(2), "corners"),
        (lambda: Box(4, 3, 2.0), "height"),
        (lambda: EnlargedBox(4, 3, 2, 1), "factor"),
        (lambda: Circle(5, "width"), "given"),
        (lambda: ElapsedTime(135, 110), "later"),
        (lambda: UnitConversion(3, "m", "cm"), "fraction"),
        (lambda: UnitConversion(Fraction(1, 3), "m", "cm"), "decimal"),
        (lambda: UnitConversion(Fraction(3), "cm", "g"), "no change"),
        (lambda: PointMoved(1, 2, 0, 0), "move"),
        (lambda: SquareGrown(3, 3, "circle"), "thing"),
    ],
)
def test_nonsense_is_refused_with_the_reason(make, said):
    with pytest.raises(ValueError, match=said):
        make()
