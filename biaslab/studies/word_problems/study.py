"""The studies of word problems, those of the paper first."""

from biaslab.studies.study import Experiment
from biaslab.studies.word_problems.composed import EXPERIMENT as COMPOSED
from biaslab.studies.word_problems.custom.imported import EXPERIMENT as IMPORTED
from biaslab.studies.word_problems.presets.carry import EXPERIMENT as CARRY
from biaslab.studies.word_problems.presets.consistency import EXPERIMENT as CONSISTENCY
from biaslab.studies.word_problems.presets.odds import ODDS
from biaslab.studies.word_problems.presets.transfer_comparison import (
    EXPERIMENT as TRANSFER_COMPARISON,
)

STUDIES: tuple[Experiment, ...] = (
    CONSISTENCY, TRANSFER_COMPARISON, CARRY, COMPOSED, IMPORTED, *ODDS
)  # fmt: skip
