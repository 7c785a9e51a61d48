"""The screens and the ways between them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import streamlit as st

PAGES = Path(__file__).resolve().parents[2] / "pages"


class Screen(NamedTuple):
    """A page of the app."""

    file: str
    title: str
    icon: str
    help: str

    @property
    def path(self) -> Path:
        """Where it is, absolute as Streamlit wants it here."""
        return PAGES / self.file


HOME = Screen("home.py", "Home", ":material/home:", "What this is, and a demo at one click.")
COMPOSE = Screen(
    "compose.py", "Compose", ":material/edit_note:", "Make pairs of problems and ask a model."
)
RUNS = Screen("runs.py", "Runs", ":material/play_circle:", "What was asked, and how far it is.")
EFFECTS = Screen("effects.py", "Effects", ":material/bar_chart:", "What changing one feature did.")
ITEMS = Screen("items.py", "Items", ":material/find_in_page:", "Every problem, answer by answer.")
SCREENS = (HOME, COMPOSE, RUNS, EFFECTS, ITEMS)


def pages() -> list[st.Page]:
    """The pages as Streamlit wants them declared."""
    return [
        st.Page(
            screen.path,
            title=screen.title,
            icon=screen.icon,
            help=screen.help,
            default=screen is HOME,
            url_path=None if screen is HOME else screen.path.stem,
        )
        for screen in SCREENS
    ]


def go(screen: Screen, **parameters: str) -> None:
    """Shows another screen, with the state that the parameters name."""
    st.switch_page(screen.path, query_params=parameters)


def link(
    screen: Screen,
    label: str,
    parameters: Mapping[str, str] | None = None,
    *,
    icon: str | None = None,
    stretch: bool = False,
) -> None:
    """A link to another screen."""
    st.page_link(
        screen.path,
        label=label,
        icon=screen.icon if icon is None else icon,
        help="",
        query_params=dict(parameters) if parameters else None,
        width="stretch" if stretch else "content",
    )
