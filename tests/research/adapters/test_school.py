"""Which problems of others are comparisons, which way round they are said, and what is measured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from biaslab.models.requests import (
    Likelihood,
    LikelihoodRequest,
    ModelForm,
    ModelIdentity,
    ModelKind,
)
from research.adapters.school import SchoolProblem, change, comparisons, odds


def found(text: str, answer: float) -> list[SchoolProblem]:
    return list(comparisons([{"text": text, "answer": answer}]))


@pytest.mark.parametrize(
    ("text", "answer", "consistent", "reversed_"),
    [
        ("Jo has 34 fewer balls than Audrey. Audrey has 41 balls. How many has Jo?", 7, True, 75),
        ("Marcus has 210 cards. He has 58 more than Carter. How many has Carter?", 152, False, 268),
        ("Ann has six more balls than Marin. Marin has nine. How many has Ann?", 15, True, 3),
    ],
)
def test_the_word_of_a_comparison_is_that_of_its_operation_or_not(
    text: str, answer: float, consistent: bool, reversed_: int
) -> None:
    assert found(text, answer) == [SchoolProblem(text, consistent, int(answer), reversed_)]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Ann has 6 balls and Marin 9. How many more balls has Marin than Ann?", 3),
        ("Ann has 6 more than Bo. Bo has 2 more than Cy, who has 3. How many has Ann?", 11),
        ("Ann has 6 more than Bo. Bo has 9. How many have they together?", 24),
        ("Ann had 2 more than Bo. Now Ann has 19 more than Bo. How many did Bo lose?", 17),
        ("Ann has 6 balls. Bo has 9 balls. How many have they?", 15),
    ],
)
def test_what_is_no_single_comparison_is_left_out(text: str, answer: float) -> None:
    assert found(text, answer) == []


def test_a_text_counts_once() -> None:
    line = {"text": "Bo has 9. Ann has 6 more than Bo. How many has Ann?", "answer": 15}
    assert len(list(comparisons([line, line]))) == 1


class Biased:
    """A simulation: finds the right answer likelier by so many nats where words are consistent."""

    identity = ModelIdentity("local:x", ModelKind.LANGUAGE_MODEL, "", ModelForm.CHAT)

    def __init__(self, problems: Sequence[SchoolProblem], nats: float) -> None:
        self._odds = {each.text: nats if each.consistent else 0.0 for each in problems}

    def likelihood(self, requests: Sequence[LikelihoodRequest]) -> Iterable[tuple[int, Any]]:
        for place, request in enumerate(requests):
            yield place, Likelihood((-1.0, -1.0 - self._odds[request.messages[0].content]), (1, 1))

    def generate(self, requests: object) -> Iterable[tuple[int, Any]]:
        raise NotImplementedError


def test_the_change_is_that_of_the_lessons_and_none_where_there_is_none() -> None:
    problems = [SchoolProblem(f"{n}", n % 2 == 0, 3, 4) for n in range(20)]
    before, after = (odds(problems, Biased(problems, nats)) for nats in (0.5, 2.5))

    taught = change(problems, before, after)
    assert (taught.value, taught.item_error) == pytest.approx((2.0, 0.0))
    assert change(problems, before, before).value == 0.0
