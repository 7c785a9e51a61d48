"""Where in a network the operation is decided: one activation swapped between a pair's members.

The model reads the second member (the inconsistent one); at one layer and one word it is given what
it had there for the first (activation patching: Vig et al. 2020; Meng et al. 2022; see
`biaslab.models.local.inside`). The effect is how much that changes

    log P(right answer) - log P(reversed answer)

at the end of the whole direct prompt, with probabilities of exactly these numbers as word by word
(`biaslab.studies.word_problems.inside.word_by_word`): where digits are written one by one, the
probability of every further digit is taken off.

Words stand opposite each other by their order: the first with the first, and so on, so both members
must have as many words, sentence by sentence. Of two words with different numbers of tokens the
last tokens are swapped, as many as both have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from biaslab.models import Likelihood, Message, ModelForm
from biaslab.models.activations import Span, SwapRequest, SwapResult
from biaslab.stats.errors import BrokenOutcomes
from biaslab.studies.study import Item, Pair
from biaslab.studies.word_problems.inside.word_by_word import (
    Prefixes,
    Sought,
    prefixes_of_pair,
    separate_numbers,
)
from biaslab.studies.word_problems.verification import sentences_of

SMALLEST = 1e-9
"""Probabilities below this count as this: what is left of a difference of nearly equal numbers."""

_WORD = re.compile(r"\S+")


class NoSwaps(ValueError):
    """Nothing can be swapped between the members of a pair; the text is a sentence saying why."""


@dataclass(frozen=True, slots=True)
class PromptWord:
    """A word of the prompt.

    Attributes:
        word: as it stands in the member that is read; other: what stands there in the other one.
        told: whether it belongs to the problem, not to the prompt around it.
        treated: whether its sentence is one that the treatment changes.
    """

    word: str
    other: str
    told: bool
    treated: bool


@dataclass(frozen=True, slots=True)
class Swaps:
    """What is asked of a model about a pair.

    Attributes:
        places: the words, in order.
        sought: the right and the reversed answer.
        request: one swap for each word.
    """

    places: tuple[PromptWord, ...]
    sought: Sought
    request: SwapRequest


@dataclass(frozen=True, slots=True)
class AnswerOdds:
    """How probable both answers are, from 0 to 1."""

    right: float
    reversed: float

    @property
    def log(self) -> float:
        """The natural logarithm of P(right) / P(reversed)."""
        return math.log(max(self.right, SMALLEST)) - math.log(max(self.reversed, SMALLEST))


@dataclass(frozen=True, slots=True)
class SwapEffects:
    """What each swap did.

    Attributes:
        places, sought: as in `Swaps`.
        own: with nothing swapped; other: of the member that activations are taken from.
        swapped: for each layer and place. Layer 0 is the words as they go in, layer n what comes
            out of the nth block.
    """

    places: tuple[PromptWord, ...]
    sought: Sought
    own: AnswerOdds
    other: AnswerOdds
    swapped: tuple[tuple[AnswerOdds, ...], ...]

    @property
    def effects(self) -> tuple[tuple[float, ...], ...]:
        """By how much each swap changes `AnswerOdds.log`: above 0 is towards the right answer."""
        return tuple(tuple(each.log - self.own.log for each in layer) for layer in self.swapped)


def swaps_of_pair(pair: Pair, form: ModelForm) -> Swaps:
    """One swap for each word of the second member's prompt.

    Args:
        pair: two word problems with whole numbers as answers.
        form: how the model wants to be addressed.

    Raises:
        NoSwaps: there is no reversed answer, or the words do not stand opposite each other.
        ValueError: an answer is no whole number.
    """
    source, own = prefixes_of_pair(pair, form)
    if own.sought.reversed is None or own.sought.reversed != source.sought.reversed:
        raise NoSwaps(
            "Reversing the operation gives no other whole number that both problems share, so "
            "there are no two answers that a swap could move between. Choose another pair."
        )
    if not _opposite(pair.x, pair.x_prime):
        raise NoSwaps(
            "The two problems have sentences of different lengths, so their words do not stand "
            "opposite each other and none can be swapped. Choose additive comparisons."
        )
    here, there = own.requests[-1].messages, source.requests[-1].messages
    sought = Sought(own.sought.right, own.sought.reversed, ())
    spans = tuple(zip(_spans(here), _spans(there), strict=True))
    request = SwapRequest(here, there, spans, sought.continuations)
    return Swaps(tuple(_places(pair.x_prime, own, here, there)), sought, request)


def decided(swaps: Swaps, swapped: SwapResult) -> SwapEffects:
    """What each swap did to both answers.

    Raises:
        BrokenOutcomes: a layer does not have one result for each word, or a result not one
            probability for each text.
    """
    if any(len(layer) != len(swaps.places) for layer in swapped.layers):
        raise BrokenOutcomes(f"There is not one result for each of {len(swaps.places)} words.")

    def odds(likelihood: Likelihood) -> AnswerOdds:
        found, _ = separate_numbers(swaps.sought, likelihood)
        assert swaps.sought.reversed is not None  # or there were no swaps
        return AnswerOdds(found[swaps.sought.right], found[swaps.sought.reversed])

    layers = tuple(tuple(odds(each) for each in layer) for layer in swapped.layers)
    return SwapEffects(swaps.places, swaps.sought, odds(swapped.own), odds(swapped.other), layers)


def _opposite(x: Item, x_prime: Item) -> bool:
    """Whether both have as many words, sentence by sentence."""
    lengths = [[len(sentence.split()) for sentence in sentences_of(each)] for each in (x, x_prime)]
    return lengths[0] == lengths[1] and len(x.text.split()) == len(x_prime.text.split())


def _spans(messages: tuple[Message, ...]) -> list[Span]:
    """Each word with the space before it; the last one reaches to the end."""
    content = messages[-1].content
    ends = [match.end() for match in _WORD.finditer(content)]
    ends[-1] = len(content)
    return [Span(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def _places(
    item: Item, own: Prefixes, here: tuple[Message, ...], there: tuple[Message, ...]
) -> Iterator[PromptWord]:
    content = here[-1].content
    before = len(content[: content.index(item.text)].split())
    words = zip(content.split(), there[-1].content.split(), strict=True)
    for at, (word, other) in enumerate(words):
        told = before <= at < before + len(own.words)
        yield PromptWord(word, other, told, told and own.treated[at - before])
