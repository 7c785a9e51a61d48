"""The check that a table of items has what an analysis counts, and is of its study."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from biaslab.stats.errors import BrokenOutcomes


def require_items(items: pd.DataFrame, columns: Sequence[str], study: str, figures: str) -> None:
    """Refuses a table that cannot be counted.

    Args:
        items: as of `Store.answered_items`.
        columns: those that are needed.
        study: name of the study that all items must be of.
        figures: what is to be counted, in words, as the start of a sentence.

    Raises:
        BrokenOutcomes: a column is missing, or there are items of another study.
    """
    absent = [name for name in columns if name not in items.columns]
    if absent:
        raise BrokenOutcomes(
            f"The table of items has no column {', '.join(absent)}: take it from the store's "
            "answered items as it is."
        )
    others = sorted(set(items["study"]) - {study})
    if others:
        raise BrokenOutcomes(
            f"{figures} {study}, and there are items of {', '.join(others)}: leave their runs out."
        )
