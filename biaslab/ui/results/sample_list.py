"""All answers to one pair that was asked several times, one of them chosen."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from biaslab.runs import AnswerState, MemberDetail, PairDetail, RunRecord
from biaslab.studies import Arms
from biaslab.text.figures import count
from biaslab.ui.results.item_list import sample_parameter
from biaslab.ui.widgets import choosing
from biaslab.ui.widgets.words import number_words, plain

_IN_A_ROW = 12
"""More samples than this are chosen from a list that opens."""


def draw_samples(run: RunRecord, samples: Sequence[PairDetail], arms: Arms) -> None:
    """Draws every sample with its answers, and the choice of the one shown in full."""
    parameter = sample_parameter(run)
    numbers = list(range(1, len(samples) + 1))
    label = f"This pair was asked {count(len(samples), 'time')}. Shown in full:"

    def words(number: int) -> str:
        detail = samples[number - 1]
        return f"{number}: {_mark(detail.x)} {_mark(detail.x_prime)}"

    explained = f"The first mark is for “{plain(arms.x)}”, the second for “{plain(arms.x_prime)}”."
    if len(samples) <= _IN_A_ROW:
        choosing.segmented_control(
            label,
            numbers,
            format_func=words,
            required=True,
            wrap=True,
            help=explained,
            **parameter.bind(),
        )
    else:
        choosing.selectbox(
            label, numbers, format_func=words, help=explained, filter_mode=None, **parameter.bind()
        )
    st.dataframe(
        {
            "Sample": numbers,
            arms.x: [sample_words(detail.x) for detail in samples],
            arms.x_prime: [sample_words(detail.x_prime) for detail in samples],
        },
        hide_index=True,
        column_config={"Sample": st.column_config.NumberColumn(width="small")},
        alt=f"The answers of all {len(samples)} samples of this pair",
    )


def sample_words(member: MemberDetail) -> str:
    """The answer to one member in one sample, with a mark in front."""
    match member.state:
        case AnswerState.MISSING:
            return "… not asked yet"
        case AnswerState.FAILED:
            return "– failed"
        case _:
            value = None if member.reading is None else member.reading.value
            return (
                f"{_mark(member)} {'could not be read' if value is None else number_words(value)}"
            )


def _mark(member: MemberDetail) -> str:
    match member.state:
        case AnswerState.MISSING:
            return "…"
        case AnswerState.FAILED:
            return "–"
        case AnswerState.INVALID:
            return "?"
        case _:
            right = member.reading is not None and member.reading.outcome == 1
            return "✓" if right else "✗"
