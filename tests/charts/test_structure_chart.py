"""The picture of a problem's structure: amounts, steps, and what is changed in the pair."""

from __future__ import annotations

from typing import Any

import pytest

from biaslab.charts import structure_chart
from biaslab.studies import Design, experiment

Facts = dict[str, Any]


def _words(facts: Facts) -> list[str]:
    notes = structure_chart(facts).figure.layout.annotations
    return [note.text.replace("<br>", " ") for note in notes]


def test_amounts_follow_one_another_from_top_to_bottom(facts: Facts) -> None:
    figure = structure_chart(facts).figure
    amounts = figure.data[-1]
    assert list(amounts.text) == ["<b>18</b>", "<b>15</b>", "<b>22</b>"]
    assert list(amounts.y) == sorted(amounts.y)
    top, bottom = figure.layout.yaxis.range[1], figure.layout.yaxis.range[0]
    assert top < amounts.y[0] < amounts.y[-1] < bottom


def test_every_step_shows_its_operation_and_the_sentence_that_licenses_it(facts: Facts) -> None:
    words = _words(facts)
    assert any("<b>− 3</b>" in text and "Ana has 3 more apples than Ben." in text for text in words)
    assert any("<b>+ 7</b>" in text and "Ben buys 7 apples." in text for text in words)
    assert any("1 carry" in text for text in words)
    assert "Ana has 18 apples." in words
    assert any(text.startswith("Ben: apples") and "the answer" in text for text in words)


def test_what_is_changed_in_the_pair_is_dashed_and_said_in_words(facts: Facts) -> None:
    changed, unchanged, _ = structure_chart(facts).figure.data
    assert (changed.line.dash, unchanged.line.dash) == ("dash", "solid")
    assert changed.line.color != unchanged.line.color
    (text,) = [text for text in _words(facts) if "changed in this pair" in text]
    assert "the wording suggests the opposite operation" in text


def test_the_summary_tells_the_same_in_words(facts: Facts) -> None:
    summary = structure_chart(facts).summary
    assert summary.startswith("How the answer comes about, in 2 steps. 18 is stated")
    assert "Step 1: 18 − 3 = 15 (Ben: apples)" in summary
    assert "Step 2: 15 + 7 = 22 (Ben: apples)" in summary
    assert summary.endswith("The answer is 22.")


def test_the_data_hold_a_row_per_step(facts: Facts) -> None:
    data = structure_chart(facts).data
    assert list(data["equation"]) == ["18 − 3 = 15", "15 + 7 = 22"]
    assert list(data["changed_in_pair"]) == [True, False]


def test_text_of_the_problem_is_shown_as_it_is(facts: Facts) -> None:
    facts["sentences"][2] = "Ben buys 7 <b>$x$</b> apples."
    (text,) = [text for text in _words(facts) if "7" in text and "buys" in text]
    assert "&lt;b&gt;&#36;x&#36;&lt;/b&gt;" in text


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"sentences": ["A."], "steps": []},
        {"sentences": ["A."], "steps": [{"sentence": 7}]},
        {"sentences": ["A."], "steps": "no"},
        {"steps": [{"sentence": 0, "operation": "^"}], "sentences": ["A."]},
    ],
)
def test_an_item_without_known_steps_gets_a_sentence_instead_of_a_picture(broken: Facts) -> None:
    chart = structure_chart(broken)
    assert "structure of this item is not known" in chart.summary
    assert len(chart.figure.data) == 0


@pytest.mark.parametrize("study", ["consistency", "transfer-comparison", "carry"])
def test_both_members_of_real_pairs_have_a_picture_that_ends_with_the_answer(study: str) -> None:
    for pair in experiment(study).pairs(Design(study, 10, 3)):
        for item in (pair.x, pair.x_prime):
            chart = structure_chart(item.facts)
            assert chart.figure.data[-1].text[-1] == f"<b>{item.answer}</b>"
            assert "is stated in the problem" not in chart.summary
            assert len(chart.data) == len(item.facts["steps"])
