"""An example for each rule of the forms that bank 4 deals, worked out by hand: right and wrong."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from schoolmath.malrules import FORMS, rules
from schoolmath.malrules.library import load
from tests.loops import over

EXAMPLES: list[tuple[str, str, tuple[Any, ...], str, str]] = [
    # Geometry and measurement
    ("GM01", "Parallelogram", (7, 9, 5), "35", "32"),
    ("GM01", "LShape", ("area", 10, 11, 2, 8), "94", "42"),
    ("GM01", "LShape", ("perimeter", 10, 11, 2, 8), "42", "94"),
    ("GM14", "IsoscelesAngle", (140,), "20", "110"),
    ("GM77", "Trapezium", (4, 8, 9), "54", "36"),
    ("GM78", "MissingSide", ("perimeter", 36, 6), "12", "6"),
    ("GM78", "MissingSide", ("area", 36, 4), "9", "14"),
    ("GM79", "MissingSide", ("perimeter", 38, 12), "7", "19"),
    ("GM80", "BorderPath", (1, 13, 8), "150", "146"),
    ("GM81", "BorderPath", (1, 13, 8), "150", "104"),
    ("GM82", "Rectangle", (5, 3, "perimeter"), "16", "30"),
    ("GM82", "Rectangle", (5, 3, "area"), "15", "30"),
    ("GM83", "TriangleAngle", (30, 50), "100", "80"),
    ("GM83", "AnglesAtPoint", (42, 77), "241", "119"),
    ("GM84", "TriangleAngle", (30, 50), "100", "150"),
    ("GM84", "AnglesAtPoint", (42, 77), "241", "318"),
    ("GM85", "PolygonAngleSum", (5,), "540", "360"),
    ("GM86", "Semicircle", (5,), "5 pi + 10", "10 pi + 10"),
    ("GM87", "Semicircle", (5,), "5 pi + 10", "5 pi + 5"),
    ("GM88", "TimeLater", (85, 580), "11:05", "9:05"),
    ("GM89", "TimeLater", (85, 580), "11:05", "8:15"),
    ("GM90", "ScaleReading", (280, 320, 5, 1), "288", "8"),
    ("GM91", "LShape", ("area", 10, 11, 2, 8), "94", "126"),
    ("GM92", "ElapsedTime", (530, 665), "135", "225"),
    ("GM93", "SquareFromPerimeter", (36,), "81", "9"),
    ("GM94", "SquareFromPerimeter", (36,), "81", "324"),
    ("GM95", "SquareFromPerimeter", (36,), "81", "18"),
    ("GM96", "TilesOnFloor", (2, 8, 6), "12", "24"),
    ("GM97", "TilesOnFloor", (2, 8, 6), "12", "48"),
    ("GM98", "TilesOnFloor", (2, 8, 6), "12", "7"),
    # Number and operation
    ("NO214", "Recipe", (6, 9, "eggs", 8), "12", "72"),
    ("NO215", "Recipe", (6, 9, "eggs", 8), "12", "18"),
    ("NO216", "RatioDifference", (5, 9, 44), "55", "99"),
    ("NO217", "InverseProportion", (6, 10, 12), "5", "60"),
    ("NO218", "Speed", (132, 2, 12), "60", "66"),
    ("NO219", "Speed", (132, 2, 12), "60", "1"),
    ("NO220", "StandardForm", (Fraction("1.9"), 3), "1900", "57"),
    ("NO226", "StandardForm", (Fraction("1.9"), 3), "1900", "0.0019"),
    ("NO226", "StandardForm", (Fraction("1.9"), -3), "0.0019", "1900"),
    ("NO221", "Bounds", (Fraction("0.42"), Fraction("0.01")), "0.425", "0.415"),
    ("NO222", "RoundedSubtraction", (71, 49), "22", "21"),
    ("NO227", "RoundedSubtraction", (71, 49), "22", "30"),
    ("NO223", "FractionOnLine", (2, 3, 2), "2/3", "2/4"),
    ("NO224", "FractionOnLine", (1, 3, 2), "1/3", "2/3"),
    ("NO225", "PercentOf", (30, 80), "24", "50"),
    ("NO228", "UnequalParts", (7, "red"), "1/14", "1/7"),
    ("NO229", "UnequalParts", (7, "red"), "1/14", "2/7"),
    # Algebra
    ("AL17", "MatchPattern", (10,), "31", "34"),
    ("AL79", "MatchPattern", (10,), "31", "30"),
    ("AL80", "GeometricNext", (5, 2), "40", "25"),
    ("AL81", "GeometricNext", (5, 2), "40", "22"),
    ("AL82", "CompositeFunction", (5, 7, 4, 1, 6), "132", "25"),
    ("AL83", "InverseFunction", (4, 4, 40), "9", "164"),
    ("AL84", "PerpendicularSlope", (-4, 3), "1/4", "-4"),
    ("AL85", "MissingFactor", (6, 42), "7", "252"),
    ("AL86", "MissingFactor", (6, 42), "7", "36"),
    ("AL87", "MissingFactor", (6, 42), "7", "8"),
    ("AL87", "MissingFactor", (6, 42), "7", "6"),
    ("AL88", "NextInPattern", (6, 4), "22", "4"),
    ("AL88", "MissingInPattern", (6, 4), "14", "4"),
    ("AL89", "NextInPattern", (6, 4), "22", "19"),
    ("AL89", "MissingInPattern", (6, 4), "14", "11"),
    ("AL90", "NextInPattern", (6, 4), "22", "26"),
    ("AL91", "NextInPattern", (6, 4), "22", "32"),
    ("AL91", "MissingInPattern", (6, 4), "14", "16"),
    ("AL92", "InputOutput", (4, (3, 5, 6), 9), "36", "18"),
    ("AL93", "InputOutput", (4, (3, 5, 6), 9), "36", "28"),
    ("AL94", "InputOutput", (4, (3, 5, 6), 9), "36", "27"),
    ("AL95", "MissingAddend", (27, 64), "37", "91"),
    ("AL96", "MissingAddend", (27, 64), "37", "38"),
    ("AL97", "MissingAddend", (27, 64), "37", "64"),
    ("AL98", "MachineBackwards", (2, 4, 20), "8", "44"),
    ("AL99", "MachineBackwards", (2, 4, 20), "8", "16"),
    ("AL100", "MachineBackwards", (2, 4, 20), "8", "6"),
    # Data analysis
    ("DA06", "RangeOfList", ((3, 11, 5, 4),), "8", "7"),
    ("DA32", "MeanAfterOneMore", (4, 39, 19), "35", "43.75"),
    ("DA33", "MeanAfterOneMore", (4, 39, 19), "35", "39"),
    ("DA34", "PieChart", (96, 150), "40", "56"),
    ("DA35", "DistanceTimeGraph", (4, 16, 8, 10, 24), "4", "0.25"),
]


@over(("rule", "form", "fields", "right", "wrong"), EXAMPLES, ids=lambda value: str(value)[:24])
def test_an_example_comes_out_as_worked_by_hand(rule, form, fields, right, wrong):
    load()
    problem = FORMS[form](*fields)
    assert problem.solve().answer.shown == right
    assert wrong in {worked.answer.shown for worked in rules()[rule].run(problem)}
