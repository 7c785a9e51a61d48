"""Which number a response is taken to give, by which rule, and when it is taken to give none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.answers import (
    RULES,
    RULES_OF,
    Form,
    NumberReading,
    read_number,
)
from tests.loops import over

BOTH: tuple[Form, ...] = ("text", "chat")


def continued(text: str) -> NumberReading:
    return read_number(text, form="text")


def stated(text: str) -> NumberReading:
    return read_number(text, form="chat")


# --- Defects of the published reading, none of which may come back ------------------------------


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize(
    ("response", "value"),
    [
        pytest.param("3.5", Fraction(7, 2), id="3.5 was read as 35"),
        pytest.param("12.0", Fraction(12), id="12.0 was read as 120"),
        pytest.param("18 - 3 = 15", Fraction(15), id="an equation was read as its first number"),
        pytest.param("-4", Fraction(-4), id="signs were lost"),
        pytest.param("−4", Fraction(-4), id="the typographic minus was lost"),
        pytest.param("twelve", Fraction(12), id="number words were not read"),
    ],
)
def test_a_defect_of_the_published_reading_is_not_repeated(
    form: Form, response: str, value: Fraction
) -> None:
    assert read_number(response, form=form).value == value


@over("form", BOTH)
@over(
    "response",
    [
        "Ana has 18, so Ben has 15",
        "Ana has 18 apples, so Ben has 15 apples.",
        "Since Ana has 18 and Ben has 3 fewer, Ben has 15.",
        "Ben has 15 because Ana has 18 and he has 3 fewer.",
        "Ana has 18. Therefore, Ben has 15.",
    ],
)
def test_regression_the_first_number_in_a_sentence_taken_for_the_answer(
    form: Form, response: str
) -> None:
    assert read_number(response, form=form).value == 15


# --- Ways of writing a number --------------------------------------------------------------------


@over("form", BOTH)
@over(
    ("response", "value"),
    [
        ("1,000", "1000"),
        ("1 000", "1000"),
        ("1\u2009000", "1000"),
        ("1\u202f000", "1000"),
        ("1'000", "1000"),
        ("1{,}000", "1000"),
        ("1.000", "1"),
        ("1.000.000", "1000000"),
        ("1,234.50", "1234.5"),
        ("1.234,50", "1234.5"),
        (".5", "0.5"),
        ("$12", "12"),
        ("12$", "12"),
        ("$12$", "12"),
        ("-$12", "-12"),
        (r"\$12", "12"),
        (r"\boxed{12}", "12"),
        (r"\boxed{12\text{ apples}}", "12"),
        ("**12**", "12"),
        ("*12*", "12"),
        ("__12__", "12"),
        ("`12`", "12"),
        ("<b>12</b>", "12"),
        ('"12"', "12"),
        ("(12)", "12"),
        ("12.", "12"),
        ("12!", "12"),
        ("+12", "12"),
        ("= 12", "12"),
        ("about 12", "12"),
        ("１２", "12"),
        ("٣", "3"),
        ("minus four", "-4"),
        ("negative 4", "-4"),
        ("− 4", "-4"),
        ("Twelve", "12"),
        ("twenty-one", "21"),
        ("twenty one", "21"),
        ("one hundred and five", "105"),
        ("fifteen hundred", "1500"),
        ("a dozen", "12"),
        ("half a dozen", "6"),
        ("2 dozen", "24"),
        ("15 thousand", "15000"),
        ("two and a half", "5/2"),
        ("2 and a half", "5/2"),
        ("three quarters", "3/4"),
        ("three point five", "7/2"),
        ("1/2", "1/2"),
        ("1 1/2", "3/2"),
        ("½", "1/2"),
        ("1½", "3/2"),
        (r"\frac{1}{2}", "1/2"),
        ("50%", "1/2"),
        ("50 percent", "1/2"),
        ("12 apples", "12"),
        ("12apples", "12"),
        ("12 m2", "12"),
        ("12 apples at 3:30 pm", "12"),
    ],
)
def test_a_number_is_read_however_it_is_written(form: Form, response: str, value: str) -> None:
    assert read_number(response, form=form).value == Fraction(value)


@over("form", BOTH)
@over(
    "response",
    [
        "H2O",
        "the 3rd",
        "twenty-first",
        "3:30",
        "at 3 pm",
        "2024-05-12",
        "May 5",
        "5 May 2024",
        "Step 2:",
        "Step two:",
        "1. First, count the apples.\n2. Then take some away.",
        "a 15-apple basket",
        "covid-19",
        "room 12",
        "no one",
        "one of them",
        "fourty-leven",
        "not 15",
        "100% sure",
    ],
)
def test_what_only_looks_like_a_number_is_none(form: Form, response: str) -> None:
    assert read_number(response, form=form).rule == "no number"


@over("form", BOTH)
@over(
    "response",
    ["3,5", "1,2345", "12k", "1e5", "2^3", "15²", "one two three", "1/0", "Ben - 15", "9" * 50],
)
def test_a_number_that_can_be_meant_in_two_ways_has_no_value(form: Form, response: str) -> None:
    assert read_number(response, form=form).rule == "unclear number"


# --- Equations and calculations ------------------------------------------------------------------


@over("form", BOTH)
@over(
    "response",
    [
        "18-3=15 apples",
        "18 apples - 3 apples = 15 apples",
        "$18 - $3 = $15",
        "15 = 18 - 3",
        "18 − 3 = 15",
        "5 x 3 = 15",
        "5x3=15",
        r"\[ 5 \times 3 = 15 \]",
        "30/2 = 15",
        "(20 - 8) + 3 = 15",
        "3(4) + 3 = 15",
        "18 - 3 = 10 + 5 = 15",
        "18 minus 3 is 15",
        "eighteen minus three equals fifteen",
        "subtract 3 from 18 to get 15",
        "the sum of 10 and 5 is 15",
        "3 fewer than 18 is 15",
        "half of 30 = 15",
        "18 - 3\n= 15",
    ],
)
def test_an_equation_means_the_result_it_states(form: Form, response: str) -> None:
    reading = read_number(response, form=form)
    assert (reading.value, reading.rule) == (Fraction(15), "equation")


def test_a_wrong_equation_is_not_put_right() -> None:
    assert continued("18 - 3 = 14").value == 14


@over("form", BOTH)
@over(
    "response",
    ["18 - 3", "18 + 3", "18/3", "18 / 3", "18 minus 3", "18 - 3 = ?", "15 + x", "18 + ?"],
)
def test_a_calculation_without_its_result_is_not_finished_for_the_model(
    form: Form, response: str
) -> None:
    reading = read_number(response, form=form)
    assert (reading.value, reading.rule) == (None, "unworked expression")


# --- A response that continues the prompt --------------------------------------------------------


@over(
    "response",
    [
        " 15",
        "15 apples, because Ana has 18.",
        "15\nQ: Tom has 7 apples. How many are left?\nA: The answer (Arabic numerals) is 7",
        "15. Q: Tom has 7 apples.",
        "15\n\nTom has 7 apples and gets 2 more. How many does he have?\n\nThe answer is 9.",
        "15\n\nQuestion: what is 3 + 4?\nAnswer: 7",
        "15\n16\n17",
        "15 (18 - 3)",
        "15, 3 fewer than Ana",
    ],
)
def test_a_continuation_that_opens_with_a_number_means_that_number(response: str) -> None:
    reading = continued(response)
    assert (reading.value, reading.rule) == (Fraction(15), "first number")


def test_a_question_that_a_base_model_goes_on_to_is_not_read() -> None:
    assert continued("some apples.\n\nTom has 7 apples. How many has Ana?\n\n7").value is None
    assert stated("Ben is sad.\nQ: Tom has 7 apples.").rule == "no number"


def test_line_ends_of_other_systems_are_line_ends() -> None:
    assert continued("18 - 3\r\n= 15").value == 15
    assert continued("15\r\n\r\nTom has 7. How many?").value == 15


def test_a_continuation_without_an_opening_number_is_read_as_free_text() -> None:
    chat = (
        "To find how many apples Ben has, we subtract 3 from 18.\n\n"
        "18 - 3 = 15\n\nBen has **15** apples."
    )
    assert (continued(chat).value, continued(chat).rule) == (Fraction(15), "bold")


# --- Free text, of which the final statement counts ----------------------------------------------


@over(
    ("response", "rule"),
    [
        (r"Ana has 18, Ben 3 fewer. \boxed{15}", "boxed"),
        (r"The final answer is $\boxed{18 - 3 = 15}$.", "equation"),
        ("Ana has 18 and Ben has 3 fewer.\n#### 15", "marked"),
        ("Ana has 18. The answer is 15.", "stated answer"),
        ("The answer (Arabic numerals) is: **15**", "stated answer"),
        ("The answer is that Ben has 15 apples.", "stated answer"),
        ("**Answer:** 15 apples. Ana has 18.", "stated answer"),
        ("15 is the answer.", "stated answer"),
        ("The answer is not 18 but 15.", "final statement"),
        ("First the answer is 18. Then the answer is 15.", "stated answer"),
        ("So Ben has 15 apples", "conclusion"),
        ("Ana has 18 apples. So Ben has 15 apples, 3 fewer than Ana.", "conclusion"),
        ("So Ben has 15 apples. That is 3 fewer than Ana.", "conclusion"),
        ("If Ana has 18, Ben has 15.", "conclusion"),
        ("Ana has **18** apples.\nBen has **15** apples.", "bold"),
        ("Ana has 18 apples and Ben has **15**.", "bold"),
        ("Ana has 18.\nBen has 15.", "final statement"),
        ("Ana has 18 and loses some.\n15", "final statement"),
        ("1. First, Ana has 18.\n2. Ben has 3 fewer.\n3. So Ben has 15.", "conclusion"),
        ("Step 1: Ana has 18.\nStep 2: 18 - 3 = 15", "equation"),
        ("Ana has 18 apples, gives away 3, leaving 15.", "equation"),
        ("Ben has 15 apples. How many does Ana have if Ben has 3 fewer?", "final statement"),
        ("Ben has 15 apples. Check: 15 + 3 = 18.", "final statement"),
    ],
)
def test_the_final_statement_of_free_text_is_read(response: str, rule: str) -> None:
    reading = stated(response)
    assert (reading.value, reading.rule) == (Fraction(15), rule)


def test_an_intermediate_statement_after_the_cue_is_not_taken_for_the_answer() -> None:
    assert stated("Answer: Ana has 18 apples. Ben has 3 fewer. So Ben has 15.").value == 15


# --- Self-correction, thinking, breaking off -----------------------------------------------------


@over("form", BOTH)
@over(
    "response",
    [
        "12, no wait, 15",
        "12 no wait 15",
        "12, no, 15",
        "12... Actually, 15",
        "12, sorry, 15",
        "12, I mean 15",
        "12 or rather 15",
        "12. Wait, that's wrong: 18 - 3 = 15.",
        "The answer is 12. No wait, it is 15.",
        "12\n\nWait, Ben has 15 apples.",
    ],
)
def test_only_what_follows_a_correction_counts(form: Form, response: str) -> None:
    reading = read_number(response, form=form)
    assert (reading.value, reading.rule) == (Fraction(15), "self-correction")


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize(
    "response", ["12, no wait", "12. Wait, that's wrong.", "12. No, that is not it."]
)
def test_an_answer_taken_back_is_no_answer(form: Form, response: str) -> None:
    assert read_number(response, form=form).rule == "unfinished correction"


@over("form", BOTH)
@over(
    "response",
    [
        "<think>18 - 3 is 14 or 16</think>15",
        "<think>\n18?\n</think>\n\n15 apples",
        "maybe 18, so 14</think> 15",
        "<THINKING>18</THINKING>15",
        "<think>18</think>15<think>14</think>",
    ],
)
def test_thinking_is_not_read(form: Form, response: str) -> None:
    reading = read_number(response, form=form)
    assert reading.value == 15
    assert reading.span is not None
    assert response[slice(*reading.span)] == "15"


def test_thinking_that_never_ends_gives_no_answer() -> None:
    assert continued("<think>18 - 3 = 15, so").rule == "unfinished thinking"


@pytest.mark.parametrize("form", BOTH)
def test_a_number_at_the_very_end_of_a_cut_off_response_may_lack_digits(
    form: Form,
) -> None:
    whole = read_number("18 - 3 = 15", form=form)
    cut = read_number("18 - 3 = 1", form=form, cut_off=True)
    assert (whole.value, cut.value, cut.rule) == (Fraction(15), None, "cut off")


def test_the_last_sentence_of_a_cut_off_response_is_not_its_conclusion() -> None:
    response = "Ana has 18 apples. Ben has 3 fewer apples than"
    assert read_number("Ana has 18 apples. Then Tom and", cut_off=True).rule == "cut off"
    assert read_number(response, form="text", cut_off=True).rule == "cut off"
    assert read_number("15 apples. Ana has", form="text", cut_off=True).value == 15


def test_a_sentence_left_hanging_shows_that_the_response_breaks_off() -> None:
    assert continued("Ana has 18 apples. Ben has").rule == "cut off"


# --- Invalid responses, each for its reason ------------------------------------------------------


@over("form", BOTH)
@over(
    ("response", "rule"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("...", "empty"),
        ("?!", "empty"),
        ("I don't know", "refusal"),
        ("I don’t know. Ana has 18.", "refusal"),
        ("It cannot be determined from the 2 numbers given.", "refusal"),
        ("unknown", "refusal"),
        ("apples", "no number"),
        ("10-12", "range"),
        ("10–12 apples", "range"),
        ("10 to 12", "range"),
        ("between 10 and 12", "range"),
        ("12 or 13", "several candidates"),
        ("either 12 or 13 apples", "several candidates"),
        ("12, 13", "several candidates"),
        ("12 and 13", "several candidates"),
        ("15 16 17", "several candidates"),
        ("A: 12 B: 13", "several candidates"),
        ("15 apples and 3 pears", "several candidates"),
        ("Ana has 18 and Ben has 15.", "several candidates"),
        ("Ana has 18 and Ben has 3 fewer than Ana.", "several candidates"),
        ("3 fewer than Ana", "comparison"),
        ("3 times as many as Ana", "comparison"),
        ("at least 15", "comparison"),
        ("more than 15", "comparison"),
        ("Ana has 18 apples. Ben has 3 fewer than Ana.", "comparison"),
        ("So Ben has 15 apples. Ana has 18 apples.", "statements disagree"),
    ],
)
def test_a_response_that_gives_no_single_number_is_invalid_and_says_why(
    form: Form, response: str, rule: str
) -> None:
    reading = read_number(response, form=form)
    assert (reading.value, reading.rule) == (None, rule)


def test_an_opening_number_that_the_same_sentence_contradicts_is_not_read() -> None:
    assert continued("18, so Ben has 15").rule == "statements disagree"
    assert continued("18. The answer is 15.").rule == "statements disagree"


def test_the_same_number_twice_is_one_answer() -> None:
    assert continued("15 or fifteen").value == 15
    assert continued("fifteen (15)").value == 15
    assert stated("So there are 15 (fifteen) apples.").value == 15


def test_a_guess_after_all_is_an_answer() -> None:
    assert stated("I'm not sure, maybe 15").value == 15


# --- Names and explanations ----------------------------------------------------------------------


@given(st.sampled_from(sorted(RULES)))
def test_every_rule_is_explained_in_one_sentence(rule: str) -> None:
    assert RULES[rule].endswith(".")
    assert RULES[rule].count(". ") == 0


def test_the_order_of_the_rules_is_a_table() -> None:
    assert [rule.__name__ for rule in RULES_OF["text"]] == [
        "nothing_there",
        "self_correction",
        "boxed",
        "marked",
        "first_number",
        "stated_answer",
        "alone",
        "unfinished",
        "refusal",
        "conclusion",
        "bold",
        "final_statement",
    ]
    text = [rule.__name__ for rule in RULES_OF["text"] if rule.__name__ != "first_number"]
    chat = [rule.__name__ for rule in RULES_OF["chat"]]
    assert chat.index("opening_of_chat") == chat.index("stated_answer") + 1
    assert [name for name in chat if name != "opening_of_chat"] == text


def test_a_reading_says_what_was_written_and_where() -> None:
    response = "So, Ben has **twenty-one** apples."
    assert stated(response) == NumberReading(
        Fraction(21), "twenty-one", "conclusion", RULES["conclusion"], (14, 24)
    )
