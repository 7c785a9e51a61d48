"""How a server is asked: how much at once, and whether as a batch."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from biaslab.models import MOST_AT_ONCE, Access
from biaslab.models.access import OPENAI_URL
from biaslab.models.server.addresses import is_openai
from biaslab.runs import Connection
from biaslab.ui.widgets.address import Parameter, flag, integer


def at_once_parameter(server: Connection) -> Parameter[int]:
    """The most requests on their way, as they stand in the address."""
    return integer("at-most", server.access.at_once, 1, MOST_AT_ONCE)


def batch_parameter() -> Parameter[bool]:
    """Whether requests are handed over as a batch, as it stands in the address."""
    return flag("batch-api")


def draw_speed(server: Connection) -> Access:
    """Draws the most requests at once; gives how the server is reached with that."""
    parameter = at_once_parameter(server)
    st.number_input(
        "Most requests at once",
        min_value=1,
        max_value=MOST_AT_ONCE,
        step=8,
        value=None,
        help="The server is asked so many problems at the same time. When it says that this is "
        "too much, fewer are sent, and more again when it recovers.",
        **parameter.bind(),
    )
    return replace(server.access, at_once=parameter.value)


def draw_batch(server: Connection) -> bool:
    """Draws whether requests are handed over as a batch."""
    parameter = batch_parameter()
    st.toggle(
        "Answer within a day, cheaper",
        help="Hands all requests over at once (OpenAI's Batch API). The server answers when it "
        "has time, usually within hours and within a day at the latest, and OpenAI asks half "
        "the price for that. You may close everything: resuming the run takes the answers in.",
        **parameter.bind(),
    )
    if parameter.value and not all(
        is_openai(url) for url in server.access.base_urls or [OPENAI_URL]
    ):
        st.caption(
            "This server is not OpenAI's own. Few others take batches; if it does not, the run "
            "pauses and says so."
        )
    return parameter.value
