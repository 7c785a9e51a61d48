"""Polynomials and powers made without sympy are the answers that sympy would make."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schoolmath.malrules import Answer
from schoolmath.malrules.answers import write_polynomial, write_power

COEFFICIENTS = st.one_of(
    st.integers(-30, 30),
    st.sampled_from([0, 1, -1]),
    st.fractions(Fraction(-9), Fraction(9), max_denominator=12),
)


@given(st.lists(COEFFICIENTS, min_size=1, max_size=5), st.sampled_from("xn"))
def test_a_polynomial_is_what_sympy_makes_of_its_text(coefficients, letter):
    text = " + ".join(f"({each})*{letter}**{power}" for power, each in enumerate(coefficients))
    assert Answer.polynomial(coefficients, letter).same_as(Answer.expression(text))


@settings(deadline=None)
@given(st.fractions(Fraction(-9), Fraction(20), max_denominator=6))
def test_a_power_is_what_sympy_makes_of_its_text(exponent):
    assert Answer.power(exponent).same_as(Answer.expression(f"x**({exponent})"))


@pytest.mark.parametrize(
    ("coefficients", "text"),
    [
        ((2, 3), "3x + 2"),
        ((2, -3), "-3x + 2"),
        ((0, 1), "x"),
        ((-1, 0, -1), "-x^2 - 1"),
        ((Fraction(1, 2), Fraction(3, 2), 1), "x^2 + (3/2)x + 1/2"),
        ((), "0"),
        ((0, 0), "0"),
    ],
)
def test_a_polynomial_is_written_as_a_pupil_would(coefficients, text):
    assert write_polynomial(coefficients) == text
    assert Answer.polynomial(coefficients).shown == text


def test_a_power_is_written_as_a_pupil_would():
    written = [write_power(each) for each in (7, 1, 0, -2, Fraction(5, 2))]
    assert written == ["x^7", "x", "1", "x^-2", "x^(5/2)"]
