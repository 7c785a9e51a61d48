"""Whatever a file holds, whoever gave it gets a sentence and never an exception of a reader."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from biaslab.audit.auditing import AuditError, read_corpus
from biaslab.cli import main
from biaslab.files import ImportedItem, InterchangeError, export_items, import_bytes
from biaslab.files.answered import read_answered
from biaslab.files.columns import FIELDS, guess, problem_columns, problem_text, suggest
from biaslab.files.errors import only_refusals
from biaslab.files.formats.format import TableRow
from biaslab.files.importing import read_test_file
from biaslab.files.opening import open_table
from biaslab.studies.word_problems.files import read_pairs, suggest_pairs

KNOWN = (
    "question", "Body", "answer", "problem", "text", "Equation", "Type", "key", "A", "B", "C", "D",
    "options", "wrong answer", "misconception", "rationale", "Rationale A", "grade", "id", "x",
    "x prime", "answer x", "body x", "question x", "paraphrase x", "paraphrase y", "steps", "label",
    "Correct Answer", "Incorrect Answer", "student answer", "passage", "topic", "right A", "format",
    "choices", "solution", "consistent body", "inconsistent body", "consistent paraphrased",
    "inconsistent paraphrased", "Num. Carries", "",
)  # fmt: skip
CELLS = (
    "", "35", "45", "B", "52 - 17", "What is 52 - 17?", "6 * 7 = 42\n#### 42", "[1, 2, 3]", "{",
    "Ana has 12 lamps and gives 3 of them to Ben", "How many lamps does Ana have left?",
    "Ana has 12 lamps. Ana gives Ben 3 lamps. How many lamps does Ana have?", "number0", "2-Jan",
    "Takes the smaller digit away", "1.0", "a) 3\nb) 4", "NaN", "<b>7</b>", "=1+1", "True",
)  # fmt: skip


@given(
    columns=st.lists(st.sampled_from(KNOWN), min_size=1, max_size=8, unique=True),
    cells=st.lists(st.lists(st.sampled_from(CELLS), min_size=8, max_size=8), max_size=9),
    form=st.sampled_from(("a.json", "a.csv")),
)
@settings(max_examples=300, deadline=None)
def test_any_known_columns_in_any_order_raise_nothing_but_a_refusal(
    columns: list[str], cells: list[list[str]], form: str
) -> None:
    rows = [dict(zip(columns, line, strict=False)) for line in cells]
    data = json.dumps(rows).encode() if form == "a.json" else _csv(columns, cells)
    for read in READERS:
        _refused(read, data, form)
    table = [TableRow(at, row) for at, row in enumerate(rows, start=1)]
    found = guess([each for each in columns if each])
    suggested = suggest(columns, table, found)
    assert not set(suggested) & set(found)
    assert set(suggested) <= set(FIELDS)
    assert set(suggested.values()) <= set(columns)
    assert set(suggest_pairs(columns, table, {}).values()) <= set(columns)
    problem_text({}, problem_columns(columns, table))


def _csv(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written).writerows([columns, *(line[: len(columns)] for line in cells)])
    return written.getvalue().encode()


READERS = (
    import_bytes,
    read_corpus,
    read_test_file,
    lambda data, name: read_pairs(open_table(data, name)),
    lambda data, name: list(read_answered(data, name)),
)


def _refused(read: Callable[[bytes, str], object], data: bytes, name: str) -> str:
    """Why a reader refuses a file; no error of its own is hidden in that."""
    said = ""
    try:
        read(data, name)
    except (InterchangeError, AuditError) as refusal:
        said = str(refusal)
    assert "error of its own" not in said, data
    return said


ITEM = ImportedItem(
    "What is 52 - 17?", ("35", "45", "69"), "A", rationales={"A": "Takes away", "B": "Swaps"}
)
WORDY = "Ana has 12 lamps. Ana gives Ben 3 lamps. How many lamps does Ana have?"


def _files() -> Iterator[tuple[str, bytes]]:
    """A whole file of every format."""
    two = [ITEM, replace(ITEM, question="What is 403 - 58?", options=("345", "455", "365"))]
    for form, name in (("gift", "a.gift"), ("moodle", "a.xml"), ("qti", "a.zip"),
                       ("aiken", "a.txt"), ("csv", "a.csv"), ("xlsx", "a.xlsx")):  # fmt: skip
        yield name, export_items(two, form).content
    problems = [{"ID": "1", "Body": "Ana has 12 lamps and gives 3 to Ben", "Answer": 9.0,
                 "Question": "How many lamps does Ana have?"}] * 3  # fmt: skip
    yield "svamp.json", json.dumps(problems).encode()
    worked = {"question": WORDY, "answer": "12 - 3 = <<12-3=9>>9\n#### 9"}
    yield "gsm.jsonl", "\n".join([json.dumps(worked)] * 3).encode()
    yield "pairs.csv", f"x,x prime,answer\n{WORDY},{WORDY.replace('3', '4')},9\n".encode()
    yield "sep.csv", f"sep=;\r\nproblem;answer\r\n{WORDY};9\r\n".encode()
    yield "book.txt", f"{WORDY}\n\n{WORDY}\n".encode()
    yield "other.xml", b"<ProblemSet><Problem><Body>Ana has 3.</Body></Problem></ProblemSet>"


every_format = pytest.mark.parametrize(
    ("name", "data"), [*_files()], ids=[name for name, _ in _files()]
)


def _damaged(data: bytes, draw: random.Random) -> bytes:
    """A file that is cut off, or has bytes changed, doubled or taken out of it."""
    at = draw.randrange(1, len(data))
    how = draw.randrange(4)
    if how == 0:
        return data[:at]
    if how == 1:
        return data[:at] + bytes([draw.randrange(256)]) + data[at + 1 :]
    part = draw.randrange(1, 40)
    return data[:at] + data[at : at + part] * (how == 2) * 2 + data[at + part :]


@every_format
def test_a_damaged_file_of_any_format_is_read_or_refused(name: str, data: bytes) -> None:
    draw = random.Random(name)
    for _ in range(60):
        for read in READERS:
            _refused(read, _damaged(data, draw), name)


@every_format
def test_no_command_ends_in_a_traceback(name: str, data: bytes, tmp_path: Path) -> None:
    draw = random.Random(name)
    file, out, db = tmp_path / name, str(tmp_path / "out.jsonl"), str(tmp_path / "runs.db")
    for content in (data, *(_damaged(data, draw) for _ in range(4)), b"", b"\xff\xfe\x00"):
        file.write_bytes(content)
        for line in (
            ["import", str(file), "--db", db],
            ["audit", str(file)],
            ["solve", "--file", str(file), "--out", out],
            ["diagnose", "--table", str(file)],
        ):
            done = CliRunner().invoke(main, line)
            assert done.exception is None or isinstance(done.exception, SystemExit), (
                line, content, done.exc_info,
            )  # fmt: skip
            assert "error of its own" not in done.output


def test_an_error_of_a_reader_s_own_becomes_a_sentence_that_asks_to_report_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object, **__: object) -> None:
        raise KeyError("key")

    for place in ("importing.read_table", "importing.read_file"):
        with monkeypatch.context() as patch:
            patch.setattr(f"biaslab.files.{place}", fault)
            file = tmp_path / "a.csv"
            file.write_text("question,A,B,key\n1 + 1,2,3,A\n")
            done = CliRunner().invoke(main, ["import", str(file)])
            assert done.exit_code == 1
            assert "because of an error of its own (KeyError)" in done.output


def test_what_a_reader_raises_on_purpose_is_left_as_it_is() -> None:
    for error in (InterchangeError("No."), FileNotFoundError("x"), AuditError("No.")):
        with pytest.raises(type(error)), only_refusals(AuditError):
            raise error
