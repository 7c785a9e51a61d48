"""The chart over several studies: one scale, a row for whoever was asked, and all in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from biaslab.charts.comparison import StudyEffects, beside_chart
from biaslab.stats import Effect
from biaslab.studies import Arms

Maker = Callable[..., list[Effect]]
ASKED = {"a": "Child, direct", "b": "Tiny, direct", "c": "Child, direct", "d": "Tiny, direct"}


@pytest.fixture
def studies(make_effects: Maker) -> list[StudyEffects]:
    """Two studies, each asked of the same two models, one of them broken down by steps."""
    tiny = {"model": "tiny", "kind": "tiny"}
    return [
        StudyEffects("Wording", Arms("consistent", "inconsistent"), "Steps",
                     make_effects({"run": "a"}, {"run": "b", **tiny})),
        StudyEffects("Carry", Arms("no carry", "carry"), "",
                     make_effects({"run": "c", "study": "carry"},
                                  {"run": "d", "study": "carry", **tiny}, by=None)),
    ]  # fmt: skip


def test_whoever_was_asked_is_one_trace_over_all_studies(studies: list[StudyEffects]) -> None:
    figure = beside_chart(studies, ASKED).figure

    assert [trace.name for trace in figure.data] == ["Child, direct", "Tiny, direct"]
    for trace, runs in zip(figure.data, ("ac", "bd"), strict=True):
        wanted = [e for study in studies for e in study.effects if e.run in runs]
        assert list(trace.x) == pytest.approx([100 * e.cate for e in wanted])
        assert list(trace.text) == ["1", "2", "3", ""]
    counts = [note.text for note in figure.layout.annotations if note.text.startswith("n = ")]
    assert counts == ["n = 40", "n = 40", "n = 40", "n = 120"] * 2


def test_every_effect_has_a_line_of_its_own_below_its_study(studies: list[StudyEffects]) -> None:
    figure = beside_chart(studies, ASKED).figure

    places = [y for trace in figure.data for y in trace.y]
    assert len(set(places)) == len(places) == 8
    headings = [note for note in figure.layout.annotations if note.text.startswith("<b>")]
    assert [note.text.count("Wording") for note in headings] == [1, 0]
    of_wording = [y for trace in figure.data for y in trace.y[:3]]
    assert headings[0].y < min(of_wording) < max(of_wording) < headings[1].y


def test_it_says_in_words_and_numbers_what_it_shows(studies: list[StudyEffects]) -> None:
    chart = beside_chart(studies, ASKED)

    assert chart.summary.count("n = 40)") == 6
    assert chart.summary.count("n = 120)") == 2
    assert "Carry, “no carry” minus “carry”: Child, direct, All pairs: " in chart.summary
    assert len(chart.data) == 8


def test_a_click_finds_its_effect(studies: list[StudyEffects]) -> None:
    chart = beside_chart(studies, ASKED)

    for row in chart.data.to_dict("records"):
        mark = chart.figure.data[row["trace"]]
        assert mark.x[row["point"]] == pytest.approx(100 * row["cate"])
        assert mark.name == row["asked"]


def test_shares_and_units_of_a_scale_share_no_axis(
    studies: list[StudyEffects], make_effects: Maker
) -> None:
    of_scale = make_effects({"run": "d", "study": "decision", "scale": True}, by=None)
    mixed = [studies[0], StudyEffects("Decisions", Arms("x", "y"), "", of_scale)]

    with pytest.raises(ValueError, match="share no axis"):
        beside_chart(mixed, ASKED)


def test_without_an_effect_it_says_so(studies: list[StudyEffects]) -> None:
    nothing = [StudyEffects(study.title, study.arms, "", []) for study in studies]

    assert "no effect to show yet" in beside_chart(nothing, ASKED).summary


def test_more_marks_than_can_be_read_are_left_to_the_table(make_effects: Maker) -> None:
    runs = [{"run": f"r{n}", "pairs": 20, "steps": 10} for n in range(21)]
    many = StudyEffects("Wording", Arms("x", "y"), "Steps", make_effects(*runs))

    chart = beside_chart([many], {f"r{n}": f"Model {n}" for n in range(21)})
    assert "There are 210 effects" in chart.summary
    assert len(chart.data) == 210
