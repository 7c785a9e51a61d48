"""Runs of simulated learners and of imported pairs in one file, made once for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def done(*arguments: object) -> str:
    """The last line of a command that must succeed."""
    result = invoke(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A file of runs, and the ids of its runs by what they are."""
    folder = tmp_path_factory.mktemp("paper")
    db = folder / "runs.db"
    ask = ("--db", db, "--seed", 3)
    released = folder / "released.csv"
    done("pairs", "consistency", "--n", 12, "--format", "released", "--out", released)
    assert invoke("import", released, "--db", db, "--as", "ours").exit_code == 0
    from biaslab.runs import open_store, pair_sets

    with open_store(db) as store:
        (kept,) = pair_sets(store)
    careless = ("run", "consistency", "--n", 24, "--steps", "1-2", *ask)
    return db, {
        "keyword": done(*careless, "--model", "learner:keyword"),
        "perfect": done(*careless, "--model", "learner:perfect"),
        "again": done(*careless, "--model", "learner:keyword", "--strategy", "cot"),
        "samples": done(*careless, "--model", "learner:careless", "--samples", 5),
        "choices": done("run", "malgorithm", "--n", 12, "--model", "learner:words", *ask),
        "decision": done("run", "decision", "--n", 30, "--model", "learner:anchored", *ask),
        "concept": done("run", "concept-learning", "--n", 12, "--model", "learner:count", *ask),
        "imported": done(
            "run", "imported", "--set", f"set={kept.id}", "--n", 12,
            "--model", "learner:keyword", *ask,
        ),
    }  # fmt: skip
