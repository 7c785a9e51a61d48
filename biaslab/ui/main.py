"""The main script: look, navigation, and the page that was asked for."""

from __future__ import annotations

import importlib
from pathlib import Path
from threading import Timer

import streamlit as st

from biaslab.system import roles
from biaslab.ui.navigation import draw_steps, heading, pages, screen_of
from biaslab.ui.widgets import visitor
from biaslab.ui.widgets.address import end_run, remember
from biaslab.ui.widgets.visitor import draw_login
from biaslab.ui.widgets.words import shown_errors

# After the first page's script: what it drew goes to the browser on the same core.
WARM_UP_SECONDS = 0.5


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Imports what the next pages need, once, when the first one has been drawn.

    pandas and scipy.stats take longer to import than the first page to draw, and so does
    Streamlit's list of emojis, which its first message in a frame looks through; nobody should
    wait for them before that page, nor at the first click.
    """
    begin = Timer(WARM_UP_SECONDS, _import)
    begin.daemon = True
    begin.start()


def _import() -> None:
    for name in ("biaslab.charts", "streamlit.emojis", "scipy.stats", "schoolmath.malrules"):
        importlib.import_module(name)
    # The first use of the catalogue of rules reads all of it.
    importlib.import_module("schoolmath.malrules").rules()


STYLE = Path(__file__).resolve().parents[2] / "assets" / "style"


def main() -> None:
    """Draws the page that the address names."""
    st.set_page_config(
        page_title="BiasLab",
        page_icon=str(STYLE / "icon.svg"),
        layout="wide",
        initial_sidebar_state="auto",
        menu_items={
            "About": "**BiasLab** shows how language models go wrong at school mathematics in "
            "the ways that people do."
        },
    )
    st.html(STYLE / "style.css")
    st.logo(str(STYLE / "logo.svg"), size="large")
    page = st.navigation(pages(), position="top")
    screen = screen_of(page)
    try:
        remember(screen.title, screen.parameters)
        draw_steps(screen)
        with shown_errors():
            if visitor.may(screen.needs):
                page.run()
            else:
                heading(screen.title, screen.help)
                visitor.refused(screen.needs)
                draw_login()
    finally:
        end_run()
    warm_up()


roles.known_by(visitor.acting, visitor.who)
main()
