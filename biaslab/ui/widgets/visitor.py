"""Who looks at a page, and what they may do here."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from biaslab.models.server.addresses import is_loopback
from biaslab.system.roles import PROVE_HERE as PROVE_IT
from biaslab.system.roles import TABLE, May, Role, refusal
from biaslab.ui.serving import starting

__all__ = ["PROVE_IT"]


def role() -> Role:
    """Who looks at the page."""
    return starting.role_of(st.context.cookies)


def acting() -> Role:
    """Who acts, for `biaslab.system.roles`; the program itself where no browser asks."""
    no_browser = get_script_run_ctx(suppress_warning=True) is None
    return Role.HERE if no_browser else role()


def who() -> str:
    """Which host acts, for `biaslab.system.roles`."""
    no_browser = get_script_run_ctx(suppress_warning=True) is None
    return "" if no_browser else starting.person_of(st.context.cookies).name


def is_here() -> bool:
    """Whether this is the person at the computer that runs the app, by the cookie of the start."""
    return role() is Role.HERE


def may(deed: May) -> bool:
    """Whether they may do something."""
    return deed in TABLE[role()]


def refused(deed: May) -> bool:
    """Whether they may not do something; then it is said who may, and how to become that."""
    whose = role()
    why = refusal(deed, whose)
    if why:
        called = Role.VISITOR if whose is Role.NEAR else whose
        st.caption(f":material/lock: You are a {called}. {why}")
    return bool(why)


def is_overheard() -> bool:
    """Whether what is typed crosses a network that others may read it on."""
    url = st.context.url or ""
    return urlsplit(url).scheme == "http" and not is_loopback(url)


def is_shared() -> bool:
    """Whether the app takes visitors from other computers."""
    return starting.takes_visitors()
