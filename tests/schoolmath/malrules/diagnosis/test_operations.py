"""Which operation a working does at each step, apart from the number that comes out."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schoolmath.malrules import rules
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import (
    first_wrong_step,
    inconsistent_comparisons,
    read_story,
    reversed_comparisons,
    written_operations,
)
from tests.loops import over
from tests.schoolmath.malrules.diagnosis.test_diagnosis_steps import written

FEWER = read_story("Ana has 17. Ana has 18 fewer than Ben. How many does Ben have?")
PART = read_story("Ana has 5. Ana has 1/20 as many as Ben. How many does Ben have?")
TWO = read_story("Ana has 18. Ana gives away 5. Ana has 4 more than Ben. How many does Ben have?")


@over(
    ("text", "operation", "miscalculated"),
    [
        ("17 - 18 = 2", "-", True),
        ("17 - 18 = -1", "-", False),
        ("18 - 17 = 1", "-", False),
        ("17 + 18 = 36", "+", True),
        ("17 minus 18 makes 2", "-", True),
        ("ana = 17\nben = ana - 18\nprint(ben)", "-", False),
        ("17 - 18", "-", False),
        ("17 + 18 = 35. To check: 35 - 18 = 17.", "+", False),
        ("We have 17 = b - 18, so 17 + 18 = b - 18 + 18, and b = 17 + 18 = 35.", "+", False),
    ],
)
def test_the_operation_and_its_number_are_two_findings(text, operation, miscalculated):
    found = written_operations(FEWER, text)[0]
    assert (found.operation, found.miscalculated) == (operation, miscalculated)
    assert reversed_comparisons(FEWER, {0: found}) == {0: operation == "-"}


@pytest.mark.parametrize(
    "text",
    [
        "2", "The answer is 2.", "Ben has 18 more than 17.", "17 * 3 = 51",
        "17 + 18 = 35. No: 17 - 18 = 2.",  # done in two ways: neither is taken
        "17 - b = 18. Then 17 - 18 = b - 18.",  # both sides of an equation are changed
    ],
)  # fmt: skip
def test_nothing_is_read_from_a_bare_answer_or_from_what_could_be_two_things(text):
    assert 0 not in written_operations(FEWER, text)


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        (r"\frac{1}{20} \times 5 = \frac{5}{20} = \frac{1}{4}", "/"),
        ("1/20 * 5 = 0.25", "/"),
        (r"\frac{5}{20} = 0.25", "/"),
        (r"5 \times 20 = 100", "*"),
        ("5 / 20 = 0.25", "/"),
    ],
)
def test_a_part_of_something_is_a_division(text, operation):
    assert written_operations(PART, text)[0].operation == operation


def test_a_step_goes_on_from_what_the_working_has():
    found = written_operations(TWO, "18 + 5 = 24. 24 + 4 = 28.")
    assert {step: each.operation for step, each in found.items()} == {0: "+", 1: "+"}
    assert found[0].miscalculated
    assert reversed_comparisons(TWO, found) == {1: True}
    started_anew = written_operations(TWO, "18 - 4 = 14")
    assert reversed_comparisons(TWO, started_anew) == {1: False}


def test_a_number_that_may_be_another_one_is_no_evidence():
    """4 is taken for an amount here, and 5 is what is taken away from it."""
    assert 1 not in written_operations(TWO, "4 - 5 = -1")


def test_every_reversal_that_is_written_out_is_read_and_nothing_else(drawn):
    """A working with the reversed operation, the correct method, and both with wrong numbers."""
    read = lost = 0
    for story in drawn(Story)[:200]:
        misleading = inconsistent_comparisons(story)
        if not misleading or len(set(story.numbers_in_text)) < len(story.numbers_in_text):
            continue
        for worked in rules()["WP01"].run(story):
            done = reversed_comparisons(story, written_operations(story, written(worked)))
            read += 1
            lost += not any(done.values())
        right = reversed_comparisons(story, written_operations(story, written(story.solve())))
        assert not any(right.values()), story
    assert read > 20
    assert lost / read < 0.05


def test_the_first_wrong_step_says_both():
    found = first_wrong_step(FEWER, "17 - 18 = 2")
    assert (found.told, found.step, found.rules, found.miscalculated) == (True, 0, ("WP01",), True)
    assert found.why == (
        "Step 1 needs + and the text has -. Its number is wrong as well: 17 - 18 is -1, "
        "and the text has 2."
    )
    plain = first_wrong_step(FEWER, "17 - 18 = -1")
    assert (plain.rules, plain.miscalculated) == (("WP01",), False)
    turned = first_wrong_step(FEWER, "18 - 17 = 1")
    assert (turned.step, turned.miscalculated) == (0, False)
    assert {"WP01", "WP12"} <= set(turned.rules)
    right = first_wrong_step(FEWER, "17 + 18 = 36")
    assert (right.step, right.slip, right.found) == (0, True, Fraction(36))
