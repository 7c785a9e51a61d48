"""`biaslab effects --strategies`: what simple strategies get beside what a model did."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main


@pytest.fixture
def runs(tmp_path: Path) -> str:
    db = str(tmp_path / "runs.db")
    for learner in ("keyword", "perfect"):
        asked = ["run", "consistency", "--n", "12", "--model", f"learner:{learner}", "--db", db]
        done = CliRunner().invoke(main, asked)
        assert done.exit_code == 0, done.output
    return db


def test_each_row_says_what_strategies_get_on_its_pairs_and_what_they_leave(runs):
    done = CliRunner().invoke(main, ["effects", "--db", runs, "--strategies", "--format", "json"])
    assert done.exit_code == 0, done.output
    rows = {row["model"]: row for row in json.loads(done.stdout)}
    for model, rest in (("learner:keyword", 0.0), ("learner:perfect", -1.0)):
        found = {each["strategy"]: each for each in rows[model]["strategies"]}
        assert set(found) == {"always-plus", "keyword"}
        keyword = found["keyword"]
        assert (keyword["n"], keyword["left_out"]) == (12, 0)
        assert keyword["cate"] == rows[model]["cate"]
        assert keyword["own"] == pytest.approx(1.0)
        assert keyword["rest"] == pytest.approx(rest)
        assert keyword["rest_ci_low"] <= rest <= keyword["rest_ci_high"]


@pytest.mark.parametrize("more", [["--format", "csv"], ["--format", "json", "--by", "steps"]])
def test_where_there_is_no_place_for_the_list_it_is_refused(runs, more):
    done = CliRunner().invoke(main, ["effects", "--db", runs, "--strategies", *more])
    assert done.exit_code == 2
    assert "--format json" in done.stderr


def test_without_the_option_rows_are_as_ever(runs):
    done = CliRunner().invoke(main, ["effects", "--db", runs, "--format", "json"])
    assert all("strategies" not in row for row in json.loads(done.stdout))
