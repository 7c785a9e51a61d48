"""`biaslab compare`: runs of one file beside each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.runs import open_store, prepare, run_here
from biaslab.stats import FINDING_COLUMNS
from biaslab.studies import Design


def compare(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """Two learners on the same 40 pairs, and one on others."""
    path = tmp_path_factory.mktemp("compare") / "runs.db"
    runs: dict[str, str] = {}
    with open_store(path) as store:
        for name, model, seed in (
            ("keyword", "learner:keyword", 1),
            ("random", "learner:careless", 1),
            ("elsewhere", "learner:keyword", 2),
        ):
            design = Design("consistency", 40, seed, {"steps": "1-2"})
            runs[name] = prepare(store, design, model, "direct")
            run_here(store, runs[name])
    return path, runs


def test_two_runs_on_the_same_pairs_have_a_difference(asked: tuple[Path, dict[str, str]]) -> None:
    path, runs = asked
    found = compare(
        "--run", runs["keyword"], "--run", runs["random"], "--trend", "steps", "--by", "steps",
        "--model-based", "--format", "json", "--db", path,
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    rows = json.loads(found.stdout)
    assert all(list(row) == list(FINDING_COLUMNS) for row in rows)
    first = rows[0]
    assert first["question"] == "effect-difference"
    assert first["runs"] == [runs["keyword"], runs["random"]]
    assert (first["n"], first["unshared"]) == (40, [0, 0])
    assert first["estimate"] > 0 and first["p"] < 0.05  # noqa: PT018
    assert {row["question"] for row in rows} == {
        "effect-difference", "accuracy-difference", "trend", "heterogeneity", "model",
    }  # fmt: skip
    # The keyword learner is always right where the word helps: no coefficients, and why.
    assert "all answers to x are right" in found.stderr


def test_the_printed_table_says_what_each_row_is(asked: tuple[Path, dict[str, str]]) -> None:
    path, runs = asked
    found = compare("--run", runs["random"], "--trend", "steps", "--db", path)
    assert "trend per steps" in found.stdout
    assert runs["random"] in found.stdout


def test_runs_of_other_pairs_are_refused_in_a_sentence(asked: tuple[Path, dict[str, str]]) -> None:
    path, runs = asked
    found = compare("--run", runs["keyword"], "--run", runs["elsewhere"], "--db", path)
    assert found.exit_code == 1
    assert "have no pair in common" in found.output


def test_one_run_alone_is_told_what_to_ask(asked: tuple[Path, dict[str, str]]) -> None:
    path, runs = asked
    found = compare("--run", runs["keyword"], "--db", path)
    assert found.exit_code == 1
    assert "name two runs" in found.output


class TestModelsThatWereNotTrainedForIt:
    """A card says what a tiny model learned; the command line says it as the page Effects does."""

    SAID = "The model “balanced” cannot do problems with 2 steps when asked “direct”: choose 1."

    @pytest.mark.parametrize("command", ["effects", "compare"])
    def test_is_said_beside_its_effects(self, command: str, tmp_path: Path) -> None:
        path = tmp_path / "runs.db"
        design = Design("consistency", 3, 1, {"steps": "2-2"})
        with open_store(path) as store:
            untrained, trained = (
                prepare(store, design, "tiny:balanced", way) for way in ("direct", "cot")
            )
            for run in (untrained, trained):
                run_here(store, run)
        named = ["--run", untrained, "--run", trained]
        found = CliRunner().invoke(main, [command, *named, "--db", str(path)])
        assert found.exit_code == 0, found.output
        (said,) = [line for line in found.stderr.splitlines() if "cannot do" in line]
        assert said.startswith(f"Run {untrained}: {self.SAID}")
        assert "not a bias" in said

    def test_is_said_when_it_is_asked(self, tmp_path: Path) -> None:
        asked = ["run", "consistency", "--steps", "2-2", "--n", "2", "--model", "tiny:balanced"]
        for strategy, warned in (("direct", True), ("cot", False)):
            found = CliRunner().invoke(
                main, [*asked, "--strategy", strategy, "--db", str(tmp_path / "runs.db")]
            )
            assert found.exit_code == 0, found.output
            assert (self.SAID in found.stderr) is warned
