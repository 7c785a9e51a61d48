"""A quiz for a class: its items, and all that mal-rules give on them, wherever they come from."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b

from schoolmath.malrules.answers import Answer
from schoolmath.malrules.bank import LETTERS
from schoolmath.malrules.bank.options import Distractor
from schoolmath.malrules.diagnosis import expected_by_chance
from schoolmath.malrules.forms import Form, write_form
from schoolmath.malrules.rules import cards, commonest_first, rules, rules_for
from schoolmath.malrules.traces import Worked

ENOUGH_WITH_OPTIONS, ENOUGH = 8, 3
"""In so many items must a rule be able to show to be named for a pupil who follows it: with
options, where any slip looks like some rule; and with answers of the pupils' own. So often that
at least nine of ten pupils who follow it are named (research/docs/calibration.md)."""
_LEAST_SHARE = Fraction(1, 40)
"""Share of the slips on a free answer that a rule is taken to explain at least: not every slip
is in the list of `schoolmath.malrules.diagnosis.slips`."""


def name_of(idea: str) -> str:
    """What an idea is called: a rule by its card; what a file says of an option, as it says it."""
    card = cards().get(idea)
    return idea if card is None else card.name


def simplest(ideas: Iterable[str]) -> tuple[str, ...]:
    """Ideas that fit alike without two habits at once where one of them fits alone."""
    given = tuple(ideas)
    known = cards()
    return tuple(
        idea for idea in given if idea not in known or set(known[idea].parts).isdisjoint(given)
    )


@dataclass(frozen=True)
class QuizItem:
    """An item of a quiz.

    An *idea* is what may be behind a wrong answer: the id of a mal-rule, or the words of whoever
    wrote the test for what is behind an option.

    Attributes:
        id: a hash of its content.
        question: as pupils see it.
        right: the right answer, written as its option is.
        gives: the wrong answers of each idea that can show in it.
        problems: the typed problem, once for each form that reads it; empty where none does.
        options: the answer behind each letter; empty where pupils write answers of their own.
        key: letter of the right option, or "".
    """

    id: str
    question: str
    right: Answer
    gives: Mapping[str, tuple[Answer, ...]]
    problems: tuple[Form, ...] = ()
    options: Mapping[str, Answer] = field(default_factory=dict)
    key: str = ""

    @cached_property
    def shares(self) -> Mapping[str, Fraction]:
        """For every idea the share of slips on this item that look like it."""
        if self.options:
            wrong = len(self.options) - 1
            return {idea: Fraction(len(given), wrong) for idea, given in self.gives.items()}
        known = rules()
        found = {}
        for idea in self.gives:
            problem = next(each for each in self.problems if isinstance(each, known[idea].forms))
            found[idea] = max(expected_by_chance(problem, known[idea]), _LEAST_SHARE)
        return found

    @property
    def slip_on_one(self) -> Fraction:
        """Which share of slips a wrong answer is, where nothing is known of it."""
        return Fraction(1, len(self.options) - 1) if self.options else _LEAST_SHARE

    def ideas_behind(self, answer: Answer) -> tuple[str, ...]:
        """Every idea that gives an answer, two habits at once included (see `simplest`)."""
        return tuple(
            idea
            for idea, given in self.gives.items()
            if any(answer.same_as(each) for each in given)
        )

    def reads(self, ideas: Iterable[str]) -> Form | None:
        """The problem, as the form that most of these rules read; None where none does."""
        wanted = set(ideas)

        def read(problem: Form) -> int:
            return len(wanted & {rule.id for rule in rules_for(problem)})

        best = max(self.problems, key=read, default=None)
        return best if best is not None and read(best) else None


@dataclass(frozen=True)
class Quiz:
    """The items of a quiz.

    Attributes:
        items: in the order in which they are printed.
        about: what it is about, in words.
    """

    items: tuple[QuizItem, ...]
    about: str

    @cached_property
    def code(self) -> str:
        """Four signs that tell this quiz from others, printed on everything made from it."""
        content = " ".join([*(item.id for item in self.items), str(self.has_options)])
        return blake2b(content.encode(), digest_size=2).hexdigest().upper()

    @cached_property
    def has_options(self) -> bool:
        """Whether pupils choose among options, in some items at least."""
        return any(item.options for item in self.items)

    @cached_property
    def rules(self) -> Counter[str]:
        """In how many items each idea can show, the most frequent first."""
        return Counter(idea for item in self.items for idea in item.gives)

    @cached_property
    def nameable(self) -> tuple[str, ...]:
        """The ideas that can show often enough to be named, the most frequent first.

        With two options every slip looks like the idea behind the wrong one, so those items say
        nothing.
        """
        weight: Counter[str] = Counter()
        for item in self.items:
            one = ENOUGH if item.options else ENOUGH_WITH_OPTIONS
            weight.update(dict.fromkeys(item.gives, one * (len(item.options) != 2)))
        enough = ENOUGH * ENOUGH_WITH_OPTIONS
        return tuple(idea for idea, _ in self.rules.most_common() if weight[idea] >= enough)

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """The rules on these problems that the quiz cannot name, the commonest first: whoever
        follows one may have everything right.
        """
        known = {
            rule.id: rule
            for item in self.items for each in item.problems for rule in rules_for(each)
            if rule.id not in self.nameable
        }  # fmt: skip
        return tuple(rule.id for rule in commonest_first(known.values()))


def answers_of_rules(problem: Form, right: Answer) -> dict[str, tuple[Answer, ...]]:
    """The wrong answers of each rule that can show in a problem, by rule."""
    found: dict[str, tuple[Answer, ...]] = {}
    for rule in rules_for(problem):
        wrong = {
            each.answer.value: each.answer
            for each in rule.run(problem)
            if not each.answer.same_as(right)
        }
        if wrong:
            found[rule.id] = tuple(wrong.values())
    return found


def open_item(problem: Form) -> QuizItem:
    """An item for an answer of the pupils' own."""
    right = problem.solve().answer
    gives = answers_of_rules(problem, right)
    return QuizItem(_id(problem, ()), problem.stem(), right, gives, (problem,))


def item_with_options(
    problem: Form, right: Worked, distractors: Sequence[Distractor], key: str
) -> QuizItem:
    """An item with the right answer behind the letter `key` and a rule's behind each other one.

    Args:
        problem: what is asked.
        right: its right answer, written as an option is.
        distractors: wrong answers, each of one rule alone.
        key: letter of the right answer.
    """
    letters = [letter for letter in LETTERS if letter != key]
    wrong = dict(zip(letters, distractors, strict=True))
    options = {letter: each.worked.answer for letter, each in wrong.items()} | {key: right.answer}
    return QuizItem(
        _id(problem, [options[letter].shown for letter in LETTERS]),
        problem.stem(),
        right.answer,
        {each.rule.id: (each.worked.answer,) for each in distractors},
        (problem,),
        {letter: options[letter] for letter in LETTERS},
        key,
    )


def _id(problem: Form, options: Sequence[str]) -> str:
    content = json.dumps([write_form(problem), *options], ensure_ascii=False)
    return blake2b(content.encode(), digest_size=6).hexdigest()
