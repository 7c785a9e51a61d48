"""Column arithmetic, rounding and place value: what each rule gives, and where it is silent."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolmath.malrules import rules, rules_for
from schoolmath.malrules.catalogue.numbers.column_subtraction import (
    ColumnSubtraction,
    MissingSubtrahend,
)
from schoolmath.malrules.catalogue.numbers.columns import ColumnAddition, ColumnMultiplication
from schoolmath.malrules.catalogue.numbers.division import Division, DivisionThenSum
from schoolmath.malrules.catalogue.numbers.places_and_factors import (
    ExpandedForm,
    NumberInWords,
    in_words,
)
from schoolmath.malrules.catalogue.numbers.rounding import EstimatedSum, Rounding
from tests.loops import over

EXAMPLES = [
    (ColumnSubtraction(431, 163), "NO01", "268", "332"),
    (ColumnSubtraction(143, 28), "NO02", "115", "125"),
    (ColumnSubtraction(602, 437), "NO03", "165", "265"),
    (ColumnSubtraction(704, 108), "NO04", "596", "606"),
    (ColumnSubtraction(602, 327), "NO05", "275", "225"),
    (ColumnSubtraction(140, 21), "NO06", "119", "121"),
    (ColumnSubtraction(140, 21), "NO07", "119", "120"),
    (ColumnSubtraction(57, 20), "NO08", "37", "30"),
    (ColumnSubtraction(42, 16), "NO09", "26", "30"),
    (ColumnSubtraction(733, 216), "NO10", "517", "427"),
    (ColumnSubtraction(439, 4), "NO11", "435", "5"),
    (ColumnAddition(47, 38), "NO12", "85", "75"),
    (ColumnAddition(47, 38), "NO13", "85", "715"),
    (ColumnAddition(47, 38), "NO14", "85", "22"),
    (ColumnAddition(123, 45), "NO15", "168", "573"),
    (ColumnAddition(47, 38), "NO16", "85", "121"),
    (ColumnMultiplication(27, 4), "NO17", "108", "168"),
    (ColumnMultiplication(27, 4), "NO18", "108", "88"),
    (ColumnMultiplication(23, 45), "NO19", "1035", "207"),
    (ColumnMultiplication(23, 45), "NO20", "1035", "815"),
    (Division(618, 6), "NO21", "103", "13"),
    (Division(3, 12), "NO22", "1/4", "4"),
    (Rounding(3672, 100), "NO23", "3700", "3600"),
    (Rounding(3447, 1000), "NO24", "3000", "4000"),
    (MissingSubtrahend(1000, 421), "NO25", "579", "621"),
    (NumberInWords(406), "NO26", "406", "4006"),
]

ON_OTHER_FORMS = [
    (MissingSubtrahend(1000, 421), "NO01", "579", "1421"),
    (MissingSubtrahend(1000, 421), "NO05", "579", "429"),
    (ColumnMultiplication(27, 4), "NO13", "108", "828"),
    (ColumnMultiplication(27, 4), "NO16", "108", "162"),
    (ColumnMultiplication(23, 45), "NO17", "1035", "1375"),
    (ColumnMultiplication(23, 45), "NO18", "1035", "925"),
    (DivisionThenSum(618, 6, 47, "beads"), "NO21", "150", "60"),
    (DivisionThenSum(618, 6, 47, "beads"), "NO12", "150", "140"),
    (DivisionThenSum(618, 6, 47, "beads"), "NO13", "150", "1410"),
    (EstimatedSum(3672, 2447, 100), "NO23", "6100", "6000"),
    (EstimatedSum(3672, 2447, 100), "NO24", "6100", "6200"),
    (EstimatedSum(3672, 2447, 100), "NO12", "6100", "5100"),
    (EstimatedSum(3672, 2447, 100), "NO25", "6100", "6219"),
    (Rounding(3672, 100), "NO25", "3700", "3772"),
    (ExpandedForm(426), "NO26", "426", "400206"),
    (ExpandedForm(426), "NO14", "426", "12"),
    (ExpandedForm(426), "NO15", "426", "1200"),
]


@over(("problem", "rule_id", "right", "wrong"), EXAMPLES + ON_OTHER_FORMS)
def test_an_example_comes_out_as_worked_by_hand(problem, rule_id, right, wrong):
    assert problem.solve().answer.shown == right
    assert rules()[rule_id].run(problem)[0].answer.shown == wrong


def pairs(low, high):
    return st.tuples(st.integers(low, high), st.integers(low, high)).filter(lambda p: p[0] > p[1])


class TestSubtraction:
    @given(pairs(1, 99_999))
    def test_is_right_and_every_rule_ends_on_any_two_numbers(self, pair):
        problem = ColumnSubtraction(*pair)
        assert problem.solve().answer.value == pair[0] - pair[1]
        for rule in rules_for(problem):
            for worked in rule.run(problem):
                assert worked.answer.value >= 0

    @pytest.mark.parametrize("rule_id", ["NO01", "NO02", "NO03", "NO04", "NO05", "NO09", "NO10"])
    def test_bugs_of_borrowing_are_silent_where_nothing_is_borrowed(self, rule_id):
        assert rules()[rule_id].run(ColumnSubtraction(487, 123)) == ()

    @pytest.mark.parametrize("rule_id", ["NO03", "NO04", "NO05"])
    def test_bugs_of_zeros_are_silent_where_the_lender_is_no_zero(self, rule_id):
        assert rules()[rule_id].run(ColumnSubtraction(431, 163)) == ()

    def test_a_column_that_nobody_can_lend_to_stops_the_rule(self):
        # Two borrows from the 1 on the left, which has only one to give.
        assert rules()["NO10"].run(ColumnSubtraction(1022, 933)) == ()

    def test_the_trace_names_columns_and_digits(self):
        (worked,) = rules()["NO03"].run(ColumnSubtraction(602, 437))
        assert worked.key_step == 0
        assert worked.steps[0].text == (
            "turns the 0 in the tens column into 9 and borrows no further, takes 7 from 12 in the "
            "ones column and writes 5"
        )
        assert worked.steps[-1].text == "reads the answer 265"

    @pytest.mark.parametrize("pair", [(5, 5), (4, 9), (9, 0), (100_000, 1)])
    def test_refuses_what_is_no_column_subtraction(self, pair):
        with pytest.raises(ValueError, match="cannot be taken"):
            ColumnSubtraction(*pair)


class TestAddition:
    @given(st.integers(1, 99_999), st.integers(1, 99_999))
    def test_is_right_and_every_rule_ends_on_any_two_numbers(self, first, second):
        problem = ColumnAddition(first, second)
        assert problem.solve().answer.value == first + second
        for rule in rules_for(problem):
            rule.run(problem)

    @pytest.mark.parametrize("rule_id", ["NO12", "NO13", "NO16"])
    def test_bugs_of_carrying_are_silent_where_nothing_is_carried(self, rule_id):
        assert rules()[rule_id].run(ColumnAddition(123, 345)) == ()

    def test_numbers_of_one_length_cannot_be_lined_up_wrongly(self):
        assert rules()["NO15"].run(ColumnAddition(123, 345)) == ()


class TestMultiplicationAndDivision:
    @given(st.integers(10, 9_999), st.integers(2, 99).filter(lambda n: n % 10))
    def test_every_product_is_right_and_every_rule_ends(self, first, second):
        problem = ColumnMultiplication(first, second)
        assert problem.solve().answer.value == first * second
        for rule in rules_for(problem):
            rule.run(problem)

    @given(st.integers(1, 9_999), st.integers(2, 99))
    def test_every_quotient_is_right(self, quotient, divisor):
        assert Division(quotient * divisor, divisor).solve().answer.value == quotient
        inverse = Division(divisor, divisor * quotient) if quotient > 1 else Division(1, divisor)
        assert inverse.solve().answer.value == Fraction(1, quotient if quotient > 1 else divisor)

    def test_a_zero_at_the_end_of_a_quotient_stays(self):
        assert rules()["NO21"].run(Division(540, 6)) == ()
        assert rules()["NO21"].run(Division(6030, 6))[0].answer.shown == "15"

    def test_refuses_a_remainder(self):
        with pytest.raises(ValueError, match="leaves a remainder"):
            Division(7, 3)

    def test_the_story_says_one_box_and_many_boxes(self):
        assert DivisionThenSum(618, 6, 47, "beads").stem() == (
            "618 beads are shared equally among 6 boxes. Then 47 more beads are put into each "
            "box. How many beads are in each box now?"
        )


class TestRoundingAndPlaceValue:
    @given(st.integers(1001, 99_999).filter(lambda n: n % 1000), st.sampled_from([10, 100, 1000]))
    def test_rounding_is_never_further_off_than_half_the_place(self, number, place):
        if number % place:
            value = Rounding(number, place).solve().answer.value
            assert abs(value - number) * 2 <= place
            assert value % place == 0

    def test_a_number_may_be_cut_off_with_and_without_zeros(self):
        answers = [worked.answer.shown for worked in rules()["NO23"].run(Rounding(3672, 100))]
        assert answers == ["3600", "36"]

    @pytest.mark.parametrize(
        ("number", "words"),
        [
            (406, "four hundred six"),
            (426, "four hundred twenty-six"),
            (713, "seven hundred thirteen"),
            (3040, "three thousand forty"),
            (12_001, "twelve thousand one"),
        ],
    )
    def test_numbers_in_words(self, number, words):
        assert in_words(number) == words

    def test_tens_and_ones_may_be_written_as_one_part_or_as_two(self):
        answers = [worked.answer.shown for worked in rules()["NO26"].run(NumberInWords(426))]
        assert answers == ["40026", "400206"]
