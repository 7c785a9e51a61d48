"""Makes everything again that a bundle says, and tells what comes out otherwise."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from biaslab.models import ModelError
from biaslab.publishing.paper.analysis import (
    OVERALL,
    BundleError,
    EffectTable,
    PaperError,
    effects_text,
    rows_of_table,
)
from biaslab.publishing.paper.bundle import TABLES, OpenBundle, open_bundle, rows_of, versions
from biaslab.publishing.paper.bundle_writing import (
    FIDELITY,
    MADE_BY,
    PARQUET,
    fidelity_file,
    parquet_files,
    parquet_version,
)
from biaslab.runs import ChangedRun, RunError, RunRecord, Store
from biaslab.runs.engine.sources import study_in
from biaslab.runs.rereading import asked_otherwise, reread
from biaslab.runs.store.connection import make_ready
from biaslab.runs.store.encoding import original_id, read_request, response_id
from biaslab.runs.store.store import LoneStore
from biaslab.studies.study import Pair
from schoolmath.problems import ProblemError
from schoolmath.text.figures import count
from schoolmath.text.given_files import parse_json

# A bundle's records in a file of runs of their own, so that all else reads them as ever.


@contextmanager
def loaded(bundle: OpenBundle) -> Iterator[Store]:
    """A file of runs with what the bundle holds, and nothing else; gone afterwards.

    Raises:
        BundleError: its records do not fit together.
    """
    with TemporaryDirectory(prefix="biaslab-bundle-") as folder:
        path = Path(folder) / "runs.db"
        make_ready(path)
        # A bundle may hold recorded runs: what it says of them is looked at, not what came here.
        with LoneStore(path) as store:
            _fill(store, bundle)
            yield store


def _fill(store: Store, bundle: OpenBundle) -> None:
    try:
        with store.writing() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")
            for table in TABLES:
                if table.file not in bundle.files:
                    continue
                rows = rows_of(table, bundle.text(table.file), parse_json)
                connection.executemany(table.insert, rows)
            samples = connection.execute("SELECT max(samples) FROM runs").fetchone()[0]
            broken = connection.execute("PRAGMA foreign_key_check").fetchone()
            if samples is None or broken:
                where = "runs" if samples is None else broken[0]
                raise BundleError(f"{where}.jsonl names what is not in the bundle, or is empty.")
    # Numbers beyond 64 bits and halves of surrogate pairs are no SQLite errors.
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        raise BundleError(f"The bundle's records do not fit together: {error}.") from None


TOLERANCE = 1e-9
"""Figures that differ by less are the same: machines add in different orders."""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What making a bundle again gave.

    Attributes:
        digest: SHA-256 of its manifest, as the paper prints it.
        done: what was made again, in sentences.
        differences: what comes out otherwise, a sentence each; none where all is the same.
    """

    digest: str
    done: tuple[str, ...]
    differences: tuple[str, ...]


def reproduce(path: Path, *, ignore_versions: bool = False) -> Reproduction:
    """Checks a bundle's files, and makes its pairs, readings and effects again.

    Args:
        path: the folder or zip of a bundle, or the folder of a paper.
        ignore_versions: does not count it as a difference that other versions made the bundle.

    Raises:
        BundleError: it cannot be read, so that nothing can be made again.
        OSError: the file cannot be read.
    """
    bundle = open_bundle(path)
    with loaded(bundle) as store:
        return made_again(bundle, store, ignore_versions=ignore_versions)


def made_again(
    bundle: OpenBundle,
    store: Store,
    *,
    ignore_versions: bool = False,
    tell: Callable[[str], None] | None = None,
) -> Reproduction:
    """What making an opened bundle again gives.

    Args:
        bundle: the bundle.
        store: the file of runs that it was loaded into.
        ignore_versions: as for `reproduce`.
        tell: is told what was done, a sentence for each step.

    Raises:
        BundleError, OSError: as `reproduce`.
    """
    done: list[str] = []

    def say(sentence: str) -> None:
        done.append(sentence)
        if tell is not None:
            tell(sentence)

    say(f"{count(len(bundle.files), 'file')} read, and checksums compared.")
    differences = list(bundle.differences)
    if not ignore_versions:
        differences += _version_differences(bundle.manifest.versions)
    before = len(differences)
    try:
        differences += _model_differences(store)
        for run in _named_runs(bundle):
            record = store.run(run)
            differences += pair_differences(store, record)
            differences += _prompt_differences(store, record)
            differences += _reading_differences(store, record)
            say(
                f"Run {run}: {count(record.pairs_total, 'pair')} made again, "
                f"{count(record.answered + record.invalid, 'answer')} read again."
            )
        differences += _unknown_tables(bundle)
        differences += _fidelity_differences(list(map(store.run, _named_runs(bundle))), bundle)
        for table in bundle.manifest.tables:
            differences += _effect_differences(store, bundle, table)
            say(f"{table.name}.json computed again.")
        # Where records differ, tables that are made of them do too.
        if len(differences) == before and not bundle.differences:
            differences += _parquet_differences(store, bundle, say)
    except (PaperError, OSError):
        raise
    except Exception as error:
        # Records that no BiasLab wrote bring up anything in code that trusts a file of runs.
        raise BundleError(
            f"The bundle's records cannot be used ({type(error).__name__}: {error!s:.200}). "
            + " ".join(differences)
        ) from error
    return Reproduction(bundle.digest, tuple(done), tuple(differences))


def _named_runs(bundle: OpenBundle) -> list[str]:
    return list(dict.fromkeys(run for table in bundle.manifest.tables for run in table.runs))


def _unknown_tables(bundle: OpenBundle) -> list[str]:
    known = {FIDELITY, *(f"{table.name}.json" for table in bundle.manifest.tables)}
    return [
        f"{name} is none of the manifest's tables, so it was not computed again."
        for name in bundle.files
        if name.endswith(".json") and name not in known
    ]


def _fidelity_differences(records: Sequence[RunRecord], bundle: OpenBundle) -> list[str]:
    """Whether the record of fidelity is this version's; another version has its own."""
    there = bundle.files.get(FIDELITY)
    if there is None or bundle.manifest.versions.get("biaslab") != versions()["biaslab"]:
        return []
    same = fidelity_file(records).get(FIDELITY) == there
    return [] if same else [f"{FIDELITY} is not the record of this version of BiasLab."]


def _version_differences(made_with: Mapping[str, str]) -> Iterator[str]:
    """Another BiasLab may make other pairs and readings, other libraries other last digits."""
    called = {"biaslab": "BiasLab", "python": "Python"}
    for name, here in versions().items():
        there = made_with.get(name, "no version")
        if there != here:
            yield f"The bundle was made with {called.get(name, name)} {there:.40}, this is {here}."


def _model_differences(store: Store) -> list[str]:
    with store.reading() as database:
        rows = list(database.query("SELECT id, spec, revision FROM models"))
    return [
        f"models.jsonl: {row['id']:.80} is said to be {row['spec']:.80} of revision "
        f"{row['revision']:.40}."
        for row in rows
        if original_id(row["id"]) != f"{row['spec']}@{row['revision']}"
    ]


def pair_differences(store: Store, record: RunRecord) -> list[str]:
    """How a run's pairs differ from those that its design makes here, in sentences."""
    try:
        made = list(study_in(store, record.study).pairs(record.design))
    except ProblemError as error:
        return [f"Run {record.id}: its pairs cannot be made again: {error}"]
    kept = _pairs_of(store, record.id)
    if len(made) != len(kept):
        return [
            f"Run {record.id}: the design makes {count(len(made), 'pair')}, and the bundle has "
            f"{len(kept)}."
        ]
    unlike = [place for place, (one, other) in enumerate(zip(made, kept, strict=True), 1)
              if not _same_pair(one, other)]  # fmt: skip
    if not unlike:
        return []
    return [
        f"Run {record.id}: {len(unlike)} of {count(len(kept), 'pair')} differ from the bundle"
        f", the first of them pair {unlike[0]}."
    ]


def _pairs_of(store: Store, run: str) -> list[Pair]:
    from biaslab.runs.store.encoding import read_item

    with store.reading() as database:
        items = {row["id"]: read_item(row) for row in database.query("SELECT * FROM items")}
        rows = database.query(
            "SELECT pairs.* FROM run_pairs JOIN pairs ON pairs.id = run_pairs.pair "
            "WHERE run = ? ORDER BY position",
            [run],
        )
        return [
            Pair(row["id"], items[row["x"]], items[row["x_prime"]], json.loads(row["strata"]),
                 row["cluster"])
            for row in rows
        ]  # fmt: skip


def _same_pair(pair: Pair, stored: Pair) -> bool:
    """Whether all that is asked, what is right and how it is counted are the same."""
    return (pair.id, dict(pair.strata), pair.cluster) == (
        stored.id, dict(stored.strata), stored.cluster,
    ) and all(
        (one.id, one.text, one.answer, tuple(one.options), _plain(one.facts))
        == (other.id, other.text, other.answer, tuple(other.options), other.facts)
        for one, other in ((pair.x, stored.x), (pair.x_prime, stored.x_prime))
    )  # fmt: skip


def _plain(facts: Mapping[str, Any]) -> Any:
    """Facts as a file gives them back: lists for tuples."""
    return json.loads(json.dumps(dict(facts)))


def _prompt_differences(store: Store, record: RunRecord) -> list[str]:
    found = []
    with store.reading() as database:
        rows = database.query(
            "SELECT responses.id, responses.model, request FROM responses WHERE id IN (SELECT "
            "listed.value FROM answers, json_each(answers.responses) AS listed WHERE run = ?)",
            [record.id],
        )
        wrong = [
            row["id"]
            for row in rows
            if response_id(original_id(row["model"]), read_request(row["request"]))
            != original_id(row["id"])
        ]
    if wrong:
        found.append(
            f"Run {record.id}: {count(len(wrong), 'prompt')} in responses.jsonl "
            f"{'is' if len(wrong) == 1 else 'are'} not what was sent, by the id of the response "
            f"(the first is {wrong[0]:.40})."
        )
    try:
        other = asked_otherwise(store, record.id)
    except RunError as error:
        return [*found, f"Run {record.id}: {error}"]
    if other:
        found.append(
            f"Run {record.id}: {count(other, 'answer')} got prompts that this BiasLab would not "
            f"send for the strategy {record.strategy}."
        )
    return found


def _reading_differences(store: Store, record: RunRecord) -> list[str]:
    try:
        again = reread(store, record.id, keep=False)
    except ChangedRun as error:
        return [str(error)]
    found = []
    if again.reader_before != again.reader_after:
        found.append(
            f"Run {record.id} was read by “{again.reader_before or 'a reader without a name'}”, "
            f"and this BiasLab reads by “{again.reader_after}”; BiasLab {record.library_version} "
            "or one near it has the former."
        )
    if again.changes:
        first = again.changes[0]
        found.append(
            f"Run {record.id}: {len(again.changes)} of {count(again.answers, 'answer')} "
            f"{'is' if len(again.changes) == 1 else 'are'} read otherwise than the bundle says; "
            f"the first is item {first.item:.40}, sample {first.sample}: "
            f"{_quoted(first.after)} here, {_quoted(first.before)} there."
        )
    if again.otherwise and again.reader_before == again.reader_after:
        found.append(_otherwise(record, again.otherwise))
    return found


def _otherwise(record: RunRecord, number: int) -> str:
    return (
        f"Run {record.id}: {count(number, 'answer')} {'has' if number == 1 else 'have'} another "
        "rule, place or further figures than the bundle says."
    )


def _quoted(value: str | None) -> str:
    return "unread" if value is None else f"“{value:.40}”"


def _effect_differences(store: Store, bundle: OpenBundle, table: EffectTable) -> list[str]:
    from biaslab.stats import AnalysisError

    name = f"{table.name}.json"
    if name not in bundle.files:
        return []
    try:
        kept = parse_json(bundle.text(name))
        made = json.loads(effects_text(rows_of_table(store, table, bundle.manifest.analysis)))
    except ValueError as error:
        return [f"{name} cannot be read: {error}."]
    except (AnalysisError, ProblemError, ModelError, RunError) as error:
        return [f"{name} cannot be computed again: {error}"]
    if not isinstance(kept, list) or len(kept) != len(made):
        return [f"{name} should have {count(len(made), 'row')}."]
    unlike = [
        (row, column)
        for row, (one, other) in enumerate(zip(made, kept, strict=True))
        for column in _unlike_columns(one, other)
    ]
    if not unlike:
        return []
    row, column = unlike[0]
    there = kept[row].get(column) if isinstance(kept[row], dict) else kept[row]
    more = "" if len(unlike) == 1 else f", and {count(len(unlike) - 1, 'other cell')}"
    return [
        f"{name}: {column} of run {made[row]['run']}, {made[row]['stratum']}, is "
        f"{made[row].get(column)!s:.60} here and {there!s:.60} in the bundle{more}."
    ]


def _parquet_differences(
    store: Store, bundle: OpenBundle, say: Callable[[str], None]
) -> Iterator[str]:
    """Whether the Parquet files say what the records do. A stranger's Parquet is never parsed."""
    there = [name for name in PARQUET if name in bundle.files]
    if not there:
        return
    if bundle.manifest.versions.get(MADE_BY) != parquet_version():
        say(f"{' and '.join(there)} not compared: another {MADE_BY} wrote them.")
        return
    runs = next((table.runs for table in bundle.manifest.tables if table.name == OVERALL), ())
    made = parquet_files(store, runs, bundle.text(f"{OVERALL}.json"))
    for name in there:
        if made.get(name) != bundle.files[name]:
            yield f"{name} is not what the records next to it give."
    say(f"{' and '.join(there)} made again.")


def _unlike_columns(row: Mapping[str, Any], stored: object) -> Sequence[str]:
    if not isinstance(stored, dict):
        return ["the row"]
    names = [*row, *(name for name in stored if name not in row)]
    return [name for name in names if not _same(row.get(name), stored.get(name))]


def _same(value: object, stored: object) -> bool:
    if isinstance(value, bool) or isinstance(stored, bool):
        return value is stored
    if isinstance(value, float) and isinstance(stored, int | float):
        return isclose(value, stored, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(value, dict) and isinstance(stored, dict):
        return value.keys() == stored.keys() and all(
            _same(value[key], stored[key]) for key in value
        )
    if isinstance(value, list) and isinstance(stored, list):
        return len(value) == len(stored) and all(map(_same, value, stored))
    return value == stored
