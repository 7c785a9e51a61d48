"""What a run may cost, and when it may stop."""

from __future__ import annotations

import datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import click

from biaslab.cli.common import together
from biaslab.models import Access
from biaslab.models.prices import Price, entered_price
from biaslab.runs import Budget, Store, find_connection
from biaslab.runs.library.connections import SERVER_PREFIX
from biaslab.studies import Design

if TYPE_CHECKING:
    from biaslab.stats.sequential.rules import StoppingRule


class _Money(click.ParamType[Decimal]):
    """An exact amount."""

    name = "amount"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """The amount that the text names."""
        try:
            return Decimal(str(value))
        except InvalidOperation:
            self.fail(f"“{value}” is no amount: write a number such as 2.50.", param, ctx)


limit_options = together(
    (
        click.option("--budget-requests", type=click.IntRange(0), default=None,
                     help="Stop after so many requests."),
        click.option("--budget-tokens", type=click.IntRange(0), default=None,
                     help="Stop before more tokens than this are sent and written."),
        click.option("--budget-money", type=_Money(), default=None,
                     help="Stop before this is spent; needs a price."),
        click.option("--price-in", default=None, metavar="AMOUNT",
                     help="Price of a million tokens sent."),
        click.option("--price-out", default=None, metavar="AMOUNT",
                     help="Price of a million tokens written."),
        click.option("--currency", default="USD", show_default=True,
                     help="Of the prices and the budget."),
        click.option("--until-narrow", type=click.FloatRange(0, 100, min_open=True), default=None,
                     metavar="POINTS",
                     help="Stop early once the CATE is known to so many percentage points either "
                     "way."),
        click.option("--looks", type=click.IntRange(2, 20), default=None,
                     help="Stop early once the CATE is clearly not zero, looking so often "
                     "(group-sequential test)."),
    )
)  # fmt: skip
"""Budget, price, and rules for stopping early."""


def budget_of(given: dict[str, Any]) -> Budget:
    """The budget that the options name."""
    return Budget(given["budget_requests"], given["budget_tokens"], given["budget_money"])


def stopping_of(design: Design, given: dict[str, Any]) -> StoppingRule | None:
    """The rule for stopping early that the options name.

    Raises:
        click.UsageError: both rules at once.
    """
    if given["until_narrow"] is None and given["looks"] is None:
        return None
    if given["until_narrow"] is not None and given["looks"] is not None:
        raise click.UsageError("Choose one rule for stopping early: --until-narrow or --looks.")
    from biaslab.stats import AnalysisError, GroupSequential, UntilNarrow

    try:
        if given["looks"] is not None:
            return GroupSequential(looks=given["looks"], at_most=design.n)
        return UntilNarrow(half_width=given["until_narrow"] / 100, at_most=design.n)
    except AnalysisError as error:
        raise click.UsageError(str(error)) from error


def price_of_model(store: Store, model: str, access: Access, given: dict[str, Any]) -> Price | None:
    """What tokens cost: as entered, else as remembered for the server, else as in the table.

    Raises:
        click.UsageError: one price of the two.
        PriceError: not an amount.
    """
    if (given["price_in"] is None) != (given["price_out"] is None):
        raise click.UsageError("Give both --price-in and --price-out.")
    if given["price_in"] is not None:
        return entered_price(
            given["price_in"],
            given["price_out"],
            given["currency"],
            today=datetime.date.today(),
        )
    if not model.startswith(SERVER_PREFIX):
        return None
    known = find_connection(store, model, access.base_urls[0])
    if known is not None and known.price is not None:
        return known.price
    from biaslab.models.price_table import price_of

    return price_of(model.removeprefix(SERVER_PREFIX), access.base_urls[0])
