"""A list of things of one page, each with an address of its own; one of them is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import streamlit as st

from biaslab.ui.navigation import Screen, link


class Listed(NamedTuple):
    """A thing in the list.

    Attributes:
        label: what it is called, as Markdown.
        address: the parameters that show it.
        icon: how it is with it.
        about: more, as Markdown.
        shown: whether the page shows it now.
    """

    label: str
    address: Mapping[str, str]
    icon: str
    about: str
    shown: bool


def draw_links(screen: Screen, listed: Iterable[Listed]) -> None:
    """Draws the list. Streamlit marks every link to the page itself; here only the one shown is."""
    with st.container(key="links", gap="small"):
        for each in listed:
            with st.container(key="link shown" if each.shown else None, gap="xxsmall"):
                link(
                    screen,
                    f"{each.label} (shown)" if each.shown else each.label,
                    each.address,
                    icon=each.icon,
                )
                st.caption(each.about)
