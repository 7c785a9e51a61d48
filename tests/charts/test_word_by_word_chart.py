"""Answers after each word: both layouts, the same lines, words and numbers."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biaslab.charts import contrast
from biaslab.charts.inside import (
    WordPanel,
    _spread_out,
    word_by_word_chart,
    word_message,
)
from biaslab.studies.word_problems.inside.word_by_word import (
    AnswerProbabilities,
    Sought,
    WordByWord,
)

WORDS = ("Ana", "has", "18.", "Ana", "has", "3", "more", "than", "Ben.", "How", "many?")
TREATED = (False,) * 3 + (True,) * 6 + (False,) * 2
RIGHT = (0.0, 0.0, 0.1, 0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.6, 0.91)
REVERSED = (0.0, 0.0, 0.1, 0.1, 0.1, 0.1, 0.62, 0.5, 0.4, 0.2, 0.05)

READ = WordByWord(
    WORDS,
    TREATED,
    Sought(15, 21, (18, 3)),
    tuple(AnswerProbabilities(r, t, 0.02) for r, t in zip(RIGHT, REVERSED, strict=True)),
    4,
)
NONE_REVERSED = replace(
    READ,
    sought=Sought(15, None, (18, 3)),
    chances=tuple(replace(each, reversed=None) for each in READ.chances),
)
TWO = [WordPanel("Skewed", READ), WordPanel("Balanced", READ)]


@pytest.fixture(params=[False, True], ids=["along", "rows"])
def rows(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def axis_of_words(figure: Any, rows: bool) -> Any:
    return figure.layout.yaxis if rows else figure.layout.xaxis


def test_right_is_solid_and_reversed_dashed_with_colours_that_stand_out(rows: bool):
    for dark in (False, True):
        figure = word_by_word_chart(
            [WordPanel("m", READ)], "inconsistent", rows=rows, dark=dark
        ).figure
        right, turned, other = figure.data
        assert [right.line.dash, turned.line.dash, other.line.dash] == ["solid", "dash", "dot"]
        assert len({right.marker.symbol, turned.marker.symbol, other.marker.symbol}) == 3
        assert other.line.width < right.line.width
        for trace in figure.data:
            assert contrast(trace.line.color, figure.layout.paper_bgcolor) >= 3
        assert list(right.x if rows else right.y) == [100 * each for each in RIGHT]


def test_every_word_stands_on_the_axis_those_of_the_changed_sentence_bold_on_a_band(rows: bool):
    figure = word_by_word_chart([WordPanel("m", READ)], "inconsistent", rows=rows).figure
    words = axis_of_words(figure, rows).ticktext
    assert [word.removeprefix("<b>").removesuffix("</b>") for word in words] == list(WORDS)
    assert [word.startswith("<b>") for word in words] == list(TREATED)
    (band,) = figure.layout.shapes
    ends = (band.y0, band.y1) if rows else (band.x0, band.x1)
    assert ends == (2.5, 8.5)


def test_lines_are_named_beside_them_and_models_above_their_panels(rows: bool):
    figure = word_by_word_chart(TWO, "inconsistent", rows=rows).figure
    notes = " ".join(note.text for note in figure.layout.annotations)
    for words in ("right: 15", "reversed: 21", "other number", "<b>Skewed</b>", "<b>Balanced</b>"):
        assert words in notes
    assert len(figure.data) == 6
    assert not figure.layout.showlegend


def test_words_have_room_on_a_phone():
    figure = word_by_word_chart(TWO, "inconsistent", rows=True).figure
    inside = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    panel = figure.layout.yaxis.domain[1] - figure.layout.yaxis.domain[0]
    assert inside * panel / len(WORDS) >= 18
    assert figure.layout.xaxis.fixedrange


def test_the_summary_says_where_the_reversed_answer_leads_and_how_it_ends():
    assert word_message(WordPanel("m", READ), "inconsistent") == (
        "Inconsistent: after “more” (word 7 of 11) the reversed answer (21) leads with 62.0 % to "
        "20.0 %; at the end the right one (15) has 91.0 % and the reversed one 5.0 %."
    )
    assert word_message(WordPanel("Skewed", READ), "inconsistent", alone=False).startswith(
        "Skewed, incons"
    )
    assert "gives no whole number" in word_message(WordPanel("m", NONE_REVERSED), "inconsistent")
    flat = tuple(replace(each, reversed=0.0) for each in READ.chances)
    assert "never clearly ahead" in word_message(
        WordPanel("m", replace(READ, chances=flat)), "consistent"
    )


def test_without_a_reversed_answer_there_is_no_line_for_it(rows: bool):
    chart = word_by_word_chart([WordPanel("m", NONE_REVERSED)], "inconsistent", rows=rows)
    assert [trace.name for trace in chart.figure.data] == [
        "right answer", "another number of the problem",
    ]  # fmt: skip
    assert chart.data["p_reversed"].isna().all()


def test_the_table_has_a_row_for_every_model_and_word():
    data = word_by_word_chart(TWO, "inconsistent").data
    assert len(data) == 2 * len(WORDS)
    assert list(data["model"].unique()) == ["Skewed", "Balanced"]
    assert list(data["word"][: len(WORDS)]) == list(WORDS)
    assert list(data["p_right"][: len(WORDS)]) == list(RIGHT)


def test_a_models_name_and_words_cannot_do_mischief(rows: bool):
    hostile = replace(READ, words=("<b>$x$</b>", *WORDS[1:]))
    figure = word_by_word_chart([WordPanel("<i>$m$</i>", hostile)] * 2, "x", rows=rows).figure
    shown = [*axis_of_words(figure, rows).ticktext]
    shown += [note.text for note in figure.layout.annotations]
    assert not any("$" in text or "<i>" in text for text in shown)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=3), st.floats(1, 12))
def test_labels_at_the_ends_never_lie_over_each_other_nor_outside(
    values: list[float], apart: float
):
    placed = _spread_out(values, apart)
    assert all(-1e-9 <= place <= 100 + 1e-9 for place in placed)
    ordered = sorted(placed)
    for low, high in pairwise(ordered):
        assert high - low >= apart - 1e-9
