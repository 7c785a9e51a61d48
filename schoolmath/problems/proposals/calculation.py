"""A calculation that somebody wrote for a problem, worked out exactly."""

from __future__ import annotations

import ast
import re
from fractions import Fraction

from schoolmath.problems.proposals.statements import LONGEST_REPLY, ProposalError

LONGEST_CALCULATION = 200
"""Characters of the longest calculation that is worked out."""

_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "[": "(", "]": ")"})
_WORDLESS = re.compile(r"[-+*/().,\d\s$€£]*\d[-+*/().,\d\s$€£]*")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")


def value_of(reply: str) -> Fraction:
    """The value of the last line of a reply that is nothing but a calculation.

    What stands after an equals sign is left out: the value is worked out here.

    Raises:
        ProposalError: no line is a calculation, or it can't be worked out.
    """
    if len(reply) > LONGEST_REPLY:
        raise ProposalError(f"The reply is longer than {LONGEST_REPLY:,} characters.")
    for line in reversed(reply.splitlines()):
        written = line.translate(_SIGNS).strip(" `.;").partition("=")[0]
        written = re.sub(r"(?<=[\d)\s])x(?=[\s\d(])", "*", written)
        if len(written) <= LONGEST_CALCULATION and _WORDLESS.fullmatch(written):
            return _value(_GROUPED.sub("", re.sub(r"[$€£]", "", written)).strip())
    raise ProposalError("The second reading is no calculation.")


def _value(written: str) -> Fraction:
    try:
        return _worked_out(ast.parse(written, mode="eval").body)
    except ZeroDivisionError:
        raise ProposalError("The second reading divides by nothing.") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ProposalError(f"The second reading, “{written}”, can't be worked out.") from None


def _worked_out(node: ast.expr) -> Fraction:
    """The value of a sum, difference, product, quotient or number; nothing else is one."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return Fraction(str(value))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_worked_out(operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _worked_out(left) + _worked_out(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _worked_out(left) - _worked_out(right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _worked_out(left) * _worked_out(right)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _worked_out(left) / _worked_out(right)
    raise ValueError("neither a number nor one of the four operations")
