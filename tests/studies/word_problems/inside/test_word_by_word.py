"""Exactly this number, and not a longer one that begins with it: probabilities after each word."""

from __future__ import annotations

import math
from functools import cache
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import Likelihood, ModelForm
from biaslab.stats import AnalysisError
from biaslab.studies import Design, experiment
from biaslab.studies.word_problems.inside.word_by_word import (
    AnswerProbabilities,
    Prefixes,
    Sought,
    WordByWord,
    how_it_was_done,
    prefixes_of_pair,
    separate_numbers,
    word_by_word,
)

some_sought = st.lists(st.integers(0, 999), min_size=1, max_size=6, unique=True).map(
    lambda numbers: Sought(numbers[0], numbers[1] if numbers[1:] else None, tuple(numbers[2:]))
)


class DigitModel:
    """A simulated model that writes digit by digit, with chances drawn from a seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def next(self, written: str) -> list[float]:
        """Chances of the ten digits and, last, of anything else."""
        weights = [
            (crc32(f"{self._seed} {written} {place}".encode()) % 1000 + 1) ** 3
            for place in range(11)
        ]
        return [weight / sum(weights) for weight in weights]

    def begins(self, text: str) -> float:
        """How probable it is that the answer begins so."""
        return math.prod(self.next(text[:at])[int(text[at])] for at in range(len(text)))

    def exactly(self, text: str) -> float:
        """How probable it is that the answer is this and no digit follows."""
        return self.begins(text) * self.next(text)[10]

    def likelihood(self, sought: Sought) -> Likelihood:
        texts = sought.continuations
        return Likelihood(
            tuple(math.log(self.begins(text)) for text in texts), tuple(map(len, texts))
        )


class TestAModelThatWritesDigitByDigit:
    @given(some_sought, st.integers(0, 10**6))
    def test_gives_each_number_the_chance_that_it_is_written_and_ends(
        self, sought: Sought, seed: int
    ):
        model = DigitModel(seed)
        found, by_digit = separate_numbers(sought, model.likelihood(sought))
        assert by_digit == len(sought.all)
        for number, probability in found.items():
            assert probability == pytest.approx(model.exactly(str(number)), abs=1e-12)

    def test_1_does_not_collect_the_probability_of_12(self):
        sought = Sought(1, 12, ())
        logs = {"1": 0.9, "12": 0.8, "120": 0.01}
        likelihood = Likelihood(
            tuple(math.log(logs.get(text, 1e-9)) for text in sought.continuations),
            tuple(map(len, sought.continuations)),
        )
        found, _ = separate_numbers(sought, likelihood)
        assert found[1] == pytest.approx(0.1, abs=1e-6)
        assert found[12] == pytest.approx(0.79, abs=1e-6)


def test_a_model_with_tokens_for_whole_numbers_keeps_what_it_said():
    sought = Sought(1, 12, (7,))
    chances = {"1": 0.2, "12": 0.5, "7": 0.1}
    texts = sought.continuations
    likelihood = Likelihood(
        tuple(math.log(chances.get(text, 0.001)) for text in texts), (1,) * len(texts)
    )
    found, by_digit = separate_numbers(sought, likelihood)
    assert by_digit == 0
    assert found == pytest.approx({1: 0.2, 12: 0.5, 7: 0.1})


@given(some_sought, st.data())
def test_whatever_a_model_says_chances_lie_between_0_and_1_and_sum_to_at_most_1(
    sought: Sought, data: st.DataObject
):
    size = len(sought.continuations)
    logs = data.draw(st.lists(st.floats(-50, 1e-6), min_size=size, max_size=size))
    tokens = data.draw(st.lists(st.integers(1, 4), min_size=size, max_size=size))
    found, _ = separate_numbers(sought, Likelihood(tuple(logs), tuple(tokens)))
    assert all(0 <= probability <= 1 for probability in found.values())
    assert math.fsum(found.values()) <= 1 + 1e-9


@cache
def cut() -> Prefixes:
    design = Design("consistency", 3, 1, {"steps": "1-1", "operations": "additive"})
    (*_, pair) = experiment("consistency").pairs(design)
    return prefixes_of_pair(pair, ModelForm.BASE)[1]


def test_there_is_a_point_for_every_word_and_the_other_numbers_go_together():
    model = DigitModel(3)
    read = word_by_word(cut(), [model.likelihood(cut().sought)] * len(cut().requests))
    assert len(read.chances) == len(read.words) == len(read.treated)
    others = math.fsum(model.exactly(str(number)) for number in cut().sought.others)
    assert read.chances[0].other == pytest.approx(others)


def test_answers_that_do_not_fit_the_requests_are_refused():
    likelihood = DigitModel(3).likelihood(cut().sought)
    with pytest.raises(AnalysisError, match="1 answers to"):
        word_by_word(cut(), [likelihood])
    with pytest.raises(AnalysisError, match="texts were to be scored"):
        separate_numbers(cut().sought, Likelihood((-1.0,), (1,)))


def read(*chances: tuple[float, float | None], digits: int = 2) -> WordByWord:
    """Four words of which the last three are the changed sentence."""
    sought = Sought(3, None if chances[0][1] is None else 31, ())
    points = tuple(AnswerProbabilities(right, turned, 0.0) for right, turned in chances)
    words = ("A.", "B", "more", "C.")
    return WordByWord(words, (False, True, True, True), sought, points, digits)


def test_the_word_where_the_reversed_answer_leads_most_is_found_within_the_changed_sentence():
    assert read((0, 0.9), (0, 0.1), (0.2, 0.62), (0.91, 0.05)).misled == 2
    assert read((0, 0.9), (0, 0), (0.6, 0.62), (0.9, 0)).misled is None
    assert read((0, None), (0, None), (0.6, None), (0.9, None)).misled is None


@pytest.mark.parametrize(
    ("digits", "words"),
    [(2, "digit by digit"), (0, "tokens of its own"), (1, "1 of these 2 numbers")],
)
def test_it_is_said_how_the_numbers_were_kept_apart(digits: int, words: str):
    assert words in how_it_was_done(read((0, 0), (0, 0), (0, 0), (0, 0), digits=digits))
