"""The published heat map as a table, with what to know before comparing."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from biaslab.charts.malgorithm.grid import cell_colour
from biaslab.charts.theme import contrast
from biaslab.studies.decisions.published import CAVEATS, SOURCE, published_biases
from biaslab.ui.widgets.figures import is_dark
from biaslab.ui.widgets.words import plain, signed_number


def draw_published() -> None:
    """Draws all cells, pale for 0 and strong for the ends, with the numbers in them."""
    st.markdown(
        f"**{plain(SOURCE)}.** A positive score means that decisions moved in the direction "
        "of the bias. No "
        "intervals are printed."
    )
    st.markdown("\n".join(f"- {plain(caveat)}" for caveat in CAVEATS))
    cells = published_biases()
    names = {cell.bias: f"{cell.name} ⚠" if cell.note else cell.name for cell in cells}
    table = pd.DataFrame(
        [{"Bias": names[cell.bias], "model": cell.model, "value": cell.value} for cell in cells]
    ).pivot(index="Bias", columns="model", values="value")
    order = dict.fromkeys(names.values()), dict.fromkeys(cell.model for cell in cells)
    table = table.loc[list(order[0]), [*reversed(list(order[1]))]]
    dark = is_dark()
    styled = table.style.format(_written).map(lambda value: _style(value, dark))
    st.dataframe(
        styled,
        height=35 * (len(table) + 1) + 3,
        column_config={"_index": st.column_config.Column(pinned=True, width=190)},
        alt=f"Published scores of {len(table)} biases and {table.shape[1]} columns",
    )
    st.caption(
        "⚠ scored with a reversed scale by mistake. Stronger colours are larger sizes, whichever "
        "way; the sign stands with the number."
    )


def _written(value: object) -> str:
    return signed_number(value) if isinstance(value, float) else str(value)


def _style(value: float, dark: bool) -> str:
    fill = cell_colour(min(1.0, abs(value)), dark)
    ink = max(("#000000", "#FFFFFF"), key=lambda colour: contrast(colour, fill))
    return f"background-color: {fill}; color: {ink}"
