"""The catalogue's example of every rule of algebra: right answer, then the pupil's."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from schoolmath.malrules import Form, rules
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
from schoolmath.malrules.catalogue.equations.linear_equations import (
    Inequality,
    LinearEquation,
    WordEquation,
)
from schoolmath.malrules.catalogue.equations.number_sentences import Blank
from schoolmath.malrules.catalogue.equations.quadratic_equations import (
    FactoredEquation,
    SquareEquation,
)
from schoolmath.malrules.catalogue.equations.sequences import Growth, NthTerm, SequenceTerm
from schoolmath.malrules.catalogue.equations.slopes import (
    ProportionalTable,
    SlopeOfLine,
    SlopeOfPoints,
    SlopeOfStandardForm,
)
from tests.loops import over

PROFESSORS = ("At a college", "students", "professors")
SAVINGS = ("Ana", "savings account")

EXAMPLES: Sequence[tuple[str, Form, str, str]] = [
    ("AL01", Blank((8, 4), 5), "7", "12"),
    ("AL02", Blank((8, 4), 5), "7", "17"),
    ("AL03", LikeTerms((3,), (4,)), "3x + 4", "7x"),
    ("AL04", ExpressionValue(3, 0, 4), "12", "34"),
    ("AL05", ExpressionValue(3, 0, 4), "12", "7"),
    ("AL06", BracketValue(3, 4, 2), "18", "10"),
    ("AL07", BracketValue(-2, -5, 1), "8", "-12"),
    ("AL08", LinearEquation(1, 5, 0, 12), "7", "17"),
    ("AL09", LinearEquation(3, 0, 0, 12), "4", "9"),
    ("AL10", LinearEquation(8, 0, 0, 2), "1/4", "4"),
    ("AL11", LinearEquation(2, 6, 0, 20), "7", "4"),
    ("AL12", LinearEquation(5, 3, 2, 24), "7", "27/7"),
    ("AL13", Blank((20, -5, 3), 0, letter=True), "18", "12"),
    ("AL14", Inequality(-2, 0, "<", 6), "x > -3", "x < -3"),
    ("AL15", WordEquation(*PROFESSORS, 6, 0), "S = 6P", "6S = P"),
    ("AL16", NthTerm(5, 3), "3n + 2", "n + 3"),
    ("AL17", SequenceTerm(5, 3, 10), "32", "35"),
    ("AL18", SequenceTerm(5, 3, 10), "32", "34"),
    ("AL19", SlopeOfPoints(1, 2, 5, 10), "2", "1/2"),
    ("AL20", SlopeOfPoints(1, 2, 5, 10), "2", "10"),
    ("AL21", SlopeOfPoints(2, 7, 5, 10), "1", "2"),
    ("AL22", SlopeOfLine(3, 7), "3", "7"),
    ("AL23", SlopeOfStandardForm(6, 2, 8), "-3", "6"),
    ("AL24", FunctionValue(2, 3, 4), "11", "8"),
    ("AL25", PowerValue(1, 3, 2, 2), "25", "13"),
    ("AL26", ExponentLaws(3, times=4), "x^7", "x^12"),
    ("AL27", ExponentLaws(3, outer=2), "x^6", "x^5"),
    ("AL28", ExponentLaws(6, over=2), "x^4", "x^3"),
    ("AL29", PowerValue(2, 0, 3, 2), "16", "64"),
    ("AL30", FractionValue(1, 6, 6, 12), "3", "12"),
    ("AL31", SquareEquation(1, 0, 49), "7 and -7", "7"),
    ("AL32", SquareEquation(1, 0, 49, positive=True), "7", "24.5"),
    ("AL33", FactoredEquation(3, 5, 8, larger=True), "7", "13"),
    ("AL34", Growth(*SAVINGS, 1000, 10, 3), "$1331.00", "$1300.00"),
    ("AL35", ProportionalTable(2, 6, 5), "15", "9"),
]

ELSEWHERE: Sequence[tuple[str, Form, str, tuple[str, ...]]] = [
    ("AL03", BracketExpansion(9, -4, -3), "5x + 12", ("17x",)),
    ("AL03", LinearEquation(2, 6, 0, 20), "7", ("5/2",)),
    ("AL03", WordEquation(*PROFESSORS, 6, 4), "S = 6P + 4", ("S = 10P",)),
    ("AL03", SlopeOfLine(3, 7), "3", ("10",)),
    ("AL04", FractionValue(2, 6, 6, 12), "5", ("109/3",)),
    ("AL05", LikeTerms((3,), (4,)), "3x + 4", ("x + 7",)),
    ("AL05", WordEquation(*PROFESSORS, 6, 4), "S = 6P + 4", ("S = P + 10",)),
    ("AL05", ProportionalTable(2, 6, 5), "15", ("8",)),
    ("AL06", BracketExpansion(9, -4, -3), "5x + 12", ("5x - 3",)),
    ("AL07", BracketExpansion(9, -4, -3), "5x + 12", ("5x - 12",)),
    ("AL08", Blank((20, -5, 3), 4), "14", ("22",)),
    ("AL08", LinearEquation(2, -6, 0, 20), "13", ("7",)),
    ("AL08", SlopeOfStandardForm(6, 2, 8), "-3", ("3",)),
    ("AL08", SquareEquation(1, 15, 64), "7 and -7", ("sqrt(79) and -sqrt(79)",)),
    ("AL08", FactoredEquation(3, 5, 8), "7 and 1", ("-1 and -7",)),
    ("AL11", Inequality(-2, 6, "≤", 20), "x ≥ -7", ("x ≥ -16",)),
    ("AL11", FractionValue(1, 6, 6, 12), "3", ("8", "13")),
    ("AL11", SlopeOfStandardForm(6, 2, 8), "-3", ("-6",)),
    ("AL13", Blank((20, -5, 3), 4), "14", ("8",)),
    ("AL13", LikeTerms((9, -4, 2), (5,)), "7x + 5", ("3x + 5",)),
    ("AL15", WordEquation(*PROFESSORS, 6, 4), "S = 6P + 4", ("6S + 4 = P",)),
    ("AL16", SequenceTerm(5, 3, 10), "32", ("13",)),
    ("AL17", NthTerm(5, 3), "3n + 2", ("3n + 5",)),
    ("AL18", Growth(*SAVINGS, 1000, 10, 2), "$1210.00", ("$2200.00",)),
    ("AL19", ProportionalTable(2, 6, 9), "27", ("3",)),
    ("AL25", Growth(*SAVINGS, 1000, 10, 3), "$1331.00", ("$1001.00",)),
    ("AL28", ExponentLaws(5, over=2), "x^3", ("x^(5/2)",)),
    ("AL29", SquareEquation(4, 0, 64), "4 and -4", ("2 and -2",)),
    ("AL31", FactoredEquation(-2, 8, 24), "10 and -4", ("10",)),
]


@over(("rule", "problem", "right", "wrong"), EXAMPLES)
def test_a_rule_gives_the_answer_of_its_example(rule, problem, right, wrong):
    assert problem.solve().answer.shown == right
    assert [worked.answer.shown for worked in rules()[rule].run(problem)] == [wrong]


def test_every_rule_of_algebra_has_an_example():
    assert [rule for rule, *_ in EXAMPLES] == [f"AL{number:02}" for number in range(1, 36)]


@over(("rule", "problem", "right", "wrong"), ELSEWHERE)
def test_a_rule_does_the_same_in_other_problems(rule, problem, right, wrong):
    assert problem.solve().answer.shown == right
    assert tuple(worked.answer.shown for worked in rules()[rule].run(problem)) == wrong


@over(
    ("rule", "problem", "why"),
    [
        ("AL01", Blank((8, 4), 0), "nothing stands beside the blank"),
        ("AL03", ExpressionValue(3, 0, 4), "there is one term only"),
        ("AL04", BracketValue(3, -9, 2), "a minus cannot be written behind a digit"),
        ("AL07", BracketValue(2, -5, 1), "the factor is positive"),
        ("AL08", LinearEquation(3, 0, 0, 12), "there is no constant to carry across"),
        ("AL09", LinearEquation(1, 5, 0, 12), "there is no coefficient"),
        ("AL10", LinearEquation(3, 0, 0, 12), "the right side is the larger number"),
        ("AL12", LinearEquation(3, 2, 0, 12), "all x stand on one side"),
        ("AL12", LinearEquation(3, 2, -3, 12), "no x would be left"),
        ("AL13", Blank((20, 5, -3), 4), "nothing stands behind the minus"),
        ("AL14", Inequality(2, 0, "<", 6), "the coefficient is positive"),
        ("AL18", SequenceTerm(5, 3, 9), "there is no term half way"),
        ("AL19", SlopeOfPoints(1, 2, 5, 2), "the line is level"),
        ("AL21", SlopeOfPoints(2, 7, 0, 10), "the second point lies above 0"),
        ("AL26", ExponentLaws(3, outer=2), "there is no product"),
        ("AL30", FractionValue(1, 6, 3, 12), "no equal numbers stand above and below"),
        ("AL31", SquareEquation(1, 0, 49, positive=True), "only one root is asked for"),
    ],
)
def test_a_rule_says_nothing_where_it_does_not_apply(rule, problem, why):
    assert rules()[rule].run(problem) == (), why


class TestStems:
    def test_ask_for_a_blank_or_for_x(self):
        assert Blank((8, 4), 5).stem() == "What number goes in the blank in 8 + 4 = _ + 5?"
        assert Blank((20, -5, 3), 0, letter=True).stem() == "Solve x = 20 - 5 + 3. What is x?"

    def test_write_signs_as_pupils_do(self):
        assert BracketExpansion(9, -4, -3).stem() == (
            "Write 9x - 4(x - 3) without brackets and simplify."
        )
        assert LikeTerms((9, -1, 2), (5, -3)).stem() == "Simplify 9x - x + 2x + 5 - 3."
        assert "-12x + y = -27" in SlopeOfStandardForm(-12, 1, -27).stem()
        assert "(x + 2)(x - 8) = 24" in FactoredEquation(-2, 8, 24).stem()

    def test_tell_what_is_known_half_way(self):
        assert SequenceTerm(5, 3, 10).stem() == (
            "A sequence goes on in the same way: 5, 8, 11, ... Its 5th term is 17. "
            "What is its 10th term?"
        )
        assert "After 1 year there is $1100.00." in Growth(*SAVINGS, 1000, 10, 2).stem()
        assert "there is $" not in Growth(*SAVINGS, 1000, 10, 3).stem()

    def test_keep_the_order_of_the_words(self):
        assert WordEquation(*PROFESSORS, 6, 4).stem() == (
            "At a college there are 4 more than 6 times as many students (S) as professors (P). "
            "Which equation says this?"
        )


@over(
    ("make", "fields"),
    [
        (Blank, ((8,), 5)),
        (Blank, ((8, 4), -5)),
        (LikeTerms, ((), (4,))),
        (BracketValue, (1, 4, 2)),
        (BracketExpansion, (9, -4, 0)),
        (ExpressionValue, (1, 0, 4)),
        (FunctionValue, (2, 0, 4)),
        (FractionValue, (1, 6, 1, 12)),
        (PowerValue, (2, 0, 1, 2)),
        (LinearEquation, (2, 1, 2, 5)),
        (LinearEquation, (1, 0, 0, 5)),
        (Inequality, (-2, 0, "=", 6)),
        (WordEquation, ("At school", "pupils", "pens", 6, 0)),
        (NthTerm, (5, 0)),
        (SequenceTerm, (5, 3, 2)),
        (SlopeOfPoints, (1, 2, 1, 5)),
        (SlopeOfLine, (0, 5)),
        (SlopeOfStandardForm, (6, 0, 8)),
        (ExponentLaws, (3,)),
        (SquareEquation, (1, 0, 50)),
        (SquareEquation, (1, 9, 5)),
        (FactoredEquation, (3, 5, 7)),
        (FactoredEquation, (3, 5, 0)),
        (Growth, (*SAVINGS, 1, 5, 4)),
        (ProportionalTable, (2, 6, 2)),
    ],
)
def test_problems_that_make_no_sense_are_refused_in_a_sentence(make, fields):
    with pytest.raises(ValueError, match=r"^[A-Z'].*\.$"):
        make(*fields)
