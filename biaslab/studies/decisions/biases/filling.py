"""From a bias, a vignette and custom values to the two arms as they are asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from biaslab.studies.decisions.biases.errors import BiasError
from biaslab.studies.decisions.biases.expressions import Value, calculate
from biaslab.studies.decisions.biases.metric import Metric
from biaslab.studies.decisions.biases.template import (
    Bias,
    Expression,
    Vignette,
    value_count,
    values_at,
)
from schoolmath.problems.draws import Draws

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
