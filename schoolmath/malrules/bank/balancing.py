"""Rationales chosen so that no cue gives the key away, and the guessers who go by cues.

Traces of the right way tend to be longer or shorter than those of mal-rules. Each item takes,
among ways to tell its four traces, the one that brings the counts so far of its form nearest to
chance: how often the key's rationale is the longest, second, third and shortest, and how often
it has the most and the fewest numbers. Words count too: whoever has learnt from all items so far
which words go with the key should not take it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import fsum, log

from schoolmath.malrules.answers import Working
from schoolmath.malrules.bank.items import LETTERS, ChoiceItem
from schoolmath.malrules.bank.rationales import (
    NUMBER,
    POINTED,
    POINTED_TEXT,
    RationaleTelling,
    asking,
    read_number,
)
from schoolmath.problems.draws import Draws

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


_TRIES = 16
_CUES = 6
_CHANCE = 0.25
_OPTIONS = 4
_STRAIN = 0.1
_OF_ALL = 0.1
_RANKS_OF_ALL = 1.0
_LEVEL, _KNOWN = 0.5, 6
_OF_WORDS = 20.0
_ALL = ""


def distinctive(
    rationales: Sequence[Sequence[RationaleTelling]],
    traces: Sequence[Working],
    every: Sequence[Working],
) -> list[list[RationaleTelling]]:
    """For each option the tellings that lead to its answer and to no other.

    They tell something that no other option's trace has, could be told of no other trace as a
    whole, and do not end where another option's answer is what has come out.

    Args:
        rationales: all tellings of each option.
        traces: the options' traces.
        every: all traces that the library gives on the problem.
    """
    clauses = [[step.text for step in worked.steps] for worked in traces]
    values = {worked.answer.value for worked in traces}
    further = [
        [step.text for step in worked.steps]
        for worked in every
        if worked.answer.value not in values
    ]
    found = []
    for index, options in enumerate(rationales):
        worked = traces[index]
        foreign = [text for place, each in enumerate(clauses) if place != index for text in each]
        others = [each for each in traces if each is not worked]
        found.append(
            [
                telling
                for telling in options
                if not all(could_tell(clause, foreign) for clause in telling.told)
                and not stops_at_another(worked, telling, others)
                and not any(
                    all(could_tell(clause, texts) for clause in telling.told) for texts in further
                )
            ]
        )
    return found


def stops_at_another(
    working: Working, telling: RationaleTelling, others: Sequence[Working]
) -> bool:
    """Whether the last step that is told comes to what another option answers.

    Args:
        working: the trace that is told.
        telling: how.
        others: the traces of the other options.
    """
    last = working.steps[telling.steps[-1]]
    if not last.numbers:
        return False
    result = read_number(last.numbers[-1].strip("$()"))
    if result is None or result == working.answer.value:
        return False
    return any(other.answer.value == result for other in others)


def could_tell(clause: str, foreign: Sequence[str]) -> bool:
    """Whether a clause, perhaps cut or with its answer hidden, tells one of these as well."""
    first, *rest = clause.replace(POINTED_TEXT, POINTED).split(POINTED)
    return any(text.startswith(first) and _follow(rest, text[len(first) :]) for text in foreign)


def _follow(parts: Sequence[str], text: str) -> bool:
    """Whether the parts stand in the text one after the other, with something before each."""
    for part in parts:
        place = text.find(part, 1)
        if place < 0:
            return False
        text = text[place + len(part) :]
    return True


class Balance:
    """Counts of what would have given the key away so far."""

    def __init__(self) -> None:
        self._surplus: dict[str, list[float]] = defaultdict(lambda: [0.0] * _CUES)
        self._words = WordCues()
        self._found_by_words = 0.0
        self._ranks: dict[str, list[float]] = defaultdict(lambda: [0.0] * _OPTIONS)
        self._came: dict[str, Counter[int]] = defaultdict(Counter)

    def ranks(self, form: str) -> Sequence[float]:
        """By how much the key has been smallest, second and so on too often: in items of this
        form, and with less weight in all items, because many forms leave no choice.
        """
        here, overall = self._ranks[form], self._ranks[_ALL]
        return [own + _RANKS_OF_ALL * every for own, every in zip(here, overall, strict=True)]

    def will_do(self, form: str, rank: int) -> bool:
        """Whether a problem whose key has this rank is as good as those the form is known to
        give; not while little is known of it.
        """
        came = self._came[form]
        came[rank] += 1
        if came.total() < _KNOWN:
            return False
        ranks = self.ranks(form)
        return ranks[rank] <= min(ranks[each] for each in came) + _LEVEL

    def count_rank(self, form: str, rank: int) -> None:
        """Counts an item of which so many options are less than the key."""
        for ranks in (self._ranks[form], self._ranks[_ALL]):
            for each in range(_OPTIONS):
                ranks[each] += (each == rank) - _CHANCE

    def choose(
        self,
        draws: Draws,
        form: str,
        rationales: Sequence[Sequence[RationaleTelling]],
        questions: Sequence[str] = (),
    ) -> tuple[str, ...]:
        """The rationale of each option, and counts it.

        Args:
            draws: random choices.
            form: name of the form, balanced by itself and together with all others.
            rationales: the tellings of the key and of each distractor; none empty.
            questions: of which each rationale gets a different one; none: no question follows.
        """
        # Drawn first, so that no question says anything about the option it stands with: one
        # chosen to even out lengths would go to the key where the key is told in few words.
        asked = draws.several(questions, len(rationales)) if questions else [""] * len(rationales)
        here, overall = self._surplus[form], self._surplus[_ALL]
        best: tuple[RationaleTelling, ...] = ()
        best_cues: list[float] = []
        least, best_ahead = float("inf"), 0.0
        # The plainest stand first and are tried more often.
        plain = [sorted(options, key=lambda telling: telling.strain) for options in rationales]
        scored = self._words.but_for(form)
        known = [[scored(each.text) for each in options] for options in plain]
        for _ in range(_TRIES):
            places = [min(draws.below(len(each)), draws.below(len(each))) for each in plain]
            chosen = tuple([options[at] for options, at in zip(plain, places, strict=True)])
            cues = _cues(chosen, asked)
            key, *wrong = (scores[at] for scores, at in zip(known, places, strict=True))
            cost = sum(
                (here[i] + cues[i]) ** 2 + _OF_ALL * (overall[i] + cues[i]) ** 2
                for i in range(_CUES)
            ) + _STRAIN * sum([telling.strain for telling in chosen])
            ahead = key - max(wrong)
            if self._found_by_words > 0:
                cost += _OF_WORDS * max(0.0, ahead)
            if cost < least:
                best, best_cues, least, best_ahead = chosen, cues, cost, ahead
        self._found_by_words += (best_ahead > 0) - _CHANCE
        self._words.learn(form, best[0].text, [telling.text for telling in best[1:]])
        for i, cue in enumerate(best_cues):
            here[i] += cue
            overall[i] += cue
        return tuple(map(asking, [telling.text for telling in best], asked))


def _cues(rationales: tuple[RationaleTelling, ...], questions: Sequence[str]) -> list[float]:
    """How far the key's place in this choice is from chance, for each way of guessing."""
    lengths = [
        len(each.text) + len(question) for each, question in zip(rationales, questions, strict=True)
    ]
    own = lengths[0]
    longer = sum(length > own for length in lengths)
    share = 1 / lengths.count(own)
    cues = [-_CHANCE] * _CUES
    for rank in range(longer, longer + lengths.count(own)):
        cues[rank] += share
    numbers = [telling.numbers for telling in rationales]
    if numbers[0] == max(numbers):
        cues[4] += 1 / numbers.count(numbers[0])
    if numbers[0] == min(numbers):
        cues[5] += 1 / numbers.count(numbers[0])
    return cues
