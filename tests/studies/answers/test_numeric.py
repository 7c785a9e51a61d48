"""From responses to the outcome of a word problem."""

from __future__ import annotations

import pytest

from biaslab.models import Completion, Likelihood
from biaslab.studies import Item
from biaslab.studies.answers.numeric import read_numeric

ITEM = Item.of("consistency", "How many?", "15", {})


def said(text: str, finish: str = "stop") -> Completion:
    return Completion(text, finish, 1, 1, 0.0)


@pytest.mark.parametrize("text", ["15", " 15.", "15.0", "fifteen", "18 - 3 = 15", "**15** apples"])
def test_the_right_number_in_any_writing_is_right(text):
    assert read_numeric(ITEM, (said(text),)).outcome == 1.0


def test_another_number_is_wrong():
    reading = read_numeric(ITEM, (said("21"),))
    assert (reading.value, reading.outcome) == ("21", 0.0)


def test_nothing_readable_is_invalid_not_wrong():
    reading = read_numeric(ITEM, (said("I cannot say."),))
    assert (reading.value, reading.outcome) == (None, None)
    assert reading.explanation


def test_the_first_number_in_a_sentence_is_not_taken_for_the_answer():
    reading = read_numeric(ITEM, (said("Since Ana has 18, Ben has 15."),))
    assert reading.outcome == 1.0


def test_a_number_that_was_cut_off_is_not_read_as_if_it_were_whole():
    assert read_numeric(ITEM, (said("18 - 3 = 1", "length"),)).outcome is None


def test_only_the_last_response_counts():
    reading = read_numeric(ITEM, (said("18 + 3 = 21."), said(" 15")))
    assert reading.outcome == 1.0


def test_a_likelihood_is_no_answer_to_a_word_problem():
    with pytest.raises(TypeError, match="answered in text"):
        read_numeric(ITEM, (Likelihood((-1.0,), (1,)),))
