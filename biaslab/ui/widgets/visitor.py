"""Who looks at a page, what they may do here, and becoming a host by signing in.

Streamlit signs people in (``st.login``; needs `pip install "biaslab[host]"` and ``[auth]`` in its
secrets). Being signed in is nothing here by itself: a claim that is named where BiasLab is started
has to hold a value that is named there too. It then gives a grant, which the browser takes to the
same route as the tokens do, and what it gets ends when the provider's token does: Streamlit's own
cookie lasts 30 days, and does not look.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from biaslab.models.server.addresses import is_loopback
from biaslab.system.roles import PROVE_HERE as PROVE_IT
from biaslab.system.roles import TABLE, May, Role, refusal
from biaslab.ui.serving import starting
from biaslab.ui.serving.roles import START, grant

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


CLAIM_VARIABLE = "BIASLAB_HOST_CLAIM"
"""Environment variable that says who is a host, such as ``groups=teachers``."""


class HostClaim(NamedTuple):
    """What makes somebody a host who signed in.

    Attributes:
        name: of the claim; where there is none of this name, dots lead into claims inside others,
            as in ``realm_access.roles``.
        value: what it is, or has in its list.
    """

    name: str
    value: str

    def until(self, claims: Mapping[str, Any]) -> float:
        """Until when these claims make somebody a host, seconds since 1970; 0 where they don't."""
        end = claims.get("exp")
        if isinstance(end, bool) or not isinstance(end, (int, float)) or end <= time.time():
            return 0.0
        if self.name == "email" and claims.get("email_verified") is not True:
            return 0.0  # an address that somebody merely says is theirs
        found = claims.get(self.name, _inside(claims, self.name))
        held = found if isinstance(found, (list, tuple)) else [found]
        return float(end) if self.value in held else 0.0


def host_claim() -> HostClaim | None:
    """What makes a host here; None where nobody becomes one by signing in."""
    name, _, value = os.environ.get(CLAIM_VARIABLE, "").partition("=")
    return HostClaim(name.strip(), value.strip()) if name.strip() and value.strip() else None


def draw_login() -> None:
    """Draws how to become a host by signing in, where that is set up; for hosts, the way back."""
    if role() is Role.HOST:
        leaving = grant(Role.VISITOR, time.time(), "")
        st.link_button("Stop being a host", f"{START}?token={leaving}", icon=":material/logout:")
        return
    claim = host_claim()
    if claim is None or not st.secrets.load_if_toml_exists() or "auth" not in st.secrets:
        return
    if not st.user.is_logged_in:
        st.button("Sign in as a host", icon=":material/login:", on_click=st.login, key="sign in")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        claims = st.user.to_dict()
        until = claim.until(claims)
        if until:
            # A provider's subject is unique with it alone (OpenID Connect Core 1.0, section 2).
            person = f"{claims.get('iss', '')} {claims.get('sub', '')}"
            st.link_button("Go on as a host", f"{START}?token={grant(Role.HOST, until, person)}")
        else:
            st.caption(
                "You are signed in, but not as somebody who is a host here, or too long ago. Sign "
                "in again, or ask the person who started BiasLab."
            )
        st.button("Sign out", on_click=st.logout, key="sign out")


def _inside(claims: Mapping[str, Any], name: str) -> object:
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
