"""The reader of answers from the command line: what a response says, read as a run reads it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import click

from biaslab.cli.conventions import sentences
from schoolmath.text.given_files import FileRefused, numbered_lines, parse_json


@click.command("read")
@click.option("--file", "source", type=click.Path(path_type=Path), metavar="FILE", required=True,
              help="Responses, one JSON object a line: id, question (the whole problem), response, "
              "form (chat or text), finish (stop or length).")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", required=True,
              help="Where the readings are written, one JSON object a line: id, status, value, "
              "rule, explanation.")  # fmt: skip
def read_command(source: Path, out: Path) -> None:
    """Read the number that each response of a file gives as its answer.

    The form is how the model was asked: chat, where the response answers a turn, or text, where it
    goes on from "The answer (Arabic numerals) is". The status is read, unread (why: rule and
    explanation), missing (cut off before the answer: finish is length) or failed (the line is not
    one of a response).
    """
    with sentences(FileRefused):
        readings = [_reading(line, number) for number, line in numbered_lines(source)]
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in readings)
    out.write_text(lines, encoding="utf-8")
    counted = Counter(each["status"] for each in readings)
    click.echo(
        f"{len(readings):,} responses: "
        + ", ".join(f"{counted[name]:,} {name}" for name in ("read", "unread", "missing", "failed"))
    )


def _reading(line: str, number: int) -> dict[str, Any]:
    from biaslab.studies.answers import asked_by, read_number
    from biaslab.studies.answers.reading import Form

    try:
        row = parse_json(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        return _failed(None, f"Line {number} is no JSON object: write one object a line.")
    name, form = row.get("id"), row.get("form", "chat")
    for field in ("question", "response"):
        if not isinstance(row.get(field), str):
            return _failed(name, f"Line {number} has no “{field}”: give it as a string.")
    if form not in get_args(Form):
        return _failed(name, f"Line {number}: “form” is chat or text.")
    found = read_number(
        row["response"],
        asked=asked_by(row["question"]),
        form=form,
        cut_off=row.get("finish") == "length",
    )
    return {
        "id": name,
        "status": "read" if found.value is not None else _unread(found.rule),
        "value": None if found.value is None else str(found.value),
        "rule": found.rule,
        "explanation": found.explanation,
    }


def _unread(rule: str) -> str:
    return "missing" if rule == "cut off" else "unread"


def _failed(name: object, reason: str) -> dict[str, Any]:
    return {"id": name, "status": "failed", "value": None, "rule": "", "explanation": reason}
