"""A quiz for a class, made from the item bank so that every rule can show several times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from biaslab.malrules.answers import AnswerKind
from biaslab.malrules.bank import BankDesign, Mix, make_items
from biaslab.malrules.classes.items import (
    ENOUGH,
    ENOUGH_WITH_OPTIONS,
    Quiz,
    QuizItem,
    bank_item,
)
from biaslab.malrules.classes.topics import title_of, topics
from biaslab.malrules.forms import FORMS
from biaslab.problems.errors import DesignError

FEWEST_ITEMS, MOST_ITEMS = 6, 24
MOST_TOPICS = 3
_POOL = 8
"""So many times as many items as needed are made, to choose from."""
_MOST_MADE = 1500
"""Items of the bank looked through for one topic."""


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
    about = f"{', '.join(map(title_of, design.topics))}, grade {design.grade}"
    return Quiz(tuple(items), about)


def _pool(design: QuizDesign, topic: str, wanted: int) -> list[QuizItem]:
    form = FORMS[topic]
    bank = BankDesign(
        n=_MOST_MADE,
        seed=design.seed,
        grades=(design.grade, design.grade),
        content_classes=(str(form.content_class),),
        doks=(form.dok, form.dok),
        mix=Mix.EVEN,
    )
    found: list[QuizItem] = []
    try:
        for made in make_items(bank):
            if made.problem["form"] == topic and not made.pupils:
                item = bank_item(made, options=design.letters)
                # A pupil's own answer can be read where it is a number.
                if design.letters or item.right.kind is AnswerKind.NUMBER:
                    found.append(item)
            if len(found) == wanted:
                break
    except DesignError:
        # The questions of this class are used up: what was found has to do.
        pass
    return found


def _spread(pool: Sequence[QuizItem], count: int, topic: str, design: QuizDesign) -> list[QuizItem]:
    """Items in which as many rules as can be show often enough, in the order of the pool."""
    if len(pool) < count:
        raise DesignError(
            f"There are only {len(pool)} questions on “{title_of(topic)}” that fit this quiz.",
            "Ask for fewer items, another topic, or a quiz with options.",
            "n",
        )
    worth = _worth_with_letters if design.letters else _worth_of_rare([it.gives for it in pool])
    shown: Counter[str] = Counter()
    left = list(range(len(pool)))
    taken: list[int] = []
    for _ in range(count):
        best = max(left, key=lambda at: (worth(pool[at].gives, shown), -at))
        left.remove(best)
        taken.append(best)
        shown.update(pool[best].gives.keys())
    return [pool[at] for at in sorted(taken)]


def _worth_with_letters(named: Iterable[str], shown: Mapping[str, int]) -> float:
    """Rules that are nearly often enough there count most: rather six that can be named than
    twelve that show twice.
    """
    return sum(1 + shown[rule] for rule in named if shown[rule] < ENOUGH_WITH_OPTIONS)


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
