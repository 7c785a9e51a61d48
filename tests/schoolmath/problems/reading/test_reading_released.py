"""The two released files at hand: every sound text is read and gives its label.

Skipped where the files are not there; nothing of them is copied here.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from schoolmath.problems.reading import ReadText, read, same_meaning

DATA = Path(__file__).resolve().parents[5] / "shared" / "data"
COLUMNS = {
    "carry_500.csv": [
        ("body no carry", "question", "paraphrase no carry"),
        ("body carry", "question", "paraphrase carry"),
    ],
    "comp_trans_500.csv": [
        ("body comparison", "question comparison", "paraphrase comparison"),
        ("body transition", "question transition", "paraphrase transition"),
    ],
}
UNREAD = {"carry_500.csv": {26, 162, 164, 267}, "comp_trans_500.csv": {128, 252, 285, 456, 461}}
"""Rows with a corrected text whose meaning was changed, or with a pronoun that could be two."""
CHANGED = {"carry_500.csv": set(), "comp_trans_500.csv": {486}}
"""Rows whose corrected text is read and says something else."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the released files are not here")


@pytest.fixture(scope="module", params=list(COLUMNS))
def texts(request) -> tuple[str, list[tuple[int, int, ReadText, ReadText]]]:
    """Row, label, body and corrected text of every member."""
    found = []
    with (DATA / request.param).open(encoding="utf-8") as file:
        for index, row in enumerate(csv.DictReader(file)):
            for body, question, corrected in COLUMNS[request.param]:
                text = f"{row[body]} {row[question]}"
                found.append((index, int(row["answer"]), read(text), read(row[corrected])))
    return request.param, found


def test_every_text_before_correction_is_read_and_gives_its_label(texts):
    _, found = texts
    assert len(found) == 1_000
    for row, label, body, _ in found:
        assert body.solution is not None, (row, body.fault)
        assert body.solution.answer == label, row


def test_every_corrected_text_that_is_read_gives_its_label(texts):
    name, found = texts
    unread = {row for row, _, _, corrected in found if corrected.solution is None}
    assert unread == UNREAD[name]
    for row, label, _, corrected in found:
        if corrected.solution is not None:
            assert corrected.solution.answer == label, row


def test_a_correction_that_changed_the_meaning_is_found(texts):
    name, found = texts
    changed = {
        row
        for row, _, body, corrected in found
        if corrected.problem is not None and not same_meaning(body.problem, corrected.problem)
    }
    assert changed == CHANGED[name]
