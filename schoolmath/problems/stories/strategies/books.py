"""Who has how much of what, kept like accounts: what is unknown follows from what balances.

Every amount of a story is entered in order: what somebody has is a balance, what comes or goes
leads from one balance to the next, a comparison ties two of them, a total ties several. Each entry
says that some quantities make another one; whatever follows from that, forwards or backwards, is
worked out. An amount that has no certain place ends it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, StoryQuestion, Thing
from schoolmath.problems.stories.strategies.balances import Holding, NoBalance, Tie, total
from schoolmath.problems.stories.strategies.changes import EARLIER, WORKED, sign_of, unreal
from schoolmath.problems.stories.strategies.terms import (
    StoryTerms,
    Term,
    counts,
    is_kind,
    is_money,
    is_share,
    joined_with,
    leaf,
    same_verb,
)

NOBODY = frozenset({"they", "we", "it", "there", "both", "you"})
_VAGUE = frozenset({"?", "", "one", "other", "that", "it", "first", "second"})
_IN_A_PLACE = {"loss": -1, "leave": -1, "put": 1, "come": 1}
_REMAINING = frozenset({"remaining", "remainder", "rest", "left"})
EVERYBODY = "*"
"""The holder of what all have together."""


@dataclass(frozen=True, slots=True)
class Stock:
    """Whose account, and of what.

    Attributes:
        holder: a name, a place, `EVERYBODY`; "" for what is nobody's.
        thing: what is counted.
    """

    holder: str
    thing: Thing


@dataclass(slots=True)
class Books:
    """The accounts of a story.

    Attributes:
        story: what is told and asked.
        now, first: the balances as they are and as they were.
        ties: what makes what.
        entries: the quantities of the amounts that are told, by their index.
        parts: the kinds that a whole is said to be made of, with their amounts.
        changed: the accounts in which something came or went.
        clauses: in which clause an account was opened.
        nobodys: accounts of what is somewhere, and nobody's.
        bases: of what a share is, by the sentence that says so.
        names: who is named.
        everybody: the amount that says how many they are.
        by_place: whether what nobody has is told apart by where it is.
        told_rest: whether the story speaks of the rest.
    """

    story: StoryTerms
    now: dict[Stock, Holding] = field(default_factory=dict)
    first: dict[Stock, Holding] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)
    entries: dict[int, Holding] = field(default_factory=dict)
    parts: list[tuple[Amount, Holding]] = field(default_factory=list)
    changed: set[Stock] = field(default_factory=set)
    clauses: dict[Stock, int] = field(default_factory=dict)
    nobodys: set[Stock] = field(default_factory=set)
    bases: dict[tuple[Stock, int], Holding] = field(default_factory=dict)
    names: frozenset[str] = frozenset()
    everybody: frozenset[int] = frozenset()
    by_place: bool = False
    told_rest: bool = False

    def enter_all(self) -> None:
        """Enters every amount, in order.

        Raises:
            NoBalance: an amount has no certain place.
        """
        amounts = self.story.amounts
        names = {
            name for each in amounts for name in (*each.owners, each.than_owner, each.receiver)
        }
        self.names = frozenset(names) - NOBODY - words.KIN - {""}
        places = {each.place for each in amounts if each.place and not each.owners}
        labelled = [*places, *(frozenset(name.split()) for name in self.names)]
        self.by_place = len(places) > 1 or any(map(label_of, labelled))
        self.told_rest = any("rest" in each.flags for each in amounts)
        for each in amounts:
            if each.kind != "asked":
                self._enter(each)

    def _enter(self, amount: Amount) -> None:
        if amount.per is not None or amount.flags & {"each", "denied", "condition denied"}:
            raise NoBalance
        generic = amount.generic
        if generic is not None and any(
            each.thing.head == generic.head for each in self.story.amounts
        ):
            # "A box holds 6", of several boxes.
            raise NoBalance
        if unreal(amount, self.story.asked) or amount.thing.head in words.ANY_TIME:
            raise NoBalance
        if not amount.thing.head and self.now:
            amount = replace(amount, thing=next(reversed(self.now)).thing)
        if "rest" in amount.flags:
            self._rest(amount)
        elif amount.compared:
            self._compare(amount)
        elif "left" not in amount.flags and (
            "described" in amount.flags or self._of_a_whole(amount)
        ):
            self._part(amount)
        elif amount.kind in {"state", "price"}:
            self._state(amount)
        else:
            self._change(amount)

    def _value(self, amount: Amount) -> Holding:
        found = self.entries.get(amount.index)
        if found is None and is_share(amount):
            found = self.entries[amount.index] = self._share(amount)
        if found is None:
            found = Holding(None if amount.value is None else leaf(amount))
            self.entries[amount.index] = found
        return found

    def _share(self, amount: Amount) -> Holding:
        """A part of what somebody has: of what there was when the sentence began."""
        assert amount.value is not None
        holder = self._holder(amount)
        if amount.owners and not any(key.holder == holder for key in self.now):
            (holder,) = {key.holder for key in self.now} or {holder}
        if "elliptic" in amount.flags and sum(key.holder == holder for key in self.now) > 1:
            # "40 red and 20 green sweets. She ate 1/2 of them": of all of them, or of the last?
            raise NoBalance
        key = self._kept(Stock(holder, _plain(amount.thing)))
        base = self.bases.get((key, amount.sentence))
        if base is None:
            if key not in self.now or (
                key in self.changed and not _REMAINING & self.story.told_words
            ):
                raise NoBalance
            base = self.bases[key, amount.sentence] = self.now[key]
        parts = Holding(Term(Fraction(amount.value.denominator), frozenset({amount.index})))
        one = Holding()
        self.ties.append(Tie((one, parts), base, "*"))
        if amount.value.numerator == 1:
            return one
        share = Holding()
        self.ties.append(Tie((one, Holding(Term(Fraction(amount.value.numerator)))), share, "*"))
        return share

    def _state(self, amount: Amount) -> None:
        if ("part" in amount.flags and "left" not in amount.flags) or amount.more or amount.fewer:
            raise NoBalance
        owners = [each for each in amount.owners if each not in NOBODY]
        if self._counts_everybody(amount):
            self.everybody = frozenset({amount.index})
            return
        value = self._value(amount)
        if self.everybody and "total" in amount.flags and not amount.owners:
            self._total(amount, sorted(self.names), value)
            return
        if len(owners) > 1 or set(amount.owners) & NOBODY:
            self._total(amount, owners, value)
            return
        key = Stock(self._holder(amount), _plain(amount.thing))
        joined = sorted(joined_with(self.story, amount))
        if joined:
            # "24 boys and girls"
            keys = [key, *(Stock(key.holder, Thing(each)) for each in joined)]
            self.ties.append(Tie(tuple(map(self._balance, keys)), value))
            return
        known = self._known(key)
        if known is None:
            if not amount.owners:
                self.nobodys.add(key)
            if amount.flags & {"left", "now"} or self.parts:
                raise NoBalance
            self.now[key] = self.first[key] = value
            self.clauses[key] = amount.clause
        elif "start" in amount.flags:
            self.ties.append(Tie((self.first[self._kept(key)],), value))
        elif self._kept(key) in self.changed:
            compared = any(each.compared for each in self.story.amounts)
            if compared and not amount.flags & {"left", "now"}:
                # "Ed had 12 more than Doug. Ed lost 20. If Ed had 17 ...": then or before?
                raise NoBalance
            self.ties.append(Tie((known,), value))
        elif known.term is None:
            self.ties.append(Tie((known,), value))
        else:
            raise NoBalance

    def _counts_everybody(self, amount: Amount) -> bool:
        """“The 3 boys have a total of ...”, of three who are named."""
        return (
            "definite" in amount.flags
            and not amount.owners
            and amount.value == len(self.names) > 1
            and is_kind("person", amount.thing.head)
        )

    def _total(self, amount: Amount, owners: Sequence[str], value: Holding) -> None:
        """So much that several have together."""
        whose = owners or self._holders_of(_plain(amount.thing))
        alone = any(
            set(each.owners) < set(whose) or each.compared
            for each in self.story.known()
            if each is not amount
        )
        if not alone or len(whose) < 2 or not (owners or "total" in amount.flags):
            raise NoBalance
        keys = [Stock(each, _plain(amount.thing)) for each in whose]
        self.ties.append(Tie(tuple(map(self._balance, keys)), value))

    def _change(self, amount: Amount) -> None:
        """What comes to somebody, goes, or passes from one to another."""
        if amount.kind == "take" or amount.flags & {"total"} or self.parts:
            raise NoBalance
        if joined_with(self.story, amount):
            raise NoBalance
        if (
            amount.modals[-1:] == ("had",)
            or amount.time & EARLIER
            or (amount.verb in WORKED and not amount.more)
        ):
            # "Last year she sold 5"; what was folded may have been there.
            raise NoBalance
        value = self._value(amount)
        moved = list(self._moved(amount))
        for holder, sign in moved:
            key = Stock(holder, _plain(amount.thing))
            before, after = self._known(key), Holding()
            if before is None:
                self._open(key, amount, sign, value)
                continue
            key = self._kept(key)
            if sign > 0 and key in self.nobodys and {*amount.owners} & self.names:
                # "15 apples on a tree. Ann picks 6 apples": no more are on it.
                raise NoBalance
            if key.thing != _plain(amount.thing) and self.clauses.get(key) == amount.clause:
                # "56 pastries and 124 cakes": two kinds, whatever a cake is.
                raise NoBalance
            self.ties.append(
                Tie((before, value), after) if sign > 0 else Tie((after, value), before)
            )
            self.now[key] = after
            self.changed.add(key)
        if not moved:
            raise NoBalance

    def _moved(self, amount: Amount) -> Iterator[tuple[str, int]]:
        """Whose accounts an amount changes, and whether it adds to them."""
        here = {*amount.owners, amount.receiver, amount.source} & self.names
        here |= {key.holder for key in self.now} & set(amount.owners)
        found = False
        place = where(amount.place) if self.by_place else ""
        known = {key.holder for key in self.now}
        if place and place in known and not here & known and amount.kind in _IN_A_PLACE:
            # "Ann takes 4 pens out of box A."
            yield place, _IN_A_PLACE[amount.kind]
            return
        for name in sorted(here) or ([""] if "" in known or not known else []):
            sign = sign_of(amount, _of(name, amount.thing))
            if sign:
                found = True
                yield name, sign
        if not found and known and not here & known and not amount.owners:
            # "12 cars drive out", of the only ones there are, or of all of them.
            name = next(iter(known)) if len(known) == 1 else self._all(amount)
            sign = sign_of(amount, _of("", amount.thing))
            if sign:
                yield name, sign

    def _all(self, amount: Amount) -> str:
        """The holder of what all have together, where the question is about all of them."""
        asked, thing = self.story.asked, _plain(amount.thing)
        keys = [key for key in self.now if counts(thing, key.thing) or counts(key.thing, thing)]
        everybody = {key.holder for key in self.now}
        if {key.holder for key in keys} != everybody or self.names - everybody:
            raise NoBalance
        if not ({"both", "total", "all"} & asked.words or asked.flags & {"total"}) and asked.owners:
            raise NoBalance
        key = Stock(EVERYBODY, thing)
        self.first[key] = total([self.first.pop(each) for each in keys], self.ties)
        self.now[key] = total([self.now.pop(each) for each in keys], self.ties)
        return EVERYBODY

    def _open(self, key: Stock, amount: Amount, sign: int, value: Holding) -> None:
        """The first entry of an account: nothing was there before what is bought or made."""
        given = amount.kind == "give" and key.holder == amount.receiver
        if given or self.story.asked.flags & {"start", "before"} or asks_first(self.story):
            first, after = Holding(), Holding()
            self.first[key] = first
            self.ties.append(Tie((first, value), after) if sign > 0 else Tie((after, value), first))
            self.now[key] = after
        elif sign > 0 and amount.kind in {"gain", "make"}:
            self.now[key] = self.first[key] = value
            self.clauses[key] = amount.clause
            return
        else:
            raise NoBalance
        self.clauses[key] = amount.clause
        self.changed.add(key)

    def _compare(self, amount: Amount) -> None:
        """So many more than another, or so many times as many."""
        if amount.kind in {"give", "take", "leave", "come"} or (
            amount.flags & {"part", "left", "total", "passive"}
        ):
            raise NoBalance
        others = {each.kind for each in self.story.amounts if each.kind != "asked"}
        if amount.kind not in {"state", "price"} and others != {amount.kind}:
            # "Mia has 24. Omar gets 18 more than Mia": than Mia has, or gets?
            raise NoBalance
        owners = [each for each in amount.owners if each not in NOBODY]
        if len(owners) > 1:
            raise NoBalance
        thing, than = _plain(amount.thing), amount.than
        if amount.than_place and self.by_place:
            mine = Stock(where(amount.place), thing)
            theirs = Stock(where(amount.than_place), thing)
        elif than is not None and label_of(than.words) and owners:
            mine, theirs = Stock(owners[0], thing), Stock(where(than.words), thing)
        elif than is None:
            if not owners or amount.than_owner not in self.names:
                raise NoBalance
            mine, theirs = Stock(owners[0], thing), Stock(amount.than_owner, thing)
        elif than.head in _VAGUE:
            raise NoBalance
        elif amount.kind == "price" or than.head in {key.holder for key in self.now}:
            if len(owners) != 1:
                raise NoBalance
            mine, theirs = Stock(owners[0], thing), Stock(than.head, thing)
        else:
            holder = self._holder(amount)
            mine, theirs = Stock(holder, thing), Stock(holder, _plain(than))
        if mine == theirs or (amount.times and (amount.more or amount.fewer)):
            raise NoBalance
        one, other = self._balance(mine), self._balance(theirs)
        if amount.times and is_share(amount):
            self._compared_share(amount, one, other)
            return
        value = self._value(amount)
        if amount.times:
            self.ties.append(Tie((other, value), one, "*"))
        elif amount.fewer:
            self.ties.append(Tie((one, value), other))
        elif amount.more:
            self.ties.append(Tie((other, value), one))
        else:
            raise NoBalance

    def _compared_share(self, amount: Amount, one: Holding, other: Holding) -> None:
        """Half as many: of each 2 of the other."""
        assert amount.value is not None
        top, bottom = amount.value.numerator, amount.value.denominator
        parts = Holding(Term(Fraction(bottom), frozenset({amount.index})))
        unit = one if top == 1 else Holding()
        self.ties.append(Tie((unit, parts), other, "*"))
        if top != 1:
            self.ties.append(Tie((unit, Holding(Term(Fraction(top)))), one, "*"))

    def _of_a_whole(self, amount: Amount) -> bool:
        """Whether it counts some of what was told before, since the rest is told as well."""
        return (
            self.told_rest
            and amount.kind in {"state", "act"}
            and any(
                key.thing.head != amount.thing.head and is_kind(key.thing.head, amount.thing.head)
                for key in self.now
            )
        )

    def _part(self, amount: Amount) -> None:
        """One of the kinds that a whole is made of."""
        if not self.told_rest or len(self.now) != 1 or self.changed or amount.value is None:
            raise NoBalance
        (whole,) = self.now
        like = frozenset[str]().union(*(each.like for each, _ in self.parts))
        if not counts(whole.thing, amount.thing) or amount.thing.mods & like:
            # "9 bikes", of 24 cars; "4 of the blue ones", of which 9 were told.
            raise NoBalance
        self.parts.append((amount, self._value(amount)))

    def _rest(self, amount: Amount) -> None:
        """What is left of a whole without its parts, or after what went."""
        quantity = self._value(amount)
        if len(self.now) != 1:
            raise NoBalance
        (whole,) = self.now.values()
        parts = tuple(each for _, each in self.parts)
        if not parts and not self.changed:
            raise NoBalance
        self.ties.append(Tie((*parts, quantity), whole))
        self.parts.append((amount, quantity))

    def _holder(self, amount: Amount) -> str:
        owners = [each for each in amount.owners if each not in NOBODY]
        if len(owners) > 1:
            raise NoBalance
        if owners:
            return owners[0]
        if self.by_place:
            return where(amount.place)
        return next(iter(self.names)) if len(self.names) == 1 else ""

    def _holders_of(self, thing: Thing) -> list[str]:
        return list(dict.fromkeys(key.holder for key in self.now if counts(thing, key.thing)))

    def _kept(self, key: Stock) -> Stock:
        """The account that a thing of a holder is kept in."""
        if key in self.now:
            return key
        wider = [
            each for each in self.now if each.holder == key.holder and counts(each.thing, key.thing)
        ]
        if len(wider) > 1:
            raise NoBalance
        return wider[0] if wider else key

    def _known(self, key: Stock) -> Holding | None:
        """What somebody has of a thing now; all its kinds together where those are told."""
        own = self._kept(key)
        if own in self.now:
            return self.now[own]
        kinds = [
            each for each in self.now if each.holder == key.holder and counts(key.thing, each.thing)
        ]
        if not kinds:
            return None
        self.now[key] = total([self.now.pop(each) for each in kinds], self.ties)
        self.first[key] = total([self.first.pop(each) for each in kinds], self.ties)
        if self.changed & {*kinds}:
            self.changed.add(key)
        return self.now[key]

    def _balance(self, key: Stock) -> Holding:
        """What somebody has of a thing; unknown as yet where nothing is told."""
        found = self._known(key)
        if found is None:
            found = self.now[key] = self.first[key] = Holding()
        return found


def asks_first(story: StoryTerms) -> bool:
    """“She gave 5 away and has 4 left. How many did she buy?”: what she had at first."""
    asked, amounts = story.asked, story.amounts
    return (
        asked.kind in {"gain", "make"}
        and not asked.flags & {"more", "left", "total"}
        and not any(same_verb(each.verb, asked.verb) for each in amounts)
        and all(each.kind in {"state", "loss", "give"} for each in amounts)
        and any("left" in each.flags for each in amounts)
    )


def _of(holder: str, thing: Thing) -> StoryQuestion:
    """“How many has she?”, as `sign_of` is asked."""
    owners = (holder,) if holder else ()
    return StoryQuestion(thing=thing, things=[thing], kind="state", verb="have", owners=owners)


def _plain(thing: Thing) -> Thing:
    return Thing("dollar") if is_money(thing) and thing.head != "cent" else thing


def label_of(place: frozenset[str]) -> str:
    """The letter of "box A"; "" where there is none."""
    return next((each for each in place if len(each.strip("_")) == 1), "")


def where(place: frozenset[str]) -> str:
    """A place as a holder, named as it is where it is the subject: "box b"."""
    label = label_of(place)
    rest = sorted(place - {label})
    return " ".join([*rest, label] if label else rest)
