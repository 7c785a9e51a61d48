"""Choosing a part of the pairs by their strata, with a link to the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import streamlit as st

from biaslab.studies import Stratum, Value
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.address import Parameter

Chosen: TypeAlias = tuple[tuple[str, Value], ...]
"""Strata by name with the value asked for, in the order of the study."""

_ANY = ""


def written(chosen: Mapping[str, object]) -> str:
    """Strata as in a link: ``steps:2,operation:addition``."""
    return ",".join(f"{name}:{value}" for name, value in chosen.items())


def strata_parameter(
    values: Mapping[str, Sequence[Value]], resets: tuple[str, ...]
) -> Parameter[Chosen]:
    """The strata that the address names; a text with a stratum that is not there means none."""

    def read(text: str) -> Chosen | None:
        found: list[tuple[str, Value]] = []
        for part in text.split(","):
            name, _, value = part.partition(":")
            match = [known for known in values.get(name, ()) if str(known) == value]
            if not match:
                return None
            found.append((name, match[0]))
        return tuple(found)

    return Parameter("strata", (), read, lambda chosen: written(dict(chosen)), resets)


def draw_filter(
    strata: Sequence[Stratum], values: Mapping[str, Sequence[Value]], parameter: Parameter[Chosen]
) -> None:
    """A choice for each stratum that has more than one value."""
    chosen = dict(parameter.value)
    shown = [stratum for stratum in strata if len(values.get(stratum.name, ())) > 1]
    if not shown:
        return
    with st.grid(min(len(shown), 4), min_column_width=150):
        for stratum in shown:
            _draw_one(stratum, values[stratum.name], chosen, parameter)


def _draw_one(
    stratum: Stratum,
    values: Sequence[Value],
    chosen: dict[str, Value],
    parameter: Parameter[Chosen],
) -> None:
    key = f"stratum {stratum.name}"
    by_text = {str(value): value for value in values}
    st.session_state[key] = str(chosen.get(stratum.name, _ANY))

    def keep() -> None:
        now = {name: value for name, value in chosen.items() if name != stratum.name}
        picked = st.session_state[key]
        if picked in by_text:
            now[stratum.name] = by_text[picked]
        parameter.change(tuple(now.items()))

    choosing.selectbox(
        stratum.label.capitalize(),
        [_ANY, *by_text],
        format_func=lambda text: text or "all",
        key=key,
        on_change=keep,
        help=stratum.explanation,
        filter_mode=None,
    )
