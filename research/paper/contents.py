"""What a paper about origins rests on: its tables, with all that is worked out from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from biaslab.training.origins.effects import OriginEffect, final_effects
from biaslab.training.origins.predictions import STRATEGIES, Judgement, judge
from biaslab.training.origins.rows import FAMILY_FILE, CheckKind, FamilyRow, read_family
from research.experiment.design import ROWS, STUDIES, ClaimFigure, PredictedClaim
from research.experiment.dose import Dose, dose
from research.experiment.estimates import StartsEstimate
from research.experiment.outcomes import TrainingAnswers, contrast_of, estimate_of, log_odds_of
from research.experiment.repeated import (
    AGAIN,
    Again,
    CrossedContrast,
    PairAnswers,
    again_file,
    trained_anew,
)
from research.experiment.running import finished_in
from research.experiment.school import SchoolMixes, school_mixes
from research.experiment.table import (
    EXPERIMENT_FILE,
    Pairs,
    SampleRow,
    pairs_file,
    read_pairs,
    read_table,
)
from research.experiment.verdicts import JudgedClaim, decide, judgements
from research.tuning import estimates as tuned
from research.tuning.design import TUNING, TUNING_FILE

FAMILY, EXPERIMENT, TUNED = FAMILY_FILE.name, EXPERIMENT_FILE.name, TUNING_FILE.name
PAIRS, ANEW = pairs_file().name, again_file().name
"""Names of the tables in the bundle."""

TRAININGS = sum(len(row.cells) * row.starts for row in ROWS)
"""How many the experiment has."""


@dataclass(frozen=True, slots=True)
class OtherEstimates:
    """A claim's figure in other ways, of the same starts.

    Attributes:
        crossed: from single pairs; counted: from the table, by which verdicts go.
        log_odds: of an effect, on log odds; None of shares.
    """

    crossed: CrossedContrast
    counted: StartsEstimate
    log_odds: StartsEstimate | None


@dataclass(frozen=True, slots=True)
class Contents:
    """The tables and what they say.

    Attributes:
        family, experiment, tuning: their rows; pairs: the experiment's, pair by pair, of the
            trainings of which they are kept; files: the tables themselves, by name.
        family_effects: by study, the effects at the end of training, at one step, by mix, asked
            in each way.
        family_judgements, judgements: what came of the predictions of each.
        decided: every claim of the experiment with its figure; checked: from single pairs as
            well, where two starts have all their pairs.
        tuning_judgements: what came of the predictions on fine-tuning.
        doses: by study, the dose-response curve, of those that have one.
        school: what comes of mixes of school problems; None where no start has them.
        again: what came of trainings done a second time; None where there are none.
    """

    family: tuple[FamilyRow, ...]
    experiment: tuple[SampleRow, ...]
    tuning: tuple[SampleRow, ...]
    pairs: tuple[Pairs, ...]
    files: dict[str, bytes]
    family_effects: dict[str, tuple[OriginEffect, ...]]
    family_judgements: tuple[Judgement, ...]
    judgements: tuple[Judgement, ...]
    tuning_judgements: tuple[Judgement, ...]
    decided: dict[PredictedClaim, JudgedClaim]
    checked: dict[PredictedClaim, OtherEstimates]
    doses: dict[str, Dose]
    school: SchoolMixes | None
    again: Again | None

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


def read_contents(family: Path, experiment: Path, tuning: Path) -> Contents:
    """Reads the tables and works out what they say.

    Args:
        family: the table of the family.
        experiment: that of the experiment, with its pairs and with trainings done a second time
            beside it; none need be there.
        tuning: that of fine-tuning; it need not be there.

    Raises:
        BrokenAssets: one of them cannot be read.
        OSError: as above, while it is copied.
    """
    rows, table, fine = read_family(family), read_table(experiment), read_table(tuning, TUNING)
    pairs = read_pairs(pairs_file(experiment))
    files = {FAMILY: family.read_bytes()}
    for name, path in (
        (EXPERIMENT, experiment), (PAIRS, pairs_file(experiment)),
        (ANEW, again_file(experiment)), (TUNED, tuning),
    ):  # fmt: skip
        if path.is_file():
            files[name] = path.read_bytes()
    effects = {
        study: tuple(
            effect
            for strategy in STRATEGIES
            for effect in final_effects(rows, CheckKind(study, 1, strategy)).values()
        )
        for study in STUDIES
    }
    decided = decide(table)
    curves = {study: dose(table, study) for study in STUDIES}
    return Contents(
        rows, table, fine, pairs, files, effects, judge(rows), judgements(decided),
        tuned.judge(tuned.TuningResults(fine)), decided, checked(table, pairs, decided),
        {study: curve for study, curve in curves.items() if curve is not None},
        school_mixes(table), trained_anew(table, read_table(again_file(experiment), AGAIN)),
    )  # fmt: skip


def checked(
    table: Sequence[SampleRow], pairs: Iterable[Pairs], claims: Iterable[PredictedClaim]
) -> dict[PredictedClaim, OtherEstimates]:
    """The claims' figures in other ways, where two starts have all their pairs."""
    answered = PairAnswers(pairs)
    found: dict[PredictedClaim, OtherEstimates] = {}
    for claim in claims:
        # A difference of two sizes is no contrast within a start, and a delay is no mean of pairs.
        contrast = None if claim.figure is ClaimFigure.SIZE else contrast_of(claim)
        crossed = None if contrast is None else answered.crossed(contrast)
        if contrast is not None and crossed is not None:
            same = TrainingAnswers(kept for kept in table if kept.row.seed in crossed.seeds)
            odds = None if contrast.rarer else same.estimate(contrast, log_odds_of)
            found[claim] = OtherEstimates(crossed, estimate_of(same, claim), odds)
    return found
