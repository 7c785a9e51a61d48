"""Files made for tests, and items drawn for round trips."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence

import openpyxl
import pytest

from biaslab.files import ImportReport, import_bytes

HEADER = "question,a,b,c,d,key,rationale_a,rationale_b,rationale_c,rationale_d"
WHOLE = "What is 2 + 3?,5,6,1,23,A,Adds,Counts one too many,Subtracts,Writes both digits"


@pytest.fixture
def read_rows() -> Callable[..., ImportReport]:
    """Reads rows of CSV below a usual header."""

    def read(*rows: str, header: str = HEADER) -> ImportReport:
        return import_bytes("\n".join((header, *rows)).encode(), "items.csv")

    return read


@pytest.fixture
def workbook() -> Callable[..., bytes]:
    """A spreadsheet with these rows."""

    def make(*rows: Sequence[object]) -> bytes:
        book = openpyxl.Workbook()
        assert book.active is not None
        for row in rows:
            book.active.append(row)
        out = io.BytesIO()
        book.save(out)
        return out.getvalue()

    return make


@pytest.fixture
def whole() -> str:
    """A row with nothing wrong."""
    return WHOLE


@pytest.fixture
def records() -> list[dict[str, object]]:
    """Items in the manner of MalAlgoQA's JSON; made up."""
    return [
        {
            "Passage": "",
            "Question": f"What is {n} + 3?",
            "Choice_A": str(n + 3),
            "Choice_B": str(n + 4),
            "Choice_C": str(n - 3),
            "Choice_D": f"{n}3",
            "Answer": "A",
            "Rationale_A": "Correct. Adds the two numbers.",
            "Rationale_B": "Counts one too many",
            "Rationale_C": "Subtracts",
            "Rationale_D": "Writes the digits side by side",
            "Grade": 4,
            "DOK": "II",
            "Content_Classification": "Number & Operation",
        }
        for n in (20, 30, 40)
    ]


@pytest.fixture
def as_json(records) -> bytes:
    return json.dumps({f"q{at}": record for at, record in enumerate(records)}).encode()
