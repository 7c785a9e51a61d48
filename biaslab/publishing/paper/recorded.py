"""Opens a bundle beside one's own runs: checked, made again, marked, and never a cache."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biaslab.models import ModelError, ModelForm, ModelKind, read_spec
from biaslab.publishing.paper.analysis import BundleError
from biaslab.publishing.paper.bundle import TABLES, OpenBundle, open_bundle
from biaslab.publishing.paper.reproducing import loaded, made_again, pair_differences
from biaslab.runs import MOST_SAMPLES, RunRecord, Store
from biaslab.runs.store.encoding import read_item, recorded_id
from biaslab.runs.store.liveness import UTC
from biaslab.studies import experiment
from biaslab.studies.study import Item, content_hash
from biaslab.system.roles import May, require
from schoolmath.problems import ProblemError
from schoolmath.text.figures import count

_KEPT = ("models", "items", "pairs", "runs", "run_pairs", "responses", "answers")
"""Tables that are taken over. Sets and texts of their own stay in the bundle: nothing of it is to
be asked here."""

_MARKED: Mapping[str, tuple[str, ...]] = {
    "models": ("id",),
    "runs": ("model",),
    "responses": ("id", "model"),
}
"""Columns whose ids would name what was asked here."""

_CONTENT: Mapping[str, tuple[str, ...]] = {
    "items": ("id",),
    "pairs": ("id", "x", "x_prime"),
    "run_pairs": ("pair",),
    "answers": ("item",),
}
"""Columns whose ids name content, the same in every file where they are proved."""

_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class BundleRecord:
    """A bundle that was opened.

    Attributes:
        digest: SHA-256 of its manifest.
        runs: ids of the runs that stand in the file now; skipped: of those that were there.
        differences: what came out otherwise when it was made again, in sentences.
    """

    digest: str
    runs: tuple[str, ...]
    skipped: tuple[str, ...]
    differences: tuple[str, ...]


def open_recorded(
    store: Store, path: Path, name: str = "", tell: Callable[[str], None] | None = None
) -> BundleRecord:
    """Puts the runs of a bundle into a file of runs, read-only, with where they come from.

    The bundle is made again first (`biaslab.publishing.paper.reproduce`). What differs is kept with
    it and shown beside its runs; files that are not as the manifest says are refused.

    Args:
        store: the file of one's own runs.
        path: the folder or zip of a bundle, or the folder or zip of a paper.
        name: what the bundle is called on screens; "": as the file or folder.
        tell: is told what was done, a sentence for each step.

    Raises:
        NotAllowed: whoever acts may not do this.
        BundleError: it is none, was changed, holds what this BiasLab cannot show, or all of its
            runs are in the file. Nothing was written.
        StoreError: the file cannot be written. Nothing was written.
        OSError: the bundle cannot be read.
    """
    require(May.BUNDLE)
    bundle = open_bundle(path)
    if bundle.differences:
        raise BundleError(
            "The bundle is not as its maker left it, so it is not opened. "
            + " ".join(bundle.differences[:5])
        )
    with loaded(bundle) as given:
        again = made_again(bundle, given, ignore_versions=True, tell=tell)
        records = _checked(given, bundle)
        there = {run.id for run in store.runs()}
        there |= {run.id for run in records if store.holding(run.id) is not store}
        new = tuple(run.id for run in records if run.id not in there)
        if not new:
            raise BundleError(
                f"{count(len(records), 'run')} of this bundle: all are in your file already."
            )
        called = "".join(c for c in (name or path.name) if c.isprintable())[:_LONGEST_NAME]
        try:
            unproved = _unproved(given, records)
            _take_over(store, given, bundle, new, called, again.differences, unproved)
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise BundleError(f"The bundle's records do not fit your file: {error}.") from None
    skipped = tuple(run.id for run in records if run.id in there)
    return BundleRecord(bundle.digest, new, skipped, again.differences)


def _checked(source: Store, bundle: OpenBundle) -> list[RunRecord]:
    """The runs of a bundle, every one of which was made again and can be shown on every screen.

    Raises:
        BundleError: something in them could not.
    """
    records = source.runs()
    told = {run for table in bundle.manifest.tables for run in table.runs}
    for run in records:
        if run.id not in told:
            raise BundleError(f"Run {run.id:.40} stands in no table of effects of the bundle.")
        try:
            experiment(run.study)
            read_spec(run.model_spec)
            ModelKind(run.model_kind), ModelForm(run.model_form)
        except (ProblemError, ModelError, ValueError) as error:
            raise BundleError(
                f"Run {run.id:.40} cannot be shown by this BiasLab: {error!s:.300}"
            ) from None
        if not 1 <= run.options.samples <= MOST_SAMPLES or len(run.id) > 40:
            raise BundleError(f"Run {run.id:.40} is none that a BiasLab made.")
        for _ in source.export_rows(run.id):
            pass
    return records


def _unproved(source: Store, records: Sequence[RunRecord]) -> frozenset[str]:
    """Ids of items and pairs that are not known to stand for what the bundle says.

    An id is known where it is the hash of the content, or where a design that makes it here gives
    the same content. So a bundle cannot put other words behind the ids of one's own pairs.
    """
    unproved = set()
    with source.reading() as database:
        for row in database.query("SELECT * FROM items"):
            item = read_item(row)
            own = Item.of(row["study"], item.text, item.answer, item.facts, item.options)
            if own.id != item.id:
                unproved.add(item.id)
        for row in database.query("SELECT id, x, x_prime FROM pairs"):
            if row["id"] != content_hash(row["x"], row["x_prime"]):
                unproved.add(row["id"])
    for record in records if unproved else ():
        if not pair_differences(source, record):
            unproved -= {item.id for item in source.items_of(record.id)}
    return frozenset(unproved)


def _take_over(
    store: Store,
    source: Store,
    bundle: OpenBundle,
    runs: tuple[str, ...],
    name: str,
    differences: tuple[str, ...],
    unproved: frozenset[str],
) -> None:
    manifest = bundle.manifest
    with source.reading() as database, store.writing() as connection:
        connection.execute(
            f"INSERT INTO bundles (digest, name, versions, differences, opened)"
            f" VALUES (?, ?, ?, ?, {UTC})",
            (bundle.digest, name, json.dumps(dict(manifest.versions), ensure_ascii=False),
             json.dumps(differences, ensure_ascii=False)),
        )  # fmt: skip
        parameters = {"runs": json.dumps(runs), "pair_sets": "[]", "item_sets": "[]", "texts": "[]"}
        for table in TABLES:
            if table.name not in _KEPT:
                continue
            fills: dict[str, object] = {}
            if table.name == "runs":
                fills["bundle"] = bundle.digest
            if table.name == "responses":
                fills["run"] = runs[0]
            columns = (*table.columns, *fills)
            # Items and pairs are the same everywhere by their ids; one's own description stands.
            again = " ON CONFLICT DO NOTHING" if table.name in ("items", "pairs") else ""
            connection.executemany(
                f"INSERT INTO {table.name} ({', '.join(columns)})"
                f" VALUES ({', '.join(f':{column}' for column in columns)}){again}",
                (
                    _marked(table.name, row, bundle.digest, unproved) | fills
                    for row in database.query(table.select, parameters)
                ),
            )


def _marked(
    table: str, row: Mapping[str, Any], digest: str, unproved: frozenset[str]
) -> dict[str, Any]:
    """A row as it stands beside one's own: nothing in it names what was asked here."""
    kept = dict(row)
    for column in _MARKED.get(table, ()):
        kept[column] = recorded_id(digest, kept[column])
    for column in _CONTENT.get(table, ()):
        if kept[column] in unproved:
            kept[column] = recorded_id(digest, kept[column])
    if table == "answers":
        kept["responses"] = json.dumps(
            [recorded_id(digest, each) for each in json.loads(kept["responses"])]
        )
    if table == "runs" and kept["status"] in ("ready", "running"):
        kept["status"] = "stopped"
    return kept
