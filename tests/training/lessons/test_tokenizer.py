"""The tiny models' tokenizer keeps every text of the app exactly."""

from __future__ import annotations

import re
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models import ModelForm
from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.study import Design
from biaslab.training.corpus import PIECES, build_tokenizer, words
from biaslab.training.lessons import STUDIES
from schoolmath.problems import vocabulary


@pytest.fixture(scope="module")
def tokenizer():
    return build_tokenizer()


def encode(tokenizer, text):
    return tokenizer(text, add_special_tokens=False)["input_ids"]


def test_every_word_of_the_vocabulary_is_one_token_with_and_without_a_space(tokenizer):
    lists = vocabulary()
    written = [name.text for name in lists.names]
    written += [form for noun in lists.nouns.values() for form in (noun.singular, noun.plural)]
    written += [form for unit in lists.units.values() for form in (unit.singular, unit.plural)]
    written += list(lists.attributes)
    for word in written:
        for text in (word, f" {word}"):
            tokens = encode(tokenizer, text)
            assert tokenizer.unk_token_id not in tokens
            assert tokenizer.decode(tokens) == text
            assert len(tokens) == 1 or not word.isalpha()


@pytest.mark.parametrize("study", STUDIES)
def test_problems_as_they_are_asked_survive_encoding_and_decoding(tokenizer, study):
    design = Design(study, 200, 5)
    for pair in STUDIES[study].pairs(design):
        for item in (pair.x, pair.x_prime):
            for strategy in PUBLISHED_STRATEGIES:
                request = strategy.next_request(item, (), ModelForm.BASE)
                text = request.messages[0].content
                tokens = encode(tokenizer, text)
                assert tokenizer.unk_token_id not in tokens
                assert tokenizer.decode(tokens) == text


@given(st.text())
def test_every_character_of_any_text_belongs_to_exactly_one_piece(text):
    assert "".join(re.findall(PIECES, text)) == text


def test_digits_are_single_tokens_and_a_last_space_stays_a_token(tokenizer):
    pieces = [tokenizer.decode([token]) for token in encode(tokenizer, "answer is 205")]
    assert pieces == ["answer", " is", " ", "2", "0", "5"]
    before = encode(tokenizer, "answer is ")
    assert encode(tokenizer, "answer is 205")[: len(before)] == before


def test_words_from_elsewhere_are_unknown_but_do_not_fail(tokenizer):
    assert tokenizer.unk_token_id in encode(tokenizer, "Zebrafish élan ☂")


def test_no_piece_is_listed_twice():
    assert len(words()) == len(set(words()))


def test_the_saved_tokenizer_is_the_one_that_auto_tokenizer_opens(tokenizer, tmp_path):
    from transformers import AutoTokenizer

    tokenizer.save_pretrained(tmp_path)
    opened = AutoTokenizer.from_pretrained(tmp_path)
    pairs = islice(STUDIES["consistency"].pairs(Design("consistency", 20, 1)), 20)
    for pair in pairs:
        text = f"Q: {pair.x.text}\nA: 15 - 3 = 12."
        assert encode(opened, text) == encode(tokenizer, text)
        assert opened.decode(encode(opened, text)) == text
    assert opened.eos_token_id == tokenizer.eos_token_id
    assert opened.chat_template is None
