"""What tokens cost: a price that a person enters, or one of a dated table.

Amounts are exact decimals from the file to the screen. A model that is not in the table has no
price: nothing is guessed from another model's.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, Inexact, InvalidOperation, localcontext
from typing import Any

from biaslab.models.errors import ModelError
from schoolmath.text.figures import exact_percent

OUTDATED_AFTER_DAYS = 60
"""Prices older than this are shown as possibly out of date. In summer 2026 one provider changed
its prices three times within a month."""

ENTERED = "entered by hand"
"""Source of a price that a person typed."""

_DIGITS = 60
"""More than any amount has, so that no product is ever rounded; rounding would raise."""

_MOST = Decimal(1_000_000)
"""No provider asks as much for a million tokens; more is a slip of the finger."""


class PriceError(ModelError):
    """A price, or the table of prices, is not what it should be."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost.

    Attributes:
        input_per_million, output_per_million: for a million tokens sent, and written (thinking
            included).
        currency: three capital letters, such as ``USD``.
        source: the address of the page that says so, or `ENTERED`.
        date: the day on which it was true.
        batch_discount: the share taken off when requests are handed over as a batch, from 0 to
            1; None where no page says.
    """

    input_per_million: Decimal
    output_per_million: Decimal
    currency: str
    source: str
    date: datetime.date
    batch_discount: Decimal | None = None

    def __post_init__(self) -> None:
        for name, amount in (
            ("tokens sent", self.input_per_million),
            ("tokens written", self.output_per_million),
        ):
            if not (amount.is_finite() and 0 <= amount <= _MOST):
                raise PriceError(
                    f"The price of a million {name} is {amount}: give an amount from 0 to {_MOST}."
                )
        if not (len(self.currency) == 3 and self.currency.isascii() and self.currency.isupper()):
            raise PriceError(
                f"“{self.currency}” is no currency: give three capital letters, such as USD."
            )
        discount = self.batch_discount
        if discount is not None and not (discount.is_finite() and 0 <= discount <= 1):
            raise PriceError(f"The discount for batches is {discount}: give a share from 0 to 1.")

    def as_json(self) -> dict[str, str | None]:
        """The price as a JSON object; amounts are text, because a float would round them."""
        return {
            "input_per_million": str(self.input_per_million),
            "output_per_million": str(self.output_per_million),
            "currency": self.currency,
            "source": self.source,
            "date": self.date.isoformat(),
            "batch_discount": None if self.batch_discount is None else str(self.batch_discount),
        }

    @classmethod
    def of_json(cls, fields: Mapping[str, Any]) -> Price:
        """The price that `as_json` wrote.

        Raises:
            PriceError: a field is missing or damaged.
        """
        try:
            discount = fields.get("batch_discount")
            return cls(
                Decimal(fields["input_per_million"]),
                Decimal(fields["output_per_million"]),
                fields["currency"],
                fields["source"],
                datetime.date.fromisoformat(fields["date"]),
                None if discount is None else Decimal(discount),
            )
        except (KeyError, TypeError, ValueError, InvalidOperation, AttributeError) as error:
            raise PriceError(
                f"The price that was kept cannot be read ({error}): enter it again."
            ) from error


def entered_price(
    input_per_million: str,
    output_per_million: str,
    currency: str = "USD",
    *,
    today: datetime.date,
    batch_discount: str | None = None,
) -> Price:
    """The price that a person typed.

    Args:
        input_per_million: such as ``0.15``; a comma may stand for the point.
        output_per_million: the same for tokens written.
        currency: three letters.
        today: when it was typed.
        batch_discount: a share from 0 to 1, such as ``0.5``.

    Raises:
        PriceError: not an amount; the sentence says which and what to type.
    """
    return Price(
        _typed(input_per_million, "price of a million tokens sent"),
        _typed(output_per_million, "price of a million tokens written"),
        currency.strip().upper(),
        ENTERED,
        today,
        None if batch_discount is None else _typed(batch_discount, "discount for batches"),
    )


def cost(price: Price, tokens_in: int, tokens_out: int, batch: bool = False) -> Decimal:
    """What so many tokens cost, exactly, in the currency of the price.

    Args:
        price: of a million tokens.
        tokens_in: tokens sent, 0 or more.
        tokens_out: tokens written, 0 or more.
        batch: whether they are handed over as a batch. Where no discount is known the full
            price is taken, which is the most that it can be.

    Raises:
        ValueError: a negative number of tokens.
    """
    if tokens_in < 0 or tokens_out < 0:
        raise ValueError(f"There are no negative tokens: {tokens_in} in, {tokens_out} out.")
    with localcontext() as context:
        context.prec = _DIGITS
        context.traps[Inexact] = True
        total = tokens_in * price.input_per_million + tokens_out * price.output_per_million
        if batch and price.batch_discount is not None:
            total *= 1 - price.batch_discount
        return total.scaleb(-6)


def is_outdated(price: Price, today: datetime.date) -> bool:
    """Whether the price is so old that it may have changed since."""
    return (today - price.date).days > OUTDATED_AFTER_DAYS


def describe_price(price: Price, today: datetime.date, batch: bool = False) -> str:
    """One or two sentences: the price, where it is from, of which day, and whether it is old."""
    text = (
        f"A million tokens cost {price.input_per_million} {price.currency} sent and "
        f"{price.output_per_million} {price.currency} written ({price.source}, "
        f"{price.date.isoformat()})."
    )
    if batch and price.batch_discount is None:
        text += " No discount for batches is known, so the full price is counted."
    elif batch and price.batch_discount is not None:
        text += f" As a batch they cost {exact_percent(float(price.batch_discount))} less."
    if is_outdated(price, today):
        days = (today - price.date).days
        text += (
            f" This price is {days} days old and may be out of date: look it up before you go on."
        )
    return text


def write_amount(amount: Decimal, currency: str) -> str:
    """An amount as people read it: to the cent, below one to the hundredth of a cent."""
    places = Decimal("0.01") if abs(amount) >= 1 else Decimal("0.0001")
    with localcontext() as context:
        context.prec = _DIGITS
        rounded = amount.quantize(places)
    return f"{rounded:,f} {currency}"


def _typed(text: str, what: str) -> Decimal:
    try:
        amount = Decimal(text.strip().replace(",", "."))
    except InvalidOperation as error:
        raise PriceError(
            f"The {what}, “{text}”, is not an amount: type a number such as 0.15."
        ) from error
    return amount
