"""From a bias to its cases: scenes, orders and values dealt evenly, and the two arms as asked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from biaslab.studies.decisions.biases.document import BiasError
from biaslab.studies.decisions.biases.expressions import Value, calculate
from biaslab.studies.decisions.biases.template import (
    Bias,
    Expression,
    Metric,
    Vignette,
    value_count,
    values_at,
)
from schoolmath.problems.draws import BalancedDeck, Draws

GAP = re.compile(r"\{([A-Za-z_]\w*)(?:\[([A-Za-z_]\w*)\])?\}")
"""``{name}``, or ``{name[value]}`` for a slot that depends on a value."""
_INDEX = re.compile(r"(\{[A-Za-z_]\w*)\[([A-Za-z_]\w*)\]\}")
_BY = re.compile(r"\{([A-Za-z_]\w*)(?:@([A-Za-z_]\w*))?\}")
ALTERNATIVES = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
"""``[control | treatment]``, in a text whose gaps hold no brackets (`without_brackets`)."""
_DEEPEST = 4
"""Gaps in texts of gaps; deeper than this they go round in a circle."""


@dataclass(frozen=True, slots=True)
class FilledArm:
    """One arm of a case, ready to be asked: the text and the options in the scale's order."""

    text: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A bias in one scene: two arms that differ in the declared manipulation.

    Attributes:
        bias, vignette, values: what it was made from.
        control, treatment: the arms.
        metric: its parameters for these values.
        classic, opposite: answers of control and treatment that give +1 and -1.
    """

    bias: Bias
    vignette: Vignette
    values: Mapping[str, Value]
    control: FilledArm
    treatment: FilledArm
    metric: Metric
    classic: tuple[int, int]
    opposite: tuple[int, int]


def draw_values(bias: Bias, draws: Draws) -> dict[str, Value]:
    """Custom values, all combinations equally likely."""
    return values_at(bias, draws.below(value_count(bias)))


def fill(bias: Bias, vignette: Vignette, values: Mapping[str, Value]) -> Case:
    """Both arms of a case.

    Raises:
        BiasError: a gap stays unfilled, or the metric's parameters cannot be calculated.
    """
    numbers = {**values, "n": bias.options}

    def pair(ends: tuple[Expression, Expression]) -> tuple[int, int]:
        return _whole(ends[0], numbers), _whole(ends[1], numbers)

    metric = Metric(
        _whole(bias.metric.kappa, numbers),
        _whole(bias.metric.gamma1, numbers),
        _whole(bias.metric.gamma2, numbers),
    )
    control, treatment = (_arm(bias, vignette, values, arm) for arm in (0, 1))
    return Case(
        bias, vignette, values, control, treatment, metric, pair(bias.classic), pair(bias.opposite)
    )


def without_brackets(text: str) -> str:
    """The text with ``{story[event]}`` written ``{story@event}``, so brackets mark arms only."""
    return _INDEX.sub(r"\1@\2}", text)


@lru_cache(maxsize=1024)
def of_arm(text: str, arm: int) -> str:
    """The text as it stands in control (0) or treatment (1), gaps still open.

    A line of which nothing is left in this arm is left out, so no blank line tells the arms
    apart.
    """
    lines = []
    for line in without_brackets(text).split("\n"):
        chosen = ALTERNATIVES.sub(lambda match: match[arm + 1].strip(), line)
        if chosen.strip() or not line.strip():
            lines.append(chosen)
    return "\n".join(lines)


def _arm(bias: Bias, vignette: Vignette, values: Mapping[str, Value], arm: int) -> FilledArm:
    contents: dict[str, str | Mapping[str, str]] = {
        **vignette.slots,
        **{name: str(value) for name, value in values.items()},
    }
    if arm:
        for one, other in bias.swap:
            contents[one], contents[other] = contents[other], contents[one]

    def filled(text: str) -> str:
        return _tidy(_filled(of_arm(text, arm), contents, 0))

    return FilledArm(filled(bias.text), tuple(filled(option) for option in bias.scale[arm]))


def _filled(text: str, contents: Mapping[str, str | Mapping[str, str]], depth: int) -> str:
    if depth > _DEEPEST:
        raise BiasError("The gaps of the text go round in a circle.", "Fill one with plain words.")

    def gap(match: re.Match[str]) -> str:
        name, by = match[1], match[2]
        large = name not in contents and name[0].isupper()
        if large:
            name = name[0].lower() + name[1:]
        content = contents.get(name)
        if isinstance(content, Mapping):
            content = content.get(str(contents.get(by, "")))
        if content is None:
            written = f"{{{match[1]}[{by}]}}" if by else match[0]
            raise BiasError(
                f"The gap {written} stays unfilled.",
                f"There are: {', '.join(contents)}.",
            )
        inner = _filled(without_brackets(content), contents, depth + 1)
        return inner[:1].upper() + inner[1:] if large else inner

    return _BY.sub(gap, text)


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.strip().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _whole(expression: Expression, values: Mapping[str, Value]) -> int:
    found = calculate(expression, values)
    if not isinstance(found, int):
        raise BiasError(f"“{expression}” comes to “{found}”, which is no number.")
    return found


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
        self._scenes = BalancedDeck(draws, bias.vignettes)
        self._orders = BalancedDeck(draws, tuple(orders))
        self._waiting: dict[str, list[bool]] = defaultdict(list)
        self._every = tuple(orders)
        self._values: dict[tuple[str, bool], BalancedDeck[int]] = {}
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
            deck = self._values.setdefault(
                (scene.id, order), BalancedDeck(self._draws, range(count))
            )
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
