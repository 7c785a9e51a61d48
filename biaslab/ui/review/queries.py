"""What the page Quality review reads from the file, kept while nothing is written to it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from biaslab.review.quality import Judged, RaterAgreement, rater_agreement
from biaslab.review.reading import judged, progress
from biaslab.review.records import Progress, ReviewRecord
from biaslab.review.texts import FURTHER, Criterion
from biaslab.ui.widgets import queries


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a review is.

    Attributes:
        part: that is being judged: the control set, or 0 for the further texts.
        progress: of everybody in this part.
        control: texts of the control set that counts, judged by everybody; empty before.
        all: with the further texts that are judged so far.
        agreements: on both criteria; empty before everybody judged the control set.
    """

    part: int
    progress: tuple[Progress, ...]
    control: tuple[Judged, ...]
    all: tuple[Judged, ...]
    agreements: tuple[RaterAgreement, ...]

    @property
    def waiting(self) -> int:
        """Judgements that are missing in this part."""
        return sum(each.waiting for each in self.progress)


def standing(record: ReviewRecord) -> Standing:
    """How far a review is now."""
    return _standing(record, queries.store().change_counter())


@st.cache_resource(show_spinner=False, max_entries=16)
def _standing(record: ReviewRecord, changes: int) -> Standing:
    del changes  # Judgements come without a change of the record.
    store = queries.store()
    part = FURTHER if record.handed_out else record.round
    control = tuple(judged(store, record.id, [record.round]))
    whole = len(control) == record.control
    everything = tuple(judged(store, record.id, [record.round, FURTHER]))
    return Standing(
        part,
        tuple(each for each in progress(store, record.id) if each.part == part),
        control if whole else (),
        everything if whole else (),
        _agreements(control) if whole else (),
    )


@st.cache_data(show_spinner=False, max_entries=16)
def _agreements(control: tuple[Judged, ...]) -> tuple[RaterAgreement, ...]:
    return tuple(rater_agreement(control, criterion) for criterion in Criterion)


def part_words(part: int) -> str:
    """What a part of a review is called on screens."""
    if part == FURTHER:
        return "further texts"
    return "control set" if part == 1 else f"control set {part}"
