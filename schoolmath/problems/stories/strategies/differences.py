"""Differences between amounts side by side, and amounts told by comparing them."""

from __future__ import annotations

from fractions import Fraction

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, Thing
from schoolmath.problems.stories.strategies.terms import (
    MONEY,
    WISHES,
    DerivedAmount,
    StoryTerms,
    StrategyAnswer,
    Term,
    asks_for,
    described,
    fits,
    is_money,
    leaf,
    same_noun,
    same_verb,
)


def contrast(story: StoryTerms) -> StrategyAnswer | None:
    """“How many more on Monday than on Tuesday?”: two amounts that the words tell apart."""
    asked = story.asked
    if (
        "more" not in asked.flags
        or not asked.than_words
        or asked.per is not None
        or asked.flags & {"number", "denied", "left", "start", "odd if", "total"}
        or set(asked.modals) & (WISHES | {"can", "could"})
    ):
        return None
    known = story.known()
    if any(each.compared or each.flags & {"part", "denied"} for each in known):
        return None
    doing = [each for each in known if same_verb(each.verb, asked.verb)]
    if len(doing) < 2 and asked.kind == "state" and len(known) == 2:
        doing = known
    if len(doing) < 2 or (len(known) > len(doing) and asked.kind == "state"):
        return None
    if (
        len({each.verb for each in doing}) > 1
        or len({each.thing.head in MONEY for each in doing}) > 1
        or len({each.per.head for each in doing if each.per is not None}) > 1
    ):
        return None
    own = {
        each.index: _words_of(each)
        - frozenset[str]().union(*(_words_of(other) for other in doing if other is not each))
        for each in doing
    }
    before = asked.words - asked.than_words
    low = [each for each in doing if own[each.index] & asked.than_words]
    high = [each for each in doing if own[each.index] & before]
    if len(low) != 1 or len(high) != 1 or low[0] is high[0]:
        return None
    if asked.than_owner and not all(fits(asked.thing, each.thing) for each in (*high, *low)):
        # "Ana has 9 pens, Ben has 4 caps. How many more pens has Ana than Ben?"
        return None
    if "fewer" in asked.flags:
        high, low = low, high
    term = leaf(high[0]).combined("-", leaf(low[0]))
    return StrategyAnswer("contrast", term) if term.value >= 0 else None


def _words_of(amount: Amount) -> frozenset[str]:
    """All words that tell an amount from others."""
    return amount.thing.words | amount.place | amount.time | amount.near | set(amount.owners)


def gap(story: StoryTerms) -> StrategyAnswer | None:
    """How much longer, heavier, dearer: the difference of two measures, where there are but two."""
    asked = story.asked
    known = story.known()
    if (
        len(known) != 2
        or asked.per is not None
        or not asked.flags & {"more", "difference"}
        or not ("than" in asked.words or "difference" in asked.flags)
        or set(asked.modals) & (WISHES | {"can", "could"})
        or asked.flags & {"number", "denied", "left", "start", "odd if"}
    ):
        return None
    one, other = known
    measured = one.thing.head in words.MEASURES | words.UNITS_OF_TIME or is_money(one.thing)
    if (
        not measured
        or one.thing.head != other.thing.head
        or any(
            isinstance(each, DerivedAmount)
            or each.per is not None
            or each.compared
            or each.more
            or each.modals
            or each.kind not in {"state", "price", "act", "make"}
            or each.flags & {"left", "part", "rest", "denied", "total", "each", "now"}
            for each in known
        )
        or one.verb != other.verb
        or one.value == other.value
    ):
        return None
    if asked.thing.head and not fits(asked.thing, one.thing, loose=False):
        return None
    high, low = (one, other) if leaf(one).value > leaf(other).value else (other, one)
    if (_words_of(high) - _words_of(low)) & asked.than_words and "fewer" not in asked.flags:
        # "How much taller is Ann than Ben?", who is taller.
        return None
    return StrategyAnswer("gap", leaf(high).combined("-", leaf(low)))


def difference(story: StoryTerms) -> StrategyAnswer | None:
    """How many more of one than of another."""
    asked = story.asked
    if asked.per is not None or "number" in asked.flags:
        return None
    if "difference" in asked.flags and len(asked.things) == 2:
        one, other = asked.things
        left, right = _only(story, one, None), _only(story, other, None)
        if left is None or right is None:
            return None
        term = leaf(left).combined("-", leaf(right))
        return StrategyAnswer(
            "difference", term if term.value >= 0 else leaf(right).combined("-", leaf(left))
        )
    if "more" not in asked.flags or asked.kind == "need":
        return None
    sides = {each.thing.head for each in story.known()} - {asked.thing.head}
    sides |= {owner for each in story.known() for owner in each.owners}
    if len(asked.than_words & sides) > 1:
        # "How many more dogs than cats and birds?"
        return None
    if asked.than_verb:
        return _by_verbs(story)
    if asked.than is None and not asked.than_owner:
        return _than_the_other(story)
    pronouns = {"they", "we", "it", "you", "i", "there"}
    if asked.than_owner:
        own = next(iter(asked.owners), "")
        if not own or own in pronouns:
            return None
        left, right = _only(story, asked.thing, own), _only(story, asked.thing, asked.than_owner)
    elif asked.than is not None and asked.than.head:
        own = next(iter(asked.owners), "")
        own = "" if own in pronouns else own
        than = asked.than
        if (
            same_noun(asked.thing, than)
            or fits(asked.thing, than)
            or is_money(asked.thing) is False
        ):
            left, right = _only(story, asked.thing, own or None), _only(story, than, own or None)
            if left is None or right is None:
                left, right = _only(story, asked.thing, own), _only(story, asked.thing, than.head)
        else:
            left, right = _only(story, asked.thing, own), _only(story, asked.thing, than.head)
    else:
        return None
    if left is None or right is None or left.index == right.index:
        return None
    if left.kind != right.kind and left.verb != right.verb:
        return None
    low, high = (left, right) if "fewer" in asked.flags else (right, left)
    term = leaf(high).combined("-", leaf(low))
    return StrategyAnswer("difference", term) if term.value >= 0 else None


def _by_verbs(story: StoryTerms) -> StrategyAnswer | None:
    """“How many more did he lose than he found?”: two things done."""
    asked = story.asked
    here = [
        each
        for each in story.known()
        if asks_for(story, each) and each.per is None and not each.compared
    ]
    one = [each for each in here if each.verb == asked.verb]
    other = [each for each in here if each.verb == asked.than_verb]
    if (
        len(one) != 1
        or len(other) != 1
        or one[0] is other[0]
        or any("denied" in each.flags for each in (*one, *other))
    ):
        return None
    high, low = (other[0], one[0]) if "fewer" in asked.flags else (one[0], other[0])
    term = leaf(high).combined("-", leaf(low))
    return StrategyAnswer("difference", term) if term.value >= 0 else None


def _than_the_other(story: StoryTerms) -> StrategyAnswer | None:
    """“How many more points did Zach score?”: than the only other one."""
    asked = story.asked
    known = story.known()
    if len(known) != 2 or (
        asked.modals and set(asked.modals) & {"need", "have", "can", "could", "should", "must"}
    ):
        return None
    if any(
        each.per is not None or each.compared or not asks_for(story, each) or each.more
        for each in known
    ):
        return None
    if known[0].verb != known[1].verb and "now" not in asked.flags:
        return None
    mine = [each for each in known if set(asked.owners) & set(each.owners)]
    now = [each for each in known if "now" in each.flags]
    if len(mine) == 1:
        high = mine[0]
    elif "now" in asked.flags and len(now) == 1:
        high = now[0]
    else:
        return None
    low = next(each for each in known if each is not high)
    term = leaf(high).combined("-", leaf(low))
    return StrategyAnswer("difference", term) if term.value >= 0 else None


def _only(story: StoryTerms, thing: Thing, owner: str | None) -> Amount | None:
    """The one amount of a thing and owner; None where there is none or more than one."""
    asked = story.asked
    told = any(same_noun(thing, each.thing) for each in story.known())
    found = [
        each
        for each in story.known()
        if fits(thing, each.thing, loose=not told)
        and each.per is None
        and not each.compared
        and not each.flags & {"each", "denied", "part"}
        and not described(each)
        and (
            owner is None
            or owner in each.owners
            or owner in each.place
            or owner in each.time
            or (owner == each.receiver)
        )
    ]
    if len(found) > 1:
        same = [each for each in found if same_verb(each.verb, asked.verb)]
        if len(same) >= 1:
            found = same
    if len(found) > 1 and asked.time:
        timed = [each for each in found if each.time & asked.time]
        found = timed or found
    if len(found) > 1 and asked.flags & {"now", "left"}:
        late = [each for each in found if each.flags & {"now", "left"}]
        found = late or found
    return found[0] if len(found) == 1 else None


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
    story: StoryTerms, by_name: dict[str, Term], by_thing: bool
) -> StrategyAnswer | None:
    asked = story.asked
    usable = {key: term for key, term in by_name.items() if -1 not in term.used}
    if len(usable) != len(by_name):
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
