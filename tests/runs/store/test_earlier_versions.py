"""A file of runs from every earlier version of the format opens with its effects unchanged."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.runs import PairMark, open_store, pair_notes
from biaslab.runs.store import schema
from biaslab.studies import experiment

FILES = Path(__file__).with_name("earlier_versions")
VERSIONS = range(schema.FIRST, schema.VERSION + 1)
LAST_BEFORE = 4
"""The last version of the format before the source tree was rearranged."""
SAME_EVER = (
    "n", "accuracy_x", "accuracy_x_prime", "cate", "p_mcnemar", "invalid_x", "invalid_x_prime",
)  # fmt: skip
"""What no later method of making intervals and tests has changed."""
COUNTED = ("runs", "run_pairs", "pairs", "items", "responses", "answers", "models")


@pytest.fixture(params=VERSIONS, ids=lambda version: f"version {version}")
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def file(version: int, tmp_path: Path) -> Path:
    """The file as it was written then."""
    path = tmp_path / "runs.db"
    _write(version, path)
    return path


def _write(version: int, path: Path) -> None:
    path.write_bytes(gzip.decompress((FILES / f"version_{version}/runs.db.gz").read_bytes()))


def counts(path: Path) -> dict[str, int]:
    with closing(sqlite3.connect(path)) as plain:
        return {
            table: plain.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in COUNTED
        }


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as plain:
        return int(plain.execute("PRAGMA user_version").fetchone()[0])


def recorded(version: int, when: str) -> dict[str, dict[str, Any]]:
    written = json.loads((FILES / f"version_{version}/effects.json").read_text(encoding="utf-8"))
    return {row["study"]: row for row in written[when]}


def effects(path: Path) -> dict[str, dict[str, Any]]:
    done = CliRunner().invoke(main, ["effects", "--db", str(path), "--format", "json"])
    assert done.exit_code == 0, done.output
    return {row["study"]: row for row in json.loads(done.stdout)}


def test_the_file_is_of_the_version_that_it_stands_for(file, version):
    assert version_of(file) == version


def test_what_its_own_version_printed_is_still_so(file, version):
    then = recorded(version, "then")

    now = effects(file)

    assert {study: [now[study].get(name) for name in SAME_EVER] for study in now} == {
        study: [then[study].get(name) for name in SAME_EVER] for study in then
    }


def test_every_effect_interval_and_p_is_as_before_the_tree_was_rearranged(file, version):
    if version > LAST_BEFORE:
        pytest.skip("written after the tree was rearranged")
    before = recorded(version, "at 3c0a8db")

    now = effects(file)

    assert now.keys() == before.keys()
    for study, row in before.items():
        # What was called a shift then is told as a movement.
        row = {name.replace("shift", "movement", 1): value for name, value in row.items()}
        if study in ("consistency", "transfer-comparison", "concept-learning", "decision"):
            row["settings"] = {**row["settings"], "version": "1"}
        for name, value in row.items():
            same = pytest.approx(value) if isinstance(value, float) else value
            assert now[study][name] == same, (study, name)


def test_opening_brings_it_up_to_date_and_loses_no_row(file):
    before = counts(file)

    with open_store(file) as store:
        finished = [run.status.value for run in store.runs()]

    assert counts(file) == before
    assert version_of(file) == schema.VERSION
    assert set(finished) == {"finished"}


def test_marks_and_notes_of_the_tenth_version_are_read(tmp_path):
    path = tmp_path / "runs.db"
    _write(10, path)

    with open_store(path) as store:
        found = [
            (run.study, note.mark, note.text)
            for run in store.runs()
            for note in pair_notes(store, run.id).values()
        ]

    assert set(found) == {
        ("consistency", PairMark.STAR, "Shows the reversal well."),
        ("consistency", None, "Look at the working.\nTwo lines."),
        ("transfer-comparison", PairMark.AGAIN, ""),
    }


def test_pairs_of_sets_from_before_pairs_were_graded_count_as_proved(tmp_path):
    """Only pairs that were read, solved and as their file said came into a set then."""
    path = tmp_path / "runs.db"
    _write(4, path)
    given = json.dumps({"steps": 2, "treatment": "carry"})
    with closing(sqlite3.connect(path)) as plain, plain:
        for study in ("imported", "carry"):
            plain.execute(
                "INSERT INTO pairs (id, study, x, x_prime, cluster, strata)"
                " VALUES (?, ?, '', '', '', ?)",
                (study, study, given),
            )

    with open_store(path):
        pass

    with closing(sqlite3.connect(path)) as plain:
        found = {
            row[0]: json.loads(row[1])
            for row in plain.execute(
                "SELECT id, strata FROM pairs WHERE id IN ('imported', 'carry')"
            )
        }
    assert found["imported"] == {**json.loads(given), "status": "proved"}
    assert found["carry"] == json.loads(given)


def test_prompts_about_concepts_from_before_they_had_versions_are_of_the_first(tmp_path):
    path = tmp_path / "runs.db"
    _write(5, path)

    with open_store(path) as store:
        (before,) = [run for run in store.runs() if run.study == "concept-learning"]
        items = {item.text for item in store.items_of(before.id)}

    assert before.design.settings["version"] == "1"
    again = experiment("concept-learning").pairs(before.design)
    assert items == {item.text for pair in again for item in (pair.x, pair.x_prime)}
