"""The skeleton of every study: draw until there are enough different pairs, or say why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from biaslab.models import ModelForm
from biaslab.studies import Design, Item, Pair
from biaslab.studies.study import PATIENCE, Answered, Experiment, Reading, different
from schoolmath.problems import DesignError


def pair(number: int) -> Pair:
    x, x_prime = (Item.of("numbers", f"{number}{mark}", "1", {}) for mark in ("", "'"))
    return Pair.of(x, x_prime, {}, cluster=x.id)


class Numbers(Experiment):
    """A study whose draws are given: a number is a pair, None a draw in vain."""

    settings = ()

    def __init__(self, draws: Sequence[int | None], most: int | None = None) -> None:
        self._draws = draws
        self._most = most
        self.drawn = 0

    def draw(self, design: Design) -> Iterator[Pair | None]:  # noqa: ARG002
        for number in self._draws:
            self.drawn += 1
            yield None if number is None else pair(number)

    def size(self, design: Design) -> int | None:  # noqa: ARG002
        return self._most

    def read(self, item: Item, answered: Sequence[Answered], form: ModelForm) -> Reading:
        raise NotImplementedError


DESIGN = Design("numbers", 3, 1)


def test_pairs_are_the_first_different_ones_and_no_more_are_drawn() -> None:
    study = Numbers([1, 1, None, 2, 1, 3, 4, 5])
    assert list(study.pairs(DESIGN)) == [pair(1), pair(2), pair(3)]
    assert study.drawn == 6


def test_the_first_pairs_of_a_larger_design_are_those_of_a_smaller_one() -> None:
    draws = [1, 2, 2, 3, None, 4, 5]
    larger = list(Numbers(draws).pairs(replace(DESIGN, n=5)))
    assert list(Numbers(draws).pairs(DESIGN)) == larger[:3]


def test_a_design_that_is_larger_than_can_be_is_refused_before_anything_is_drawn() -> None:
    study = Numbers([1, 2], most=2)
    with pytest.raises(DesignError, match=r"2 pairs, not 3\. The nearest size that works is 2\."):
        list(study.pairs(DESIGN))
    assert study.drawn == 0


def test_what_no_design_can_have_is_refused() -> None:
    for design in (replace(DESIGN, n=0), replace(DESIGN, settings={"steps": 2})):
        with pytest.raises(DesignError):
            list(Numbers([1, 2, 3]).pairs(design))


def test_draws_that_end_or_give_nothing_new_are_not_waited_for() -> None:
    endless = [1, 2, *[None, 1] * PATIENCE]
    for draws in ([1, 2], endless):
        study = Numbers(draws)
        with pytest.raises(DesignError, match=r"Only 2 different pairs .* Ask for 2 pairs or"):
            list(study.pairs(DESIGN))
        assert study.drawn <= 2 + PATIENCE


def test_a_rare_pair_is_waited_for() -> None:
    draws = iter([pair(1), *[None] * (PATIENCE - 1), pair(2)])
    assert list(different(draws, 2)) == [pair(1), pair(2)]
