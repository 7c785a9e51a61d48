"""What is said of taught models goes by intervals: nothing is found where nothing is."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from biaslab.stats.errors import BrokenAssets
from biaslab.studies import Design, experiment
from biaslab.training.origins.predictions import Verdict
from research.adapters.design import (
    ASKED,
    LESSONS,
    PAIR_SEED,
    RATIOS,
    SEEDS,
    AdapterCell,
    AdapterMeasure,
    LessonStage,
    balanced_lessons,
    cells,
    lessons,
)
from research.adapters.estimates import AdapterResults, judge
from research.adapters.summary import adapters_chart, meaning, sentence, unmade
from research.adapters.summary import table as cells_table
from research.adapters.table import read_table, write_table
from research.adapters.teaching import BEFORE, missing
from tests.research.adapters.simulated_adapters import follows, practises, stays, table


def verdicts(rows) -> dict[str, Verdict]:
    return {each.title: each.verdict for each in judge(AdapterResults(rows))}


def test_an_effect_that_follows_the_lessons_is_found_and_found_gone():
    rows = table(follows)
    assert set(verdicts(rows).values()) == {Verdict.AS_PREDICTED}
    results = AdapterResults(rows)
    assert sentence(results).startswith("A real language model takes over the bias of its lessons")
    assert "some of it is left" in unmade(results)
    left = results.effect(RATIOS[-1], AdapterMeasure.ODDS, LessonStage.BALANCED)
    was = [
        replace(row, effect=left.value)
        if row.stage is LessonStage.BEFORE and row.measure is AdapterMeasure.ODDS
        else row
        for row in rows
    ]
    assert "about as much is left as before any lesson" in unmade(AdapterResults(was))
    assert results.slope(AdapterMeasure.ODDS).value == pytest.approx(1.0, abs=0.05)


def test_where_lessons_do_nothing_nothing_is_found():
    results = AdapterResults(table(stays))
    found = verdicts(table(stays))
    assert found["Dose"] is Verdict.NOT_AS_PREDICTED
    assert found["Sign"] is Verdict.NOT_AS_PREDICTED
    assert found["Carrying is left alone"] is Verdict.AS_PREDICTED
    assert sentence(results).startswith("The ratio of its lessons does not give")


def test_an_effect_of_any_lessons_is_not_taken_for_one_of_their_ratio():
    found = verdicts(table(practises))
    assert found["Dose"] is Verdict.NOT_AS_PREDICTED
    assert found["Sign"] is Verdict.NOT_AS_PREDICTED


def test_false_findings_are_rare():
    found = 0
    for number in range(40):
        rows = table(lambda *_: 0.0, spread=0.3)
        shifted = [replace(row, effect=row.effect * (-1) ** (row.seed + number)) for row in rows]
        found += verdicts(shifted)["Dose"] is Verdict.AS_PREDICTED
    assert found <= 4


def test_few_seeds_decide_nothing():
    results = AdapterResults(table(follows, seeds=2))
    assert set(verdicts(table(follows, seeds=2)).values()) == {Verdict.NOT_MEASURED}
    assert sentence(results).startswith("Not yet decided")
    assert sentence(AdapterResults([])) == "No model is taught yet."


def test_the_picture_and_the_table_say_what_the_sentence_says():
    results = AdapterResults(table(follows))
    for dark in (False, True):
        chart = adapters_chart(results, dark=dark)
        assert sentence(results) in chart.summary
        assert set(chart.data["ratio"]) == {"1:5", "1:1", "5:1", "20:1"}
        assert set(chart.data["seeds"]) == {5}
    assert "times" in meaning(results)
    assert next(row["What"] for row in cells_table(results)) == "Consistency, one step"
    assert not adapters_chart(AdapterResults([])).data["effect"].notna().any()


def test_the_table_comes_back_as_it_was_written(tmp_path):
    rows = table(follows)
    write_table(rows, tmp_path / "adapters.csv")
    assert set(read_table(tmp_path / "adapters.csv")) == set(rows)
    assert missing(rows) == []
    assert missing([]) == [BEFORE, *cells()]
    assert len(list(cells())) == len(SEEDS) * len(RATIOS)


def test_a_table_of_two_versions_is_refused(tmp_path):
    rows = table(follows)
    write_table([replace(rows[0], version="other"), *rows[1:]], tmp_path / "adapters.csv")
    with pytest.raises(BrokenAssets, match="more than one version"):
        read_table(tmp_path / "adapters.csv")


def test_lessons_keep_their_ratio_and_no_pair_that_is_asked_is_one():
    asked = set()
    for each in ASKED.values():
        design = Design(each.study, each.pairs, PAIR_SEED, dict(each.settings))
        for pair in experiment(each.study).pairs(design):
            asked |= {pair.x.text, pair.x_prime.text}
    for ratio in RATIOS:
        cell = AdapterCell(ratio, SEEDS[0])
        given = list(lessons(cell, LESSONS))
        texts = [each.messages[0].content for each in given]
        assert len(given) == LESSONS == len(set(texts))
        assert not asked & set(texts)
        assert given == list(lessons(cell, LESSONS))
    later = [each.messages[0].content for each in islice(balanced_lessons(SEEDS[0], 300), 300)]
    assert len(set(later)) == 300
    assert not asked & set(later)
    assert not set(texts) & set(later)
    assert LessonStage.BALANCED in ASKED[AdapterMeasure.ODDS].after
