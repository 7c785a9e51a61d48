"""What a model would answer if a problem stopped after each of its words.

After every word the prompt is the direct prompt of `biaslab.studies.strategies` with the
problem cut there, built by the strategy itself; the last one is the prompt that every study asks.
It is asked how probable each number is that matters, and how probable it is with each further
digit: "1" followed by "2" is the beginning of 12, not the answer 1.

The answer 1 must not collect the probability of 12. Where a model writes a number digit by digit,
"12" goes on from "1", so the probability of every further digit is taken off: what remains is that
the number is written and no digit follows. Whether it does is told by the tokens: each of the ten
longer numbers then has exactly one token more. A model that has tokens for whole numbers writes
12 without writing 1 first; nothing has to be taken off. What is left apart from each other are
texts of which none begins another, so together they come to one at most.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import digits

from biaslab.models import Likelihood, LikelihoodRequest, ModelForm
from biaslab.stats.errors import BrokenOutcomes
from biaslab.studies.strategies import PUBLISHED_STRATEGIES
from biaslab.studies.study import Item, Pair, content_hash
from biaslab.studies.word_problems.inside.reversals import misleading_steps, reversed_answer
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


LEAD = 0.05
"""A lead of one answer over the other that is worth telling, as a difference of probabilities."""


@dataclass(frozen=True, slots=True)
class AnswerProbabilities:
    """What a model would answer if the problem stopped here. Probabilities from 0 to 1.

    Attributes:
        right: of the right answer.
        reversed: of the reversed operation's answer; None where there is none.
        other: of another number of the problem, all of them together.
    """

    right: float
    reversed: float | None
    other: float


@dataclass(frozen=True, slots=True)
class WordByWord:
    """One model on one problem.

    Attributes:
        words, treated, sought: as in `Prefixes`.
        chances: after each word, in order.
        digit_by_digit: how many of the numbers sought the model writes digit by digit, so that
            longer numbers were taken off; of `len(sought.all)`.
    """

    words: tuple[str, ...]
    treated: tuple[bool, ...]
    sought: Sought
    chances: tuple[AnswerProbabilities, ...]
    digit_by_digit: int

    @property
    def misled(self) -> int | None:
        """After which word (from 0) the reversed answer leads most; None if never by `LEAD`.

        Looked for from the first word of the changed sentence on: before it, no answer means
        anything yet.
        """
        start = self.treated.index(True) if True in self.treated else 0
        leads = [
            (-1.0 if each.reversed is None else each.reversed - each.right)
            for each in self.chances[start:]
        ]
        best = max(range(len(leads)), key=leads.__getitem__)
        return start + best if leads[best] > LEAD else None


def word_by_word(prefixes: Prefixes, likelihoods: Sequence[Likelihood]) -> WordByWord:
    """Probabilities after each word.

    Args:
        prefixes: what was asked.
        likelihoods: what came back, in the same order.

    Raises:
        BrokenOutcomes: there is not one likelihood for each word, or not one number for each
            text that was scored.
    """
    sought = prefixes.sought
    if len(likelihoods) != len(prefixes.requests):
        raise BrokenOutcomes(
            f"There are {len(likelihoods)} answers to {len(prefixes.requests)} requests: ask again."
        )
    found = [separate_numbers(sought, each) for each in likelihoods]
    chances = tuple(_together(sought, probabilities) for probabilities, _ in found)
    # Told by the whole problem: a tokenizer splits a number alike wherever it stands.
    return WordByWord(prefixes.words, prefixes.treated, sought, chances, found[-1][1])


def separate_numbers(sought: Sought, likelihood: Likelihood) -> tuple[dict[int, float], int]:
    """The probability that exactly this number is written, for every number sought.

    Returns:
        the probabilities, none below 0 and together at most 1, and how many of the numbers are
        written digit by digit.

    Raises:
        BrokenOutcomes: there is not one value for each text that was scored.
    """
    texts = sought.continuations
    if not len(texts) == len(likelihood.log_probabilities) == len(likelihood.tokens):
        raise BrokenOutcomes(
            f"{len(texts)} texts were to be scored and {len(likelihood.log_probabilities)} were: "
            "ask again."
        )
    logs = dict(zip(texts, likelihood.log_probabilities, strict=True))
    tokens = dict(zip(texts, likelihood.tokens, strict=True))
    found: dict[int, float] = {}
    by_digit = 0
    for number in sought.all:
        text = str(number)
        probability = math.exp(min(logs[text], 0.0))
        longer = [f"{text}{digit}" for digit in digits]
        if all(tokens[each] == tokens[text] + 1 for each in longer):
            by_digit += 1
            probability -= math.fsum(math.exp(min(logs[each], 0.0)) for each in longer)
        # Rounding of the model's own numbers may lead a hair below 0.
        found[number] = max(probability, 0.0)
    total = math.fsum(found.values())
    if total > 1:  # by rounding as well
        found = {number: probability / total for number, probability in found.items()}
    return found, by_digit


def _together(sought: Sought, chances: dict[int, float]) -> AnswerProbabilities:
    return AnswerProbabilities(
        chances[sought.right],
        None if sought.reversed is None else chances[sought.reversed],
        math.fsum(chances[number] for number in sought.others),
    )


def how_it_was_done(read: WordByWord) -> str:
    """How the model's numbers were kept apart, in a sentence or two for a screen."""
    asked = len(read.sought.all)
    if read.digit_by_digit == asked:
        return (
            "This model writes numbers digit by digit, so “1” is also the beginning of “12”. The "
            "probability of every further digit was taken off: what is shown is that the number "
            "is written and no digit follows."
        )
    if not read.digit_by_digit:
        return (
            "This model has tokens of its own for whole numbers, so “1” is not the beginning of "
            "“12” and nothing had to be taken off."
        )
    return (
        f"This model writes {read.digit_by_digit} of these {asked} numbers so that a further digit "
        "can follow; there the probability of every further digit was taken off. The others are "
        "tokens of their own, and nothing had to be."
    )
