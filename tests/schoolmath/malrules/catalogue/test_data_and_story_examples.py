"""The examples of the design for data analysis and for stories with a twist."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schoolmath.malrules import Answer, rules
from schoolmath.malrules.catalogue.data.averages import (
    GroupMeans,
    MeanOfList,
    MedianOfList,
    MissingValue,
    ModeOfList,
    RangeOfList,
    most_common,
)
from schoolmath.malrules.catalogue.data.graphs import BarChart, Pictogram, TwoWayTable
from schoolmath.malrules.catalogue.stories.not_proportional import ConstantDifference, GrowingField
from schoolmath.malrules.catalogue.stories.unit_prices import BagOnSale, FractionOfRest, UnitPrice
from schoolmath.malrules.catalogue.stories.unrealistic import GroupsNeeded, SawnPlanks, TiedRopes
from schoolmath.malrules.catalogue.writing import plain
from tests.loops import over

POINTS = MeanOfList((24, 28, 25, 24, 29))
PUPILS = GroupsNeeded(1128, 36)
QUARTER, THIRD = Fraction(1, 4), Fraction(1, 3)

# Problem, rule, right answer, wrong answer: as the design has them.
EXAMPLES = [
    (POINTS, "DA01", "26", "24"),
    (POINTS, "DA02", "26", "25"),
    (POINTS, "DA03", "26", "29"),
    (POINTS, "DA04", "26", "130"),
    (MedianOfList((9, 4, 7, 1, 6)), "DA05", "6", "7"),
    (MedianOfList((1, 4, 6, 7, 9)), "DA06", "6", "5"),
    (RangeOfList((9, 4, 7, 1, 6)), "DA07", "8", "3"),
    (ModeOfList((3, 5, 5, 5, 8)), "DA08", "5", "3"),
    (MeanOfList((6, 0, 9, 5)), "DA09", "5", "20/3"),
    (GroupMeans(10, 60, 30, 80), "DA10", "75", "70"),
    (MissingValue((10, 14), 15), "DA11", "21", "15"),
    (BarChart((6, 8), 5), "DA12", "30", "6"),
    (Pictogram((4, 2), 3), "DA13", "12", "4"),
    (TwoWayTable(12, 18, 10, 20), "DA14", "2/5", "1/5"),
    (PUPILS, "WP18", "32", "31"),
    (PUPILS, "WP19", "32", "31 R 12"),
    (UnitPrice(15, Fraction(3, 4)), "WP20", "11.25", "20"),
    (ConstantDifference(9, 3, 15, "Sue", "Julie"), "WP21", "21", "45"),
    (GrowingField(200, 8, 600), "WP22", "72", "24"),
    (TiedRopes(Fraction(12), Fraction(3, 2)), "WP23", "more than 8", "8"),
    (FractionOfRest(60, THIRD, QUARTER), "WP24", "30", "25"),
]

# The same ideas on other problems; several answers where a rule goes wrong in several ways.
FURTHER = [
    (MeanOfList((1, 1, 2, 2)), "DA01", "3/2", []),
    (MeanOfList((6, 8, 9, 5)), "DA09", "7", []),
    (MeanOfList((0, 0, 0)), "DA09", "0", []),
    (POINTS, "DA06", "26", ["53/2"]),
    (MedianOfList((0, 2, 4, 8, 9)), "DA09", "4", ["6"]),
    (MedianOfList((3, 3, 6, 8, 9)), "DA01", "6", ["3"]),
    (ModeOfList((3, 5, 5, 5, 8)), "DA03", "5", ["8"]),
    (ModeOfList((3, 3, 5, 6, 8)), "DA02", "3", ["5"]),
    (GroupMeans(10, 60, 30, 80), "DA01", "75", ["80"]),
    (GroupMeans(10, 60, 10, 80), "DA01", "70", []),
    (GroupMeans(10, 60, 30, 80), "DA04", "75", ["3000"]),
    (MissingValue((10, 14), 15), "DA04", "21", ["45"]),
    (BarChart((6, 8), 5), "GM24", "30", ["35"]),
    (BarChart((6, 4), 5, "difference"), "GM24", "10", []),
    (BarChart((6, 4), 5, "difference"), "DA12", "10", ["2"]),
    (BarChart((6, 4), 5, "difference"), "DA04", "10", ["50"]),
    (BarChart((6, 4), 5, "total"), "GM24", "50", ["60"]),
    (BarChart((6, 4), 5, "total"), "DA04", "50", []),
    (Pictogram((4, 2), 3, "total"), "DA13", "18", ["6"]),
    (TwoWayTable(12, 18, 8, 22), "DA14", "2/5", ["1/5", "3/5"]),
    (TwoWayTable(12, 18, 8, 22), "DA08", "2/5", ["12"]),
    (PUPILS, "WP23", "32", ["94/3"]),
    (GroupsNeeded(1128, 36, "left"), "WP18", "12", ["31"]),
    (GroupsNeeded(50, 8), "WP23", "7", ["6.25"]),
    (UnitPrice(15, Fraction(3, 4), "whole"), "WP20", "20", ["11.25"]),
    (UnitPrice(15, Fraction(3, 4)), "GM26", "11.25", ["14.75"]),
    (BagOnSale(24, Fraction(3, 4), Fraction(1, 5)), "WP24", "14.4", ["13.2"]),
    (BagOnSale(24, Fraction(3, 4), Fraction(1, 5)), "WP20", "14.4", ["25.6"]),
    (GrowingField(2, 5, 4, "tank"), "WP22", "40", ["10"]),
    (GrowingField(2, 5, 4, "seed"), "GM26", "20", ["7"]),
    (TiedRopes(Fraction(12), Fraction(3, 4)), "WP20", "more than 16", ["9"]),
    (TiedRopes(Fraction(12), Fraction(3, 2)), "WP20", "more than 8", []),
    (SawnPlanks(4, Fraction(5, 2), Fraction(1)), "WP23", "8", ["10"]),
    (FractionOfRest(50, Fraction(1, 10), Fraction(1, 5), "percent"), "WP24", "36", ["35"]),
]


def answer(text: str) -> Answer:
    is_label = text.startswith("more") or " R " in text
    return Answer.label(text) if is_label else Answer.number(Fraction(text))


@over(("problem", "rule", "right", "wrong"), EXAMPLES)
def test_the_example_of_the_design(problem, rule, right, wrong):
    assert problem.solve().answer.same_as(answer(right))
    assert rules()[rule].run(problem)[0].answer.same_as(answer(wrong))


@over(("problem", "rule", "right", "wrong"), FURTHER)
def test_the_same_idea_elsewhere(problem, rule, right, wrong):
    assert problem.solve().answer.same_as(answer(right))
    found = [worked.answer for worked in rules()[rule].run(problem)]
    assert [each.value for each in found] == [answer(text).value for text in wrong]


def test_a_quotient_is_written_as_a_pupil_writes_it():
    (exact,) = rules()["WP23"].run(PUPILS)
    (decimal,) = rules()["WP23"].run(GroupsNeeded(50, 8))
    assert (exact.answer.shown, decimal.answer.shown) == ("31 1/3", "6.25")


def test_prices_have_two_places():
    problem = UnitPrice(15, Fraction(3, 4))
    assert problem.solve().answer.shown == "11.25"
    assert rules()["WP20"].run(problem)[0].answer.shown == "20.00"


@pytest.mark.parametrize(
    ("values", "common"),
    [((1, 2, 2), 2), ((1, 1, 2, 2), None), ((1, 2, 3), None), ((4, 4, 4), 4)],
)
def test_the_most_common_value_is_there_more_often_than_every_other(values, common):
    assert most_common(values) == common


def test_stories_tell_all_their_numbers():
    problems = [
        PUPILS,
        GroupsNeeded(50, 8, "left", "photos"),
        UnitPrice(15, Fraction(3, 4)),
        UnitPrice(15, Fraction(3, 4), "whole"),
        BagOnSale(24, Fraction(3, 4), Fraction(1, 5)),
        ConstantDifference(9, 3, 15, "Sue", "Julie"),
        GrowingField(200, 8, 600),
        TiedRopes(Fraction(12), Fraction(3, 2)),
        SawnPlanks(4, Fraction(5, 2), Fraction(1)),
        FractionOfRest(60, THIRD, QUARTER),
    ]
    for problem in problems:
        stem, place = problem.stem().replace("$", ""), -1
        for number in problem.numbers:
            ways = [stem.find(text, place + 1) for text in (str(number), plain(number).shown)]
            assert max(ways) > place, (problem, number)
            place = min(way for way in ways if way > place)


@over(
    ("make", "said"),
    [
        (lambda: MeanOfList((1, 2)), "3 numbers or more"),
        (lambda: MeanOfList([1, 2, 3]), "3 numbers or more"),
        (lambda: MeanOfList((1, 2, Fraction(1, 2))), "whole number"),
        (lambda: ModeOfList((1, 2, 3)), "more often"),
        (lambda: GroupMeans(0, 60, 30, 80), "size"),
        (lambda: BarChart((4, 6), 5, "difference"), "more than the second"),
        (lambda: Pictogram((1, 2, 3, 4, 5), 3), "four kinds"),
        (lambda: TwoWayTable(1, 2, 3, 4), "cell"),
        (lambda: GroupsNeeded(72, 36), "remainder"),
        (lambda: GroupsNeeded(20, 36), "more things"),
        (lambda: UnitPrice(10, THIRD), "cents"),
        (lambda: UnitPrice(10, Fraction(3, 2)), "between 0 and 1"),
        (lambda: BagOnSale(10, Fraction(3, 4), THIRD), "cents"),
        (lambda: ConstantDifference(3, 9, 15, "Sue", "Julie"), "behind"),
        (lambda: ConstantDifference(9, 3, 15, "Sue", " "), "name"),
        (lambda: GrowingField(200, 8, 200), "differ"),
        (lambda: TiedRopes(Fraction(12), Fraction(7)), "exactly"),
        (lambda: TiedRopes(12, Fraction(3, 2)), "fraction"),
        (lambda: SawnPlanks(4, Fraction(3), Fraction(1)), "left over"),
        (lambda: FractionOfRest(61, THIRD, QUARTER), "whole number"),
        (lambda: FractionOfRest(60, THIRD, QUARTER, "percent"), "percent"),
    ],
)
def test_nonsense_is_refused_with_the_reason(make, said):
    with pytest.raises(ValueError, match=said):
        make()
