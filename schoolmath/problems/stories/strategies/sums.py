"""Sums of amounts that stand side by side, parts of a whole, and what is still needed."""

from __future__ import annotations

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount
from schoolmath.problems.stories.strategies.rates import rates_of
from schoolmath.problems.stories.strategies.terms import (
    MONEY,
    TO_COME,
    WISHES,
    StoryTerms,
    StrategyAnswer,
    around,
    asks_for,
    described,
    fits,
    is_kind,
    leaf,
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
        asked.kind in {"need", "price"}
        or (asked.kind == "state" and not asked.thing.words & _ANYTHING)
        or asked.flags & _NO_SUM - {"duration"}
        or asked.per is not None
        or asked.than
        or asked.than_owner
        or asked.than_verb
        or set(asked.modals) & (WISHES | {"can", "could"})
        or not 2 <= len(known) <= 12
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
        asked.thing.words & told
        or not asked.thing.words & _ANYTHING
        or heads & (words.MEASURES | MONEY | words.UNITS_OF_TIME)
        or any(is_kind(kind, head) for kind in ("person", "animal") for head in heads)
        or len({(each.clause, each.sentence) for each in known}) > 1
    ):
        return None
    return StrategyAnswer("one verb", sum_of(known))


def rest(story: StoryTerms) -> StrategyAnswer | None:
    """A whole and a part: how many are the others."""
    asked = story.asked
    if (
        asked.per is not None
        or asked.than
        or asked.than_owner
        or asked.flags & {"more", "difference", "start", "before", "number", "total"}
    ):
        return None
    if rates_of(story) or any(each.compared for each in story.known()):
        return None
    known = list(story.known())
    parts = [
        each
        for each in known
        if each.flags & {"part"} or (each.flags & {"elliptic"} and each.subject)
    ]
    if len(known) < 2 or (not asked.thing.head and not parts):
        return None
    wholes = [each for each in known if each not in parts]
    others_left = "left" in asked.flags and all(
        "part" in each.flags and each.kind in {"state", "act"} for each in known[1:]
    )
    says_rest = (
        others_left
        or any(each.flags & {"rest"} for each in story.amounts)
        or any(
            each.value is None
            and not each.flags & {"part", "them"}
            and each.thing.head in {known[0].thing.head, "rest", asked.thing.head}
            for each in story.amounts
        )
    )
    if len(wholes) != 1 and not (says_rest):
        totals = [each for each in known if "total" in each.flags]
        if len(totals) != 1:
            return None
    totals = [each for each in known if "total" in each.flags]
    whole = totals[0] if len(totals) == 1 else known[0]
    if "part" in whole.flags:
        return None
    others = [each for each in known if each is not whole]
    if len({each.verb for each in others}) > 1 or any("now" in each.flags for each in others):
        return None
    mentions = [each.sentence for each in story.amounts if "rest" in each.flags]
    if mentions and "denied" in asked.flags:
        # "... and the rest are white. How many are not white?"
        return None
    if (
        not mentions
        and len(others) > 1
        and any(described(each) or "part" in each.flags for each in others)
    ):
        return None
    if mentions and any(each.sentence not in mentions for each in others):
        # "... are red and the rest are green": what the rest is of, is told in one breath.
        return None
    if any(
        each.thing.head
        and each.thing.head != whole.thing.head
        and not is_kind(whole.thing.head, each.thing.head)
        for each in others
    ):
        return None
    if not all(each.kind in {"state", "act"} or each.verb == whole.verb for each in others):
        return None
    done = "denied" in asked.flags and all(
        "part" in each.flags and same_verb(each.verb, asked.verb) for each in others
    )
    if whole.kind != "state" and not done and not all(each.verb == whole.verb for each in others):
        return None
    if not (says_rest or "denied" in asked.flags or (totals and len(others) == 1)):
        return None
    if (
        not same_noun(asked.thing, whole.thing)
        and asked.thing.head
        and not any(is_kind(whole.thing.head, asked.thing.head) for _ in [0])
        and "rest" not in " ".join(f for each in story.amounts for f in each.flags)
    ):
        return None
    for each in others:
        if (
            asked.thing.head
            and fits(asked.thing, each.thing)
            and asked.thing.mods
            and asked.thing.mods <= each.thing.words
        ):
            return None
    if any(
        each.kind in {"gain", "give", "loss", "take", "put", "come", "leave"}
        and each.verb != whole.verb
        for each in others
    ):
        return None
    shared = whole.thing.words | {asked.thing.head}
    if asked.words & (frozenset[str]().union(*(each.like for each in others)) - shared):
        # "9 of them are blue and the rest are black. How many are blue?"
        return None
    untold = [each.like for each in story.amounts if each.value is None]
    like = frozenset[str]().union(*untold) - whole.thing.words
    named = like | {"rest", "other", "others", "remaining", "remainder"}
    if like and not named & asked.words and not asked.flags & {"left", "other", "denied"}:
        # "... How many are there?": the rest, or all of them.
        return None
    if "both" in story.told_words:
        # Those who do one may be among those who do both.
        return None
    if any((asked.place | asked.time) & (around(each) - around(whole)) for each in others):
        # "5 are good at math only, the rest at both: how many are good at math?"
        return None
    term = leaf(whole)
    for each in others:
        if each.value is None:
            return None
        term = term.combined("-", leaf(each))
    return StrategyAnswer("rest", term) if term.value >= 0 else None


def others(story: StoryTerms) -> StrategyAnswer | None:
    """How many did not: all without those that did."""
    asked = story.asked
    if (
        "denied" not in asked.flags
        or asked.per is not None
        or asked.flags & {"more", "number"}
        or rates_of(story)
    ):
        return None
    here = [
        each
        for each in story.known()
        if not asked.things or asks_for(story, each) or is_kind(asked.thing.head, each.thing.head)
    ]
    did = [
        each
        for each in here
        if same_verb(each.verb, asked.verb)
        and "denied" not in each.flags
        and not set(each.modals) & WISHES
    ]
    whole = [each for each in here if each not in did]
    if len(did) > 1 and len(whole) != 1:
        return None
    when = asked.time | asked.place
    if any(when & (each.time | each.place) for each in did) and len(did) > 1:
        # "How many did she not read on Monday?"
        return None
    kinds = {each.thing.head for each in whole}
    if len(kinds) > 1 and any(each.thing.head in kinds for each in did):
        # "14 boys and 16 girls. 5 boys wear glasses": of the girls nothing is told.
        return None
    if (
        not did
        or not separate(did)
        or not whole
        or any(each.compared or each.flags & {"part", "denied"} for each in whole)
    ):
        return None
    if len({(each.verb, each.modals) for each in whole}) > 1 or not separate(whole):
        return None
    term = sum_of(whole)
    for each in did:
        term = term.combined("-", leaf(each))
    return StrategyAnswer("others", term) if term.value >= 0 else None


_SAVING = frozenset({"saving", "saves", "wants", "want"})


def need(story: StoryTerms) -> StrategyAnswer | None:
    """How many more are needed."""
    asked = story.asked
    to_do = "left" in asked.flags and {*asked.modals} & {"have", "need"}
    if not ("more" in asked.flags or to_do) or asked.per or asked.than or asked.than_owner:
        return None
    asked_numbers = [each for each in story.known() if each.kind == "asked"]
    if asked_numbers and "have" not in asked.words:
        return None
    if set(asked.modals) & {"can", "could"}:
        return _room(story)
    needs = {"need", "require", "want", "have", "must", "should", "plan", "decide", "call"}
    if not (asked.kind == "need" or set(asked.modals) & {"need", "have", "should", "must"}):
        return None
    wanted = [
        each
        for each in story.known()
        if (
            each.kind == "need"
            or (each.kind == "asked" and asked.words & {"have"})
            or set(each.modals) & (needs - {"have"})
            or ("have" in each.modals)
            or (each.kind == "price" and not each.per and story.told_words & _SAVING)
        )
        and asks_for(story, each)
    ]
    have = [
        each
        for each in story.known()
        if each not in wanted and asks_for(story, each) and each.per is None
    ]
    if not wanted and len(have) == 2 and not rates_of(story):
        first, second = have
        done = "part" in second.flags and second.kind in {"act", "make", "loss", "put"}
        done = done and bool({*asked.modals} & {"have", "need"})
        # "A book with 130 pages. He read 90 of them, or 90 pages of it."
        done |= "prep with" in first.flags and same_verb(second.verb, asked.verb)
        if first.kind in {"state"} and done and not first.compared:
            term = leaf(first).combined("-", leaf(second))
            return StrategyAnswer("need", term) if term.value >= 0 else None
    own = set(asked.owners) & {owner for each in wanted for owner in each.owners}
    if own:
        have = [each for each in have if not each.owners or own & {*each.owners, each.receiver}]
    if len(wanted) != 1 or not have or rates_of(story):
        return None
    if any(described(each) or "part" in each.flags for each in (*wanted, *have)):
        return None
    if any(
        each.kind not in {"state", "gain", "make", "put", "act"}
        and each.receiver not in asked.owners
        for each in have
    ) or any("denied" in each.flags for each in have):
        return None
    earned = have[0].kind == "state" and all(each.kind == "gain" for each in have[1:])
    if len(have) > 1 and not earned and not separate(have):
        return None
    term = leaf(wanted[0])
    for each in have:
        term = term.combined("-", leaf(each))
    return StrategyAnswer("need", term) if term.value >= 0 else None


def _room(story: StoryTerms) -> StrategyAnswer | None:
    """How many more there is room for."""
    here = [each for each in story.known() if asks_for(story, each)]
    holds = [each for each in here if each.verb in {"hold", "contain", "fit", "seat", "carry"}]
    others = [each for each in here if each not in holds]
    if (
        len(holds) != 1
        or len(others) != 1
        or others[0].kind not in {"state", "put"}
        or others[0].modals
    ):
        return None
    if holds[0].per is not None or others[0].per is not None:
        return None
    generic = holds[0].generic
    if generic is not None and any(same_noun(generic, each.thing) for each in story.known()):
        # "A van holds 12. There are 2 vans."
        return None
    term = leaf(holds[0]).combined("-", leaf(others[0]))
    return StrategyAnswer("room", term) if term.value >= 0 else None
