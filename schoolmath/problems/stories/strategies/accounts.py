"""What balances: holdings over time, comparisons and totals, forwards and backwards.

The story is entered in `books`; here is what its question asks of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from schoolmath.problems.stories.amounts import Amount, StoryQuestion
from schoolmath.problems.stories.strategies.balances import Holding, NoBalance, Tie, total, work_out
from schoolmath.problems.stories.strategies.books import (
    EVERYBODY,
    NOBODY,
    Books,
    Stock,
    asks_first,
    where,
)
from schoolmath.problems.stories.strategies.terms import (
    StoryTerms,
    StrategyAnswer,
    counts,
    is_money,
    is_share,
    same_verb,
)

_NEVER = frozenset({"length", "duration", "odd if", "denied", "each", "odd", "if", "cost"})


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, of the accounts that a story has been entered in."""

    story: StoryTerms
    books: Books

    def asked(self) -> Holding | None:
        """The quantity that is asked for."""
        asked = self.story.asked
        if self.books.parts:
            return self._of_the_parts()
        if asks_first(self.story):
            return self._of_all(self.books.first, asked)
        if asked.kind not in {"state", "price", "need"} and "left" not in asked.flags:
            open_ = self._untold()
            if open_ is not None:
                return open_
            if any(
                each.kind not in {"gain", "make", "give"} for each in self.story.amounts
            ) or not (all(same_verb(each.verb, asked.verb) for each in self.story.amounts)):
                return None
        balances = self.books.first if asked.flags & {"start", "before"} else self.books.now
        if asked.flags & {"more", "difference"}:
            return self._difference(balances)
        return self._of_all(balances, asked)

    def _of_the_parts(self) -> Holding | None:
        """The part of a whole, or two of them, that the question names by what it is like."""
        asked = self.story.asked
        if "more" in asked.flags:
            before = asked.words - asked.than_words
            high, low = self._like(before), self._like(asked.than_words)
            if high is None or low is None or high is low:
                return None
            return self._less(low, high)
        if asked.flags & {"difference", "total"}:
            return None
        if asked.kind not in {"state", "act"}:
            doing = [q for each, q in self.books.parts if same_verb(each.verb, asked.verb)]
            return doing[0] if len(doing) == 1 else None
        return self._like(asked.words)

    def _like(self, named: frozenset[str]) -> Holding | None:
        """The one part that is as these words say."""
        common = frozenset(word for key in self.books.now for word in key.thing.words)
        found = []
        for each, quantity in self.books.parts:
            own = (
                each.like | each.thing.mods | ({each.thing.head} if each.kind != "rest" else set())
            )
            if (own - common - {"rest", ""}) & named:
                found.append(quantity)
        return found[0] if len(found) == 1 else None

    def _untold(self) -> Holding | None:
        """An amount that came or went and is not told."""
        asked = self.story.asked
        doing = [
            each
            for each in self.story.amounts
            if same_verb(each.verb, asked.verb)
            and (not asked.owners or set(asked.owners) & set(each.owners))
            and not each.compared
        ]
        untold = [
            each
            for each in doing
            if (each.value is None or is_share(each)) and each.index in self.books.entries
        ]
        if len(untold) != 1:
            return None
        one = untold[0]
        if len(doing) > 1 and not (one.near | one.place | {one.receiver}) & asked.words:
            return None
        thing = asked.thing
        if thing.head and not (counts(thing, one.thing) or counts(one.thing, thing)):
            return None
        return self.books.entries[one.index]

    def _difference(self, balances: dict[Stock, Holding]) -> Holding | None:
        """How much more one has than another, or of one thing than of another."""
        asked, than = self.story.asked, self.story.asked.than
        low: Holding | None = None
        if self.books.by_place and than is None and not asked.than_owner:
            return self._between_places(balances)
        if asked.than_owner and len(asked.owners) == 1:
            low = self._of_all(balances, replace(asked, owners=(asked.than_owner,)))
        elif than is not None and than.head in {key.holder for key in balances}:
            low = self._of_all(balances, replace(asked, owners=(than.head,)))
        elif than is not None and than.head:
            low = self._of_all(balances, replace(asked, things=[than], thing=than))
        high = self._of_all(balances, asked)
        if high is None or low is None or high is low:
            return None
        return self._less(high, low) if "fewer" in asked.flags else self._less(low, high)

    def _between_places(self, balances: dict[Stock, Holding]) -> Holding | None:
        """How much more is in one place than in another."""
        asked = self.story.asked
        sides: list[Holding | None] = []
        for said in (asked.than_words, asked.words - asked.than_words):
            holders = {key.holder for key in balances}
            shared = frozenset.intersection(*(frozenset(each.split()) for each in holders))
            here = [each for each in holders if ({*each.split()} - shared) & said]
            if len(here) != 1:
                return None
            keys = [key for key in balances if key.holder == here[0]]
            keys = [key for key in keys if self._asks_for(key, asked, balances)]
            sides.append(total([balances[key] for key in keys], self.books.ties) if keys else None)
        low, high = sides
        if low is None or high is None or low is high:
            return None
        return self._less(high, low) if "fewer" in asked.flags else self._less(low, high)

    def _less(self, low: Holding, high: Holding) -> Holding:
        """How much more the high one is."""
        result = Holding()
        self.books.ties.append(Tie((low, result), high))
        return result

    def _of_all(self, balances: dict[Stock, Holding], question: StoryQuestion) -> Holding | None:
        """The sum of the accounts that a question is about."""
        whose = [each for each in question.owners if each not in NOBODY]
        keys = [key for key in balances if self._asks_for(key, question, balances)]
        if any(key.holder == EVERYBODY for key in keys):
            keys = [key for key in keys if key.holder == EVERYBODY]
        elif whose:
            anybody = set() if self.books.names else {""}
            keys = [key for key in keys if key.holder in {*whose, *anybody}]
            if {*whose} - {key.holder for key in keys} and self.books.names:
                return None
        elif self.books.by_place and (question.place or question.time):
            here = [
                key
                for key in keys
                if key.holder == where(frozenset(question.place | question.time))
            ]
            if here or not (question.words & {"both", "all"} or self._all_places()):
                keys = here
        several = len({key.holder for key in keys}) > 1
        together = len(whose) > 1 or question.owners or "total" in question.flags
        if not keys or (several and not whose and not together and not self.books.by_place):
            return None
        if several and not whose and {key.holder for key in keys} < self.books.names:
            return None
        return total([balances[key] for key in keys], self.books.ties)

    def _asks_for(
        self, key: Stock, question: StoryQuestion, balances: dict[Stock, Holding]
    ) -> bool:
        """Whether an account is of what is asked for: of its kinds where it has none itself."""
        things = [each for each in question.things or [question.thing] if each.head]
        if not things:
            return is_money(key.thing) == bool(question.flags & {"much", "money"})
        heads = {each.thing.head for each in balances if each.holder == key.holder}
        return any(
            counts(each, key.thing) and (key.thing.head == each.head or each.head not in heads)
            for each in things
        )

    def _all_places(self) -> bool:
        """Whether the question counts the places: "in the 2 rooms"."""
        return any(
            self.counts_the_places(each) for each in self.story.amounts if each.kind == "asked"
        )

    def counts_the_places(self, amount: Amount) -> bool:
        """Whether a number of the question says how many places there are: "in the 2 classes"."""
        places = {key.holder for key in self.books.first if amount.thing.head in key.holder.split()}
        return len(places) == amount.value and len(places) > 1


def _as_held(story: StoryTerms) -> StoryTerms:
    """What everybody did, where nothing else is told, as what everybody has of it."""
    asked = story.asked
    told = [each for each in story.amounts if each.kind != "asked"]
    if (
        asked.kind in {"state", "price", "need"}
        or "left" in asked.flags
        or not any(each.compared for each in told)
        or not all(same_verb(each.verb, asked.verb) and not each.receiver for each in told)
    ):
        return story
    held = tuple(replace(each, kind="state", verb="have") for each in told)
    return replace(story, amounts=held, asked=replace(asked, kind="state", verb="have"))


def accounts(story: StoryTerms) -> StrategyAnswer | None:
    """What balances: holdings over time, comparisons and totals, forwards and backwards."""
    asked = story.asked
    if asked.per is not None or asked.flags & _NEVER:
        return None
    if asked.than_words & {"those", "that", "who"}:
        # "How many more got off than those that got on?"
        return None
    placed = frozenset[str]().union(*(each.place for each in story.amounts))
    if asked.time and not asked.time <= placed | {"both", ""}:
        return None
    if not 2 <= len(story.known()) <= 8 or len(story.amounts) > 10:
        return None
    story = _as_held(story)
    asked = story.asked
    timed = [each for each in story.amounts if each.time]
    if any(each.kind in {"state", "act"} or each.compared for each in timed):
        return None
    books = Books(story)
    question = _Question(story, books)
    try:
        books.enter_all()
        term = work_out(books.ties, question.asked())
    except NoBalance:
        return None
    if term is None:
        return None
    for each in story.amounts:
        if each.kind == "asked" and each.index not in term.used:
            if not question.counts_the_places(each):
                return None
            term = replace(term, used=term.used | {each.index})
    term = replace(term, used=term.used | books.everybody)
    elsewhere = [each for each in story.amounts if each.place and not each.place & asked.place]
    if asked.kind == "state" and asked.place and elsewhere and not books.by_place:
        # "5 pens at home ... 3 pens at school. How many at home?"
        return None
    if any(map(is_share, story.amounts)) and term.value.denominator != 1:
        # A fifth of 24 figs: the story is not understood, or not about whole figs.
        return None
    if {each.index for each in story.known()} - term.used:
        return None
    if any(each.compared for each in story.amounts):
        return StrategyAnswer("comparisons, accounts", term)
    return StrategyAnswer("accounts of places" if books.by_place else "accounts", term)
