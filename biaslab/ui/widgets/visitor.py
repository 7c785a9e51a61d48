"""Who looks at a page: the person at this computer, or somebody else."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from biaslab.models.server.addresses import is_loopback
from biaslab.ui.serving import starting
from biaslab.ui.serving.roles import Role, role_of

PROVE_IT = (
    "If you are at the computer that runs BiasLab: open the address with “/start?token=” that "
    "stands in the window where it was started, or start it again."
)
"""What somebody does who is here and not known to be."""


def is_here() -> bool:
    """Whether this is the person at the computer that runs the app, by the cookie of the start."""
    return role_of(st.context.cookies, int(st.get_option("server.port"))) is Role.HERE


def is_overheard() -> bool:
    """Whether what is typed crosses a network that others may read it on."""
    url = st.context.url or ""
    return urlsplit(url).scheme == "http" and not is_loopback(url)


def is_shared() -> bool:
    """Whether the app takes visitors from other computers."""
    return starting.is_shared()
