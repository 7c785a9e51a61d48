"""Whether a value is believed: every number is used or proved irrelevant, and the words agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount
from schoolmath.problems.stories.strategies.rates import rates_of
from schoolmath.problems.stories.strategies.terms import (
    DerivedAmount,
    StoryTerms,
    StrategyAnswer,
    around,
    asks_for,
    described,
    fits,
    is_kind,
    is_money,
    joined_with,
    same_noun,
    same_verb,
)

_SHARERS = frozenset({"prep with", "prep among", "prep between", "prep amongst"})
_SHARING = frozenset({"share", "split", "divide", "distribute"})

_OF_THE_STRATEGY = {
    "levelled": frozenset({"same", "equal"}), "shopping": frozenset({"change"}),
}  # fmt: skip
"""Words of a question that a strategy reads, though the story does not have them."""

_OF_ALL_KINDS = frozenset({"accounts", "comparisons, accounts", "accounts of places"})
_BALANCED = frozenset({"accounts", "shopping", "levelled"})
"""Words of the strategies whose operations follow from equations, not from single words."""

_OF_ONE_NUMBER = frozenset({"shared by name", "pairs"})
"""Strategies that know another number than the one of the text: who shares it, two of a pair."""

AMBIGUOUS = ("The text can be worked out in two ways that differ.",)
"""Why nothing is believed where the strategies find different values."""


@dataclass(frozen=True, slots=True)
class ValueVerdict:
    """A value that is believed, or the reasons why none is."""

    found: StrategyAnswer | None
    reasons: tuple[str, ...]
    irrelevant: tuple[int, ...] = ()


def irrelevant(
    story: StoryTerms, answer: StrategyAnswer, amount: Amount, used: Sequence[Amount]
) -> bool:
    """Whether an amount is proved to have no part in the answer."""
    asked = story.asked
    given = [each for each in (*story.amounts, *rates_of(story)) if each.per is not None]
    if any(each.per is not None and same_noun(each.per, amount.thing) for each in given):
        return False
    if any(amount.thing.head in each.place | each.near for each in used):
        # "4 buttons on a dress", "5 crayons in a box": of each of the 8 dresses, of 3 boxes.
        return False
    if amount.flags & _SHARERS and amount.verb in _SHARING:
        return False
    things = asked.things or [asked.thing]
    if amount.per is not None and not amount.compared and answer.strategy == "times":
        rates = [each for each in used if each.per is not None]
        if len(rates) == 1 and rates[0].per is not None and same_noun(rates[0].per, amount.per):
            # Of each so many of this and so many of that: one of them is asked for.
            if asked.kind != "state" and rates[0].verb == asked.verb != amount.verb:
                return True
            return bool(asked.thing.head) and not any(fits(thing, amount.thing) for thing in things)
    if (
        amount.compared
        and answer.strategy.startswith("comparisons")
        and amount.owners
        and "total" not in asked.flags
    ):
        # A comparison of somebody whom neither the question nor what is used mentions.
        named = (
            {name for each in used for name in (*each.owners, each.than_owner)}
            | set(asked.owners)
            | {asked.than_owner}
        )
        return not set(amount.owners) & named
    if answer.strategy == "contrast" and amount.per is None and not amount.compared:
        # Two are told apart by the words on both sides of "than"; this one by other words.
        if any(each.place and each.place == amount.place for each in used):
            return False
        return not amount.more and not amount.flags & {"part", "total", "left", "rest", "each"}
    if (
        asked.than_verb
        and answer.strategy == "difference"
        and amount.kind == "state"
        and amount.per is None
    ):
        return True
    if described(amount) or (
        asked.than is not None
        and asked.than.head
        and fits(asked.than, amount.thing)
        and answer.strategy != "contrast"
    ):
        return False
    rate = amount.per is not None or amount.compared or bool(amount.flags & {"each", "asked"})
    if rate or amount.flags & {"part", "total"}:
        return False
    if (
        amount.verb == "take"
        and amount.thing.head in words.UNITS_OF_TIME
        and "duration" not in asked.flags
    ):
        # How long it took, where nothing is asked or told by time.
        return not any(
            each.per is not None and each.per.head in words.UNITS_OF_TIME for each in story.amounts
        ) and (asked.per is None or asked.per.head not in words.UNITS_OF_TIME)
    if amount.thing.head in words.ANY_TIME:
        # "On Sunday he picks 3 times the number that he picked on Monday."
        return False
    if answer.strategy in {"same verb", "difference"} and asked.kind != "state":
        # The question names a verb of its own, and this one does something else.
        as_asked = all(same_verb(each.verb, asked.verb) for each in used)
        if as_asked and not same_verb(amount.verb, asked.verb):
            return amount.value != sum(each.value or 0 for each in used)
    if asked.thing.head and any(fits(thing, amount.thing) for thing in things):
        own = set(asked.owners) - {"they", "we", "it"}
        if amount.place and asked.place and not amount.place & asked.place:
            # The same elsewhere, where what is used is where the question asks.
            return all(each.place & asked.place for each in used if each.kind == amount.kind)
        # Another person's state, from which nothing passes to anybody.
        return bool(
            own
            and amount.owners
            and not amount.more
            and not own & set(amount.owners)
            and amount.kind in {"state", "gain", "make", "loss", "act"}
            # "Ana's dog ate 4": what is Ana's; "Ben brought 4 back to Ana".
            and (amount.kind in {"state", "gain", "make"} or _of_their_own(story, amount))
            and not own & (amount.place | amount.near)
            # "But the last page has only 3", of pages with 7 on each.
            and not set(amount.owners) & {one.per.head for one in story.amounts if one.per}
            and not amount.receiver
            and not amount.compared
            and all(set(each.owners) & own or not each.owners for each in used)
            and any(set(each.owners) & own for each in used)
            and amount.owners[0]
            not in {each.receiver for each in used} | {each.source for each in used}
            and "total" not in asked.flags
        )
    if is_money(amount.thing) or not amount.thing.head or not asked.thing.head:
        return False
    if any(is_kind(asked.thing.head, each.thing.head) for each in used):
        # "Fruits": what else is one is not known for certain.
        return False
    if (
        answer.strategy
        in {"state over time", "same verb", "comparisons", "difference", "change", "start"}
        and amount.kind in {"state", "gain", "make"}
        and amount.owners
        and not amount.flags & {"elliptic"}
        and not any(flag.startswith("prep") for flag in amount.flags)
        and amount.generic is None
        and not any(each.per is not None or "each" in each.flags for each in story.amounts)
        and all(same_noun(thing, each.thing) for thing in things[:1] for each in used)
        and amount.thing.head not in words.ANY_TIME
        and not any(same_noun(amount.thing, each.thing) for each in used)
    ):
        # Somebody has or gets another thing, which nothing joins with what is asked.
        return True
    # Parallel to a fact that is used: the same verb, another thing or another kind of it.
    return any(
        each.verb == amount.verb
        and each.owners == amount.owners
        and bool(each.thing.head)
        and not fits(each.thing, amount.thing)
        and (amount.thing.head != each.thing.head or bool(amount.thing.words - each.thing.words))
        for each in used
    )


def judge(
    story: StoryTerms,
    answers: Sequence[StrategyAnswer],
    text_words: frozenset[str],
    cues: frozenset[str],
) -> ValueVerdict:
    """The one value that is believed, or why none is.

    Args:
        story: what is told and asked.
        answers: what the strategies found.
        text_words: all words of the text, also in the singular.
        cues: those of them that stand in a sentence with a number or in the question.
    """
    if not answers:
        return ValueVerdict(None, ("What is asked does not follow from what was understood.",))
    reasons: list[str] = []
    believed: list[tuple[StrategyAnswer, tuple[int, ...]]] = []
    for each in answers:
        reason, unused = _doubt(each.within or story, each)
        if "than" in story.told_words and not any(one.compared for one in story.amounts):
            reason = "A comparison was not understood."
        if any(one.fewer and not one.compared for one in story.amounts):
            # "12 fewer on Tuesday": than what is not said.
            reason = "A comparison was not understood."
        reason = reason or _against_words(story, each, text_words, cues)
        if reason:
            reasons.append(reason)
        else:
            believed.append((each, unused))
    if len({each.term.value for each, _ in believed}) > 1:
        return ValueVerdict(None, AMBIGUOUS)
    if not believed:
        return ValueVerdict(None, tuple(dict.fromkeys(reasons)))
    return ValueVerdict(believed[0][0], (), believed[0][1])


def _doubt(story: StoryTerms, answer: StrategyAnswer) -> tuple[str, tuple[int, ...]]:
    """Why a value is not believed, "" where it is; and the amounts proved irrelevant."""
    term = answer.term
    used = [each for each in story.amounts if each.index in term.used]
    unused = []
    for amount in story.known():
        if amount.index in term.used:
            continue
        if not irrelevant(story, answer, amount, used):
            assert amount.value is not None
            what = f"{float(amount.value):g} {amount.thing.head}".strip()
            return f"What “{what}” has to do with the question was not understood.", ()
        unused.append(amount.index)
    if term.value < 0:
        return "The answer would be less than none.", ()
    if len(term.used) < 2 and answer.strategy not in _OF_ONE_NUMBER:
        return "One number alone answers no question.", ()
    if {"dollar", "cent"} <= {each.thing.head for each in used}:
        return "Dollars and cents stand in one text: write all amounts in one of them.", ()
    if (
        not asked_head(story)
        and len({each.thing.head for each in used if not is_money(each.thing) and each.per is None})
        > 1
        and answer.strategy not in {"times", "groups", "shared"}
        and not answer.strategy.endswith("shopping")
    ):
        return "What “how many” counts was not understood.", ()
    if any(each.compared for each in story.amounts) and not answer.strategy.startswith(
        "comparisons"
    ):
        return "A comparison was not understood.", ()
    if answer.strategy not in _OF_ALL_KINDS and any(joined_with(story, each) for each in used):
        return "How many of each kind are meant was not understood.", ()
    if reason := _untold(story, answer) or _unpriced(used) or _otherwise_done(story, answer, used):
        return reason, ()
    strange = {
        each for each in story.asked.strange
        if not any(
            is_kind(words.noun_lemma(each), one.thing.head)
            or words.noun_lemma(each) in one.thing.words
            for one in used
        )
    }  # fmt: skip
    strange -= _OF_THE_STRATEGY.get(answer.strategy, frozenset())
    if answer.strategy == "gap":
        # "9 meters long ... how much longer": two measures, and nothing else, are compared.
        strange -= _COMPARATIVES
    if answer.strategy == "one verb":
        # The question may call all that was done by a word of its own.
        same = all(same_noun(story.asked.thing, each.thing) for each in used)
        its_own = story.asked.thing.of if same else story.asked.thing.words
        strange = {each for each in strange if words.noun_lemma(each) not in its_own}
    if strange:
        return f"“{sorted(strange)[0]}” of the question stands nowhere before.", ()
    if "odd" in story.asked.flags:
        return "The question was not understood.", ()
    summed = answer.strategy in {"same verb", "everything", "state over time"}
    timed = story.asked.time and summed and all(each.time for each in used)
    if timed and not any(each.time & story.asked.time for each in used):
        return "The question asks of another time than those in the text.", ()
    exactly = {each.time == frozenset(story.asked.time) for each in used if each.time}
    if answer.strategy in _SUMS and len(exactly) > 1:
        # "30 last year and 45 this year. How many this year?"
        return "The question asks of one time among those in the text.", ()
    last = max(used, key=lambda each: each.index)
    then = [bool((each.time | each.place) & story.asked.time) for each in used]
    unplaced = "after" in story.asked.words and story.asked.time & story.told_words
    told = (last.time or last.place) and any(then) and not then[-1]
    if answer.strategy == "state over time" and (told or (unplaced and not any(then))):
        # "27 on Monday, 8 lost on Tuesday. How many on Monday?"
        return "The question asks of one time among those in the text.", ()
    whole = all(each.value is not None and each.value.denominator == 1 for each in used)
    if whole and term.value.denominator != 1:
        return "Whole numbers would give an answer that is not whole.", ()
    return _selecting(story, answer, used), tuple(unused)


_SUMS = frozenset({"same verb", "everything", "one verb"})
_CHANGING = frozenset({"gain", "make", "loss", "give", "take", "put", "come", "leave"})
_AWAY = frozenset({"loss", "give", "take", "leave"})
_GOING = frozenset({"loss", "give"})
_COMING = frozenset({"gain", "make"})


def _untold(story: StoryTerms, answer: StrategyAnswer) -> str:
    """What came or went without a number: "He lost some of them. How many does he have?"."""
    asked = story.asked
    if answer.strategy in {"change", "start"}:
        return ""
    shared = answer.strategy in {"shared", "times", "groups"}
    for each in story.amounts:
        changing = each.kind in _CHANGING or "them" in each.flags
        gave_rest = each.kind in _AWAY and set(each.owners) & set(asked.owners)
        if gave_rest and "rest" in each.flags and answer.strategy == "state over time":
            # "She ate 9 and gave the rest to Bo. How many does she have?"
            return "What is left after the rest is gone was not understood."
        if each.value is not None or not changing or "rest" in each.flags:
            continue
        heads = {one.thing.head for one in story.amounts if one.index in answer.term.used}
        gone = (
            shared and each.kind in _AWAY and each.thing.head in heads and each.verb != asked.verb
        )
        state = asked.kind in {"state", "need"} or answer.strategy in {"need", "room", *_SUMS}
        mine = asks_for(story, each) or "part" in each.flags or each.thing.head in heads
        if answer.strategy in _SUMS and same_verb(each.verb, asked.verb):
            # "$5 on food, $9 on books and some on stationery"
            state = mine = True
        if gone or (state and mine):
            return (
                f"How many {each.thing.head} are meant where no number is given was not understood."
            )
    return ""


def _unpriced(used: Sequence[Amount]) -> str:
    """What was bought besides, without a number: "2 pens and a ruler", of which pens cost $3."""
    if not any(each.kind == "price" for each in used):
        return ""
    prices = {name for each in used if each.kind == "price" for name in each.owners}
    for each in used:
        besides = each.near - each.place - prices
        if each.kind == "gain" and not is_money(each.thing) and besides:
            return f"What “{sorted(besides)[0]}” costs was not understood."
    return ""


def _otherwise_done(story: StoryTerms, answer: StrategyAnswer, used: Sequence[Amount]) -> str:
    """Something is asked that nobody did: "They bought 5 and 3. How many did they sell?"."""
    asked = story.asked
    for each in used:
        if "denied" in each.flags and (
            each.compared
            or not any(
                one.index < each.index and one.thing == each.thing and "denied" not in one.flags
                for one in used
            )
        ):
            # "17 bags, but 8 of them not" are nine; "Ana does not have 5" says nothing.
            return "What is denied was not understood."
    kinds = {each.kind for each in used if each.per is None}
    other = (asked.kind in _GOING and kinds <= _COMING) or (
        asked.kind in _COMING and kinds <= _GOING
    )
    if (
        other
        and answer.strategy in {"everything", "one verb", "sum, times", "sum of products"}
        and not any(is_money(each.thing) for each in used)
    ):
        return f"The text says nothing about “{asked.verb}”, which is asked."
    return ""


_COMPARATIVES = frozenset(
    {"longer", "shorter", "taller", "heavier", "lighter", "higher", "lower", "deeper", "farther"}
)


def asked_head(story: StoryTerms) -> str:
    """The noun that is asked for; "" where the question leaves it out."""
    return story.asked.thing.head


def _of_their_own(story: StoryTerms, amount: Amount) -> bool:
    """Whether who loses something had it: what Ben ate, of whom no more is told, was Ana's."""
    owners = {*amount.owners}
    return owners <= {*story.people} and (
        amount.kind == "act"
        or any(
            owners & {*each.owners, each.receiver} and each.thing.head == amount.thing.head
            for each in story.known()
            if each.index != amount.index
        )
    )


def _there_as_well(amount: Amount) -> bool:
    """“There are 23 pies at the bakery. There are 67 buns.”: no other place is spoken of."""
    return (
        amount.verb == "be"
        and amount.kind == "state"
        and not amount.subject
        and not (amount.place or amount.near or amount.owners or amount.time)
    )


def _selecting(story: StoryTerms, answer: StrategyAnswer, used: Sequence[Amount]) -> str:
    """Whether a word of the question fits only some of the amounts that were put together."""
    asked = story.asked
    if answer.strategy not in {
        "same verb", "everything", "one verb", "sum, times", "sum of products", "state over time",
        "groups", "shared", "times", "accounts",
    }:  # fmt: skip
        return ""
    heads = {each.head for each in asked.things} | {asked.verb, ""}
    chosen = asked.words - heads - {word for thing in asked.things for word in thing.words}
    groups: dict[tuple[bool, str, str], list[Amount]] = {}
    for each in used:
        if described(each):
            continue
        groups.setdefault((each.per is None, each.kind, _group_head(story, each)), []).append(each)
    for group in groups.values():
        if len(group) < 2:
            continue
        beside = [around(each) for each in group]
        owners = [
            {*each.owners, each.source} | ({each.receiver} if each.kind != "act" else set())
            for each in group
        ]
        for word in sorted(chosen):
            fitting = sum(word in each for each in beside)
            others = [
                each for each, words_ in zip(group, beside, strict=True) if word not in words_
            ]
            if word in asked.place and all(map(_there_as_well, others)):
                continue
            if 0 < fitting < len(group) and not any(word in each for each in owners):
                return f"“{word}” of the question goes with a part of the numbers only."
    if answer.strategy in {"same verb", "everything"} and asked.place:
        told = {word for each in story.amounts for word in around(each)}
        strange = asked.place - told - {owner for each in story.amounts for owner in each.owners}
        if any(each.place for each in used) and is_money(used[0].thing) and strange:
            return f"“{sorted(strange)[0]}” of the question stands nowhere before."
    return ""


def _group_head(story: StoryTerms, amount: Amount) -> str:
    """What is put together in a sum: things that are asked for, or things of one noun."""
    things = story.asked.things
    if things and any(fits(thing, amount.thing) for thing in things):
        return ""
    return amount.thing.head


_ADDING = words.classes()["adding"]
_TAKING = words.classes()["taking"]
_GROUPING = words.classes()["grouping"]


def _against_words(
    story: StoryTerms, answer: StrategyAnswer, present: frozenset[str], beside: frozenset[str]
) -> str:
    """Second reader: the words alone say which operations are conceivable."""
    operations = answer.term.operations
    asked = story.asked
    taking = present & _TAKING or any(
        each.kind in {"loss", "give", "take", "leave"} for each in story.amounts
    )
    balanced = bool(_BALANCED & {*answer.strategy.split()})
    if "-" in operations and not taking and not balanced:
        return "Nothing in the words speaks of taking away."
    in_each = f"in one {asked.thing.head}"
    rate = any(
        each.per or each.generic or each.kind == "asked" or isinstance(each, DerivedAmount)
        or in_each in each.flags
        for each in story.amounts
        if each.index in answer.term.used
    )  # fmt: skip
    if operations & {"*", "/"} and not present & _GROUPING and not rate and not balanced:
        return "Nothing in the words speaks of equal groups."
    cues = {"each", "every", "per", "apiece", "equally", "evenly", "times", "twice"}
    if any(each.thing.head == "time" for each in story.amounts):
        cues.discard("times")
    times = any(each.times for each in story.amounts if each.index in answer.term.used)
    if not operations & {"*", "/"} and beside & cues and not times:
        return "“Each” or a word like it was not understood."
    if (
        asked.flags & {"left"}
        and operations == {"+"}
        and not any(
            each.kind in {"loss", "give", "leave", "take"}
            for each in story.amounts
            if each.index in answer.term.used
        )
    ) and "start" not in asked.flags:
        return "“Left” does not go with a sum."
    if (
        asked.flags & {"total"}
        and operations == {"-"}
        and answer.strategy not in {"state over time", "rest", "start"}
    ):
        return "A total does not go with a difference."
    return ""
