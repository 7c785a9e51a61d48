"""What a person says that a tested server charges, written down without another test."""

from __future__ import annotations

import json

from biaslab.models.prices import Price
from biaslab.runs.store.store import Store


def change_price(store: Store, spec: str, base_url: str, price: Price | None) -> None:
    """Keeps the price of a tested server's model; None forgets the one that was entered.

    Runs that were prepared before keep the price that they were prepared with. Nothing happens
    where the server is no longer remembered.
    """
    text = None if price is None else json.dumps(price.as_json())
    with store.writing() as database:
        database.execute(
            "UPDATE connections SET price = ? WHERE spec = ? AND base_url = ?",
            (text, spec, base_url),
        )
