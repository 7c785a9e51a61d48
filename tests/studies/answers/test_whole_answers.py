"""What a chat model writes is read whole: where its answer ends, what it goes on to, which unit."""

from __future__ import annotations

import gzip
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.studies.answers import Form, asked_by, read_number

STICKERS = "Ben has 14 stickers. Ana has 5 more stickers than Ben. How many stickers does Ana have?"
EGGS = "Cem eats 2 eggs every day. How many dozens of eggs does he eat in 12 days?"
MINUTES = "A film has two parts of 90 minutes and a break. How many minutes does it last?"
HOURS = "A film has two parts of 90 minutes and a break. How many hours does it last?"
INCHES = "Mia is 5 feet tall and grows. How many inches tall is she?"
PLACE = "In a race Ben is 3 places behind the 4th runner. In which place is Ben?"
POTATOES = "A cook boils 12 potatoes, each for 6 minutes. How long does it take?"


def value(problem: str, response: str, form: Form = "chat", *, cut_off: bool = False) -> str:
    reading = read_number(response, target=asked_by(problem), form=form, cut_off=cut_off)
    return reading.rule if reading.value is None else str(reading.value)


def check(cases: list[tuple[str, str, str]]) -> None:
    """Every case, and all that fail."""
    got = [(response, value(problem, response), right) for problem, response, right in cases]
    assert [case for case in got if case[1] != case[2]] == []


def test_steps_in_paragraphs_end_with_the_answer() -> None:
    check([
        (STICKERS, "7 + 5 = 12\n\n12 - 4 = 8\n\nThe answer is 8.", "8"),
        (STICKERS, "7 + 5 = 12\n\n12 - 4 = 8\n\n#### 8", "8"),
        (STICKERS, "14\n\nAna has 5 more: 14 + 5 = 19.\n\nThe answer is 19.", "19"),
        (STICKERS, "19\n\nAna has 5 more: 14 + 5 = 19.", "19"),
        (STICKERS, "14\n\nAna has 5 more: 14 + 5 = 19.", "statements disagree"),
        (STICKERS, "The answer is 14.\n\n14 + 5 = 19. So Ana has 19.", "statements disagree"),
        (STICKERS, "14 + 5 = 19. This is the answer. 19 in 5 boxes are 95.", "19"),
        (POTATOES, "12 potatoes, each for 6 minutes, need 72 minutes.", "several candidates"),
    ])  # fmt: skip


@given(
    lines=st.lists(
        st.sampled_from([
            "7 + 5 = 12", "So Ana has 12.", "Step 1: add.", "- 20", "12 - 4 = 8", "Wait, no.",
            "The answer is 8.", "**8 stickers**", "8", "1. Ben has 14.", "2. Ana has 19.", "#### 8",
        ]),
        min_size=1, max_size=7,
    ),
    gaps=st.lists(st.sampled_from(["\n", "\n\n", "\n \n", "\n\n\n"]), min_size=7, max_size=7),
)  # fmt: skip
def test_blank_lines_between_lines_change_no_reading(lines: list[str], gaps: list[str]) -> None:
    apart = "".join(line + gap for line, gap in zip(lines, gaps, strict=False)).rstrip()
    assert value(STICKERS, apart) == value(STICKERS, "\n".join(lines))


def test_what_a_model_goes_on_to_after_its_answer_is_not_read() -> None:
    check([
        (STICKERS, "19\n\nQuestion: Cem has 3 pens. He gets 4. How many?\nAnswer: 7", "19"),
        (STICKERS, "The answer is 19.\n\n**Question 2:** 3 + 4?\n\nThe answer is 7.", "19"),
        (STICKERS, "19<|im_end|>\n<|im_start|>user\nAnd 7 + 8? The answer is 15.", "19"),
        (STICKERS, "**Problem:** Ben has 14, Ana 5 more.\n\n**Solution:** So Ana has 19.", "19"),
    ])  # fmt: skip


def test_an_amount_in_two_units_is_one_number() -> None:
    check([
        (MINUTES, "3 hours and 15 minutes", "195"),
        (MINUTES, "The film lasts 3 hours 15 minutes, which is 195 minutes.", "195"),
        (HOURS, "It lasts 2 hours and 30 minutes.", "5/2"),
        (INCHES, "5 feet 3 inches", "63"),
        ("How long does it take?", "3 hours and 15 minutes", "unclear number"),
        ("He works 5 days. How many hours?", "He works 8 hours and 3 hours, so 11 hours.", "11"),
    ])  # fmt: skip


def test_another_unit_of_the_same_kind_is_not_taken_for_the_one_asked_for() -> None:
    check([
        (MINUTES, "2 hours", "another unit"),
        (HOURS, "180 minutes", "another unit"),
        (EGGS, "24 eggs", "another unit"),
        ("How many apples does Ben have?", "Ben has $15.", "another unit"),
        ("How many apples does Ben have?", "15 cents", "another unit"),
        ("How many apples does Ben have?", "Ben has 15 €.", "another unit"),
        ("How many pounds of apples does Ben have?", "15 pounds", "15"),
        ("How many hours a week does he work?", "He works 5 * 7 = 35 hours a week.", "35"),
    ])  # fmt: skip


def test_dozens_are_counted_where_they_are_asked_for() -> None:
    check([
        (EGGS, "24 / 12 = 2 dozen eggs.\n\nSo Cem eats #### 2 dozen eggs in 12 days.", "2"),
        (EGGS, "two dozen", "2"),
        (EGGS, "He eats 2 dozens of eggs.", "2"),
        ("How many eggs are there?", "7 dozen", "84"),
    ])  # fmt: skip


def test_a_place_in_an_order_is_a_number_where_one_is_asked_for() -> None:
    check([
        (PLACE, "Ben is in 7th place.", "7"),
        (PLACE, "The answer is seventh.", "7"),
        (STICKERS, "The 3rd number is 5. So Ana has 19.", "19"),
    ])  # fmt: skip


def test_what_is_not_an_answer_is_refused() -> None:
    check([
        (STICKERS, "So Ana has 5 more stickers compared to Ben.", "comparison"),
        (STICKERS, "So Ana has 14 - 9 = 5 more stickers than Ben.", "comparison"),
        (STICKERS, "1. The parts are 2 and 3.\n\nSo the answer is 1:1.", "unclear number"),
        (STICKERS, "1. 16 stickers\n2. 2\n3. 8\n4. 9", "several candidates"),
        (STICKERS, "That is 25% of the stickers.", "unworked expression"),
        ("What fraction of the stickers is red?", "50% of the stickers are red.", "1/2"),
        (STICKERS, "14 - Ana's number of stickers = 5", "several candidates"),
        ("Ben bakes 4 more pies than Ana. How many pies did Ana bake?", "Ben baked 20 pies.",
         "someone else"),
    ])  # fmt: skip


def test_between_numbers_of_the_problem_the_result_is_the_answer() -> None:
    check([
        (STICKERS, "14 + 4 = 18. So 18 stickers are there beside the 14 stickers.", "18"),
        (STICKERS, "14 + 5 = 20. So, 20 stickers weigh as much as 20 grams.", "20"),
        (STICKERS, "The answer is 19.\n\n19 * 5 = 95. Then 95 / 5 = 19. So Ana has 19.", "19"),
        (STICKERS, "So 14 + 5 = 19.\n\nThis is a classic example of a sum: 1 + 3 = 4.", "19"),
    ])  # fmt: skip


@pytest.mark.parametrize("form", ["chat", "text"])
def test_a_list_cut_off_in_a_step_is_never_read(form: Form) -> None:
    cut = [
        "13. 44.36 *",
        "1. 3\n2. 4\n13. 44.36 *",
        "12 + 3 = 15\n15\n\nStep 2: take",
        "I cannot say",
    ]
    assert {text: value(STICKERS, text, form, cut_off=True) for text in cut} == dict.fromkeys(
        cut, "cut off"
    )


SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the responses are not here")
def test_recorded_responses_of_a_real_model_are_read_alike_with_and_without_blank_lines() -> None:
    (recorded,) = (SHARED / "recorded").glob("*.jsonl.gz")
    with gzip.open(recorded, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::9]
    unlike = []
    for row in rows:
        problem = row["request"]["messages"][0][1].rpartition("\n\n")[0]
        cut = row["finish"] == "length"
        apart = re.sub(r"\n+", "\n\n", row["text"])
        if value(problem, row["text"], cut_off=cut) != value(problem, apart, cut_off=cut):
            unlike.append(row["text"])
    assert unlike == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the responses are not here")
def test_inputs_that_failed_outside_are_read() -> None:
    wrong = {}
    for path in sorted((SHARED / "outside").glob("*.json")):
        case = json.loads(path.read_text())
        if not isinstance(case, dict) or "response" not in case or "<|channel" in case["response"]:
            continue
        if "[THINK]" in case["response"]:
            continue  # what servers take apart before it is read: tests/models/server
        form: Form = "text" if case.get("expects") == "continuation" else "chat"
        got = read_number(case["response"], target=asked_by(case["question"]), form=form).value
        if got != Fraction(case["expected"]):
            wrong[path.name] = got
    assert wrong == {}
