"""How the rules on stories edit the chain of steps."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.studies.study import Design
from biaslab.studies.word_problems.presets import carry, consistency, transfer_comparison
from schoolmath.malrules import Answer, read_form, rules, rules_for, write_form
from schoolmath.malrules.catalogue.stories.chain import (
    smaller_from_larger_digits,
    without_carries,
)
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import read_story
from tests.loops import over


def answers(rule, text):
    return [str(worked.answer) for worked in rules()[rule].run(read_story(text))]


def told(rule, text):
    return [[step.text for step in worked.steps] for worked in rules()[rule].run(read_story(text))]


class TestPlaces:
    TWO_INCONSISTENT = (
        "Ana has 20 pens. Ana has 5 more pens than Ben. Ben has 3 fewer pens than Cem. "
        "How many pens does Cem have?"
    )

    def test_a_rule_is_done_everywhere_first_and_then_at_each_place(self):
        # Right: 20 - 5 + 3 = 18; both reversed 22; the first alone 28; the second alone 12.
        assert answers("WP01", self.TWO_INCONSISTENT) == ["22", "28", "12"]

    def test_a_consistent_comparison_cannot_be_reversed(self):
        text = "Ana has 20. Ben has 5 more than Ana. How many does Ben have?"
        assert answers("WP01", text) == []

    def test_each_statement_before_the_last_can_be_skipped(self):
        text = (
            "Ana has 20 pens. Ana gets 5 pens. Ana gives away 2 pens. Ana gets 7 pens. "
            "How many pens does Ana have now?"
        )
        assert answers("WP04", text) == ["25", "32"]
        assert answers("WP03", text) == ["23"]

    def test_one_step_leaves_nothing_to_stop_before_or_to_skip(self):
        text = "Ana has 20. Ana gets 5. How many does Ana have now?"
        assert answers("WP03", text) == answers("WP04", text) == []

    def test_no_carry_and_no_borrow_leave_nothing_to_forget(self):
        assert answers("WP14", "Ana has 21. Ana gets 5. How many does Ana have now?") == []
        assert answers("WP15", "Ana has 29. Ana gives away 5. How many does Ana have now?") == []

    def test_a_later_sum_may_lose_its_carry_too(self):
        text = (
            "Ana has 27 pens. Ana gets 38 pens. Ana gets 19 pens. How many pens does Ana have now?"
        )
        # 55 then 64; 55 then 74; 65 then 74.
        assert answers("WP14", text) == ["64", "74"]

    def test_dividing_in_place_of_multiplying_is_exact(self):
        text = "Ana has 7. Ben has 3 times as many as Ana. How many does Ben have?"
        assert answers("WP09", text) == ["7/3"]


class TestTraces:
    def test_the_key_step_is_where_it_goes_wrong(self):
        story = read_story("Ana has 15. Ana has 6 more than Ben. How many does Ben have?")
        (worked,) = rules()["WP01"].run(story)
        assert worked.steps[worked.key_step].text == "sees “more”, adds 6 to 15 and gets 21"

    def test_a_statement_left_out_is_told(self):
        text = "Ana has 20. Ana gets 5. Ana gets 7. How many does Ana have now?"
        assert told("WP03", text)[0][-1] == "leaves out the sentence with 7 and answers 25"

    def test_a_carry_that_is_not_there_is_not_dropped(self):
        text = (
            "Ana has 21 pens. Ana gets 5 pens. Ana gets 38 pens. How many pens does Ana have now?"
        )
        (steps,) = told("WP14", text)
        assert [("writes the ones of every column" in each) for each in steps] == [
            False,
            False,
            True,
        ]


class TestTheForm:
    @over(
        ("change", "says"),
        [
            ({"operations": ("%",)}, "operations"),
            ({"numbers": (1, 2)}, "for every step"),
            ({"start": 3, "operations": ("-",), "numbers": (5,)}, "Nobody can have -2"),
            ({"start": 7, "operations": ("/",), "numbers": (2,)}, "leaves a remainder"),
            ({"start": 7, "operations": ("/",), "numbers": (0,)}, "leaves a remainder"),
            ({"concepts": ("magic",)}, "steps of a story"),
            ({"agents": ("Ana", "{0}")}, "no name"),
            ({"text": " "}, "its text"),
            ({"bystanders": ("Ben",)}, "bystander"),
            ({"irrelevant": (-1,)}, "not below 0"),
        ],
    )
    def test_refuses_nonsense_in_a_sentence(self, change, says):
        fields = {
            "text": "Ana has 3. Ana gets 2. How many?", "start": 3, "operations": ("+",),
            "numbers": (2,), "concepts": ("transfer",), "keywords": ("+",),
            "agents": ("Ana", "Ana"), "others": ("",),
        }  # fmt: skip
        assert Story(**fields).solve().answer == Answer.number(5)
        with pytest.raises(ValueError, match=says):
            Story(**{**fields, **change})

    def test_every_drawn_text_is_read_back_as_the_same_story(self, drawn):
        for story in drawn(Story):
            assert read_story(story.stem()) == story


class TestFactsOfItems:
    @pytest.mark.parametrize("study", [consistency, transfer_comparison, carry])
    def test_every_item_of_the_studies_becomes_the_story_of_its_text(self, study):
        made = study.EXPERIMENT
        for pair in made.pairs(Design(made.name, 60, 3)):
            for item in (pair.x, pair.x_prime):
                story = Story.of_facts(json.loads(json.dumps(item.facts)))
                assert story is not None
                assert str(story.solve().answer) == item.answer
                read = read_story(item.text)
                assert story.stem() == read.stem()
                assert story.operations == read.operations
                assert story.keywords == read.keywords
                assert story.agents == read.agents
                for rule in rules_for(story):
                    if rule.id == "WP06":  # who else takes part in a transfer is no fact
                        continue
                    assert [w.answer for w in rule.run(story)] == [
                        w.answer for w in rule.run(read)
                    ], rule.id

    @pytest.mark.parametrize(
        "facts",
        [
            {},
            {"sentences": ["Ana has 3."], "steps": []},
            {"sentences": "Ana has 3.", "steps": [{}]},
            {"sentences": ["Ana has 3.", "How many?"], "steps": [{"left": 3}]},
            {"sentences": [], "steps": [{"left": 3}]},
        ],
    )
    def test_facts_without_a_chain_give_no_story(self, facts):
        assert Story.of_facts(facts) is None


class TestColumns:
    @given(st.integers(0, 9999), st.integers(0, 9999))
    def test_without_a_carry_the_sum_is_right_and_else_it_is_too_small(self, a, b):
        wrong = without_carries(a, b)
        assert wrong <= a + b
        carry = any(int(x) + int(y) > 9 for x, y in zip(f"{a:04}", f"{b:04}", strict=True))
        if not carry:
            assert wrong == a + b

    @given(st.integers(0, 9999), st.integers(0, 9999))
    def test_smaller_from_larger_does_not_mind_what_is_on_top(self, a, b):
        assert smaller_from_larger_digits(a, b) == smaller_from_larger_digits(b, a)


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 8), st.integers(0, 10**9))
def test_a_story_comes_back_from_json(grade, seed):
    from schoolmath.problems.draws import Draws

    story = Story.draw(Draws(str(seed)), grade)
    assert read_form(json.loads(json.dumps(write_form(story)))) == story
