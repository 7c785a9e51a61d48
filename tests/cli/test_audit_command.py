"""`biaslab audit`: a table or one JSON object, a sample to judge, and labels that correct."""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.training.mix import read_mix
from tests.audit.designed import designed


@pytest.fixture(scope="module")
def made():
    texts = [*designed("transfer-comparison", 30), *designed("consistency", 30, steps="1-1")]
    return {each.text: each for each in texts}


@pytest.fixture
def book(tmp_path, made):
    path = tmp_path / "book.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("n", "problem"), *enumerate(made)])
    return path


def run(*arguments: object):
    return CliRunner().invoke(main, ["audit", *map(str, arguments)])


def test_json_has_every_feature_with_n_interval_and_coverage(book, made):
    found = json.loads(run(book, "--format", "json").output)
    assert found["column"] == "problem"
    assert (found["texts"], found["read"], found["doubled"]) == (len(made), len(made), 0)
    consistent = sum(str(k) == "consistent" for each in made.values() for k in each.wordings)
    told = found["features"]["wording"]["kinds"]["consistent"]
    assert told["count"] == consistent
    assert told["interval"][0] <= told["share"] <= told["interval"][1]
    assert set(found["features"]) == {"wording", "problems", "carries", "operations", "steps"}
    assert found["signals"]["more"]["operations"]["+"]["count"] > 0
    assert found["sample"] is None
    assert found["mix"]["transfer:comparison"] == [30, 90]


def test_the_table_says_what_was_found_and_how_to_train_on_it(book):
    output = run(book).output
    assert "known for" in output
    line = next(line for line in output.splitlines() if "--mix" in line)
    assert read_mix(line.split("--mix ")[1].split()[0]).comparison == 90


def test_a_sample_is_written_filled_in_and_corrects(book, made, tmp_path):
    sample = tmp_path / "sample.csv"
    assert run(book, "--sample", 40, "--out", sample).exit_code == 0
    rows = list(csv.DictReader(sample.open()))
    assert len(rows) == 40
    for row in rows:
        each = made[row["text"]]
        kinds = {str(kind) for kind in each.wordings}
        row["comparison"] = "none" if not kinds else kinds.pop() if len(kinds) == 1 else "both"
        row["transfer"] = "yes" if each.transfers else "no"
    with sample.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)

    found = json.loads(run(book, "--labels", sample, "--format", "json").output)
    assert found["sample"] == {"judged": 40, "foreign": 0, "missing": []}
    corrected = found["features"]["problems"]["kinds"]["transfer"]["corrected"]
    low, high = corrected["interval"]
    transfers = sum(each.transfers and not each.compares for each in made.values())
    assert low <= transfers / len(made) <= high
    assert "corrected: " in run(book, "--labels", sample).output


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        ("", [], "empty"),
        ("a,b\n1,2\n", [], "which column"),
        ("text\nNoor has nine kites here.\n", ["--text", "problem"], "no column 'problem'"),
    ],
)
def test_what_cannot_be_audited_is_one_sentence(tmp_path, content, arguments, said):
    path = tmp_path / "book.csv"
    path.write_text(content)
    found = run(path, *arguments)
    assert found.exit_code == 1
    assert said in found.output
    assert "Traceback" not in found.output


def test_a_sample_needs_a_file_to_go_to(book):
    assert run(book, "--sample", 5).exit_code == 2
