"""So many in each: totals, groups, shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing
from schoolmath.problems.stories.strategies.changes import Change, after_changes, sign_of
from schoolmath.problems.stories.strategies.terms import (
    WISHES,
    StoryTerms,
    StrategyAnswer,
    Term,
    default_fits,
    fits,
    is_kind,
    is_money,
    leaf,
    same_noun,
    same_verb,
    separate,
    sum_of,
)

SHARED_OUT = frozenset({"prep among", "prep between", "prep into"})
"""Flags of the number that something is shared out to."""


def rates_of(story: StoryTerms) -> list[Amount]:
    """The amounts of which each, any or one of something has so many, `per` filled in."""
    found = []
    known = story.known()
    for each in known:
        if each.compared:
            continue
        if each.per is not None and each.per.head:
            found.append(each)
        elif each.generic is not None and _generic(story, each):
            found.append(replace(each, per=each.generic))
        elif (per := _one_of(story, each)) is not None:
            found.append(replace(each, per=per))
        elif "each" in each.flags and each.per is None:
            partner = _partner(known, each)
            if partner is not None:
                found.append(replace(each, per=partner.thing))
            elif is_money(each.thing) and story.asked.verb == "buy" and story.asked.thing.head:
                found.append(replace(each, per=story.asked.thing))
    return _shared(known, found)


def _shared(amounts: Sequence[Amount], rate_amounts: list[Amount]) -> list[Amount]:
    """“7 women and 2 men at each table”: there are 7 women at each as well."""
    rates = {each.index: each for each in rate_amounts}
    for at in range(len(amounts) - 1, 0, -1):
        rate, before = rates.get(amounts[at].index), amounts[at - 1]
        if (
            rate is not None
            and rate.per is not None
            and before.index not in rates
            and before.per is None
            and not before.compared
            and not before.flags & {"total", "part", "denied"}
            and (before.sentence, before.clause, before.verb)
            == (rate.sentence, rate.clause, rate.verb)
            and before.thing != rate.thing
            and is_money(before.thing) == is_money(rate.thing)
            and not same_noun(rate.per, before.thing)
            and not before.thing.of & {rate.per.head}
        ):
            rates[before.index] = replace(before, per=rate.per)
    return [rates[each.index] for each in amounts if each.index in rates]


_FILLED = frozenset({"fit", "hold", "pack", "put", "place", "store"})


def _one_of(story: StoryTerms, amount: Amount) -> Thing | None:
    """What one of has so many: "8 calories in a candy bar", "he can fit 4 books on a shelf"."""
    asked = story.asked
    if amount.kind == "asked" or amount.flags & {"each", "part", "total", "left", "denied"}:
        return None
    numbers = [each for each in story.known() if each.kind == "asked"]
    if len(numbers) == 1 and amount.kind in {"state", "price"} and len(story.known()) == 2:
        counted = numbers[0].thing
        if counted.head and (counted.head in amount.place or counted.head in amount.owners):
            return counted
        holder = asked.thing.head and asked.thing.head in {*amount.place, *amount.owners}
        return asked.thing if holder and numbers[0].thing.head == amount.thing.head else None
    if amount.kind == "put" and f"in one {asked.thing.head}" in amount.flags:
        # "She puts 6 figs in a box. How many boxes does she need?"
        return asked.thing
    filled = amount.verb in _FILLED and {"can", "could"} & set(amount.modals)
    if filled and asked.thing.head and asked.thing.head in amount.place:
        return asked.thing
    return None


def _generic(story: StoryTerms, amount: Amount) -> bool:
    """Whether "A box holds 6" is a rate here: boxes are counted or asked for."""
    assert amount.generic is not None
    if any(
        same_noun(amount.generic, each.thing)
        for each in story.known()
        if each.index != amount.index
    ):
        return True
    return same_noun(amount.generic, story.asked.thing) and amount.verb in {
        "hold",
        "contain",
        "have",
        "seat",
        "fit",
        "carry",
    }


def _partner(amounts: Sequence[Amount], amount: Amount) -> Amount | None:
    """What "each" means in "5 books that cost 3 dollars each"."""
    plain = [
        each
        for each in amounts
        if "each" not in each.flags
        and each.thing.head != amount.thing.head
        and each.index != amount.index
        and each.thing.head
    ]
    before = [
        each for each in plain if each.index < amount.index and each.sentence == amount.sentence
    ]
    if before:
        return before[-1] if len(before) == 1 else None
    return plain[0] if plain and len({each.thing.head for each in plain}) == 1 else None


def counts_of(story: StoryTerms, thing: Thing, rates: Sequence[Amount]) -> list[Amount]:
    """The amounts that count a thing, for example the boxes of which each holds so many."""
    indices = {each.index for each in rates}
    found = [
        each
        for each in story.known()
        if each.index not in indices and not each.compared and each.per is None
    ]
    own = set(story.asked.owners) & {owner for each in found for owner in each.owners}
    if own:
        found = [each for each in found if not each.owners or own & set(each.owners)]
    exact = [
        each
        for each in found
        if same_noun(thing, each.thing)
        and (not thing.mods - each.thing.words or not each.thing.mods)
    ]
    if any(each.kind in {"state", "gain", "make", "give", "loss"} for each in exact):
        return exact
    both = exact + [
        each
        for each in found
        if each not in exact
        and (is_kind(thing.head, each.thing.head) or is_kind(each.thing.head, thing.head))
    ]
    return sorted(both, key=lambda each: each.index)


def rates(story: StoryTerms) -> StrategyAnswer | None:
    """So many in each: how many in all, how many groups."""
    asked = story.asked
    if (
        asked.flags & {"more", "difference", "length", "odd if", "start", "before", "denied"}
        or asked.than
        or asked.than_owner
    ):
        return None
    given = rates_of(story)
    if asked.per is not None:
        return None if given else _each(story)
    if not given:
        return None
    if len(given) > 1 and len({(each.thing, each.per) for each in given}) == 1:
        return None
    if len(given) > 1 and asked.kind != "state":
        same = [each for each in given if same_verb(each.verb, asked.verb)]
        if len(same) == 1 and not all(_rate_asks_total(story, each) for each in given):
            given = same
    if len(given) > 1:
        fitting = [
            each
            for each in given
            if asked.thing.head and fits(asked.thing, each.thing, loose=False)
        ]
        if len(fitting) == 1 and all(
            same_noun(fitting[0].per or Thing(), each.per or Thing()) for each in given
        ):
            given = fitting
    if len(given) > 1:
        return _several_rates(story, given)
    rate = given[0]
    assert rate.per is not None
    if _rate_asks_total(story, rate) or _asks_contents(story, rate, given):
        count = count_of(story, counts_of(story, rate.per, given))
        return None if count is None else StrategyAnswer("times", count.combined("*", leaf(rate)))
    if _asks_count(story, rate.per):
        totals = [
            each
            for each in story.known()
            if each.index != rate.index
            and each.per is None
            and not each.compared
            and (fits(rate.thing, each.thing) or is_kind(each.thing.head, rate.thing.head))
            and (rate.thing.head or each.kind != "asked")
        ]
        if not rate.thing.head and len(totals) > 1:
            return None
        total = count_of(story, totals)
        if total is None or not rate.value:
            return None
        return StrategyAnswer("groups", total.combined("/", leaf(rate)))
    return None


def _asks_count(story: StoryTerms, per: Thing) -> bool:
    asked = story.asked
    if "duration" in asked.flags:
        return per.head in words.UNITS_OF_TIME
    return same_noun(asked.thing, per) and not asked.thing.mods - per.words - {
        "small",
        "many",
        "full",
    }


def _rate_asks_total(story: StoryTerms, rate: Amount) -> bool:
    asked = story.asked
    if "duration" in asked.flags:
        return rate.thing.head in words.UNITS_OF_TIME
    if not asked.thing.head:
        return is_money(rate.thing) and "much" in asked.flags
    return fits(asked.thing, rate.thing, loose=False)


def _asks_contents(story: StoryTerms, rate: Amount, amounts: Sequence[Amount]) -> bool:
    """“9 packs of gum, 15 pieces in each. How many pieces of gum?”: what the packs are packs of."""
    asked, per = story.asked, rate.per
    if per is None or not asked.thing.head or asked.thing.head != rate.thing.head:
        return False
    counts = counts_of(story, per, amounts)
    extra = (asked.thing.mods | asked.thing.of) - rate.thing.words
    return len(counts) == 1 and extra <= counts[0].thing.words


def count_of(story: StoryTerms, amounts: list[Amount]) -> Term | None:
    """One number from the amounts of a thing: the only one, a sum, what is left or what went."""
    if len(amounts) == 1:
        only = amounts[0]
        return None if only.more and only.kind != "need" else leaf(only)
    if not 2 <= len(amounts) <= 4:
        return None
    asked = story.asked
    doing = [same_verb(each.verb, asked.verb) for each in amounts]
    if asked.kind not in {"state", "need"} and any(doing) and not all(doing):
        # "20 sacks were bought, 3 given away: how many kilograms were given?": of those alone.
        return None
    groups = {"they", "we", "it", "there"}
    holders = {each.owners for each in amounts if set(each.owners) - groups}
    if len(holders) > 1 and not (
        "total" in asked.flags or set(asked.owners) & {name for each in holders for name in each}
    ):
        return None
    owners = asked.owners or next((each.owners for each in amounts if each.owners), ())
    wanted = [each for each in amounts if set(each.modals) & WISHES]
    if wanted:
        if (
            len(wanted) == 1
            and len(amounts) == 2
            and asked.words & {"rest", "left", "remaining", "still", "more"}
        ):
            done = next(each for each in amounts if each is not wanted[0])
            if done.verb == wanted[0].verb:
                return leaf(wanted[0]).combined("-", leaf(done))
        return None
    if any("total" in each.flags for each in amounts[1:]) or (
        "total" in amounts[0].flags and not all("part" in each.flags for each in amounts[1:])
    ):
        return None
    if (
        len({(each.verb, each.modals) for each in amounts}) == 1
        and amounts[0].kind in {"act", "state", "gain", "make", "give", "come"}
        and separate(amounts)
        and not any(each.flags & {"part", "denied", "left", "now", "start"} for each in amounts)
    ):
        return sum_of(amounts)
    inner_asked = StoryQuestion(
        thing=Thing(amounts[0].thing.head), kind="state", verb="have", flags={"now"}, owners=owners
    )
    line = [
        Change(sign, each) for each in amounts if (sign := sign_of(each, inner_asked)) is not None
    ]
    if len(line) != len(amounts) or any(each.amount.value is None for each in line):
        return _denied(story, amounts)
    states = [each for each in line if each.sign == 0]
    gone = [each for each in line if each.sign == 0 and each.amount.flags & {"left"}]
    if len(gone) == 1 and len(line) == 2 and line[1] is gone[0] and asked.kind != "state":
        # "He bought 13 tickets and had 4 left. How much did he spend riding?": those that went.
        return leaf(line[0].amount).combined("-", leaf(line[1].amount))
    if gone:
        return None
    if any(each.sign < 0 for each in line):
        if line[0].sign < 0:
            return None
        first = leaf(line[0].amount)
        finished = "left" not in asked.flags and asked.kind in {"give", "loss", "gain", "make"}
        if finished and "money" in asked.flags:
            # "13 boxes, he gave 7. How much money did he make?": which of the two is unclear.
            return None
        return after_changes(first, line[1:])
    if (
        len(states) in {0, len(line)}
        and len({each.amount.verb for each in line}) == 1
        and separate(amounts)
    ):
        return sum_of(amounts)
    if states and line[0].sign == 0 and len(states) == 1:
        return after_changes(leaf(line[0].amount), line[1:])
    if not states and line[0].sign > 0:
        return after_changes(leaf(line[0].amount), line[1:])
    return None


def _denied(story: StoryTerms, amounts: Sequence[Amount]) -> Term | None:
    """“17 bags, but he didn't recycle 8 of them”: the others."""
    if len(amounts) != 2 or not amounts[1].flags & {"denied"} or "denied" in amounts[0].flags:
        return None
    if "denied" in story.asked.flags or amounts[0].kind not in {"state", "gain"}:
        return None
    return leaf(amounts[0]).combined("-", leaf(amounts[1]))


def _several_rates(story: StoryTerms, amounts: Sequence[Amount]) -> StrategyAnswer | None:
    """Two rates: a sum of two products, or a chain of products."""
    asked = story.asked
    if len(amounts) > 3:
        return None
    # A chain: 5 boxes, 6 packs in each box, 4 pens in each pack.
    ends = [each for each in amounts if _rate_asks_total(story, each)]
    if len(ends) == 1:
        chain = [ends[0]]
        while True:
            per = chain[-1].per
            assert per is not None
            inner = [each for each in amounts if each not in chain and same_noun(per, each.thing)]
            if len(inner) != 1:
                break
            chain.append(inner[0])
        if len(chain) == len(amounts):
            last = chain[-1].per
            assert last is not None
            counts = counts_of(story, last, amounts)
            if len(counts) == 1:
                term = leaf(counts[0])
                for each in reversed(chain):
                    term = term.combined("*", leaf(each))
                return StrategyAnswer("chain of rates", term)
        return None
    if len(ends) == len(amounts):
        pers = [each.per or Thing() for each in amounts]
        if all(each == pers[0] for each in pers):
            # 6 cages, each with 2 parrots and 7 parakeets.
            counts = counts_of(story, pers[0], amounts)
            if len({each.thing.of for each in counts}) > 1:
                # 4 bags of oranges, 3 bags of apples.
                return None
            if not separate(amounts) or len({each.verb for each in amounts}) > 1:
                return None
            count = count_of(story, counts_of(story, pers[0], amounts))
            return (
                None
                if count is None
                else StrategyAnswer("sum, times", sum_of(amounts).combined("*", count))
            )
        if len(amounts) > 2:
            return None
        terms = []
        for each in amounts:
            assert each.per is not None
            counts = [
                one
                for one in counts_of(story, each.per, amounts)
                if not each.per.mods - one.thing.words
            ]
            if len(counts) != 1:
                return None
            terms.append(leaf(counts[0]).combined("*", leaf(each)))
        if terms[0].used & terms[1].used:
            return None
        if "left" in asked.flags:
            return None
        return StrategyAnswer("sum of products", terms[0].combined("+", terms[1]))
    return None


def of_others(sharer: Amount, shared: Sequence[Amount]) -> bool:
    """Whether it was somebody else's, of whom who shares it got some: "Ana gave Ben 6"."""
    whose = {*sharer.owners}
    theirs = [each for each in shared if each.owners and not each.receiver]
    got = any(each.receiver in whose for each in shared)
    return got and any(not whose & {*each.owners} for each in theirs)


def _each(story: StoryTerms) -> StrategyAnswer | None:
    """How many in each: a total shared out."""
    asked = story.asked
    per = asked.per
    assert per is not None
    known = story.known()
    if any("each" in each.flags for each in known):
        return None
    if per.head:
        counts = [
            each
            for each in known
            if (
                same_noun(per, each.thing)
                or (
                    is_kind(per.head, each.thing.head)
                    and each.flags & {"prep among", "prep between", "prep to", "prep with"}
                )
            )
            and not is_money(each.thing)
        ]
    else:
        counts = [
            each
            for each in known
            if each.flags & {"prep among", "prep between", "prep into", "prep with"}
        ]
    if len(counts) != 1:
        return None
    count = counts[0]
    if count.flags & {"part"} or count.more or count.kind in {"come"}:
        return None
    others = [each for each in known if each.index != count.index]
    if not same_noun(per, count.thing) and any(is_kind(per.head, o.thing.head) for o in others):
        return None  # "among 5 squirrels and 4 birds", of each animal
    totals = [
        each
        for each in known
        if each.index != count.index
        and (
            fits(asked.thing, each.thing, loose=False)
            if asked.thing.head
            else default_fits(story, each)
        )
    ]
    if not totals or count.value == 0 or of_others(count, totals):
        return None
    if len(totals) == 1:
        total: Term | None = leaf(totals[0])
        if totals[0].more or totals[0].flags & {"part"}:
            return None
    else:
        later = [
            each for each in totals if each.index > count.index and each.kind in {"loss", "give"}
        ]
        if any("total" in each.flags for each in totals):
            return None
        if later and count.flags & {"prep among", "prep between", "prep into"}:
            # What goes after it was shared out was in one of the shares.
            return None
        total = count_of(story, totals)
    if total is None:
        return None
    sharers = leaf(count)
    if "prep with" in count.flags and is_kind("person", count.thing.head):
        # "He shares them with 2 friends": they are three.
        if per.head and same_noun(per, count.thing):
            return None
        sharers = sharers.combined("+", Term(Fraction(1)))
    return StrategyAnswer("shared", total.combined("/", sharers))
