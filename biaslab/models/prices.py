"""What tokens cost: a price that a person enters, or one of a dated table.

Amounts are exact decimals from the file to the screen. A model that is not in the table has no
price: nothing is guessed from another model's.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, Inexact, InvalidOperation, localcontext
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from biaslab.models.requests import ModelError
from schoolmath.text.figures import exact_percent
from schoolmath.text.yaml_files import read_yaml

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
                f"The price that was saved cannot be read ({error}): enter it again."
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


# The dated table of prices in assets, checked as it is loaded.


PRICE_TABLE = Path(__file__).resolve().parents[2] / "assets" / "prices.yaml"
"""The table that comes with the app; `docs/servers.md#cost-and-time` says how it is kept."""

_TOP = frozenset({"sources", "providers"})
_SOURCE = frozenset({"address", "copy", "date"})
_PROVIDER = frozenset({"provider", "hosts", "models"})
_MODEL = frozenset(
    {"names", "currency", "input_per_million", "output_per_million", "batch_discount", "source"}
)
_OPTIONAL = frozenset({"copy", "batch_discount"})


@dataclass(frozen=True, slots=True)
class PriceEntry:
    """One line of the table.

    Attributes:
        provider: who charges it; hosts: where the provider is asked.
        names: of models, in which ``*`` stands for any letters.
    """

    provider: str
    hosts: tuple[str, ...]
    names: tuple[str, ...]
    price: Price


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the file something stands, for what is said when it is wrong."""

    file: str
    entry: str = ""

    def wrong(self, field: str, problem: str) -> PriceError:
        where = f"{self.file}, {self.entry}" if self.entry else self.file
        return PriceError(
            f"{where}, field “{field}”: {problem} Repair the file or install it again."
        )


def price_of(model_name: str, base_url: str, table: Path = PRICE_TABLE) -> Price | None:
    """What the table says that this model costs at this address.

    Args:
        model_name: as the provider calls it, such as ``gpt-4o-mini``.
        base_url: where it is asked. Only at the provider's own address does a name say which
            model it is and what it costs.
        table: the file.

    Returns:
        None where the table does not say: a person then enters a price.

    Raises:
        PriceError: the table is damaged.
    """
    host = _host(base_url)
    fitting = [
        (len(name), entry.price)
        for entry in read_price_table(table)
        if host in entry.hosts
        for name in entry.names
        if fnmatchcase(model_name, name)
    ]
    return max(fitting, key=lambda pair: pair[0])[1] if fitting else None


@cache
def read_price_table(path: Path = PRICE_TABLE) -> tuple[PriceEntry, ...]:
    """Every line of the table.

    Raises:
        PriceError: it is missing or damaged; the sentence names file, entry and field.
    """
    place = _Place(path.name)
    try:
        content = read_yaml(path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise PriceError(
            f"The table of prices {path} cannot be read ({error}). Repair it or install it again."
        ) from error
    top = _fields(content, _TOP, place, "the whole file")
    sources = {
        name: _source(fields, _Place(path.name, f"source “{name}”"))
        for name, fields in _mapping(top["sources"], place, "sources").items()
    }
    entries = tuple(
        entry
        for number, provider in enumerate(_list(top["providers"], place, "providers"), 1)
        for entry in _provider(provider, sources, path.name, number)
    )
    _refuse_repeated(entries, place)
    return entries


def _provider(
    content: object, sources: Mapping[str, tuple[str, datetime.date]], file: str, number: int
) -> list[PriceEntry]:
    place = _Place(file, f"provider {number}")
    fields = _fields(content, _PROVIDER, place, "provider")
    name = _text(fields["provider"], place, "provider")
    place = _Place(file, f"provider {name}")
    hosts = tuple(_text(host, place, "hosts") for host in _list(fields["hosts"], place, "hosts"))
    for host in hosts:
        if _host(f"https://{host}/v1") != host:
            raise place.wrong("hosts", f"“{host}” is no name of a host such as api.openai.com.")
    return [
        _entry(model, name, hosts, sources, file, index)
        for index, model in enumerate(_list(fields["models"], place, "models"), 1)
    ]


def _entry(
    content: object,
    provider: str,
    hosts: tuple[str, ...],
    sources: Mapping[str, tuple[str, datetime.date]],
    file: str,
    number: int,
) -> PriceEntry:
    place = _Place(file, f"{provider} entry {number}")
    fields = _fields(content, _MODEL, place, "entry")
    names = tuple(_text(name, place, "names") for name in _list(fields["names"], place, "names"))
    place = _Place(file, f"{provider} entry {number} ({names[0]})")
    if any(name.startswith("*") for name in names):
        raise place.wrong("names", "a name may not begin with *, which would fit every model.")
    source = _text(fields["source"], place, "source")
    if source not in sources:
        raise place.wrong(
            "source", f"there is no source “{source}” among {', '.join(sources) or 'none'}."
        )
    address, date = sources[source]
    discount = fields.get("batch_discount")
    try:
        price = Price(
            _amount(fields["input_per_million"], place, "input_per_million"),
            _amount(fields["output_per_million"], place, "output_per_million"),
            currency=_text(fields["currency"], place, "currency"),
            source=address,
            date=date,
            batch_discount=(
                None if discount is None else _amount(discount, place, "batch_discount")
            ),
        )
    except PriceError as error:
        raise PriceError(f"{file}, {place.entry}: {error}") from error
    return PriceEntry(provider, hosts, names, price)


def _source(content: object, place: _Place) -> tuple[str, datetime.date]:
    fields = _fields(content, _SOURCE, place, "source")
    address = _text(fields["address"], place, "address")
    if not address.startswith("https://"):
        raise place.wrong("address", f"“{address}” is no address of a page.")
    date = fields["date"]
    if not isinstance(date, datetime.date) or isinstance(date, datetime.datetime):
        raise place.wrong("date", f"{date!r} is no day such as 2026-09-13.")
    copy = fields.get("copy")
    if copy is not None:
        address = f"{address}, read in the copy {_text(copy, place, 'copy')}"
    return address, date


def _refuse_repeated(entries: Sequence[PriceEntry], place: _Place) -> None:
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        for name in entry.names:
            if (entry.provider, name) in seen:
                raise place.wrong("names", f"{entry.provider} has “{name}” twice.")
            seen.add((entry.provider, name))


def _fields(content: object, names: frozenset[str], place: _Place, what: str) -> Mapping[str, Any]:
    fields = _mapping(content, place, what)
    for name in fields:
        if name not in names:
            raise place.wrong(str(name), f"there is no such field; there are {_names(names)}.")
    for name in sorted(names - _OPTIONAL):
        if fields.get(name) is None:
            raise place.wrong(name, "it is missing.")
    return fields


def _names(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


def _mapping(content: object, place: _Place, field: str) -> Mapping[str, Any]:
    if not isinstance(content, dict):
        raise place.wrong(field, "it should hold fields, each with a name and a value.")
    return content


def _list(content: object, place: _Place, field: str) -> list[object]:
    if not isinstance(content, list) or not content:
        raise place.wrong(field, "it should be a list with at least one line.")
    return content


def _text(content: object, place: _Place, field: str) -> str:
    if not isinstance(content, str) or not content.strip():
        raise place.wrong(field, f"{content!r} is no text.")
    return content


def _amount(content: object, place: _Place, field: str) -> Decimal:
    if not isinstance(content, str):
        raise place.wrong(field, f'write {content!r} in quotes, such as "2.50".')
    try:
        return Decimal(content)
    except InvalidOperation as error:
        raise place.wrong(field, f'“{content}” is no amount such as "2.50".') from error


def _host(base_url: str) -> str | None:
    """The host of an address that only its owner can answer at; None for any other."""
    try:
        parts = urlsplit(base_url.strip())
        usual = parts.port in (None, 443) and parts.username is None
    except ValueError:
        return None
    return parts.hostname if parts.scheme == "https" and usual else None
