"""What a model is asked to mend, how its answer is read, and what becomes of the pair."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import Completion, ModelForm
from biaslab.studies import Design, Item, Pair, experiment
from biaslab.studies.word_problems.custom.correction import (
    CorrectedPair,
    correction_request,
    judge,
    originals_of,
    read_sentences,
    sentences_to_correct,
)
from schoolmath.problems.meaning import Flaw, Reason
from tests.loops import over

STUDIES = ("consistency", "transfer-comparison", "carry")


@pytest.fixture(params=STUDIES)
def pair(request) -> Pair:
    return next(iter(experiment(request.param).pairs(Design(request.param, 1, 5))))


def written(text: str, finish: str = "stop") -> Completion:
    return Completion(text, finish, 100, 50, 0.1)


def numbered(lines: list[str] | tuple[str, ...]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def after(pair: Pair, text: str) -> CorrectedPair:
    originals = originals_of(pair)
    assert not isinstance(originals, Reason)
    return judge(pair, originals, [written(text)], "consistency")


class TestWhatIsAsked:
    def test_a_sentence_of_both_members_is_asked_once(self, pair):
        asked = sentences_to_correct(pair)

        texts = pair.x.facts["sentences"] + pair.x_prime.facts["sentences"]
        assert set(asked) == set(texts)
        assert len(asked) == len(set(texts))

    def test_the_sentences_of_x_keep_their_order(self, pair):
        asked = sentences_to_correct(pair)

        places = [asked.index(sentence) for sentence in pair.x.facts["sentences"]]
        assert places == sorted(places)

    def test_a_chat_model_gets_one_turn_and_a_base_model_a_text_to_go_on_with(self):
        lines = ("Mia has 3 cups.", "How many cups does Mia has?")

        (turn,) = correction_request(lines, ModelForm.CHAT).messages
        (text,) = correction_request(lines, ModelForm.BASE).messages

        assert turn.role == "user"
        assert turn.content.endswith("1. Mia has 3 cups.\n2. How many cups does Mia has?")
        assert text.role == "text"
        assert text.content.endswith("The 2 mended sentences:\n")

    def test_nothing_but_the_sentences_is_told(self, pair):
        prompt = correction_request(sentences_to_correct(pair), ModelForm.CHAT).messages[0].content

        assert "answer is" not in prompt
        assert f"{pair.x.answer}." not in prompt.split("\n\n")[-1].split("\n")


LINES = ("Mia has 3 cups.", "Omar buys 12 cups.", "How many cups does Mia have?")


class TestReadingAnAnswer:
    @over(
        "text",
        [
            numbered(LINES),
            f"Here are the sentences:\n\n{numbered(LINES)}\n\nI changed nothing.",
            f"```\n{numbered(LINES)}\n```",
            numbered(LINES).replace(". ", ") ", 3),
            "\n".join(f"**{n}.** {line}" for n, line in enumerate(LINES, 1)),
            "\n".join(f'{n}. "{line}"' for n, line in enumerate(LINES, 1)),
            "\n".join(f"{n}. {line} (no change)" for n, line in enumerate(LINES, 1)),
            "\n".join(LINES),
            '["Mia has 3 cups.", "Omar buys 12 cups.", "How many cups does Mia have?"]',
            f"Before:\n1. Mia have 3 cup.\n2. x\n3. y\n\nAfter:\n{numbered(LINES)}",
        ],
    )
    def test_the_list_is_found_in_what_models_write_around_it(self, text):
        assert read_sentences(text, 3) == LINES

    @pytest.mark.parametrize(
        "text",
        ["", "I cannot do that.", numbered(LINES[:2]), "1. Mia\n3. Omar\n2. How", "[1, 2, 3]",
         "[" * 5000, "1. \n2. \n3. "],
    )  # fmt: skip
    def test_what_does_not_hold_so_many_sentences_is_none(self, text):
        assert read_sentences(text, 3) is None

    @given(st.text(max_size=300), st.integers(1, 8))
    def test_any_text_gives_so_many_sentences_or_none(self, text, count):
        found = read_sentences(text, count)

        assert found is None or (len(found) == count and all(found))

    @given(
        st.lists(st.from_regex(r"[A-Z][a-z]{1,8} has [0-9]{1,3} [a-z]{3,9}\.", fullmatch=True),
                 min_size=1, max_size=12)
    )  # fmt: skip
    def test_any_list_of_sentences_comes_back_as_it_was(self, lines):
        assert read_sentences(numbered(lines), len(lines)) == tuple(lines)


class TestWhatBecomesOfAPair:
    def test_one_that_the_model_left_as_it_was_is_kept(self, pair):
        found = after(pair, numbered(sentences_to_correct(pair)))

        assert found.kept is not None
        assert found.kept.x.text == pair.x.text
        assert found.kept.x_prime.text == pair.x_prime.text
        assert found.mended == ()

    @pytest.mark.parametrize("pair", STUDIES[:2], indirect=True)
    def test_a_shared_sentence_is_mended_in_both_members(self, pair):
        """Given other words for the first sentence, which both members have."""
        lines = list(sentences_to_correct(pair))
        first = lines[0]
        lines[0] = first.replace(" has got ", " has ").replace(" exactly", "")
        lines[0] = first.replace(" has ", " owns ") if lines[0] == first else lines[0]
        lines[0] = first.replace(" owns ", " has ") if lines[0] == first else lines[0]

        found = after(pair, numbered(lines))

        assert found.kept is not None, found.reasons
        assert found.mended == ((first, lines[0]),)
        for member in (found.kept.x, found.kept.x_prime):
            assert member.facts["sentences"][0] == lines[0]
            assert member.text.startswith(lines[0])

    def test_a_kept_pair_has_answer_steps_and_strata_of_before(self, pair):
        found = after(pair, numbered(sentences_to_correct(pair)))

        assert found.kept is not None
        assert found.kept.x.answer == pair.x.answer
        assert found.kept.x.facts["steps"] == pair.x.facts["steps"]
        assert found.kept.strata == {
            **pair.strata,
            "treatment": "consistency",
            "status": "proved",
        }

    def test_an_answer_without_the_list_is_discarded_as_unreadable(self, pair):
        found = after(pair, "Sorry, I cannot help with that.")

        assert found.kept is None
        assert [reason.flaw for reason in found.reasons] == [Flaw.UNREADABLE]

    def test_one_whose_number_the_model_changed_is_discarded_with_both_texts(self, pair):
        lines = list(sentences_to_correct(pair))
        number = str(pair.x.facts["steps"][0]["left"])
        before = lines[0]
        lines[0] = before.replace(number, "777")

        found = after(pair, numbered(lines))

        assert found.kept is None
        assert Flaw.NUMBERS in {reason.flaw for reason in found.reasons}
        assert found.mended == ((before, lines[0]),)


class TestWhatCannotBeChecked:
    def test_a_pair_that_cannot_be_read_before(self, pair):
        strange = Pair.of(_item("Mia cups."), _item("Omar cups."), pair.strata, "c")

        found = originals_of(strange)

        assert isinstance(found, Reason)
        assert found.flaw is Flaw.ORIGINAL

    def test_a_pair_whose_stated_answer_is_not_that_of_its_text(self, pair):
        wrong = Item.of("imported", pair.x.text, "998", pair.x.facts)

        found = originals_of(Pair.of(wrong, pair.x_prime, pair.strata, "c"))

        assert isinstance(found, Reason)
        assert "998" in found.text
        assert found.member == "x"


def _item(text: str) -> Item:
    return Item.of("imported", text, "3", {})
