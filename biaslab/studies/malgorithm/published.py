"""AIA and MIA as published, kept apart from what this lab measures.

Facts with their source (assets/published/README.md). The numbers of items behind a cell are not
printed with it, so no interval can be given.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from biaslab.stats.errors import BrokenAssets
from biaslab.studies.published import ASSETS

_IDENTIFICATION = "malalgoqa_2024_identification.csv"
_BY_GRADE = "malalgoqa_2024_mia_by_grade.csv"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PublishedIdentification:
    """One row of the published table.

    Attributes:
        source: the publication; subject: ``Math`` or ``Reading`` (this lab asks mathematics
            only); model: as printed.
        strategy: this lab's name of the prompt strategy: ``simple``, ``cot``, ``simple-5``,
            ``cot-5``; prompt and shots: the same as the paper tells it.
        mcq: fraction 0..1 of questions answered rightly; None where none is printed.
        aia, mia: fractions 0..1.
        gap: AIA - MIA as our table has it, -1..1.
        status: ``transcribed`` or ``corrected``; note: what was corrected.
    """

    source: str
    subject: str
    model: str
    strategy: str
    prompt: str
    shots: int
    mcq: float | None
    aia: float
    mia: float
    gap: float
    status: str
    note: str


@dataclass(frozen=True, slots=True)
class PublishedGrade:
    """MIA of one school grade; attributes as for `PublishedIdentification`."""

    source: str
    subject: str
    grade: int
    model: str
    strategy: str
    prompt: str
    shots: int
    mia: float
    status: str
    note: str


@cache
def published_identification(subject: str | None = None) -> tuple[PublishedIdentification, ...]:
    """The published MCQ, AIA and MIA, in the order of the paper.

    Args:
        subject: ``Math`` or ``Reading``; None for both.

    Raises:
        BrokenAssets: the table is missing or malformed.
    """
    rows = _rows(_IDENTIFICATION, _identification)
    return tuple(row for row in rows if subject in (None, row.subject))


@cache
def published_grades(subject: str | None = None) -> tuple[PublishedGrade, ...]:
    """The published MIA by grade, in the order of the paper.

    Args:
        subject: as for `published_identification`.

    Raises:
        BrokenAssets: the table is missing or malformed.
    """
    rows = _rows(_BY_GRADE, _grade)
    return tuple(row for row in rows if subject in (None, row.subject))


def _identification(row: Mapping[str, str]) -> PublishedIdentification:
    return PublishedIdentification(
        source=row["source"],
        subject=row["subject"],
        model=row["model"],
        strategy=_strategy(row),
        prompt=row["prompt"],
        shots=int(row["shots"]),
        mcq=float(row["mcq_pct"]) / 100 if row["mcq_pct"] else None,
        aia=float(row["aia_pct"]) / 100,
        mia=float(row["mia_pct"]) / 100,
        gap=float(row["gap_points"]) / 100,
        status=row["status"],
        note=row["note"],
    )


def _grade(row: Mapping[str, str]) -> PublishedGrade:
    return PublishedGrade(
        source=row["source"],
        subject=row["subject"],
        grade=int(row["grade"]),
        model=row["model"],
        strategy=_strategy(row),
        prompt=row["prompt"],
        shots=int(row["shots"]),
        mia=float(row["mia_pct"]) / 100,
        status=row["status"],
        note=row["note"],
    )


def _strategy(row: Mapping[str, str]) -> str:
    name, shots = row["prompt"], int(row["shots"])
    return f"{name}-{shots}" if shots else name


def _rows(name: str, read: Callable[[Mapping[str, str]], _T]) -> list[_T]:
    found = []
    try:
        with (ASSETS / name).open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.DictReader(file), start=2):
                try:
                    found.append(read(row))
                except (KeyError, TypeError, ValueError) as error:
                    raise BrokenAssets(
                        f"Line {number} of the table of published results {name} is malformed "
                        f"({error}): restore assets/published from the project."
                    ) from error
    except OSError as error:
        raise BrokenAssets(
            f"The table of published results {name} cannot be read ({error.strerror}): "
            "restore assets/published from the project."
        ) from error
    return found
