"""What came of each experiment, as data: words, pictures, tables, verdicts.

`python -m research.findings` works it out from the tables of all trainings and writes the file
beside them; here it is read, without any of what made it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biaslab.stats.errors import BrokenAssets
from biaslab.training.origins.predictions import Judgement, Verdict
from biaslab.training.origins.rows import FAMILY_FILE

FINDINGS_FILE = FAMILY_FILE.with_name("findings.json")
"""Where the findings are, in the project."""

MAKE_FINDINGS = "python -m research.findings"
"""The command that writes them."""

ADAPTERS, EXPERIMENT, TUNING = "adapters", "experiment", "tuning"
"""What findings are of: a real model that was taught, networks from nothing, one of them tuned."""


@dataclass(frozen=True, slots=True)
class FindingText:
    """A paragraph; a caption explains what stands above it."""

    text: str
    caption: bool = False


@dataclass(frozen=True, slots=True)
class FindingPicture:
    """A chart, drawn once for each look.

    Attributes:
        name: of the file that it is saved as; light, dark: plotly figures as JSON.
        summary: what it shows in words; data: the numbers behind it, a row a mark.
    """

    name: str
    light: str
    dark: str
    summary: str
    data: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """A table: its title, what it is in words, and its rows by column."""

    title: str
    alt: str
    rows: tuple[Mapping[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks behind a click."""

    label: str
    blocks: tuple[Block, ...]


Block = FindingText | FindingPicture | Cells | Judgement | Fold
"""A part of what is found, in the order of reading."""


def read_findings(path: Path, of: str) -> tuple[Block, ...]:
    """What was found; nothing where there is no file yet.

    Args:
        path: of the file.
        of: `ADAPTERS`, `EXPERIMENT` or `TUNING`.

    Raises:
        BrokenAssets: the file cannot be read; the message says how to make it anew.
    """
    if not path.is_file():
        return ()
    try:
        return tuple(map(_read, json.loads(path.read_text(encoding="utf-8"))[of]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise BrokenAssets(
            f"The findings of the {of} cannot be read. Make them anew: {MAKE_FINDINGS}"
        ) from error


def _read(fields: dict[str, Any]) -> Block:
    match fields.pop("kind"):
        case "text":
            return FindingText(**fields)
        case "picture":
            return FindingPicture(**{**fields, "data": tuple(fields["data"])})
        case "cells":
            return Cells(**{**fields, "rows": tuple(fields["rows"])})
        case "judgement":
            verdict, found = Verdict(fields.pop("verdict")), tuple(fields.pop("found"))
            return Judgement(**fields, verdict=verdict, claims=(), found=found)
        case "fold":
            return Fold(fields["label"], tuple(map(_read, fields["blocks"])))
        case other:
            raise ValueError(f"{other!r} is no kind of block.")
