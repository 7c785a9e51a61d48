"""What a paper about origins rests on: both tables, with all that is worked out from them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from biaslab.training.experiment.design import ROWS
from biaslab.training.experiment.dose import Dose, dose
from biaslab.training.experiment.predictions import STUDIES, Predicted
from biaslab.training.experiment.table import EXPERIMENT_FILE, Kept, read_table
from biaslab.training.experiment.tasks import finished_in
from biaslab.training.experiment.verdicts import Decided, decide, judgements
from biaslab.training.origins.effects import OriginEffect, final_effects
from biaslab.training.origins.predictions import STRATEGIES, Judgement, judge
from biaslab.training.origins.rows import FAMILY_FILE, FamilyRow, Kind, read_family

FAMILY, EXPERIMENT = FAMILY_FILE.name, EXPERIMENT_FILE.name
"""Names of the tables in the bundle."""

TRAININGS = sum(len(row.cells) * row.starts for row in ROWS)
"""How many the experiment has."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Both tables and what they say.

    Attributes:
        family, experiment: their rows; files: the tables themselves, by name.
        family_effects: by study, the effects at the end of training, at one step, by mix, asked
            in each way.
        family_judgements, judgements: what came of the predictions of each.
        decided: every claim of the experiment with its figure.
        doses: by study, the dose-response curve, of those that have one.
    """

    family: tuple[FamilyRow, ...]
    experiment: tuple[Kept, ...]
    files: dict[str, bytes]
    family_effects: dict[str, tuple[OriginEffect, ...]]
    family_judgements: tuple[Judgement, ...]
    judgements: tuple[Judgement, ...]
    decided: dict[Predicted, Decided]
    doses: dict[str, Dose]

    @property
    def finished(self) -> int:
        """Trainings of the experiment that are at their end."""
        return len(finished_in(self.experiment))

    @property
    def begun(self) -> int:
        """Starts that have any training in the table."""
        return len({kept.row.seed for kept in self.experiment})

    @property
    def is_whole(self) -> bool:
        """Whether the experiment is trained to its end."""
        return self.finished == TRAININGS


def read_contents(family: Path, experiment: Path) -> Contents:
    """Reads both tables and works out what they say.

    Args:
        family: the table of the family.
        experiment: that of the experiment; it need not be there.

    Raises:
        BrokenAssets: one of them cannot be read.
        OSError: as above, while it is copied.
    """
    rows, table = read_family(family), read_table(experiment)
    files = {FAMILY: family.read_bytes()}
    if experiment.is_file():
        files[EXPERIMENT] = experiment.read_bytes()
    effects = {
        study: tuple(
            effect
            for strategy in STRATEGIES
            for effect in final_effects(rows, Kind(study, 1, strategy)).values()
        )
        for study in STUDIES
    }
    decided = decide(table)
    curves = {study: dose(table, study) for study in STUDIES}
    return Contents(
        rows, table, files, effects, judge(rows), judgements(decided), decided,
        {study: curve for study, curve in curves.items() if curve is not None},
    )  # fmt: skip
