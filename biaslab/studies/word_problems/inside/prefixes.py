"""What a model would answer if a problem stopped after each of its words: the requests.

After every word the prompt is the direct prompt of `biaslab.studies.strategies` with the
problem cut there, built by the strategy itself; the last one is the prompt that every study asks.
It is asked how probable each number is that matters, and how probable it is with each further
digit: "1" followed by "2" is the beginning of 12, not the answer 1. What follows from the
likelihoods is worked out in `biaslab.studies.word_problems.inside.word_by_word`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import digits

from biaslab.models import LikelihoodRequest, ModelForm
from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.study import Item, Pair, content_hash
from biaslab.studies.word_problems.inside.reversed_answers import misleading_steps, reversed_answer
from biaslab.studies.word_problems.verification import sentences_of, steps_of, treated_of

DIRECT = PUBLISHED_STRATEGIES[0]
"""The prompt strategy; nothing is worked out before the answer."""

_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Sought:
    """Numbers whose probability is asked for; no two of them are the same.

    Attributes:
        right: the right answer.
        reversed: what the reversed operation gives; None where it gives no whole number.
        others: the other numbers of the problem: those in its text, results on the way (what
            somebody says who stops early), and the sum of all numbers in the text.
    """

    right: int
    reversed: int | None
    others: tuple[int, ...]

    @property
    def all(self) -> tuple[int, ...]:
        """Every number that is asked about."""
        middle = () if self.reversed is None else (self.reversed,)
        return (self.right, *middle, *self.others)

    @property
    def continuations(self) -> tuple[str, ...]:
        """What is scored: every number, and every number with one more digit; each once."""
        texts = [f"{number}{more}" for number in self.all for more in ("", *digits)]
        return tuple(dict.fromkeys(texts))


@dataclass(frozen=True, slots=True)
class Prefixes:
    """One problem, cut after each of its words.

    Attributes:
        item: the problem.
        words: as they stand, marks included.
        treated: for each word whether its sentence is one that the treatment changes.
        sought: the numbers.
        requests: one after each word, in order.
    """

    item: Item
    words: tuple[str, ...]
    treated: tuple[bool, ...]
    sought: Sought
    requests: tuple[LikelihoodRequest, ...]

    @property
    def id(self) -> str:
        """The same for the same prompts and numbers; changes with the wording of the prompt."""
        return content_hash(self.item.id, DIRECT.version, *self.sought.continuations)


def prefixes_of_pair(pair: Pair, form: ModelForm) -> tuple[Prefixes, Prefixes]:
    """Both members of a pair, cut after each word; the same steps are reversed in both.

    Args:
        pair: two word problems with whole numbers as answers.
        form: how the model wants to be addressed.

    Raises:
        ValueError: an answer is no whole number.
    """
    at = misleading_steps(pair)
    return prefixes_of(pair.x, at, form), prefixes_of(pair.x_prime, at, form)


def prefixes_of(item: Item, at: Sequence[int], form: ModelForm) -> Prefixes:
    """A problem cut after each word.

    Args:
        item: a word problem.
        at: the steps whose operation is reversed, from 0.
        form: how the model wants to be addressed.

    Raises:
        ValueError: the answer is no whole number.
    """
    ends = [match.end() for match in _WORD.finditer(item.text)]
    sought = _sought(item, reversed_answer(item, at))
    continuations = sought.continuations
    # The last prompt is the whole text, whatever stands behind its last word.
    texts = [*(item.text[:end] for end in ends[:-1]), item.text]
    requests = []
    for text in texts:
        asked = DIRECT.next_request(replace(item, text=text), (), form)
        assert asked is not None  # the first request of a strategy
        requests.append(LikelihoodRequest(asked.messages, continuations))
    words = tuple(_WORD.findall(item.text))
    return Prefixes(item, words, _treated(item, len(words)), sought, tuple(requests))


def _sought(item: Item, reversed_: int | None) -> Sought:
    right = int(item.answer)
    told = [int(number) for number in _NUMBER.findall(item.text)]
    on_the_way = [step.result for step in steps_of(item)]
    others = dict.fromkeys([*told, *on_the_way, sum(told)])
    return Sought(right, reversed_, tuple(n for n in others if n not in (right, reversed_)))


def _treated(item: Item, words: int) -> tuple[bool, ...]:
    changed = treated_of(item) or ()
    marks = [
        index in changed
        for index, sentence in enumerate(sentences_of(item))
        for _ in sentence.split()
    ]
    # Where the sentences are not those of the text, nothing is marked rather than a wrong word.
    return tuple(marks) if len(marks) == words else (False,) * words
