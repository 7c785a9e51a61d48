"""Which of the things that people keep a run's design needs: found by making its pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from biaslab.problems import ProblemError
from biaslab.runs import RunRecord, SetItems, SetPairs, Store
from biaslab.runs.engine.sources import StoredInFile
from biaslab.studies import experiment


@dataclass(frozen=True, slots=True)
class StoredParts:
    """What people kept and these runs asked about.

    Attributes:
        pair_sets, item_sets, texts: their ids.
        gone: for each run whose pairs cannot be made again, why, in a sentence.
    """

    pair_sets: list[str]
    item_sets: list[str]
    texts: list[str]
    gone: list[str]


@dataclass(eq=False, slots=True)
class _Noting:
    """A file of runs that notes what was wanted of it."""

    stored: StoredInFile
    pair_sets: dict[str, None] = field(default_factory=dict)
    item_sets: dict[str, None] = field(default_factory=dict)
    texts: dict[str, None] = field(default_factory=dict)

    def pair_set(self, set_id: str) -> SetPairs | None:
        """The set of pairs that has this id; None where there is none."""
        found = self.stored.pair_set(set_id)
        if found is not None:
            self.pair_sets[found.set.id] = None
        return found

    def item_set(self, named: str) -> SetItems | None:
        """The set of items that has this name or id; None where there is none."""
        found = self.stored.item_set(named)
        if found is not None:
            self.item_sets[found.set.id] = None
        return found

    def custom_text(self, text_id: str) -> str | None:
        """The text of a person's own that has this id; None where there is none."""
        found = self.stored.custom_text(text_id)
        if found is not None:
            self.texts[text_id] = None
        return found


def stored_parts(store: Store, records: Sequence[RunRecord]) -> StoredParts:
    """What these runs need of what people keep, without knowing which study needs what."""
    noting = _Noting(StoredInFile(lambda: store))
    gone = []
    for record in records:
        study = experiment(record.study).with_stored(noting)
        try:
            for _ in study.pairs(record.design):
                pass
        except ProblemError as error:
            gone.append(f"The pairs of run {record.id} cannot be made again: {error}")
    return StoredParts(list(noting.pair_sets), list(noting.item_sets), list(noting.texts), gone)
