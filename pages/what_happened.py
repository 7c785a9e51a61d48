"""What happened here? A problem, a wrong answer, and everything known that leads to it."""

from biaslab.ui.classroom.happened import VIEW, draw_one, draw_view
from biaslab.ui.classroom.happened_table import draw_several
from biaslab.ui.navigation import heading

heading(
    "What happened here?",
    "Type a problem as it stands in the exercise book, and the wrong answer. See **every known "
    "mal-rule that gives it**, step by step beside the right way, and what to ask next.",
)
draw_view()
if VIEW.value == "several":
    draw_several()
else:
    draw_one()
