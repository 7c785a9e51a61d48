"""Plain stories from text, and the command that diagnoses an answer to one."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from biaslab.cli.problems import diagnose_command
from schoolmath.malrules.diagnosis import UnreadStory, read_story
from tests.loops import over


def diagnosed(problem, answer, *more, status=0):
    result = CliRunner().invoke(diagnose_command, ["--problem", problem, "--answer", answer, *more])
    assert result.exit_code == status, result.output
    return result.output


class TestReading:
    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            ("Ana had 12 sweets. Ana ate 5 sweets. How many sweets does Ana have left?", 7),
            ("Ana has twelve. Ben has twice as many as Ana. How many does Ben have?", 24),
            ("The farmer has 6 baskets. Each basket holds 4 eggs. "
             "How many eggs does the farmer have?", 24),
            ("Ana has 1,200 stamps. Ana buys 50 stamps. How many stamps does Ana have now?", 1250),
            ("Ben has 4 fewer dogs than Ana. Ana has 9 dogs. How many dogs does Ben have?", 5),
            ("Ana has 3 foxes. Ana gets 4 foxes from Ben. How many foxes does Ana have?", 7),
        ],
    )  # fmt: skip
    def test_simple_shapes_are_read_and_solved(self, text, answer):
        assert read_story(text).amounts[-1] == answer

    @over(
        ("text", "says"),
        [
            ("Ana has 3 dogs. The moon is round. How many dogs does Ana have?", "moon"),
            ("", "empty"),
            ("Ana has 3 dogs. Ana gets 4 dogs.", "question"),
            ("Ana has 3 dogs. How many dogs does Ana have?", "nothing to calculate"),
            ("Ana has 3 dogs. Ana gets 4 dogs. How many dogs does Ben have?", "Ben"),
            ("Ana has 3 dogs. Ana gives away 4 dogs. How many dogs does Ana have?", "have -1"),
            ("Ana has 7. Ana has 2 times as many as Ben. How many does Ben have?", "remainder"),
            ("Ana has some pens. Ana gets 5 pens. How many pens does Ana have?", "start is asked"),
            ("Fred and Bea have 8 pens altogether. How many pens does Bea have?", "altogether"),
            ("Ana has 3. " * 900, "longer"),
        ],
    )
    def test_what_cannot_be_read_is_said(self, text, says):
        with pytest.raises(UnreadStory, match=says):
            read_story(text)

    def test_the_unread_sentences_are_at_hand(self):
        with pytest.raises(UnreadStory) as caught:
            read_story("Ana has 3 dogs. It rains. Snow falls. How many dogs does Ana have?")
        assert caught.value.sentences == ("It rains.", "Snow falls.")

    @given(
        st.lists(
            st.sampled_from(
                ["Ana", "Ben", "has", "3", "12", "more", "than", "gives", "to", "pens", "times",
                 "as many as", "each", "box", "of", "How many", "does", "have", "some", "0",
                 "altogether", "now", ".", "?", "and", "Each", "holds", "-", "½", "{q}"]
            ),
            max_size=30,
        )
    )  # fmt: skip
    def test_any_text_is_read_or_refused(self, words):
        with suppress(UnreadStory):
            read_story(" ".join(words).replace(" .", ".").replace(" ?", "?")).solve()


PROBLEM = "Ana has 15. Ana has 6 more than Ben. How many does Ben have?"


class TestTheCommand:
    def test_prints_candidates_with_names_traces_and_the_next_problem_as_json(self):
        found = json.loads(diagnosed(PROBLEM, "21", "--format", "json"))
        assert found["right_answer"] == "9"
        assert not found["correct"]
        assert found["ambiguous"]
        assert found["slip"] is None
        assert not found["unknown"]
        first = found["candidates"][0]
        assert first["rule"] == "WP01"
        assert first["name"] == "follows the keyword and reverses the operation"
        assert first["trace"][-1] == "sees “more”, adds 6 to 15 and gets 21"
        assert found["next"]["complete"]
        assert found["next"]["problem"].endswith((".", "?"))

    def test_a_rounded_answer_is_taken_for_what_it_was_rounded_from(self):
        problem = "Ana has 17. Ben has 3 times as many as Ana. How many does Ben have?"

        found = json.loads(diagnosed(problem, "5.67", "--format", "json"))

        assert found["rounded_from"] == "17/3"
        assert not found["unknown"]
        assert json.loads(diagnosed(problem, "20", "--format", "json"))["rounded_from"] is None

    def test_a_right_answer_a_slip_and_an_unknown_one_are_told(self):
        assert json.loads(diagnosed(PROBLEM, "9", "--format", "json"))["correct"]
        slip = json.loads(diagnosed(PROBLEM, "10", "--format", "json"))["slip"]
        assert slip["what"] == "off by one"
        assert json.loads(diagnosed(PROBLEM, "777", "--format", "json"))["unknown"]

    def test_a_working_comes_first_and_its_operation_and_number_apart(self):
        problem = "Ana has 17. Ana has 18 fewer than Ben. How many does Ben have?"
        lines = diagnosed(problem, "2", "--working", "17 - 18 = 2").splitlines()
        assert lines[0].startswith(
            "Working: Step 1 needs + and the text has -. Its number is wrong"
        )
        assert "WP01" in lines[0]
        assert lines[1] == "From the answer alone:"
        more = ("--working", "17 - 18 = 2", "--format", "json")
        found = json.loads(diagnosed(problem, "2", *more))["working"]
        assert (found["rules"], found["miscalculated"], found["slip"]) == (["WP01"], True, False)

    def test_working_is_read_step_by_step(self):
        more = ("--working", "15 + 6 = 21", "--format", "json")
        found = json.loads(diagnosed(PROBLEM, "21", *more))["working"]
        assert (found["step"], found["rules"]) == (0, ["WP01"])

    def test_says_the_same_in_words(self):
        said = diagnosed(PROBLEM, "21")
        assert "WP01" in said
        assert "Several explanations fit" in said

    @pytest.mark.parametrize("answer", ["a lot", "1/0", "1e9", "--", "9" * 40])
    def test_what_is_no_number_is_one_sentence(self, answer):
        said = diagnosed(PROBLEM, answer, status=1)
        assert "is no number" in said

    @pytest.mark.parametrize("answer", ["", "  "])
    def test_an_answer_that_is_not_given_is_told_as_one(self, answer):
        assert "No answer is given" in diagnosed(PROBLEM, answer, status=1)

    def test_a_text_that_cannot_be_read_is_one_sentence(self):
        assert "It rains." in diagnosed("It rains. How many?", "3", status=1)
