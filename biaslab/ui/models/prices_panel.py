"""What a server charges: from the table, or as a person enters it."""

from __future__ import annotations

import datetime

import streamlit as st

from biaslab.models.prices import ENTERED, Price, describe_price, entered_price, price_of
from biaslab.runs import Connection
from biaslab.runs.library.connections import change_price
from biaslab.ui.widgets import queries
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.words import plain


def known_price(connection: Connection) -> Price | None:
    """What was entered, else what the table says; None where neither is there."""
    return connection.price or price_of(connection.capabilities.name, connection.base_url)


def draw_price(connection: Connection) -> None:
    """The price and where it is from, and fields to enter another one."""
    price = known_price(connection)
    today = datetime.datetime.now(datetime.UTC).date()
    with st.expander("What it costs"):
        if price is None:
            st.markdown(
                "No price is known for this model here. Enter one to see what a run costs before "
                "it starts, and to stop it at an amount; nothing is guessed. A model on your own "
                "computer costs nothing."
            )
        else:
            st.markdown(plain(describe_price(price, today)))
        with (
            shown_errors(),
            st.form(f"price {connection.spec} {connection.base_url}", border=False),
        ):
            _draw_fields(connection, price, today)
        if price is not None and price.source == ENTERED:
            st.button(
                "Forget the price entered",
                key="forget price",
                on_click=_keep,
                args=(connection, None),
                type="tertiary",
            )


def _draw_fields(connection: Connection, price: Price | None, today: datetime.date) -> None:
    sent, written, currency = st.columns(3)
    with sent:
        price_in = st.text_input(
            "A million tokens sent",
            str(price.input_per_million) if price else "",
            placeholder="0.15",
            autocomplete="off",
        )
    with written:
        price_out = st.text_input(
            "A million tokens written",
            str(price.output_per_million) if price else "",
            placeholder="0.60",
            autocomplete="off",
        )
    with currency:
        unit = st.text_input(
            "Currency", price.currency if price else "USD", max_chars=3, autocomplete="off"
        )
    if st.form_submit_button("Keep this price"):
        _keep(connection, entered_price(price_in or "", price_out or "", unit or "", today=today))
        st.rerun()


def _keep(connection: Connection, price: Price | None) -> None:
    change_price(queries.store(), connection.spec, connection.base_url, price)
