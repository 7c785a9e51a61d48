"""Decimals, signed numbers, order of operations, powers and roots."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolmath.malrules import rules, rules_for
from schoolmath.malrules.catalogue.numbers.columns import DecimalProduct, DecimalSum
from schoolmath.malrules.catalogue.numbers.order_of_operations import (
    OperationChain,
    PowerInChain,
    RootInChain,
    RootOfSum,
)
from schoolmath.malrules.catalogue.numbers.powers_and_roots import SumOfPowers
from schoolmath.malrules.catalogue.numbers.signed_numbers import SignedProduct, SignedSum
from tests.loops import over


def decimals(first: str, second: str) -> tuple[Fraction, Fraction]:
    return Fraction(first), Fraction(second)


MIXED = OperationChain((1, 2, 3, 4), ("+", "×", "+"))
LONG = OperationChain((24, 4, 2, 3, 5), ("÷", "×", "+", "×"))

EXAMPLES = [
    (DecimalSum(*decimals("3.5", "0.27")), "NO41", "3.77", "0.62"),
    (DecimalSum(*decimals("2.9", "3.4")), "NO42", "6.3", "5.13"),
    (DecimalProduct(*decimals("0.3", "0.2")), "NO43", "0.06", "0.6"),
    (DecimalProduct(*decimals("2.5", "10")), "NO44", "25", "2.50"),
    (SignedSum(3, 8, True), "NO45", "-5", "5"),
    (SignedSum(-7, 4, False), "NO46", "-3", "-11"),
    (SignedSum(3, -5, True), "NO47", "8", "-2"),
    (SignedProduct(-4, -6, 0), "NO48", "24", "-24"),
    (MIXED, "NO49", "11", "13"),
    (MIXED, "NO50", "11", "21"),
    (OperationChain((12, 3, 2), ("÷", "×")), "NO51", "8", "2"),
    (SumOfPowers((2,), (5,), False), "NO52", "32", "10"),
    (SumOfPowers((3,), (2,), True), "NO53", "-9", "9"),
    (SumOfPowers((2,), (-3,), False), "NO54", "1/8", "-8"),
    (SumOfPowers((5,), (0,), False), "NO55", "1", "0"),
    (RootOfSum(36, 0), "NO56", "6", "18"),
    (RootOfSum(9, 16), "NO57", "5", "7"),
]

ON_OTHER_FORMS = [
    (DecimalSum(*decimals("3.5", "0.67")), "NO41", "4.17", "1.02"),
    (DecimalSum(*decimals("3.5", "0.67")), "NO42", "4.17", "3.72"),
    (DecimalSum(*decimals("3.5", "0.67")), "NO12", "4.17", "3.17"),
    (DecimalProduct(*decimals("2.5", "10")), "NO42", "25", "20.50"),
    (DecimalProduct(*decimals("1.4", "2.3")), "NO42", "3.22", "2.12"),
    (DecimalProduct(*decimals("1.4", "2.3")), "NO43", "3.22", "32.2"),
    (DecimalProduct(*decimals("1.4", "2.3")), "NO19", "3.22", "0.7"),
    (DecimalProduct(*decimals("2.7", "0.4")), "NO17", "1.08", "1.68"),
    (DecimalProduct(*decimals("2.7", "0.4")), "NO18", "1.08", "0.88"),
    (SignedSum(3, -5, True), "NO45", "8", "2"),
    (SignedSum(3, -5, True), "NO46", "8", "-8"),
    (SignedProduct(-4, -6, -5), "NO46", "29", "-29"),
    (SignedProduct(-4, -6, -5), "NO47", "29", "19"),
    (SignedProduct(-4, -6, -5), "NO48", "29", "-19"),
    (LONG, "NO49", "27", "75"),
    (LONG, "NO50", "27", "150"),
    (LONG, "NO51", "27", "18"),
    (OperationChain((3, 12, 8, 2, 5), ("÷", "×", "+", "×")), "NO22", "12", "42"),
    (PowerInChain(2, 3, 2, 3, 4), "NO49", "30", "44"),
    (PowerInChain(2, 3, 2, 3, 4), "NO50", "30", "60"),
    (PowerInChain(2, 3, 2, 3, 4), "NO52", "30", "24"),
    (RootInChain(3, 2, 6, 4), "NO49", "19", "34"),
    (RootInChain(3, 2, 6, 4), "NO50", "19", "50"),
    (RootInChain(3, 2, 6, 4), "NO56", "19", "43"),
    (SumOfPowers((3, 5), (2, 0), True), "NO52", "-8", "-6"),
    (SumOfPowers((3, 5), (2, 0), True), "NO53", "-8", "10"),
    (SumOfPowers((3, 5), (2, 0), True), "NO55", "-8", "-9"),
    (RootOfSum(9, 16), "NO49", "5", "19"),
    (RootOfSum(9, 16), "NO56", "5", "12.5"),
    (RootOfSum(25, -9), "NO57", "4", "2"),
]


@over(("problem", "rule_id", "right", "wrong"), EXAMPLES + ON_OTHER_FORMS)
def test_an_example_comes_out_as_worked_by_hand(problem, rule_id, right, wrong):
    assert problem.solve().answer.shown == right
    assert rules()[rule_id].run(problem)[0].answer.shown == wrong


class TestDecimals:
    def test_a_zero_behind_a_decimal_does_not_change_its_value(self):
        (worked,) = rules()["NO44"].run(DecimalProduct(*decimals("2.5", "10")))
        assert worked.answer.value == Fraction(5, 2)

    def test_decimals_of_one_length_cannot_be_lined_up_wrongly(self):
        assert rules()["NO41"].run(DecimalSum(*decimals("2.9", "3.4"))) == ()

    @given(st.integers(1, 9_999), st.integers(1, 9_999), st.integers(1, 3), st.integers(1, 3))
    def test_sums_and_products_are_right_and_every_rule_ends(self, one, two, places, more):
        first, second = Fraction(one, 10**places), Fraction(two, 10**more)
        if first.denominator == 1 or second.denominator == 1:
            return
        for problem in (DecimalSum(first, second), DecimalProduct(first, second)):
            value = first + second if isinstance(problem, DecimalSum) else first * second
            assert problem.solve().answer.value == value
            for rule in rules_for(problem):
                rule.run(problem)

    @pytest.mark.parametrize(("first", "second"), [("3", "0.5"), ("0.5", "1"), ("1/3", "0.5")])
    def test_refuses_a_product_of_no_decimals(self, first, second):
        with pytest.raises(ValueError, match=r"the first is a decimal|has no end"):
            DecimalProduct(*decimals(first, second))


class TestSignedNumbers:
    @given(st.integers(-99, 99), st.integers(-99, 99), st.booleans())
    def test_sums_are_right_and_every_rule_ends(self, first, second, minus):
        if not first or not second or (first > 0 and second > 0 and not minus):
            return
        problem = SignedSum(first, second, minus)
        assert problem.solve().answer.value == (first - second if minus else first + second)
        for rule in rules_for(problem):
            rule.run(problem)

    def test_a_negative_number_behind_a_sign_stands_in_brackets(self):
        assert SignedSum(3, -5, True).stem() == "What is 3 - (-5)?"
        assert SignedProduct(-4, -6, -5).stem() == "What is (-4) × (-6) - (-5)?"

    def test_a_product_of_different_signs_is_no_matter_of_two_negatives(self):
        assert rules()["NO48"].run(SignedProduct(-4, 6, -5)) == ()


class TestOrderOfOperations:
    @given(
        st.lists(st.integers(1, 12), min_size=3, max_size=5),
        st.lists(st.sampled_from("+-×÷"), min_size=4, max_size=4),
    )
    def test_chains_are_worked_out_as_python_does(self, numbers, signs):
        signs = signs[: len(numbers) - 1]
        problem = OperationChain(tuple(numbers), tuple(signs))
        text = f"Fraction({numbers[0]})"
        for sign, number in zip(signs, numbers[1:], strict=True):
            text += f"{ {'×': '*', '÷': '/'}.get(sign, sign) }Fraction({number})"
        assert problem.solve().answer.value == eval(text)
        for rule in rules_for(problem):
            rule.run(problem)

    def test_a_division_by_zero_on_the_way_stops_the_rule(self):
        assert rules()["NO50"].run(OperationChain((8, 2, 2), ("÷", "-"))) == ()

    def test_the_key_step_is_the_first_one_out_of_order(self):
        (worked,) = rules()["NO50"].run(MIXED)
        assert [step.text for step in worked.steps] == [
            "works out 1 + 2 and gets 3",
            "works out 3 + 4 and gets 7",
            "works out 3 × 7 and gets 21",
        ]
        assert worked.key_step == 0

    def test_an_order_that_happens_to_be_right_is_no_mistake(self):
        assert rules()["NO49"].run(OperationChain((2, 3, 4), ("×", "+"))) == ()


class TestPowersAndRoots:
    @given(st.integers(2, 12), st.integers(-6, 6).filter(lambda n: n != 1), st.booleans())
    def test_powers_are_right_and_every_rule_ends(self, base, exponent, negated):
        problem = SumOfPowers((base,), (exponent,), negated)
        value = Fraction(base) ** exponent
        assert problem.solve().answer.value == (-value if negated else value)
        for rule in rules_for(problem):
            rule.run(problem)

    def test_an_odd_power_keeps_its_sign_either_way(self):
        assert rules()["NO53"].run(SumOfPowers((3,), (3,), True)) == ()

    def test_refuses_roots_that_are_no_whole_numbers(self):
        with pytest.raises(ValueError, match="is not made of squares"):
            RootOfSum(9, 25)
