"""Examples of the literature on forms that are read and diagnosed: right and wrong, as written."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from biaslab.malrules import FORMS, rules
from biaslab.malrules.library import all_forms


def d(text: str) -> Fraction:
    """A decimal as it is written."""
    return Fraction(text)


EXAMPLES: list[tuple[str, str, tuple[Any, ...], str, str]] = [
    # Whole numbers
    ("NO102", "TableFact", (7, 8), "56", "49"),
    ("NO168", "TableFact", (7, 8), "56", "15"),
    ("NO169", "TableFact", (6, 1), "6", "1"),
    ("NO103", "TensProduct", (40, 30), "1200", "120"),
    ("NO104", "DigitValue", (4, 3472), "400", "4"),
    ("NO173", "DigitValue", (4, 3472), "400", "40"),
    ("NO174", "TenMore", (10, 395), "405", "3105"),
    ("NO175", "RoundedSubtraction", (52, 29), "23", "21"),
    ("NO105", "RemainderDivision", (17, 5), "3 2/5", "3.2"),
    ("NO170", "RemainderDivision", (17, 5), "3 2/5", "3 2/17"),
    ("NO106", "RemainderDivision", (74, 3), "24 2/3", "21"),
    ("NO171", "DivisionByZero", (6,), "not possible", "0"),
    ("NO172", "DivisionByZero", (6,), "not possible", "6"),
    ("NO111", "PrimesIn", ((1, 2, 11, 12),), "2, 11", "1, 2, 11"),
    ("NO176", "PrimesIn", ((2, 9, 11, 12),), "2, 11", "9, 11"),
    ("NO177", "CommonMultiple", (6, 8), "24", "48"),
    ("NO178", "CommonMultiple", (6, 8), "24", "2"),
    ("NO179", "CommonFactor", (12, 18), "6", "2"),
    ("NO178", "CommonFactor", (12, 18), "6", "36"),
    # Signs, brackets, powers and roots
    ("NO140", "SignedCompare", (-8, -3), "-3", "-8"),
    ("NO180", "SignedDistance", (-3, 5), "8", "2"),
    ("NO141", "SignedPower", (-5, 2), "25", "-25"),
    ("NO181", "SignedPower", (-2, 3), "-8", "8"),
    ("NO182", "SignedQuotient", (-24, 6), "-4", "4"),
    ("NO142", "BracketProduct", (3, 4, 5), "27", "17"),
    ("NO143", "QuotientChain", (24, 6, 2), "2", "8"),
    ("NO183", "SquaredSum", (2, 3), "25", "11"),
    ("NO153", "PowerProduct", (2, 3, 4), "2^7", "4^7"),
    ("NO154", "FractionalPower", (16, 2), "4", "8"),
    ("NO202", "CubeRoot", (27,), "3", "9"),
    ("NO156", "Surd", (8,), "2√2", "4√2"),
    ("NO203", "SurdDifference", (5, 2), "4√2", "5"),
    ("NO204", "SurdTimes", (3, 2), "3√2", "√6"),
    # Decimals
    ("NO115", "DecimalQuotient", (d("4.8"), d("0.6")), "8", "0.8"),
    ("NO116", "DecimalQuotient", (d("6"), d("0.5")), "12", "3"),
    ("NO117", "PowerOfTenShift", (d("30.5"), 10, True), "3.05", "3.5"),
    ("NO118", "PowerOfTenShift", (d("2.5"), 100, False), "250", "25"),
    ("NO119", "PowerOfTenShift", (d("36.4"), 10, True), "3.64", "364"),
    ("NO120", "DecimalAsFraction", (d("0.4"),), "2/5", "1/4"),
    ("NO162", "DecimalAsFraction", (d("0.07"),), "7/100", "7/10"),
    ("NO122", "DecimalNext", (d("0.9"),), "1", "0.10"),
    ("NO123", "Between", (d("0.3"), d("0.4")), "infinitely many", "0"),
    ("NO163", "Between", (d("0.3"), d("0.4")), "infinitely many", "9"),
    ("NO155", "StandardForm", (d("3.4"), 4), "34000", "340000"),
    ("NO164", "StandardForm", (d("3.4"), -3), "0.0034", "0.00034"),
    ("NO109", "SignificantFigures", (d("0.0408"), 2), "0.041", "0.04"),
    ("NO110", "Bounds", (d("8.4"), d("0.1")), "8.45", "8.5"),
    ("NO166", "Bounds", (d("8.4"), d("0.1")), "8.45", "8.44"),
    ("NO167", "BoundsOfDifference", (50, 20, 10), "40", "30"),
    # Fractions
    ("NO128", "MixedProduct", (2, 1, 2, 3, 1, 3), "8 1/3", "6 1/6"),
    ("NO184", "FractionByWhole", (6, 8, 2), "3/8", "3/4"),
    ("NO185", "WholePlusFraction", (3, 1, 4), "3 1/4", "4/4"),
    ("NO131", "MissingNumerator", (3, 4, 12), "9", "11"),
    ("NO186", "MissingNumerator", (3, 4, 12), "9", "3"),
    ("NO187", "ImproperToMixed", (17, 5), "3 2/5", "2 3/5"),
    ("NO188", "ImproperToMixed", (17, 5), "3 2/5", "1 7/5"),
    ("NO132", "ShadedFraction", (3, 8), "3/8", "3/5"),
    ("NO133", "UnequalParts", (2, "shaded"), "1/4", "1/3"),
    ("NO136", "FractionOnLine", (1, 3, 2), "1/3", "2/3"),
    # Percent and ratio
    ("NO145", "WhatPercent", (12, 48), "25%", "12%"),
    ("NO146", "WhatPercent", (12, 48), "25%", "5.76"),
    ("NO189", "WhatPercent", (12, 48), "25%", "400%"),
    ("NO190", "WhatPercent", (12, 48), "25%", "36%"),
    ("NO147", "PercentBase", (12, 25), "48", "3"),
    ("NO191", "PercentBase", (12, 25), "48", "15"),
    ("NO149", "PercentChange", (40, 50, "rises"), "25%", "20%"),
    ("NO192", "PercentChange", (40, 50, "rises"), "25%", "10%"),
    ("NO193", "PercentChange", (40, 50, "rises"), "25%", "125%"),
    ("NO194", "IncreaseBy", ("Increase", 80, 5), "84", "120"),
    ("NO195", "IncreaseBy", ("Decrease", 80, 20), "64", "16"),
    ("NO196", "FractionAsPercent", (1, 5), "20%", "5%"),
    ("NO197", "FractionAsPercent", (3, 8), "37.5%", "38%"),
    ("NO150", "RatioDifference", (3, 5, 16), "24", "6"),
    ("NO198", "RatioDifference", (3, 5, 16), "24", "48"),
    ("NO151", "Recipe", (6, 4, "eggs", 15), "10", "11"),
    ("NO152", "InverseProportion", (4, 6, 8), "3", "12"),
    ("NO199", "InverseProportion", (4, 6, 8), "3", "2"),
    ("NO200", "Speed", (78, 1, 30), "52", "60"),
    ("NO201", "Speed", (60, 1, 30), "40", "0.025"),
    # Algebra
    ("AL36", "LetterPowerSum", (3, 4), "x^3 + x^4", "x^7"),
    ("AL41", "QuotientEquation", (4, 12), "48", "3"),
    ("AL42", "NegatedUnknown", (5,), "-5", "5"),
    ("AL58", "FractionEquation", (2, 3, 12), "18", "8"),
    ("AL43", "QuotientSumEquation", (3, 2, 8), "18", "22"),
    ("AL59", "NegativeProduct", (4, -12), "-3", "3"),
    ("AL49", "Simultaneous", (3, 10, 1, "-", 2), "3", "4"),
    ("AL60", "Simultaneous", (2, 11, 1, "+", 7), "4", "6"),
    ("AL61", "Simultaneous", (2, 11, 1, "+", 7), "4", "1"),
    ("AL62", "Simultaneous", (2, 11, 1, "+", 7), "4", "3"),
    ("AL47", "QuadraticRoots", (-3, 5), "3, -5", "5, -3"),
    ("AL48", "SquareEqualsMultiple", (5,), "5, 0", "5"),
    ("AL50", "IntegerSolutions", (-2, 3), "5", "6"),
    ("AL63", "IntegerSolutions", (-2, 3), "5", "4"),
    ("AL45", "DoubleBracket", (3, 4), "x^2 + 7x + 12", "x^2 + 12"),
    ("AL64", "DoubleBracket", (3, 4), "x^2 + 7x + 12", "x^2 + 7x + 7"),
    ("AL65", "DoubleBracket", (-3, -4), "x^2 - 7x + 12", "x^2 - 7x - 12"),
    ("AL66", "DoubleBracket", (3, 4), "x^2 + 7x + 12", "2x + 7"),
    ("AL46", "CommonFactorOut", (6, 9), "3(2x + 3)", "3(2x + 9)"),
    ("AL67", "DifferenceOfSquares", (3,), "(x + 3)(x - 3)", "(x - 3)(x - 3)"),
    ("AL68", "DifferenceOfSquares", (3,), "(x + 3)(x - 3)", "(x + 9)(x - 9)"),
    ("AL69", "FactoriseQuadratic", (-7, 12), "(x - 3)(x - 4)", "(x + 3)(x + 4)"),
    ("AL70", "FactoriseQuadratic", (7, 12), "(x + 3)(x + 4)", "(x + 2)(x + 6)"),
    ("AL71", "PowerOfTerm", (2, 3, 2), "4x^6", "2x^6"),
    ("AL72", "TermProduct", (3, 2, 4, 3), "12x^5", "7x^5"),
    ("AL56", "Intercept", (3, -6), "2", "-6"),
    ("AL73", "PerpendicularSlope", (2, 1), "-1/2", "-2"),
    ("AL74", "PerpendicularSlope", (2, 1), "-1/2", "1/2"),
    ("AL75", "CompositeFunction", (2, 1, 1, 3, 4), "15", "12"),
    ("AL76", "CompositeFunction", (2, 1, 1, 3, 4), "15", "63"),
    ("AL77", "InverseFunction", (2, 1, 5), "2", "1/11"),
    ("AL78", "InverseFunction", (2, 1, 5), "2", "1.5"),
    ("AL57", "ShiftedParabola", (-3, 2), "(3, 2)", "(-3, 2)"),
    ("AL54", "GeometricNext", (2, 3), "54", "30"),
    ("AL55", "MatchPattern", (10,), "31", "40"),
    # Geometry
    ("GM27", "LShape", ("area", 8, 6, 3, 2), "42", "48"),
    ("GM53", "LShape", ("area", 8, 6, 3, 2), "42", "62"),
    ("GM28", "LShape", ("perimeter", 8, 6, 3, 2), "28", "23"),
    ("GM54", "LShape", ("perimeter", 8, 6, 3, 2), "28", "38"),
    ("GM29", "Parallelogram", (8, 5, 4), "32", "40"),
    ("GM55", "Parallelogram", (8, 5, 4), "32", "16"),
    ("GM56", "Trapezium", (6, 10, 4), "32", "64"),
    ("GM57", "Trapezium", (6, 10, 4), "32", "40"),
    ("GM58", "MissingSide", ("perimeter", 30, 8), "7", "22"),
    ("GM59", "MissingSide", ("perimeter", 30, 8), "7", "14"),
    ("GM60", "MissingSide", ("area", 24, 6), "4", "18"),
    ("GM30", "SamePerimeter", (5, 3, 6, 2), "5 by 3", "equal"),
    ("GM61", "BorderPath", (1, 10, 6), "96", "77"),
    ("GM31", "Protractor", (130, 50, "acute"), "50", "130"),
    ("GM32", "LongerArms", (40, 9, 60, 4), "B", "A"),
    ("GM33", "ParallelAngle", (70, "co-interior"), "110", "70"),
    ("GM62", "ParallelAngle", (70, "alternate"), "70", "110"),
    ("GM63", "IsoscelesAngle", (40,), "70", "140"),
    ("GM64", "IsoscelesAngle", (40,), "70", "40"),
    ("GM65", "RegularPolygonAngle", (5,), "108", "72"),
    ("GM34", "AnglesAtPoint", (70, 60), "230", "50"),
    ("GM66", "BackBearing", (70,), "250", "290"),
    ("GM67", "BackBearing", (70,), "250", "110"),
    ("GM37", "Reflect", (3, 5, "x"), "(3, -5)", "(-3, 5)"),
    ("GM38", "Rotate", (3, 1, "clockwise"), "(1, -3)", "(3, -1)"),
    ("GM68", "Rotate", (3, 1, "clockwise"), "(1, -3)", "(-1, 3)"),
    ("GM69", "Midpoint", (2, 4, 8, 10), "(5, 7)", "(3, 3)"),
    ("GM70", "Midpoint", (2, 4, 8, 10), "(5, 7)", "(10, 14)"),
    # Time, money and scales
    ("GM43", "TimeLater", (35, 165), "3:20", "2:80"),
    ("GM51", "TimeLater", (65, 165), "3:50", "3:10"),
    ("GM44", "ClockReading", ("just past", 4, 3), "4:15", "3:20"),
    ("GM45", "ClockReading", ("just past", 4, 3), "4:15", "4:03"),
    ("GM46", "ClockReading", ("almost at", 5, 10), "4:50", "5:50"),
    ("GM47", "Clock24", (17 * 60 + 30,), "5:30 pm", "7:30 pm"),
    ("GM41", "DecimalHours", (d("2.25"),), "2 h 15 min", "2 h 25 min"),
    ("GM48", "MoneyDecimal", (3, 5), "3.05", "3.5"),
    ("GM49", "ScaleReading", (6, 7, 5, 3), "6.6", "6.3"),
    ("GM50", "ScaleReading", (20, 40, 5, 3), "32", "23"),
    ("GM52", "ScaleReading", (0, 12, 5, 3), "7.2", "6"),
]


@pytest.mark.parametrize(("rule", "form", "fields", "right", "wrong"), EXAMPLES)
def test_a_documented_example_comes_out(
    rule: str, form: str, fields: tuple[Any, ...], right: str, wrong: str
) -> None:
    all_forms()
    made: Any = FORMS[form]
    problem = made(*fields)
    assert problem.solve().answer.shown == right
    assert wrong in [each.answer.shown for each in rules()[rule].run(problem)]
