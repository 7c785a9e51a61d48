"""All combinations of a bias's custom values, numbered, without listing them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from biaslab.studies.decisions.biases.expressions import Value, calculate
from biaslab.studies.decisions.biases.template import (
    Bias,
    ChoiceValue,
    ExpressionValue,
    IntegerValue,
    ValueSource,
)


def value_count(bias: Bias) -> int:
    """How many combinations there are; 1 for a bias without values."""
    return prod(len(_options(source)) for source in bias.values.values())


def values_at(bias: Bias, place: int) -> dict[str, Value]:
    """The combination at a place, from 0 to `value_count` - 1, in the order of the file.

    Raises:
        BiasError: a value cannot be calculated.
    """
    values: dict[str, Value] = {}
    for name, source in bias.values.items():
        if isinstance(source, ExpressionValue):
            values[name] = calculate(source.expression, values)
        else:
            options = _options(source)
            place, at = divmod(place, len(options))
            values[name] = options[at]
    return values


def _options(source: ValueSource) -> Sequence[Value]:
    match source:
        case IntegerValue(low, high, step):
            return range(low, high + 1, step)
        case ChoiceValue(options):
            return options
        case ExpressionValue():
            return ("calculated",)
