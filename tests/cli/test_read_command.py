"""`biaslab read`: responses of a file are read as a run reads them."""

from __future__ import annotations

import json

from click.testing import CliRunner

from biaslab.cli import main

QUESTION = "Ana has 18 pens. Ben has 3 fewer pens than Ana. How many pens does Ben have?"
ROWS = [
    {"id": 1, "response": "18 - 3 = 15\n\nBen has 15 pens.", "form": "chat", "finish": "stop"},
    {"id": "b", "response": "15\n\nAna had 20.", "form": "text", "finish": "stop"},
    {"id": 3, "response": "I cannot tell.", "form": "chat", "finish": "stop"},
    {"id": 4, "response": "First, 18 - 3 = 1", "form": "chat", "finish": "length"},
    {"id": 5, "response": "15", "form": "poem"},
    {"id": 6, "form": "chat"},
]


def test_every_line_has_a_reading_and_a_bad_line_costs_no_other(tmp_path):
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [json.dumps({"question": QUESTION, **row}) for row in ROWS]
    source.write_text("\n".join([*lines, "", "no JSON"]), encoding="utf-8")

    result = CliRunner().invoke(main, ["read", "--file", str(source), "--out", str(out)])

    assert result.exit_code == 0, result.output
    assert result.output == "7 responses: 2 read, 1 unread, 1 missing, 3 failed\n"
    readings = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(each["id"], each["status"], each["value"]) for each in readings] == [
        (1, "read", "15"),
        ("b", "read", "15"),
        (3, "unread", None),
        (4, "missing", None),
        (5, "failed", None),
        (6, "failed", None),
        (None, "failed", None),
    ]
    assert all(each["explanation"] for each in readings)
    assert "Line 8" in readings[-1]["explanation"]


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    result = CliRunner().invoke(
        main, ["read", "--file", str(tmp_path / "no.jsonl"), "--out", str(tmp_path / "out.jsonl")]
    )
    assert result.exit_code == 1
    assert "Traceback" not in result.output
