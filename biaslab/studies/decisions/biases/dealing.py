"""The cases of a bias one after another: scenes, orders and values dealt evenly, none twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.studies.decisions.biases.filling import Case, fill
from biaslab.studies.decisions.biases.template import Bias, Vignette, value_count, values_at
from schoolmath.problems.draws import Balanced, Draws

DEALT_VALUES = 1_000
"""Up to so many combinations of values are dealt, so that all of them come up; more are drawn."""
ATTEMPTS = 200
"""Draws of values for one scene that were all there before: there are hardly any others."""


@dataclass(frozen=True, slots=True)
class DealtCase:
    """A case, and whether its options are shown from last to first."""

    case: Case
    is_reversed: bool


class CaseDeal:
    """The cases of one bias.

    All scenes come once before any comes again. A scene that comes a second time has its
    options in the other order, so orders are balanced for each scene and over all.

    Args:
        bias: with vignettes.
        draws: decides.
        orders: which orders of the options there are: False as on the scale, True reversed.
    """

    def __init__(self, bias: Bias, draws: Draws, orders: Sequence[bool]) -> None:
        self._bias = bias
        self._draws = draws
        self._scenes = Balanced(draws, bias.vignettes)
        self._orders = Balanced(draws, tuple(orders))
        self._waiting: dict[str, list[bool]] = defaultdict(list)
        self._every = tuple(orders)
        self._values: dict[tuple[str, bool], Balanced[int]] = {}
        self._seen: set[tuple[str, bool, int]] = set()
        self._left = case_count(bias, orders)

    def next(self) -> DealtCase | None:
        """The next case; None where there are no more."""
        if self._left <= 0:
            return None
        self._left -= 1
        scene = self._scenes.next()
        order = self._order(scene)
        place = self._place(scene, order)
        if place is None:
            return None
        values = values_at(self._bias, place)
        return DealtCase(fill(self._bias, scene, values), order)

    def _order(self, scene: Vignette) -> bool:
        waiting = self._waiting[scene.id]
        if not waiting:
            first = self._orders.next()
            waiting += [order for order in self._every if order is not first]
            return first
        return waiting.pop()

    def _place(self, scene: Vignette, order: bool) -> int | None:
        count = value_count(self._bias)
        if count <= DEALT_VALUES:
            deck = self._values.setdefault((scene.id, order), Balanced(self._draws, range(count)))
            return deck.next()
        for _ in range(ATTEMPTS):
            place = self._draws.below(count)
            if (scene.id, order, place) not in self._seen:
                self._seen.add((scene.id, order, place))
                return place
        return None


def case_count(bias: Bias, orders: Sequence[bool]) -> int:
    """How many different cases a bias has."""
    return len(bias.vignettes) * len(orders) * value_count(bias)
