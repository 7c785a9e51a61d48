"""A second look at what the numbers of a text count: which things, where, and one of how many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, takewhile

from schoolmath.problems.second_look.numbers import (
    LookQuestion,
    NumberUse,
    UsedNumber,
    is_number,
    is_of,
    same_value,
    stem,
    words_of,
)

_PLACE = re.compile(
    r"\b(?:at|in|on|under|behind) (?:the |h[ei][rs] |an? |their )?"
    r"(?!(?:the|h[ei][rs]|an?|their|all|each|total)\b)([a-z]+)\b"
)


def in_another_place(numbers: Sequence[UsedNumber], question: LookQuestion) -> Iterator[str]:
    """“5 pens at home ... buys 3 at school. How many at home?”: one place of two is asked."""
    asked = _places(question.wording)
    told = {mention.at: _places(" ".join(mention.clause)) for mention, _ in numbers}
    if not any(asked & each for each in told.values()):
        return
    for mention, use in numbers:
        added = use is not None and use.operation == "+" and use.sign > 0
        if added and told[mention.at] and not told[mention.at] & asked:
            yield f"“{' '.join(mention.clause)}” is not in the place that is asked for."


def _places(wording: str) -> set[str]:
    """By stems, what stands behind "at", "in" and so on, and is no time."""
    return {
        stem(word)
        for word in _PLACE.findall(wording)
        if not is_of(word.rstrip("s"), "spans")
        and not word.endswith("day")
        and not is_number(word)
        and word not in {"these", "those"}
    }


_MADE = re.compile(
    r"\b(?:making|building|baking|decorating) (?:an?|the) (?:[a-z]+ ){0,2}?([a-z]+)(?=[.,])"
)


def part_of_what_is_made(
    story: str, numbers: Sequence[UsedNumber], question: LookQuestion
) -> Iterator[str]:
    """“She is making a bracelet ... uses 15 beads. How many are on it?”: those are not gone."""
    asked = _places(question.wording) & {stem(each) for each in _MADE.findall(story.lower())}
    for mention, use in numbers if asked else ():
        if use is not None and use.sign < 0 and {"use", "uses", "used"} & {*mention.clause}:
            yield f"“{mention.wording}” is in what is made."


def one_of_many(numbers: Sequence[UsedNumber], steps: Sequence[str]) -> Iterator[str]:
    """“$0.50 each tire for 8 tires”: what is for one already, divided by how many there are."""
    for mention, _ in numbers:
        behind = tuple(takewhile(lambda word: not is_number(word), mention.behind))
        unit = {stem(thing) for word, thing in pairwise(behind) if is_of(word, "distributive")}
        for other, _ in numbers:
            divided = (f"{float(mention.value):g}", "/", f"{float(other.value):g}")
            if unit & {*other.nouns} and any(_written(step) == divided for step in steps):
                yield f"“{mention.wording}” is for each one already."


def _written(step: str) -> tuple[str, ...]:
    """The two numbers of an equation and what is done with them."""
    one, operation, other = step.split()[:3]
    return f"{float(Fraction(one)):g}", operation, f"{float(Fraction(other)):g}"


_OF_SEVERAL_KINDS = re.compile(
    r"\b(?:neither\b|in both(?= *[?.]?$)|(?:likes?|plays?|study|takes?|speaks?|read|have|own"
    r"|pass|passed|do) both\b)"
)
_ONLY_SO_MANY = re.compile(r"\d[^.?!;]*?\b\w+ only\b(?! \d)|\bonly one\b")
_ANOTHERS = re.compile(r"\bnumber of (?:their|its|his|her) (\w+)")
_PARTS = re.compile(r"\b\d+ parts?\b[^.?!]*\b(?:to|and) \d+ parts?\b")


def sorted_twice(story: str, question: LookQuestion) -> Iterator[str]:
    """Who is in both of two groups or in one only, heads and legs, parts of one to parts of the
    other: numbers that are none of what is asked for.
    """
    for match in _OF_SEVERAL_KINDS.finditer(question.wording):
        yield f"“{match[0]}” of the question was not read."
    told = story.lower()
    for pattern in (_ONLY_SO_MANY, _PARTS):
        for match in pattern.finditer(told):
            yield f"“{match[0]}” was not read."
    for match in _ANOTHERS.finditer(told):
        if stem(match[1]) not in question.stems:
            yield f"“{match[0]}” is not what is asked for."


_WITHOUT_A_COUNT = re.compile(
    r"(?:\b(?:has|have|had|is|are|was|were|also|plus|bought|buys|picks|picked|saw|sees|and)|,) "
    r"(an? [a-z]+)\b(?! (?:with|of (?:\d|the|h[ei][rs])|full|for|that|which|where|at|in|on|who"
    r"|and \d|has|have|had|is|was)\b)"
    r"|\b\d+ [a-z]+,? and ((?:their|h[ei][rs]) [a-z]+)"
)


def of_a_kind(
    story: str,
    numbers: Sequence[UsedNumber],
    uses: Sequence[NumberUse],
    question: LookQuestion,
) -> Iterator[str]:
    """“An apple. She also has 3 pears”, of which fruits are asked: one that has no number."""
    counted = {noun for mention, use in numbers if use is not None for noun in mention.nouns}
    summed = all(use.operation == "+" for _, use in numbers if use is not None)
    if "many" not in question.words or not summed or question.things & counted or not counted:
        return
    ones = [use for use in uses if same_value(use.value, Fraction(1))]
    told = [mention for mention, use in numbers if use in ones]
    things = list(_WITHOUT_A_COUNT.finditer(story.lower()))
    for match in things if len(things) > len(ones) - len(told) else ():
        yield f"“{match[1] or match[2]}” was not read."


_AT_THE_END = re.compile(r"\$\d[\d.]*(?: each| apiece)?,? and an? ([a-z]+)(?=[.?!])")


def without_a_price(story: str, question: LookQuestion) -> Iterator[str]:
    """“2 cups that cost $3 each and a pen”, where all is paid for: what the pen costs is untold."""
    if "much" not in question.words:
        return
    for match in _AT_THE_END.finditer(story.lower()):
        if len(re.findall(rf"\b{match[1]}s?\b", story.lower())) == 1:
            yield f"What “{match[1]}” costs was not read."


_HIM, _HER = {"he", "his", "him"}, {"she", "her", "hers"}


def of_another_person(story: str, question: LookQuestion) -> Iterator[str]:
    """“Ann ... she gave Ben 8. How many has he left?”: who is meant by "he" is not who "she" is."""
    told = words_of(story)
    for asked, other in ((_HIM, _HER), (_HER, _HIM)):
        if question.words & asked and told & other and not told & asked:
            yield f"Who “{min(question.words & asked)}” is was not read."
