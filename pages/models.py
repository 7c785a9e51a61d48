"""Models: who can be asked, and connecting a server."""

import streamlit as st

from biaslab.models import read_spec
from biaslab.runs import find_connection
from biaslab.system.roles import May, Role
from biaslab.ui.models.connect_form import draw_form
from biaslab.ui.models.hub_panel import draw_hub
from biaslab.ui.models.keys_allowed import draw_keys_allowed
from biaslab.ui.models.model_detail import draw_connection, draw_model, find_model
from biaslab.ui.models.model_list import draw_list
from biaslab.ui.models.server_address import connect_parameter, model_parameter, server_parameter
from biaslab.ui.navigation import MODELS, action_row, heading, link
from biaslab.ui.widgets import queries, visitor
from biaslab.ui.widgets.words import plain

heading(
    "Models",
    "**Connect a server** once; a test finds what it supports.",
)
if visitor.role() is Role.NEAR:
    st.info(
        "You are a visitor: “localhost” below is the computer that runs BiasLab. A server that you "
        "connect is listed for everybody here; a key that you type stays in your session. "
        f"{visitor.PROVE_IT}"
    )
elif visitor.is_shared():
    st.caption(
        "Others on your network can open this page. They can ask the servers listed here, those "
        "with a key in an environment variable included, and pay with it; they never see a key."
    )

spec, url = model_parameter().value, server_parameter().value
server = find_connection(queries.store(), spec, url or None) if spec else None
model = find_model(spec) if spec else None
chosen = not connect_parameter().value and (server is not None or model is not None)
if spec and not chosen and not connect_parameter().value:
    if read_spec(spec).served:
        name = plain(read_spec(spec).name)
        st.info(f"“{name}” is not among the models that were tested. Connect its server.")
    else:
        st.warning(f"The link names “{plain(spec)}”, which is not among the models here.")

if not chosen:
    action, told = action_row(), st.container()
first, others = st.columns([3, 2] if chosen else 2, gap="medium")
with first:
    if chosen:
        link(MODELS, "Connect another server", {"connect": "yes"}, icon=":material/add:")
    with st.container(border=True):
        if not chosen:
            if not visitor.refused(May.CONNECT):
                draw_form(action, told)
        elif server is not None:
            draw_connection(server)
        elif model is not None:
            draw_model(model)
    draw_hub()
with others:
    draw_list()
    draw_keys_allowed()
