"""What `biaslab items --quality` measures, on items and on items that were spoiled."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from schoolmath.malrules import Answer
from schoolmath.malrules.bank import LETTERS, BankDesign, ChoiceItem, make_items
from schoolmath.malrules.bank.balancing import (
    WordCues,
    guessed,
    learnt_on_others,
    learnt_on_seen,
    words_of,
)
from schoolmath.malrules.bank.options import can_be, quantity_of
from schoolmath.malrules.bank.quality import measured, open_item
from tests.loops import over


@pytest.fixture(scope="module")
def items() -> list[ChoiceItem]:
    return list(make_items(BankDesign(120, seed=5)))


def telling(item: ChoiceItem, key: str, wrong: str) -> ChoiceItem:
    """The item with one text for its key and one for all other options."""
    texts = {letter: key if letter == item.key else wrong for letter in LETTERS}
    return replace(item, rationales=texts)


class TestTheCommand:
    def run(self, *arguments: str):
        return CliRunner().invoke(main, ["items", "--n", "40", *arguments])

    def test_prints_a_line_for_each_measure(self):
        printed = self.run("--quality").output
        assert "words.unseen" in printed
        assert "rank.second" in printed

    def test_gives_each_share_with_its_number_and_interval(self):
        found = json.loads(self.run("--quality", "--format", "json").output)
        for each in found:
            assert each["interval"][0] <= each["share"] + 0.02
            assert each["share"] - 0.02 <= each["interval"][1]
            assert each["n"] > 0

    @pytest.mark.parametrize("arguments", [[], ["--quality", "--out", "items.jsonl"]])
    def test_either_writes_or_measures(self, arguments):
        result = self.run(*arguments)
        assert result.exit_code == 2
        assert "--quality" in result.output


class TestAnOpenedItem:
    def test_has_the_trace_of_every_option_with_the_key_first(self, items):
        for item in items:
            options = open_item(item).options
            assert [told.is_key for told in options] == [True, False, False, False]
            assert {told.letter for told in options} == set(LETTERS)
            for told in options:
                assert item.option(told.letter).endswith(told.worked.answer.shown)

    def test_is_refused_where_a_rationale_tells_nothing_of_it(self, items):
        with pytest.raises(ValueError, match="no telling"):
            open_item(telling(items[0], "Guesses.", "Guesses."))


class TestGuessers:
    def test_one_who_sees_no_difference_is_right_in_a_quarter(self, items):
        assert guessed(items, lambda *_: 0.0) == pytest.approx(len(items) / 4)

    def test_words_that_go_with_the_key_are_learnt(self, items):
        told = [telling(item, "Adds 3 and 4.", "Forgets 3 and 4.") for item in items]
        assert learnt_on_seen(told) == (60, 60)
        assert learnt_on_others(told) == (120, 120)

    def test_words_that_go_with_all_options_say_nothing(self, items):
        told = [telling(item, "Adds 3 and 4.", "Adds 3 and 4.") for item in items]
        assert learnt_on_others(told)[0] == pytest.approx(30)

    def test_numbers_are_no_words(self):
        assert words_of("Adds 3 and 2.50.") == words_of("adds 7/8 and 1,000.")

    def test_what_was_never_seen_says_the_same_of_all(self, items):
        assert len(set(WordCues().scores(telling(items[0], "Adds.", "Adds.")).values())) == 1


class TestWhatCannotBe:
    @over(
        ("question", "value", "possible"),
        [
            ("A die is rolled. What is the probability that it shows 6?", Fraction(7, 6), False),
            ("A die is rolled. What is the probability that it shows 6?", Fraction(1), True),
            ("How many degrees does the third angle measure?", Fraction(300), False),
            ("How many degrees does the third angle measure?", Fraction(0), False),
            ("How many pupils wear glasses?", Fraction(5, 2), False),
            ("How many kilometres did the group walk?", Fraction(5, 2), True),
            ("What is its area in square metres?", Fraction(-3), False),
            ("What is 3 - 7?", Fraction(-4), True),
        ],
    )
    def test_follows_from_the_kind_of_quantity(self, question, value, possible):
        assert can_be(question, Answer.number(value)) is possible

    def test_a_plain_number_is_of_no_kind(self):
        assert quantity_of("What is 3 - 7?") is None


@pytest.fixture(scope="module", params=[1, 2], ids=["seed 1", "seed 2"])
def shares(request) -> dict[str, float]:
    found = measured(make_items(BankDesign(500, request.param)))
    return {each.name: each.share for each in found if each.share is not None}


class TestNewItems:
    @pytest.mark.parametrize("which", ["key", "distractor"])
    def test_rationales_tell_the_idea_and_lead_to_their_option_alone(self, shares, which):
        assert shares[f"idea.{which}"] == 1
        assert shares[f"deviation.{which}"] == 1
        assert shares[f"alone.{which}"] == 1

    @pytest.mark.parametrize("which", ["key", "distractor"])
    def test_no_number_of_the_question_is_hidden_and_sentences_are_sound(self, shares, which):
        assert shares[f"hidden-given.{which}"] == 0
        assert shares[f"odd.{which}"] == 0

    def test_no_option_is_impossible(self, shares):
        assert shares["impossible"] == 0

    def test_no_single_cue_of_rationales_or_options_gives_the_key_away(self, shares):
        cues = {name: share for name, share in shares.items() if name.startswith("cue.")}
        assert all(share <= 0.31 for share in cues.values()), cues


def test_every_measure_of_the_goals_is_there(items):
    names = {each.name for each in measured(items)}
    assert {"idea.key", "alone.key", "hidden-given.key", "odd.key", "impossible"} <= names
    assert {"words.seen", "words.unseen", "rank.second", "cue.longest", "far"} <= names
