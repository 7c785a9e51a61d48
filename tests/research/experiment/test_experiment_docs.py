"""research/docs/experiment.md says what the table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.experiment.table import read_table
from tests.research.experiment.docs_tables import (
    of_others,
    of_school,
    sentences,
    tables,
    whole_starts,
)

DOCS = Path(__file__).resolve().parents[3] / "research" / "docs" / "experiment.md"


@pytest.mark.parametrize(
    "name", ["by lessons", "by start", "claims", "by ratio", "again", "school"]
)
def test_every_row_of_the_docs_tables_is_that_of_the_table(name):
    docs = DOCS.read_text(encoding="utf-8")
    assert "\n".join(tables()[name]) in docs, (
        "Print the tables with python -m tests.research.experiment.docs_tables."
    )


def test_every_sentence_with_figures_of_trainings_says_those_of_the_table():
    docs = " ".join(DOCS.read_text(encoding="utf-8").split())
    table = read_table()
    said = [*sentences(whole_starts()), *of_others(table), *of_school(table)]
    assert [part for part in said if part not in docs] == []
