"""A copy of the file of runs opens in Datasette with descriptions and ready queries."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.runs import Store, prepare, run_here
from biaslab.studies import Design
from tests.runs.tools.conftest import effect_of, needs


@pytest.fixture
def folder(store: Store, tmp_path: Path) -> Path:
    run_here(store, prepare(store, Design("carry", 12, 1), "learner:carry-dropper", "direct"))
    command = ["datasette", "--db", str(store.path), "--out", str(tmp_path / "shown")]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert "new or empty" in CliRunner().invoke(main, command).output
    return tmp_path / "shown"


def test_every_table_that_is_described_is_there_and_every_query_answers(
    folder: Path, store: Store
) -> None:
    described = yaml.safe_load((folder / "metadata.yaml").read_text())["databases"]["runs"]
    settings = yaml.safe_load((folder / "datasette.yaml").read_text())["databases"]["runs"]
    assert settings["queries"] == described["queries"]
    (record,) = store.runs()
    with sqlite3.connect(folder / "runs.db") as copy:
        names = {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}
        assert set(described["tables"]) <= names
        found = {
            name: copy.execute(query["sql"], {"run": record.id, "words": "in all"}).fetchall()
            for name, query in described["queries"].items()
        }
    outcomes = store.outcomes([record.id])
    wrong = (outcomes["y_x"] == 0).sum() + (outcomes["y_x_prime"] == 0).sum()
    assert len(found["wrong_answers"]) == wrong > 0
    flips = outcomes["y_x"] + outcomes["y_x_prime"] == 1
    assert len(found["pairs_that_flip"]) == flips.sum() > 0


def test_without_a_file_of_runs_nothing_is_made(tmp_path: Path) -> None:
    command = ["datasette", "--db", str(tmp_path / "none.db"), "--out", str(tmp_path / "shown")]
    assert "no file of runs" in CliRunner().invoke(main, command).output
    assert list(tmp_path.iterdir()) == []


@needs("datasette")
def test_datasette_shows_effects_and_answers_queries(folder: Path, store: Store) -> None:
    from datasette.app import Datasette

    (record,) = store.runs()
    metadata = yaml.safe_load((folder / "metadata.yaml").read_text())

    async def fetch() -> tuple[list[dict[str, float]], int]:
        shown = Datasette([str(folder / "runs.db")], metadata=metadata)
        effects = await shown.client.get("/runs/effects.json?_shape=array")
        query = await shown.client.get(f"/runs/pairs_that_flip.json?run={record.id}")
        return effects.json(), query.status_code

    (effect,), status = asyncio.run(fetch())
    assert effect["cate"] == pytest.approx(effect_of(store, record.id).cate, abs=1e-9)
    assert status == 200
