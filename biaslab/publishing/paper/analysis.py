"""Which tables of effects a paper has, and how they are made: the same when they are made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biaslab.runs import RunRecord, RunStatus, Store
from biaslab.runs.effect_rows import EffectRows, effect_rows
from biaslab.studies import experiment

if TYPE_CHECKING:
    from biaslab.stats import IntervalMethod, InvalidRule


class PaperError(Exception):
    """Nothing can be written of these runs, or not there."""


class BundleError(PaperError):
    """What was given is no bundle that can be read."""


OVERALL = "effects"
"""Name of the table over all pairs."""

_MOST_ROWS = 60
"""Most values of a stratum in a table: beyond, it is data and no table."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """How effects are made of outcomes; the arguments of `biaslab.stats.effects`."""

    invalid: InvalidRule = "strict"
    confidence: float = 0.95
    vote: bool = False
    interval: IntervalMethod = "imagined-pairs"

    def as_json(self) -> dict[str, Any]:
        """For a manifest."""
        return {
            "invalid": self.invalid,
            "confidence": self.confidence,
            "vote": self.vote,
            "interval": self.interval,
        }

    @classmethod
    def of_json(cls, fields: Mapping[str, Any]) -> Analysis:
        """The analysis that `as_json` wrote.

        Raises:
            ValueError: it is none.
        """
        if fields.keys() != cls().as_json().keys():
            raise ValueError("it should have invalid, confidence, vote and interval")
        number = isinstance(fields["confidence"], float)
        if not number or not isinstance(fields["vote"], bool):
            raise ValueError("confidence should be a number and vote true or false")
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class EffectTable:
    """A table of effects of one comparison.

    Attributes:
        name: of its files, without their endings.
        runs: ids; q allows for the rows of each study among them.
        by: the stratum that it is broken down by; None: all pairs together.
    """

    name: str
    runs: tuple[str, ...]
    by: str | None


def chosen_runs(store: Store, run_ids: Sequence[str]) -> list[RunRecord]:
    """The runs of a paper, each once, those of a study together.

    Raises:
        PaperError: there are none, or one of them has no answers or is being asked.
        UnknownRun: one of them is not there.
    """
    records = [store.run(run) for run in dict.fromkeys(run_ids)]
    check_runs(records)
    studies = [record.study for record in records]
    return sorted(records, key=lambda record: studies.index(record.study))


def check_runs(records: Sequence[RunRecord]) -> None:
    """Refuses runs of which nothing can be written yet.

    Raises:
        PaperError: there are none, or one of them has no answers or is being asked.
    """
    if not records:
        raise PaperError("Name at least one run; `biaslab runs` lists them.")
    for record in records:
        if record.status in (RunStatus.RUNNING, RunStatus.STOPPING):
            raise PaperError(f"Run {record.id} is being asked now. Wait for it, or stop it.")
        if not record.answered + record.invalid:
            raise PaperError(f"Run {record.id} has no answers yet. Ask it first, or leave it out.")


def effect_tables(
    store: Store, records: Sequence[RunRecord], by: Sequence[str] = (), *, strict: bool = True
) -> list[EffectTable]:
    """The tables of a paper: over all pairs, and for each study by its main stratum.

    Args:
        store: the file of the runs.
        records: the runs.
        by: strata in place of the main ones, in studies that have one of them.
        strict: whether a stratum that no study can be broken down by is refused.

    Raises:
        PaperError: no study can be broken down by one of these strata.
    """
    tables = [EffectTable(OVERALL, tuple(record.id for record in records), None)]
    missing = set(by)
    for study in dict.fromkeys(record.study for record in records):
        runs = tuple(record.id for record in records if record.study == study)
        values: dict[str, set[object]] = {}
        for strata in store.outcomes(list(runs))["strata"]:
            for name, value in strata.items():
                values.setdefault(name, set()).add(value)
        chosen = [name for name in by if 1 <= len(values.get(name, ())) <= _MOST_ROWS]
        missing -= set(chosen)
        main = [stratum.name for stratum in experiment(study).strata]
        usable = chosen or [name for name in main if 2 <= len(values.get(name, ())) <= _MOST_ROWS]
        if usable:
            tables.append(EffectTable(f"{OVERALL}-{study}-{usable[0]}", runs, usable[0]))
    if missing and strict:
        raise PaperError(
            f"No study of these runs has the stratum {', '.join(sorted(missing))}, or it has more "
            f"than {_MOST_ROWS} values. Leave it out, or choose another one."
        )
    return tables


def rows_of_table(store: Store, table: EffectTable, analysis: Analysis) -> EffectRows:
    """The effects of a table.

    Raises:
        AnalysisError: they cannot be made in this way.
    """
    records = [store.run(run) for run in table.runs]
    return effect_rows(
        store,
        records,
        table.by,
        analysis.invalid,
        analysis.confidence,
        analysis.vote,
        analysis.interval,
    )


def effects_text(rows: EffectRows) -> str:
    """What `biaslab effects --format json` prints."""
    from biaslab.studies.effects import further_json

    return further_json(rows.found, rows.cells, rows.origins)
