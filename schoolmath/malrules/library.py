"""Loads every module that holds forms and rules; the forms in the order of the bank."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import schoolmath.malrules.catalogue as shelves
from schoolmath.malrules.forms import FORMS, ListedForm

# fmt: off
ORDER = (
    "Story", "TriangleAngle", "StraightAngle", "PolygonAngleSum", "Growth", "NthTerm",
    "SequenceTerm", "MeanOfList", "MedianOfList", "ModeOfList", "RangeOfList", "GroupMeans",
    "MissingValue", "BarChart", "Pictogram", "TwoWayTable", "Box", "EnlargedBox", "BracketValue",
    "BracketExpansion", "Outfits", "OutfitAtRandom", "Prizes", "Circle", "EnlargedCircle", "Cone",
    "ColumnAddition", "ColumnMultiplication", "DecimalSum", "DecimalProduct", "NumberInWords",
    "ExpandedForm", "ColumnSubtraction", "MissingSubtrahend", "Rounding", "EstimatedSum",
    "Division", "DivisionThenSum", "BagComparison", "DecimalComparison", "FractionComparison",
    "SumOfTwoDice", "PairOnTwoDice", "TwoChances", "EitherOfTwo", "MoreDetail", "TwoMarbles",
    "AtLeastOne", "ExpressionValue", "FunctionValue", "FractionValue", "Inequality", "Blank",
    "LikeTerms", "LinearEquation", "SlopeOfPoints", "SlopeOfLine", "SlopeOfStandardForm",
    "WordEquation", "PointReading", "PointMoved", "ExponentLaws", "FractionSum",
    "FractionDifference", "FractionProduct", "FractionQuotient", "FractionOf", "LowestTerms",
    "MixedToImproper", "FractionAsDecimal", "PercentOf", "TwoPercents", "ReversePercent",
    "RatioShare", "Proportion", "GroupsNeeded", "TiedRopes", "SawnPlanks", "UnitPrice", "BagOnSale",
    "FractionOfRest", "PowerValue", "ProportionalTable", "RulerReading", "ElapsedTime",
    "UnitConversion", "Rectangle", "MeasuredRectangle", "RectangleInUnits", "SquareEquation",
    "FactoredEquation", "ConstantDifference", "GrowingField", "OperationChain", "PowerInChain",
    "RootInChain", "RootOfSum", "EnlargedRectangle", "SquareGrown", "SimilarSides",
    "SimilarRectangles", "TriangleArea", "RightTriangle", "SumOfPowers", "NextInRun",
    "ExpectedRemaining", "SignedSum", "SignedProduct", "MarbleDraw", "NotOnDie",
    "MixedDifference", "RemainderDivision", "WhatPercent", "DoubleBracket", "Simultaneous",
    "PercentChange", "ScaleReading", "LShape", "MissingSide", "BoxSurface", "ClockReading",
    "Parallelogram", "Trapezium", "BorderPath", "IsoscelesAngle", "AnglesAtPoint", "Semicircle",
    "TimeLater", "Recipe", "RatioDifference", "InverseProportion", "Speed", "StandardForm",
    "Bounds", "RoundedSubtraction", "FractionOnLine", "MatchPattern", "GeometricNext",
    "CompositeFunction", "InverseFunction", "PerpendicularSlope", "MeanAfterOneMore", "PieChart",
    "DistanceTimeGraph", "MissingFactor", "NextInPattern", "InputOutput", "MissingAddend",
    "MissingInPattern", "MachineBackwards", "SquareFromPerimeter", "TilesOnFloor", "UnequalParts",
)
# fmt: on
"""Every form, in the order in which the bank deals from them.

The order is data: the items of a seed depend on it. So it stands here, whatever module is
imported first and wherever modules lie. It is never changed; a new form goes to the end.
"""

READ_ONLY = (
    "PowerOfTenShift", "TableFact", "FreqTable", "DecimalDifference", "WholeTimesFraction",
    "BracketEquation", "SubtractedUnknown", "DecimalRounding", "SignificantFigures",
    "BoundsOfDifference", "DecimalQuotient", "DecimalAsFraction", "DecimalNext", "Between",
    "TensProduct", "DivisionByZero", "DigitValue", "TenMore", "PrimesIn", "CommonMultiple",
    "CommonFactor", "MixedProduct", "FractionByWhole", "WholePlusFraction", "MissingNumerator",
    "ImproperToMixed", "ShadedFraction", "SignedCompare", "SignedDistance", "SignedPower",
    "SignedQuotient", "BracketProduct", "QuotientChain", "SquaredSum", "PercentBase", "IncreaseBy",
    "FractionAsPercent", "PowerProduct", "FractionalPower", "CubeRoot", "Surd", "SurdDifference",
    "SurdTimes", "Clock24", "DecimalHours", "MoneyDecimal", "CommonFactorOut",
    "DifferenceOfSquares", "FactoriseQuadratic", "LetterPowerSum", "PowerOfTerm", "TermProduct",
    "Intercept", "ShiftedParabola", "QuotientEquation", "NegatedUnknown", "FractionEquation",
    "QuotientSumEquation", "NegativeProduct", "QuadraticRoots", "SquareEqualsMultiple",
    "IntegerSolutions", "SamePerimeter", "Protractor", "LongerArms", "ParallelAngle",
    "RegularPolygonAngle", "BackBearing", "Reflect", "Rotate", "Midpoint", "WithReplacement",
    "Spinner", "Handshakes", "ExpectedCount", "ThereAndBack", "WorkTogether", "Posts", "PagesRead",
    "Prism", "Cylinder", "Packing", "MixedSum", "Ordering", "AbsoluteValue", "PrimeOrNot",
    "BracketQuotient", "PercentAsDecimal", "ComplementAngle", "TwoLetterTerms", "TwoLetterValue",
    "FactorList", "PrimeProduct", "PlaceSum", "ScientificForm", "ArithmeticExpression",
    "YIntercept", "DieRoll", "LinearProduct", "EquationWithBrackets",
    "BracketTerms", "CoinTosses", "CountsRatio", "DigitInPlace",
    "ToldStory", "PowerTerms", "PolynomialDifference", "Monomials",
)  # fmt: skip
"""Forms that are read and diagnosed, and of which the bank deals no items: they have no three
rules whose answers can stand together."""


RARE_HABITS = (
    "NO67", "NO68", "NO69", "NO71", "NO72", "NO73", "NO74", "NO75", "NO76", "NO77", "NO78", "NO79",
    "NO80", "NO81", "NO82", "NO83", "NO84", "NO85", "NO86", "NO87", "NO88", "NO89", "NO90", "NO91",
    "NO92", "NO94", "NO95", "NO96", "NO97", "NO98", "NO99", "NO157", "NO158", "NO159", "NO160",
)  # fmt: skip
"""Habits of column subtraction that are documented and rare, three times as many as the common
ones: they come after these among explanations, and would hardly show in a quiz."""

RARE = (
    *RARE_HABITS, "NO230", "NO231", "NO234", "NO235", "NO248", "NO249", "NO250", "NO251", "NO253",
    "AL103", "GM100", "NO258", "NO261", "NO263", "AL104", "AL105", "AL106", "AL107", "AL108",
)  # fmt: skip
"""Mal-rules that are diagnosed and make no wrong options: rare habits, and what was found after the
bank's items had been recorded."""

LATER = (
    "NO236", "NO237", "NO238", "NO239", "NO240", "NO241", "NO242", "NO243", "NO244", "NO245",
    "NO246", "NO247", "NO248", "NO249", "NO250", "NO251", "NO252", "NO253", "GM99", "GM100",
    "AL101", "AL102", "AL103", "PR29", "NO254", "NO255", "NO256", "NO257", "NO258", "NO259",
    "NO260", "NO261", "NO262", "NO263", "NO264", "NO265", "NO266", "AL104", "AL105", "AL106",
    "AL107", "AL108",
)  # fmt: skip
"""Mal-rules that are younger than the tutor studies, which neither name them nor draw pupils who
follow them: their pairs stay what they were. Problems of a person's own have such pupils."""


def load() -> None:
    """Imports every module below `schoolmath.malrules.catalogue`."""
    for module in pkgutil.walk_packages(shelves.__path__, f"{shelves.__name__}."):
        importlib.import_module(module.name)


@cache
def all_forms() -> dict[str, type[ListedForm]]:
    """Every form by its name, those that the bank deals first and in its order.

    Raises:
        ValueError: a form has no place in `ORDER`, or a place no form.
    """
    load()
    names = (*ORDER, *READ_ONLY)
    if unlike := FORMS.keys() ^ set(names):
        raise ValueError(
            f"The forms {', '.join(sorted(unlike))} are registered or stand in the ORDER of "
            f"{__name__}, but not both. A new form goes to the end of ORDER."
        )
    return {name: FORMS[name] for name in names}


def dealt_forms() -> dict[str, type[ListedForm]]:
    """The forms of which the bank deals items, by their names and in its order."""
    return {name: form for name, form in all_forms().items() if name not in READ_ONLY}
