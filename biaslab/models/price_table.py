"""The dated table of prices in assets, checked as it is loaded."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from biaslab.models.prices import Price, PriceError
from schoolmath.text.yaml_files import read_yaml

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
        return PriceError(f"{where}, field “{field}”: {problem} Mend the file or install it again.")


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
            f"The table of prices {path} cannot be read ({error}). Mend it or install it again."
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


def _fields(content: object, known: frozenset[str], place: _Place, what: str) -> Mapping[str, Any]:
    fields = _mapping(content, place, what)
    for name in fields:
        if name not in known:
            raise place.wrong(str(name), f"there is no such field; there are {_names(known)}.")
    for name in sorted(known - _OPTIONAL):
        if fields.get(name) is None:
            raise place.wrong(name, "it is missing.")
    return fields


def _names(known: frozenset[str]) -> str:
    return ", ".join(sorted(known))


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
