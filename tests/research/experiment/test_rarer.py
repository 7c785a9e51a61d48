"""Number or share: the sentence and both curves find each of them, and nothing where nothing is."""

from __future__ import annotations

import math

import pytest

from research.experiment.design import CHECKS, CONSISTENCY, RATIOS, at_fixed_number, at_fixed_total
from research.experiment.rarer import (
    number_at_end,
    number_figures,
    number_or_share,
    number_sentence,
    rarer_chart,
)
from tests.research.experiment.simulated_table import no_effect, table

CELLS = tuple(dict.fromkeys((*at_fixed_total(CONSISTENCY), *at_fixed_number(CONSISTENCY))))
ARMS = ("consistent", "inconsistent")


def by_numbers(of_x_prime, of_x):
    """So many points that x′ is right more often for each doubling of either's lessons."""

    def shares(cell, _study, _lessons):
        x, x_prime = cell.numbers
        right = 0.3 + of_x_prime / 100 * math.log2(x_prime) + of_x / 100 * math.log2(x)
        return 0.7, right

    return shares


def found(shares, starts=6, cells=CELLS, checks=CHECKS):
    return number_or_share(table(shares, cells, starts, checks), CONSISTENCY)


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        (by_numbers(8, -4), "Number and share both count."),
        (by_numbers(8, 0), "The number of lessons counts; "),
        (by_numbers(0, -6), "The share of lessons counts; "),
        (no_effect, "Whether the number of lessons or their share counts cannot be told."),
    ],
)
def test_the_sentence_says_what_counts(shares, sentence):
    assert number_sentence(found(shares)).startswith(sentence)


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        (
            by_numbers(8, 5),
            "The number of lessons counts; their share does not count as predicted.",
        ),
        (
            by_numbers(-5, -6),
            "The share of lessons counts; their number does not count as predicted.",
        ),
        (by_numbers(-4, 5), "Neither the number of lessons nor their share counts as predicted."),
        (
            by_numbers(0, 5),
            "The share of lessons does not count as predicted; whether their number does ",
        ),
        (
            by_numbers(-5, 0),
            "The number of lessons does not count as predicted; whether their share does ",
        ),
    ],
)
def test_what_surely_does_not_count_is_said(shares, sentence):
    """Lessons of x that help x′ are surely no harm to it; those of x′ that harm it, no help."""
    assert number_sentence(found(shares)).startswith(sentence)


def test_lessons_of_x_that_help_are_said_to_help():
    helps = "Lessons of the easier form help the harder one."
    assert number_sentence(found(by_numbers(8, 5))).endswith(helps)
    for shares in (by_numbers(8, -4), by_numbers(8, 0), no_effect):
        assert helps not in number_sentence(found(shares))


def test_each_doubling_has_its_size():
    figures = number_figures(found(by_numbers(8, -4)), *ARMS)
    told = [part.split(" points")[0].replace("−", "-") for part in figures.split(" by ")[1:]]
    assert [float(value) for value in told] == pytest.approx([8, -4, 4], abs=1.0)


def only_at_the_last_ratio(cell, study, lessons):
    """A share that counts in one cell alone, where lessons of x are 20 times as many."""
    del study, lessons
    return 0.7, 0.6 - 0.25 * (cell.ratio == (20, 1))


def test_what_leans_on_one_cell_says_so_with_what_is_left_without_it():
    both = found(only_at_the_last_ratio)
    said = number_at_end(both)
    assert "leans on one cell: without 20:1 it is " in said
    for leaning in both.leaning.values():
        assert {cell.name for cell in leaning} <= {"consistency-20to1"}
        for estimate in leaning.values():
            assert estimate.value == pytest.approx(0.0, abs=0.02)
    assert "leans" not in number_at_end(found(by_numbers(8, -4)))


def test_what_counts_after_the_last_lesson_is_said_beside_what_counts_over_learning():
    def shares(cell, study, lessons):
        when = by_numbers(8, 5) if lessons == CHECKS[-1] else by_numbers(8, -4)
        return when(cell, study, lessons)

    both = found(shares)
    assert number_sentence(both) == "Number and share both count."
    assert number_at_end(both).startswith(
        "After the last lesson: The number of lessons counts; their share does not count"
    )
    assert number_at_end(found(shares, 2)) == ""


def test_with_a_fixed_number_that_alone_counts_the_curve_is_flat():
    curves = found(by_numbers(8, 0))
    assert list(curves.number) == list(curves.total) == list(RATIOS)
    ends = [curves.number[ratio].value for ratio in ((1, 1), (20, 1))]
    assert ends[0] == pytest.approx(ends[1], abs=0.08)
    assert curves.total[1, 1].value - curves.total[20, 1].value > 0.2


def test_with_few_starts_nothing_is_decided():
    assert number_sentence(found(by_numbers(8, -4), 4)).startswith("Not yet decided: ")


def test_without_a_start_that_has_all_cells_at_their_end_there_are_no_curves():
    assert found(no_effect, cells=at_fixed_total(CONSISTENCY)) is None
    assert found(no_effect, checks=CHECKS[:3]) is None
    assert number_or_share([], CONSISTENCY) is None


@pytest.mark.parametrize("dark", [False, True])
def test_both_curves_are_drawn_with_their_intervals_and_said_in_words(dark):
    chart = rarer_chart(found(by_numbers(8, -4)), *ARMS, dark=dark)
    assert len(chart.figure.data) == 2
    assert len([shape for shape in chart.figure.layout.shapes if shape.x0 == shape.x1]) == 10
    assert list(chart.figure.layout.xaxis.ticktext) == ["1:5", "1:1", "2:1", "5:1", "20:1"]
    assert "With total fixed: 1:5: " in chart.summary
    assert set(chart.data["fixed"]) == {"total fixed", "number of the rarer form fixed"}


def test_of_one_start_the_bars_are_of_items_alone():
    one, several = (rarer_chart(found(no_effect, starts), *ARMS) for starts in (1, 3))
    said = [
        " ".join(each.text for each in chart.figure.layout.annotations) for chart in (one, several)
    ]
    assert "over items alone: one start" in said[0]
    assert "over starts and items" in said[1]
