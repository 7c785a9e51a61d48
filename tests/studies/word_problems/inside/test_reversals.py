"""How many wrong answers reverse the operation."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import pandas as pd
import pytest

from biaslab.stats import BrokenOutcomes
from biaslab.stats.estimates import clustered_share
from biaslab.studies import Design, Item, experiment
from biaslab.studies.word_problems.inside.reversals import EXPECTED_FROM, Reversals, reversals
from schoolmath.malrules.catalogue.stories.problems import Story
from schoolmath.malrules.diagnosis import Null, expected_by_chance
from schoolmath.malrules.diagnosis.calculations import exactly
from schoolmath.malrules.rules import rules


def problems(n: int, steps: str) -> list[Item]:
    """Inconsistent problems of the consistency study."""
    design = Design("consistency", n, 4, {"steps": steps})
    return [pair.x_prime for pair in experiment("consistency").pairs(design)]


def row(item: Item, value: str, cluster: str = "", text: str = "") -> dict[str, object]:
    return {
        "item": item.id, "value": value, "facts": item.facts, "cluster": cluster or item.id,
        "text": text or value,
    }  # fmt: skip


def reversed_answer(item: Item) -> str:
    story = Story.of_facts(item.facts)
    assert story is not None
    return str(rules()["WP01"].run(story)[0].answer.value)


def counted(rows: list[dict[str, object]]) -> list[Reversals]:
    return reversals(pd.DataFrame(rows, columns=["item", "value", "facts", "cluster", "text"]))


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


def test_what_chance_gives_is_the_mean_over_the_problems() -> None:
    items = problems(50, "1-3")
    found = counted([row(item, "999") for item in items])[0]
    stories = [story for item in items if (story := Story.of_facts(item.facts)) is not None]
    assert len(items) <= EXPECTED_FROM
    rule = rules()["WP01"]
    for null, share in ((Null.SLIP, found.by_slip), (Null.OPERATION, found.by_operation)):
        each = [float(expected_by_chance(story, rule, null)) for story in stories]
        assert share == pytest.approx(sum(each) / len(each))


def story_of(item: Item) -> Story:
    story = Story.of_facts(item.facts)
    assert story is not None
    return story


def worked(item: Item, operation: str, result: str) -> str:
    story = story_of(item)
    return f"So {story.start} {operation} {story.numbers[0]} = {result}. The answer is {result}."


class TestWithAWorking:
    def test_a_reversed_operation_counts_whatever_number_comes_out(self) -> None:
        """The positive control: no answer is what the reversed operation gives."""
        rows = [
            row(item, "1000", text=worked(item, story_of(item).keywords[0], "1000"))
            for item in problems(40, "1-1")
        ]
        (found,) = counted(rows)
        assert (found.worked, found.reversed, found.miscalculated) == (40, 40, 40)
        without = [{**each, "text": each["value"]} for each in rows]
        (found,) = counted(without)
        assert (found.worked, found.reversed, found.miscalculated) == (0, 0, 0)

    def test_the_right_operation_is_not_reversed_whatever_number_comes_out(self) -> None:
        """The null case: even where the number is what the reversed operation gives."""
        rows = [
            row(
                item, reversed_answer(item),
                text=worked(item, story_of(item).operations[0], reversed_answer(item)),
            )
            for item in problems(40, "1-1")
        ]  # fmt: skip
        (found,) = counted(rows)
        assert (found.wrong, found.worked, found.reversed) == (40, 40, 0)

    def test_operations_drawn_at_random_are_reversed_as_often_as_is_expected(self) -> None:
        items = problems(300, "1-3")
        draws = random.Random(3)
        rows = []
        for item in items:
            story, lines, amount = story_of(item), [], Fraction(story_of(item).start)
            for number in story.numbers:
                operation = draws.choice("+-*/")
                result = exactly(operation, amount, Fraction(number))
                assert result is not None
                lines.append(f"{decimal(amount)} {operation} {number} = {decimal(result)}")
                amount = Fraction(decimal(result))
            if amount != story.amounts[-1]:
                rows.append(row(item, decimal(amount), text="\n".join(lines)))
        found = counted(rows)[0]
        assert found.worked > 0.9 * found.wrong
        assert found.interval.low < found.by_operation < found.interval.high

    def test_the_same_answers_with_and_without_a_working_are_expected_apart(self) -> None:
        items = problems(60, "2-2")
        (bare,) = counted([row(item, "999") for item in items])
        (shown,) = counted([
            row(item, "999", text="\n".join(
                f"{story_of(item).amounts[at]} {operation} {number} = 999"
                for at, (operation, number) in enumerate(
                    zip(story_of(item).operations, story_of(item).numbers, strict=True)
                )
            ))
            for item in items
        ])  # fmt: skip
        assert (bare.worked, shown.worked) == (0, 60)
        # One wrong operation of two is likelier than one wrong and the other one right.
        assert bare.by_operation < shown.by_operation < 0.5
        assert shown.by_slip == 0 < bare.by_slip


def decimal(number: Fraction) -> str:
    """A number as people write it, with four places at most."""
    return str(number) if number.denominator == 1 else f"{float(number):.4f}"


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
    with pytest.raises(BrokenOutcomes, match="no column facts, cluster, text"):
        reversals(pd.DataFrame({"item": ["a"], "value": ["1"]}))
