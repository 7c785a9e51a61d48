"""What a quiz can be about: the forms of the item bank in a teacher's words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from schoolmath.malrules.bank import offers

# What a form is called where the name of its class would not tell a teacher.
_TITLES = {
    "AtLeastOne": "Chance of at least one", "BagComparison": "Comparing chances of two bags",
    "BagOnSale": "Price reductions", "Blank": "Missing numbers and the equals sign",
    "Box": "Volume and surface of boxes", "BracketExpansion": "Expanding brackets",
    "BracketValue": "Values of expressions with brackets", "Cone": "Volume of cones",
    "DecimalComparison": "Comparing decimals", "DivisionThenSum": "Long division, then adding",
    "EitherOfTwo": "Chance of either of two events", "EnlargedBox": "Enlarged boxes",
    "EnlargedCircle": "Enlarged circles", "EnlargedRectangle": "Enlarged rectangles",
    "EstimatedSum": "Estimating sums", "ExpectedRemaining": "Expected numbers",
    "FactoredEquation": "Quadratic equations in factors", "FractionComparison":
    "Comparing fractions", "FractionOf": "Fraction of an amount", "FractionValue":
    "Algebraic fractions", "FunctionValue": "Values of functions", "GroupMeans":
    "Means of groups", "Growth": "Linear and other growth", "LowestTerms":
    "Fractions in lowest terms", "MarbleDraw": "Chance of drawing a marble", "MeanOfList":
    "Mean", "MeasuredRectangle": "Perimeter and area of rectangles", "MedianOfList": "Median",
    "MissingSubtrahend": "Missing number in a subtraction", "MissingValue":
    "Missing value for a mean", "MixedToImproper": "Mixed numbers as improper fractions",
    "ModeOfList": "Mode", "NextInRun": "What comes next after a run of results", "NotOnDie":
    "Chance of not rolling a number", "NthTerm": "Formula of a sequence", "OperationChain":
    "Order of operations", "OutfitAtRandom": "Counting combinations", "PairOnTwoDice":
    "Chance of a pair on two dice", "PercentOf": "Percent of an amount", "PowerInChain":
    "Order of operations with powers", "PowerValue": "Values of powers", "Prizes":
    "Expected prizes", "ProportionalTable": "Proportional tables", "RatioShare":
    "Sharing in a ratio", "RectangleInUnits": "Rectangles in other units", "ReversePercent":
    "Amount before a percentage", "RootInChain": "Order of operations with roots", "RootOfSum":
    "Root of a sum", "SequenceTerm": "Terms of a sequence", "SignedProduct":
    "Products of negative numbers", "SignedSum": "Sums of negative numbers", "SlopeOfLine":
    "Slope from an equation", "SlopeOfPoints": "Slope from two points",
    "SlopeOfStandardForm": "Slope from the standard form", "SquareEquation":
    "Quadratic equations", "SquareGrown": "Area of a square that grows", "Story":
    "Story problems", "SumOfTwoDice": "Sum of two dice", "TriangleAngle": "Angles of triangles",
    "TriangleArea": "Area of triangles", "TwoChances": "Two chances one after the other",
    "TwoMarbles": "Drawing two marbles", "TwoPercents": "Two percentages one after the other",
    "WordEquation": "Equations from words",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """What a quiz can be about.

    Attributes:
        form: name of the form of its problems.
        title: in a teacher's words.
        content_class: of the form.
    """

    form: str
    title: str
    content_class: str


@cache
def topics(grade: int) -> tuple[Topic, ...]:
    """Everything that a quiz for this grade can be about, by content class and title."""
    forms = {
        each.form: each.content_class
        for each in offers()
        if each.grade == grade and not each.compared
    }
    found = [Topic(form, title_of(form), of) for form, of in forms.items()]
    return tuple(sorted(found, key=lambda each: (each.content_class, each.title)))


def title_of(form: str) -> str:
    """What a form is called in a teacher's words."""
    return _TITLES.get(form) or re.sub(r"(?<=.)([A-Z])", lambda m: f" {m[1].lower()}", form)
