"""What an expression of a bias file may have, and that everything else is refused uncalculated."""

from __future__ import annotations

import ast
import builtins
import tracemalloc
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from biaslab.studies.decisions.biases import expressions
from biaslab.studies.decisions.biases.document import BiasError
from biaslab.studies.decisions.biases.expressions import (
    COMPARISONS,
    FUNCTIONS,
    LARGEST,
    LONGEST,
    OPERATIONS,
    SIGNS,
    calculate,
)
from tests.loops import over

DOCS = Path(__file__).resolve().parents[3] / "docs" / "decision.md"
VALUES = {"x": 15, "y": -4, "side": "left"}

ALLOWED = {
    "x + 1": 16, "100 - x": 85, "x * y": -60, "x / 5": 3, "x // 4": 3, "x % 4": 3, "-x": -15,
    "+x": 15, "round(x / 10)": 2, "round(2.5)": 2, "round(0.35 * 10)": 4, "abs(y)": 4,
    "min(x, y, 3)": -4, "max(x, 20)": 20, "1 if x == 15 else 2": 1, "1 if side != 'left' else 2": 2,
    "1 if 0 < x <= 15 else 2": 1, "1 if x > 9 and not y > 0 else 2": 1,
    "1 if y >= 0 or side == 'right' else 2": 2, "'A' if side == 'left' else 'B'": "A",
    "side if x < 0 else 'none'": "none", " (x) ": 15, "1 if x % 2 else 0": 1,
}  # fmt: skip

OPERANDS = {
    "a number": "x",
    "a text": "side",
    "true or false": "(x > 1)",
    "either": "(1 if x else '')",
}

ANYTHING_ELSE = {
    ast.Attribute: ["x.numerator", "side.__class__", "x.__class__.__mro__"],
    ast.Await: ["(await x)"],
    ast.BinOp: ["x ** 2", "x << 9", "x >> 1", "x | 1", "x & 1", "x ^ 1", "x @ x"],
    ast.BoolOp: ["1 if side and x else 2", "1 if x or side else 2", "x and y"],
    ast.Call: [
        "x(1)", "side()", "abs(x, x)", "abs()", "min(x)", "max(side)", "round(x, 1)", "min(*x)",
        "round(number=x)", "max(x, y, key=abs)", "min(x, side)", "(lambda: 1)()", "round(abs)(x)",
    ],
    ast.Compare: [
        "x > 1", "1 if x in y else 2", "1 if 'l' in side else 2", "1 if x is 1 else 2",
        "1 if side < 'm' else 2", "1 if x not in y else 2", "1 if x is not 1 else 2",
        "1 if x < side else 2",
    ],
    ast.Constant: ["None", "True", "...", "b'a'", "1j", "1e400", "0.1e-99", "'a' 'b' * 2"],
    ast.Dict: ["{}", "{1: 2}[1]"],
    ast.DictComp: ["{a: a for a in side}"],
    ast.GeneratorExp: ["max(a for a in side)"],
    ast.IfExp: ["1 if side else 2", "(x > 1) if x else 2", "1 if x else (1).real"],
    ast.JoinedStr: ["f'{x}'", "f'{x:1000000000}'"],
    ast.FormattedValue: ["f'{side:>999999999}'"],
    ast.Lambda: ["lambda: 1"],
    ast.List: ["[1]", "[1] * 10**9", "[1, 2][0]"],
    ast.ListComp: ["[a for a in side]"],
    ast.Name: ["z", "n", "__builtins__", "Fraction"],
    ast.NamedExpr: ["(z := 1)"],
    ast.Set: ["{1}"],
    ast.SetComp: ["{a for a in side}"],
    ast.Slice: ["side[0:1]"],
    ast.Starred: ["min(*side)", "*x,"],
    ast.Subscript: ["side[0]", "x[0]"],
    ast.Tuple: ["(1, 2)", "x,", "(1,) * 999999999"],
    ast.UnaryOp: ["~x", "-side", "not x", "-(x > 1)", "+side", "not side"],
    ast.Yield: ["(yield x)"],
    ast.YieldFrom: ["(yield from x)"],
}  # fmt: skip
"""By what is wrong in them; every kind of expression that Python has is here."""

NO_CALCULATION = [
    "",
    " ",
    "1; 2",
    "x = 1",
    "import os",
    "(" * 150,
    "x +",
    "1\n2",
    "\0",
    "\ud800",
    "×",
]


def test_what_is_named_is_calculated() -> None:
    assert {each: calculate(each, VALUES) for each in ALLOWED} == ALLOWED


def test_everything_else_that_python_has_is_refused() -> None:
    kinds = {each for each in ast.expr.__subclasses__() if each.__module__ == "ast"}
    written = {ast.Constant, *ANYTHING_ELSE}
    assert {each.__name__ for each in kinds if each not in written} == set()
    calculated = [
        each
        for each in (*(each for some in ANYTHING_ELSE.values() for each in some), *NO_CALCULATION)
        if not is_refused(each)
    ]
    assert calculated == []


def test_every_operator_takes_numbers_or_is_refused() -> None:
    """All operators of Python with all kinds of operands, but for the table's own."""
    wrong = []
    kinds = {name: ast.parse(text, mode="eval").body for name, text in OPERANDS.items()}
    for (one, left), (two, right) in product(kinds.items(), repeat=2):
        numbers = one == two == "a number"
        for operation in ast.operator.__subclasses__():
            text = ast.unparse(ast.BinOp(left, operation(), right))
            if is_refused(text) is (numbers and operation in OPERATIONS):
                wrong.append(text)
        for comparison in ast.cmpop.__subclasses__():
            said = ast.unparse(ast.Compare(left, [comparison()], [right]))
            text = f"1 if {said} else 2"
            equal = comparison in (ast.Eq, ast.NotEq) and "true or false" not in (one, two)
            if is_refused(text) is (equal or (numbers and comparison in COMPARISONS)):
                wrong.append(text)
    for (one, operand), sign in product(kinds.items(), ast.unaryop.__subclasses__()):
        text = ast.unparse(ast.UnaryOp(sign(), operand))
        if is_refused(text) is (one == "a number" and sign in SIGNS):
            wrong.append(text)
    assert wrong == []


def test_no_function_of_python_but_the_named_ones_is_called() -> None:
    called = {
        name
        for name in dir(builtins)
        for arguments in ("", "x", "x, x", "side", "'1'")
        if not is_refused(f"{name}({arguments})")
    }
    assert called == set(FUNCTIONS)


def test_what_is_not_taken_is_looked_at_too() -> None:
    for text in ("1 if x else side % x", "1 if 1 == 1 else open('x')", "1 if x or 2 ** 9 else 3"):
        assert is_refused(text), text


@over(
    "text",
    ["'%999999999d' % x", "'%*d' % x", "side * 999999999", "'a' * 999999999", "9**9**9**9",
     "1 << 99999999999", "f'{x:999999999}'", "side + side", "'{:999999999}'.format(1)"],
)  # fmt: skip
def test_what_would_take_memory_takes_none(text: str) -> None:
    tracemalloc.start()
    try:
        assert is_refused(text)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_numbers_are_bounded_on_the_way_and_at_the_end() -> None:
    assert calculate(str(LARGEST), {}) == LARGEST
    assert calculate("x * x // x", {"x": 10**6}) == 10**6
    for text in (
        str(LARGEST + 1), "x * x", "x * x // x", "1 if x * x else 2", f"0 * ({LARGEST} + 1)",
        "*".join(["9" * 12] * 14), "9" * LONGEST, "1 / x / x", "-x * x", "round(x * x)",
    ):  # fmt: skip
        assert is_refused(text, {"x": 10**9}), text
    assert is_refused("x", {"x": 10**5000})
    assert is_refused("x / 0", VALUES)
    assert is_refused("x // (y + 4)", VALUES)
    assert is_refused("x % 0", VALUES)
    assert is_refused("1 + " * 60 + "1", VALUES)  # too long


def test_numbers_are_exact_as_they_are_written() -> None:
    assert calculate("round(0.1 * 3 * 10)", {}) == 3
    assert calculate("10 * 0.7", {}) == 7
    with pytest.raises(BiasError, match=r"comes to 3/2, which is no whole number"):
        calculate("x / 10", {"x": 15})
    assert expressions._number(0.1) == Fraction(1, 10)


def test_a_refusal_says_what_is_wrong_and_what_there_is() -> None:
    with pytest.raises(BiasError) as refused:
        calculate("'%d' % x", {"x": 1})
    assert "“'%d'” is a text, and a number is needed" in str(refused.value)
    assert "It may use x, + - * / // %" in str(refused.value)


def test_the_page_names_what_there_is() -> None:
    (sentence,) = [
        line for line in DOCS.read_text(encoding="utf-8").split("\n") if "and nothing else" in line
    ]
    for each in (*FUNCTIONS, "+ - * / // %", "and`, `or`, `not", "a if b else c"):
        assert each in sentence, each


def is_refused(text: str, values: dict[str, int | str] | None = None) -> bool:
    """Whether a sentence refuses an expression; whatever else comes of it is an error."""
    try:
        calculate(text, VALUES if values is None else values)
    except BiasError:
        return True
    return False
