"""Import items: a file of multiple-choice questions, told row by row and kept as a set to ask."""

import streamlit as st

from biaslab.ui.navigation import heading
from biaslab.ui.studies.malgorithm.importing import draw_file
from biaslab.ui.studies.malgorithm.item_sets import draw_sets

heading(
    "Import items",
    "Bring multiple-choice questions of your own or of a data set. **Every row is told of**: what "
    "can be asked of it, or why it can't. Kept sets are asked of models and given to your class.",
)
with st.container(border=True):
    draw_file()
with st.container(border=True):
    draw_sets()
