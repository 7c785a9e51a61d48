"""Amounts in the unit that is asked for: weeks in days, feet in inches, coins in cents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from fractions import Fraction

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing
from schoolmath.problems.stories.strategies.terms import DerivedAmount, Term, is_share, leaf


def in_units_of_question(
    amounts: tuple[Amount, ...], question: StoryQuestion
) -> tuple[Amount, ...]:
    """Measures and money in the unit that is asked for, where that is certain."""
    times = words.UNITS_OF_TIME
    if question.thing.head not in times or not any(
        each.thing.head == question.thing.head for each in amounts
    ):
        amounts = tuple(_converted(each, question) for each in amounts)
    if "money" in question.flags:
        return tuple(_worth(each, question.thing) for each in amounts)
    if {"dollar", "cent"} <= {each.thing.head for each in amounts} and question.thing.head:
        return tuple(_in_cents(each) for each in amounts)
    return amounts


_MAKES = {
    ("week", "day"): 7, ("day", "hour"): 24, ("hour", "minute"): 60, ("year", "month"): 12,
    ("minute", "second"): 60,
}  # fmt: skip


def in_its_unit(amount: Amount, amounts: Sequence[Amount]) -> Amount:
    """“2 cups each day ... in 3 weeks”: 21 days, where nothing else tells of time."""
    timed = [each for each in amounts if each.thing.head in words.UNITS_OF_TIME]
    rates = {each.per for each in amounts if each.per and each.per.head in words.UNITS_OF_TIME}
    if timed != [amount] or len(rates) != 1 or amount.value is None:
        return amount
    (per,) = rates
    many = _MAKES.get((amount.thing.head, per.head))
    if many is None or per.mods or per.of or amount.thing.mods:
        return amount
    return _as_derived(amount, leaf(amount).combined("*", Term(Fraction(many))), per)


_COINS = {"quarter": 25, "dime": 10, "nickel": 5, "penny": 1}


def _worth(amount: Amount, money: Thing) -> Amount:
    """“3 quarters and 2 dimes. How much money?”: what coins are worth, in what is asked for."""
    cents = _COINS.get(amount.thing.head)
    in_time = any(flag.startswith("prep") for flag in amount.flags)
    if cents is None or amount.value is None or amount.compared or is_share(amount) or in_time:
        return amount
    unit = "cent" if money.head == "cent" else "dollar"
    worth = Fraction(cents, 1 if unit == "cent" else 100)
    coins = Thing(unit, frozenset({amount.thing.head}))
    return _as_derived(amount, leaf(amount).combined("*", Term(worth)), coins)


def _in_cents(amount: Amount) -> Amount:
    """“A sticker costs 25 cents. How many can you buy with $1?”: with 100 cents."""
    if amount.thing.head != "dollar" or amount.value is None or amount.compared:
        return amount
    term = leaf(amount).combined("*", Term(Fraction(100)))
    return _as_derived(amount, term, replace(amount.thing, head="cent"))


def _as_derived(amount: Amount, term: Term, thing: Thing) -> DerivedAmount:
    """An amount in another unit, with the equation that leads to it."""
    values = {each.name: getattr(amount, each.name) for each in fields(Amount)}
    return DerivedAmount(**{**values, "value": term.value, "thing": thing}, term=term)


def _converted(amount: Amount, question: StoryQuestion) -> Amount:
    """An amount in the measure that is asked for, where that is certain."""
    wanted, told = question.thing.head, amount.thing.head
    if wanted == told or amount.value is None or not wanted:
        return amount
    measures = words.lexicon().measures
    for large, small, factor in ((wanted, told, False), (told, wanted, True)):
        if large in measures and measures[large][0] == small:
            many = Fraction(measures[large][1])
            value = amount.value * many if factor else amount.value / many
            return replace(amount, value=value, thing=replace(amount.thing, head=wanted))
    return amount
