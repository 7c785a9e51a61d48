"""What things cost, what was bought of them, and the money before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from schoolmath.problems.stories import words
from schoolmath.problems.stories.amounts import Amount, Thing
from schoolmath.problems.stories.strategies.balances import Holding, NoBalance, Tie, total, work_out
from schoolmath.problems.stories.strategies.terms import (
    StoryTerms,
    StrategyAnswer,
    is_money,
    leaf,
)

_BUYS = frozenset({"buy", "purchase", "order", "get", "want", "need", "take"})
_PAYS = frozenset({"pay", "spend", "give", "hand"})
_CLERKS = frozenset({"cashier", "clerk", "shopkeeper", "salesman", "seller", "assistant"})
_WHERE = frozenset({"shop", "store", "market", "sale", "total", "mall", "supermarket"})
_NEVER = frozenset(
    {"number", "denied", "odd", "odd if", "each", "duration", "length", "other", "before"}
)


@dataclass(slots=True)
class _Shop:
    """A shop as a story tells of it.

    Attributes:
        story: what is told and asked.
        prices: of one of each thing.
        ties: what makes what.
        bought: what was spent, a quantity a purchase.
        purse: the money there was at first; None where nothing is told of it.
        left: the money there is afterwards.
        paid: the money handed over; change: what came back of it.
    """

    story: StoryTerms
    prices: dict[Thing, Holding] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)
    bought: list[Holding] = field(default_factory=list)
    purse: Holding | None = None
    left: Holding | None = None
    paid: Holding | None = None
    change: Holding | None = None

    def enter(self) -> None:
        """Enters all clauses of the story, in order."""
        told = [each for each in self.story.amounts if each.kind != "asked"]
        for _, clause in groupby(told, key=lambda each: (each.sentence, each.clause)):
            amounts = list(clause)
            for each in amounts:
                wrong = each.flags & {"denied", "part", "rest", "passive", "total", "each"}
                if wrong or each.value is None or (each.modals and each.kind != "need"):
                    raise NoBalance
                if each.per is not None and each.kind != "price":
                    raise NoBalance
            counted = all("counted" in each.flags for each in amounts)
            if any(each.kind == "price" for each in amounts) and not counted:
                self._price(amounts)
            elif not counted:
                self._deal(amounts)

    def _price(self, amounts: Sequence[Amount]) -> None:
        """“A pen costs $5”, “2 pens and a cap cost $9”, “a cap costs $3 more than a pen”."""
        money = [each for each in amounts if is_money(each.thing)]
        things = [each for each in amounts if each not in money]
        if len(money) != 1 or any(not each.subject for each in things):
            raise NoBalance
        price = money[0]
        items = list(map(Thing, price.owners))
        if (price.generic is not None and len(items) < 2) or price.per is not None:
            one = price.per or price.generic
            assert one is not None
            items = [one]
        if things and items and {each.thing.head for each in things} != {i.head for i in items}:
            raise NoBalance
        value = Holding(leaf(price))
        if price.compared or price.more or price.fewer:
            self._dearer(price, items, value)
        elif things:
            self.ties.append(Tie(tuple(map(self._cost, things)), value))
        elif items:
            self.ties.append(Tie(tuple(map(self._price_of, items)), value))
        else:
            raise NoBalance

    def _dearer(self, price: Amount, items: Sequence[Thing], value: Holding) -> None:
        than = price.than or Thing(price.than_owner)
        if len(items) != 1 or than.head in {"", "?", "it", "one", "other"} or price.per is not None:
            raise NoBalance
        if self._known(than) is self._known(items[0]) is not None:
            raise NoBalance
        one, other = self._price_of(items[0]), self._price_of(than)
        if price.times:
            self.ties.append(Tie((other, value), one, "*"))
        elif price.fewer:
            self.ties.append(Tie((one, value), other))
        elif price.more:
            self.ties.append(Tie((other, value), one))
        else:
            raise NoBalance

    def _known(self, item: Thing) -> Holding | None:
        """The price of a thing, where that is told of it and of no other that may be meant."""
        if item in self.prices:
            return self.prices[item]
        alike = [
            price
            for each, price in self.prices.items()
            if each.head == item.head and (each.words <= item.words or item.words <= each.words)
        ]
        return alike[0] if len(alike) == 1 else None

    def _price_of(self, item: Thing) -> Holding:
        found = self._known(item)
        if found is None:
            found = self.prices[item] = Holding()
        return found

    def _cost(self, amount: Amount) -> Holding:
        """What so many of a thing cost."""
        if not amount.thing.head and len(self.prices) == 1:
            amount = replace(amount, thing=next(iter(self.prices)))
        price = self._price_of(amount.thing)
        if amount.value == 1:
            return price
        cost = Holding()
        self.ties.append(Tie((Holding(leaf(amount)), price), cost, "*"))
        return cost

    def _deal(self, amounts: Sequence[Amount]) -> None:
        """What was bought, paid, had or left."""
        money = [each for each in amounts if is_money(each.thing)]
        things = [each for each in amounts if each not in money]
        if things and money:
            # "Mary bought 5 mangoes for $10."
            if len(money) > 1 or "prep for" not in money[0].flags:
                raise NoBalance
            cost = Holding(leaf(money[0]))
            self.ties.append(Tie(tuple(map(self._cost, things)), cost))
            self.bought.append(cost)
            return
        if things:
            if any(each.verb not in _BUYS for each in things):
                raise NoBalance
            self.bought.extend(map(self._cost, things))
            for each in things:
                # "2 clocks and a watch"
                self.bought.extend(self._price_of(Thing(one)) for one in sorted(each.near - _WHERE))
            return
        for each in money:
            items = list(map(Thing, each.owners))
            if each.compared and each.kind == "state" and any(map(self._known, items)):
                # "A pen cost $5, which was $2 more than a pencil."
                self._dearer(each, items, Holding(leaf(each)))
            else:
                self._money(each)

    def _money(self, amount: Amount) -> None:
        value = Holding(leaf(amount))
        if amount.per is not None or amount.compared or amount.more or amount.generic is not None:
            raise NoBalance
        if "change" in amount.near | amount.place | amount.thing.mods and amount.kind == "gain":
            self.change = value
        elif amount.kind == "state" and "left" in amount.flags and self.left is None:
            self.left = value
        elif amount.kind == "state" and self.purse is None and not self.bought:
            self.purse = value
        elif self._handed_over(amount) and self.paid is None:
            self.paid = value
        elif amount.verb == "spend" and amount.kind == "loss":
            self.bought.append(value)
            items = sorted((amount.near | amount.place) - _WHERE)
            if len(items) > 1:
                # "She spent $28 on a shirt and shorts."
                self.ties.append(Tie(tuple(self._price_of(Thing(one)) for one in items), value))
        else:
            raise NoBalance

    def _handed_over(self, amount: Amount) -> bool:
        """Whether it is the money that is given for what was bought."""
        words_here = {amount.receiver} | amount.near
        if amount.verb == "pay":
            return "prep for" not in amount.flags and not amount.near - {"cashier", "note", "bill"}
        return amount.verb in _PAYS and bool(words_here & _CLERKS)

    # --- asking -----------------------------------------------------------------------------------

    def asked(self) -> Holding | None:
        """The quantity that is asked for."""
        asked = self.story.asked
        counted = [
            each for each in self.story.amounts if each.kind == "asked" or "counted" in each.flags
        ]
        if counted:
            if asked.kind != "price" and "cost" not in asked.flags:
                return None
            if not all(self._known(each.thing) for each in counted) or "more" in asked.flags:
                return None
            return total(list(map(self._cost, counted)), self.ties)
        if "more" in asked.flags or "difference" in asked.flags:
            return self._difference()
        if asked.thing.head == "change":
            return self._back() if self.change is None else None
        if "left" in asked.flags and asked.flags & {"much", "money"}:
            return self._rest()
        if asked.flags & {"start"} and asked.flags & {"much", "money"}:
            return self._first()
        if asked.kind == "price" or "cost" in asked.flags:
            items = list(map(Thing, asked.owners)) or [e for e in asked.things if e.head != "total"]
            prices = [price for each in items if (price := self._known(each)) is not None]
            return total(prices, self.ties) if prices and len(prices) == len(items) else None
        if asked.verb in {"spend", "pay"} and self.bought and "much" in asked.flags:
            return total(self.bought, self.ties) if self.paid is None else None
        return None

    def _difference(self) -> Holding | None:
        asked = self.story.asked
        than = asked.than or Thing(asked.than_owner)
        if asked.kind != "price" or len(asked.owners) != 1:
            return None
        low, high = self._known(than), self._known(Thing(asked.owners[0]))
        if low is None or high is None or low is high:
            return None
        if "fewer" in asked.flags:
            low, high = high, low
        result = Holding()
        self.ties.append(Tie((low, result), high))
        return result

    def _back(self) -> Holding | None:
        if self.paid is None or not self.bought:
            return None
        self.change = Holding()
        self.ties.append(Tie((*self.bought, self.change), self.paid))
        return self.change

    def _rest(self) -> Holding | None:
        if self.purse is None or not self.bought or self.left is not None or self.paid is not None:
            return None
        self.left = Holding()
        self.ties.append(Tie((*self.bought, self.left), self.purse))
        return self.left

    def _first(self) -> Holding | None:
        if self.left is None or not self.bought or self.purse is not None or self.paid is not None:
            return None
        self.purse = Holding()
        self.ties.append(Tie((*self.bought, self.left), self.purse))
        return self.purse


def shopping(story: StoryTerms) -> StrategyAnswer | None:
    """Prices, purchases, and the money before and after."""
    asked = story.asked
    known = story.known()
    wants_money = asked.flags & {"much", "money", "cost"} or asked.thing.head == "change"
    if (
        not wants_money
        or asked.per is not None
        or asked.flags & _NEVER - {"number"}
        or asked.time
        or not 2 <= len(known) <= 10
        or any(each.time or each.thing.head in words.ANY_TIME for each in known)
        or len({each.thing.head for each in known if is_money(each.thing)}) > 1
        or len({name for each in known for name in each.owners if each.verb in _BUYS | _PAYS}) > 1
    ):
        return None
    shop = _Shop(story)
    try:
        shop.enter()
        term = work_out(shop.ties, shop.asked())
    except NoBalance:
        return None
    if term is None:
        return None
    # One of a thing costs what it costs: the 1 makes no step.
    term = replace(term, used=term.used | {each.index for each in known if each.value == 1})
    if {each.index for each in known} - term.used:
        return None
    compared = any(each.compared for each in story.amounts)
    return StrategyAnswer("comparisons, shopping" if compared else "shopping", term)
