"""From responses to the outcome of a word problem."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import Completion, Likelihood, ModelForm
from biaslab.studies import Item, Reading
from biaslab.studies.answers.numeric import read_first_number, read_numeric
from schoolmath.text.numbers import first_number

ITEM = Item.of("consistency", "How many?", "15", {})


FORMS = (ModelForm.BASE, ModelForm.CHAT)


def said(text: str, finish: str = "stop") -> Completion:
    return Completion(text, finish, 1, 1, 0.0)


def read(*answered: Completion | Likelihood, form: ModelForm = ModelForm.CHAT) -> Reading:
    return read_numeric(ITEM, answered, form)


@pytest.mark.parametrize("text", ["15", " 15.", "15.0", "fifteen", "18 - 3 = 15", "**15** apples"])
def test_the_right_number_in_any_writing_is_right(text):
    assert [read(said(text), form=form).outcome for form in FORMS] == [1.0, 1.0]


def test_what_answers_a_turn_is_read_whole_and_what_continues_a_text_to_its_paragraph():
    goes_on = said("15\n\nAna had 18 and gave 9 away, so Ana has 9.")
    assert read(goes_on, form=ModelForm.BASE).value == "15"
    assert read(goes_on, form=ModelForm.CHAT).rule == "statements disagree"


def test_a_calculation_at_the_opening_is_a_step_in_either_form():
    solution = said("12 + 6 = 18\n\n18 - 3 = 15\n\nThe answer is 15.")
    assert [read(solution, form=form).value for form in FORMS] == ["15", "15"]


def test_an_answer_that_is_stated_outweighs_the_opening_of_a_chat():
    assert read(said("18\n\n18 - 3 = 15. The answer is 15.")).value == "15"


def test_another_number_is_wrong():
    reading = read(said("21"))
    assert (reading.value, reading.outcome) == ("21", 0.0)


def test_nothing_readable_is_invalid_not_wrong():
    reading = read(said("I cannot say."))
    assert (reading.value, reading.outcome) == (None, None)
    assert reading.explanation


def test_the_first_number_in_a_sentence_is_not_taken_for_the_answer():
    reading = read(said("Since Ana has 18, Ben has 15."))
    assert reading.outcome == 1.0


def test_a_number_that_was_cut_off_is_not_read_as_if_it_were_whole():
    assert read(said("18 - 3 = 1", "length")).outcome is None


def test_only_the_last_response_counts():
    reading = read(said("18 + 3 = 21."), said(" 15"))
    assert reading.outcome == 1.0


def test_a_likelihood_is_no_answer_to_a_word_problem():
    with pytest.raises(TypeError, match="answered in text"):
        read(Likelihood((-1.0,), (1,)))


class TestThePublishedReader:
    """The first number, commas and points deleted, whatever else is said."""

    def test_what_it_reads(self):
        cases = {
            "15": "15",
            " 15. So Ben has 3": "15",
            "18 - 3 = 15": "18",
            "Step 1. 18 - 3": "1",
            "1,500 apples": "1500",
            "12.5": "125",
            "-3": "3",
            "**15**": "15",
        }
        for text, value in cases.items():
            reading = read_first_number(ITEM, (said(text),), ModelForm.CHAT)
            assert (reading.value, reading.outcome) == (value, float(value == "15")), text

    def test_no_number_is_invalid_not_wrong(self):
        assert read_first_number(ITEM, (said("fifteen"),), ModelForm.CHAT).outcome is None

    @given(st.text(alphabet="12.,- a=\n", max_size=12), st.text(alphabet="12.,- a=\n", max_size=8))
    def test_a_number_that_is_over_is_the_same_whatever_follows(self, text, more):
        number = first_number(text)
        if number is not None and number.is_over:
            assert first_number(text + more) == number
