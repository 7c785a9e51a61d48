"""What is read from calculations, equations and algebra has the answer that sympy has.

The reader learns its ways of writing from single examples, so a number can be lost on the way:
``4(2x - 3)`` was once read as ``4(x - 3)``. Here random problems are read, or refused, and what is
read is worked out a second time by a library that knows nothing of it.
"""

from __future__ import annotations

import random
import re
from fractions import Fraction

import sympy

from schoolmath.malrules.reading import UnreadProblem, read_problem
from tests.loops import over

X = sympy.Symbol("x")
SEED, MANY = 20_261_129, 2_000


def _number(draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.6:
        return str(draw.randint(1, 99))
    if kind < 0.8:
        return f"{draw.randint(0, 20)}.{draw.randint(1, 99)}"
    return f"{draw.randint(1, 9)}/{draw.randint(2, 12)}"


def _calculation(draw: random.Random) -> str:
    one, other, third = (draw.randint(1, 12) for _ in range(3))
    sign, second = draw.choice("+-×÷"), draw.choice("+-×")
    chain = " ".join([_number(draw), sign, _number(draw), second, _number(draw)])
    return draw.choice(
        [
            f"{_number(draw)} {sign} {_number(draw)}", chain,
            f"({one} {second} {other}) {sign} {third}", f"{one} {sign} ({other} {second} {third})",
            f"-{one} {sign} {other}", f"{one} {sign} (-{other})", f"{one}({other} + {third})",
            f"{one}^{draw.randint(0, 4)} {second} {other}", f"(-{one})^{draw.randint(1, 4)}",
            f"{one} 3/14 {sign} {other} 2/5",
        ]
    )  # fmt: skip


def _linear(draw: random.Random) -> str:
    factor, constant = draw.choice(["", *map(str, range(2, 10))]), draw.randint(1, 20)
    return draw.choice([f"{factor}x + {constant}", f"{factor}x - {constant}", f"{factor}x",
                        f"{constant} - {factor}x", f"-{factor}x + {constant}"])  # fmt: skip


def _bracket(draw: random.Random) -> str:
    return f"({draw.choice(['', '2', '3', '5'])}x {draw.choice('+-')} {draw.randint(1, 9)})"


def _equation(draw: random.Random) -> str:
    right = draw.randint(-20, 60)
    return draw.choice(
        [
            f"{_linear(draw)} = {right}", f"{_linear(draw)} = {_linear(draw)}",
            f"{draw.randint(2, 9)}{_bracket(draw)} = {right}",
            f"{draw.choice(['', '2', '3'])}x/{draw.randint(2, 6)} = {abs(right)}",
            f"{_bracket(draw)}{_bracket(draw)} = {draw.choice([0, 6])}",
            f"{draw.choice(['', '2'])}x^2 {draw.choice(['', '+ 5x '])}= {draw.choice([0, 16, 36])}",
        ]
    )  # fmt: skip


def _algebra(draw: random.Random) -> str:
    factor = draw.choice(["", "2", "3", "-4"])
    valued = draw.choice([_linear(draw), f"3{_bracket(draw)}", f"{_bracket(draw)}^2", "2x^2"])
    return draw.choice(
        [
            f"Expand {factor}{_bracket(draw)}{draw.choice([_bracket(draw), '', '^2'])}",
            f"Simplify {_linear(draw)} {draw.choice('+-')} {_linear(draw)}",
            f"Simplify 2x^{draw.randint(2, 6)} × {draw.randint(2, 4)}x^{draw.randint(2, 5)}",
            f"Factorise {draw.randint(2, 6)}x {draw.choice('+-')} {draw.choice([6, 9, 12])}",
            f"Factorise x^2 {draw.choice(['- 9', '+ 7x + 12', '- 5x + 6', '- 16', '+ 2x - 15'])}",
            f"Factorise x^2 {draw.choice('+-')} {draw.randint(1, 9)}x {draw.choice('+-')} 12",
            f"Simplify {factor}{_bracket(draw)} {draw.choice('+-')} {_linear(draw)}",
            f"Simplify {_linear(draw)} {draw.choice('+-')} {abs(int(factor or 1))}{_bracket(draw)}",
            f"Evaluate {valued} when x = {draw.randint(-5, 9)}",
        ]
    )  # fmt: skip


def _letters(draw: random.Random) -> str:
    a, b, one, other = (draw.randint(-6, 9) for _ in range(4))
    first, second = draw.choice(["a", "2a", "3a^2", "-a", "a^2", "ab"]), draw.choice(["b", "4b"])
    sign = draw.choice("+-")
    whole = draw.choice(
        [f"{first} {sign} {second}", f"{abs(one)}({first} {sign} {second})", f"{first} {sign} 7",
         f"({first} {sign} {second})^2", f"{first}({second} {sign} 2)", f"a/4 {sign} {second}"]
    )  # fmt: skip
    line = f"{draw.choice(['', '2', '5'])}x {sign} {abs(one)}"
    return draw.choice(
        [
            f"Work out {whole} when a = {a} and b = {b}", f"f(x) = {_linear(draw)}. Find f({a})",
            f"f(x) = {draw.choice(['', '2', '-'])}x^2 {sign} {abs(other)}. Find f({a})",
            f"Solve y = {line} and x + y = {other}", f"Solve x + y = {other} and y = {line}",
        ]
    )  # fmt: skip


def _sympy(text: str) -> sympy.Expr:
    text = text.replace("×", "*").replace("÷", "/").replace("^", "**")
    text = re.sub(r"\d+\.\d+", lambda found: f"Rational('{found[0]}')", text)
    text = re.sub(r"(\d+) (\d+)/(\d+)", r"(\1 + \2/\3)", text)
    text = re.sub(r"(?<![\w.)/*])(\d+/\d+)(?![\w.])", r"(\1)", text)
    text = re.sub(r"/ (\d+/\d+)", r"/ (\1)", text)
    text = re.sub(r"(?<=[\dabx)])(?=\()|(?<=\d)(?=[abx])|(?<=a)(?=b)", "*", text)
    return sympy.sympify(text, locals={"x": X})


def _is_answer(text: str, shown: str, value: object) -> bool:
    """Whether an answer of the reader is sympy's."""
    if (task := re.fullmatch(r"(?:Expand|Simplify|Factorise) (.*)", text)) is not None:
        return bool(sympy.expand(_sympy(shown) - _sympy(task[1])) == 0)
    if (task := re.fullmatch(r"Evaluate (.*) when x = (-?\d+)", text)) is not None:
        return bool(_sympy(shown) == _sympy(task[1]).subs(X, int(task[2])))
    if (task := re.fullmatch(r"Work out (.*) when a = (.*) and b = (.*)", text)) is not None:
        return bool(_sympy(shown) == _sympy(task[1]).subs({"a": int(task[2]), "b": int(task[3])}))
    if (task := re.fullmatch(r"f\(x\) = (.*)\. Find f\((.*)\)", text)) is not None:
        return bool(_sympy(shown) == _sympy(task[1]).subs(X, int(task[2])))
    if (task := re.fullmatch(r"Solve (.*) and (.*)", text)) is not None:
        sides = [map(_sympy, each.split(" = ")) for each in task.groups()]
        (found,) = sympy.solve([left - right for left, right in sides], [X, "y"], dict=True)
        return bool(_sympy(shown) == found[X])
    if "=" in text:
        left, right = map(_sympy, text.split("="))
        roots = {Fraction(each) for each in re.findall(r"-?\d+(?:/\d+)?", shown)}
        return roots == {Fraction(str(each)) for each in sympy.solve(left - right, X)}
    told = _sympy(text)
    return isinstance(value, Fraction) and sympy.Rational(*value.as_integer_ratio()) == told


def test_what_is_read_is_what_was_written() -> None:
    draw = random.Random(SEED)
    wrong, read = [], 0
    for _ in range(MANY):
        text = draw.choice([_calculation, _equation, _algebra, _letters])(draw)
        try:
            meanings = read_problem(text).meanings
        except UnreadProblem:
            continue
        read += 1
        answers = [meaning[0].solve().answer for meaning in meanings]
        wrong += [
            f"{text}: {each.shown}"
            for each in answers
            if not _is_answer(text, each.shown, each.value)
        ]
    assert not wrong, f"{len(wrong)} of {read}: " + "; ".join(wrong[:20])
    assert read > MANY // 3


@over(
    ("text", "shown", "right"),
    [("2x + 3 = 9", "3", True), ("2x + 3 = 9", "6", False), ("Expand 4(2x - 3)", "4x - 12", False)],
)
def test_the_second_opinion_sees_a_wrong_answer(text: str, shown: str, right: bool) -> None:
    value = Fraction(shown) if shown.isdigit() else shown
    assert _is_answer(text, shown, value) is right
