"""The Flesch-Kincaid grade and the syllables behind it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.word_problems.overview.measures import reading_grade, syllables
from tests.loops import over


@over(
    ("word", "count"),
    [("has", 1), ("apples", 2), ("boxes", 2), ("more", 1), ("than", 1), ("potatoes", 3),
     ("oranges", 3), ("packed", 1), ("painted", 2), ("candle", 2), ("candles", 2),
     ("kilograms", 3), ("number", 2), ("pencils", 2), ("Ana", 2), ("giving", 2), ("quarter", 2),
     ("pieces", 2), ("bicycle", 3), ("the", 1)],
)  # fmt: skip
def test_syllables_of_usual_words(word, count):
    assert syllables(word) == count


@given(st.text())
def test_every_word_has_at_least_one_syllable(word):
    assert syllables(word) >= 1


def test_the_grade_follows_the_published_formula():
    words = ["Ana", "has", "3", "more", "apples", "than", "Ben"]
    # 7 words in a sentence; Ana and apples have two syllables, the others and the number one.
    assert reading_grade(words, 1) == pytest.approx(0.39 * 7 + 11.8 * 9 / 7 - 15.59)


@given(st.lists(st.sampled_from(["pen", "has", "apples", "12"]), min_size=1), st.integers(2, 9))
def test_longer_sentences_are_harder(words, sentences):
    assert reading_grade(words, 1) > reading_grade(words, sentences)


def test_no_words_are_an_error_in_a_sentence():
    with pytest.raises(ValueError, match="at least one word"):
        reading_grade([], 1)
