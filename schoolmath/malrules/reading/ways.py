"""Other ways of writing the problems that forms print: worked examples, from which the way is learnt.

In an example ``{a|b}`` stands for either. Its numbers are all different, so that each field is
found in one place only; what is no number and no word of the problem is part of the wording.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from schoolmath.malrules.catalogue.algebra.expression_values import (
    ExpressionValue,
    FractionValue,
    FunctionValue,
    PowerValue,
)
from schoolmath.malrules.catalogue.algebra.like_terms_and_brackets import (
    BracketExpansion,
    BracketValue,
    LikeTerms,
)
from schoolmath.malrules.catalogue.algebra.powers_of_letters import ExponentLaws
from schoolmath.malrules.catalogue.algebra.products_and_factors import DoubleBracket
from schoolmath.malrules.catalogue.chance.single_chances import MarbleDraw, Outfits
from schoolmath.malrules.catalogue.data.averages import (
    MeanOfList,
    MedianOfList,
    ModeOfList,
    RangeOfList,
)
from schoolmath.malrules.catalogue.equations.linear_equations import (
    BracketEquation,
    Inequality,
    LinearEquation,
    SubtractedUnknown,
)
from schoolmath.malrules.catalogue.equations.number_sentences import (
    Blank,
    NegatedUnknown,
    NegativeProduct,
    QuotientEquation,
    QuotientSumEquation,
)
from schoolmath.malrules.catalogue.equations.quadratic_equations import (
    FactoredEquation,
    QuadraticRoots,
    Simultaneous,
    SquareEqualsMultiple,
    SquareEquation,
)
from schoolmath.malrules.catalogue.equations.sequences import NthTerm, SequenceTerm
from schoolmath.malrules.catalogue.equations.slopes import (
    SlopeOfLine,
    SlopeOfPoints,
    SlopeOfStandardForm,
)
from schoolmath.malrules.catalogue.fractions.arithmetic import (
    FractionDifference,
    FractionProduct,
    FractionQuotient,
    FractionSum,
)
from schoolmath.malrules.catalogue.fractions.mixed_numbers import (
    MixedDifference,
    MixedSum,
    WholeTimesFraction,
)
from schoolmath.malrules.catalogue.fractions.percent_questions import (
    FractionAsPercent,
    IncreaseBy,
    PercentBase,
    PercentChange,
    WhatPercent,
)
from schoolmath.malrules.catalogue.fractions.percents import ReversePercent, TwoPercents
from schoolmath.malrules.catalogue.fractions.ratios import RatioShare, Speed
from schoolmath.malrules.catalogue.fractions.rewriting import (
    FractionAsDecimal,
    FractionComparison,
    LowestTerms,
    MixedToImproper,
)
from schoolmath.malrules.catalogue.fractions.wholes_and_fractions import (
    ImproperToMixed,
    MissingNumerator,
)
from schoolmath.malrules.catalogue.geometry.angles import (
    PolygonAngleSum,
    RegularPolygonAngle,
    StraightAngle,
    TriangleAngle,
)
from schoolmath.malrules.catalogue.geometry.circles import Circle
from schoolmath.malrules.catalogue.geometry.composed_shapes import Parallelogram
from schoolmath.malrules.catalogue.geometry.measuring import (
    CONVERSIONS,
    UNIT_NAMES,
    ElapsedTime,
    UnitConversion,
)
from schoolmath.malrules.catalogue.geometry.rectangles import Rectangle
from schoolmath.malrules.catalogue.geometry.solids import Box
from schoolmath.malrules.catalogue.geometry.time_and_money import TimeLater
from schoolmath.malrules.catalogue.geometry.triangles import RightTriangle, TriangleArea
from schoolmath.malrules.catalogue.numbers.column_subtraction import MissingSubtrahend
from schoolmath.malrules.catalogue.numbers.decimal_writing import (
    DecimalAsFraction,
    DecimalComparison,
)
from schoolmath.malrules.catalogue.numbers.division import Division
from schoolmath.malrules.catalogue.numbers.places_and_factors import (
    CommonFactor,
    CommonMultiple,
    DigitValue,
    NumberInWords,
)
from schoolmath.malrules.catalogue.numbers.powers_and_roots import SumOfPowers
from schoolmath.malrules.catalogue.numbers.rounding import (
    DECIMAL_PLACES,
    PLACE_NAMES,
    Bounds,
    DecimalRounding,
    EstimatedSum,
    Rounding,
)
from schoolmath.malrules.catalogue.numbers.signed_numbers import SignedCompare
from schoolmath.malrules.forms import Form

_SOLVE = "{|equation |equation: |x: |x if |x when |x in |value of x if |value of x in |value of x when |if |given }"
_FOR_X = "{| for x|, x|. x|. What is x|, what is x|. Find x|, find x|. Solve for x|. What is the value of x|. Find the value of x|, find the value of x}"
_LARGEST = "{|which is |which of these is |which of these numbers is |which number is |which decimal is |which fraction is |which of these decimals is |which of these fractions is |the }{|the }{largest|biggest|greatest|larger|bigger|greater}{| number| decimal| fraction}"
_AT_5 = "{when|if|for|at|where|with} x {=|is} 5"
_BOX = "{box|cuboid|rectangular prism|rectangular box|block}"
_ASKED = ("area", "perimeter")
_CORNERS = {
    "triangle": 3, "quadrilateral": 4, "pentagon": 5, "hexagon": 6, "heptagon": 7, "octagon": 8,
    "nonagon": 9, "decagon": 10, "dodecagon": 12,
}  # fmt: skip


def ways_of_writing() -> Iterator[tuple[str, Form]]:
    """Every example with its problem."""
    for subject in (
        _numbers,
        _fractions,
        _as_said,
        _percents,
        _algebra,
        _equations,
        _shapes,
        _data,
    ):
        yield from subject()


def _numbers() -> Iterator[tuple[str, Form]]:
    for place, name in PLACE_NAMES.items():
        number = 4_356_217
        for said in (f"{{{name}|{name}s|{name}s place}}", f"{place}"):
            yield (
                f"Round {number} {{|off }}to {{the nearest |the |nearest |}}{said}",
                (Rounding(number, place)),
            )
            yield (
                f"{number} {{|rounded |rounded off }}to {{the |}}nearest {said}",
                (Rounding(number, place)),
            )
            yield f"To the nearest {said}, {{|round }}{number}", Rounding(number, place)
            yield (
                f"Estimate 4244532 + 2289867 {{by rounding |}}to the nearest {said}",
                (EstimatedSum(4_244_532, 2_289_867, place)),
            )
    for places, name in enumerate(DECIMAL_PLACES):
        decimal = Fraction("23.45678")
        for said in (
            f"{{{name}|{name}s|{name}s place}}",
            ("whole number", "1 decimal place", "2 decimal places", "3 decimal places")[places],
            ("integer", "one decimal place", "two decimal places", "three decimal places")[places],
            ("{unit|integer}", "1 d.p", "2 d.p", "3 d.p")[places],
        ):
            yield (
                f"Round 23.45678 {{|off }}to {{the nearest |the |nearest |}}{said}",
                (DecimalRounding(decimal, places)),
            )
            yield (
                f"23.45678 {{|rounded |rounded off }}to {{the nearest |the |nearest |}}{said}",
                (DecimalRounding(decimal, places)),
            )
    missing = "{|What number is missing in |What number is missing: |What is missing in |missing number: |missing number in |the missing number in |the missing number: |the number missing in }"
    yield missing + "1000 - _ = 421", MissingSubtrahend(1000, 421)
    words = "three thousand nine hundred fifty-six"
    yield (
        f"Write {{|the number }}{words} {{in|using|with}} {{digits|figures|numerals}}",
        (NumberInWords(3956)),
    )
    yield f"{words} in {{digits|figures|numerals}}", NumberInWords(3956)
    yield "1216/4", Division(1216, 4)
    decimals = DecimalComparison(("0.6", "0.0085", "0.686", "0.95"))
    yield f"{_LARGEST}{{:| of|,| of:|?}} 0.6, 0.0085, 0.686, 0.95", decimals
    yield f"{_LARGEST} of 0.6 and 0.0085", DecimalComparison(("0.6", "0.0085"))
    yield (
        "{Which is |}{|the }{larger|bigger|greater|largest|biggest}{:|,|?|} 0.6 or 0.0085",
        (DecimalComparison(("0.6", "0.0085"))),
    )
    yield (
        "What number {is missing|goes in the box|goes in the blank|makes this true}{: | in |? }27 - 5 + 7 = _ + 3",
        (Blank((27, -5, 7), 3, False)),
    )
    yield "27 - 5 + 7 = _ + 3", Blank((27, -5, 7), 3, False)
    yield "5^3 + 7", SumOfPowers((5, 7), (3, 1), False)
    yield "20 - 5 + 3{| = _}", Blank((20, -5, 3), 0, False)
    yield "x = 20 - 5 + 3{|. What is x|. Find x}", Blank((20, -5, 3), 0, True)
    for start in (
        "",
        "What number {is missing|goes in the box|goes in the blank|makes this true}{: | in |? }",
    ):
        yield start + "28 + 17 = _ + 9", Blank((28, 17), 9, False)
        yield start + "28 - 17 = _ + 9", Blank((28, -17), 9, False)


def _fractions() -> Iterator[tuple[str, Form]]:
    fractions = FractionComparison(((2, 13), (3, 5), (1, 7), (6, 11)))
    yield f"{_LARGEST}{{:| of|,| of:|?}} 2/13, 3/5, 1/7, 6/11", fractions
    yield f"{_LARGEST} of 2/13 and 3/5", FractionComparison(((2, 13), (3, 5)))
    yield (
        "{Which is |}{|the }{larger|bigger|greater|largest|biggest}{:|,|?|} 2/13 or 3/5",
        (FractionComparison(((2, 13), (3, 5)))),
    )
    yield (
        "{Simplify|Reduce|Cancel|Cancel down}{|:| the fraction} 15/40{| fully| to lowest terms| to simplest form}",
        LowestTerms(15, 40),
    )
    yield (
        "{|Write |Express |Reduce |Give |Put }15/40 {in|to|as} {|its |the }{lowest|simplest|lower} {terms|form|possible terms}",
        LowestTerms(15, 40),
    )
    yield (
        "{|Write |Convert |Change |Express |Turn }{|the mixed number }3 1/4 {as|to|into} {an improper fraction|a fraction|one fraction}",
        (MixedToImproper(3, 1, 4)),
    )
    yield (
        "{|Write |Convert |Change |Express |Turn }{|the fraction }4/25 {as|to|into|in} {a decimal|a decimal number|decimal|decimal form}",
        (FractionAsDecimal(4, 25, "plain")),
    )
    for then, said in (
        (
            "tax",
            "{|then |and then |plus |then add |then there is |and }6% {|sales }tax{| is added}",
        ),
        ("discount", "{|then |and then |and |then another |then a further }6% {off|discount}"),
    ):
        end = "{|. How much does it cost then|. What is the final price|. Final price}"
        for price in (
            "$50, 10% {off|discount}{,|.|;} ",
            "{A price of |An item costs |A bag costs |}$50 {with |at |}{|a }10% {off|discount}{,|.|;|} ",
            "{A price of |An item costs |A bag costs |}$50. {There is |}{|a }10% {off|discount}{,|.|;|} ",
        ):
            yield price + said + end, TwoPercents(50, 10, 6, then, "bag")
    yield (
        "{|A |The }{sale price|price|sale price is|price is} $48 after {|a discount of |a }20% {off|discount|}{,|.|;|} {|What was the |what was the |What is the |the }{original|original price|old price|price before}",
        ReversePercent(48, 20, "bag"),
    )
    yield (
        "{Share|Divide|Split} {|$}40 in the ratio 3:5{|. What is the first share|. How much is the first share|. What is the first part|. How much does the first get}",
        RatioShare(3, 5, 40, "beads"),
    )


def _as_said() -> Iterator[tuple[str, Form]]:
    """Calculations with fractions in words, and products the other way round."""
    add = "{Add|Add:|Add up|Find the sum of|The sum of|Work out}"
    yield f"{add} 2/13 {{and|to|plus}} 3/5", FractionSum(2, 13, 3, 5)
    yield f"{add} 2/13 + 3/5", FractionSum(2, 13, 3, 5)
    yield "{Subtract|Take|Take away} 2/13 from 3/5", FractionDifference(3, 5, 2, 13)
    yield "{Subtract|Subtract:|Work out} 3/5 - 2/13", FractionDifference(3, 5, 2, 13)
    yield "{Multiply|Multiply:} 2/13 {by|and|times} 3/5", FractionProduct(2, 13, 3, 5)
    yield "{Divide|Divide:} 2/13 by 3/5", FractionQuotient(2, 13, 3, 5)
    yield "{|Multiply |Work out }2/13 × 5", WholeTimesFraction(5, 2, 13)
    yield "Multiply 2/13 by 5", WholeTimesFraction(5, 2, 13)
    for said in ("{|What is |Work out }5 - 3/7", "{Subtract|Take|Take away} 3/7 from 5"):
        yield said, MixedDifference(5, 0, 1, 0, 3, 7)
    for said in ("{|What is |Work out }5 1/8 - 3/7", "{Subtract|Take} 3/7 from 5 1/8"):
        yield said, MixedDifference(5, 1, 8, 0, 3, 7)
    for said in ("5 1/8 + 3/7", "Add 5 1/8 {and|to} 3/7"):
        yield said, MixedSum(5, 1, 8, 0, 3, 7)
    yield "{Add|The sum of|Find the sum of} 5 1/8 {and|to} 2 3/7", MixedSum(5, 1, 8, 2, 3, 7)
    for asked in _ASKED:
        named = f"{asked.capitalize()}|Find the {asked}|What is the {asked}|Calculate the {asked}"
        start = f"{{{asked}|The {asked}|Work out the {asked}|{named}}}"
        yield (
            f"{start} of {{a|the}} rectangle{{| that is| which is|,| measuring}} 6 {{by|x|×}} 4",
            Rectangle(6, 4, asked, "rectangle"),
        )
        yield (
            f"{{|A |a }}rectangle{{| is}} 6 by 4{{|,|.|:}} {asked}",
            Rectangle(6, 4, asked, "rectangle"),
        )


def _percents() -> Iterator[tuple[str, Form]]:
    yield "{|What |what }percent of 48 is 12", WhatPercent(12, 48)
    yield (
        "12 {out of|of} 48 {as a percent|as a percentage|as a %|in percent|in %}",
        WhatPercent(12, 48),
    )
    yield "12 as a {percentage|percent|%} of 48", WhatPercent(12, 48)
    yield "{|Write |Express |Give }12 as a {percentage|percent|%} of 48", WhatPercent(12, 48)
    yield (
        "25% of {what number|a number|which number|what|x} is 12{|. What is the number|. Find the number}",
        PercentBase(12, 25),
    )
    yield (
        "12 is 25% of {a number|what|x}{|. What is the number|. Find the number|. What is x}",
        PercentBase(12, 25),
    )
    change = "{|The |the }{percent|percentage|%} "
    yield change + "{change|increase|rise} from 40 to 50", PercentChange(40, 50, "rises")
    yield change + "{decrease|fall|drop} from 50 to 40", PercentChange(50, 40, "falls")
    yield "{Increase|Raise} 80 by 5%", IncreaseBy("Increase", 80, 5)
    yield "80 {increased|raised} by 5%", IncreaseBy("Increase", 80, 5)
    yield "80 {decreased|reduced} by 20%", IncreaseBy("Decrease", 80, 20)
    yield (
        "{|Write |Convert |Change |Express }3/8 {as|to|into|in} {a percentage|percent|a %|%}",
        FractionAsPercent(3, 8),
    )
    yield (
        "{|Write |Convert |Change |Express }0.04 {as|to|into} {a fraction|fraction|a common fraction}",
        DecimalAsFraction(Fraction("0.04")),
    )
    yield (
        "{|Write |Convert |Change |Express }17/5 {as|to|into} {a mixed number|a mixed fraction|mixed number}",
        ImproperToMixed(17, 5),
    )
    yield "3/4 = _/12", MissingNumerator(3, 4, 12)
    yield (
        "{|the }{lowest common multiple|least common multiple|smallest common multiple|LCM} of 6 and 8",
        CommonMultiple(6, 8),
    )
    yield (
        "{|the }{highest|greatest|largest} common {factor|divisor} of 12 and 18",
        CommonFactor(12, 18),
    )
    yield "{|the }{GCF|GCD} of 12 and 18", CommonFactor(12, 18)
    yield "A car goes 150 km in 3 h. What is its speed in km/h", Speed(150, 3, 0)
    yield "{|the }value of {|the |the digit }4 in {|the number }3472", DigitValue(4, 3472)
    stands = "{stand for|represent|mean|stands for|represents|means}"
    yield (
        f"{{what |what value }}does {{the |the digit }}4 {stands} in {{|the number }}3472",
        DigitValue(4, 3472),
    )
    yield (
        f"In {{|the number }}3472{{|,}} {{what |what value |}}{{|does }}{{the |the digit }}4 {stands}",
        DigitValue(4, 3472),
    )
    yield (
        "{|the }upper bound of 8.4{| cm}{,|} {|rounded |given }to the nearest 0.1",
        Bounds(Fraction("8.4"), Fraction("0.1")),
    )
    yield "35 {minutes|min} {after|later than} 2:45", TimeLater(35, 165)
    yield "{Which is|Which one is|} {larger|greater|bigger}{|,|:} -8 or -3", SignedCompare(-8, -3)


def _equations() -> Iterator[tuple[str, Form]]:
    yield f"{_SOLVE}x/4 = 12{_FOR_X}", QuotientEquation(4, 12)
    yield f"{_SOLVE}x ÷ 4 = 12{_FOR_X}", QuotientEquation(4, 12)
    yield f"{_SOLVE}-x = 5{_FOR_X}", NegatedUnknown(5)
    yield f"{_SOLVE}x/3 + 2 = 8{_FOR_X}", QuotientSumEquation(3, 2, 8)
    yield f"{_SOLVE}x/3 - 2 = 8{_FOR_X}", QuotientSumEquation(3, -2, 8)
    yield f"{_SOLVE}4x = -12{_FOR_X}", NegativeProduct(4, -12)
    yield f"{_SOLVE}x^2 = 5x{_FOR_X}", SquareEqualsMultiple(5)
    yield f"{_SOLVE}(x - 3)(x + 5) = 0{_FOR_X}", QuadraticRoots(-3, 5)
    yield (
        "{|equations |simultaneous equations |simultaneous equations: }3x + y = 10{ and|,|;} x - y = 2{|. What is x|. Find x|: x|, x|. x}",
        Simultaneous(3, 10, 1, "-", 2),
    )
    for first, second, signs in ((1, 3, "+-"), (1, 1, "-"), (2, 3, "+-"), (3, 1, "+")):
        for sign in signs:
            one, other = (f"{each}x" if each > 1 else "x" for each in (first, second))
            yield (
                f"{{|equations |simultaneous equations |simultaneous equations: }}{one} + y = 10{{ and|,|;}} {other} {sign} y = 7{{|. What is x|. Find x|: x|, x|. x}}",
                Simultaneous(first, 10, second, sign, 7),
            )
    yield (
        "{Expand|Expand and simplify|Expand:|Multiply out|Remove the brackets:|} (x + 3)(x + 4)",
        DoubleBracket(3, 4),
    )


def _algebra() -> Iterator[tuple[str, Form]]:
    yield f"{_SOLVE}3x + 12 = 33{_FOR_X}", LinearEquation(3, 12, 0, 33)
    yield f"{_SOLVE}33 = 3x + 12{_FOR_X}", LinearEquation(3, 12, 0, 33)
    yield f"{_SOLVE}9x + 12 = 5x + 24{_FOR_X}", LinearEquation(9, 12, 5, 24)
    yield f"{_SOLVE}2(x + 3) = 14{_FOR_X}", BracketEquation(2, 3, 14)
    yield f"{_SOLVE}14 = 2(x + 3){_FOR_X}", BracketEquation(2, 3, 14)
    yield f"{_SOLVE}20 - x = 8{_FOR_X}", SubtractedUnknown(20, 8)
    for sign in "<>≤≥":
        yield (
            f"{{|the inequality |inequality: |x: |x if }}-6x - 12 {sign} 30{{| for x}}",
            (Inequality(-6, -12, sign, 30)),
        )
    terms = LikeTerms((12, -5, 4), (2,))
    yield (
        "{|Simplify |Simplify: |Collect like terms: |Simplify the expression |Collect like terms in }12x - 5x + 4x + 2",
        terms,
    )
    expand = "{|Expand |Expand and simplify |Expand: |Expand and simplify: |Multiply out |Simplify |Simplify: |Remove the brackets: |Remove the brackets from |Expand the brackets: |Expand the brackets in }"
    yield f"{expand}5(x + 7)", BracketExpansion(0, 5, 7)
    yield f"{expand}-5(x + 7)", BracketExpansion(0, -5, 7)
    yield f"{expand}9x - 5(x + 7)", BracketExpansion(9, -5, 7)
    yield f"{expand}9x + 5(x + 7)", BracketExpansion(9, 5, 7)
    for shape, problem in (
        ("3(x + 7)", BracketValue(3, 7, 5)),
        ("-3(x + 7)", BracketValue(-3, 7, 5)),
        ("6x + 9", ExpressionValue(6, 9, 5)),
        ("(6x + 9)/4", FractionValue(6, 9, 4, 5)),
        ("(6x + 9) ÷ 4", FractionValue(6, 9, 4, 5)),
        ("7x^2", PowerValue(7, 0, 2, 5)),
        ("6(x + 8)^2", PowerValue(6, 8, 2, 5)),
        ("x^2", PowerValue(1, 0, 2, 5)),
        ("(x + 8)^2", PowerValue(1, 8, 2, 5)),
    ):
        yield (
            f"{{|the |the value of |value of |the value of the expression }}{shape}{{|,}} {_AT_5}",
            problem,
        )
        yield (
            f"{{If|When|Given that|For}} x {{=|is}} 5, {{what is |find |work out |evaluate |}}{{|the value of }}{shape}",
            problem,
        )
        yield f"{{Evaluate|Work out|Find}} {shape} {{given|given that}} x = 5", problem
    yield (
        "{If|Given|Given that|} f(x) = 5x - 9{, |; |. |, find |, what is |. Find |. What is |, then |, work out |. Work out |. Calculate |. Evaluate }{|the value of }f(7)",
        FunctionValue(5, -9, 7),
    )
    yield "f(7) {if|when|where|given|for} f(x) = 5x - 9", FunctionValue(5, -9, 7)
    slope = "{|the }{slope|gradient} of "
    line = "{|the |a |the line |a line |the straight line |a straight line |line }{joining|through|passing through|that passes through|that goes through|between}{| the points| points} "
    yield (
        "{slope|gradient} {through|between|from} {|the points }(4, 6) {and|to} (7, 15)",
        SlopeOfPoints(4, 6, 7, 15),
    )
    yield slope + line + "(4, 6) and (7, 15)", SlopeOfPoints(4, 6, 7, 15)
    yield (
        slope + "{|the line |the graph of |the straight line |the line with equation }y = 7x + 3",
        SlopeOfLine(7, 3),
    )
    yield (
        slope + "{|the line |the line with equation }15x + 3y = 12",
        SlopeOfStandardForm(15, 3, 12),
    )
    nth = "{|a formula for |an expression for |a rule for |the rule for }{|the }nth term {of|for} {|the sequence |this sequence: |the sequence: }"
    tenth = "{|the }10th term {of|in} {|the sequence |this sequence: |the sequence: |the arithmetic sequence }"
    for end in ("", ", ..."):
        yield f"{nth}8, 11, 14{end}", NthTerm(8, 3)
        yield f"{nth}8, 11, 14, 17{end}", NthTerm(8, 3)
        yield f"{tenth}8, 11, 14{end}", SequenceTerm(8, 3, 10)
        yield f"{tenth}8, 11, 14, 17{end}", SequenceTerm(8, 3, 10)
    power = "{|Simplify |Simplify: |Write as one power of x: |Write as a single power: }"
    yield f"{power}x^3 × x^4", ExponentLaws(3, 1, 4, 0)
    yield f"{power}(x^3)^4", ExponentLaws(3, 4, 0, 0)
    yield f"{power}x^8 {{÷|/}} x^3", ExponentLaws(8, 1, 0, 3)
    square = "{|all solutions of |both solutions of |equation }"
    yield square + "9x^2 - 90 = 234{| for x}", SquareEquation(9, -90, 234, False)
    yield square + "9x^2 + 90 = 234{| for x}", SquareEquation(9, 90, 234, False)
    yield square + "x^2 = 49{| for x}", SquareEquation(1, 0, 49, False)
    yield square + "9x^2 = 144{| for x}", SquareEquation(9, 0, 144, False)
    yield square + "(x - 5)(x + 8) = 14{| for x}", FactoredEquation(5, -8, 14, False)


def _shapes() -> Iterator[tuple[str, Form]]:
    sizes = (
        "{|that is |which is |measuring }12{ cm| m|} {long and|by|×} 5{ cm| m|}{| wide}",
        "{with|of|whose} {|a }{length|length of|length is} 12{ cm| m|} and {|a }{width|width of|breadth|height} 5{ cm| m|}",
        "with sides {|of }12{ cm| m|} and 5{ cm| m|}",
    )
    for asked in _ASKED:
        rectangle = Rectangle(12, 5, asked, "rectangle")
        for size in sizes:
            yield (
                f"{{|the }}{asked} of {{|a |the }}{{rectangle|rectangular room|rectangular garden}} {size}",
                rectangle,
            )
        yield (
            f"{{|the }}{asked} of {{|a |an |the }}12{{ cm| m|}} {{by|×}} 5{{ cm| m|}} rectangle",
            rectangle,
        )
        yield (
            f"A rectangle is 12 {{cm|m}} {{long and|by}} 5 {{cm|m}}{{| wide}}. {{What is|Find|Work out}} {{its|the}} {asked}",
            rectangle,
        )
        yield (
            f"A rectangle {{has|with}} {{|a }}length {{|of }}12{{ cm| m|}} and {{|a }}width {{|of }}5{{ cm| m|}}. {{What is|Find|Work out}} {{its|the}} {asked}",
            rectangle,
        )
    yield (
        "A triangle has a base of 12 cm and a height of 5 cm. What is its area in square centimetres",
        TriangleArea(12, 5, 0, "triangle"),
    )
    yield (
        "A parallelogram has base 12 cm and height 5 cm. What is its area in square centimetres",
        Parallelogram(12, 0, 5),
    )
    triangle = TriangleArea(12, 5, 7, "triangle")
    yield (
        "{|the }area of a triangle with base 12{ cm| m|}, height 5{ cm| m|} and {side|another side|slanted side} 7{ cm| m|}",
        triangle,
    )
    for cubes in (
        "{|the }volume of a "
        + _BOX
        + " {|that is |with edges |measuring }6{ cm|} {by|×|x} 4{ cm|} {by|×|x} 5{ cm|}",
        "{|the }volume of a " + _BOX + " with length 6{ cm|}, width 4{ cm|} and height 5{ cm|}",
    ):
        yield cubes, Box(6, 4, 5, "block")
    for cubes in ("6 × 4 × 5{ cm|}", "6{ cm|} by 4{ cm|} by 5{ cm|}"):
        yield "{|the }volume of {|a |the }" + cubes + " " + _BOX, Box(6, 4, 5, "block")
        yield (
            "{|the }volume of {|a |the }"
            + _BOX
            + " {|that is |with edges |measuring |with sides }"
            + cubes,
            Box(6, 4, 5, "block"),
        )
    yield (
        "{A |The |}hypotenuse {is |of |}26{ cm|}{,| and} {one |a |}leg {is |of |}10{ cm|}{. |, |: }{|Find |What is |How long is }the other leg",
        RightTriangle(26, 10, "leg"),
    )
    yield (
        "{|The }legs {of a right triangle |of a right-angled triangle |}{are |}12{ cm|} and 16{ cm|}{ long|}{. |, |: }{|Find |What is |How long is }{|the }hypotenuse",
        RightTriangle(12, 16, "hypotenuse"),
    )
    yield (
        "Find the hypotenuse {if|when} the legs are 12{ cm|} and 16{ cm|}",
        RightTriangle(12, 16, "hypotenuse"),
    )
    for given in ("radius", "diameter"):
        for asked in ("area", "circumference"):
            yield (
                f"{{|the }}{asked} of a circle {{with|of}} {{|a }}{given} {{|of }}14{{ cm| m|}}{{|,}} {{|in terms of |as a multiple of |in units of }}{{pi|π|}}",
                Circle(14, given, asked),
            )
    yield (
        "Two angles of a triangle {are|measure} 71{°| degrees|} and 55{°| degrees|}. {What is|Find} {|the size of }the {third|other|missing|remaining} angle",
        TriangleAngle(71, 55),
    )
    yield (
        "A triangle has angles {|of }71{°| degrees|} and 55{°| degrees|}. {What is|Find} {|the size of }the {third|other|missing|remaining} angle",
        TriangleAngle(71, 55),
    )
    yield "{|the }supplement of {|an angle of }61{°| degrees|}", StraightAngle(61)
    for name, corners in _CORNERS.items():
        if corners > 4:
            yield (
                f"{{|the }}{{size |measure |}}{{|of }}{{|each |an |one }}{{interior|inside}} angle {{of|in}} {{a|the}} regular {name}",
                RegularPolygonAngle(corners),
            )
        yield f"{{|the }}angle sum {{of|in}} {{a|an}} {name}", PolygonAngleSum(corners)
        yield (
            f"{{|the }}{{sum of|total of}} {{|the }}{{interior |inside |}}angles {{of|in}} {{a|an}} {name}",
            PolygonAngleSum(corners),
        )
    yield (
        "{|the }sum of the {interior|inside} angles {of|in} a polygon with 36 {sides|corners|vertices}",
        PolygonAngleSum(36),
    )
    for legs in ("A right{|-angled} triangle has legs {|of }12{ cm|} and 16{ cm|}. {What is|Find|How long is} {|the length of }{the|its} hypotenuse",
                 "{|the |length of the |the length of the }hypotenuse of a right{|-angled} triangle with {legs|shorter sides|sides} {|of }12{ cm|} and 16{ cm|}"):  # fmt: skip
        yield legs, RightTriangle(12, 16, "hypotenuse")
    for larger, smaller in CONVERSIONS:
        for one, other in ((larger, smaller), (smaller, larger)):
            # A number that ends as a decimal in the other unit too.
            amount = 23 if one == larger else 23 * UnitConversion(Fraction(1), other, one).factor
            problem = UnitConversion(Fraction(amount), one, other)
            yield (
                f"How many {UNIT_NAMES[other][1]} are {problem.amount} {{{'|'.join(UNIT_NAMES[one])}}}",
                problem,
            )
    film = ElapsedTime(710, 735, "film")
    yield (
        "{How many minutes|How long|How much time|How many minutes are there|How many minutes pass|How long is it} {|is it }{from|between} 11:50 {to|and|until|till} 12:15",
        film,
    )
    yield "{|the |how many }minutes {from|between} 11:50 {to|and|until} 12:15", film
    yield "{|the }time {from|between} 11:50 {to|and} 12:15{| in minutes}", film


def _data() -> Iterator[tuple[str, Form]]:
    values = (4, 8, 6, 2)
    shown = "4, 8, 6, 2"
    kinds: tuple[tuple[str, Form], ...] = (
        ("{mean|average|mean average|arithmetic mean}", MeanOfList(values, "plain")),
        ("{median|middle value}", MedianOfList(values, "plain")),
        ("{mode|most common value}", ModeOfList((4, 8, 6, 4), "plain")),
        ("{range|}", RangeOfList(values, "plain")),
    )
    for name, problem in kinds:
        told = shown if not isinstance(problem, ModeOfList) else "4, 8, 6, 4"
        if name.endswith("|}"):
            name = "range"
        yield (
            f"{{|the }}{name} {{of|for}}{{| these numbers:| the numbers| the list| this list:| the data| these values:| the values| these:| the following numbers:| the data set|:}} {told}",
            problem,
        )
        yield (
            f"{{|Here are some numbers: |Numbers: |The numbers are |Data: |A list of numbers: }}{told}. {{What is|Find|Work out}} {{the|their}} {name}{{| of these numbers| of the numbers| of the list}}",
            problem,
        )
    yield (
        "{|How many |how many }{different |}outfits {can you make|can be made|are possible|are there|} {with|from} 2 shirts, 8 {pairs of |}trousers and 5 hats",
        Outfits((2, 8, 5), "outfit", "Ana"),
    )
    for bag in ("A bag {holds|has|contains} 3 red and 5 blue {marbles|balls|counters|beads}. ",):
        yield (
            bag
            + "{|One is drawn at random. |One is picked at random. |One marble is drawn at random. |One ball is taken at random. |One ball is drawn at random. |A marble is picked at random. |A ball is picked at random. |A marble is drawn at random. }{What is the probability|What is the chance|Find the probability} {of|of getting|of drawing|of picking|that it is} {|a }red{| marble| ball| counter| one}",
            MarbleDraw(("red", "blue"), (3, 5), False),
        )
