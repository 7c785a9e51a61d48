"""What a run may use at most, and what it has used: it never begins what it may not finish.

A request on its way is counted at the most that it can come to, until what it did come to is
known. So a run stays within its budget as far as the counts of tokens are right: where a
model's tokenizer is not here they are estimates on the safe side (see `biaslab.models.counting`).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from biaslab.models import LikelihoodRequest
from biaslab.models.counting import LengthCounter, TokenCounter
from biaslab.models.prices import Price, cost, write_amount
from biaslab.runs.errors import RunError
from biaslab.studies.study import Request

USED_UP = "The budget of this run is used up"
"""How the message of a run begins that ended for want of budget."""


class BudgetError(RunError):
    """Such a budget cannot be kept."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may use at most, over all times that it is started. None: no limit.

    Attributes:
        requests: requests that are answered for this run. Answers that are in the file already
            cost nothing and do not count.
        tokens: tokens sent and written together.
        money: in the currency of the run's price.
    """

    requests: int | None = None
    tokens: int | None = None
    money: Decimal | None = None

    def __post_init__(self) -> None:
        for name, limit in (
            ("requests", self.requests),
            ("tokens", self.tokens),
            ("money", self.money),
        ):
            if limit is not None and not (Decimal(limit).is_finite() and limit >= 0):
                raise BudgetError(f"A budget of {limit} {name} makes no sense: give 0 or more.")

    @property
    def is_limited(self) -> bool:
        """Whether there is any limit at all."""
        return any(limit is not None for limit in (self.requests, self.tokens, self.money))


@dataclass(frozen=True, slots=True)
class Use:
    """So many requests with so many tokens."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Use) -> Use:
        """Both together."""
        return Use(
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )

    def __sub__(self, other: Use) -> Use:
        """What is left without the other."""
        return Use(
            self.requests - other.requests,
            self.tokens_in - other.tokens_in,
            self.tokens_out - other.tokens_out,
        )


class Meter:
    """Keeps a run within its budget. Used from one thread.

    Args:
        budget: what it may use.
        price: what tokens cost; None where nobody has said.
        used_requests: what it has used already, before it was resumed.
        used_tokens_in: tokens sent by then.
        used_tokens_out: tokens written by then.
        counter: counts the tokens of a request; the rule of thumb by default.
        batch: whether the requests have the price of batches.
        of_day: whether the budget is less than the run's own, being what a day leaves its host.

    Raises:
        BudgetError: a budget in money without a price.
    """

    def __init__(
        self,
        budget: Budget,
        price: Price | None = None,
        used_requests: int = 0,
        used_tokens_in: int = 0,
        used_tokens_out: int = 0,
        *,
        counter: TokenCounter | None = None,
        batch: bool = False,
        of_day: bool = False,
    ) -> None:
        if budget.money is not None and price is None:
            raise BudgetError(
                "A budget in money needs to know what tokens cost. Enter the price of a million "
                "tokens, or give the budget in tokens or requests."
            )
        self._budget = budget
        self._price = price
        self._batch = batch
        self._of_day = of_day
        self._counter = counter or LengthCounter()
        self._used = Use(used_requests, used_tokens_in, used_tokens_out)
        self._on_way: dict[str, Use] = {}
        self._reserved = Use()
        self._exceeded: tuple[str, ...] = ()

    @property
    def used(self) -> Use:
        """What is known to have been used."""
        return self._used

    @property
    def on_way(self) -> int:
        """Requests that have not come back yet."""
        return len(self._on_way)

    @property
    def spent(self) -> Decimal | None:
        """What that cost; None without a price."""
        return None if self._price is None else self._cost(self._used)

    def allows(self, prompt_tokens: int, max_new_tokens: int) -> bool:
        """Whether one more request fits, if all that are on their way come to their most.

        Where it does not and something is on its way, it may fit once that has come back.

        Args:
            prompt_tokens: tokens that it sends at most.
            max_new_tokens: tokens that it may have written.
        """
        return not self._limits_exceeded(Use(1, prompt_tokens, max_new_tokens))

    def reserve(self, key: str, request: Request) -> bool:
        """Sets aside the most that a request can come to; False where that does not fit.

        Args:
            key: what the request is known by until it is committed or released.
            request: what is to be sent.

        Raises:
            ValueError: a request of this key is on its way.
        """
        return self.reserve_tokens(key, self._counter.count(request).at_most, _written(request))

    def reserve_tokens(self, key: str, prompt_tokens: int, max_new_tokens: int) -> bool:
        """The same for a request whose tokens are counted already; see `allows`."""
        if key in self._on_way:
            raise ValueError(f"The request {key} is on its way already.")
        most = Use(1, prompt_tokens, max_new_tokens)
        exceeded = self._limits_exceeded(most)
        if exceeded:
            self._exceeded = exceeded
            return False
        self._on_way[key] = most
        self._reserved += most
        return True

    def commit(self, key: str, tokens_in: int, tokens_out: int) -> None:
        """Notes what a request did come to.

        A server that does not count tokens says 0 of both; then the request is counted at its
        most, because nobody knows better.

        Raises:
            KeyError: no request of this key is on its way.
        """
        most = self._on_way.pop(key)
        self._reserved -= most
        known = tokens_in > 0 or tokens_out > 0
        self._used += Use(1, tokens_in, tokens_out) if known else most

    def release(self, key: str) -> None:
        """Gives back what was set aside for a request that got no answer.

        Raises:
            KeyError: no request of this key is on its way.
        """
        self._reserved -= self._on_way.pop(key)

    def exhausted_reason(self) -> str:
        """Why a request was refused last: what was used, of what, and what to do.

        Empty if none was.
        """
        if not self._exceeded:
            return ""
        told = " and ".join(self._message(limit) for limit in self._exceeded)
        go_on = (
            "more is not left of what a host may use in 24 hours. Resume the run later"
            if self._of_day
            else "resume the run with a larger budget"
        )
        return (
            f"{USED_UP}: {told}, and the next request might go beyond. "
            f"Everything answered so far is saved; {go_on} to ask the rest."
        )

    def _message(self, limit: str) -> str:
        if limit == "requests":
            return f"{self._used.requests:,} of {self._budget.requests:,} requests"
        if limit == "tokens":
            return f"{_tokens(self._used):,} of {self._budget.tokens:,} tokens"
        assert self._price is not None
        assert self._budget.money is not None
        currency = self._price.currency
        spent = write_amount(self._cost(self._used), currency)
        return f"{spent} of {write_amount(self._budget.money, currency)}"

    def _limits_exceeded(self, more: Use) -> tuple[str, ...]:
        budget = self._budget
        after = self._used + self._reserved + more
        exceeded = []
        if budget.requests is not None and after.requests > budget.requests:
            exceeded.append("requests")
        if budget.tokens is not None and _tokens(after) > budget.tokens:
            exceeded.append("tokens")
        if budget.money is not None and self._cost(after) > budget.money:
            exceeded.append("money")
        return tuple(exceeded)

    def _cost(self, use: Use) -> Decimal:
        if self._price is None:
            raise BudgetError("Nobody has said what tokens cost.")
        return cost(self._price, use.tokens_in, use.tokens_out, self._batch)


def _tokens(use: Use) -> int:
    return use.tokens_in + use.tokens_out


def most_tokens(request: Request) -> int:
    """The most that a request sends and has written, where its model's tokenizer is not known."""
    return LengthCounter().count(request).at_most + _written(request)


def _written(request: Request) -> int:
    """A server that scores a continuation may insist on writing one token after it."""
    if isinstance(request, LikelihoodRequest):
        return len(request.continuations)
    return request.sampling.max_new_tokens
