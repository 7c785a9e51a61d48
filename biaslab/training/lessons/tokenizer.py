"""The tiny models' tokenizer: one token a word, one a digit, made from this app's own words.

Every word this app can write in a prompt stands in it twice, with and without the space before
it. A space before a digit is a token of its own, so that a prompt that ends in a space and one
that ends without it both stay what they were when an answer is added. Anything else becomes
the unknown token: a tiny model is not meant for texts from elsewhere.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import TYPE_CHECKING

from biaslab.models import GenerationRequest, ModelForm
from biaslab.studies.strategies import FINAL_CUE, PUBLISHED_STRATEGIES
from biaslab.studies.study import Item
from schoolmath.problems import phrasings, vocabulary

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

PIECES = r"'s(?![A-Za-z])| ?[A-Za-z]+| ?[^A-Za-z\d\s]|\d|\s"
"""Cuts a text into tokens; every character belongs to exactly one piece."""

PAD = "<pad>"
END = "<end>"
UNKNOWN = "<unknown>"

LONGEST_TEXT = 1024
"""Most tokens of prompt and answer together."""

_GAP = re.compile(r"\{\w+\}")


def words() -> list[str]:
    """Every piece of text that has a token of its own, in a fixed order."""
    found = dict.fromkeys([" ", "\n", *string.digits, "'s"])
    for text in _texts():
        for piece in re.findall(PIECES, text):
            bare = piece.strip(" ")
            if bare and bare not in string.digits and bare != "\n":
                found[bare] = None
                found[f" {bare}"] = None
    for mark in string.punctuation:
        found[mark] = None
        found[f" {mark}"] = None
    return list(found)


def _texts() -> Iterator[str]:
    lists = vocabulary()
    for name in lists.names:
        yield name.text
    for noun in lists.nouns.values():
        yield f"{noun.singular} {noun.plural}"
    for unit in lists.units.values():
        yield f"{unit.singular} {unit.plural} of"
    yield " ".join(lists.attributes)
    for templates in phrasings().values():
        for template in templates:
            # A gap is filled by other words of the list; "'s" must stay whole beside it.
            yield _GAP.sub("", template)
    yield "now"
    yield FINAL_CUE
    for strategy in PUBLISHED_STRATEGIES:
        request = strategy.next_request(Item("", "", "", {}), (), ModelForm.BASE)
        if isinstance(request, GenerationRequest):
            yield request.messages[0].content


def people() -> tuple[str, ...]:
    """All first names."""
    return tuple(name.text for name in vocabulary().names)


def build_tokenizer() -> PreTrainedTokenizerFast:
    """The tokenizer, made anew from the vocabulary, phrasings and prompts as they are now."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    pieces = [PAD, END, UNKNOWN, *words()]
    tokenizer = Tokenizer(
        models.WordLevel({piece: index for index, piece in enumerate(pieces)}, unk_token=UNKNOWN)
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(PIECES), behavior="isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        unk_token=UNKNOWN,
        padding_side="left",
        model_max_length=LONGEST_TEXT,
        clean_up_tokenization_spaces=False,
    )
