"""Decision biases: does what should not matter move a decision?"""

import streamlit as st

from biaslab.analysis.bias_profile import STUDY
from biaslab.ui import bias_kept, choosing
from biaslab.ui.bias_address import BIAS, FILES, FILL, PROFILE, VIEWS, WRITE, view_parameter
from biaslab.ui.bias_detail import draw_bias
from biaslab.ui.bias_files_box import draw_files
from biaslab.ui.bias_filling import draw_filling
from biaslab.ui.bias_profile_view import draw_profile
from biaslab.ui.bias_published import draw_published
from biaslab.ui.bias_start import draw_start
from biaslab.ui.bias_writing import draw_writing
from biaslab.ui.navigation import BIASES, COMPOSE, EFFECTS, LINK, link
from biaslab.ui.page_top import heading
from biaslab.ui.run_choice import several_runs

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
runs = bias_kept.study_runs()
chosen = several_runs(runs) if runs and view.value in (PROFILE, BIAS, FILES) else []
if view.value == PROFILE:
    if chosen:
        draw_profile(chosen)
    else:
        draw_start()
elif view.value == BIAS:
    draw_bias(chosen)
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
