"""`biaslab effects`: rows at either end, in papers and reports too, and what strategies get."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.publishing.paper import make_paper
from biaslab.publishing.report import report_of_runs
from biaslab.runs import Store, open_store, prepare, run_here
from biaslab.stats import effects, end_sentence
from biaslab.studies import Design, experiment

CEILING = "both kinds are at the ceiling"
CHANGE = "Make it harder, such as more steps"


@pytest.fixture
def asked(tmp_path: Path):
    """A run in which all is right, and one in which the words mislead."""
    with open_store(tmp_path / "runs.db") as store:
        runs = []
        for learner in ("perfect", "keyword"):
            run = prepare(store, Design("consistency", 40, 1), f"learner:{learner}", "direct")
            run_here(store, run)
            runs.append(run)
        yield store, runs


def command(store: Store, *more: str) -> Result:
    done = CliRunner().invoke(main, ["effects", "--db", str(store.path), *more])
    assert done.exit_code == 0, done.output
    return done


def test_the_table_has_a_column_for_the_end_and_a_sentence_beside_it(asked):
    store, (perfect, keyword) = asked
    done = command(store)
    rows = {line.split()[1]: line.split() for line in done.stdout.splitlines()[1:]}
    assert rows["learner:perfect"][-1] == "ceiling"
    assert rows["learner:keyword"][-1] == keyword
    assert f"Run {perfect}: {CEILING}" in done.stderr
    assert CHANGE in done.stderr
    assert f"Run {keyword}: both" not in done.stderr


def test_without_such_a_row_the_table_is_as_ever(asked):
    store, (_, keyword) = asked
    done = command(store, "--run", keyword)
    assert done.stdout.splitlines()[0].split()[-1] == "run"
    assert CEILING not in done.output


def test_files_keep_their_columns(asked):
    store, _ = asked
    assert "end" not in command(store, "--format", "csv").stdout.splitlines()[0].split(",")


def test_papers_and_reports_mark_the_row_and_say_what_to_change(asked):
    store, runs = asked
    paper = make_paper(store, runs)
    assert any(CEILING in each and CHANGE in each for each in paper.limitations)
    table = next(text.decode() for name, text in paper.files.items() if name.endswith(".tex")
                 and "effects" in name)  # fmt: skip
    assert "all (ceiling)" in table
    report = report_of_runs(store, runs)
    (effect,) = effects(store.outcomes([runs[0]]))
    said = end_sentence(effect, experiment("consistency").arms)
    assert f"{said[0].upper()}{said[1:]}" in report.findings[0].sentences
    assert not any(CEILING in each.lower() for each in report.findings[1].sentences)


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


def test_several_strata_at_once_divide_what_each_of_them_divides(tmp_path: Path):
    with open_store(tmp_path / "runs.db") as store:
        run = prepare(store, Design("malgorithm", 90, 1), "learner:words", "simple")
        run_here(store, run)
        one, both = (
            json.loads(command(store, "--by", by, "--format", "json").stdout)
            for by in ("grade", "grade,dok")
        )
        values = [row["stratum"].removeprefix("grade,dok=").split(", ") for row in both]
        assert values == sorted(values, key=lambda pair: tuple(map(int, pair)))
        for row in one:
            grade = row["stratum"].removeprefix("grade=")
            parts = [each for each, (of, _) in zip(both, values, strict=True) if of == grade]
            assert sum(each["n"] for each in parts) == row["n"]
            assert sum(each["mia_n"] for each in parts) == row["mia_n"]
        done = CliRunner().invoke(main, ["effects", "--db", str(store.path), "--by", "grade,size"])
        assert done.exit_code
        assert "no stratum 'grade,size'" in done.output
