"""Writing pairs of a structure from the command line."""

import csv
import json

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.runs import open_store
from biaslab.studies import Design
from biaslab.studies.designs import write_design_file

LINE = "container . comparison+ inconsistent . transfer-"


def compose(*arguments):
    return CliRunner().invoke(main, ["compose", *map(str, arguments)])


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_file_has_the_columns_of_pairs_and_two_rows_for_each(tmp_path):
    out = tmp_path / "pairs.csv"
    done = compose(LINE, "--treatment", "consistency", "--n", 20, "--seed", 3, "--out", out)
    assert done.exit_code == 0, done.output
    rows = rows_of(out)
    assert list(rows[0])[:5] == ["pair", "arm", "steps", "text", "answer"]
    assert [row["arm"] for row in rows] == ["x", "x_prime"] * 20
    assert {row["steps"] for row in rows} == {"2"}


def test_the_same_seed_writes_the_same_file(tmp_path):
    files = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv")]
    for file, seed in zip(files, (5, 5, 6), strict=True):
        assert compose(LINE, "--n", 10, "--seed", seed, "--out", file).exit_code == 0
    first, second, other = (file.read_bytes() for file in files)
    assert first == second != other


def test_no_cell_begins_with_what_a_spreadsheet_would_run(tmp_path):
    out = tmp_path / "pairs.csv"
    assert compose(LINE, "--n", 30, "--out", out).exit_code == 0
    assert not [cell for row in rows_of(out) for cell in row.values() if cell[0] in "=+-@'"]


def test_numbers_and_other_settings_reach_the_design(tmp_path):
    out = tmp_path / "pairs.jsonl"
    done = compose(
        LINE, "--n", 5, "--numbers", "30-60", "--sentence", 2, "--set", "treatment=consistency",
        "--out", out,
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    for row in map(json.loads, out.read_text(encoding="utf-8").splitlines()):
        stated = [int(word) for word in row["text"].split() if word.isdigit()]
        assert all(30 <= number <= 60 for number in stated)


def test_diagnosable_numbers_can_be_asked_for(tmp_path):
    plain, chosen = tmp_path / "plain.csv", tmp_path / "chosen.csv"
    assert compose(LINE, "--n", 5, "--out", plain).exit_code == 0
    assert compose(LINE, "--n", 5, "--diagnosable", "--out", chosen).exit_code == 0
    assert plain.read_bytes() != chosen.read_bytes()


@pytest.mark.parametrize(
    ("line", "reason", "marked"),
    [
        ("container . comparison A:A . transfer", "compared with themselves", "comparison A:A"),
        ("container . comparision+", "Did you mean comparison?", "comparision"),
        ("container .  transfer* . rate", "no sign", "*"),
        ("container unit=litre . transfer unit=kilogram", "counts with", "transfer unit=kilogram"),
    ],
)
def test_a_fault_in_the_line_is_underlined(tmp_path, line, reason, marked):
    done = compose(line, "--n", 5, "--out", tmp_path / "pairs.csv")
    assert done.exit_code == 1
    said, shown, below = done.output.splitlines()
    assert reason in said
    assert shown.endswith(line)
    assert shown[below.index("^") : below.rindex("^") + 1] == marked
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("container . transfer",), "No step of this problem is a comparison"),
        ((LINE, "--treatment", "consistency,carry"), "2 things at once"),
        ((LINE, "--treatment", "magic"), "no treatment"),
        ((LINE, "--numbers", "0-5"), "not within"),
        ((LINE, "--n", "0"), "from 1 to"),
        (("",), "The line is empty"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_sentence(tmp_path, arguments, reason):
    done = compose(*arguments, "--out", tmp_path / "pairs.csv")
    assert done.exit_code == 1
    assert reason in done.output
    assert "Traceback" not in done.output
    assert not list(tmp_path.iterdir())


def test_wrong_usage_is_told_as_such(tmp_path):
    assert compose(LINE, "--set", "numbers", "--out", tmp_path / "a.csv").exit_code == 2
    assert compose(LINE).exit_code == 2


def test_a_composed_design_is_asked_like_any_study(tmp_path):
    done = CliRunner().invoke(
        main,
        ["run", "composed", "--set", f"structure={LINE}", "--set", "treatment=predicate",
         "--n", "2", "--model", "tiny", "--db", str(tmp_path / "runs.db")],
    )  # fmt: skip
    assert done.exit_code == 0, done.output


class TestADesignFromAFile:
    @pytest.fixture
    def filed(self, tmp_path):
        settings = {"structure": LINE, "numbers": "2-50"}
        path = tmp_path / "design.json"
        path.write_bytes(write_design_file(Design("composed", 12, 4, settings), "Fewer, then give"))
        return path

    @pytest.mark.parametrize("command", ["compose", "pairs"])
    def test_it_makes_the_pairs_of_the_design(self, filed, tmp_path, command):
        made, said = tmp_path / "made.csv", tmp_path / "said.csv"
        done = CliRunner().invoke(main, [command, "--design", str(filed), "--out", str(made)])
        assert done.exit_code == 0, done.output
        assert compose(
            LINE, "--n", 12, "--seed", 4, "--numbers", "2-50", "--out", said
        ).exit_code == 0  # fmt: skip
        assert made.read_bytes() == said.read_bytes()

    def test_what_stands_on_the_command_line_takes_precedence(self, filed, tmp_path):
        out = tmp_path / "pairs.csv"
        done = compose("--design", filed, "--n", 3, "--treatment", "giver", LINE, "--out", out)
        assert done.exit_code == 0, done.output
        assert len(rows_of(out)) == 6
        assert {row["treatment"] for row in rows_of(out)} == {"giver"}

    def test_a_run_asks_the_pairs_of_the_design(self, filed, tmp_path):
        database = tmp_path / "runs.db"
        done = CliRunner().invoke(
            main,
            ["run", "--design", str(filed), "--model", "learner:keyword", "--db", str(database)],
        )
        assert done.exit_code == 0, done.output
        with open_store(database) as store:
            (run,) = store.runs()
            assert (run.study, run.design.n, run.design.seed) == ("composed", 12, 4)

    def test_a_design_of_another_study_is_refused_by_name(self, filed, tmp_path):
        done = CliRunner().invoke(
            main, ["pairs", "carry", "--design", str(filed), "--out", str(tmp_path / "x.csv")]
        )
        assert done.exit_code == 2
        assert "of the study composed, not carry" in done.output

    def test_a_damaged_file_is_told_in_a_sentence(self, tmp_path):
        path = tmp_path / "design.json"
        path.write_text('{"format": "biaslab-design"')
        done = compose("--design", path, "--out", tmp_path / "x.csv")
        assert done.exit_code == 1
        assert str(path) in done.output
        assert "Traceback" not in done.output

    def test_without_a_file_something_has_to_be_named(self, tmp_path):
        for command in ("compose", "pairs"):
            done = CliRunner().invoke(main, [command, "--out", str(tmp_path / "x.csv")])
            assert done.exit_code == 2
            assert "--design" in done.output


def test_what_numbers_cannot_tell_apart_is_said(tmp_path):
    done = compose(
        "container . comparison-", "--diagnosable", "--n", 3, "--out", tmp_path / "x.csv"
    )
    assert done.exit_code == 0, done.output
    assert (
        "Not distinguished (inconsistent): adding all numbers. It gives the same answer as "
        "reversing the comparison, whatever the numbers." in done.output
    )


def test_there_are_as_many_pairs_as_there_are_and_a_sentence_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("biaslab.studies.study.PATIENCE", 1)
    out = tmp_path / "x.csv"
    done = compose("container thing=apple . transfer- A>", "--numbers", "2-3", "--n", 9000,
                   "--treatment", "question-wording", "--out", out)  # fmt: skip
    assert done.exit_code == 1
    assert "different pairs of this design were found. Ask for" in done.output
    assert not out.exists()
