"""How many wrong answers are exactly the reversed operation."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pandas as pd
import pytest

from biaslab.malrules import Answer
from biaslab.malrules.catalogue.stories.problems import Story
from biaslab.malrules.diagnosis import reversal_share
from biaslab.malrules.rules import rules
from biaslab.stats import BrokenOutcomes
from biaslab.stats.estimates.clustered import clustered_share
from biaslab.studies import Design, Item, experiment
from biaslab.studies.word_problems.inside.reversals import EXPECTED_FROM, Reversals, reversals


def problems(n: int, steps: str) -> list[Item]:
    """Inconsistent problems of the consistency study."""
    design = Design("consistency", n, 4, {"steps": steps})
    return [pair.x_prime for pair in experiment("consistency").pairs(design)]


def row(item: Item, value: str, cluster: str = "") -> dict[str, object]:
    return {"item": item.id, "value": value, "facts": item.facts, "cluster": cluster or item.id}


def reversed_answer(item: Item) -> str:
    story = Story.of_facts(item.facts)
    assert story is not None
    return str(rules()["WP01"].run(story)[0].answer.value)


def counted(rows: list[dict[str, object]]) -> list[Reversals]:
    return reversals(pd.DataFrame(rows, columns=["item", "value", "facts", "cluster"]))


def test_reversed_answers_are_counted_and_others_are_not() -> None:
    items = problems(40, "1-1")
    rows = [
        row(item, reversed_answer(item) if index < 30 else str(int(item.answer) + 1000))
        for index, item in enumerate(items)
    ]
    (found,) = counted(rows)
    assert (found.wrong, found.problems, found.reversed, found.share) == (40, 40, 30, 0.75)
    assert found.interval.low < 0.75 < found.interval.high


def test_a_random_operation_is_the_reversed_one_in_a_third_of_wrong_answers() -> None:
    (found,) = counted([row(item, "1000") for item in problems(60, "1-1")])
    # Two of three wrong operations may give the same: 4 - 2 and 4 / 2.
    assert found.by_operation == pytest.approx(1 / 3, abs=0.03)
    assert found.by_slip < 0.1


def test_everything_agrees_with_the_count_without_tables() -> None:
    items = problems(50, "1-3")
    rows = [row(item, reversed_answer(item) if k % 3 else "999") for k, item in enumerate(items)]
    found = counted(rows)[0]
    stories = [Story.of_facts(item.facts) for item in items]
    plain = reversal_share(
        (story, Answer.number(Fraction(str(each["value"]))))
        for story, each in zip(stories, rows, strict=True)
        if story is not None
    )
    assert len(items) <= EXPECTED_FROM
    assert (found.wrong, found.reversed) == (plain.wrong, plain.reversed)
    assert found.by_slip == pytest.approx(plain.by_slip)
    assert found.by_operation == pytest.approx(plain.by_operation)


def test_all_together_come_first_and_then_every_number_of_steps() -> None:
    every = counted([row(item, reversed_answer(item)) for item in problems(60, "1-3")])
    assert [found.steps for found in every] == [None, 1, 2, 3]
    assert every[0].wrong == sum(found.wrong for found in every[1:])
    assert all(a.by_operation > b.by_operation for a, b in pairwise(every[1:]))


def test_answers_that_share_a_cluster_do_not_count_as_many() -> None:
    items = problems(40, "1-1")
    values = [reversed_answer(item) if k < 20 else "1000" for k, item in enumerate(items)]
    apart = counted([row(i, v) for i, v in zip(items, values, strict=True)])[0]
    shared = [row(i, v, str(k // 10)) for k, (i, v) in enumerate(zip(items, values, strict=True))]
    together = counted(shared)[0]
    assert together.share == apart.share
    wide = together.interval.high - together.interval.low
    assert wide > 1.5 * (apart.interval.high - apart.interval.low)
    hits = pd.Series([float(k < 20) for k in range(40)]).to_numpy()
    clusters = pd.Series([str(k // 10) for k in range(40)]).to_numpy(dtype=object)
    assert together.interval == clustered_share(hits, clusters, 40)


def test_problems_whose_words_do_not_mislead_are_passed_over() -> None:
    design = Design("consistency", 10, 4, {"steps": "1-2"})
    consistent = [pair.x for pair in experiment("consistency").pairs(design)]
    assert counted([row(item, "1000") for item in consistent]) == []
    assert counted([]) == []


def test_a_reversed_answer_counts_when_it_is_rounded() -> None:
    items = [each for each in problems(80, "1-1") if Fraction(reversed_answer(each)) % 1]
    thirds = [each for each in items if Fraction(reversed_answer(each)).denominator % 3 == 0]
    rows = [row(each, f"{float(Fraction(reversed_answer(each))):.2f}") for each in thirds]
    (found,) = counted(rows)
    assert found.reversed == found.wrong == len(thirds) > 0


@pytest.mark.parametrize("value", ["", "many", "1/0"])
def test_an_answer_that_is_no_number_is_wrong_and_not_reversed(value: str) -> None:
    (found,) = counted([row(problems(1, "1-1")[0], value)])
    assert (found.wrong, found.reversed) == (1, 0)


def test_a_table_without_its_columns_is_refused() -> None:
    with pytest.raises(BrokenOutcomes, match="no column facts, cluster"):
        reversals(pd.DataFrame({"item": ["a"], "value": ["1"]}))
