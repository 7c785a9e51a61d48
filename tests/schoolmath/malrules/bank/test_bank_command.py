"""`biaslab items`: a contract that other programs rely on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from biaslab.cli import main
from schoolmath.malrules.bank import read_items


def items(*arguments: object, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["items", *map(str, arguments)])
    assert result.exit_code == status, result.output
    return result


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "items.jsonl"


def test_a_row_has_what_the_contract_names(out):
    items("--n", 40, "--seed", 3, "--grade", "3-8", "--dok", "1-2", "--out", out)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(rows) == 40
    for row in rows:
        assert {"question", "options", "key", "rules", "rationales", "grade"} <= set(row)
        assert {"content_class", "dok", "id", "problem"} <= set(row)
        assert list(row["options"]) == list(row["rationales"]) == ["A", "B", "C", "D"]
        assert set(row["rules"]) == set("ABCD") - {row["key"]}
        assert 3 <= row["grade"] <= 8
        assert row["dok"] in (1, 2)


def test_what_is_written_is_read_and_holds(out):
    items("--n", 25, "--style", "worked", "--out", out)
    assert {item.style for item in read_items(out)} == {"worked"}


def test_a_class_may_be_named_by_its_beginning(out):
    items("--n", 5, "--class", "geometry", "--class", "algebra", "--out", out)
    classes = {item.content_class for item in read_items(out)}
    assert classes <= {"geometry and measurement", "algebra"}


def test_ambiguous_items_come_only_when_asked_for(out):
    items("--n", 300, "--seed", 5, "--ambiguous", "--out", out)
    assert any(item.ambiguous for item in read_items(out))


def test_a_refused_design_is_one_sentence_and_leaves_no_file(out):
    result = items("--class", "probability", "--grade", 3, "--out", out, status=1)
    assert "The nearest setting that works is grade" in result.output
    assert "Traceback" not in result.output
    assert list(out.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--grade", "three", "write a number such as 4, or 3-8"),
        ("--dok", "1,2", "write a number such as 4, or 3-8"),
        ("--class", "magic", "is no content class"),
        ("--style", "lyrical", "terse"),
    ],
)
def test_what_cannot_be_read_is_wrong_usage(out, option, value, said):
    assert said in " ".join(items(option, value, "--out", out, status=2).output.split())


def test_another_ending_is_refused(tmp_path):
    assert "must end in .jsonl" in items("--out", tmp_path / "items.csv", status=2).output
