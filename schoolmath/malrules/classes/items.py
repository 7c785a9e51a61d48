"""The items of a quiz and all that mal-rules give on them, from the bank or a teacher's own test.

Of a teacher's questions, what can be read as a typed problem is worked out, and every rule that
reads it can show. What cannot be read is marked by the teacher's key alone, and no rule is named
for it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b

from schoolmath.malrules.answers import Answer, Working
from schoolmath.malrules.bank import LETTERS
from schoolmath.malrules.bank.options import Distractor
from schoolmath.malrules.diagnosis import expected_by_chance
from schoolmath.malrules.forms import Form, write_form
from schoolmath.malrules.reading import UnreadProblem, read_problem
from schoolmath.malrules.reading.given_answers import read_given, read_number
from schoolmath.malrules.rules import cards, commonest_first, rules, rules_for

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
    problem: Form, right: Working, distractors: Sequence[Distractor], key: str
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


MOST_CUSTOM_ITEMS = 60
"""Items of a test; a header names them by two digits."""


@dataclass(frozen=True, slots=True)
class GivenItem:
    """An item as somebody wrote it.

    Attributes:
        question: what is asked.
        options: texts by letter, A first; empty: pupils write answers of their own.
        key: letter of the right option or, without options, the right answer; "": not told.
        labels: what the author says is behind a wrong option, by its letter.
    """

    question: str
    options: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ItemRemark:
    """What is to be said of an item of a test.

    Attributes:
        number: of the item, from 1.
        stops: the test cannot be used before this is put right.
        text: a sentence.
    """

    number: int
    stops: bool
    text: str


@dataclass(frozen=True, slots=True)
class CustomTest:
    """What became of a test.

    Attributes:
        quiz: its items; None where a remark stops it.
        remarks: in the order of the items.
    """

    quiz: Quiz | None
    remarks: tuple[ItemRemark, ...]


class _Unusable(Exception):
    """An item has no right answer that is known; the message says what to do."""


def custom_test(items: Sequence[GivenItem], about: str = "own test") -> CustomTest:
    """A test as a quiz that pupils' answers can be given in to.

    Args:
        items: in their order; numbers of items are places in it.
        about: what the test is called.
    """
    if not items:
        return CustomTest(None, (ItemRemark(0, True, "There is no question in it."),))
    if len(items) > MOST_CUSTOM_ITEMS:
        text = f"It has {len(items)} items; a test has up to {MOST_CUSTOM_ITEMS}."
        return CustomTest(None, (ItemRemark(0, True, text),))
    taken: list[QuizItem] = []
    remarks: list[ItemRemark] = []
    for number, given in enumerate(items, start=1):
        try:
            item, told = _item(given)
        except _Unusable as error:
            remarks.append(ItemRemark(number, True, str(error)))
            continue
        taken.append(item)
        remarks.extend(ItemRemark(number, False, text) for text in told)
    if any(remark.stops for remark in remarks):
        return CustomTest(None, tuple(remarks))
    return CustomTest(Quiz(tuple(taken), about), tuple(remarks))


def _item(item: GivenItem) -> tuple[QuizItem, list[str]]:
    """The item, and what is to be said of it.

    Raises:
        _Unusable: its right answer is not known.
    """
    return _with_options(item) if item.options else _with_answers_of_rules(item)


def _with_answers_of_rules(item: GivenItem) -> tuple[QuizItem, list[str]]:
    meanings, why = _meanings(item.question)
    fitting = [group for group in meanings if _is_right(item.key, group)]
    if not item.key:
        if not meanings:
            raise _Unusable(f"{why} Give its right answer, behind a semicolon or a tab.")
        if len(meanings) > 1:
            answers = " or ".join(str(group[0].solve().answer) for group in meanings)
            raise _Unusable(f"It can be read in ways with different answers ({answers}). Give the "
                            "right answer, behind a semicolon or a tab.")  # fmt: skip
        fitting = list(meanings)
    if len(fitting) == 1:
        group = fitting[0]
        right = group[0].solve().answer
        return _made(item, right, group, _gives(group, right)), []
    value = read_number(item.key)
    right = Answer.label(item.key) if value is None else Answer.number(value, item.key)
    return _made(item, right, (), {}), [_not_looked_at(meanings, why, f"“{item.key}”")]


def _with_options(item: GivenItem) -> tuple[QuizItem, list[str]]:
    meanings, why = _meanings(item.question)
    right_in = {
        letter: group
        for letter, text in item.options.items()
        for group in meanings
        if _is_right(text, group)
    }
    key = item.key
    if not key:
        if len(right_in) != 1:
            raise _Unusable(f"{why or 'More than one option can be right, or none.'} "
                            "Say which option is right.")  # fmt: skip
        (key,) = right_in
    if key not in item.options:
        raise _Unusable(f"Its right option is “{key}”, and there is none of this letter.")
    group = right_in.get(key, ())
    told = []
    if same := sorted(set(right_in) - {key} if group else ()):
        # It may ask for a way of writing, such as a fraction in lowest terms.
        group = ()
        told.append(
            f"Option {' and '.join(same)} is worth as much as the right one, {key}. It is marked "
            "by the key, and no mal-rule is looked for."
        )
    elif not group:
        told.append(_not_looked_at(meanings, why, f"{key} ({item.options[key]})"))
    if len({" ".join(text.lower().split()) for text in item.options.values()}) < len(item.options):
        raise _Unusable("Two of its options are the same.")
    options = {letter: _read(text, group) for letter, text in item.options.items()}
    found: dict[str, tuple[Answer, ...]] = {}
    by_rule = _gives(group, options[key])
    for letter, option in options.items():
        if letter == key:
            continue
        ideas = [
            rule for rule, gives in by_rule.items() if any(option.same_as(each) for each in gives)
        ]
        # What the author says stands where no rule is known.
        if not ideas and item.labels.get(letter, "").strip():
            ideas = [" ".join(item.labels[letter].split())]
        for idea in ideas:
            found[idea] = (*found.get(idea, ()), option)
    return _made(item, options[key], group, found, options, key), told


def _made(
    item: GivenItem,
    right: Answer,
    problems: Sequence[Form],
    gives: Mapping[str, tuple[Answer, ...]],
    options: Mapping[str, Answer] | None = None,
    key: str = "",
) -> QuizItem:
    content = "\x1f".join([item.question, *item.options.values(), key or right.shown])
    named = blake2b(content.encode(), digest_size=8).hexdigest()
    return QuizItem(named, item.question, right, gives, tuple(problems), dict(options or {}), key)


def _meanings(question: str) -> tuple[tuple[tuple[Form, ...], ...], str]:
    """What the question may ask; else none, and why it is not read, as a sentence."""
    try:
        return read_problem(question).meanings, ""
    except UnreadProblem as error:
        return (), str(error)


def _is_right(text: str, group: Sequence[Form]) -> bool:
    """Whether a text says the right answer of a problem."""
    right = group[0].solve().answer
    given = read_given(text, right, ()) if text else None
    return given is not None and given.same_as(right)


def _gives(group: Sequence[Form], right: Answer) -> dict[str, tuple[Answer, ...]]:
    """The wrong answers of each rule, over all forms that the problem has."""
    found: dict[str, tuple[Answer, ...]] = {}
    for problem in group:
        for rule, answers in answers_of_rules(problem, right).items():
            found.setdefault(rule, answers)
    return found


def _read(text: str, group: Sequence[Form]) -> Answer:
    """An option as what it is worth, where that can be told, written as it stands."""
    found = None
    if group:
        right = group[0].solve().answer
        known = [each for given in _gives(group, right).values() for each in given]
        found = read_given(text, right, known)
    return Answer.label(text) if found is None else Answer(found.kind, found.value, text)


def _not_looked_at(meanings: Sequence[Sequence[Form]], why: str, key: str) -> str:
    """Why no rule can show in an item, and how it is marked."""
    if not meanings:
        return f"It is marked by the key, {key}, and no mal-rule is looked for. {why}"
    worked = " or ".join(str(group[0].solve().answer) for group in meanings)
    return (
        f"Worked out here, the answer is {worked}; the key says {key}. Is the key right? The item "
        "is marked by it, and no mal-rule is looked for."
    )
