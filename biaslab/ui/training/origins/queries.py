"""What the page Where biases come from reads and works out, kept until the table changes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import streamlit as st

from biaslab.training.origins import effects as origins
from biaslab.training.origins import rows as origins_rows
from biaslab.training.origins.effects import OriginEffect
from biaslab.training.origins.predictions import CONSISTENCY, Judgement, answer, judge
from biaslab.training.origins.predictions import in_short as in_short_of
from biaslab.training.origins.rows import CheckKind, FamilyRow, read_family


class TableState(NamedTuple):
    """Identifies the table as it stands: its place, its time and its size."""

    path: str
    changed: int
    size: int


def state(path: Path | None = None) -> TableState | None:
    """A table as it stands, the family's unless told; None where there is none."""
    path = origins_rows.FAMILY_FILE if path is None else path
    if not path.is_file():
        return None
    found = path.stat()
    return TableState(str(path), found.st_mtime_ns, found.st_size)


@st.cache_resource(show_spinner=False, max_entries=2)
def rows(now: TableState) -> tuple[FamilyRow, ...]:
    """All rows; shared, so never to be changed.

    Raises:
        BrokenAssets: the table cannot be read.
    """
    return read_family(Path(now.path))


def tables() -> bytes:
    """All tables in a zip, as they are: those of the family, the experiment and fine-tuning."""
    # Imported when it is asked for: a paper brings much that this page needs for nothing else.
    from biaslab.publishing.paper import zipped

    files = sorted(origins_rows.FAMILY_FILE.parent.glob("*.csv"))
    return zipped({file.name: file.read_bytes() for file in files}, "biaslab-origins")


@st.cache_data(show_spinner=False, max_entries=128)
def final_effects(now: TableState, kind: CheckKind) -> dict[str, OriginEffect]:
    """By mix, the effect at the end of training."""
    return origins.final_effects(rows(now), kind)


@st.cache_data(show_spinner=False, max_entries=64)
def along_training(now: TableState, kind: CheckKind) -> dict[str, tuple[OriginEffect, ...]]:
    """By mix, the effects at every checkpoint."""
    return origins.along_training(rows(now), kind)


@st.cache_data(show_spinner="Judging the predictions …", max_entries=2)
def judgements(now: TableState) -> tuple[Judgement, ...]:
    """What came of the five predictions."""
    return judge(rows(now))


@st.cache_data(show_spinner=False, max_entries=2)
def in_short(now: TableState) -> str:
    """What the family says on the whole, in one sentence."""
    return in_short_of(rows(now))


@st.cache_data(show_spinner=False, max_entries=2)
def sentences(now: TableState) -> tuple[str, str]:
    """What the family says on the whole."""
    return answer(rows(now))


def operations(now: TableState) -> dict[str, OriginEffect]:
    """By mix, the effect with whose pairs the choice of operations is counted."""
    return final_effects(now, CheckKind(CONSISTENCY, 1, "cot", comparison="additive"))
