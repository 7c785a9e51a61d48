"""What a run would take, and what it may use at most. No price is ever guessed."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal

import streamlit as st

from biaslab.models import read_spec
from biaslab.models.prices import (
    ENTERED,
    Price,
    PriceError,
    describe_price,
    entered_price,
    price_of,
    write_amount,
)
from biaslab.models.provider import OPENAI_URL
from biaslab.runs import Budget, Connection
from biaslab.runs.estimating import EstimatedAmount, RunEstimate, estimate
from biaslab.runs.hosting import left_today
from biaslab.studies import experiment
from biaslab.ui.ask.asking import RunChoices
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.address import Parameter, amount, open_integer, typed
from biaslab.ui.widgets.cards import figures
from biaslab.ui.widgets.words import duration, plain
from schoolmath.text.figures import count

CONFIRM_ABOVE = Decimal(1)
"""A run that may cost more, in whatever currency, begins after somebody has said that it may."""


def draw_estimate(asking: RunChoices) -> RunEstimate:
    """Draws what this run would take, and gives it.

    Raises:
        DesignError, ModelError, RunError, StoreError: as for
        `biaslab.runs.estimating.estimate`.
    """
    store = queries.store()
    found = _estimated(_EstimateKey(asking, str(store.path), store.change_counter()))
    with st.expander("Cost and time"):
        figures(_figures(found, asking))
        st.caption(plain(_early_words(asking)))
        st.markdown("**How these figures were made**")
        st.markdown("\n".join(f"- {plain(note)}" for note in found.notes if note))
        if left := left_today(store.path):
            st.caption(left)
    return found


def takes_words(asking: RunChoices, estimate: RunEstimate) -> str:
    """Requests and cost in a few words."""
    money = cost_words(estimate, asking.model)
    cost = f"cost {money.amount}{money.note}" if read_spec(asking.model).served else "no cost"
    return f"{count(estimate.requests, 'request')}, {cost}"


def is_confirmed(asking: RunChoices, estimate: RunEstimate) -> bool:
    """Whether the run may begin: where it may cost more than `CONFIRM_ABOVE`, somebody says so.

    Draws the question where there is one.
    """
    if estimate.cost_at_most is None:
        return True
    limit = asking.options.budget.money
    most = estimate.cost_at_most if limit is None else min(limit, estimate.cost_at_most)
    return may_be_spent(most, estimate.currency)


def may_be_spent(most: Decimal, currency: str) -> bool:
    """Whether so much may be spent; above `CONFIRM_ABOVE` somebody is asked, and has to say so."""
    if most <= CONFIRM_ABOVE:
        return True
    amount = write_amount(most, currency)
    # Another amount is another question.
    return st.checkbox(f"Spend up to {amount}", key=f"spend {amount}")


@dataclass(frozen=True, slots=True)
class _EstimateKey:
    """What an estimate depends on: the choice, and the file as it stands."""

    asking: RunChoices
    file: str
    changes: int

    @property
    def identity(self) -> str:
        """Limits and rules for stopping change nothing in an estimate."""
        asking, options = self.asking, self.asking.options
        parts = (
            self.file, self.changes, asking.design, asking.model, asking.strategy,
            asking.sampling, options.samples, options.access, options.price, options.batch_api,
            options.length,
        )  # fmt: skip
        return repr(parts)


@st.cache_resource(
    show_spinner="Estimating cost and time …",
    max_entries=64,
    hash_funcs={_EstimateKey: lambda wanted: wanted.identity},
)
def _estimated(request: _EstimateKey) -> RunEstimate:
    options = request.asking.options
    return estimate(
        queries.store(),
        request.asking.design,
        request.asking.model,
        request.asking.strategy,
        access=options.access,
        samples=options.samples,
        sampling=request.asking.sampling,
        length=options.length,
        price=options.price,
        batch=options.batch_api,
        most_pairs=experiment(request.asking.design.study).quick_pairs,
    )


def _figures(estimate: RunEstimate, asking: RunChoices) -> dict[str, str]:
    money = cost_words(estimate, asking.model)
    return {
        "requests": f"{estimate.requests:,}",
        "of them free: saved from before": f"{estimate.free:,}",
        f"tokens sent{_at_most(estimate.tokens_in, exact=estimate.exact)}": about(
            estimate.tokens_in
        ),
        f"tokens written{_at_most(estimate.tokens_out, exact=False)}": about(estimate.tokens_out),
        f"cost{money.note}": money.amount,
        "time, at the pace so far" if estimate.seconds else "time": (
            "not known" if estimate.seconds is None else duration(estimate.seconds)
        ),
    }


def about(amount: EstimatedAmount) -> str:
    """What is expected, as in "about 84,000"; the exact number where it is certain."""
    if amount.expected == amount.at_most:
        return f"{amount.expected:,}"
    return f"about {_rounded(amount.expected):,}"


def _at_most(amount: EstimatedAmount, *, exact: bool) -> str:
    if amount.expected != amount.at_most:
        return f", estimated; at most {amount.at_most:,}"
    return ", counted" if exact else " at most"


def _rounded(number: int) -> int:
    """To three digits: an estimate is no better."""
    return int(float(f"{number:.3g}"))


@dataclass(frozen=True, slots=True)
class Money:
    """A cost in words.

    Attributes:
        amount: such as "about 0.05 USD"; note: what follows its name.
    """

    amount: str
    note: str = ""


def cost_words(estimate: RunEstimate, model: str) -> Money:
    """What is expected and the most that it can be, or why nothing is known."""
    if estimate.cost_expected is None or estimate.cost_at_most is None:
        if read_spec(model).served:
            return Money("not known", ": no price is known, enter one under Limits")
        return Money("none", ": it runs here")
    expected = write_amount(estimate.cost_expected, estimate.currency)
    if estimate.cost_expected == estimate.cost_at_most:
        return Money(expected)
    most = write_amount(estimate.cost_at_most, estimate.currency)
    return Money(f"about {expected}", f", estimated; at most {most}")


def _early_words(asking: RunChoices) -> str:
    words = ""
    if asking.options.stopping is not None:
        words = "These are the figures for all pairs; the run may stop earlier. "
    if asking.options.samples > 1:
        words += f"Each problem is asked {count(asking.options.samples, 'time')}. "
    return words


MOST_REQUESTS = 10**8
MOST_TOKENS = 10**12

CURRENCY = "USD"
"""Of prices that a person enters, unless another one is typed."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What a person chose.

    Attributes:
        budget: what the run may use.
        price: of a million tokens; None where nobody has said.
        refused: why nothing can be asked like this, as a sentence; empty if it can.
    """

    budget: Budget = Budget()
    price: Price | None = None
    refused: str = ""


def requests_parameter() -> Parameter[int | None]:
    """The most requests, as they stand in the address."""
    return open_integer("budget-requests", 0, MOST_REQUESTS)


def tokens_parameter() -> Parameter[int | None]:
    """The most tokens, as they stand in the address."""
    return open_integer("budget-tokens", 0, MOST_TOKENS)


def draw_limits(spec: str, server: Connection | None, *, batch: bool) -> RunLimits:
    """Draws budget and price.

    Args:
        spec: of the model.
        server: where it is asked; None for a model that runs here.
        batch: whether requests are handed over as a batch, which costs less.
    """
    known = None if server is None else known_price(spec, server)
    with st.expander(_title(server, known), key="limits"):
        st.caption(
            "The run pauses before it would go beyond a limit, keeps every answer, and can go on "
            "with a larger one. Answers that are saved already cost nothing and do not count."
        )
        _draw_counts()
        price, refused, money = None, "", ""
        if server is None:
            st.caption("The model runs here: nobody charges for its tokens.")
        else:
            price, refused = _draw_price(known, batch)
            money = _draw_money(price)
    # Outside the panel, which may be closed.
    return _checked(price, refused, money)


def known_price(spec: str, server: Connection) -> Price | None:
    """What a person said that tokens cost on this server, else what the dated table says.

    The table counts only where it says the same for all addresses of the server.
    """
    if server.price is not None:
        return server.price
    urls = server.access.base_urls or (OPENAI_URL,)
    prices = {price_of(read_spec(spec).name, url) for url in urls}
    return prices.pop() if len(prices) == 1 else None


def _draw_counts() -> None:
    one, other = st.columns(2)
    with one:
        st.number_input(
            "Requests at most",
            min_value=0,
            max_value=MOST_REQUESTS,
            step=100,
            value=None,
            placeholder="no limit",
            **requests_parameter().bind(),
        )
    with other:
        st.number_input(
            "Tokens at most",
            min_value=0,
            max_value=MOST_TOKENS,
            step=10_000,
            value=None,
            placeholder="no limit",
            help="Sent and written together. A token is a short piece of a word.",
            **tokens_parameter().bind(),
        )


def _draw_price(list_price: Price | None, batch: bool) -> tuple[Price | None, str]:
    today = datetime.datetime.now(datetime.UTC).date()
    if list_price is None:
        st.markdown(
            "**Price:** not known for this model on this server. Enter what a million tokens "
            "cost to see what the run costs, or leave it open."
        )
    else:
        st.markdown(f"**Price:** {plain(describe_price(list_price, today, batch))}")
    sent, written, currency = typed("price-in"), typed("price-out"), typed("currency")
    one, two, three = st.columns(3)
    empty = "as above" if list_price is not None else "not known"
    with one:
        st.text_input("A million sent", placeholder=empty, **sent.bind())
    with two:
        st.text_input("A million written", placeholder=empty, **written.bind())
    with three:
        st.text_input("Currency", placeholder=CURRENCY, max_chars=3, **currency.bind())
    if not sent.value and not written.value:
        return list_price, ""
    if not sent.value or not written.value:
        return list_price, "Enter both prices, of tokens sent and of tokens written, or neither."
    try:
        price = entered_price(sent.value, written.value, currency.value or CURRENCY, today=today)
    except PriceError as error:
        return list_price, str(error)
    st.caption(plain(f"Counted with your price ({ENTERED}, {today.isoformat()})."))
    return price, ""


def _draw_money(price: Price | None) -> str:
    """Draws the budget in money; gives what was typed."""
    money = typed("budget-money")
    unit = CURRENCY if price is None else price.currency
    st.text_input(
        f"Money at most ({unit})",
        placeholder="no limit" if price is not None else "needs a price",
        disabled=price is None,
        **money.bind(),
    )
    return money.value


def _checked(price: Price | None, refused: str, money: str) -> RunLimits:
    limit: Decimal | None = None
    if money and price is not None:
        limit = amount(money)
        if limit is None:
            refused = refused or (
                f"“{money}” is no amount of money: write a number such as 2.50, or leave it empty."
            )
    if money and price is None:
        refused = refused or (
            "A limit in money needs to know what tokens cost. Enter the price of a million "
            "tokens, or limit tokens or requests."
        )
    if refused:
        st.warning(plain(refused))
    budget = Budget(requests_parameter().value, tokens_parameter().value, limit)
    return RunLimits(budget, price, refused)


def budget_words(budget: Budget, price: Price | None) -> str:
    """A budget in a few words; "no limit" without one."""
    parts = []
    if budget.requests is not None:
        parts.append(count(budget.requests, "request"))
    if budget.tokens is not None:
        parts.append(count(budget.tokens, "token"))
    if budget.money is not None:
        parts.append(write_amount(budget.money, CURRENCY if price is None else price.currency))
    return f"at most {', '.join(parts)}" if parts else "no limit"


def _title(server: Connection | None, price: Price | None) -> str:
    requests, tokens = requests_parameter().value, tokens_parameter().value
    words = budget_words(Budget(requests, tokens), None)
    money = typed("budget-money").value
    if money and server is not None:
        entered = typed("currency").value.upper() or CURRENCY
        currency = entered if typed("price-in").value or price is None else price.currency
        money = f"{money} {currency}"
        words = f"{words}, {money}" if (requests, tokens) != (None, None) else f"at most {money}"
    return f"Limits: {words}"
