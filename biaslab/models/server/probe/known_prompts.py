"""Prompts whose answers are known beforehand, for trying a server out."""

from __future__ import annotations

from dataclasses import dataclass

from biaslab.models.provider import Endpoint
from biaslab.models.requests import Message


@dataclass(frozen=True, slots=True)
class KnownPrompt:
    """A prompt in both forms.

    Attributes:
        text: to be continued; ends without a space.
        turn: the same as a turn of a user.
        answer: first word of the right answer.
    """

    text: str
    turn: str
    answer: str

    def messages(self, endpoint: Endpoint, space: str = "") -> tuple[Message, ...]:
        """As it is asked there; a space may end a plain text."""
        if endpoint is Endpoint.CHAT:
            return (Message("user", self.turn),)
        return (Message("text", self.text + space),)


@dataclass(frozen=True, slots=True)
class KnownPair:
    """Two prompts that differ in one word, each answered rightly by its own answer alone."""

    one: KnownPrompt
    other: KnownPrompt


def _sum(first: int, more: int) -> KnownPrompt:
    problem = (
        f"Ben has {first} apples. Ana has {more} more apples than Ben. How many apples does Ana "
        "have?"
    )
    cue = "The answer (Arabic numerals) is"
    return KnownPrompt(f"Q: {problem}\nA: {cue}", f"{problem}\n\n{cue}", str(first + more))


def _capital(country: str, city: str) -> KnownPrompt:
    question = f"What is the capital of {country}? Answer with one word."
    return KnownPrompt(f"The capital of {country} is", question, city)


def _repeated(word: str) -> KnownPrompt:
    words = " ".join([word] * 6)
    return KnownPrompt(words, f"Repeat this word and write nothing else: {word}", word)


KNOWN_PAIRS = (
    KnownPair(_sum(5, 3), _sum(4, 2)),
    KnownPair(_capital("France", "Paris"), _capital("Italy", "Rome")),
    KnownPair(_repeated("red"), _repeated("blue")),
)
"""Models differ in what they know: a small sum, a capital, a word said over and over."""

SAMPLE = KNOWN_PAIRS[0].one
"""A word problem such as the studies ask."""
