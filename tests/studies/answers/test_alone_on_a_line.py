"""A number that stands alone below the working is the answer, where the working came to it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.answers import asked_by, read_number
from tests.loops import over

QUESTION = "Ana has 12 apples. Ben gives her 7 apples, and she eats 4. How many apples has Ana now?"
WORKING = "Ana first gets apples: 12 + 7 = 19.\nThen she eats some: 19 - 4 = 15."
ALONE = ("15", "**15**", "15.", "**15.**", "$15$", "15 apples", "**15 apples**", "  15  ", "*15*")
BEHIND = (
    "So 3 friends get the same.", "Note that 1 dozen is 12.", "These 2 steps solve the problem.",
    "There are 7 days in a week, as you know.", "I double-checked this in 2 ways.",
    "Ana would need 5 more for a full basket.",
)  # fmt: skip


def read(text: str):
    return read_number(text, target=asked_by(QUESTION), form="text")


@over("line", ALONE)
@over("between", ["\n", "\n\n", "\n\n---\n\n"])
def test_it_is_read_however_it_is_set(line: str, between: str) -> None:
    found = read(WORKING + between + line)
    assert (found.value, found.rule) == (15, "alone")


@over("sentence", BEHIND)
@over("line", ["15", "**15**", "15 apples"])
def test_a_sentence_behind_it_is_no_other_answer(line: str, sentence: str) -> None:
    assert read(f"{WORKING}\n\n{line}\n\n{sentence}").value == 15


@pytest.mark.parametrize(
    ("text", "not_alone"),
    [
        ("12 + 7 = 19\n19\n19 - 4 = 15", 19),
        ("12 + 7 = 19\n19 - 4 = 15\n14", 14),
        ("12 + 7 = 19\n19 - 4 = 15\n15\n16", 16),
        ("12\n7\n4", 4),
        ("12 + 7 = 19\n1.\nShe eats 4.", 1),
    ],
    ids=["the working goes on", "not its result", "several", "no working", "a list's number"],
)
def test_what_no_working_came_to_is_not_taken_for_it(text: str, not_alone: int) -> None:
    found = read(text)
    assert found.rule != "alone"
    assert found.value != not_alone


def test_what_says_that_it_is_the_answer_comes_first() -> None:
    assert read(f"{WORKING}\n19\nThe answer is 15.").value == 15
    assert read(f"{WORKING}\n\n15\n\nNo, wait: 12 + 7 + 4 = 23.").value == 23


def test_a_number_that_an_answer_was_cut_off_at_is_not_read() -> None:
    found = read_number(f"{WORKING}\n1", target=asked_by(QUESTION), form="text", cut_off=True)
    assert found.value is None


@given(
    st.integers(2, 999), st.integers(2, 999), st.sampled_from(["{}", "**{}**", "{}.", "{} apples"]),
    st.sampled_from(BEHIND),
)  # fmt: skip
def test_whatever_the_numbers_are(a: int, b: int, line: str, behind: str) -> None:
    question = f"Ana has {a} apples. Ben gives her {b} apples. How many apples has Ana now?"
    text = f"Ana gets more: {a} + {b} = {a + b}.\n\n{line.format(a + b)}\n\n{behind}"
    found = read_number(text, target=asked_by(question), form="text")
    assert found.value == Fraction(a + b)


@given(st.text(alphabet="0123456789 .,/*$\n-=+a", max_size=400))
def test_any_text_is_read_or_refused(text: str) -> None:
    read(text)
