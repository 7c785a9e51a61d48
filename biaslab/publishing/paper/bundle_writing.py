"""Writes bundles: everything that a paper rests on, in files that other programs read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from biaslab.models import Access
from biaslab.publishing.data_sets import effect_table, response_table
from biaslab.publishing.paper.analysis import (
    OVERALL,
    Analysis,
    EffectTable,
    effects_text,
    rows_of_table,
)
from biaslab.publishing.paper.bundle import MANIFEST, TABLES, Manifest, digest, versions
from biaslab.runs import Budget, RunRecord, SetItems, SetPairs, Store
from biaslab.runs.effect_rows import EffectRows
from biaslab.runs.engine.sources import StoredInFile
from biaslab.runs.store.options import write_options
from biaslab.studies import experiment
from biaslab.studies.published import fidelity_rows
from schoolmath.problems import ProblemError
from schoolmath.text.given_files import parse_json

# The tables for other programs: the bundle's records once more, flat and typed, as Parquet. They
# are made of the records beside them, so that making them again tells whether they say the same.


MADE_BY = "pyarrow"
OUTCOMES, EFFECTS = "outcomes.parquet", "effects.parquet"
FIDELITY = "fidelity.json"
PARQUET: Mapping[str, str] = {
    OUTCOMES: "a row for each answer: pair, arm, prompt, response, what was read, outcome",
    EFFECTS: f"a row for each run: what `{OVERALL}.json` says of all its pairs",
}
"""What each file holds, by name."""


def parquet_version() -> str:
    """The version of what writes Parquet here; empty where it is not installed."""
    try:
        return version(MADE_BY)
    except PackageNotFoundError:
        return ""


def parquet_files(store: Store, runs: Sequence[str], effects: str) -> dict[str, bytes]:
    """The files by name; none where Parquet cannot be written. The same records and the same
    version of what writes Parquet give the same bytes.

    Args:
        store: the file of runs.
        runs: ids of those that the bundle holds, in order.
        effects: text of the bundle's effects over all pairs.

    Raises:
        UnknownRun: one of the runs is not there.
        ValueError: the effects are no JSON.
    """
    if not parquet_version():
        return {}
    return {
        OUTCOMES: response_table(store, runs),
        EFFECTS: effect_table(parse_json(effects)),
    }


# The bundle.


# Which of the things that people keep a run's design needs: found by making its pairs.


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
        return self._noted(self.stored.pair_set(set_id))

    def case_set(self, named: str) -> SetPairs | None:
        """The set of cases that has this name or id; None where there is none."""
        return self._noted(self.stored.case_set(named))

    def _noted(self, pairs: SetPairs | None) -> SetPairs | None:
        if pairs is not None:
            self.pair_sets[pairs.set.id] = None
        return pairs

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


EXPLANATION = "README.md"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle that was made.

    Attributes:
        files: contents by name, the manifest among them.
        manifest: what it says of itself.
        digest: SHA-256 of the manifest, which holds those of all others: whoever knows it knows
            whether any byte of the bundle was changed.
        rows: the effects of each of its tables.
        gone: why pairs of a run cannot be made again, in sentences.
    """

    files: Mapping[str, bytes]
    manifest: Manifest
    digest: str
    rows: Mapping[str, EffectRows]
    gone: Sequence[str]


def make_bundle(
    store: Store,
    records: Sequence[RunRecord],
    tables: Sequence[EffectTable],
    analysis: Analysis,
) -> Bundle:
    """The bundle of some runs. The same runs give the same bytes.

    Raises:
        AnalysisError: effects cannot be made in this way.
        StoreError: the file cannot be read.
    """
    parts = stored_parts(store, records)
    parameters = {
        "runs": json.dumps([record.id for record in records]),
        "pair_sets": json.dumps(parts.pair_sets),
        "item_sets": json.dumps(parts.item_sets),
        "texts": json.dumps(parts.texts),
    }
    files = _table_files(store, [record.id for record in records], parameters)
    rows = {table.name: rows_of_table(store, table, analysis) for table in tables}
    files |= {f"{name}.json": f"{effects_text(found)}\n".encode() for name, found in rows.items()}
    overall = files[f"{OVERALL}.json"].decode()
    files |= parquet_files(store, [record.id for record in records], overall)
    files |= fidelity_file(records)
    files[EXPLANATION] = _explanation(files, tables).encode()
    checksums = {name: digest(content) for name, content in files.items()}
    manifest = Manifest(versions(), analysis, tuple(tables), checksums)
    content = manifest.content()
    return Bundle({**files, MANIFEST: content}, manifest, digest(content), rows, parts.gone)


def fidelity_file(records: Sequence[RunRecord]) -> dict[str, bytes]:
    """How what was asked stands to the papers that it follows; no file where it follows none.

    Raises:
        BrokenAssets: the record is missing or malformed.
    """
    systems = {experiment(record.study).system for record in records}
    rows = [row for row in fidelity_rows() if row.system in systems]
    if not rows:
        return {}
    told = json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=1)
    return {FIDELITY: f"{told}\n".encode()}


def _table_files(
    store: Store, runs: Sequence[str], parameters: Mapping[str, str]
) -> dict[str, bytes]:
    files = {}
    for table in TABLES:
        found: dict[object, str] = {}  # an item may be in one's own file and among recorded runs
        for held in dict.fromkeys(map(store.holding, runs)):
            with held.reading() as database:
                for row in database.query(table.select, dict(parameters)):
                    line = table.line(_without_addresses(table.name, row))
                    found.setdefault(row.get("id", line), line)
        lines = found.values()
        if lines:
            files[table.file] = "".join(f"{line}\n" for line in lines).encode()
    return files


def _without_addresses(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """The row without what concerns one network or purse: addresses, names of keys, money."""
    kept = dict(row)
    if table == "models":
        details = json.loads(row["details"])
        for place in ("base_urls", "directory"):
            details.pop(place, None)
        kept["details"] = json.dumps(details, ensure_ascii=False)
    if table == "runs":
        kept["options"] = shareable_options(row["options"], row["samples"])
    return kept


def shareable_options(text: str, samples: int) -> str:
    """The options of a run as they stand in a bundle."""
    from biaslab.runs.store.options import read_options

    options = read_options(text, samples)
    reached = options.access
    access = Access(
        endpoint=reached.endpoint,
        served=reached.served,
        also_served=reached.also_served,
        dtype=reached.dtype,
    )
    return write_options(replace(options, access=access, budget=Budget(), price=None))


_MEANINGS = {
    "models": "who answered: revision, form",
    "items": "what was asked, with the right answer",
    "pairs": "two items each, with strata and cluster",
    "runs": "design with its seed, model, strategy, sampling, reader, versions",
    "run_pairs": "which pairs a run asked, in order",
    "responses": "every prompt as it was sent, and what came back",
    "answers": "what each response was read as",
    "pair_sets": "sets of pairs that designs name",
    "set_pairs": "their pairs",
    "item_sets": "sets of questions that designs name",
    "set_items": "their questions",
    "own_biases": "biases that people wrote",
}


def _explanation(files: Mapping[str, bytes], tables: Sequence[EffectTable]) -> str:
    lines = [
        "# Bundle of a BiasLab paper",
        "",
        "Everything that the paper rests on. `biaslab reproduce .` checks the checksums, makes the",
        "pairs again, reads the answers again, computes the effects again and says what differs.",
        "",
        "| file | what it holds |",
        "|---|---|",
        *(
            f"| `{table.file}` | {_MEANINGS[table.name]} |"
            for table in TABLES
            if table.file in files
        ),
        *(
            f"| `{table.name}.json` | effects of {'all pairs' if table.by is None else table.by} |"
            for table in tables
        ),
        *(f"| `{name}` | {holds} |" for name, holds in PARQUET.items() if name in files),
        *(
            [f"| `{FIDELITY}` | what is as published, what is after it and how, what is not had |"]
            if FIDELITY in files
            else []
        ),
        f"| `{MANIFEST}` | versions, how effects were made, SHA-256 of each file |",
        "",
        "Columns are those of BiasLab's file of runs (docs/file-format.md), effects those of",
        "docs/effects.md. Addresses of servers, budgets and prices are left out.",
        "",
    ]
    return "\n".join(lines)
