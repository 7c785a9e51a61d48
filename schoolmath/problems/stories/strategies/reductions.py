"""What follows from two amounts takes their place, so that stories of several steps are read.

Five boxes with six pens each are thirty pens; who has three more than Ana, who has five, has
eight. A story in which such a pair is replaced by what follows from it is a simpler story, and the
strategies for one kind of story work it out. What is replaced is certain before anything is asked
for: there is one count of what the rate is of, one amount that the comparison is with, and nothing
came or went in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction

from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing
from schoolmath.problems.stories.strategies.changes import sign_of, unreal
from schoolmath.problems.stories.strategies.differences import compared_pair, thing_key
from schoolmath.problems.stories.strategies.rates import SHARED_OUT, counts_of, of_others, rates_of
from schoolmath.problems.stories.strategies.terms import (
    DerivedAmount,
    StoryTerms,
    Term,
    leaf,
    same_noun,
)

MOST_REDUCTIONS = 3
"""Most pairs of a story that are replaced, one after the other."""

_STILL = frozenset({"state", "price", "need", "share", "act", "put", "come"})
"""Kinds of verbs that say what a rate is, not what happens: "each box holds, weighs, costs"."""


def reductions(story: StoryTerms) -> Iterator[StoryTerms]:
    """The stories that are left when pairs of amounts are replaced, the nearest first.

    Args:
        story: what is told and asked.
    """
    seen = {_what_is_left(story)}
    front = [story]
    for _ in range(MOST_REDUCTIONS):
        following = []
        for each in front:
            for simpler in (*_products(each), *_compared(each), *_remaining(each), *_settled(each)):
                left = _what_is_left(simpler)
                if left not in seen:
                    seen.add(left)
                    following.append(simpler)
        yield from following
        front = following


def _what_is_left(story: StoryTerms) -> tuple[tuple[int, Fraction | None], ...]:
    """By what two reductions are told to have come to the same in another order."""
    return tuple((each.index, each.value) for each in story.amounts)


def _reduced(amount: Amount, term: Term, **changed: object) -> DerivedAmount:
    """An amount that stands for what follows from others."""
    values = {each.name: getattr(amount, each.name) for each in fields(Amount)}
    return DerivedAmount(**{**values, "value": term.value, **changed}, term=term)


def _instead(story: StoryTerms, gone: Amount, model: DerivedAmount) -> StoryTerms:
    """The story with the amount of this index replaced, and another one gone."""
    amounts = tuple(
        model if each.index == model.index else each
        for each in story.amounts
        if each.index != gone.index or gone.index == model.index
    )
    return replace(story, amounts=amounts)


def _products(story: StoryTerms) -> Iterator[StoryTerms]:
    """So many in each of so many: how many that is."""
    asked = story.asked
    given = rates_of(story)
    for rate in given:
        per = rate.per
        if per is None or not rate.thing.head or rate.value is None:
            continue
        if same_noun(per, asked.thing) or (asked.per is not None and same_noun(asked.per, per)):
            continue
        before = next((each for each in story.known() if each.index == rate.index - 1), None)
        if (
            before is not None
            and rate.flags & {"prep of", "prep with"}
            and (before.sentence, before.clause) == (rate.sentence, rate.clause)
            and same_noun(per, before.thing)
            and not before.modals
            and not before.flags & {"denied", "left", "part", "start"}
            and before.kind != "asked"
        ):
            # "4 tables of 10 people", "5 boxes with 6 pens in each"
            made = _reduced(
                before, leaf(before).combined("*", leaf(rate)), thing=rate.thing, per=None,
                near=before.near | {f"those of {rate.index}"},
            )  # fmt: skip
            yield _instead(story, rate, made)
            continue
        others = [each.per for each in given if each.thing.head != rate.thing.head]
        counts = [each for each in counts_of(story, per, given) if each.index != rate.index]
        own = [each for each in counts if rate.thing.head in each.thing.of]
        if not own and any(each is not None and same_noun(per, each) for each in others):
            # "7 women and 2 men at each of 5 tables": neither is without the other.
            continue
        # 3 bags of apples are none of the bags of oranges, with 8 oranges in each.
        elsewhere = [each for each in counts if each not in own and each.thing.of] if own else []
        counts = [each for each in counts if each not in elsewhere]
        if len(counts) != 1:
            continue
        count = counts[0]
        if any(
            same_noun(per, each.thing)
            for each in story.amounts
            if each.index != count.index and each not in elsewhere
        ):
            # Others of them are told of too: it is not certain which have so many in each.
            continue
        if count.kind in {"asked", "need"} or count.flags & {"denied", "left", "part", "start"}:
            continue
        if count.modals or rate.modals or rate.flags & {"denied", "left", "now", "start"}:
            continue
        term = leaf(count).combined("*", leaf(rate))
        doing = count if rate.kind in _STILL or rate.generic is not None else rate
        kind, verb = doing.kind, doing.verb
        if rate.kind == "price":
            if count.kind not in {"gain", "give"}:
                continue
            kind, verb = ("loss", "spend") if count.kind == "gain" else ("gain", "earn")
        made = _reduced(
            doing,
            term,
            thing=rate.thing,
            per=None,
            generic=None,
            kind=kind,
            verb=verb,
            subject=False,
            owners=doing.owners,
            place=count.place | rate.place,
            time=count.time | rate.time,
            near=count.near | rate.near | count.thing.words,
            flags=frozenset(
                each
                for each in count.flags | rate.flags
                if each in {"total", "condition", "now", "passive"}
            ),
        )
        yield _instead(story, rate if doing is count else count, made)


def _remaining(story: StoryTerms) -> Iterator[StoryTerms]:
    """A number of things and a part of them, of which the rest is spoken of: how many those are."""
    if not {"rest", "others", "remaining", "remainder"} & (story.told_words | story.asked.words):
        return
    if "denied" in story.asked.flags:
        return
    known = story.known()
    parts = [each for each in known if "part" in each.flags]
    if len(parts) != 1 or any(each.compared for each in known) or parts[0].per is not None:
        return
    part = parts[0]
    mentions = [each for each in story.amounts if each.value is None and "rest" in each.flags]
    if any(each.index < part.index for each in mentions):
        return
    wholes = [
        each
        for each in known
        if each.index < part.index
        and each.thing.head == part.thing.head
        and each.per is None
        and not each.compared
        and "each" not in each.flags
    ]
    if len(wholes) != 1 or wholes[0].flags & {"left", "denied"}:
        return
    whole = wholes[0]
    term = leaf(whole).combined("-", leaf(part))
    if term.value < 0:
        return
    made = _reduced(whole, term, kind="state", verb="have", flags=frozenset({"left"}))
    gone = {part.index}
    if len(mentions) == 1:
        # "... and put the rest into folders": what is done is done to those.
        made = replace(made, kind=mentions[0].kind, verb=mentions[0].verb, flags=frozenset())
        gone.add(mentions[0].index)
    amounts = tuple(
        made if each.index == whole.index else each
        for each in story.amounts
        if each.index not in gone
    )
    yield replace(story, amounts=amounts)


def _settled(story: StoryTerms) -> Iterator[StoryTerms]:
    """What there is, and what comes to it or goes: what there is then."""
    asked, known = story.asked, story.known()
    if asked.flags & {"start", "before", "number", "denied", "left"}:
        return
    # "45, then 27 more, shared equally among 8": what is shared is what there is then.
    sharers = [each for each in known if each.flags & SHARED_OUT] if asked.per else []
    if asked.kind != "state" and not sharers:
        return
    for at, state in enumerate(known):
        if (
            state.kind != "state"
            or state.per is not None
            or state.compared
            or state.flags & {"left", "total", "part", "each", "denied", "now"}
            or any(flag.startswith("prep ") for flag in state.flags)
        ):
            # "72 seats in 8 rows": with the rows, seats go as well.
            continue
        later = [each for each in known[at + 1 :] if each.thing == state.thing]
        if len(later) != 1 or any(each.thing == state.thing for each in known[:at]):
            continue
        change = later[0]
        if any(each.index < change.index or of_others(each, (state, change)) for each in sharers):
            continue
        if any(each.compared and each.index < change.index for each in known):
            # What was compared is what there was before.
            continue
        inner = StoryQuestion(
            thing=state.thing,
            owners=state.owners,
            place=set(state.place | change.place if not change.owners else state.place),
        )
        sign = sign_of(change, inner)
        if (
            not sign
            or unreal(change, asked)
            or change.per is not None
            or change.flags & {"each", "condition"}
        ):
            continue
        term = leaf(state).combined("+" if sign > 0 else "-", leaf(change))
        if term.value < 0:
            continue
        yield _instead(story, change, _reduced(state, term))


def _compared(story: StoryTerms) -> Iterator[StoryTerms]:
    """So many more than one who has so many: how many that is."""
    for each in story.known():
        if not each.compared or not (each.more or each.fewer or each.times) or each.per is not None:
            continue
        if each.times and (each.more or each.fewer):
            continue
        by_thing = each.than is not None
        one, other = compared_pair(each, by_thing)
        if not one or not other or other in {"?", "one", "other", "that", "it", "first", "second"}:
            continue
        holders = [(_of(story, each, one), other), (_of(story, each, other), one)]
        if bool(holders[0][0]) == bool(holders[1][0]):
            continue
        up, down = ("-", "+") if each.fewer else ("+", "-")
        if each.times:
            up, down = "*", "/"
        known, sign, key = (
            (holders[1][0], up, one) if holders[1][0] else (holders[0][0], down, other)
        )
        if len(known) != 1 or known[0].value is None or not leaf(each).value:
            continue
        base = known[0]
        last = max(each.index, base.index)
        if any(
            one.kind not in {"state", "price"} and one.kind != each.kind and one.index < last
            for one in story.known()
        ):
            continue
        if base.kind != each.kind and base.verb != each.verb:
            continue
        term = leaf(base).combined(sign, leaf(each))
        if term.value < 0:
            continue
        if by_thing and "elliptic" not in each.flags:
            thing = Thing(key.split(" ")[-1], frozenset(key.split(" ")[:-1]))
            made = _reduced(
                each, term, thing=thing, owners=base.owners, than=None, than_owner="",
                more=False, fewer=False, times=False,
            )  # fmt: skip
        else:
            made = _reduced(
                each, term, thing=base.thing, owners=(key,), than=None, than_owner="",
                more=False, fewer=False, times=False,
            )  # fmt: skip
        yield _instead(story, each, made)


def _of(story: StoryTerms, compared: Amount, key: str) -> list[Amount]:
    """The amounts that are told of one side of a comparison."""
    by_thing = compared.than is not None and "elliptic" not in compared.flags
    found = []
    for each in story.known():
        if each.compared or each.per is not None or "each" in each.flags:
            continue
        if by_thing:
            if thing_key(each.thing) == key:
                found.append(each)
        elif each.owners == (key,) and (
            not compared.thing.head
            or not each.thing.head
            or (
                compared.thing.head == each.thing.head
                and compared.thing.of == each.thing.of
                and compared.thing.mods == each.thing.mods
            )
        ):
            found.append(each)
    return found
