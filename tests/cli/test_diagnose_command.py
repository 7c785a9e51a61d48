"""`biaslab diagnose`: any problem and a wrong answer, and whole tables of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from biaslab.cli.problems import diagnose_command
from biaslab.files import ImportedItem
from biaslab.runs import open_store, save_items
from tests.loops import over


def asked(*arguments: str) -> Result:
    return CliRunner().invoke(diagnose_command, arguments)


def explained(problem: str, answer: str) -> dict[str, object]:
    result = asked("--problem", problem, "--answer", answer, "--format", "json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.output)
    assert isinstance(content, dict)
    return content


@over(
    ("problem", "answer", "right", "rule"),
    [
        ("52 - 17", "45", "35", "NO02"),
        ("52−17=", "45", "35", "NO01"),
        ("1/2 + 1/3", "2/5", "5/6", "NO27"),
        ("solve for x: 3x + 12 = 33", "x = 15", "7", "AL08"),
        ("-6x - 12 > 24", "x > -6", "x < -6", "AL14"),
        ("Expand 3(x + 4)", "3x+4", "3x + 12", "AL06"),
        ("Which is larger, 0.5 or 0.35?", "0.35", "0.5", "NO39"),
        ("What is 0.3 × 0.2?", "0.6", "0.06", "NO43"),
        ("Find the median of 4, 8, 6, 2", "7", "5", "DA05"),
        ("2^3", "6", "8", "NO52"),
        ("Round 3.47 to tenths", "3.4", "3.5", "NO23"),
        ("3.447 to 1 decimal place", "3.5", "3.4", "NO24"),
        ("20 - 4 + 6", "10", "22", "AL13"),
        ("24.8 − 2.26", "22.66", "22.54", "NO112"),
        ("24,8 - 2,26", "22,6", "22.54", "NO113"),
        ("3 1/4 - 1 2/3", "2 5/12", "1 7/12", "NO124"),
        ("3⅕ − 1⅘ =", "1 7/5", "1 2/5", "NO125"),
        ("4 1/5 - 1 3/5", "3 3/5", "2 3/5", "NO126"),
        ("5 - 2 3/8", "3 3/8", "2 5/8", "NO127"),
        ("4 × 2/3", "8/12", "8/3", "NO129"),
        ("20 - x = 8", "28", "12", "AL39"),
        ("20 - x = 8", "-12", "12", "AL40"),
        ("3(x + 2) = 21", "19/3", "5", "AL06"),
    ],
)
def test_a_bare_problem_is_explained(problem: str, answer: str, right: str, rule: str) -> None:
    found = explained(problem, answer)
    assert found["right_answer"] == right
    assert rule in {each["rule"] for each in found["candidates"]}
    for each in found["candidates"]:
        assert each["trace"]
        assert each["how_sure"]
    assert found["solution"]
    assert found["next"]["problem"]


def test_a_right_answer_a_slip_and_nonsense_are_told_apart() -> None:
    assert explained("52 - 17", "35")["correct"]
    assert explained("52 - 17", "34")["slip"]["what"] == "off by one"
    nonsense = explained("52 - 17", "999")
    assert nonsense["unknown"]
    assert nonsense["candidates"] == []
    assert "None known" in asked("--problem", "52 - 17", "--answer", "999").output


def test_words_tell_the_rule_how_sure_both_ways_and_the_next_problem() -> None:
    said = asked("--problem", "1/2 + 1/3", "--answer", "2/5").output
    assert "The right answer is 5/6." in said
    assert "NO27" in said
    assert "the only explanation known; well documented (source A)" in said
    assert "Next problem: What is" in said


def test_the_letter_is_that_of_the_rule_on_the_form_that_was_asked() -> None:
    """Where its source saw the error, A; where the same idea was put on other problems, B."""
    said = {
        problem: {each["rule"]: each["how_sure"] + each["why"]
                  for each in explained(problem, answer)["candidates"]}["NO01"]
        for problem, answer in (("52 - 17", "45"), ("5000 - ? = 2965", "3965"))
    }  # fmt: skip
    assert "source A" in said["52 - 17"]
    assert "source: A" in said["52 - 17"]
    assert "source B" in said["5000 - ? = 2965"]
    assert "source: B" in said["5000 - ? = 2965"]


def test_two_errors_together_are_never_the_only_explanation_known() -> None:
    """What takes a third error, or a slip elsewhere, is not tried: so only one error alone is."""
    problem = "Mia has 24 stickers. Mia buys 30 stickers. How many stickers does Mia have now?"
    alone = two = 0
    for answer in range(1, 80):
        found = explained(problem, str(answer))
        if len(found["candidates"]) == 1 and found["slip"] is None:
            (each,) = found["candidates"]
            short = each["rule"] is not None
            assert ("the only explanation known" in each["how_sure"]) == short, each
            assert short or "others may" in each["how_sure"]
            alone, two = alone + short, two + (not short)
    assert alone
    assert two


def test_how_a_text_was_understood_is_said_where_it_was_typed_otherwise() -> None:
    assert (
        "Understood as: Solve 3x + 12 = 33."
        in asked("--problem", "3y + 12 = 33", "--answer", "15").output
    )
    assert explained("52 - 17", "45")["as_read"] is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--problem", "hello", "--answer", "3"), "has no number"),
        (("--problem", "1/0 + 2", "--answer", "3"), "A number is missing"),
        (("--problem", "52 - 17", "--answer", "many"), "is no number"),
        (("--problem", "52 - 17", "--answer", "45", "--working", "12 - 7"), "word problems only"),
        (("--problem", "52 - 17"), "with --answer"),
        (("--table", "none.csv", "--problem", "52 - 17"), "Give one: --table"),
        (("--table", "none.csv"), "none.csv: No such file"),
    ],
)
def test_what_does_not_work_is_a_sentence(arguments: tuple[str, ...], says: str) -> None:
    result = asked(*arguments)
    assert result.exit_code in {1, 2}
    assert says in result.output
    assert "Traceback" not in result.output


ROWS = [
    ("52 - 17", "45"),
    ("what?", "3"),
    ("1/2 + 1/3", "2/5"),
    ("52 - 17", "abc"),
    ("6 + 6", "12"),
]
STATUSES = ["explained", "not read", "explained", "not read", "right"]


def as_csv(folder: Path) -> Path:
    file = folder / "answers.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows([("Problem", "Wrong answer"), *ROWS])
    return file


def as_xlsx(folder: Path) -> Path:
    book = openpyxl.Workbook()
    for row in [("question", "answer"), *ROWS]:
        book.active.append(row)
    book.save(folder / "answers.xlsx")
    return folder / "answers.xlsx"


def as_json(folder: Path) -> Path:
    file = folder / "answers.json"
    content = [{"problem": problem, "answer": answer} for problem, answer in ROWS]
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


@pytest.mark.parametrize("write", [as_csv, as_xlsx, as_json])
def test_a_table_is_marked_row_by_row_and_no_row_costs_another(write, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    result = asked("--table", str(write(tmp_path)), "--out", str(out))
    assert result.exit_code == 0, result.output
    rows = json.loads(out.read_text(encoding="utf-8"))
    assert [row["status"] for row in rows] == STATUSES
    assert rows[1]["reason"]
    assert rows[2]["candidates"][0]["rule"] == "NO27"
    assert "5 rows: 2 explained, 2 not read, 1 right." in result.output


def test_a_table_is_printed_as_csv_where_no_file_is_named(tmp_path: Path) -> None:
    result = asked("--table", str(as_csv(tmp_path)))
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["status"] for row in rows] == STATUSES
    assert rows[0]["rules"].startswith("NO0")


def test_a_table_without_such_columns_says_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "other.csv"
    file.write_text("a,b\n1,2\n", encoding="utf-8")
    assert "they are “a”, “b”" in asked("--table", str(file)).output
    named = asked("--table", str(file), "--problem-column", "a", "--answer-column", "c")
    assert "no column “c”" in named.output


class TestAKeptSet:
    @pytest.fixture
    def db(self, tmp_path: Path) -> Path:
        path = tmp_path / "runs.db"
        items = [
            ImportedItem(
                question="What is 52 - 17?",
                options=("35", "45", "69"),
                key="A",
                misconceptions={"B": "Always takes the smaller digit away"},
            ),
            ImportedItem(
                question="What is 52 - 18?",
                options=("35", "46"),
                key="A",
                rationales={"B": "=HYPERLINK()"},
            ),
        ]
        with open_store(path) as store:
            save_items(store, "my book", items, "book.csv")
        return path

    def test_is_told_option_by_option_with_what_its_file_says(self, db: Path) -> None:
        result = asked("--items", "my book", "--db", str(db), "--format", "json")
        assert result.exit_code == 0, result.output
        first, second, third = json.loads(result.stdout)
        assert (first["row"], first["answer"], first["status"]) == (1, "45", "explained")
        assert "NO01" in {each["rule"] for each in first["candidates"]}
        assert first["label"] == "Always takes the smaller digit away"
        assert (second["row"], second["answer"]) == (1, "69")
        assert third["status"] == "not read"
        assert "says that 35 is right" in third["reason"]
        assert "3 rows:" in result.stderr

    def test_what_its_file_says_is_no_formula_in_a_spreadsheet(self, db: Path) -> None:
        rows = list(
            csv.DictReader(io.StringIO(asked("--items", "my book", "--db", str(db)).stdout))
        )
        assert rows[2]["label"] == "'=HYPERLINK()"

    def test_that_is_not_there_is_told_with_those_that_are(self, db: Path) -> None:
        result = asked("--items", "your book", "--db", str(db))
        assert result.exit_code == 1
        assert "No set of items “your book” is saved" in result.output
        assert "“my book”" in result.output
