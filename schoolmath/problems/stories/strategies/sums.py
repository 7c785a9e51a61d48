"""Sums of amounts that stand side by side."""

from __future__ import annotations

from schoolmath.problems.stories.amounts import Amount
from schoolmath.problems.stories.grammar import words
from schoolmath.problems.stories.strategies.terms import (
    MONEY,
    TO_COME,
    WISHES,
    StoryTerms,
    StrategyAnswer,
    asks_for,
    described,
    fits,
    is_kind,
    same_noun,
    same_verb,
    separate,
    sum_of,
)


def _parallel(story: StoryTerms) -> list[Amount]:
    """Amounts that the question's own verb and noun name."""
    asked = story.asked
    found = []
    for amount in story.known():
        if (
            amount.per is not None
            or amount.compared
            or amount.kind == "asked"
            or "each" in amount.flags
        ):
            continue
        if "denied" in amount.flags:
            continue
        if same_verb(amount.verb, asked.verb) or (
            asked.kind == amount.kind
            and asked.kind in {"gain", "make", "state"}
            and asked.kind != "act"
        ):
            found.append(amount)
    return found


def together(story: StoryTerms) -> StrategyAnswer | None:
    """A sum of what stands side by side: one verb, several people, kinds, places or times."""
    asked = story.asked
    if (
        asked.per is not None
        or asked.than
        or asked.than_owner
        or asked.flags
        & {
            "more",
            "difference",
            "left",
            "start",
            "before",
            "number",
            "denied",
            "duration",
            "odd if",
        }
    ):
        return None
    found = [each for each in _parallel(story) if asks_for(story, each)]
    own = set(asked.owners) - {"they", "we", "it"}
    if own:
        found = [each for each in found if not each.owners or own & set(each.owners)]
    if asked.place:
        placed = [each for each in found if each.place & asked.place or not each.place]
        if placed and len(placed) < len(found) and not asked.flags & {"total"}:
            found = placed
    if asked.time:
        timed = [each for each in found if each.time & asked.time or not each.time]
        if timed and len(timed) < len(found):
            found = timed
    if len(found) < 2 and asked.thing.head in words.MEASURES and asked.kind == "make":
        # "She used .2 pound of nuts and .1 pound of raisins. How many pounds of mix?"
        used = story.known()
        if (
            len({(each.clause, each.verb, each.thing.head) for each in used}) == 1
            and used[0].thing.head == asked.thing.head
        ):
            found = used
    if len(found) < 2 or any(each.flags & {"total", "left", "part", "rest"} for each in found):
        return None
    if len({described(each) for each in found}) > 1:
        return None
    if any(each.kind == "price" for each in found) and len(found) < len(story.known()):
        # What one costs, beside how many there are.
        return None
    if len({each.thing.head in MONEY for each in found}) > 1:
        return None
    if any(each.flags & {"now"} for each in found) and not all(
        each.flags & {"now"} for each in found
    ):
        return None
    if len({frozenset(each.modals) & (WISHES | TO_COME | {"can", "could"}) for each in found}) > 1:
        return None
    if not separate(found):
        return None
    if asked.kind == "state" and any(
        each.kind not in {"state", "asked"}
        for each in story.known()
        if asks_for(story, each) and each.per is None
    ):
        return None
    kinds = all(
        is_kind(asked.thing.head, each.thing.head) or each.thing != asked.thing for each in found
    )
    plain = not asked.flags & {"total"} and len(asked.things) < 2 and asked.kind == "state"
    if plain and not kinds:
        return None
    if len(asked.things) > 1 and len(found) != len(asked.things):
        # "Cola and juice" of cola, diet cola and juice: which are meant is not certain.
        return None
    return StrategyAnswer("same verb", sum_of(found))


_NO_SUM = frozenset(
    {
        "more", "difference", "left", "start", "before", "number", "denied", "duration", "length",
        "odd if", "each", "other", "fewer",
    }
)  # fmt: skip
_BESIDE = frozenset({"state", "gain", "make", "act", "put", "come"})


def everything(story: StoryTerms) -> StrategyAnswer | None:
    """All that is told, where a total is asked for and nothing in the words takes away.

    Unlike `together`, the verbs may differ ("brought", "arrived with"): every number counts what is
    asked for, and each is told of somebody or something else, or is added to what there was.
    """
    asked = story.asked
    known = story.known()
    if (
        not ("total" in asked.flags or _each_of_those_asked(story) or _more_and_more(story))
        or asked.flags & _NO_SUM
        or asked.per is not None
        or asked.than
        or asked.than_owner
        or asked.than_verb
        or set(asked.modals) & (WISHES | {"can", "could"})
    ):
        return None
    things = asked.things or [asked.thing]
    exact = any(same_noun(thing, each.thing) for thing in things for each in known)
    for each in known:
        if (
            each.per is not None
            or each.compared
            or each.kind not in _BESIDE
            or described(each)
            or each.verb in words.lexicon().unclear - {"bring", "draw"}
            or each.modals
            or each.flags
            & {"total", "left", "part", "rest", "each", "denied", "asked", "start", "counted"}
        ):
            return None
        if not asked.things or not any(
            fits(thing, each.thing, loose=not exact) for thing in things
        ):
            return None
    if any(each.place & asked.place for each in known) and any(
        each.place and not each.place & asked.place for each in known
    ):
        # "7 are in the box. Ana puts 4 more in the bag. How many are in the box?"
        return None
    holders = {owner for each in known for owner in each.owners}
    own = set(asked.owners) & holders
    if own and any(each.owners and not own & set(each.owners) for each in known):
        return None
    if len(known) < 2 or not separate(known) or words.classes()["falling"] & story.told_words:
        return None
    changes = [each.kind != "state" for each in known]
    if changes != sorted(changes) or any(each.flags & {"now"} for each in known):
        # What there is after something came is no part of a sum.
        return None
    return StrategyAnswer("everything", sum_of(known))


def _each_of_those_asked(story: StoryTerms) -> bool:
    """“How many do Ana and Ben have?”, where one amount is told of Ana and one of Ben."""
    owners, known = story.asked.owners, story.known()
    return 2 <= len(owners) == len(known) and all(
        sum(name in each.owners for each in known) == 1 for name in owners
    )


def _more_and_more(story: StoryTerms) -> bool:
    """“There are 7 in the box, Ana puts 4 more inside”: what there is, and what comes to it."""
    known = story.known()
    return (
        len(known) > 1
        and story.asked.kind == "state"
        and known[0].kind in {"state", "act"}
        and all(each.more and each.kind in {"put", "come"} for each in known[1:])
    )


_ANYTHING = frozenset(
    {"piece", "item", "thing", "object", "article", "good", "material", "product"}
)
"""Nouns that whatever was told may be called by."""


def one_verb(story: StoryTerms) -> StrategyAnswer | None:
    """All that was done, where the question asks with the same verb for all of it.

    "How many pieces of litter did they pick up in all?": bottles and cans are what was picked up,
    whatever the question calls them, if it calls them by a word that stands nowhere else.
    """
    asked, known = story.asked, story.known()
    if (
        asked.kind in {"state", "need", "price"}
        or asked.flags & _NO_SUM - {"duration"}
        or asked.per is not None
        or asked.than
        or asked.than_owner
        or asked.than_verb
        or set(asked.modals) & (WISHES | {"can", "could"})
        or not 2 <= len(known) <= 5
        or len(asked.things) > 1
        or not separate(known)
    ):
        return None
    first = known[0]
    if not same_verb(first.verb, asked.verb) or any(
        each.verb != first.verb
        or each.per is not None
        or each.compared
        or each.modals != first.modals
        or each.flags & {"total", "left", "part", "rest", "each", "denied", "asked", "counted"}
        for each in known
    ):
        return None
    own = set(asked.owners) - {"they", "we", "it", "there"}
    if own and any(each.owners and not own & set(each.owners) for each in known):
        return None
    where = asked.time | asked.place
    if where and not all(where & (each.time | each.place) for each in known):
        # "How many at night?", where the numbers are of the whole day and of a part of it.
        return None
    if "total" in story.told_words or (
        "total" not in asked.flags and len({each.sentence for each in known}) > 1
    ):
        return None
    heads = {each.thing.head for each in known}
    told = {word for each in story.amounts for word in each.thing.words}
    if not asked.thing.head:
        # "How much did they jump altogether?", "how long did she study?"
        wanted = words.UNITS_OF_TIME if "duration" in asked.flags else words.MEASURES
        if len(heads) > 1 or not heads <= wanted | MONEY or "total" not in asked.flags:
            return None
    elif heads == {asked.thing.head}:
        if (asked.thing.mods | asked.thing.of) & told and not all(
            fits(asked.thing, each.thing) for each in known
        ):
            return None
    elif (
        "total" not in asked.flags
        or asked.thing.words & told
        or not asked.thing.words & _ANYTHING
        or heads & (words.MEASURES | MONEY | words.UNITS_OF_TIME)
        or len({(each.clause, each.sentence) for each in known}) > 1
    ):
        return None
    return StrategyAnswer("one verb", sum_of(known))
