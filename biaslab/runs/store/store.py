"""The file of runs: one object for every screen, command and worker of a process."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from biaslab.runs.store import read_pairs as reading_pairs
from biaslab.runs.store import read_runs as reading_runs
from biaslab.runs.store.connection import connect, make_ready, store_errors
from biaslab.runs.store.read_runs import FlatRow
from biaslab.runs.store.records import (
    FailureCount,
    PairDetail,
    PairedCounts,
    PairOrder,
    PairPattern,
    PairRow,
    ReadingRules,
    RunRecord,
    connect_recorded,
    is_recorded,
    unpacked,
)
from biaslab.runs.store.sqlite import Database
from biaslab.studies.study import Item, Value

if TYPE_CHECKING:
    import pandas as pd


def open_store(path: str | Path) -> Store:
    """Opens a file of runs; makes it where there is none, and brings an older one up to date.

    Raises:
        DamagedStore: the file is damaged; nothing in it was changed.
        NotAStore: it is another program's; nothing in it was changed.
        NewerStore: a newer BiasLab wrote it; nothing in it was changed.
        StoreFull, StoreBusy, StoreUnreadable: it cannot be opened or written.
    """
    where = Path(path).expanduser().absolute()
    make_ready(where)
    return Store(where)


class Store:
    """A file of runs, ready to use. Any number of threads may share one object.

    Connections are kept in a pool rather than one for each thread, because screens are drawn
    in threads that live for a moment only. Every method may raise a `StoreError`.

    What is read of one run may be one of the gallery of recorded runs as well, which is looked up
    where it lies (`holding`); whatever writes knows this file's own runs alone.

    Args:
        path: the file.
        opener: makes a connection to it.
    """

    def __init__(self, path: Path, opener: Callable[[Path], sqlite3.Connection] = connect) -> None:
        self._path = path
        self._opener = opener
        self._idle: deque[sqlite3.Connection] = deque()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._path

    def close(self) -> None:
        """Closes the connections that are not in use."""
        while self._idle:
            self._idle.pop().close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def holding(self, run_id: str) -> Store:
        """The store that has this run: the gallery's for a recorded one, this one for any other.

        Raises:
            StoreUnreadable: the gallery is damaged.
        """
        return (is_recorded(run_id) and gallery()) or self

    def runs(self) -> list[RunRecord]:
        """Every run of this file, the newest first; those of the gallery are none of them."""
        with self.reading() as database:
            return reading_runs.runs(database)

    def run(self, run_id: str) -> RunRecord:
        """One run as it stands now.

        Cheap, and not to be kept by the change counter: whether a worker is still alive shows
        without any change to the file.

        Raises:
            UnknownRun: no such run.
        """
        with self.reading(run_id) as database:
            return reading_runs.run(database, run_id)

    def retries(self, run_id: str) -> list[FailureCount]:
        """Why requests of a run were sent again, the most frequent reason first.

        Raises:
            UnknownRun: no such run.
        """
        with self.reading(run_id) as database:
            return reading_runs.retries(database, run_id)

    def failures(self, run_id: str) -> list[FailureCount]:
        """Why items of a run got no response, the most frequent reason first.

        Raises:
            UnknownRun: no such run.
        """
        with self.reading(run_id) as database:
            return reading_runs.failures(database, run_id)

    def outcomes(self, run_ids: Sequence[str], *, with_values: bool = False) -> pd.DataFrame:
        """A row per run, pair and sample, in the order of the runs given and of their designs.

        Pairs that a rule for stopping early made needless are left out.

        Returns:
            columns run, study, model (its spec), model_kind, strategy, pair, position, sample,
            cluster, strata (dict), item_x, item_x_prime, y_x, y_x_prime (NaN unless answered),
            value_x, value_x_prime (the answers as read, or None), state_x, state_x_prime
            (answered, invalid, failed, missing), on_scale, recorded.

        Args:
            run_ids: which runs.
            with_values: whether the values are needed, which takes longer. They are always
                there for runs that ask each item several times.

        Raises:
            UnknownRun: one of the runs is not there.
        """
        import pandas as pd

        found = []
        for store, ids in self._by_store(run_ids):
            with store.reading() as database:
                found.append(reading_runs.outcomes(database, ids, with_values))
        return found[0] if len(found) == 1 else pd.concat(found, ignore_index=True)

    def strata(self, run_id: str) -> list[dict[str, Value]]:
        """The different strata of a run's pairs, each once, in no order.

        Raises:
            UnknownRun: the run is not there.
        """
        with self.reading(run_id) as database:
            return reading_runs.strata(database, run_id)

    def answered_items(self, run_ids: Sequence[str]) -> pd.DataFrame:
        """A row per run, item, arm and sample, in the order of the runs and of their designs.

        An item that several pairs share comes once for each arm that it stands in, with the
        strata of its first pair.

        Returns:
            columns run, study, model (its spec), model_kind, strategy, position (of its first
            pair), arm (``x``, ``x_prime``), item, sample, state, value, outcome (NaN unless
            answered), extra (dict, see `Reading.extra`), facts (dict), answer (the right one),
            cluster, strata (dict).

        Raises:
            UnknownRun: one of the runs is not there.
        """
        import pandas as pd

        found = []
        for store, ids in self._by_store(run_ids):
            with store.reading() as database:
                found.append(reading_runs.answered_items(database, ids))
        return found[0] if len(found) == 1 else pd.concat(found, ignore_index=True)

    def items_of(self, run_id: str) -> list[Item]:
        """Every item of the run's pairs once, those left out by stopping early excepted.

        Raises:
            UnknownRun: there is no such run.
        """
        with self.reading(run_id) as database:
            return reading_runs.items_of(database, run_id)

    def words_of_answers(self, run_id: str) -> float | None:
        """Mean number of words, divided by blanks, of what a model wrote first for each item.

        Returns:
            None where it wrote nothing.

        Raises:
            UnknownRun: the run is not there.
        """
        with self.reading(run_id) as database:
            return reading_runs.words_of_answers(database, run_id)

    def reading_rules(self, run_id: str, sample: int = 0) -> ReadingRules:
        """Which rules read a run's answers, and those of each pair.

        Raises:
            UnknownRun: the run is not there.
        """
        with self.reading(run_id) as database:
            return reading_pairs.reading_rules(database, run_id, sample)

    def any_wrong(self, run_id: str) -> bool:
        """Whether a run has a wrong answer at all.

        Raises:
            UnknownRun: the run is not there.
        """
        with self.reading(run_id) as database:
            return reading_runs.any_wrong(database, run_id)

    def wrong_answers(self, run_id: str, most: int) -> pd.DataFrame:
        """Wrong answers of a run, an item and sample each once.

        They come in the order of the items' ids, which are hashes: the first so many are as
        good as drawn at random, and the same every time.

        Args:
            run_id: the run.
            most: no more than so many.

        Returns:
            columns item, sample, value (the answer as read), cluster, facts (dict), text (what the
            model wrote, one response below the other; None for likelihoods).

        Raises:
            UnknownRun: there is no such run.
        """
        with self.reading(run_id) as database:
            return reading_runs.wrong_answers(database, run_id, most)

    def pair_rows(
        self,
        run_id: str,
        patterns: Sequence[str] | None = None,
        strata: Mapping[str, Value] | None = None,
        offset: int = 0,
        limit: int = 50,
        sample: int = 0,
        order: PairOrder = PairOrder.DESIGN,
        search: str = "",
        only: Sequence[str] | None = None,
        notes: Sequence[Sequence[str]] = (),
    ) -> list[PairRow]:
        """A page of the run's pairs.

        Args:
            run_id: which run.
            patterns: only pairs with one of these (see `PairPattern`); None for all.
            strata: only pairs with all of these values, such as ``{"steps": 2}``.
            offset: how many of those that are left to leave out.
            limit: most rows to return.
            sample: which of several samples, from 0.
            order: which pairs come first.
            search: only pairs in whose problems or answers all of these words stand, in capitals
                or not (of letters beyond a to z as they are written).
            only: ids of the pairs among which these are looked for; None for all of the run.
            notes: for each word of ``search``, ids of pairs that have it in a note of who looks.

        Raises:
            UnknownRun: no such run.
            ValueError: a pattern that does not exist.
        """
        with self.reading(run_id) as database:
            return reading_pairs.pair_rows(
                database,
                run_id,
                patterns,
                strata,
                offset,
                limit,
                sample,
                order,
                search,
                only,
                notes,
            )

    def pair_place(
        self,
        run_id: str,
        pair_id: str,
        patterns: Sequence[str] | None = None,
        strata: Mapping[str, Value] | None = None,
        sample: int = 0,
        order: PairOrder = PairOrder.DESIGN,
        search: str = "",
        only: Sequence[str] | None = None,
        notes: Sequence[Sequence[str]] = (),
    ) -> int | None:
        """How many pairs `pair_rows` with the same arguments gives before a pair.

        None: it is none of them.

        Raises:
            UnknownRun: no such run.
            ValueError: a pattern that does not exist.
        """
        with self.reading(run_id) as database:
            return reading_pairs.pair_place(
                database,
                run_id,
                pair_id,
                patterns,
                strata,
                sample,
                order,
                search,
                only,
                notes,
            )

    def count_patterns(
        self,
        run_id: str,
        strata: Mapping[str, Value] | None = None,
        sample: int = 0,
        search: str = "",
        only: Sequence[str] | None = None,
        notes: Sequence[Sequence[str]] = (),
    ) -> dict[PairPattern, int]:
        """How many pairs have each pattern; every pattern is there, with 0 if need be.

        Raises:
            UnknownRun: no such run.
        """
        with self.reading(run_id) as database:
            return reading_pairs.count_patterns(
                database, run_id, strata, sample, search, only, notes
            )

    def paired_counts(self, run_id: str, strata: Mapping[str, Value] | None = None) -> PairedCounts:
        """The four counts that make an effect, of the first sample, without any table.

        Raises:
            UnknownRun: no such run.
        """
        with self.reading(run_id) as database:
            return reading_pairs.paired_counts(database, run_id, strata)

    def pair_ids(
        self,
        run_id: str,
        strata: Mapping[str, Value] | None = None,
        sample: int = 0,
        search: str = "",
        only: Sequence[str] | None = None,
        notes: Sequence[Sequence[str]] = (),
    ) -> list[str]:
        """Ids of all pairs that `pair_rows` with the same arguments gives, in no order.

        Raises:
            UnknownRun: no such run.
        """
        with self.reading(run_id) as database:
            return reading_pairs.pair_ids(database, run_id, strata, sample, search, only, notes)

    def differing(self, run_id: str, other: str, sample: int = 0, of_other: int = 0) -> list[str]:
        """Ids of the pairs that two runs have both answered and that came out otherwise.

        Args:
            run_id: the one run.
            other: the other.
            sample: which sample of the one, from 0.
            of_other: which sample of the other.

        Raises:
            UnknownRun: there is no such run.
        """
        here, there = self.holding(run_id), self.holding(other)
        if here is there:
            with here.reading() as database:
                return reading_pairs.differing(database, run_id, other, sample, of_other)
        mine, theirs = here._pairs_answered(run_id, sample), there._pairs_answered(other, of_other)
        return [pair for pair, came in mine.items() if theirs.get(pair, came) != came]

    def runs_sharing(self, run_id: str, pair_id: str) -> list[str]:
        """Ids of the other runs of the same study that ask this pair, the newest first.

        Recorded ones of the gallery come after those of this file.

        Raises:
            UnknownRun: no such run.
        """
        study = self.run(run_id).study
        asked: list[str] = []
        for store in filter(None, (self, gallery())):
            with store.reading() as database:
                asked += reading_pairs.runs_asking(database, study, pair_id)
        return [each for each in dict.fromkeys(asked) if each != run_id]

    def asked_as(self, x: str, x_prime: str) -> list[tuple[str, str]]:
        """Runs of this file that ask a pair of these two texts, the newest first, with its id."""
        with self.reading() as database:
            return reading_pairs.asked_as(database, x, x_prime)

    def pair_detail(self, run_id: str, pair_id: str, sample: int = 0) -> PairDetail:
        """Everything kept about one pair in this run, for one of its samples.

        Raises:
            UnknownRun: no such run.
            UnknownPair: the run has no such pair.
        """
        with self.reading(run_id) as database:
            return reading_pairs.pair_detail(database, run_id, pair_id, sample)

    def export_rows(self, run_id: str) -> Iterator[FlatRow]:
        """A flat row per pair, sample and arm, in order, for tables outside BiasLab.

        Every row has the same keys: run, study, model, model_kind, model_revision, strategy,
        position, sample, pair, cluster, arm (``x`` or ``x_prime``), a ``stratum_...`` for each
        stratum, item, text, answer, prompt and response (of the last request), reasoning (what
        earlier requests of the item gave), thinking, finish, tokens_in, tokens_out, seconds,
        served, state, value, outcome, rule, explanation, reason, attempts. Pairs that share an item
        repeat it. The file is read as it stood at the first row.

        Raises:
            UnknownRun: no such run.
        """
        with self.reading(run_id) as database:
            yield from reading_runs.export_rows(database, run_id)

    def change_counter(self) -> int:
        """A number that grows with everything that is written: a key for what screens keep."""
        with self.reading() as database:
            return reading_runs.change_counter(database)

    def copy_to(self, target: str | Path) -> None:
        """Writes a copy of the whole file, also while a worker writes.

        Never copy or read the file itself as bytes in a process that has it open: see
        `biaslab.runs.store.connection`.

        Args:
            target: a file that does not exist yet.
        """
        where = Path(target).expanduser().absolute()
        with self._connection() as connection, store_errors(where):
            connection.execute("VACUUM INTO ?", (str(where),))

    @contextmanager
    def reading(self, run_id: str = "") -> Iterator[Database]:
        """The file as it stands at the first look, whatever others write meanwhile.

        Args:
            run_id: a run that is to be read, so that it is the file that holds it; "": this one.
        """
        with self.holding(run_id)._connection() as connection:
            connection.execute("BEGIN")
            yield Database(connection, recursive_triggers=False, execute_plugins=False)
            connection.execute("COMMIT")

    @contextmanager
    def writing(
        self, before: Callable[[sqlite3.Connection], None] | None = None
    ) -> Iterator[sqlite3.Connection]:
        """A transaction that is written as a whole, or not at all if an error leaves it.

        Args:
            before: makes temporary tables ready while others may still write.
        """
        with self._connection() as connection:
            if before is not None:
                before(connection)
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("UPDATE file SET changes = changes + 1")
            connection.execute("COMMIT")

    def _by_store(self, run_ids: Sequence[str]) -> list[tuple[Store, list[str]]]:
        """Runs in their order, neighbours of one store together; this one for none at all."""
        grouped = groupby(run_ids, self.holding)
        return [(store, list(ids)) for store, ids in grouped] or [(self, [])]

    def _pairs_answered(
        self, run_id: str, sample: int
    ) -> dict[str, tuple[float | None, float | None]]:
        """Outcomes of both members of every pair of a run that is finished, in no order."""
        with self.reading() as database:
            return reading_pairs.answered(database, run_id, sample)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._opener(self._path)
        with store_errors(self._path):
            try:
                yield connection
            except BaseException:
                # Closing rolls back whatever was begun, in whichever state an error left it.
                connection.close()
                raise
        self._idle.append(connection)


class LoneStore(Store):
    """A file that is read for what it holds alone: the gallery, or what came from elsewhere."""

    def holding(self, run_id: str) -> Store:  # noqa: ARG002 - every run that it is asked for
        """Itself."""
        return self


class _Gallery(LoneStore):
    def runs(self) -> list[RunRecord]:
        """As they are listed: what is to be seen first need not be the newest."""
        with self.reading() as database:
            listing = database.query("SELECT id FROM runs ORDER BY rowid DESC")
            at = {row["id"]: position for position, row in enumerate(listing)}
            return sorted(reading_runs.runs(database), key=lambda run: at[run.id])


def gallery() -> Store | None:
    """The runs that come with BiasLab, to be read only; None where there are none.

    Raises:
        StoreUnreadable: their file is damaged.
    """
    path = unpacked()
    return None if path is None else _opened(path)


@cache
def _opened(path: Path) -> Store:
    return _Gallery(path, connect_recorded)
