"""Prices are exact, dated, and never guessed."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.models.prices import (
    ENTERED,
    OUTDATED_AFTER_DAYS,
    PRICE_TABLE,
    Price,
    PriceError,
    cost,
    describe_price,
    entered_price,
    is_outdated,
    price_of,
    read_price_table,
    write_amount,
)
from tests.loops import over

OPENAI = "https://api.openai.com/v1"
DAY = datetime.date(2026, 9, 13)

amounts = st.decimals(0, 1_000_000, places=6)
prices = st.builds(
    Price,
    amounts,
    amounts,
    st.sampled_from(["USD", "EUR"]),
    st.text(),
    st.dates(),
    st.none() | st.decimals(0, 1, places=3),
)
tokens = st.integers(0, 10**13)


def price(given_in: str = "2.50", given_out: str = "10", discount: str | None = None) -> Price:
    return Price(
        Decimal(given_in),
        Decimal(given_out),
        "USD",
        "a page",
        DAY,
        None if discount is None else Decimal(discount),
    )


class TestCost:
    @given(prices, tokens, tokens)
    def test_is_exact_whatever_the_size(self, price: Price, sent: int, written: int) -> None:
        exact = (
            sent * Fraction(price.input_per_million) + written * Fraction(price.output_per_million)
        ) / 1_000_000
        assert Fraction(cost(price, sent, written)) == exact
        share = 1 - Fraction(price.batch_discount or 0)
        assert Fraction(cost(price, sent, written, batch=True)) == exact * share

    @given(prices, tokens, tokens, tokens, tokens)
    def test_adds_up(self, price: Price, a: int, b: int, c: int, d: int) -> None:
        together = cost(price, a + c, b + d)
        assert together == cost(price, a, b) + cost(price, c, d)

    def test_of_a_million_tokens_is_the_price(self) -> None:
        assert cost(price("0.15", "0.60"), 1_000_000, 0) == Decimal("0.15")
        assert cost(price("0.15", "0.60"), 0, 1_000_000) == Decimal("0.60")

    def test_of_a_batch_is_the_full_price_where_no_discount_is_known(self) -> None:
        assert cost(price("1", "2"), 10, 10, batch=True) == cost(price("1", "2"), 10, 10)
        assert "full price is counted" in describe_price(price(), DAY, batch=True)
        assert "50 % less" in describe_price(price(discount="0.5"), DAY, batch=True)

    def test_of_negative_tokens_is_refused(self) -> None:
        with pytest.raises(ValueError, match="negative"):
            cost(price(), -1, 0)


class TestAge:
    def test_prices_are_marked_after_so_many_days(self) -> None:
        last = DAY + datetime.timedelta(days=OUTDATED_AFTER_DAYS)
        after = last + datetime.timedelta(days=1)
        assert not is_outdated(price(), last)
        assert is_outdated(price(), after)
        assert "out of date" not in describe_price(price(), last)
        assert f"{OUTDATED_AFTER_DAYS + 1} days old and may be out of date" in describe_price(
            price(), after
        )

    def test_a_description_names_amounts_source_and_day(self) -> None:
        told = describe_price(price("0.15", "0.60"), DAY)
        assert all(part in told for part in ("0.15 USD", "0.60 USD", "a page", "2026-09-13"))


class TestTypedPrice:
    @pytest.mark.parametrize("typed", ["0.15", " 0.15 ", "0,15", ".15"])
    def test_is_read_as_people_write_it(self, typed: str) -> None:
        read = entered_price(typed, "1", "usd", today=DAY)
        assert read == Price(Decimal("0.15"), Decimal(1), "USD", ENTERED, DAY)

    @over("typed", ["", "free", "1.2.3", "$2", "nan", "inf", "-1", "1e9"])
    def test_that_is_no_price_is_refused_with_what_to_type(self, typed: str) -> None:
        with pytest.raises(PriceError, match=r"type a number such as 0\.15|give an amount from 0"):
            entered_price("1", typed, today=DAY)

    @pytest.mark.parametrize("currency", ["", "dollars", "€", "US"])
    def test_needs_a_currency(self, currency: str) -> None:
        with pytest.raises(PriceError, match="three capital letters"):
            entered_price("1", "2", currency, today=DAY)

    @pytest.mark.parametrize("discount", ["1.5", "-0.5"])
    def test_has_a_share_as_discount(self, discount: str) -> None:
        with pytest.raises(PriceError, match="from 0 to 1"):
            entered_price("1", "2", today=DAY, batch_discount=discount)

    def test_of_nothing_is_a_price(self) -> None:
        assert cost(entered_price("0", "0", today=DAY), 10**6, 10**6) == 0


class TestKeeping:
    @given(prices)
    def test_a_price_survives_json(self, price: Price) -> None:
        assert Price.of_json(json.loads(json.dumps(price.as_json()))) == price

    @pytest.mark.parametrize(
        "damage",
        [{"date": "yesterday"}, {"input_per_million": "much"}, {"currency": None}, {"date": None}],
    )
    def test_a_damaged_one_is_refused(self, damage: dict[str, object]) -> None:
        with pytest.raises(PriceError, match="enter it again"):
            Price.of_json(price().as_json() | damage)

    def test_one_without_a_field_is_refused(self) -> None:
        with pytest.raises(PriceError, match="output_per_million"):
            Price.of_json({"input_per_million": "1"})


class TestAmounts:
    def test_are_written_to_the_cent_and_below_one_finer(self) -> None:
        assert write_amount(Decimal("1234.567"), "USD") == "1,234.57 USD"
        assert write_amount(Decimal("0.0123456"), "USD") == "0.0123 USD"
        assert write_amount(Decimal(0), "EUR") == "0.0000 EUR"


class TestShippedTable:
    def test_every_entry_has_a_source_and_a_day_that_has_been(self) -> None:
        entries, today = read_price_table(), datetime.datetime.now(datetime.UTC).date()
        assert len(entries) > 20
        for entry in entries:
            assert entry.price.source.startswith("https://")
            assert datetime.date(2026, 1, 1) <= entry.price.date <= today
            assert entry.price.output_per_million >= entry.price.input_per_million > 0

    def test_knows_a_model_at_its_providers_own_address_only(self) -> None:
        assert price_of("gpt-4o-mini", OPENAI) is not None
        assert price_of("gpt-4o-mini", OPENAI + "/") is not None
        assert price_of("gpt-4o-mini", "https://API.openai.com:443/v1") is not None
        for elsewhere in (
            "http://api.openai.com/v1",
            "https://eu.api.openai.com/v1",
            "https://api.openai.com.example.org/v1",
            "https://api.openai.com@example.org/v1",
            "https://example.org/api.openai.com/v1",
            "https://api.openai.com:8443/v1",
            "http://localhost:8000/v1",
            "https://openrouter.ai/api/v1",
            "https://[",
            "",
        ):
            assert price_of("gpt-4o-mini", elsewhere) is None, elsewhere

    def test_guesses_no_price_from_another_models(self) -> None:
        for name in ("gpt-4o-mini-2", "gpt-4o-mini-audio-preview", "gpt-9", "GPT-4o", "", "*"):
            assert price_of(name, OPENAI) is None, name

    def test_tells_models_of_one_family_apart(self) -> None:
        old, new = price_of("gpt-4o-2024-05-13", OPENAI), price_of("gpt-4o", OPENAI)
        assert old is not None
        assert new is not None
        assert old.input_per_million > new.input_per_million


GOOD = """
sources:
  page: {address: "https://example.org/prices", date: 2026-09-13}
providers:
  - provider: Example
    hosts: [api.example.org]
    models:
      - names: [large, large-*]
        currency: USD
        input_per_million: "1"
        output_per_million: "2"
        source: page
      - names: [large-old-*]
        currency: USD
        input_per_million: "3"
        output_per_million: "4"
        batch_discount: "0.25"
        source: page
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "prices.yaml"


class TestTableFile:
    def test_the_longest_name_that_fits_counts(self, table: Path) -> None:
        table.write_text(GOOD)
        found = {
            name: price_of(name, "https://api.example.org", table)
            for name in ("large", "large-2", "large-old-1")
        }
        assert [p.input_per_million for p in found.values() if p] == [1, 1, 3]
        assert found["large-old-1"] == Price(
            Decimal(3),
            Decimal(4),
            "USD",
            "https://example.org/prices",
            datetime.date(2026, 9, 13),
            Decimal("0.25"),
        )

    @pytest.mark.parametrize(
        ("before", "after", "told"),
        [
            ('input_per_million: "1"', "input_per_million: 1.0", ["entry 1 (large)", "in quotes"]),
            ('input_per_million: "1"', 'input_per_million: "1,5"', ["input_per_million", "1,5"]),
            ('input_per_million: "1"', 'input_per_million: "-1"', ["entry 1 (large)", "-1"]),
            ('        output_per_million: "4"\n', "", ["entry 2", "output_per_million", "missing"]),
            ("currency: USD", "currency: dollars", ["entry 1 (large)", "dollars"]),
            ("currency: USD", "currncy: USD", ["currncy", "no such field"]),
            ('"0.25"', '"25"', ["entry 2 (large-old-*)", "from 0 to 1"]),
            ("source: page", "source: pge", ["source", "pge", "page"]),
            ("[large, large-*]", '["*"]', ["names", "every model"]),
            ("[large, large-*]", "[large-old-*]", ["names", "twice"]),
            ("[large, large-*]", "large", ["names", "list"]),
            ("[api.example.org]", "[https://api.example.org]", ["hosts", "api.openai.com"]),
            ("2026-09-13", "September", ["source “page”", "date", "September"]),
            ("https://example.org", "ftp://example.org", ["address", "ftp"]),
            ("providers:", "providers: 3 #", ["cannot be read"]),
            ("\nsources:", "\nsauces:", ["sauces"]),
            (GOOD, "", ["the whole file"]),
            (GOOD, "providers: []\nsources: {}", ["providers", "list"]),
        ],
    )
    def test_a_damaged_one_names_file_entry_and_field(
        self, table: Path, before: str, after: str, told: list[str]
    ) -> None:
        assert before in GOOD
        table.write_text(GOOD.replace(before, after, 1))
        with pytest.raises(PriceError) as refused:
            read_price_table(table)
        for part in ("prices.yaml", *told):
            assert part in str(refused.value)

    def test_a_missing_one_says_so(self, table: Path) -> None:
        with pytest.raises(PriceError, match="cannot be read"):
            read_price_table(table)

    def test_the_shipped_one_is_where_it_should_be(self) -> None:
        assert PRICE_TABLE.is_file()
