"""What is drawn of studies of word problems alone."""

from biaslab.studies.word_problems.study import STUDIES
from biaslab.ui.studies.screens import StudyScreens
from biaslab.ui.studies.word_problems.reversal_view import draw_reversals

SCREENS = {study.name: StudyScreens(below_effects=draw_reversals) for study in STUDIES}
