"""Any number in any words is read back exactly; any text is read or refused; values compare."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import inflect
from hypothesis import example, given
from hypothesis import strategies as st

from biaslab.studies.answers import (
    RULES,
    Form,
    NumberReading,
    read_number,
    same_number,
)
from tests.loops import over

BOTH: tuple[Form, ...] = ("text", "chat")


def continued(text: str) -> NumberReading:
    return read_number(text, form="text")


# --- Properties ----------------------------------------------------------------------------------

_ENGLISH = inflect.engine()
_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")


def in_words(number: int, **how: str) -> str:
    words = str(_ENGLISH.number_to_words(abs(number), **how))  # type: ignore[arg-type]
    return f"minus {words}" if number < 0 else words


WRITINGS: dict[str, Callable[[int], str]] = {
    "digits": str,
    "commas": lambda n: f"{n:,}",
    "spaces": lambda n: f"{n:,}".replace(",", " "),
    "thin spaces": lambda n: f"{n:,}".replace(",", "\u2009"),
    "typographic minus": lambda n: str(n).replace("-", "−"),
    "full width": lambda n: str(n).translate(_FULL_WIDTH),
    "decimal zero": lambda n: f"{n}.0",
    "dollars": lambda n: f"${n}" if n >= 0 else f"-${-n}",
    "LaTeX": lambda n: f"${n}$",
    "bold": lambda n: f"**{n:,}**",
    "words": in_words,
    "words without and": lambda n: in_words(n, andword=""),
    "words without comma": lambda n: in_words(n, comma=""),
}

CARRIERS = {
    "alone": "{}",
    "full stop": "{}.",
    "unit": "{} apples",
    "cue": "The answer is {}.",
    "colon": "Answer: {}",
    "boxed": r"Ana has 18. So we get \boxed{{{}}}.",
    "conclusion": "Ana has 18, so Ben has {} apples.",
    "final sentence": "Ana has 18 apples. Ben has {} apples.",
    "equation": "18 + 3 = {}",
    "correction": "12, no wait, {}",
    "thinking": "<think>Is it 18? Or 3?</think>{}",
    "next question": "{}\nQ: Tom has 7 apples. How many are left?\nA: 7",
}


@given(
    number=st.integers(-999_999, 999_999),
    writing=st.sampled_from(sorted(WRITINGS)),
    carrier=st.sampled_from(sorted(CARRIERS)),
    form=st.sampled_from(BOTH),
)
@example(number=0, writing="words", carrier="conclusion", form="chat")
@example(number=1, writing="words", carrier="final sentence", form="text")
@example(number=-1000, writing="spaces", carrier="equation", form="text")
def test_any_whole_number_written_in_any_way_in_any_sentence_is_read_back_exactly(
    number: int, writing: str, carrier: str, form: Form
) -> None:
    written = WRITINGS[writing](number)
    response = CARRIERS[carrier].format(written)
    reading = read_number(response, form=form)
    assert reading.value == number, (response, reading)
    assert reading.span is not None
    assert reading.text == response[slice(*reading.span)]
    assert same_number(reading.text, number)


@given(
    whole=st.integers(-999_999, 999_999),
    decimals=st.text("0123456789", min_size=1, max_size=4),
    commas=st.booleans(),
    carrier=st.sampled_from(sorted(CARRIERS)),
    form=st.sampled_from(BOTH),
)
def test_any_decimal_number_in_any_sentence_is_read_back_exactly(
    whole: int, decimals: str, commas: bool, carrier: str, form: Form
) -> None:
    plain = f"{whole}.{decimals}"
    written = f"{whole:,}.{decimals}" if commas else plain
    reading = read_number(CARRIERS[carrier].format(written), form=form)
    assert reading.value == Fraction(plain)


FRAGMENTS = [
    *("1", "15", "1,000", "3.5", "½", "18/3", "50%", "one", "a dozen", "minus", "point", "third"),
    *("-", "−", "+", "=", "×", "*", "**", "/", "(", ")", "{", "}", "$", r"\boxed{", r"\frac{1}{2}"),
    *(" ", " ", " ", "\n", "\n\n", ". ", ", ", "? ", ": ", "so", "Ben has", "fewer than", "or"),
    *("the answer is", "Q:", "<think>", "</think>", "wait,", "####", "to", "I don't know", "maybe"),
    *("\u2009", "３", "²", "'", "_", "<b>", "\\", "&", "thousand", "1st", "3:30", "İ", "\u0301"),
]


@given(
    text=st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join)),
    form=st.sampled_from(BOTH),
    cut_off=st.booleans(),
)
@example(text="9" * 5000, form="text", cut_off=False)
@example(text="point " + "one " * 5000, form="chat", cut_off=False)
def test_no_text_is_too_odd_to_be_read_or_refused(text: str, form: Form, cut_off: bool) -> None:
    reading = read_number(text, form=form, cut_off=cut_off)
    assert reading.explanation == RULES[reading.rule]
    invalid = reading.explanation.startswith("Invalid")
    assert (reading.value is None) == (reading.span is None) == (reading.text == "") == invalid
    if reading.span is not None and reading.value is not None:
        assert text[slice(*reading.span)] == reading.text
        assert same_number(reading.text, reading.value)


HOSTILE = [
    *("1", "1 ", "1,", "1 - ", "1 = ", "-", "(", " ", "\n", "a", "a'", "one ", "one-", "**", "1?"),
    *(r"\boxed{", r"\frac", "the answer is ", "so 1, ", "wait, ", "<think>", "how many ", "1. "),
    *("1 more ", "100 ", "since 1, ", "\n\n1", "####", "1     ", "point one "),
]


@over("piece", HOSTILE)
def test_a_very_long_hostile_response_is_read_to_its_end(piece: str) -> None:
    # Twenty times as deep as Python's stack, and hours for a reader that is not linear.
    response = "Well, " + piece * (20_000 // len(piece)) + " x!"
    assert continued(response).rule in RULES


# --- Comparing -----------------------------------------------------------------------------------


@over(
    ("a", "b"),
    [
        ("15", "15"),
        ("15", 15),
        ("12.0", "12"),
        ("1,000", 1000),
        ("twelve", "12"),
        ("-4", "−4"),
        ("+4", 4),
        ("1/2", "0.5"),
        ("3/2", Fraction(3, 2)),
        ("0.1", Decimal("0.1")),
        ("-0", 0),
        ("100000000000000000001", 100000000000000000001),
    ],
)
def test_numbers_are_the_same_however_they_are_written(
    a: str, b: str | int | Fraction | Decimal
) -> None:
    assert same_number(a, b)


@over(
    ("a", "b"),
    [
        ("15", "150"),
        ("100000000000000000001", "100000000000000000000"),
        ("0.3333333333333333", "1/3"),
        ("", ""),
        ("apples", "apples"),
        ("15 apples", "15"),
        ("15 16", "15"),
        ("3,5", "3,5"),
    ],
)
def test_different_numbers_and_texts_that_are_none_are_not_the_same(a: str, b: str) -> None:
    assert not same_number(a, b)


@given(st.fractions(-(10**9), 10**9, max_denominator=10**6))
def test_a_fraction_is_the_same_as_its_own_text(number: Fraction) -> None:
    assert same_number(str(number), number)
