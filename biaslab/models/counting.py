"""How many tokens a request has: counted where the tokenizer is here, estimated elsewhere.

Imports neither torch nor transformers, so it can be used in the app's server. Every count says
how it was made, and how many tokens there are at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from biaslab.models.requests import Asked, BrokenModel, LikelihoodRequest, Message

CHARACTERS_PER_TOKEN = 4.0
"""Rule of thumb for English text, from OpenAI's help page on tokens."""

FEWEST_CHARACTERS_PER_TOKEN = 2.0
"""English word problems have more characters a token than this with any usual tokenizer, also
with those that make a token of every digit."""

TOKENS_PER_MESSAGE = 8
"""Marks that a chat template puts around a turn, about."""

MOST_TOKENS_PER_MESSAGE = 16
"""The same at most."""

MOST_TOKENS_OF_TEMPLATE = 128
"""What a chat template adds once at most, such as a standing instruction of its own."""

TOKENS_PER_PICTURE = 400
"""Of a picture of the size that is sent, about: providers count 200 to 800."""

MOST_TOKENS_PER_PICTURE = 1600
"""The same at most."""

ENOUGH_SAMPLES = 20
"""From so many samples on, the densest one says well how dense another text can be."""

MARGIN = 1.1
"""A text may have so many times the tokens of the densest of enough samples."""

MARGIN_OF_FEW = 1.5
"""The same for fewer samples."""


class CountedHow(StrEnum):
    """How a number of tokens was found."""

    COUNTED = "counted"
    """By the model's own tokenizer."""
    MEASURED = "measured ratio"
    """From the length of the text and the tokens that the model had for other texts."""
    RULE = "rule of thumb"
    """From the length of the text alone."""


@dataclass(frozen=True, slots=True)
class TokenCount:
    """How many tokens a request has.

    Attributes:
        tokens: counted, or expected.
        how: by which of the three ways.
        note: a sentence that says so to a person.
        at_most: more than this there are not; the same as ``tokens`` where they were counted.
    """

    tokens: int
    how: CountedHow
    note: str
    at_most: int


class Sample(NamedTuple):
    """A text whose tokens are known."""

    tokens: int
    characters: int


@dataclass(frozen=True, slots=True)
class MeasuredRatio:
    """Tokens for each character of what is sent, as a model had them before.

    Attributes:
        expected: on the whole; at_most: for the densest text that may come.
        note: where it was measured, to follow “from”: ``212 earlier responses of this model``.
    """

    expected: float
    at_most: float
    note: str

    @classmethod
    def of(cls, samples: Iterable[Sample], note: str) -> MeasuredRatio | None:
        """The ratio of these samples; None where there are none with tokens and characters."""
        known = [sample for sample in samples if sample.tokens > 0 and sample.characters > 0]
        if not known:
            return None
        densest = max(sample.tokens / sample.characters for sample in known)
        margin = MARGIN if len(known) >= ENOUGH_SAMPLES else MARGIN_OF_FEW
        tokens = sum(sample.tokens for sample in known)
        return cls(tokens / sum(sample.characters for sample in known), margin * densest, note)

    @classmethod
    def of_one(cls, tokens_per_character: float, note: str) -> MeasuredRatio:
        """The ratio of a single sample."""
        return cls(tokens_per_character, MARGIN_OF_FEW * tokens_per_character, note)


class TokenCounter(Protocol):
    """Counts the tokens of requests to one model."""

    def count(self, request: Asked) -> TokenCount:
        """Tokens that are sent for a request.

        For log-probabilities those of the messages and a continuation, for each continuation:
        a server is sent them one by one.
        """
        ...


def characters(request: Asked) -> int:
    """Characters that are sent for a request; see `TokenCounter.count` for continuations."""
    written = sum(len(message.content) for message in request.messages)
    if isinstance(request, LikelihoodRequest):
        return sum(written + len(continuation) for continuation in request.continuations)
    return written


class WordCounter:
    """Counts as simulated learners do, whose tokens are words."""

    def count(self, request: Asked) -> TokenCount:
        """Words of the request."""
        words = sum(len(message.content.split()) for message in request.messages)
        note = "A simulated learner has no tokens; its words were counted."
        return TokenCount(words, CountedHow.COUNTED, note, words)


class LengthCounter:
    """Estimates tokens from the length of the text, for models whose tokenizer is not here.

    Args:
        measured: tokens for each character as they were seen; None: the rule of thumb.
    """

    def __init__(self, measured: MeasuredRatio | None = None) -> None:
        self._measured = measured

    def count(self, request: Asked) -> TokenCount:
        """An estimate and a bound."""
        length = characters(request)
        if self._measured is not None:
            note = (
                f"Tokens sent are estimated at {self._measured.expected:.3f} for each character, "
                f"from {self._measured.note}."
            )
            shown = _pictures(request)
            return TokenCount(
                round(length * self._measured.expected) + shown.tokens,
                CountedHow.MEASURED,
                note,
                ceil(length * self._measured.at_most) + shown.at_most,
            )
        marks = _marks(request)
        return TokenCount(
            round(length / CHARACTERS_PER_TOKEN) + marks.tokens,
            CountedHow.RULE,
            "Tokens sent are estimated by a rule of thumb: one for "
            f"{CHARACTERS_PER_TOKEN:g} characters, at most one for "
            f"{FEWEST_CHARACTERS_PER_TOKEN:g}, because the model's tokenizer is not here.",
            ceil(length / FEWEST_CHARACTERS_PER_TOKEN) + marks.at_most,
        )


class TokenizerCounter:
    """Counts with a model's own tokenizer.

    Args:
        file: its ``tokenizer.json``.

    What a chat template adds to turns is estimated: a template is a program, which only
    transformers runs.

    Raises:
        BrokenModel: the file is damaged.
    """

    def __init__(self, file: Path) -> None:
        self._tokenizer = _tokenizer(str(file), file.stat().st_mtime_ns)
        self._front = self._special_tokens_in_front()

    def count(self, request: Asked) -> TokenCount:
        """Exact for plain text; for turns exact but for what the chat template adds."""
        plain = _is_plain(request.messages)
        tokens = sum(
            self._plain(text) if plain else len(self._tokens(text)) for text in _texts(request)
        )
        if plain:
            note = "Tokens sent were counted with the model's own tokenizer."
            return TokenCount(tokens, CountedHow.COUNTED, note, tokens)
        marks = _marks(request)
        return TokenCount(
            tokens + marks.tokens,
            CountedHow.RULE,
            "Tokens of the texts sent were counted with the model's own tokenizer; what its chat "
            f"template adds is estimated at {TOKENS_PER_MESSAGE} for each turn.",
            tokens + marks.at_most,
        )

    def _plain(self, text: str) -> int:
        tokens = [*self._front, *self._tokens(text)]
        while self._front and tokens[:2] == [self._front[0]] * 2:
            del tokens[0]
        return len(tokens)

    def _tokens(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def _special_tokens_in_front(self) -> list[int]:
        bare = self._tokens("a")
        full = list(self._tokenizer.encode("a").ids)
        for start in range(len(full) - len(bare) + 1):
            if full[start : start + len(bare)] == bare:
                return full[:start]
        return []


class _Marks(NamedTuple):
    tokens: int
    at_most: int


def _marks(request: Asked) -> _Marks:
    """What a chat template may add; a server's model may have one for plain text as well."""
    times = len(request.continuations) if isinstance(request, LikelihoodRequest) else 1
    turns = len(request.messages) + 1
    shown = _pictures(request)
    return _Marks(
        times * turns * TOKENS_PER_MESSAGE + shown.tokens,
        times * (turns * MOST_TOKENS_PER_MESSAGE + MOST_TOKENS_OF_TEMPLATE) + shown.at_most,
    )


def _pictures(request: Asked) -> _Marks:
    """What pictures count as; no scored request has one."""
    count = sum(bool(message.picture) for message in request.messages)
    return _Marks(count * TOKENS_PER_PICTURE, count * MOST_TOKENS_PER_PICTURE)


def _texts(request: Asked) -> list[str]:
    """What is tokenised together, for each time that something is sent."""
    contents = [message.content for message in request.messages]
    if not isinstance(request, LikelihoodRequest):
        return contents
    if _is_plain(request.messages):
        return [contents[0] + continuation for continuation in request.continuations]
    return [text for end in request.continuations for text in (*contents, end)]


def _is_plain(messages: Sequence[Message]) -> bool:
    return len(messages) == 1 and messages[0].role == "text"


def counter_of_directory(path: Path, measured: MeasuredRatio | None) -> TokenCounter:
    """Counts by the tokenizer in a model's directory, if there is one.

    Raises:
        BrokenModel: the tokenizer is damaged.
    """
    file = path / "tokenizer.json"
    return TokenizerCounter(file) if file.is_file() else LengthCounter(measured)


@lru_cache(maxsize=4)
def _tokenizer(file: str, _changed: int) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(file)
    except Exception as error:  # the library raises Exception itself
        raise BrokenModel(
            f"The tokenizer in {file} is damaged ({error}): get the file again."
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
