"""A quiz for a class: its topics, and items of the bank on which every rule shows several times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from schoolmath.malrules.answers import AnswerKind, Working
from schoolmath.malrules.bank import LETTERS, offers
from schoolmath.malrules.bank.balancing import Balance
from schoolmath.malrules.bank.options import (
    DISTRACTORS,
    Distractor,
    choose,
    dressed,
    plausible,
    rank_of,
    wrong_answers,
)
from schoolmath.malrules.classes.items import (
    ENOUGH,
    ENOUGH_WITH_OPTIONS,
    Quiz,
    QuizItem,
    item_with_options,
    open_item,
)
from schoolmath.malrules.forms import FORMS, Form, NotDrawn
from schoolmath.malrules.rules import commonest_first, dealt_rules
from schoolmath.problems.draws import BalancedDeck, Draws
from schoolmath.problems.errors import DesignError

# What a form is called where the name of its class would not tell a teacher.
_TITLES = {
    "AtLeastOne": "Chance of at least one", "BagComparison": "Comparing chances of two bags",
    "BagOnSale": "Price reductions", "Blank": "Missing numbers and the equals sign",
    "Box": "Volume and surface of boxes", "BracketExpansion": "Expanding brackets",
    "BracketValue": "Values of expressions with brackets", "Cone": "Volume of cones",
    "DecimalComparison": "Comparing decimals", "DivisionThenSum": "Long division, then adding",
    "EitherOfTwo": "Chance of either of two events", "EnlargedBox": "Enlarged boxes",
    "EnlargedCircle": "Enlarged circles", "EnlargedRectangle": "Enlarged rectangles",
    "EstimatedSum": "Estimating sums", "ExpectedRemaining": "Expected numbers",
    "FactoredEquation": "Quadratic equations in factors", "FractionComparison":
    "Comparing fractions", "FractionOf": "Fraction of an amount", "FractionValue":
    "Algebraic fractions", "FunctionValue": "Values of functions", "GroupMeans":
    "Means of groups", "Growth": "Linear and other growth", "LowestTerms":
    "Fractions in lowest terms", "MarbleDraw": "Chance of drawing a marble", "MeanOfList":
    "Mean", "MeasuredRectangle": "Perimeter and area of rectangles", "MedianOfList": "Median",
    "MissingSubtrahend": "Missing number in a subtraction", "MissingValue":
    "Missing value for a mean", "MixedToImproper": "Mixed numbers as improper fractions",
    "ModeOfList": "Mode", "NextInRun": "What comes next after a run of results", "NotOnDie":
    "Chance of not rolling a number", "NthTerm": "Formula of a sequence", "OperationChain":
    "Order of operations", "OutfitAtRandom": "Counting combinations", "PairOnTwoDice":
    "Chance of a pair on two dice", "PercentOf": "Percent of an amount", "PowerInChain":
    "Order of operations with powers", "PowerValue": "Values of powers", "Prizes":
    "Expected prizes", "ProportionalTable": "Proportional tables", "RatioShare":
    "Sharing in a ratio", "RectangleInUnits": "Rectangles in other units", "ReversePercent":
    "Amount before a percentage", "RootInChain": "Order of operations with roots", "RootOfSum":
    "Root of a sum", "SequenceTerm": "Terms of a sequence", "SignedProduct":
    "Products of negative numbers", "SignedSum": "Sums of negative numbers", "SlopeOfLine":
    "Slope from an equation", "SlopeOfPoints": "Slope from two points",
    "SlopeOfStandardForm": "Slope from the standard form", "SquareEquation":
    "Quadratic equations", "SquareGrown": "Area of a square that grows", "Story":
    "Story problems", "SumOfTwoDice": "Sum of two dice", "TriangleAngle": "Angles of triangles",
    "TriangleArea": "Area of triangles", "TwoChances": "Two chances one after the other",
    "TwoMarbles": "Drawing two marbles", "TwoPercents": "Two percentages one after the other",
    "WordEquation": "Equations from words",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topic:
    """What a quiz can be about.

    Attributes:
        form: name of the form of its problems.
        title: in a teacher's words.
        content_class: of the form.
    """

    form: str
    title: str
    content_class: str


@cache
def topics(grade: int) -> tuple[Topic, ...]:
    """Everything that a quiz for this grade can be about, by content class and title."""
    forms = {
        each.form: each.content_class
        for each in offers()
        if each.grade == grade and not each.compared
    }
    found = [Topic(form, title_of(form), of) for form, of in forms.items()]
    return tuple(sorted(found, key=lambda each: (each.content_class, each.title)))


def title_of(form: str) -> str:
    """What a form is called in a teacher's words."""
    return _TITLES.get(form) or re.sub(r"(?<=.)([A-Z])", lambda m: f" {m[1].lower()}", form)


FEWEST_ITEMS, MOST_ITEMS = 6, 24
MOST_TOPICS = 3
FIRST = 3
"""So many of the commonest rules of a topic come before all others."""
_POOL = 25
"""So many times as many problems as needed are drawn, to choose from."""
_TRIES = 4
"""So many times as many are tried: of some forms the same ones come up again and again."""
_OF_COMMON = 1000.0
"""What showing a common rule is worth among options: more than all against an option."""


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
        DesignError: there are too few questions of a topic.
    """
    counts = [
        design.n // len(design.topics) + (place < design.n % len(design.topics))
        for place in range(len(design.topics))
    ]
    keys = BalancedDeck(Draws(f"quiz/{design.seed}/keys"), LETTERS)
    chosen = []
    for topic, count in zip(design.topics, counts, strict=True):
        draws = Draws(f"quiz/{design.seed}/{topic}")
        problems = list(_problems(draws, topic, design.grade, count * _POOL))
        works = (rule for rule in dealt_rules() if issubclass(FORMS[topic], rule.forms))
        common = [rule.id for rule in commonest_first(works, design.grade)]
        if design.letters:
            made = _WithOptions(draws, problems, common, design.grade).items(count, keys)
        else:
            made = _open_items(problems, common, count)
        if made is None:
            raise DesignError(
                f"There are too few questions on “{title_of(topic)}” for this quiz.",
                "Ask for fewer items, another topic, or a quiz with options.",
                "n",
            )
        chosen.append(made)
    # Topics take turns, so that nobody can tell from the place what is asked.
    items = [each[place] for place in range(max(counts)) for each in chosen if place < len(each)]
    about = f"{', '.join(map(title_of, design.topics))}, grade {design.grade}"
    return Quiz(tuple(items), about)


def _problems(draws: Draws, topic: str, grade: int, most: int) -> Iterator[Form]:
    """Problems of a form, no question twice."""
    seen: set[str] = set()
    for _ in range(_TRIES * most):
        try:
            problem = FORMS[topic].draw(draws, grade)
        except NotDrawn:
            continue
        if (stem := problem.stem()) not in seen:
            seen.add(stem)
            yield problem
        if len(seen) == most:
            return


@dataclass(frozen=True)
class _Askable:
    """A problem and what can be its wrong options: each fits one rule alone."""

    problem: Form
    right: Working
    possible: tuple[Distractor, ...]

    @cached_property
    def rules(self) -> frozenset[str]:
        return frozenset(each.rule.id for each in self.possible)

    def most(self, weights: Mapping[str, float]) -> float:
        """What its options can be worth at most."""
        worth = sorted((weights.get(rule, 0.0) for rule in self.rules), reverse=True)
        return sum(worth[:DISTRACTORS])


class _WithOptions:
    """Chooses problems and their options so that common rules show often enough to be named.

    Args:
        draws: random choices.
        problems: to choose from.
        common: ids of rules, the commonest first.
        grade: of the class.
    """

    def __init__(
        self, draws: Draws, problems: Sequence[Form], common: Sequence[str], grade: int
    ) -> None:
        self._draws = draws
        self._grade = grade
        self._pool = [each for each in map(_askable, problems) if len(each.rules) >= DISTRACTORS]
        often = Counter(rule for each in self._pool for rule in each.rules)
        self._common = [rule for rule in common if often[rule] >= ENOUGH_WITH_OPTIONS]

    def items(self, count: int, keys: BalancedDeck[str]) -> list[QuizItem] | None:
        """Items in the order in which their problems were drawn; None where there are too few.

        The commonest rules that can do so together show often enough: `FIRST`, or so many as leave
        half of the options to even out where the key stands among the values.
        """
        most = max(FIRST, DISTRACTORS * count // 2 // ENOUGH_WITH_OPTIONS)
        first: tuple[str, ...] = ()
        best = self._chosen(count, first)
        if best is None:
            return None
        for rule in self._common:
            if len(first) == most or count < ENOUGH_WITH_OPTIONS:
                break
            found = self._chosen(count, (*first, rule))
            if found is not None and _showing(found).issuperset((*first, rule)):
                first, best = (*first, rule), found
        return [
            item_with_options(
                self._pool[at].problem, *dressed(self._pool[at].right, best[at]), keys.next()
            )
            for at in sorted(best)
        ]

    def _chosen(self, count: int, first: Sequence[str]) -> dict[int, tuple[Distractor, ...]] | None:
        """The options of `count` problems, by the problem's place in the pool."""
        balance, shown = Balance(), Counter[str]()
        found: dict[int, tuple[Distractor, ...]] = {}
        left = set(range(len(self._pool)))
        while len(found) < count:
            wanted = {
                rule: _worth(shown[rule], common=rule in first)
                for each in self._pool
                for rule in each.rules
            }
            best: tuple[float, int, tuple[Distractor, ...]] | None = None
            for at in sorted(left, key=lambda at: (-self._pool[at].most(wanted), at)):
                each = self._pool[at]
                if best is not None and best[0] >= each.most(wanted):
                    break
                some = choose(
                    self._draws, each.right, each.possible, balance.ranks(""), self._grade, wanted
                )
                if some is None:
                    left.discard(at)
                    continue
                worth = sum(wanted[one.rule.id] for one in some)
                if best is None or worth > best[0]:
                    best = (worth, at, some)
            if best is None:
                return None
            _, at, some = best
            found[at] = some
            left.discard(at)
            shown.update(one.rule.id for one in some)
            balance.count_rank("", rank_of(self._pool[at].right.answer, some))
        return found


def _askable(problem: Form) -> _Askable:
    right, question = problem.solve(), problem.stem()
    possible = tuple(
        each
        for each in wrong_answers(problem, right)
        if not each.others and plausible(problem, question, right.answer, each.worked.answer)
    )
    return _Askable(problem, right, possible)


def _showing(distractors: Mapping[int, tuple[Distractor, ...]]) -> set[str]:
    """The rules that show often enough."""
    shown = Counter(each.rule.id for some in distractors.values() for each in some)
    return {rule for rule, times in shown.items() if times >= ENOUGH_WITH_OPTIONS}


def _worth(times: int, *, common: bool) -> float:
    """What showing a rule once more is worth: of common rules those that show least; of others
    those that are nearly often enough there, rather few that can be named than many that cannot.
    """
    if times >= ENOUGH_WITH_OPTIONS:
        return 0.0
    if common:
        return _OF_COMMON * (2 - times / ENOUGH_WITH_OPTIONS)
    return (1 + times) / ENOUGH_WITH_OPTIONS


def _open_items(
    problems: Sequence[Form], common: Sequence[str], count: int
) -> list[QuizItem] | None:
    """Items for answers of the pupils' own, where they can be read: numbers.

    An item shows every rule that works on it. The commonest rules come first, where each gives an
    answer of its own; then those that few items show, as subtractions with a zero in them.
    """
    pool = [item for item in map(open_item, problems) if item.right.kind is AnswerKind.NUMBER]
    if len(pool) < count:
        return None
    often = Counter(rule for item in pool for rule in item.gives)
    first = [rule for rule in common if often[rule] >= ENOUGH][:FIRST]
    alone = [_separate(item, first) for item in pool]
    shown: Counter[str] = Counter()
    separate: Counter[str] = Counter()
    left = list(range(len(pool)))
    for _ in range(count):

        def worth(at: int) -> tuple[int, float, int]:
            rare = sum(1 / often[rule] for rule in pool[at].gives if shown[rule] < ENOUGH)
            return sum(separate[rule] < ENOUGH for rule in alone[at]), rare, -at

        best = max(left, key=worth)
        left.remove(best)
        shown.update(pool[best].gives.keys())
        separate.update(alone[best])
    return [item for at, item in enumerate(pool) if at not in left]


def _separate(item: QuizItem, rules: Sequence[str]) -> list[str]:
    """Those of the rules that give an answer on an item that none of the others gives."""
    return [
        rule
        for rule in rules
        if any(
            not any(one.same_as(other) for name in rules if name != rule
                    for other in item.gives.get(name, ()))
            for one in item.gives.get(rule, ())
        )
    ]  # fmt: skip
