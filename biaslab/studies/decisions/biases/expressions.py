"""Small calculations in a bias file: ``round(x / 10)``, ``100 - p``, ``-1 if first == 'A' else 1``.

Exact: numbers are whole numbers and fractions, never floats, and halves are rounded to even.

A file may come from anybody. What an expression may be made of stands here by name, with the kinds
of value that it goes with; an expression that has anything else is refused before any of it is
calculated, in the branch that is not taken too. Numbers have a largest size, texts are chosen and
never made, so no expression takes time or memory.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from biaslab.studies.decisions.biases.document import BiasError

Value: TypeAlias = int | str
"""What a custom value is: a whole number or a text."""

LONGEST = 200
"""Most characters of an expression."""

LARGEST = 10**12
"""Largest number, in size, that an expression has or comes to, and largest denominator."""


class ValueKind(StrEnum):
    """What a part of an expression comes to."""

    NUMBER = "a number"
    TEXT = "a text"
    TRUTH = "true or false"
    EITHER = "a number or a text"


OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
"""Of two numbers. None is of texts: ``%`` and ``*`` would make as long ones as somebody likes."""

SIGNS: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
"""Of a number; ``not``, of what is true or false, stands by itself."""

COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
"""Of two numbers; the first two of texts as well."""

FUNCTIONS: Mapping[str, tuple[Callable[..., Any], int, int]] = {
    "round": (round, 1, 1),
    "abs": (abs, 1, 1),
    "min": (min, 2, LONGEST),
    "max": (max, 2, LONGEST),
}
"""Of numbers: what each does, and of how many, at least and at most."""


def calculate(expression: str | int, values: Mapping[str, Value]) -> Value:
    """What an expression comes to.

    Args:
        expression: a number, or a calculation with the names of values.
        values: by name; whole numbers and texts.

    Returns:
        a whole number, or a text where the expression chooses among texts.

    Raises:
        BiasError: it has something that an expression may not have, cannot be calculated, comes to
            no whole number or to one beyond `LARGEST`.
    """
    if isinstance(expression, int):
        return expression
    if len(expression) > LONGEST:
        raise BiasError(f"An expression has at most {LONGEST} characters.")
    kinds = tuple((name, _kind(value)) for name, value in values.items())
    try:
        found = _worked_out(_checked(expression, kinds), values)
    except (_ExpressionError, ZeroDivisionError) as error:
        why = str(error) if isinstance(error, _ExpressionError) else "it divides by nothing"
        raise BiasError(
            f"“{expression}” cannot be calculated: {why}.",
            f"It may use {', '.join(values) or 'numbers'}, + - * / // %, round, min, max, abs, "
            "comparisons with and, or, not, and “a if b else c”.",
        ) from None
    if isinstance(found, str):
        return found
    if found.denominator != 1:
        raise BiasError(
            f"“{expression}” comes to {found}, which is no whole number.", "Use round(...)."
        )
    return int(found)


class _ExpressionError(Exception):
    """What is wrong with an expression, as a clause."""


@lru_cache(maxsize=1024)
def _checked(expression: str, kinds: tuple[tuple[str, ValueKind], ...]) -> ast.expr:
    """The tree of an expression that may be calculated with values of these kinds.

    A check works out the same few for thousands of values.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _ExpressionError("it is no calculation") from None
    if _kind_of(tree, dict(kinds)) is ValueKind.TRUTH:
        raise _ExpressionError("it comes to true or false")
    return tree


def _kind(value: Value) -> ValueKind:
    return ValueKind.TEXT if isinstance(value, str) else ValueKind.NUMBER


def _kind_of(node: ast.expr, kinds: Mapping[str, ValueKind]) -> ValueKind:
    """What a part comes to, where all of it may be calculated."""
    match node:
        case ast.Constant(value=str()):
            return ValueKind.TEXT
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            _number(value)
            return ValueKind.NUMBER
        case ast.Name(id=name):
            if name not in kinds:
                raise _ExpressionError(f"there is no value “{name}”")
            return kinds[name]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            _expect(operand, kinds, ValueKind.TRUTH, ValueKind.NUMBER)
            return ValueKind.TRUTH
        case ast.UnaryOp(op=op, operand=operand) if type(op) in SIGNS:
            return _expect(operand, kinds, ValueKind.NUMBER)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            _expect(left, kinds, ValueKind.NUMBER)
            return _expect(right, kinds, ValueKind.NUMBER)
        case ast.BoolOp(values=parts):
            for part in parts:
                _expect(part, kinds, ValueKind.TRUTH, ValueKind.NUMBER)
            return ValueKind.TRUTH
        case ast.Compare(left=left, ops=ops, comparators=others) if all(
            type(op) in COMPARISONS for op in ops
        ):
            ordered = not all(isinstance(op, ast.Eq | ast.NotEq) for op in ops)
            wanted = (
                (ValueKind.NUMBER,)
                if ordered
                else (ValueKind.NUMBER, ValueKind.TEXT, ValueKind.EITHER)
            )
            for part in (left, *others):
                _expect(part, kinds, *wanted)
            return ValueKind.TRUTH
        case ast.IfExp(test=test, body=body, orelse=other):
            _expect(test, kinds, ValueKind.TRUTH, ValueKind.NUMBER)
            wanted = (ValueKind.NUMBER, ValueKind.TEXT, ValueKind.EITHER)
            one, two = _expect(body, kinds, *wanted), _expect(other, kinds, *wanted)
            return one if one is two else ValueKind.EITHER
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in FUNCTIONS:
            _, least, most = FUNCTIONS[name]
            if not least <= len(parts) <= most:
                raise _ExpressionError(
                    f"{name} takes {'one number' if most == 1 else 'several numbers'}"
                )
            for part in parts:
                _expect(part, kinds, ValueKind.NUMBER)
            return ValueKind.NUMBER
    raise _ExpressionError(f"“{ast.unparse(node)}” is nothing that a calculation may have")


def _expect(node: ast.expr, kinds: Mapping[str, ValueKind], *wanted: ValueKind) -> ValueKind:
    kind = _kind_of(node, kinds)
    if kind not in wanted:
        raise _ExpressionError(f"“{ast.unparse(node)}” is {kind}, and {wanted[0]} is needed")
    return kind


def _worked_out(node: ast.expr, values: Mapping[str, Value]) -> Any:
    """What a part comes to: a `Fraction`, a text, or true or false."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Constant(value=int() | float() as value):
            return _number(value)
        case ast.Name(id=name):
            named = values[name]
            return named if isinstance(named, str) else _number(named)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _worked_out(operand, values)
        case ast.UnaryOp(op=op, operand=operand):
            return SIGNS[type(op)](_worked_out(operand, values))
        case ast.BinOp(left=left, op=op, right=right):
            both = _worked_out(left, values), _worked_out(right, values)
            return _number(OPERATIONS[type(op)](*both))
        case ast.BoolOp(op=op, values=parts):
            every = all if isinstance(op, ast.And) else any
            return every(_worked_out(part, values) for part in parts)
        case ast.Compare(left=left, ops=ops, comparators=others):
            parts = [_worked_out(part, values) for part in (left, *others)]
            pairs = zip(ops, parts, parts[1:], strict=False)
            return all(COMPARISONS[type(op)](one, two) for op, one, two in pairs)
        case ast.IfExp(test=test, body=body, orelse=other):
            return _worked_out(body if _worked_out(test, values) else other, values)
        case ast.Call(func=ast.Name(id=name), args=parts):
            return _number(FUNCTIONS[name][0](*(_worked_out(part, values) for part in parts)))
    raise AssertionError("what is calculated was checked")


def _number(value: int | float | Fraction) -> Fraction:
    """A number, exactly as it is written, within its bounds."""
    if isinstance(value, float):
        # As written: 0.1 is a tenth. A float has at most 17 digits, and may be too large for any.
        value = Fraction(repr(value)) if abs(value) <= LARGEST else Fraction(LARGEST + 1)
    exact = Fraction(value)
    if abs(exact) > LARGEST or exact.denominator > LARGEST:
        raise _ExpressionError(f"it has a number beyond {LARGEST:,}")
    return exact
