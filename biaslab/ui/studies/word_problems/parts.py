"""What is drawn of studies of word problems alone."""

from dataclasses import replace

from biaslab.studies.word_problems.composed import NAME as COMPOSED
from biaslab.studies.word_problems.custom.imported import NAME as IMPORTED
from biaslab.studies.word_problems.study import STUDIES
from biaslab.ui.studies.screens import StudyScreens
from biaslab.ui.studies.word_problems.composed_form import FIELDS
from biaslab.ui.studies.word_problems.reversal_view import draw_reversals
from biaslab.ui.studies.word_problems.structure_builder import ask_for_set, draw_example
from biaslab.ui.studies.word_problems.wrong_answers import draw_wrong_answers

_EVERY = StudyScreens(below_effects=draw_reversals)

SCREENS = {study.name: _EVERY for study in STUDIES} | {
    COMPOSED: replace(
        _EVERY, fields=FIELDS, below_pair=draw_wrong_answers, instead_of_pairs=draw_example
    ),
    IMPORTED: replace(_EVERY, instead_of_pairs=ask_for_set),
}
