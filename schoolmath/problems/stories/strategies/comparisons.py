"""Amounts that are told by comparing them with others."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.problems.stories.amounts import Amount, Thing
from schoolmath.problems.stories.strategies.terms import (
    StoryTerms,
    StrategyAnswer,
    Term,
    described,
    leaf,
    same_noun,
    same_verb,
)


def comparisons(story: StoryTerms) -> StrategyAnswer | None:
    """Chains of "so many more than" and "so many times as many as"."""
    asked = story.asked
    compared = [each for each in story.known() if each.compared]
    if not compared or asked.per is not None or asked.flags & {"number", "left", "start"}:
        return None
    if any(
        each.than is not None
        and each.than.head in {"?", "", "one", "other", "that", "first", "second", "it"}
        for each in compared
    ):
        return None
    gone = {"loss", "give", "take", "leave"}
    if asked.kind == "state" and any(each.kind in gone for each in compared):
        # "Ada gave 6 more than Bert. How many does she have?"
        return None
    doing = {each.kind for each in compared} | {each.verb for each in compared}
    if asked.kind not in {"state", "act", *doing} and asked.verb not in {"get", *doing}:
        # "Ada has 6 more than Bert. How many does she need?"
        return None
    known: dict[str, Term] = {}
    by_thing = all(each.than is not None for each in compared)
    linked = {key for each in compared for key in compared_pair(each, by_thing)}
    for each in story.known():
        if each.compared or each.per is not None or each.flags & {"each", "part"}:
            continue
        if described(each) or not linked & set(_keys(each, by_thing)):
            continue
        if len(each.owners) > 1 and not by_thing:
            # "Ana, Ben and Cem have 85": nobody of them has.
            return None
        if (
            not by_thing
            and each.thing.head
            and not any(_alike(other.thing, each.thing) for other in compared)
        ):
            continue
        if each.kind != compared[0].kind and not same_verb(each.verb, compared[0].verb):
            # What is compared changes: then "more" was before or after it.
            return None
        for key in _keys(each, by_thing):
            if key in known and known[key].used != leaf(each).used:
                known[key] = Term(Fraction(0), frozenset({-1}))
            else:
                known[key] = leaf(each)
    if any(not (each.more or each.fewer or each.times) for each in compared):
        return None
    for _ in compared:
        for each in compared:
            one, other = compared_pair(each, by_thing)
            if not one or not other:
                return None
            up, down = ("-", "+") if each.fewer else ("+", "-")
            if each.times:
                if each.more or each.fewer:
                    return None
                up, down = "*", "/"
            if other in known and one not in known and -1 not in known[other].used:
                known[one] = known[other].combined(up, leaf(each))
            elif one in known and other not in known and -1 not in known[one].used:
                if not leaf(each).value:
                    return None
                known[other] = known[one].combined(down, leaf(each))
    if any(term.value < 0 for term in known.values()):
        return None
    return _asked_compared(story, known, by_thing)


def _alike(one: Thing, other: Thing) -> bool:
    """Whether a comparison of one thing can be with the other: not blue coins with red coins."""
    differ = bool(one.mods and other.mods) and one.mods != other.mods
    return not one.head or (same_noun(one, other) and not differ)


def _keys(amount: Amount, by_thing: bool) -> list[str]:
    if by_thing:
        return [thing_key(amount.thing)]
    return list(amount.owners[:1]) or [thing_key(amount.thing)]


def thing_key(thing: Thing) -> str:
    """A thing as a side of a comparison: its noun, after what tells it from others."""
    return " ".join([*sorted(thing.mods | thing.of), thing.head])


def compared_pair(amount: Amount, by_thing: bool) -> tuple[str, str]:
    """The two sides of a comparison: owners, or things; "" for one that is not told."""
    if amount.than is not None:
        if by_thing and "elliptic" in amount.flags:
            return next(iter(amount.owners), ""), thing_key(amount.than)
        if by_thing:
            # "402 more girls than boys"; "the second shelf has 5 more than the first".
            return thing_key(amount.thing), thing_key(amount.than)
        return next(iter(amount.owners), ""), amount.than.head
    return next(iter(amount.owners), ""), amount.than_owner


def _asked_compared(
    story: StoryTerms, known: dict[str, Term], by_thing: bool
) -> StrategyAnswer | None:
    asked = story.asked
    usable = {key: term for key, term in known.items() if -1 not in term.used}
    if len(usable) != len(known):
        return None
    if "total" in asked.flags and (
        not asked.owners or set(asked.owners) & {"they"} or len(asked.owners) > 1
    ):
        named = [owner for owner in asked.owners if owner in usable]
        if named and (len(named) < len(asked.owners) or by_thing):
            return None
        # "How many do Ana and Cem have in all?": Ben, who has some too, is not asked about.
        terms = [usable[owner] for owner in named] or list(usable.values())
        if len(terms) < 2:
            return None
        total = terms[0]
        for each in terms[1:]:
            total = Term(total.value, total.used, total.steps, total.operations).combined(
                "+",
                Term(
                    each.value,
                    each.used,
                    tuple(s for s in each.steps if s not in total.steps),
                    each.operations,
                ),
            )
        return StrategyAnswer("comparisons, total", total)
    if "total" in asked.flags:
        return None
    if asked.flags & {"more", "difference"}:
        if not asked.than_owner or not asked.owners:
            return None
        one, other = usable.get(asked.owners[0]), usable.get(asked.than_owner)
        if one is None or other is None:
            return None
        high, low = (other, one) if "fewer" in asked.flags else (one, other)
        term = high.combined("-", low)
        return StrategyAnswer("comparisons, difference", term) if term.value >= 0 else None
    key = (
        thing_key(asked.thing) if by_thing else (asked.owners[0] if len(asked.owners) == 1 else "")
    )
    found = usable.get(key)
    if found is None or not found.steps or found.value < 0:
        return None
    return StrategyAnswer("comparisons", found)
