"""A teacher's own problem: understood, solved, and turned into pairs; texts here are our own."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import Completion, ModelForm
from biaslab.studies import Design, Pair, experiment
from biaslab.studies.word_problems.custom.asking_models import (
    SHAPES,
    judge_rephrasing,
    rephrasing_request,
)
from biaslab.studies.word_problems.custom.problem import (
    FIRST_TWINS,
    UnreadableProblem,
    twins_of,
    understand,
)
from biaslab.studies.word_problems.treatments import treatments
from schoolmath.problems.meaning import Flaw
from schoolmath.problems.reading import read
from tests.loops import over

STICKERS = (
    "Mia has 24 stickers. Mia gives Omar 9 stickers. Zoe has 7 fewer stickers than Mia. "
    "How many stickers does Zoe have now?"
)
STUDIES = ("consistency", "transfer-comparison", "carry")
PAIRS = [pair for study in STUDIES for pair in experiment(study).pairs(Design(study, 15, 5))]
members = st.sampled_from([item for pair in PAIRS for item in (pair.x, pair.x_prime)])


def twin(text: str, name: str) -> Pair:
    (found,) = [each for each in twins_of(understand(text)) if each.name == name]
    assert found.pair is not None, found.why_not
    return found.pair


@over(
    "text",
    [
        "Ana has 5 pens at home. Ana buys 3 pens at school. How many pens does Ana have at home?",
        "A farmer had 97 tomatoes. He picked 83 of them. How many tomatoes does he have?",
    ],
)
def test_what_is_read_and_not_proved_has_no_answer_and_no_pairs(text):
    own = understand(text)
    assert own.read.solution is not None
    assert own.answer is None
    assert own.fault
    assert twins_of(own) == ()


_WORDS = [
    "Mia", "Omar", "the", "bus", "each", "gave", "bought", "lost", "times", "more", "fewer",
    "than", "7", "300", "1,200", "apples", "boxes", "how", "many", "?", ".", "of", "left",
    "twice", "half", "they", "$", ":", "'s",
]  # fmt: skip


@pytest.mark.parametrize("text", [STICKERS, "Ana has 8 cups. Tom has 5 more cups than Ana. "
                                  "How many cups does Tom have?"])  # fmt: skip
def test_numbers_of_twins_are_of_the_size_of_the_teachers(text):
    own = understand(text)
    for each in twins_of(own):
        if each.pair is not None:
            numbers = [int(n) for item in (each.pair.x, each.pair.x_prime)
                       for n in re.findall(r"\d+", item.text)]  # fmt: skip
            assert max(numbers) <= 99, each.name


class TestUnderstanding:
    def test_every_sentence_is_told_in_plain_words(self):
        own = understand(STICKERS)

        assert [each.is_read for each in own.sentences] == [True] * 4
        assert own.sentences[1].understood == "9 stickers go from Mia to Omar."
        assert own.structure == "container . transfer- . comparison- consistent"
        assert own.answer == 8
        assert [step["result"] for step in own.facts["steps"]] == [15, 8]

    def test_nouns_may_be_any(self):
        own = understand("Kofi has 12 glorps. Kofi buys 5 glorps. How many glorps does Kofi have?")

        assert own.answer == 17

    def test_what_is_not_read_says_why_and_what_to_write(self):
        own = understand(STICKERS.replace("Mia gives Omar 9", "Somehow 9"))

        (unread,) = own.unread
        assert unread.reason
        assert read(unread.suggestion).sentences[0].said is not None
        assert (own.answer, twins_of(own)) == (None, ())
        assert own.fault

    @pytest.mark.parametrize("text", ["", "  \n ", "Mia has 3 cups. " * 200])
    def test_no_text_and_far_too_much_are_refused(self, text):
        with pytest.raises(UnreadableProblem):
            understand(text)

    @given(st.text(max_size=400).filter(str.strip))
    def test_any_text_is_understood_or_says_why_not(self, text):
        own = understand(text)

        assert (own.answer is None) == bool(own.fault)
        assert all(each.is_read or each.suggestion for each in own.sentences)

    @given(
        st.lists(
            st.sampled_from(
_WORDS
            ),
            min_size=1, max_size=25,
        )
    )  # fmt: skip
    def test_every_suggestion_can_itself_be_read(self, parts):
        for sentence in understand(" ".join(parts)).unread:
            assert all(each.said is not None for each in read(sentence.suggestion).sentences)

    @given(members)
    def test_what_this_lab_writes_is_understood_with_its_answer(self, item):
        own = understand(item.text)

        assert str(own.answer) == item.answer
        assert own.structure == item.facts["structure"]


class TestTwins:
    def test_the_papers_three_come_first_and_every_treatment_once(self):
        names = [each.name for each in twins_of(understand(STICKERS))]

        assert tuple(names[:3]) == FIRST_TWINS
        assert sorted(names) == sorted(treatments())

    def test_the_inconsistent_twin(self):
        pair = twin(STICKERS, "consistency")

        assert pair.x.text == STICKERS
        assert "Mia has 7 more stickers than Zoe." in pair.x_prime.text
        assert pair.strata["treatment"] == "consistency"

    def test_the_transfer_twin_asks_the_same_calculation(self):
        pair = twin(STICKERS, "predicate")

        equations = [
            [(step["left"], step["operation"], step["right"]) for step in item.facts["steps"]]
            for item in (pair.x, pair.x_prime)
        ]
        assert equations[0] == equations[1]

    def test_the_carry_twin_has_the_same_answer_and_other_carries(self):
        pair = twin("Mia has 347 cups. Omar has 128 more cups than Mia. "
                    "How many cups does Omar have?", "carry")  # fmt: skip

        carried = [sum(step["carries"] for step in item.facts["steps"])
                   for item in (pair.x, pair.x_prime)]  # fmt: skip
        assert carried[0] == 0 < carried[1]
        assert pair.x.answer == pair.x_prime.answer

    def test_a_treatment_that_does_not_apply_says_why(self):
        own = understand("Mia has 24 cups. Mia buys 9 cups. How many cups does Mia have now?")

        (found,) = [each for each in twins_of(own) if each.name == "consistency"]
        assert found.pair is None
        assert "comparison" in found.why_not

    def test_the_same_seed_gives_the_same_pairs(self):
        own = understand(STICKERS)

        assert twins_of(own, 3) == twins_of(own, 3)
        assert twins_of(own, 3) != twins_of(own, 4)

    def test_without_a_calculation_there_are_none(self):
        assert twins_of(understand("Mia has 3 cups. How many cups does Mia have?")) == ()

    @given(members)
    def test_members_of_every_pair_are_read_back_with_their_answers(self, item):
        for each in twins_of(understand(item.text)):
            assert (each.pair is None) == bool(each.why_not)
            if each.pair is not None:
                for member in (each.pair.x, each.pair.x_prime):
                    found = read(member.text).solution
                    assert found is not None
                    assert str(found.answer) == member.answer


STRANGE = "Mia has 24 stickers. A further 30 of them turn up. How many stickers does Mia have?"
GOOD = "Mia has 24 stickers. Mia buys 30 stickers. How many stickers does Mia have now?"


def rephrased(answer: str, text: str = STRANGE):
    return judge_rephrasing(text, Completion(answer, "stop", 10, 10, 0.1))


class TestRephrasing:
    @over("shape", SHAPES)
    def test_every_shape_that_the_model_is_shown_can_be_read(self, shape):
        assert read(shape).sentences[0].said is not None

    def test_the_prompt_holds_the_shapes_and_the_text(self):
        (turn,) = rephrasing_request(STRANGE, ModelForm.CHAT).messages
        (text,) = rephrasing_request(STRANGE, ModelForm.BASE).messages

        assert all(shape in turn.content for shape in SHAPES)
        assert turn.content.endswith(STRANGE)
        assert text.content.startswith(turn.content)

    @pytest.mark.parametrize(
        "answer",
        [
            GOOD,
            GOOD.replace(". ", ".\n"),
            f"Here is the problem:\n\n{GOOD}",
            "\n".join(f"- {part}." for part in GOOD.rstrip("?").split(". ")).replace(
                "now.", "now?"
            ),
            f"```\n{GOOD}\n```",
        ],
    )
    def test_a_good_answer_is_offered_whatever_stands_around_it(self, answer):
        found = rephrased(answer)

        assert found.offered, found.reasons
        assert found.read.solution is not None
        assert found.read.solution.answer == 54

    @over(
        ("answer", "flaw"),
        [
            (GOOD.replace("24", "25"), Flaw.NUMBERS),
            (GOOD.replace("Mia buys 30 stickers. ", ""), Flaw.NUMBERS),
            (GOOD.replace("Mia", "Lea"), Flaw.NAMES),
            (GOOD.replace("Mia buys", "Ben buys"), Flaw.NAMES),
            (STRANGE, Flaw.UNREAD),
            ("Mia has 24 stickers. Mia buys 30 stickers.", Flaw.UNREAD),
            ("The answer is 54.", Flaw.UNREAD),
            ("", Flaw.UNREADABLE),
        ],
    )
    def test_an_answer_that_is_another_problem_is_not(self, answer, flaw):
        assert flaw in {reason.flaw for reason in rephrased(answer).reasons}

    def test_numbers_in_words_and_in_digits_are_the_same_numbers(self):
        text = STRANGE.replace("24", "twenty-four")

        assert rephrased(GOOD, text).offered

    @given(st.text(max_size=200))
    def test_any_answer_is_judged(self, answer):
        found = rephrased(answer)

        assert found.offered or found.reasons
