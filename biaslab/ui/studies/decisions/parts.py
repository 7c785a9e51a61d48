"""What is drawn of the study of decision biases alone."""

from biaslab.studies.decisions.study import BIASES, NAME
from biaslab.ui.studies.decisions.bias_field import draw_biases
from biaslab.ui.studies.screens import Field, StudyScreens

SCREENS = {NAME: StudyScreens(fields={BIASES.name: Field(draw_biases)})}
