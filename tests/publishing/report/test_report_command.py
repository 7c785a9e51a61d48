"""`biaslab report`: one new file of runs or of a class, and a sentence where that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from schoolmath.malrules.classes import QuizDesign, make_quiz, simulate_class, write_sheet
from schoolmath.problems.draws import Draws

LINK = "grade=4&topics=ColumnSubtraction&n=12&set=1&answers=own"


def invoke(*arguments: object):
    return CliRunner().invoke(main, ["report", *map(str, arguments)])


@pytest.fixture(scope="module")
def sheet(tmp_path_factory) -> Path:
    quiz = make_quiz(QuizDesign(4, ("ColumnSubtraction",), 12, 1, letters=False))
    path = tmp_path_factory.mktemp("sheet") / "class.csv"
    path.write_text(
        write_sheet(quiz, simulate_class(Draws("command"), quiz, [quiz.nameable[0], None, None]))
    )
    return path


def test_runs_become_one_file(asked, tmp_path):
    store, runs = asked
    out = tmp_path / "report.html"
    done = invoke(*runs, "--db", store.path, "--out", out, "--by", "operation")

    assert done.exit_code == 0, done.output
    html = out.read_text("utf-8")
    assert html.startswith("<!doctype html>")
    assert "By operation" in html
    assert [*tmp_path.iterdir()] == [out]
    assert "is a simulated learner" in done.stderr


def test_a_class_becomes_one_file_by_the_link_to_its_quiz(sheet, tmp_path):
    out = tmp_path / "class.html"
    done = invoke("--class", sheet, "--quiz", f"http://localhost:8501/your_class?{LINK}",
                  "--out", out)  # fmt: skip

    assert done.exit_code == 0, done.output
    assert "3 pupils, 12 items" in out.read_text("utf-8")


def test_a_class_becomes_one_file_by_a_test_of_the_teachers_own(tmp_path):
    quiz, sheet, out = tmp_path / "test.txt", tmp_path / "class.csv", tmp_path / "class.html"
    quiz.write_text("52 - 17\n403 - 128\n600 - 245\n71 - 38\n1/2 + 1/3\n")
    sheet.write_text("row,1,2,3,4,5\n1,45,325,445,47,2/5\n2,35,275,355,33,5/6\n")
    done = invoke("--class", sheet, "--quiz", quiz, "--out", out)

    assert done.exit_code == 0, done.output
    assert "52 - 17" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Give either runs, or a class's answers"),
        (["0123456789ab", "--class", "sheet.csv", "--quiz", LINK], "Give either runs"),
        (["--class", "sheet.csv"], "belong together"),
        (["--class", "sheet.csv", "--quiz", LINK, "--vote"], "A class has no runs"),
        (["--class", "nowhere.csv", "--quiz", LINK], "nowhere.csv"),
        (["--class", "nowhere.csv", "--quiz", "grade=four&topics=ColumnSubtraction"], "no number"),
        (["--class", "nowhere.csv", "--quiz", "grade=4&topics=Dragons"], "Dragons"),
        (["0123456789ab"], "0123456789ab"),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(arguments, told, asked, tmp_path):
    store, _ = asked
    of_runs = [] if "--class" in arguments else ["--db", store.path]
    done = invoke(*arguments, *of_runs, "--out", tmp_path / "report.html")

    assert done.exit_code != 0
    assert told in done.output
    assert "Traceback" not in done.output
    assert not [*tmp_path.iterdir()]


def test_a_file_that_is_there_is_never_written_over(asked, tmp_path):
    store, runs = asked
    out = tmp_path / "report.html"
    out.write_text("mine")
    done = invoke(*runs, "--db", store.path, "--out", out)

    assert "is there already" in done.output
    assert out.read_text() == "mine"
