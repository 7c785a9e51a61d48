"""Small calculations in a bias file: ``round(x / 10)``, ``100 - p``, ``-1 if first == 'A' else 1``.

Exact: numbers are whole numbers and fractions, never floats, and halves are rounded to even.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from simpleeval import DEFAULT_OPERATORS, FeatureNotAvailable, InvalidExpression, SimpleEval

from biaslab.studies.decisions.biases.errors import BiasError

Value: TypeAlias = int | str
"""What a custom value is: a whole number or a text."""

LONGEST = 200
"""Most characters of an expression."""

_FUNCTIONS = {"round": round, "min": min, "max": max, "abs": abs}
_OPERATORS = {
    kind: meaning
    for kind, meaning in DEFAULT_OPERATORS.items()
    if kind not in (ast.Pow, ast.LShift, ast.RShift, ast.BitXor, ast.BitOr, ast.BitAnd)
}
"""Without powers: a short one may take forever."""


def calculate(expression: str | int, values: Mapping[str, Value]) -> Value:
    """What an expression comes to.

    Args:
        expression: a number, or a calculation with the names of values.
        values: by name; whole numbers and texts.

    Returns:
        a whole number, or a text where the expression chooses among texts.

    Raises:
        BiasError: it cannot be calculated, or comes to no whole number.
    """
    if isinstance(expression, int):
        return expression
    if len(expression) > LONGEST:
        raise BiasError(f"An expression has at most {LONGEST} characters.")
    exact = {
        name: Fraction(value) if isinstance(value, int) else value for name, value in values.items()
    }
    try:
        evaluator = SimpleEval(operators=_OPERATORS, names=exact, functions=_FUNCTIONS)
        found = evaluator.eval(expression, _parsed(expression))
    except (InvalidExpression, FeatureNotAvailable, SyntaxError, TypeError) as error:
        raise BiasError(
            f"“{expression}” cannot be calculated ({error}).",
            f"It may use {', '.join(values) or 'numbers'}, + - * /, round, min, max and “a if b "
            "else c”.",
        ) from error
    except (ArithmeticError, ValueError) as error:
        raise BiasError(f"“{expression}” cannot be calculated: {error}.") from error
    if isinstance(found, str):
        return found
    if isinstance(found, float) or Fraction(found).denominator != 1:
        raise BiasError(
            f"“{expression}” comes to {found}, which is no whole number.", "Use round(...)."
        )
    return int(found)


@lru_cache(maxsize=1024)
def _parsed(expression: str) -> ast.AST:
    """The expression's tree; a check works out the same few for thousands of values."""
    tree: ast.AST = SimpleEval.parse(expression)
    return tree
