"""What strategies work with: values with their steps, and which amount counts for what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing


@dataclass(frozen=True, slots=True)
class Term:
    """A value, the amounts it was made from, and the equations on the way."""

    value: Fraction
    used: frozenset[int] = frozenset()
    steps: tuple[str, ...] = ()
    operations: frozenset[str] = frozenset()

    def combined(self, sign: str, other: Term) -> Term:
        """The result of one operation."""
        left, right = self.value, other.value
        if sign == "+":
            value = left + right
        elif sign == "-":
            value = left - right
        elif sign == "*":
            value = left * right
        else:
            value = left / right
        step = f"{shown(left)} {sign} {shown(right)} = {shown(value)}"
        return Term(
            value,
            self.used | other.used,
            (*self.steps, *other.steps, step),
            self.operations | other.operations | {sign},
        )


def shown(value: Fraction) -> str:
    """A number as it stands in an equation."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = float(value)
    return f"{decimal:.10g}"


@dataclass(slots=True, eq=False, kw_only=True)
class DerivedAmount(Amount):
    """An amount that stands for what follows from others.

    Attributes:
        term: how it follows.
    """

    term: Term


def leaf(amount: Amount) -> Term:
    """An amount of the story as a term."""
    if isinstance(amount, DerivedAmount):
        return amount.term
    assert amount.value is not None
    return Term(amount.value, frozenset({amount.index}))


@dataclass(frozen=True, slots=True)
class StoryTerms:
    """What a story tells and asks, ready to be worked out."""

    amounts: tuple[Amount, ...]
    asked: StoryQuestion
    people: tuple[str, ...]
    told_words: frozenset[str] = frozenset()

    def known(self) -> list[Amount]:
        """The amounts that have a number."""
        return [each for each in self.amounts if each.value is not None]


@dataclass(frozen=True, slots=True)
class StrategyAnswer:
    """What a strategy found.

    Attributes:
        strategy: which one.
        term: the value, and how it was made.
        within: the simpler story it was found in (`reductions`); None for the story as told.
    """

    strategy: str
    term: Term
    within: StoryTerms | None = None


Strategy = Callable[[StoryTerms], StrategyAnswer | None]


MONEY = frozenset({"dollar", "cent", "money", "buck", "cash"})


def is_money(thing: Thing) -> bool:
    """Whether a thing is money."""
    return thing.head in MONEY


def is_kind(kind: str, member: str) -> bool:
    """Whether the lexicon calls a member something of a kind."""
    kinds = words.lexicon().kinds
    members = kinds.get(kind, frozenset())
    return member in members or any(member in kinds.get(each, ()) for each in members)


def fits(target: Thing, thing: Thing, *, loose: bool = True) -> bool:
    """Whether an amount of one thing can count for another that is asked for.

    Args:
        target: what is asked for. What it is told from must be told of the amount too.
        thing: what an amount counts.
        loose: whether the lexicon's kinds count.
    """
    if not target.head:
        return True
    if is_money(target) and is_money(thing):
        return True
    if target.head == thing.head:
        extra = (target.mods | target.of) - thing.words
        return all(loose and any(is_kind(each, one) for one in thing.words) for each in extra)
    if target.head in thing.of:
        return target.mods <= thing.words
    if thing.head in target.of and not thing.of:
        return True
    if target.head in thing.mods and not target.mods:
        return False
    if target.head == "piece" and any(is_kind(each, thing.head) for each in target.of):
        # "pieces of fruit": apples
        return True
    return loose and is_kind(target.head, thing.head) and not (target.mods - thing.words)


def same_noun(target: Thing, thing: Thing) -> bool:
    """Whether the nouns are the same, whatever stands beside them."""
    return bool(target.head) and (target.head == thing.head or target.head in thing.of)


_LOOSE = frozenset({"piece", "item", "thing"})
_PAYING = frozenset({"spend", "pay", "cost"})


def same_verb(one: str, other: str) -> bool:
    """Whether two verbs say the same of amounts."""
    if one == other or {one, other} <= _PAYING:
        return True
    return one.split(" ")[0] == other.split(" ")[0] and ("up" in one or "up" in other)


WISHES = frozenset({"need", "want", "have", "plan", "must", "should", "decide", "hope"})
TO_COME = frozenset({"will", "would", "shall"})
"""Verbs before a verb of what is not yet done."""


def to_come(amount: Amount) -> bool:
    """Whether it is told of what is not yet done: "she will lose", "is going to lose"."""
    modals = set(amount.modals)
    return bool(modals & TO_COME or ("go" in modals and modals & words.BE))


def asks_for(story: StoryTerms, amount: Amount) -> bool:
    """Whether an amount is of a thing that is asked for.

    The lexicon's kinds count only where the asked noun itself is told nowhere: of "56 pastries
    and 124 cakes" pastries are not both.
    """
    things = story.asked.things
    if not things:
        return default_fits(story, amount)
    told = any(
        same_noun(thing, each.thing)
        for thing in things
        for each in story.amounts
        if each.kind != "asked"
    )
    if amount.thing.head in words.MEASURES and any(thing.head in amount.owners for thing in things):
        # "Her hair is 18 inches long. How much hair ...?"
        return True
    return any(fits(thing, amount.thing, loose=not told) for thing in things)


def default_fits(story: StoryTerms, amount: Amount) -> bool:
    """What "how many" or "how much" alone asks for: money, or the one thing of the story."""
    if "much" in story.asked.flags or "money" in story.asked.flags:
        return is_money(amount.thing)
    return not is_money(amount.thing)


def sum_of(amounts: Sequence[Amount]) -> Term:
    """The sum of amounts, a step for each."""
    term = leaf(amounts[0])
    for each in amounts[1:]:
        term = term.combined("+", leaf(each))
    return term


def around(amount: Amount) -> frozenset[str]:
    """The words that stand with an amount: of what, where, when, of each what."""
    per = amount.per.words if amount.per is not None else frozenset[str]()
    goal = {amount.receiver} if amount.kind == "act" else set()
    return amount.thing.words | goal | amount.place | amount.near | amount.time | per


def counts(target: Thing, thing: Thing) -> bool:
    """Whether what is counted is a kind of what is meant: red apples or apples, of apples."""
    if is_money(target):
        return is_money(thing)
    told = target.mods | target.of
    if target.head == thing.head:
        return told <= thing.words
    if target.head in _LOOSE and target.of:
        return any(is_kind(each, thing.head) for each in target.of)
    return is_kind(target.head, thing.head) and target.mods <= thing.words


def joined_with(story: StoryTerms, amount: Amount) -> frozenset[str]:
    """What a number counts besides its noun: "24 boys and girls"."""
    if is_money(amount.thing):
        return frozenset()
    heads = {each.thing.head for each in story.amounts} | {each.head for each in story.asked.things}
    heads |= {each.than.head for each in story.amounts if each.than is not None}
    joined = {flag.removeprefix("and ") for flag in amount.flags if flag.startswith("and ")}
    return frozenset(joined) & (heads - {amount.thing.head, ""})


def is_share(amount: Amount) -> bool:
    """Whether a number is a part of something: 2/5 of them, no 1/2 mile."""
    measured = words.MEASURES | words.UNITS_OF_TIME | {"dollar", "cent"}
    if amount.value is None or not 0 < amount.value < 1 or isinstance(amount, DerivedAmount):
        return False
    whole = amount.thing.head in measured or amount.thing.of & words.MEASURES
    return "part" in amount.flags or not whole


def described(amount: Amount) -> bool:
    """Whether a clause says what some things are like: "5 apples are green", "8 are old"."""
    return "described" in amount.flags


def separate(amounts: Sequence[Amount]) -> bool:
    """Whether no amount can be a part of another, so that their sum counts nothing twice.

    "12 apples in the bowl" and "5 apples are green" may be the same apples; "12 in the bowl" and "5
    in the bag" are not, nor are two of one list.
    """
    return side_by_side(amounts) and all(
        _exclude(one, other) for at, one in enumerate(amounts) for other in amounts[at + 1 :]
    )


def _exclude(one: Amount, other: Amount) -> bool:
    if "definite" in other.flags and (one.value, one.thing.head) == (other.value, other.thing.head):
        # "Ana washed 9 cups. Ben dried the 9 cups."
        return False
    if other.more or "other" in other.flags:
        return True
    if one.kind == "state" and other.kind in {"gain", "make", "put", "come"}:
        # What comes to what there is.
        return True
    if (one.sentence, one.clause, one.verb) == (other.sentence, other.clause, other.verb):
        return not other.flags & {"part"}
    if one.thing.head != other.thing.head and not (
        is_kind(one.thing.head, other.thing.head) or is_kind(other.thing.head, one.thing.head)
    ):
        return True
    if one.time and other.time and one.time != other.time:
        # "This year", "last year".
        return True
    told = [
        (set(one.owners), set(other.owners)),
        (one.thing.mods | one.thing.of, other.thing.mods | other.thing.of),
        (one.place, other.place),
        (one.near, other.near),
        ({one.receiver} - {""}, {other.receiver} - {""}),
        ({one.source} - {""}, {other.source} - {""}),
    ]
    return any(left and right and not left & right for left, right in told)


def side_by_side(amounts: Sequence[Amount]) -> bool:
    """Whether amounts differ in who, what, where or when, so that they can stand side by side."""
    seen = set()
    for each in amounts:
        key = (
            each.owners,
            each.thing,
            each.place,
            each.time,
            each.receiver,
            each.source,
            each.near,
        )
        if key in seen and not each.more:
            return False
        seen.add(key)
    return True
