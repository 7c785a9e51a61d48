"""Products of everyday stories: of each over time, stretches of a way, shares by name, pairs."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount
from schoolmath.problems.stories.strategies.terms import (
    StoryTerms,
    StrategyAnswer,
    Term,
    fits,
    is_kind,
    leaf,
    same_verb,
)

_NEVER = frozenset(
    {"left", "start", "before", "denied", "length", "duration", "odd", "odd if", "if", "each",
     "other", "fewer"}
)  # fmt: skip
_WRONG = frozenset({"each", "part", "total", "left", "rest", "denied", "start"})


def products(story: StoryTerms) -> StrategyAnswer | None:
    """What one of these kinds of story comes to; None where it is none of them."""
    numbers, asked = story.known(), story.asked
    if any(each.compared or each.flags & _WRONG or each.modals for each in numbers):
        return None
    ways = (_of_each_over_time, _stretches, _faster, _pairs)
    if asked.flags & _NEVER:
        return _shared_by_name(story, numbers) if asked.flags & _NEVER == {"each"} else None
    return next((found for way in ways if (found := way(story, numbers)) is not None), None)


def _over_time(amount: Amount) -> str:
    """The unit of time in which there is so much of it, "" where it is no such rate."""
    per = amount.per
    return per.head if per is not None and per.head in words.UNITS_OF_TIME else ""


def _asks_all(story: StoryTerms, rate: Amount) -> bool:
    asked = story.asked
    return (
        asked.per is None
        and bool(asked.thing.head)
        and fits(asked.thing, rate.thing, loose=False)
        and (same_verb(rate.verb, asked.verb.split(" ")[0]) or asked.kind == "need")
    )


def _of_each_over_time(story: StoryTerms, numbers: list[Amount]) -> StrategyAnswer | None:
    """“A cow gives 8 liters of milk a day. How many liters do 5 cows give in 3 days?”"""
    rates = [each for each in numbers if _over_time(each)]
    if len(numbers) != 3 or len(rates) != 1 or "more" in story.asked.flags:
        return None
    (rate,) = rates
    one = {flag.removeprefix("by one ") for flag in rate.flags if flag.startswith("by one ")}
    counts = [each for each in numbers if each.thing.head in one]
    times = [each for each in numbers if each is not rate and each.thing.head == _over_time(rate)]
    if len(counts) != 1 or len(times) != 1 or not _asks_all(story, rate):
        return None
    if counts[0].kind != "state" or not {*story.asked.owners} <= {*one, "they", "all"}:
        return None
    term = leaf(counts[0]).combined("*", leaf(rate)).combined("*", leaf(times[0]))
    return StrategyAnswer("of each over time", term)


def _stretches(story: StoryTerms, numbers: list[Amount]) -> StrategyAnswer | None:
    """“55 miles per hour for 3 hours, then 48 miles per hour for 2 more hours. How many miles?”"""
    parts: list[Term] = []
    if len(numbers) not in {4, 6} or "more" in story.asked.flags:
        return None
    for rate, time in zip(numbers[::2], numbers[1::2], strict=True):
        unit = _over_time(rate)
        together = (rate.sentence, rate.verb) == (time.sentence, time.verb)
        if not unit or time.thing.head != unit or time.per is not None or not together:
            return None
        if rate.thing != numbers[0].thing or not _asks_all(story, rate):
            return None
        parts.append(leaf(rate).combined("*", leaf(time)))
    who = {owner for each in numbers for owner in each.owners} - {"they"}
    if len(who) > 1 or "total" not in story.asked.flags:
        return None
    term = parts[0]
    for each in parts[1:]:
        term = term.combined("+", each)
    return StrategyAnswer("stretches", term)


def _faster(story: StoryTerms, numbers: list[Amount]) -> StrategyAnswer | None:
    """“Ana reads 20 pages an hour and Ben 15. How many more does Ana read than Ben in 3 hours?”"""
    asked = story.asked
    if "more" not in asked.flags or not asked.than_owner or len(numbers) != 3:
        return None
    one = [each for each in numbers if each.owners == asked.owners and _over_time(each)]
    other = [each for each in numbers if each.owners == (asked.than_owner,) and _over_time(each)]
    if len(one) != 1 or len(other) != 1 or one[0].thing != other[0].thing:
        return None
    (time,) = [each for each in numbers if each is not one[0] and each is not other[0]]
    if one[0].per != other[0].per or time.thing.head != _over_time(one[0]) or time.per is not None:
        return None
    if one[0].verb != other[0].verb or not _asks_all(story, one[0]):
        return None
    more = leaf(one[0]).combined("-", leaf(other[0]))
    if more.value <= 0:
        return None
    return StrategyAnswer("faster", more.combined("*", leaf(time)))


_SHARING = frozenset({"share", "shared", "split", "divide", "divided"})
_EQUALLY = frozenset({"equally", "evenly", "fairly"})
_WITH_OTHERS = frozenset({"with", "among", "amongst", "between", "another", "other", "others"})


def _shared_by_name(story: StoryTerms, numbers: list[Amount]) -> StrategyAnswer | None:
    """“Ann and Ben picked 18 plums. They shared them equally”: by two."""
    asked, told = story.asked, story.told_words
    if asked.per is None or len(numbers) != 1 or len(story.amounts) > 2:
        return None
    (amount,) = numbers
    whose = amount.owners
    if len(whose) < 2 or not {*story.people} <= {*whose} or told & _WITH_OTHERS:
        return None
    if not {*whose} <= told:
        # "Ann and her friends": how many they are is not told.
        return None
    if not (told & _SHARING and told & _EQUALLY) or amount.kind not in {"state", "gain", "make"}:
        return None
    somebody = not asked.per.head or is_kind("person", asked.per.head)
    if not somebody or not fits(asked.thing, amount.thing, loose=False):
        return None
    share = leaf(amount).combined("/", Term(Fraction(len(whose))))
    return StrategyAnswer("shared by name", share)


_OF_TWO_PARTS = frozenset(
    {"scissors", "scissor", "trouser", "trousers", "pant", "pants", "jeans", "jean", "glasses",
     "glass", "sunglasses", "short", "shorts", "tights", "goggle", "goggles", "plier", "pliers"}
)  # fmt: skip
"""What is called a pair and is one."""


def _pairs(story: StoryTerms, numbers: list[Amount]) -> StrategyAnswer | None:
    """“7 pairs of socks. How many socks is that?”"""
    asked = story.asked
    if len(numbers) != 1 or numbers[0].thing.head != "pair" or asked.kind != "state" or asked.per:
        return None
    (amount,) = numbers
    if asked.thing.head not in amount.thing.of or amount.kind not in {"state", "gain", "act"}:
        return None
    if (
        asked.thing.head in _OF_TWO_PARTS
        or amount.per is not None
        or "more" in asked.flags
        or len(story.amounts) > 1
    ):
        return None
    return StrategyAnswer("pairs", leaf(amount).combined("*", Term(Fraction(2))))
