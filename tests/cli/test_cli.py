"""The command line: a contract that other programs rely on."""

from __future__ import annotations

import csv
import json
import re
import threading
from dataclasses import asdict
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.cli.conventions import METHODS
from biaslab.runs.jobs.queue import JobKind, QueuedWork, in_turn, line
from biaslab.stats import INTERVAL_METHODS, cate_of_counts
from biaslab.studies.decisions.biases import biases
from tests.conftest import wait_for
from tests.loops import over

ROOT = Path(__file__).resolve().parents[2]
NAMES = main.list_commands(click.Context(main))
EFFECT_COLUMNS = [
    "study", "model", "strategy", "stratum", "n", "accuracy_x", "accuracy_x_prime", "cate",
    "ci_low", "ci_high", "p_t", "p_mcnemar", "q_bh", "invalid_x", "invalid_x_prime",
    "p", "run", "settings", "model_kind", "samples", "voted", "clusters", "confidence",
    "interval_method", "looked", "family", "method", "reader", "unread_difference", "unread_p",
    "format",
]  # fmt: skip


def biaslab(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


def test_biases_are_listed_with_the_scenes_that_are_dealt_of_them() -> None:
    """Those of the files of later scenes and of a variant's original too."""
    lines = dict(line.split(maxsplit=1) for line in biaslab("biases").output.splitlines())
    wrong = {
        name: lines[name]
        for name, each in biases().items()
        if f": {len(each.vignettes)} vignettes in {len(each.fields)} fields" not in lines[name]
    }
    assert not wrong
    assert not [line for line in lines.values() if "no vignettes" in line or ": 0 " in line]


class TestPairs:
    @pytest.mark.parametrize("study", ["consistency", "transfer-comparison", "carry"])
    def test_a_csv_file_has_a_row_per_item(self, study, tmp_path):
        out = tmp_path / "pairs.csv"
        biaslab("pairs", study, "--n", 30, "--seed", 4, "--out", out)
        with out.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert list(rows[0])[:5] == ["pair", "arm", "steps", "text", "answer"]
        assert [row["arm"] for row in rows] == ["x", "x_prime"] * 30
        assert len({row["pair"] for row in rows}) == 30
        assert all(row["text"].endswith(("?", ".")) and row["answer"].isdigit() for row in rows)

    def test_a_jsonl_file_has_the_same_rows(self, tmp_path):
        files = tmp_path / "pairs.csv", tmp_path / "pairs.jsonl"
        for out in files:
            biaslab("pairs", "consistency", "--n", 10, "--seed", 4, "--steps", "2-3", "--out", out)
        with files[0].open(encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        lines = [json.loads(line) for line in files[1].read_text("utf-8").splitlines()]
        assert [{name: str(value) for name, value in line.items()} for line in lines] == table
        assert {line["steps"] for line in lines} == {2, 3}

    def test_a_refused_design_is_one_sentence_and_leaves_no_file(self, tmp_path):
        out = tmp_path / "pairs.csv"
        result = biaslab("pairs", "carry", "--numbers", "2-20", "--out", out, status=1)
        assert "The nearest setting that works is 100-999." in result.output
        assert "Traceback" not in result.output
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_is_not_there_is_one_sentence(self, tmp_path):
        out = tmp_path / "nowhere" / "pairs.csv"
        result = biaslab("pairs", "carry", "--n", 1, "--out", out, status=1)
        assert "No such file or directory" in result.output

    def test_another_ending_is_refused(self, tmp_path):
        result = biaslab("pairs", "carry", "--out", tmp_path / "pairs.xlsx", status=2)
        assert "must end in .csv, .jsonl" in result.output


class TestRunAndEffects:
    def test_the_runs_id_is_printed_last_and_effects_have_the_contracts_columns(self, db):
        done = biaslab(
            "run", "consistency", "--n", 60, "--seed", 1, "--steps", "1-3", "--model",
            "learner:keyword", "--strategy", "direct", "--db", db,
        )  # fmt: skip
        run = done.output.strip().splitlines()[-1]
        shown = biaslab("effects", "--db", db, "--run", run, "--by", "steps", "--format", "json")
        rows = json.loads(shown.output)
        assert all(list(row) == EFFECT_COLUMNS for row in rows)
        assert sorted(row["stratum"] for row in rows) == ["steps=1", "steps=2", "steps=3"]
        for row in rows:
            assert (row["n"], row["accuracy_x"], row["accuracy_x_prime"]) == (20, 1.0, 0.0)
            assert row["cate"] == 1.0
            assert row["model"] == "learner:keyword"

    def test_effects_without_a_stratum_are_one_row_per_run(self, db):
        for strategy in ("direct", "cot"):
            biaslab(
                "run", "carry", "--n", 20, "--model", "learner:perfect", "--strategy", strategy,
                "--db", db,
            )  # fmt: skip
        rows = json.loads(biaslab("effects", "--db", db, "--format", "json").stdout)
        assert sorted((row["strategy"], row["cate"]) for row in rows) == [("cot", 0), ("direct", 0)]

    def test_in_the_queue_it_waits_until_other_work_is_done(self, db):
        asked = ("run", "carry", "--n", 2, "--model", "learner:perfect", "--db", db)
        seen: list[list[JobKind]] = []
        has_it = threading.Event()

        def other_work() -> None:
            with in_turn(db, QueuedWork(JobKind.PLAN, "first")):
                has_it.set()
                wait_for(lambda: len(line(db)) == 2)
                seen.append([work.kind for work in line(db)])

        other = threading.Thread(target=other_work)
        other.start()
        assert has_it.wait(30)
        biaslab(*asked)  # at once, beside the other work
        assert seen == []
        biaslab(*asked, "--queue")
        other.join()
        assert seen == [[JobKind.PLAN, JobKind.RUN]]

    def test_resuming_a_finished_run_asks_nothing(self, db):
        first = biaslab(
            "run", "carry", "--n", 20, "--model", "learner:careless", "--db", db
        ).output.splitlines()[-1]
        again = biaslab("run", "--resume", first, "--db", db)
        assert again.output.splitlines()[-1] == first

    def test_a_run_may_be_resumed_with_the_options_it_was_started_with(self, db):
        options = ("carry", "--n", 20, "--model", "learner:careless", "--db", db)
        first = biaslab("run", *options).output.splitlines()[-1]
        assert biaslab("run", *options, "--resume", first).output.splitlines()[-1] == first

    @pytest.mark.parametrize("other", [("--n", 30), ("--seed", 2), ("--strategy", "cot")])
    def test_resuming_with_other_options_is_refused_not_ignored(self, db, other):
        options = ("carry", "--n", 20, "--model", "learner:careless", "--db", db)
        first = biaslab("run", *options).output.splitlines()[-1]
        result = biaslab("run", "--resume", first, "--db", db, *other, status=2)
        assert f"not {other[1]}" in result.output

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (("consistency", "--model", "learner:keywrd"), "keyword"),
            (("consistensy", "--model", "learner:keyword"), "Did you mean 'consistency'"),
            (("consistency", "--model", "local:/nowhere/model"), "/nowhere/model"),
            (("consistency", "--model", "learner:keyword", "--strategy", "shout"), "shout"),
            (("--resume", "no-such-run"), "no-such-run"),
        ],
    )
    def test_what_cannot_be_run_is_one_sentence(self, db, arguments, says):
        result = biaslab("run", *arguments, "--n", 5, "--db", db, status=1)
        assert says in result.output
        assert "Traceback" not in result.output

    def test_a_file_that_is_no_database_is_left_alone(self, db):
        db.write_text("my shopping list")
        result = biaslab("effects", "--db", db, status=1)
        assert str(db) in result.output
        assert db.read_text() == "my shopping list"

    def test_an_unknown_stratum_is_one_sentence(self, db):
        biaslab("run", "carry", "--n", 4, "--model", "learner:perfect", "--db", db)
        result = biaslab("effects", "--db", db, "--by", "moon", status=1)
        assert "moon" in result.output

    def test_studies_without_the_stratum_stand_whole_beside_the_others(self, db):
        biaslab("run", "carry", "--n", 4, "--model", "learner:perfect", "--db", db)
        biaslab("run", "decision", "--n", 4, "--model", "learner:random", "--db", db)
        shown = biaslab("effects", "--db", db, "--by", "steps", "--format", "json")
        rows = {row["study"]: row for row in json.loads(shown.stdout)}
        assert rows["carry"]["stratum"] == "steps=1"
        assert (rows["decision"]["stratum"], rows["decision"]["n"]) == ("all", 4)
        whole = json.loads(biaslab("effects", "--db", db, "--format", "json").stdout)
        assert rows["decision"] in [{**row, "q_bh": rows["decision"]["q_bh"]} for row in whole]
        assert "study decision have no stratum 'steps'" in shown.stderr

    def test_runs_asked_once_and_often_can_be_voted_on_together(self, db):
        for samples in (1, 5):
            biaslab(
                "run", "carry", "--n", 6, "--model", "learner:careless", "--samples", samples,
                "--db", db,
            )  # fmt: skip
        shown = biaslab("effects", "--db", db, "--vote", "--format", "json")
        assert [row["n"] for row in json.loads(shown.stdout)] == [6, 6]
        assert "asked every item once, so there is nothing to vote on" in shown.stderr


class TestDocumentation:
    def test_a_page_shows_every_command(self):
        page = (ROOT / "docs" / "commands.md").read_text("utf-8")
        shown = set(re.findall(r"^biaslab ([\w-]+)", page, re.M))
        assert shown == set(NAMES)

    @over("name", NAMES)
    def test_every_command_and_option_explains_itself(self, name):
        command = main.get_command(click.Context(main), name)
        assert command is not None
        assert command.help
        for option in command.params:
            assert option.param_type_name == "argument" or option.help or option.name == "form"

    def test_every_study_has_a_page_or_a_heading_of_its_own(self):
        studies = re.findall(r"^(\S+): ", biaslab("studies").output, re.M)
        assert studies[:3] == ["consistency", "transfer-comparison", "carry"]
        headings = [
            line
            for page in (ROOT / "docs").glob("*.md")
            for line in page.read_text("utf-8").splitlines()
            if line.startswith("##")
        ]
        for study in studies:
            named = any(line.endswith((f" `{study}`", f"(`{study}`)")) for line in headings)
            assert named or (ROOT / "docs" / f"{study}.md").exists(), study


class TestInterval:
    COUNTS = ("--both", 30, "--only-x", 12, "--only-x-prime", 2, "--neither", 12)

    def test_four_counts_give_what_the_same_pairs_give_everywhere(self):
        found = json.loads(biaslab("interval", *self.COUNTS, "--format", "json").stdout)
        assert found == asdict(cate_of_counts(30, 12, 2, 12))
        assert (found["n"], found["cate"]) == (56, 10 / 56)
        assert -1 <= found["ci_low"] <= found["cate"] <= found["ci_high"] <= 1

    @pytest.mark.parametrize("method", INTERVAL_METHODS)
    def test_every_method_can_be_asked_for_by_name(self, method):
        shown = biaslab("interval", *self.COUNTS, "--interval", method, "--format", "json").stdout
        assert json.loads(shown) == asdict(cate_of_counts(30, 12, 2, 12, method=method))

    def test_the_commands_know_exactly_the_methods_there_are(self):
        assert METHODS == INTERVAL_METHODS

    def test_no_pairs_have_no_interval(self):
        nothing = ("--both", 0, "--only-x", 0, "--only-x-prime", 0, "--neither", 0)
        assert "no interval can be determined" in biaslab("interval", *nothing).stdout

    def test_a_negative_count_is_refused(self):
        biaslab("interval", *self.COUNTS[:-1], -1, status=2)
