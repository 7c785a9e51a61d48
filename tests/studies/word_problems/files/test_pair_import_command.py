"""`biaslab import` with a file of pairs, and asking the set that it makes."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from biaslab.runs import open_store, pair_sets, set_pairs, set_report

X = "Otto has {n} mugs. Ines has 7 fewer mugs than Otto. How many mugs does Ines have?"
X_PRIME = "Otto has {n} mugs. Otto has 7 more mugs than Ines. How many mugs does Ines have?"


def biaslab(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def write(path: Path, *answers: object, header: str = "text1,text2,answer") -> Path:
    """A row for each answer; 2, 3, 4, ... are the right ones."""
    rows = (
        f"{X.format(n=9 + at)},{X_PRIME.format(n=9 + at)},{answer}"
        for at, answer in enumerate(answers)
    )
    path.write_text("\n".join((header, *rows)) + "\n")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Three sound rows, one with a wrong answer, one without an answer."""
    return write(tmp_path / "my pairs.csv", 2, 3, 99, 5, "")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "runs.db"


class TestKeeping:
    def test_rows_with_an_answer_are_kept_with_their_status_and_every_row_is_reported(
        self, file, db, tmp_path
    ):
        report = tmp_path / "report.json"
        said = biaslab("import", file, "--db", db, "--report", report).output
        told = json.loads(report.read_text("utf-8"))

        assert [(each["row"], each["status"]) for each in told] == [
            (0, "proved"),
            (1, "proved"),
            (2, "contradicted"),
            (3, "proved"),
            (4, "labelled"),
        ]
        assert all(isinstance(each["reasons"], list) for each in told)
        assert all(len(each["members"]) == 2 for each in told)
        assert "5 rows: 3 proved, 1 labelled, 1 contradicted. 4 pairs can be asked." in said
        assert "Row 2: contradicted. The text leads to 4" in said
        with open_store(db) as store:
            (kept,) = pair_sets(store)
            assert (kept.name, kept.origin, kept.pairs) == ("my pairs", "my pairs.csv", 4)
            assert [
                (pair.x.answer, pair.strata["status"]) for pair in set_pairs(store, kept.id)
            ] == [
                ("2", "proved"),
                ("3", "proved"),
                ("99", "contradicted"),
                ("5", "proved"),
            ]
            assert {each["row"] for each in set_report(store, kept.id)} == {2, 4}
        assert said.splitlines()[-1] == kept.id

    def test_a_set_can_be_named(self, file, db):
        biaslab("import", file, "--db", db, "--name", "Mugs")

        with open_store(db) as store:
            assert [kept.name for kept in pair_sets(store)] == ["Mugs"]

    def test_nothing_to_ask_is_a_sentence_with_the_report_written(self, tmp_path, db):
        report = tmp_path / "report.json"
        bad = write(tmp_path / "bad.csv", "", "?")
        said = biaslab("import", bad, "--db", db, "--report", report, status=1).output

        assert "no row has two different texts with an answer, so nothing was imported." in said
        assert len(json.loads(report.read_text())) == 2
        assert not db.exists()

    def test_a_file_that_cannot_be_read_is_a_sentence(self, tmp_path, db):
        file = tmp_path / "table.csv"
        file.write_text("a,b\n1,2\n")
        said = biaslab("import", file, "--db", db, status=1).output

        assert "No two columns were found that hold the texts of pairs" in said
        assert not db.exists()

    def test_columns_that_may_be_those_of_items_are_told_as_such(self, tmp_path, db):
        file = tmp_path / "pupils.csv"
        file.write_text(
            "Question,Pupil wrote,Correct,Why\n"
            "What is 52 - 17?,45,35,takes the smaller digit from the larger\n"
            "What is 1/2 + 1/3?,2/5,5/6,adds tops and bottoms\n"
            "What is 30% of 80?,50,24,takes the percentage away\n"
        )
        said = biaslab("import", file, "--db", db, "--as", "pupils", status=1).output

        assert "As pairs of problems: No two columns" in said
        assert "--column 'wrong_answer=Pupil wrote' --column misconception=Why" in said

    def test_a_file_of_runs_that_is_something_else_stays_as_it_is(self, file, tmp_path):
        other = tmp_path / "notes.db"
        other.write_text("notes")
        biaslab("import", file, "--db", other, status=1)

        assert other.read_text() == "notes"


class TestChecking:
    def test_without_db_a_file_of_pairs_is_known_by_its_columns_and_only_checked(self, file):
        said = biaslab("import", file).output

        assert "Format: table (csv, UTF-8)" in said
        assert "Nothing was saved. Name a file of runs with --db" in said

    def test_columns_can_be_named(self, tmp_path, db):
        file = write(tmp_path / "p.csv", 2, 3, header="one,two,three")
        named = ("--column", "x=one", "--column", "x_prime=two", "--column", "answer=three")

        assert "2 pairs can be asked" in biaslab("import", file, *named).output
        assert "2 pairs are saved" in biaslab("import", file, *named, "--db", db).output

    @pytest.mark.parametrize("header", ["one,two,three", "text1,two,three", "text1,text2,three"])
    def test_what_cells_show_is_told_as_options_that_then_work(self, tmp_path, db, header):
        file = write(tmp_path / "p.csv", 2, 3, header=header)
        said = biaslab("import", file, "--db", db, status=1).output
        assert not db.exists()
        options = re.findall(r"--column (\w+=\w+)", said.partition("it may be")[2])
        named = [part for each in options for part in ("--column", each)]
        assert "2 pairs are saved" in biaslab("import", file, *named, "--db", db).output

    @pytest.mark.parametrize("option", [("--format", "csv"), ("--out", "items.jsonl")])
    def test_options_for_items_do_not_go_with_pairs(self, file, db, option):
        said = biaslab("import", file, "--db", db, *option, status=2).output
        assert "are for multiple-choice items" in said


class TestAsking:
    @pytest.fixture
    def kept(self, tmp_path, db) -> str:
        file = write(tmp_path / "sound.csv", 2, 3, 4)
        return biaslab("import", file, "--db", db).output.splitlines()[-1]

    def test_a_set_is_asked_whole_unless_a_number_is_named(self, kept, db):
        asked = ("imported", "--set", f"set={kept}", "--model", "learner:keyword", "--db", db)
        whole = biaslab("run", *asked).output.splitlines()[-1]
        two = biaslab("run", *asked, "--n", 2).output.splitlines()[-1]

        with open_store(db) as store:
            assert store.run(whole).pairs_total == 3
            assert store.run(whole).design.n == 3
            assert store.run(two).pairs_total == 2

    def test_more_than_there_are_is_refused(self, kept, db):
        said = biaslab(
            "run", "imported", "--set", f"set={kept}", "--model", "learner:keyword",
            "--n", 4, "--db", db, status=1,
        ).output  # fmt: skip
        assert "This design has 3 pairs, not 4. The nearest size that works is 3." in said

    def test_an_estimate_needs_nothing_else(self, kept, db):
        said = biaslab(
            "run", "imported", "--set", f"set={kept}", "--model", "learner:keyword",
            "--estimate", "--db", db,
        ).output  # fmt: skip
        assert json.loads(said)["pairs"] == 3

    def test_a_set_can_be_written_to_a_file(self, kept, db, tmp_path):
        out = tmp_path / "out.csv"
        biaslab("pairs", "imported", "--set", f"set={kept}", "--db", db, "--out", out)

        assert len(out.read_text("utf-8").splitlines()) == 1 + 6

    def test_effects_of_proved_pairs_stand_beside_those_of_all(self, kept, db):
        biaslab("run", "imported", "--set", f"set={kept}", "--model", "learner:keyword", "--db", db)
        whole = json.loads(biaslab("effects", "--db", db, "--format", "json").stdout)
        with closing(sqlite3.connect(db)) as plain, plain:
            plain.execute(
                "UPDATE pairs SET strata = json_set(strata, '$.status', 'labelled')"
                " WHERE id = (SELECT min(id) FROM pairs)"
            )
        mixed = json.loads(biaslab("effects", "--db", db, "--format", "json").stdout)
        by_status = biaslab("effects", "--db", db, "--by", "status", "--format", "json").stdout

        assert [(row["stratum"], row["n"]) for row in whole] == [("all", 3)]
        assert [(row["stratum"], row["n"]) for row in mixed] == [("all", 3), ("status=proved", 2)]
        assert [(row["stratum"], row["n"]) for row in json.loads(by_status)] == [
            ("status=labelled", 1),
            ("status=proved", 2),
        ]

    def test_an_unknown_set_is_a_sentence(self, kept, db):
        said = biaslab(
            "run", "imported", "--set", "set=abc", "--model", "learner:keyword", "--db", db,
            status=1,
        ).output  # fmt: skip
        assert "There is no set of pairs 'abc'" in said
        assert kept not in said
