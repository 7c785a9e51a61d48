"""Guessers that understand nothing: whoever goes by one cue, or learns which words go with the key.

All of them are asked which of four rationales is the key's. Chance is a quarter.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import fsum, log

from schoolmath.malrules.bank.items import LETTERS, ChoiceItem
from schoolmath.malrules.bank.rationales import NUMBER

_WORD = re.compile(r"[a-z']+|\d+(?:[.,/]\d+)*|[^\w\s]")
_FOLDS = 5

Cue = Callable[[ChoiceItem, str], float]
"""What somebody looks at in an option of an item; the option with the most is taken."""


def _alone(item: ChoiceItem, letter: str) -> float:
    shapes = [re.sub(r"\d+", "#", option.rpartition(", who says ")[2]) for option in item.options]
    return float(shapes.count(shapes[LETTERS.index(letter)]) == 1)


CUES: tuple[tuple[str, str, Cue], ...] = (
    ("longest", "the longest rationale", lambda item, each: len(item.rationales[each])),
    ("shortest", "the shortest rationale", lambda item, each: -len(item.rationales[each])),
    ("most-numbers", "the rationale with most numbers",
     lambda item, each: len(NUMBER.findall(item.rationales[each]))),
    ("fewest-numbers", "the rationale with fewest numbers",
     lambda item, each: -len(NUMBER.findall(item.rationales[each]))),
    ("hiding", "the rationale with “this number”",
     lambda item, each: item.rationales[each].count("this ")),
    ("not-hiding", "the rationale without “this number”",
     lambda item, each: -item.rationales[each].count("this ")),
    ("longest-option", "the option with most characters",
     lambda item, each: len(item.option(each))),
    ("shortest-option", "the option with fewest characters",
     lambda item, each: -len(item.option(each))),
    ("unlike", "the option whose shape is like no other's", _alone),
    ("alike", "an option whose shape another has too",
     lambda item, each: -_alone(item, each)),
)  # fmt: skip
"""Name, in words, and what is looked at."""


def guessed(items: Iterable[ChoiceItem], cue: Cue) -> float:
    """How many keys are found by going for the most of a cue; ties are parts of one."""
    return sum(_part(item, {letter: cue(item, letter) for letter in LETTERS}) for item in items)


def learnt_on_seen(items: Sequence[ChoiceItem]) -> tuple[float, int]:
    """Keys found by words, and of how many: learnt from every second item, asked the others."""
    asked = items[1::2]
    learnt = WordCues.of(items[::2])
    return sum(_part(item, learnt.scores(item)) for item in asked), len(asked)


def learnt_on_others(items: Sequence[ChoiceItem]) -> tuple[float, int]:
    """Keys found by words, and of how many: learnt from some forms, asked of others, in turn."""
    forms = sorted({item.problem["form"] for item in items})
    right = 0.0
    for fold in range(_FOLDS):
        held = set(forms[fold::_FOLDS])
        learnt = WordCues.of(item for item in items if item.problem["form"] not in held)
        asked = [item for item in items if item.problem["form"] in held]
        right += sum(_part(item, learnt.scores(item)) for item in asked)
    return right, len(items)


class WordCues:
    """Naive Bayes over words: how much more often each stands in a key's rationale."""

    def __init__(self) -> None:
        self._of_all = _Counts()
        self._of_form: dict[str, _Counts] = defaultdict(_Counts)

    @classmethod
    def of(cls, items: Iterable[ChoiceItem]) -> WordCues:
        """What somebody knows who has seen these items with their keys."""
        known = cls()
        for item in items:
            texts = item.rationales
            wrong = [texts[each] for each in LETTERS if each != item.key]
            known.learn(item.problem["form"], texts[item.key], wrong)
        return known

    def learn(self, form: str, key: str, wrong: Sequence[str]) -> None:
        """Counts the rationales of one item of a form."""
        for counts in (self._of_all, self._of_form[form]):
            counts.keys += 1
            counts.wrong += len(wrong)
            counts.with_key.update(words_of(key))
            for text in wrong:
                counts.with_wrong.update(words_of(text))

    def but_for(self, form: str) -> Callable[[str], float]:
        """How much the words of a rationale speak for the key, to whoever has not seen the form.

        Args:
            form: what was learnt from its items is left out; "" for none.
        """
        every, own = self._of_all, self._of_form.get(form, _NOTHING)
        prior = log((every.wrong - own.wrong + 2) / (every.keys - own.keys + 2))
        known: dict[str, float] = {}

        def of_word(word: str) -> float:
            if word not in known:
                with_key = every.with_key[word] - own.with_key[word]
                with_wrong = every.with_wrong[word] - own.with_wrong[word]
                known[word] = log((with_key + 1) / (with_wrong + 1)) + prior
            return known[word]

        # Exact whatever the order: that of a set is another in every process.
        return lambda text: fsum(map(of_word, words_of(text)))

    def scores(self, item: ChoiceItem) -> dict[str, float]:
        """The score of the rationale of each letter, by all that was learnt."""
        score = self.but_for("")
        return {letter: score(item.rationales[letter]) for letter in LETTERS}


@dataclass(slots=True)
class _Counts:
    """How many rationales of keys and of wrong options were seen, and with which words."""

    keys: int = 0
    wrong: int = 0
    with_key: Counter[str] = field(default_factory=Counter)
    with_wrong: Counter[str] = field(default_factory=Counter)


_NOTHING = _Counts()


@lru_cache(maxsize=65_536)
def words_of(text: str) -> frozenset[str]:
    """The different words and signs of a text, every number as one sign."""
    return frozenset("#" if word[0].isdigit() else word for word in _WORD.findall(text.lower()))


def _part(item: ChoiceItem, values: dict[str, float]) -> float:
    most = max(values.values())
    best = [letter for letter in LETTERS if values[letter] == most]
    return (item.key in best) / len(best)
