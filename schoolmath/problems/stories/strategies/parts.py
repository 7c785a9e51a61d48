"""Parts of a whole, and what is still needed."""

from __future__ import annotations

from schoolmath.problems.stories.strategies.rates import rates_of
from schoolmath.problems.stories.strategies.terms import (
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
    if whole.kind != "state" and not all(each.verb == whole.verb for each in others):
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
    here = [each for each in story.known() if not asked.things or asks_for(story, each)]
    did = [
        each
        for each in here
        if same_verb(each.verb, asked.verb)
        and "denied" not in each.flags
        and not set(each.modals) & WISHES
    ]
    whole = [each for each in here if each not in did]
    if (
        len(did) != 1
        or not whole
        or any(each.compared or each.flags & {"part", "denied"} for each in whole)
    ):
        return None
    if len({(each.verb, each.modals) for each in whole}) > 1 or not separate(whole):
        return None
    term = sum_of(whole).combined("-", leaf(did[0]))
    return StrategyAnswer("others", term) if term.value >= 0 else None


def need(story: StoryTerms) -> StrategyAnswer | None:
    """How many more are needed."""
    asked = story.asked
    if "more" not in asked.flags or asked.per is not None or asked.than or asked.than_owner:
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
        done = (
            "part" in second.flags
            and second.kind in {"act", "make", "loss", "put"}
            and set(asked.modals) & {"have", "need"}
        )
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
    if len(have) > 1 and not separate(have):
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
