"""A run never begins what its budget may not bear to the end."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)

from biaslab.models import GenerationRequest, LikelihoodRequest, Message, Sampling
from biaslab.models.counting import CountedHow, TokenCount
from biaslab.models.prices import Price, cost
from biaslab.runs.engine.budget import Budget, BudgetError, Meter, Use

PRICE = Price(
    Decimal("0.15"), Decimal("0.60"), "USD", "a page", datetime.date(2026, 9, 13), Decimal("0.5")
)

limits = st.none() | st.integers(0, 2_000)
budgets = st.builds(
    Budget, st.none() | st.integers(0, 12), limits, st.none() | st.decimals(0, "0.002", places=7)
)


class Meters(RuleBasedStateMachine):
    """Requests come and go in any order; each comes to no more than its most."""

    on_way: Bundle[tuple[str, int, int]] = Bundle("on_way")

    @initialize(
        budget=budgets,
        used=st.builds(Use, st.integers(0, 4), st.integers(0, 400), st.integers(0, 400)),
        batch=st.booleans(),
    )
    def begin(self, budget: Budget, used: Use, batch: bool) -> None:
        self.budget, self.batch, self.before = budget, batch, used
        self.meter = Meter(
            budget, PRICE, used.requests, used.tokens_in, used.tokens_out, batch=batch
        )
        self.used, self.number, self.waiting = used, 0, 0

    @rule(target=on_way, sent=st.integers(0, 300), most=st.integers(0, 300))
    def send(self, sent: int, most: int) -> tuple[str, int, int]:
        key = f"r{self.number}"
        self.number += 1
        allowed = self.meter.allows(sent, most)
        assert self.meter.reserve_tokens(key, sent, most) is allowed
        alone = self.within(self.used + Use(1, sent, most))
        assert alone or not allowed
        if self.waiting == 0:
            assert allowed is alone
        if not allowed:
            assert "resume the run with a larger budget" in self.meter.exhausted_reason()
            return ("", 0, 0)
        self.waiting += 1
        return (key, sent, most)

    @rule(request=consumes(on_way), share=st.floats(0, 1))
    def answer(self, request: tuple[str, int, int], share: float) -> None:
        key, sent, most = request
        if key:
            written = round(share * most)
            self.meter.commit(key, sent, written)
            uncounted = sent == written == 0
            self.used += Use(1, sent, most if uncounted else written)
            self.waiting -= 1

    @rule(request=consumes(on_way))
    def fail(self, request: tuple[str, int, int]) -> None:
        if request[0]:
            self.meter.release(request[0])
            self.waiting -= 1

    @invariant()
    def the_budget_is_kept(self) -> None:
        if not hasattr(self, "meter"):
            return
        assert self.meter.used == self.used
        assert self.meter.on_way == self.waiting
        assert self.meter.spent == cost(
            PRICE, self.used.tokens_in, self.used.tokens_out, self.batch
        )
        assert self.within(self.used) or self.used == self.before

    def within(self, use: Use) -> bool:
        budget, spent = self.budget, cost(PRICE, use.tokens_in, use.tokens_out, self.batch)
        return (
            (budget.requests is None or use.requests <= budget.requests)
            and (budget.tokens is None or use.tokens_in + use.tokens_out <= budget.tokens)
            and (budget.money is None or spent <= budget.money)
        )


TestMeters = Meters.TestCase


def written(most: int, text: str = "a" * 40) -> GenerationRequest:
    return GenerationRequest((Message("text", text),), Sampling(most))


class EveryText:
    """Counts 10 tokens, and 30 at most, whatever is sent."""

    def count(self, _request: object) -> TokenCount:
        return TokenCount(10, CountedHow.RULE, "A simulation.", 30)


class TestRequests:
    def test_are_set_aside_at_the_most_that_they_can_come_to(self) -> None:
        meter = Meter(Budget(tokens=100), counter=EveryText())
        assert meter.reserve("a", written(50))
        assert not meter.reserve("b", written(50))
        meter.commit("a", 10, 5)
        assert meter.reserve("b", written(50))

    def test_for_probabilities_count_a_token_for_each_continuation(self) -> None:
        request = LikelihoodRequest((Message("text", "3 + 4 ="),), (" 7", " 8"))
        assert Meter(Budget(tokens=32), counter=EveryText()).reserve("a", request)
        assert not Meter(Budget(tokens=31), counter=EveryText()).reserve("a", request)

    def test_without_a_counter_are_counted_by_a_cautious_rule_of_thumb(self) -> None:
        assert not Meter(Budget(tokens=60)).reserve("a", written(40, "a" * 60))

    def test_that_a_server_did_not_count_are_taken_at_their_most(self) -> None:
        meter = Meter(Budget(tokens=100), counter=EveryText())
        meter.reserve("a", written(50))
        meter.commit("a", 0, 0)
        assert meter.used == Use(1, 30, 50)

    def test_are_known_by_one_key(self) -> None:
        meter = Meter(Budget(requests=5))
        meter.reserve("a", written(1))
        with pytest.raises(ValueError, match="on its way already"):
            meter.reserve("a", written(1))
        with pytest.raises(KeyError):
            meter.commit("b", 1, 1)
        with pytest.raises(KeyError):
            meter.release("b")


class TestWithoutLimit:
    @given(st.integers(0, 10**9), st.integers(0, 10**9))
    def test_everything_is_allowed(self, sent: int, most: int) -> None:
        assert Meter(Budget()).allows(sent, most)
        assert not Budget().is_limited

    def test_what_was_spent_is_known_with_a_price_only(self) -> None:
        assert Meter(Budget(), None, 1, 10, 10).spent is None
        assert Meter(Budget(), PRICE, 1, 10**6, 0).spent == Decimal("0.15")


class TestSentences:
    def test_a_budget_in_money_without_a_price_is_refused(self) -> None:
        with pytest.raises(BudgetError, match=r"Enter the price of a million tokens"):
            Meter(Budget(money=Decimal(1)))

    @pytest.mark.parametrize(
        "given_budget",
        [{"requests": -1}, {"tokens": -5}, {"money": Decimal("-0.01")}, {"money": Decimal("NaN")}],
    )
    def test_a_budget_that_makes_no_sense_is_refused(self, given_budget: dict[str, int]) -> None:
        with pytest.raises(BudgetError, match="give 0 or more"):
            Budget(**given_budget)

    def test_a_used_up_budget_says_what_was_used_of_what_and_what_to_do(self) -> None:
        meter = Meter(Budget(requests=3), None, used_requests=3)
        assert meter.exhausted_reason() == ""
        assert not meter.reserve("a", written(1))
        assert meter.exhausted_reason() == (
            "The budget of this run is used up: 3 of 3 requests, and the next request might go "
            "beyond. Everything answered so far is saved; resume the run with a larger budget to "
            "ask the rest."
        )

    def test_money_and_tokens_are_told_together(self) -> None:
        budget = Budget(tokens=1_000_100, money=Decimal("0.151"))
        meter = Meter(budget, PRICE, 2, 1_000_000, 0)
        assert not meter.reserve_tokens("a", 100, 5_000)
        assert "1,000,000 of 1,000,100 tokens and 0.1500 USD of 0.1510 USD" in (
            meter.exhausted_reason()
        )

    def test_a_batch_costs_less(self) -> None:
        budget = Budget(money=Decimal("0.075"))
        assert not Meter(budget, PRICE).allows(1_000_000, 0)
        assert Meter(budget, PRICE, batch=True).allows(1_000_000, 0)
