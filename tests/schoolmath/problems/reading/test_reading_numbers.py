"""Numbers in words and digits, as teachers write them."""

from __future__ import annotations

import inflect
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schoolmath.text.numbers import with_digits, with_plain_digits
from tests.loops import over

_ENGLISH = inflect.engine()


def digits(text: str) -> str:
    return " ".join(with_digits(text.split()))


class TestWords:
    @given(st.integers(0, 999_999))
    def test_every_number_spelled_out_is_read(self, number):
        spelled = str(_ENGLISH.number_to_words(number, comma=""))
        assert digits(f"Ana has {spelled} pens") == f"Ana has {number} pens"

    @given(st.integers(100, 999))
    def test_hundreds_are_read_without_and_too(self, number):
        spelled = str(_ENGLISH.number_to_words(number, andword=""))
        assert digits(spelled) == str(number)

    @over(
        ("words", "read"),
        [
            ("twice as many", "2 times as many"),
            ("half as many", "1 / 2 as many"),
            ("a third as many", "1 / 3 as many"),
            ("one quarter of the pens", "1 / 4 of the pens"),
            ("a dozen eggs", "12 eggs"),
            ("two dozen eggs", "24 eggs"),
            ("a hundred pens", "100 pens"),
            ("five and six", "5 and 6"),
            ("one hundred and red", "100 and red"),
        ],
    )
    def test_other_words_of_number_are_read(self, words, read):
        assert digits(words) == read

    @pytest.mark.parametrize(
        ("words", "read"),
        [
            ("twenty fifteen", "twenty 15"),
            ("five twenty", "five 20"),
            ("hundred hundred", "hundred hundred"),
        ],
    )
    def test_number_words_in_no_proper_order_are_no_one_number(self, words, read):
        assert digits(words) == read


class TestDigits:
    @over(
        ("written", "plain"),
        [
            ("1,200 stamps", "1200 stamps"),
            ("1,234,567 stamps", "1234567 stamps"),
            ("$15", "15 dollars"),
            ("£ 7", "7 pounds"),
            ("12,34 stamps", "12,34 stamps"),
            ("1,2000 stamps", "1,2000 stamps"),
            ("$2.50", "$2.50"),
            ("pens, 200 of them", "pens, 200 of them"),
        ],
    )
    def test_only_proper_groups_are_joined(self, written, plain):
        assert with_plain_digits(written) == plain
