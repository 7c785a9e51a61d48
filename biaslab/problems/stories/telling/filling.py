"""What is left out of the amounts of a clause, put in from those beside them."""

from __future__ import annotations

from collections.abc import Sequence

from biaslab.problems.stories.amounts import Amount, Thing
from biaslab.problems.stories.grammar import words
from biaslab.problems.stories.grammar.words import Token
from biaslab.problems.stories.telling.facts import StoryFacts

_MONEY = frozenset({"dollar", "cent"})


def fill(made: Sequence[Amount], direct: Thing, tokens: Sequence[Token], told: StoryFacts) -> None:
    """Puts in the nouns that are left out.

    Args:
        made: the amounts of a clause, in order.
        direct: what the clause does something with, without a number; empty: nothing.
        tokens: of the sentence.
        told: what the story told before; the last thing that it tells of is noted.
    """
    for each, later in zip(reversed(made[:-1]), reversed(made[1:]), strict=True):
        each.thing = _shared_noun(each, later.thing, tokens)
    for amount in made:
        if amount.times and not (amount.than or amount.than_owner):
            amount.times, amount.thing = False, Thing("time")
            continue
        thing = amount.thing
        if not thing.head or thing.head == "one":
            base = direct if direct.head else told.last_thing
            mods = thing.mods or base.mods
            thing = Thing(base.head, mods, thing.of or base.of)
            amount.flags |= {"elliptic"}
        if thing.head and thing.head == told.last_thing.head and not thing.of:
            # "6 buckets" after "8 buckets of seeds".
            thing = Thing(thing.head, thing.mods, told.last_thing.of)
        amount.thing = thing
        if thing.head in {"picture", "photo", "photograph"} and amount.verb == "take":
            amount.kind = "make"
        nothing = {"", "rest"} | _MONEY | words.UNITS_OF_TIME
        if thing.head not in nothing and not amount.times:
            told.last_thing = thing


def spread(made: Sequence[Amount]) -> None:
    """A place, time or comparison told after a list belongs to all of it."""
    for each, later in zip(reversed(made[:-1]), reversed(made[1:]), strict=True):
        if each.sentence != later.sentence or each.subject != later.subject:
            continue
        if not each.place and later.place and not each.receiver and not each.time - later.time:
            each.place = later.place
        if not each.time and later.time and not each.place - later.place:
            each.time = later.time
        both_differ = (each.more or each.fewer) and (later.more or later.fewer)
        if both_differ and not each.compared and later.compared:
            each.than, each.than_owner = later.than, later.than_owner


def _shared_noun(amount: Amount, following: Thing, tokens: Sequence[Token]) -> Thing:
    """The noun of "16 blue and 25 green balloons" and "2 apple and 7 pumpkin pies"."""
    thing = amount.thing
    measures = words.MEASURES | words.UNITS_OF_TIME | _MONEY
    if not thing.head or not following.head or thing.of or thing.head == following.head:
        return thing
    if thing.head in measures or words.is_plural(thing.head):
        return thing
    # "5 red and 3 blue cups": cups here, though a cup may be a measure.
    kinds = following.mods and words.can_be_adjective(thing.head)
    if following.head in measures and not kinds:
        return thing
    if words.is_plural_form(thing.head, tokens) or not words.is_plural_form(following.head, tokens):
        return thing
    if (words.can_be_adjective(thing.head) and amount.value != 1) or (amount.value or 0) > 1:
        return Thing(following.head, thing.mods | {thing.head}, following.of)
    return thing
