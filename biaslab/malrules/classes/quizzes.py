"""A quiz for a class, made from the item bank so that every rule can show several times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b

from biaslab.malrules.answers import Answer, AnswerKind
from biaslab.malrules.bank import LETTERS, BankDesign, ChoiceItem, make_items
from biaslab.malrules.classes.topics import title_of, topics
from biaslab.malrules.diagnosis import expected_by_chance
from biaslab.malrules.forms import FORMS, Form, read_form
from biaslab.malrules.rules import rules, rules_for
from biaslab.problems.errors import DesignError

FEWEST_ITEMS, MOST_ITEMS = 6, 24
MOST_TOPICS = 3
ENOUGH_WITH_LETTERS, ENOUGH = 8, 3
"""In so many items must a rule be able to show to be named for a pupil who follows it: with four
options, where any slip looks like some rule; and with answers of the pupils' own. So often that
at least nine of ten pupils who follow it are named (docs/calibration.md)."""
_POOL = 8
"""So many times as many items as needed are made, to choose from."""
_MOST_MADE = 1500
"""Items of the bank looked through for one topic."""
_LEAST_SHARE = Fraction(1, 40)
"""Share of the slips on a free answer that a rule is taken to explain at least: not every slip
is in the list of `biaslab.malrules.diagnosis.slips`."""


@dataclass(frozen=True, slots=True)
class QuizDesign:
    """What a quiz shall be.

    Attributes:
        grade: of the class.
        topics: names of forms, one to `MOST_TOPICS`.
        n: number of items.
        seed: the same design gives the same quiz everywhere, with one version of the program.
        letters: whether pupils choose among four options, or write answers of their own.

    Raises:
        DesignError: a setting is not what it can be.
    """

    grade: int
    topics: tuple[str, ...]
    n: int = 12
    seed: int = 1
    letters: bool = True

    def __post_init__(self) -> None:
        if not FEWEST_ITEMS <= self.n <= MOST_ITEMS:
            raise DesignError(
                f"A quiz of {self.n} items cannot be made.",
                f"Ask for {FEWEST_ITEMS} to {MOST_ITEMS}.",
                "n",
            )
        known = {topic.form for topic in topics(self.grade)}
        if not 1 <= len(set(self.topics)) == len(self.topics) <= MOST_TOPICS:
            raise DesignError(
                f"A quiz has one to {MOST_TOPICS} different topics.", "Choose topics.", "topics"
            )
        for name in self.topics:
            if name not in known:
                raise DesignError(
                    f"There is no topic “{name}” for grade {self.grade}.",
                    "Choose one from the list for this grade.",
                    "topics",
                )


@dataclass(frozen=True)
class Quiz:
    """The items of a quiz and all that rules give on them.

    Attributes:
        design: what was asked for.
        items: in the order in which they are printed.
    """

    design: QuizDesign
    items: tuple[ChoiceItem, ...]

    @cached_property
    def code(self) -> str:
        """Four signs that tell this quiz from others, printed on everything made from it."""
        content = " ".join([*(item.id for item in self.items), str(self.design.letters)])
        return blake2b(content.encode(), digest_size=2).hexdigest().upper()

    @cached_property
    def problems(self) -> tuple[Form, ...]:
        """The typed problem of every item."""
        return tuple(read_form(item.problem) for item in self.items)

    @cached_property
    def right(self) -> tuple[Answer, ...]:
        """The right answer of every item, written as its option is."""
        return tuple(
            Answer(answer.kind, answer.value, item.option(item.key).removesuffix("."))
            for item, answer in zip(
                self.items, (problem.solve().answer for problem in self.problems), strict=True
            )
        )

    @cached_property
    def gives(self) -> tuple[Mapping[str, tuple[Answer, ...]], ...]:
        """For every item the wrong answers of each rule that can show in it, by rule."""
        return tuple(
            _gives(item, problem, letters=self.design.letters)
            for item, problem in zip(self.items, self.problems, strict=True)
        )

    @cached_property
    def options(self) -> tuple[Mapping[str, Answer], ...]:
        """For every item the answer behind each letter."""
        found = []
        for item, problem, right in zip(self.items, self.problems, self.right, strict=True):
            answers = {item.key: right}
            for letter, rule in item.rules.items():
                answers[letter] = _option(item.option(letter), rule, problem)
            found.append({letter: answers[letter] for letter in LETTERS})
        return tuple(found)

    @cached_property
    def shares(self) -> tuple[Mapping[str, Fraction], ...]:
        """For every item and rule: the share of slips there that look like the rule."""
        if self.design.letters:
            wrong = len(LETTERS) - 1
            return tuple(
                {rule: Fraction(len(answers), wrong) for rule, answers in each.items()}
                for each in self.gives
            )
        known = rules()
        return tuple(
            {rule: max(expected_by_chance(problem, known[rule]), _LEAST_SHARE) for rule in each}
            for problem, each in zip(self.problems, self.gives, strict=True)
        )

    @cached_property
    def rules(self) -> Counter[str]:
        """In how many items each rule can show, the most frequent first."""
        return Counter(rule for each in self.gives for rule in each)

    @property
    def unseen(self) -> tuple[str, ...]:
        """The rules on these topics that the quiz cannot name: whoever follows one may have
        everything right.
        """
        known = {rule.id for problem in self.problems for rule in rules_for(problem)}
        return tuple(sorted(known - set(self.nameable)))

    @property
    def nameable(self) -> tuple[str, ...]:
        """The rules that can show often enough to be named, the most frequent first."""
        least = ENOUGH_WITH_LETTERS if self.design.letters else ENOUGH
        return tuple(rule for rule, count in self.rules.most_common() if count >= least)


def _gives(item: ChoiceItem, problem: Form, *, letters: bool) -> dict[str, tuple[Answer, ...]]:
    """The wrong answers of each rule that can show in an item, by rule."""
    if letters:
        return {
            rule: (_option(item.option(letter), rule, problem),)
            for letter, rule in item.rules.items()
        }
    right = problem.solve().answer
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


def make_quiz(design: QuizDesign) -> Quiz:
    """The quiz of a design.

    Raises:
        DesignError: the bank has too few questions of a topic.
    """
    counts = [
        design.n // len(design.topics) + (place < design.n % len(design.topics))
        for place in range(len(design.topics))
    ]
    chosen = [
        _spread(_pool(design, topic, count * _POOL), count, topic, design)
        for topic, count in zip(design.topics, counts, strict=True)
    ]
    # Topics take turns, so that nobody can tell from the place what is asked.
    items = [each[place] for place in range(max(counts)) for each in chosen if place < len(each)]
    return Quiz(design, tuple(items))


def _pool(design: QuizDesign, topic: str, wanted: int) -> list[ChoiceItem]:
    form = FORMS[topic]
    bank = BankDesign(
        n=_MOST_MADE,
        seed=design.seed,
        grades=(design.grade, design.grade),
        content_classes=(str(form.content_class),),
        doks=(form.dok, form.dok),
    )
    found: list[ChoiceItem] = []
    try:
        for item in make_items(bank):
            if item.problem["form"] == topic and not item.pupils and _fits(design, item):
                found.append(item)
            if len(found) == wanted:
                break
    except DesignError:
        # The questions of this class are used up: what was found has to do.
        pass
    return found


def _fits(design: QuizDesign, item: ChoiceItem) -> bool:
    """Whether a pupil's own answer to the item could be read: numbers only."""
    if design.letters:
        return True
    return read_form(item.problem).solve().answer.kind is AnswerKind.NUMBER


def _spread(
    pool: Sequence[ChoiceItem], count: int, topic: str, design: QuizDesign
) -> list[ChoiceItem]:
    """Items in which as many rules as can be show often enough, in the order of the pool."""
    if len(pool) < count:
        raise DesignError(
            f"There are only {len(pool)} questions on “{title_of(topic)}” that fit this quiz.",
            "Ask for fewer items, another topic, or a quiz with options.",
            "n",
        )
    shows = [_shows(item, design) for item in pool]
    worth = _worth_with_letters if design.letters else _worth_of_rare(shows)
    shown: Counter[str] = Counter()
    left = list(range(len(pool)))
    taken: list[int] = []
    for _ in range(count):
        best = max(left, key=lambda at: (worth(shows[at], shown), -at))
        left.remove(best)
        taken.append(best)
        shown.update(shows[best])
    return [pool[at] for at in sorted(taken)]


def _shows(item: ChoiceItem, design: QuizDesign) -> tuple[str, ...]:
    """The rules that can show in an item."""
    return tuple(_gives(item, read_form(item.problem), letters=design.letters))


def _worth_with_letters(named: Iterable[str], shown: Mapping[str, int]) -> float:
    """Rules that are nearly often enough there count most: rather six that can be named than
    twelve that show twice.
    """
    return sum(1 + shown[rule] for rule in named if shown[rule] < ENOUGH_WITH_LETTERS)


def _worth_of_rare(
    shows: Sequence[Iterable[str]],
) -> Callable[[Iterable[str], Mapping[str, int]], float]:
    """With own answers an item shows every rule that works on it; those that few items show, as
    subtractions with a zero in them, count most until they are there often enough.
    """
    often = Counter(rule for each in shows for rule in each)

    def worth(named: Iterable[str], shown: Mapping[str, int]) -> float:
        return sum(1 / often[rule] for rule in named if shown[rule] < ENOUGH)

    return worth


def _option(text: str, rule: str, problem: Form) -> Answer:
    """What a rule answers on a problem, where that is what an option says."""
    right = problem.solve().answer
    given = [each.answer for each in rules()[rule].run(problem) if not each.answer.same_as(right)]
    # Options may have zeros behind the decimals of the answer.
    exact = [each for each in given if each.shown == text]
    close = [each for each in given if "." in text and text.startswith(each.shown)]
    answer = (exact or close or given)[0]
    return Answer(answer.kind, answer.value, text)
