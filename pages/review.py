"""Quality review: people judge a random part of a study's texts."""

import streamlit as st

from biaslab.review.reading import review
from biaslab.review.records import Role
from biaslab.runs import RunError
from biaslab.ui.navigation import LINK, REVIEW, heading, link
from biaslab.ui.review import address
from biaslab.ui.review.judging import draw_judging
from biaslab.ui.review.packets_panel import draw_files
from biaslab.ui.review.queries import standing
from biaslab.ui.review.results import draw_results
from biaslab.ui.review.start import draw_start, draw_unknown
from biaslab.ui.widgets import choosing, queries
from biaslab.ui.widgets.errors import shown_errors
from biaslab.ui.widgets.words import plain

heading(
    "Quality review",
    "Are the texts good enough? People judge some of them by two yes/no questions; you see "
    "whether they agree and how many are faulty. Works without any model.",
)
opened = address.review_parameter()
if not opened.value:
    draw_start()
    st.stop()
try:
    record = review(queries.store(), opened.value)
except RunError:
    draw_unknown()
    draw_start()
    st.stop()

views = dict(address.VIEWS)
if record.role is Role.REVIEWER:
    # Only the coordinator knows what others said.
    del views[address.RESULTS]
view = address.view_parameter(tuple(views))
st.header(plain(record.title), anchor=False)
with st.container(horizontal=True, vertical_alignment="center"):
    choosing.segmented_control(
        "View",
        list(views),
        format_func=views.__getitem__,
        required=True,
        wrap=True,
        label_visibility="collapsed",
        **view.bind(),
    )
    link(REVIEW, "Link to this review", {"review": record.id, "view": view.value}, icon=LINK)
    link(REVIEW, "All reviews", {}, icon=":material/list:")
with shown_errors():
    if view.value == address.JUDGE:
        draw_judging(record)
    elif view.value == address.FILES:
        draw_files(record, standing(record))
    else:
        draw_results(record, standing(record))
