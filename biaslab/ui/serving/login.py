"""Becoming a host by signing in, with any provider that speaks OpenID Connect.

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

import streamlit as st

from biaslab.system.roles import Role
from biaslab.ui.serving.roles import START, grant
from biaslab.ui.widgets import visitor

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
    if visitor.role() is Role.HOST:
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
