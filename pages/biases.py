"""Decision biases: does what should not matter move a decision?"""

import streamlit as st

from biaslab.studies.decisions.results import STUDY
from biaslab.system.roles import May
from biaslab.ui.navigation import BIASES, COMPOSE, EFFECTS, LINK, heading, link
from biaslab.ui.studies.decisions import queries as bias_queries
from biaslab.ui.studies.decisions.address import (
    BIAS,
    FILES,
    FILL,
    HEAT,
    PROFILE,
    VIEWS,
    WRITE,
    view_parameter,
)
from biaslab.ui.studies.decisions.detail import draw_bias
from biaslab.ui.studies.decisions.files_panel import draw_files
from biaslab.ui.studies.decisions.filling import draw_filling
from biaslab.ui.studies.decisions.heat_map_view import draw_heat_map, newest_of_each
from biaslab.ui.studies.decisions.profile_view import draw_profile, draw_published, draw_start
from biaslab.ui.studies.decisions.writing import draw_writing
from biaslab.ui.widgets import choosing, visitor
from biaslab.ui.widgets.run_choice import draw_gallery_fault, several_runs

heading(
    "Decision biases",
    "Does something that should not matter **move a decision**, as it moves people's? The same "
    "scene is put twice, once with the thing that should not matter (**treatment**) and once "
    "without (**control**); each answer is an option on a scale.",
)
view = view_parameter()
choosing.segmented_control(
    "Show", list(VIEWS), format_func=VIEWS.__getitem__, required=True, wrap=True, **view.bind()
)
runs = bias_queries.study_runs()
compared = newest_of_each(runs) if view.value == HEAT else ()
shows_runs = runs and view.value in (PROFILE, HEAT, BIAS, FILES)
chosen = several_runs(runs, compared) if shows_runs else []
if view.value in (PROFILE, HEAT):
    draw_gallery_fault()
if view.value == PROFILE:
    if chosen:
        draw_profile(chosen)
    else:
        draw_start()
elif view.value == HEAT:
    draw_heat_map(chosen)
elif view.value == BIAS:
    draw_bias(chosen)
elif view.value in (WRITE, FILL, FILES) and visitor.refused(May.KEEP):
    pass
elif view.value == WRITE:
    draw_writing()
elif view.value == FILL:
    draw_filling()
elif view.value == FILES:
    draw_files(chosen)
else:
    draw_published()
if chosen:
    ids = ",".join(run.id for run in chosen)
    with st.container(horizontal=True):
        link(BIASES, "Link to this view", {**st.query_params.to_dict(), "runs": ids}, icon=LINK)
        link(EFFECTS, "Effects by any feature", {"runs": ids, "by": "bias"})
        link(COMPOSE, "Ask another model", {"study": STUDY})
