"""Who looks at a page: somebody at this computer, or somebody on a network."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from biaslab.models.server.addresses import is_loopback


def is_here() -> bool:
    """Whether the page is looked at on the computer that runs the app.

    Behind a proxy every visitor seems to come from here, so the page's own address has to be
    one of this computer as well.
    """
    url = st.context.url
    return st.context.ip_address is None and (url is None or is_loopback(url))


def is_overheard() -> bool:
    """Whether what is typed crosses a network that others may read it on."""
    url = st.context.url or ""
    return urlsplit(url).scheme == "http" and not is_loopback(url)


def is_shared() -> bool:
    """Whether the app takes visitors from other computers."""
    address = st.get_option("server.address")
    return not address or not is_loopback(f"http://{address}")
