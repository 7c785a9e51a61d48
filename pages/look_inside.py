"""Look inside: what a model would answer after each word of a problem."""

import streamlit as st

from biaslab.studies import Design, experiment
from biaslab.ui.compose.design_form import address_of
from biaslab.ui.inside import queries as inside_queries
from biaslab.ui.inside.address import design_of_address, look_parameter, pair_of, swaps_parameter
from biaslab.ui.inside.deciding import draw_decided
from biaslab.ui.inside.drawing import draw_in_short, draw_inside
from biaslab.ui.inside.form import draw_pair_fields
from biaslab.ui.inside.models import draw_models, warn_of_limits
from biaslab.ui.navigation import COMPOSE, LINK, LOOK_INSIDE, action_row, heading, link
from biaslab.ui.widgets.cards import pair_cards
from biaslab.ui.widgets.words import plain

heading(
    "Look inside",
    "What would a model answer if the problem stopped after each word? See the **right answer** "
    "and that of the **reversed operation** rise and fall.",
)
action = action_row()
form, shown = st.columns([2, 3], gap="medium")
with form, st.container(border=True):
    models = draw_models()
    draw_pair_fields()
design = design_of_address()
study = experiment(design.study)
pair = pair_of(design)
with shown:
    pair_cards(pair, study.arms, working=False)
if not models:
    st.info("Choose a model that can be opened on this computer to look inside it.")
    st.stop()

warn_of_limits(models, design.study, int(pair.strata["steps"]))
look = look_parameter()
swaps = models[0].tiny or (swaps_parameter().value and not models[0].server)
if not look.value and not inside_queries.is_kept(models, pair, swaps):
    action.button(
        "Look inside",
        type="primary",
        icon=":material/visibility:",
        on_click=look.set,
        args=(True,),
    )
    action.caption(
        "Sends several requests for each word: minutes where the server has no GPU."
        if any(model.server for model in models)
        else "Opens the model beside the app: seconds for a tiny one, perhaps minutes for a large "
        "one.",
        help="It is asked after every word. What was worked out is kept.",
    )
    st.stop()
found, refused, decided = inside_queries.look(models, pair, swaps)
for label, reason in refused.items():
    st.error(plain(f"{label}: {reason}"), icon=":material/error:")
if found:
    with shown:
        draw_in_short(found, study.arms)
    draw_inside(found, study.arms)
if models[0].server:
    st.caption("Where it is decided can be seen in models that are opened here, not on a server.")
elif models[0].label in found:
    draw_decided(decided, models[0], study.arms)
many = Design(design.study, 200, design.seed, design.settings)
with st.container(horizontal=True):
    state = {"model": models[0].spec, **st.query_params.to_dict(), "look": "yes"}
    link(LOOK_INSIDE, "Link to this view", state, icon=LINK)
    link(COMPOSE, "Ask about many such pairs", address_of(many) | {"model": models[0].spec})
