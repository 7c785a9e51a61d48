"""Rows of effects of runs with everything that stands beside them: the one place that makes them.

What `biaslab effects` prints, a paper's tables hold and `biaslab reproduce` computes again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biaslab.models import LEARNERS, LearnerModel
from biaslab.runs.engine.ask import ask_without_store
from biaslab.runs.engine.session import adjustments
from biaslab.runs.fitting import untrained_sentences
from biaslab.runs.store.records import RunRecord
from biaslab.runs.store.store import Store
from biaslab.studies.study import Experiment, Item, Reading
from schoolmath.problems import DesignError

if TYPE_CHECKING:
    from biaslab.stats import Effect, IntervalMethod, InvalidRule, Origin
    from biaslab.stats.beside_effects import AdjustedEffect
    from biaslab.stats.effects import Cell


def strategy_outcomes(study: Experiment, items: Iterable[Item]) -> dict[str, Mapping[str, float]]:
    """Outcomes by item, by the name of each of the study's strategies.

    A strategy is a simulated learner: it is asked by the study's first prompt strategy, and the
    study reads and scores its answers. An item that it cannot answer is left out, such as an
    imported text that was not read.
    """
    asked = list(items)
    learners = {learner.name: learner for learner in LEARNERS}
    found: dict[str, Mapping[str, float]] = {}
    for name in study.baselines:
        said = ask_without_store(study, study.strategies[0], LearnerModel(learners[name]), asked)
        found[name] = {
            item: reading.outcome
            for item, reading in said.items()
            if isinstance(reading, Reading) and reading.outcome is not None
        }
    return found


@dataclass(frozen=True, slots=True)
class EffectRows:
    """Effects of some runs in one comparison.

    Attributes:
        found: the effects, in the order of the runs.
        cells: for each of them the columns that its study adds.
        origins: settings and reader of each run.
        warnings: what to know before they are believed, in sentences.
    """

    found: list[Effect]
    cells: list[dict[str, Cell]]
    origins: dict[str, Origin]
    warnings: list[str]


def effect_rows(
    store: Store,
    records: Sequence[RunRecord],
    by: str | None = None,
    invalid: InvalidRule = "strict",
    confidence: float = 0.95,
    vote: bool = False,
    method: IntervalMethod = "imagined-pairs",
) -> EffectRows:
    """The effects of runs with intervals, tests and their studies' own columns.

    Args:
        store: the file of the runs.
        records: one comparison: q allows for the rows of each study in it.
        by: a stratum, or several with commas between; None: all pairs together.
        invalid: as for `biaslab.stats.effects`, as are the others.
        confidence: see there.
        vote: see there.
        method: see there.

    Raises:
        AnalysisError: as `biaslab.stats.effects`.
        StoreError: the file cannot be read.
    """
    # The statistics take a second to import; most that imports `runs` need not wait for them.
    from biaslab.stats import Origin, effect_warnings, effects
    from biaslab.stats.beside_effects import effects_beside, with_beside
    from biaslab.stats.effects import with_joint_stratum
    from biaslab.studies import experiment
    from biaslab.studies.effects import further_cells, further_columns

    outcomes = with_joint_stratum(store.outcomes([record.id for record in records]), by)
    looked = adjustments(records)
    found = effects(outcomes, by, invalid, confidence, vote, looked, interval=method)
    warnings = list(effect_warnings(found, by, vote))
    for name in dict.fromkeys(record.study for record in records) if by is None else ():
        part = experiment(name).beside
        if part is not None:
            rows = outcomes[outcomes["study"] == name]
            beside = effects_beside(rows, part, invalid, confidence, vote, looked, method)
            found = with_beside(found, beside)
    warnings += untrained_sentences(records)
    warnings += [
        f"Run {record.id}: {told.sentence()}"
        for record in (records if by is None else ())
        if (told := adjusted_of(store, record, invalid, confidence)) is not None
    ]
    items = {}
    for study, further in further_columns().items():
        asked = [record for record in records if record.study == study]
        if vote and any(record.options.samples > 1 for record in asked):
            warnings.append(further.note)
        items[study] = with_joint_stratum(store.answered_items([record.id for record in asked]), by)
        warnings += further.warnings(items[study])
    cells = [
        {**own, **more}
        for own, more in zip(
            further_cells(found, items, by, invalid),
            _strategy_cells(store, found, by, invalid, confidence, vote),
            strict=True,
        )
    ]
    origins = {record.id: Origin(record.design.settings, record.reader) for record in records}
    return EffectRows(found, cells, origins, warnings)


def adjusted_of(
    store: Store, record: RunRecord, invalid: InvalidRule = "strict", confidence: float = 0.95
) -> AdjustedEffect | None:
    """The effect of a run, had its pairs differed in nothing else; None where nothing else is told.

    Raises:
        StoreError: the file cannot be read.
    """
    from biaslab.runs.engine.sources import study_in
    from biaslab.stats.beside_effects import adjusted_effect

    study = study_in(store, record.study)
    if type(study).unlike is Experiment.unlike:
        return None
    try:
        unlike = {pair.id: study.unlike(pair) for pair in study.pairs(record.design)}
    except DesignError:  # the set is not in this file any more
        return None
    return adjusted_effect(store.outcomes([record.id]), unlike, invalid, confidence)


def _strategy_cells(
    store: Store,
    effects: Sequence[Effect],
    by: str | None,
    invalid: InvalidRule,
    confidence: float,
    vote: bool,
) -> list[dict[str, float | None]]:
    """For each effect of a study that has them as columns: what simple strategies get there."""
    from biaslab.stats import ALL, majority
    from biaslab.stats.beside_effects import explained, explained_columns
    from biaslab.stats.effects import with_joint_stratum
    from biaslab.studies import experiment

    got: dict[str, Mapping[str, Mapping[str, float]]] = {}
    added: list[dict[str, float | None]] = []
    for effect in effects:
        study = experiment(effect.study)
        if not study.baselines_beside:
            added.append({})
            continue
        if effect.run not in got:
            got[effect.run] = strategy_outcomes(study, store.items_of(effect.run))
        rows = with_joint_stratum(store.outcomes([effect.run]), by)
        rows = majority(rows) if vote else rows
        if effect.stratum != ALL:
            rows = rows[[strata.get(by) == effect.stratum_value for strata in rows["strata"]]]
        added.append(explained_columns(explained(rows, got[effect.run], invalid, confidence)))
    return added
