"""Stopping a run when enough is known: looks at its outcomes after so many pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from biaslab.runs.store.records import InterimLook, RunRecord
from biaslab.runs.store.store import Store

if TYPE_CHECKING:
    from biaslab.stats import Adjustment


class StoppingChecks:
    """Carries out a run's rule for stopping early, if it has one.

    The rule itself is analysis (`biaslab.stats.stopping_rules`); this gives it the outcomes and
    writes down what it saw, so that a resumed run goes on where it was.

    Args:
        store: the file; record: the run as it stood when it was started.
    """

    def __init__(self, store: Store, record: RunRecord) -> None:
        self._store = store
        self._run = record.id
        self._pairs = record.pairs_total if record.enough is None else record.enough
        self._rule = None if record.enough is not None else record.options.stopping
        self._looks = list(record.looks)
        self.reason = self._looks[-1].reason if record.enough is not None else ""
        """Why the pairs asked were enough; empty while they are not."""

    def stops(self) -> Iterator[int]:
        """Numbers of pairs after which to look, the last being all of them."""
        if self._rule is None:
            yield self._pairs
            return
        for pairs in self._rule.looks_at():
            if pairs < self._pairs:
                yield pairs
        yield self._pairs

    def enough(self, pairs: int) -> bool:
        """Looks at the first so many pairs, all of them asked; True: no more are needed."""
        if self._rule is None:
            return False
        if any(look.pairs == pairs and look.stop for look in self._looks):
            return True
        if any(look.pairs == pairs for look in self._looks):
            return False
        outcomes = self._store.outcomes([self._run])
        number = self._rule.looks_at().index(pairs) + 1
        decision = self._rule.decide(outcomes[outcomes["position"] < pairs], number)
        interval = decision.interval
        look = InterimLook(
            pairs,
            decision.stop,
            decision.reason,
            decision.cate,
            None if interval is None else interval.low,
            None if interval is None else interval.high,
            decision.adjustment.as_json(),
        )
        self._looks.append(look)
        stopped_early = look.stop and pairs < self._pairs
        self._write(pairs if stopped_early else None)
        self.reason = look.reason
        return look.stop

    def _write(self, enough: int | None) -> None:
        looks = json.dumps([asdict(look) for look in self._looks], ensure_ascii=False)
        with self._store.writing() as connection:
            connection.execute(
                "UPDATE runs SET looks = ?, enough = coalesce(?, enough) WHERE id = ?",
                (looks, enough, self._run),
            )


def adjustments(records: Iterable[RunRecord]) -> dict[str, Adjustment]:
    """For runs that may stop early: how their intervals allow for repeated checks.

    Args:
        records: any runs; those without such a rule, or not checked yet, are left out.
    """
    from biaslab.stats import Adjustment

    return {
        record.id: Adjustment.of_json(record.looks[-1].adjustment)
        for record in records
        if record.looks
    }
