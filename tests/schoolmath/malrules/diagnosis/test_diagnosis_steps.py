"""Reading a written solution step by step."""

from __future__ import annotations

from fractions import Fraction

import pytest

from schoolmath.malrules import rules
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import (
    Calculation,
    first_wrong_step,
    read_calculations,
    read_story,
)
from tests.loops import over

STORY = read_story(
    "Ana has 18 apples. Ana gives away 5 apples. Ana has 4 more apples than Ben. "
    "Ben gets 27 apples. How many apples does Ben have now?"
)  # 18 - 5 = 13, 13 - 4 = 9, 9 + 27 = 36


class TestCalculations:
    @over(
        ("text", "operands", "operations", "result"),
        [
            ("15 + 6 = 21", (15, 6), "+", 21),
            ("15 plus 6 makes 21", (15, 6), "+", 21),
            ("15 apples - 6 apples = 9 apples", (15, 6), "-", 9),
            ("$3 × 4 = $12", (3, 4), "*", 12),
            ("3 x 4 is 12", (3, 4), "*", 12),
            ("24 ÷ 4 = 6", (24, 4), "/", 6),
            ("24 divided by 4 equals 6", (24, 4), "/", 6),
            ("18 - 5 - 4 = 9", (18, 5, 4), "--", 9),
            ("1,200 + 50 = 1,250", (1200, 50), "+", 1250),
            ("So 15 + 6 = **21**.", (15, 6), "+", 21),
            ("15 + 6", (15, 6), "+", None),
            ("2.5 + 1 = 3.5", (Fraction(5, 2), 1), "+", Fraction(7, 2)),
        ],
    )
    def test_are_read_in_signs_and_in_words(self, text, operands, operations, result):
        (found,) = read_calculations(text)
        assert isinstance(found, Calculation)
        assert found.operands == operands
        assert "".join(found.operations) == operations
        assert found.result == result

    def test_a_chain_of_equals_signs_is_two_calculations(self):
        found = read_calculations("18 - 5 = 13 - 4 = 9")
        assert [each.operands for each in found] == [(18, 5), (13, 4)]
        assert [each.result for each in found] == [13, 9]

    @pytest.mark.parametrize(
        "text",
        ["Step 1: 15 + 6 = 21", "1. 15 + 6 = 21", "2) 15 + 6 = 21", r"\(15 + 6 = \boxed{21}\)",
         "$15 + 6 = 21$", "15 + $6 = $21", "15+6=21"],
    )  # fmt: skip
    def test_labels_and_layout_are_no_numbers(self, text):
        (found,) = read_calculations(text)
        assert (found.operands, found.result) == ((15, 6), 21)

    def test_numbers_of_a_comparison_are_no_statements(self):
        assert read_calculations("Ana has 4 more apples than Ben and 3 times as many pears.") == ()

    def test_a_text_of_any_sort_is_read(self):
        for text in ("", "?!", "1" * 500, "= 5 =", "- - -", "5 + + 6", "٣ + ٤ = ٧", "a\n\nb"):
            read_calculations(text)


class TestTheFirstWrongStep:
    def test_a_right_solution_has_none(self):
        found = first_wrong_step(
            STORY, "Ana has 18 - 5 = 13 apples. Ben has 13 - 4 = 9. Now he has 9 + 27 = 36."
        )
        assert found.told
        assert found.step is None

    @pytest.mark.parametrize(
        ("text", "step", "rule"),
        [
            ("18 + 5 = 23, 23 - 4 = 19, 19 + 27 = 46", 0, "WP05"),
            ("18 - 5 = 13. Ana has more, so 13 + 4 = 17. 17 + 27 = 44", 1, "WP01"),
            ("18 - 5 = 13; 13 - 4 = 9; 9 + 27 = 26", 2, "WP14"),
            ("18 - 5 = 13. 13 + 27 = 40.", 1, "WP04"),
            ("18 - 5 = 13. 4 + 27 = 31.", 1, "WP07"),
            ("18 - 5 = 13. 13 - 4 = 9. The answer is 9.", 2, "WP03"),
            ("5 + 18 = 23", 0, "WP05"),
        ],
    )
    def test_is_named_with_the_rule_that_reproduces_it(self, text, step, rule):
        found = first_wrong_step(STORY, text)
        assert found.told
        assert found.step == step
        assert rule in found.rules

    def test_what_follows_from_the_wrong_result_is_not_wrong_again(self):
        found = first_wrong_step(STORY, "18 + 5 = 23. 23 - 4 = 19. 19 + 27 = 46.")
        assert (found.step, found.expected, found.found) == (0, 13, 23)

    def test_amounts_stated_after_the_calculations_are_followed_too(self):
        found = first_wrong_step(STORY, "18 - 5 = 13. So Ben has 17 apples, and then 44.")
        assert (found.step, found.found, found.rules) == (1, 17, ("WP01",))
        right = first_wrong_step(STORY, "18 - 5 = 13. So Ben has 9 apples. At last he has 36.")
        assert (right.told, right.step) == (True, None)

    def test_a_slip_is_no_rule(self):
        found = first_wrong_step(STORY, "18 - 5 = 14. 14 - 4 = 10. 10 + 27 = 37.")
        assert (found.step, found.rules, found.slip) == (0, (), True)

    def test_the_numbers_thrown_together_belong_to_no_step(self):
        found = first_wrong_step(STORY, "18 + 5 + 4 + 27 = 54")
        assert found.told
        assert found.step is None
        assert found.rules == ("WP02",)

    def test_a_wrong_sign_with_a_wrong_result_has_the_name_of_the_sign(self):
        found = first_wrong_step(STORY, "18 + 5 = 29")
        assert (found.told, found.step, found.rules) == (True, 0, ("WP05",))
        assert found.miscalculated

    def test_stated_amounts_are_followed_where_nothing_is_calculated(self):
        found = first_wrong_step(STORY, "Ana is left with 13 apples. Then Ben has 17. So 44.")
        assert (found.step, found.found) == (1, 17)
        assert found.rules == ("WP01",)

    def test_the_first_number_of_a_sentence_is_not_its_result(self):
        text = "18 apples are what Ana has, and 13 are left. 9 is what Ben has, in the end 36."
        found = first_wrong_step(STORY, text)
        assert found.told
        assert found.step is None

    @pytest.mark.parametrize(
        "text", ["", "I do not know.", "Ana has 18 apples and gives 5 away.", "2 + 2 = 4", "777"]
    )
    def test_what_cannot_be_told_is_said(self, text):
        found = first_wrong_step(STORY, text)
        assert not found.told
        assert found.why

    def test_the_trace_of_every_rule_that_edits_a_step_is_read_back(self, drawn):
        """What a rule's own working, written out, is read as: that step and that rule."""
        read = named = 0
        for story in drawn(Story)[:150]:
            for rule in ("WP01", "WP05", "WP08", "WP10", "WP14", "WP15", "WP17"):
                for worked in rules()[rule].run(story):
                    if worked.answer.same_as(story.solve().answer):
                        continue
                    found = first_wrong_step(story, written(worked))
                    read += 1
                    named += rule in found.rules
        assert read > 150
        assert named / read > 0.95


def written(worked):
    """The calculations of a trace in signs."""
    lines = []
    for step in worked.steps:
        words = step.template.split(", ")[-1].split()[0]
        sign = {"adds": "+", "takes": "-", "multiplies": "*", "divides": "/"}.get(words)
        if sign and len(step.numbers) == 3:
            left, right, result = step.numbers
            lines.append(f"{left} {sign} {right} = {result}")
    return ". ".join(lines)
