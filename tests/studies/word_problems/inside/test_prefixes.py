"""A problem cut after each of its words is asked as the whole one is, and the same step is reversed
in both members of a pair."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import ModelForm
from biaslab.studies import Design, Item, Pair, experiment
from biaslab.studies.word_problems.inside.reversals import misleading_steps, reversed_answer
from biaslab.studies.word_problems.inside.word_by_word import DIRECT, prefixes_of_pair

MANY = 60


@cache
def pairs(study: str, steps: str = "1-3") -> list[Pair]:
    settings = {} if study == "carry" else {"steps": steps}
    return list(experiment(study).pairs(Design(study, MANY, 5, settings)))


any_pair = st.builds(
    lambda study, at: pairs(study)[at],
    st.sampled_from(["consistency", "transfer-comparison", "carry"]),
    st.integers(0, MANY - 1),
)
any_form = st.sampled_from(list(ModelForm))


def problem(sentences: list[str], *steps: tuple[str, int, int, int, bool | None]) -> Item:
    """A problem of comparisons: (operation, left, right, result, consistent) each."""
    told = [
        {"sentence": index, "rule": "compare", "operation": operation, "left": left,
         "right": right, "result": result, "consistent": consistent}
        for index, (operation, left, right, result, consistent) in enumerate(steps, start=1)
    ]  # fmt: skip
    facts = {"sentences": sentences, "treated": [1], "steps": told}
    return Item.of("made up", " ".join(sentences), str(steps[-1][3]), facts)


ONE = ["Ana has 18 apples.", "Ana has 3 more apples than Ben.", "How many has Ben?"]


class TestThePrompts:
    @given(any_pair, any_form)
    def test_the_last_is_the_prompt_that_every_study_asks(self, pair: Pair, form: ModelForm):
        for item, cut in zip((pair.x, pair.x_prime), prefixes_of_pair(pair, form), strict=True):
            asked = DIRECT.next_request(item, (), form)
            assert cut.requests[-1].messages == asked.messages

    @given(any_pair)
    def test_each_holds_one_word_more_and_ends_with_the_same_cue(self, pair: Pair):
        for cut in prefixes_of_pair(pair, ModelForm.BASE):
            texts = [request.messages[0].content for request in cut.requests]
            for count, text in enumerate(texts, start=1):
                said = " ".join(cut.words[:count])
                assert text == f"Q: {said}\nA: The answer (Arabic numerals) is "

    @given(any_pair, any_form)
    def test_all_ask_for_the_same_numbers_and_their_further_digits(
        self, pair: Pair, form: ModelForm
    ):
        for cut in prefixes_of_pair(pair, form):
            asked = {request.continuations for request in cut.requests}
            assert asked == {cut.sought.continuations}
            for number in cut.sought.all:
                assert {f"{number}", f"{number}0", f"{number}9"} <= set(cut.sought.continuations)

    def test_the_words_of_the_changed_sentence_are_marked(self):
        for pair in pairs("consistency"):
            cut, _ = prefixes_of_pair(pair, ModelForm.BASE)
            marked = [word for word, on in zip(cut.words, cut.treated, strict=True) if on]
            sentences = pair.x.facts["sentences"]
            (treated,) = pair.x.facts["treated"]
            assert " ".join(marked) == sentences[treated]

    def test_the_numbers_sought_are_named_once_each(self):
        item = problem(ONE, ("-", 18, 3, 15, False))
        cut, _ = prefixes_of_pair(Pair.of(item, item, {}, ""), ModelForm.BASE)
        assert (cut.sought.right, cut.sought.reversed) == (15, 21)
        # 21 is also the sum of all numbers: it is the reversed answer, and no other number.
        assert cut.sought.others == (18, 3)


class TestTheReversedAnswer:
    @given(any_pair)
    def test_is_never_the_right_one_nor_below_zero(self, pair: Pair):
        at = misleading_steps(pair)
        assert at
        for item in (pair.x, pair.x_prime):
            found = reversed_answer(item, at)
            assert found is None or (found >= 0 and str(found) != item.answer)

    @pytest.mark.parametrize("study", ["consistency", "transfer-comparison"])
    def test_is_the_same_in_both_members_where_their_arithmetic_is(self, study: str):
        for pair in pairs(study):
            at = misleading_steps(pair)
            assert reversed_answer(pair.x, at) == reversed_answer(pair.x_prime, at)

    def test_turns_the_inconsistent_comparison_round_and_works_on_from_there(self):
        item = problem(
            [*ONE[:2], "Cem has 7 more apples than Ben.", "How many has Cem?"],
            ("-", 18, 3, 15, False), ("+", 15, 7, 22, True),
        )  # fmt: skip
        at = misleading_steps(Pair.of(item, item, {}, ""))
        assert at == (0,)
        assert reversed_answer(item, at) == 28

    @pytest.mark.parametrize(
        ("step", "why"),
        [
            (("+", 5, 8, 13, False), "5 - 8 is below zero"),
            (("*", 5, 3, 15, False), "5 / 3 is no whole number"),
        ],
    )
    def test_there_is_none_where_nobody_could_have_it(
        self, step: tuple[str, int, int, int, bool], why: str
    ):
        assert reversed_answer(problem(ONE, step), (0,)) is None, why

    def test_there_is_none_for_a_text_whose_steps_are_not_known(self):
        item = Item.of("made up", "Ana has 3.", "3", {})
        assert misleading_steps(Pair.of(item, item, {}, "")) == ()
        assert reversed_answer(item, ()) is None
