"""Expressions and equations in the way of writing that a form of the catalogue has.

``3(x + 2) + 4x``, ``a^2 + b`` with numbers for the letters, ``x^2 + 5x + 6 = 0`` by its factors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from schoolmath.malrules.answers import read_terms
from schoolmath.malrules.catalogue.algebra.expression_values import TwoLetterValue
from schoolmath.malrules.catalogue.algebra.like_terms_and_brackets import (
    BracketExpansion,
    LinearProduct,
    TwoLetterTerms,
)
from schoolmath.malrules.catalogue.algebra.powers_of_letters import (
    Monomials,
    PolynomialDifference,
    PowerOfTerm,
    PowerTerms,
    TermProduct,
)
from schoolmath.malrules.catalogue.equations.linear_equations import (
    BracketTerms,
    EquationWithBrackets,
    LinearEquation,
)
from schoolmath.malrules.catalogue.numbers.order_of_operations import ArithmeticExpression
from schoolmath.malrules.forms import Form
from schoolmath.malrules.reading.tokens import TWO_LETTER_UNITS, in_one_line, with_carets


class Rewriting(NamedTuple):
    """A question written in another way.

    Attributes:
        text: the other way.
        answers: what an answer to the first is to the other, where that differs.
        problem: the problem itself, where it was read as a whole and not put in other words.
        refusal: why there is no such problem, though it was read; else "".
    """

    text: str
    answers: Mapping[str, str] = {}
    problem: Form | None = None
    refusal: str = ""


def read_as(form: Callable[..., Form], *fields: object) -> Rewriting:
    """The problem of a form, or why there is none with such numbers."""
    try:
        problem = form(*fields)
    except ValueError as error:
        return Rewriting("", refusal=str(error))
    return Rewriting(problem.stem(), problem=problem)


_QUADRATIC = re.compile(
    r"(?:solve:? *)?(\d*) ?x(?:\^2|²) *(?:([+-]) *(\d*) ?x)? *(?:([+-]) *(\d+))? *= *0\.?",
    re.IGNORECASE,
)


def quadratic(text: str) -> Rewriting | None:
    """An equation with whole roots, by its factors."""
    match = _QUADRATIC.fullmatch(text)
    if match is None:
        return None
    lead = int(match[1] or 1)
    middle = int((match[2] or "+") + (match[3] or "1")) if match[2] else 0
    last = int((match[4] or "+") + (match[5] or "0"))
    square = middle**2 - 4 * lead * last
    if not lead or square < 0 or isqrt(square) ** 2 != square:
        return None
    roots = [Fraction(-middle + sign * isqrt(square), 2 * lead) for sign in (-1, 1)]
    if any(root.denominator != 1 for root in roots):
        return None
    brackets = "".join(f"(x {'-' if root > 0 else '+'} {abs(root)})" for root in roots)
    return Rewriting(f"{brackets} = 0")


_SIMPLIFIED = re.compile(
    r"(simplify|(?:collect|combine) (?:the )?(?:like|similar) terms(?: in)?(?: the expression)?)?"
    r":? ?([-+ ^\da-z]+)",
    re.IGNORECASE,
)
_UNIT_LETTERS = frozenset("cdghlmst")
"""Letters that are units where nobody says that something is to be simplified: 3h + 20m."""


def two_letters(text: str) -> Rewriting | None:
    """A sum of terms in two letters or more, to be simplified or worked out."""
    text = with_carets(text)
    if (match := _SIMPLIFIED.fullmatch(text)) is not None:
        terms, values = read_terms(match[2]), {}
        are_words = re.search(r"\d [a-z]{2}|[a-z] [a-z]", text)
        if match[1] is None and (are_words or {letter for letter, _ in terms} <= _UNIT_LETTERS):
            return None
    elif (match := _VALUED.fullmatch(text)) is not None:
        terms = read_terms(match["sum"] or match["then"])
        pairs = re.findall(r"([a-z]) ?= ?(\d+)", match["values"] or match["first"])
        values = {letter: int(value) for letter, value in pairs}
    else:
        return None
    letters = [each for each, _ in terms]
    if len(set(re.findall(r"[a-z]", "".join(letters)))) < 2:
        return None
    numbers = [number for _, number in terms]
    alike = len(set(letters)) < len(letters) or all(len(each) == 1 for each in letters)
    if not values and not alike and not text.lower().startswith(("simplify", "co")):
        return None
    if not values:
        return read_as(TwoLetterTerms, tuple(numbers), tuple(letters))
    if len(terms) != 2 or len(set(letters)) != 2 or set(values) != set(letters):
        return None
    (one, other), (first, second) = letters, numbers
    return read_as(TwoLetterValue, (first, second), (one, other), (values[one], values[other]))


_DO = "evaluate |what is |find |work out |calculate |(?:the )?value of "
_VALUES = r"[a-z] ?= ?\d+(?:,| and|, and) [a-z] ?= ?\d+"
_VALUED = re.compile(
    rf"(?:{_DO})*(?P<sum>[-+ \da-z]+?),? "
    rf"(?:when|if|for|given(?: that)?|where|at) (?P<values>{_VALUES})"
    rf"|(?:if|when|given(?: that)?|for) (?P<first>{_VALUES}),? (?:then )?"
    rf"(?:{_DO})*(?P<then>[-+ \da-z]+)",
    re.IGNORECASE,
)


_TERMS = r"[-+×÷*/^(). \da-z]+"
_WORTH = r"-?\d+(?:\.\d+|/\d+)?"
_ONE_VALUE = rf"[a-z] ?= ?{_WORTH}"
_ALL_VALUES = rf"{_ONE_VALUE}(?:(?: ?,| and| ?, and) {_ONE_VALUE})*"
_LETTERS_VALUED = re.compile(
    rf"(?:{_DO})*(?P<whole>{_TERMS}?),? "
    rf"(?:when|if|for|given(?: that)?|where|at) (?P<values>{_ALL_VALUES})"
    rf"|(?:if|when|given(?: that)?|for) (?P<first>{_ALL_VALUES}),? "
    rf"(?:then )?(?:{_DO})*(?P<then>{_TERMS})",
    re.IGNORECASE,
)
_FUNCTION = re.compile(
    rf"(?:if |given(?: that)? |let )?([a-z])\(([a-z])\) ?= ?(?P<rule>{_TERMS}?)"
    rf"(?:[.,;]| and|,? then)? (?:{_DO})*\1\((-?\d+)\)",
    re.IGNORECASE,
)


_RULE = re.compile(
    rf"(?:if |given(?: that)? |let )?([a-z]) ?= ?(?P<rule>{_TERMS}?)"
    rf"(?:(?:[.,;]| and|,? then)? (?:{_DO})*\1,? (?:when|if|for|where|at) (?P<values>{_ONE_VALUE})"
    rf"|(?:[.,;]| and) (?:if )?(?P<first>{_ONE_VALUE})[.,;]? (?:{_DO})+\1)",
    re.IGNORECASE,
)
_NTH_TERM = re.compile(
    rf"(?:the )?n-?th term (?:of a (?:sequence|pattern) )?is (?P<rule>{_TERMS}?)[.,;] "
    rf"(?:{_DO})*(?:the )?(?P<n>\d+)(?:st|nd|rd|th) term",
    re.IGNORECASE,
)


def substitution(text: str) -> Rewriting | None:
    """``a^2 + b when a = 5 and b = 2`` as 5^2 + 2, ``f(x) = x^2 + 1. Find f(-3)`` as (-3)^2 + 1."""
    line = in_one_line(text)
    if (match := _FUNCTION.fullmatch(line)) is not None:
        whole, values = match["rule"], {match[2].lower(): match[4]}
    elif (match := _NTH_TERM.fullmatch(line)) is not None:
        whole = match["rule"]
        values = dict.fromkeys(re.findall(r"[a-z]", whole)[:1], match["n"])
    elif (match := _RULE.fullmatch(line) or _LETTERS_VALUED.fullmatch(line)) is not None:
        whole = match.groupdict().get("rule") or match["whole"] or match["then"]
        pairs = re.findall(
            rf"([a-z]) ?= ?({_WORTH})", match["values"] or match["first"], re.IGNORECASE
        )
        values = {letter.lower(): value for letter, value in pairs}
    else:
        return None
    letters = re.findall(r"[a-z]+", whole.lower())
    if not letters or not set("".join(letters)) <= values.keys():
        return None
    if re.search(r"/ ?(?:\d+ ?[a-z(]|[a-z] ?[a-z(])", whole, re.IGNORECASE):
        # "1/2x" is half of x to some and 1 over 2x to others.
        return None

    def put(letter: re.Match[str]) -> str:
        value = values[letter[0].lower()]
        value = f"({value})" if not value.isdigit() else value
        before = whole[: letter.start()].rstrip()[-1:]
        joined = re.match(r"[\da-z)]", before, re.IGNORECASE)
        return f" × {value}" if joined else value

    numbers = re.sub(r"[a-z]", put, whole, flags=re.IGNORECASE)
    return Rewriting(re.sub(r"(?<=[\d)]) ?(?=\()|(?<=\)) ?(?=\d)", " × ", numbers))


_CALCULATION = re.compile(r"(?:_ = )?([-+×÷*/^(). \d]+)(?: = _)?")


def calculation(text: str) -> Rewriting | None:
    """Numbers, signs and brackets, in whatever order."""
    match = _CALCULATION.fullmatch(_without_roots(in_one_line(text)))
    if match is None or not re.search(r"[\d)] *[-+×÷*/^(]", match[1]):
        return None
    if any(not _is_fraction(divided) for divided in _UNDER_A_PRODUCT.finditer(match[1])):
        return Rewriting("", refusal=_TWO_WAYS)
    mixed = _MIXED.sub(_improper, match[1])
    written = re.sub(
        r"(?<=\d) ?\(|\) ?\((?=[-\d(])", lambda found: found[0].replace("(", "× ("), mixed
    )
    written = re.sub(r"\) ?(?=\d)", ") × ", written).replace("*", "×")
    written = re.sub(r"\) ?/|/ ?\(", lambda found: found[0].replace("/", "÷"), written)
    spaced = re.sub(r"(?<=[\d)]) ?([-+×÷]) ?", r" \1 ", " ".join(written.split()))
    return read_as(ArithmeticExpression, " ".join(spaced.split()))


_UNDER_A_PRODUCT = re.compile(
    r"(?P<over>\d*)(?P<sign> ?[÷/] ?)(?P<under>\d+(?:\.\d+)?|\([^()]*\))"
    r"(?: ?\((?=[-\d(])|(?<=\)) ?\d)"
)
_TWO_WAYS = (
    "A number right before a bracket, behind a sign of division, is read in two ways: write "
    "48 ÷ 2 × (9 + 3) or 48 ÷ (2 × (9 + 3))."
)


def _is_fraction(division: re.Match[str]) -> bool:
    """Whether what is divided stands as a fraction before the bracket: ``1/2(8 + 4)``."""
    over, under = division["over"], division["under"]
    return division["sign"] == "/" and over.isdigit() and under.isdigit() and int(over) < int(under)


_MIXED = re.compile(r"(?<![\d/.])(\d+) (\d+)/(\d+)(?![\d/])")


def _improper(number: re.Match[str]) -> str:
    """A mixed number as one fraction."""
    return f"{int(number[1]) * int(number[3]) + int(number[2])}/{number[3]}"


def _without_roots(text: str) -> str:
    """Square roots that are whole numbers as these numbers, and sizes of numbers (``|-3|``)."""

    def root(match: re.Match[str]) -> str:
        number = int(match[1] or match[2])
        return str(isqrt(number)) if isqrt(number) ** 2 == number else match[0]

    if re.search(r"\^ ?\d+ ?√", text):
        return text  # "³√64" is a cube root.
    sized = re.sub(r"(?<![\d)|])\| ?-? ?(\d+(?:\.\d+)?) ?\|(?![\d(|])", r"\1", text)
    apart = re.sub(r"(?<=[\d)]) ?√", " × √", sized)
    return re.sub(r"√(?:\((\d{1,6})\)|(\d{1,6})(?![\d.,/]))", root, apart)


_LINEAR = r"\( ?(-?\d*)x ?([-+]) ?(\d+) ?\)"
_PRODUCT = re.compile(
    rf"(?:(?:expand|multiply out|multiply|distribute|simplify|remove the brackets)"
    rf"(?: and simplify)?:? )?(?:(-?\d*)(x?)|{_LINEAR}) ?(?:{_LINEAR}|\^(2))",
    re.IGNORECASE,
)


_TERM = r"\(?(-?\d*(?:[a-z](?:\^\d)?)*)\)?"
_TWO_TERMS = re.compile(
    rf"(?:(?:simplify|multiply|expand|work out|divide|(?:find )?the (?:quotient|product) of):? )?"
    rf"(?:{_TERM}(?: ?(?P<sign>[×*·÷/]) ?| (?P<word>by|and) |(?=\()){_TERM})",
    re.IGNORECASE,
)
_TERM_POWER = re.compile(
    r"(?:(?:simplify|expand|work out):? )?\((\d+)x(?:\^(\d+))?\)\^(\d)", re.IGNORECASE
)
_POWER_OF = re.compile(r"([a-z])(?:\^(\d))?", re.IGNORECASE)


def _term(term: str) -> tuple[int, list[tuple[str, int]]]:
    """The number of a term and the exponents of its letters."""
    letters = [(letter, int(power or 1)) for letter, power in _POWER_OF.findall(term)]
    return _coefficient(re.sub(r"[a-z].*", "", term, flags=re.IGNORECASE)), letters


def term_product(text: str) -> Rewriting | None:
    """``2x × 3x``, ``(2x)^2`` and ``12a^2b ÷ 3a``: terms that are multiplied, divided or raised."""
    if (match := _TERM_POWER.fullmatch(in_one_line(text))) is not None:
        return read_as(PowerOfTerm, *(int(each or 1) for each in match.groups()))
    line = in_one_line(text, as_x=False)
    if (match := _TWO_TERMS.fullmatch(line)) is None:
        return None
    sign, word = match["sign"] or "", match["word"]
    divides = sign in ("÷", "/") or re.match(r"divide|.*quotient", line, re.I) is not None
    if word and not (divides or re.match(r"multiply|.*product", line, re.I)):
        return None
    (first, one), (second, other) = _term(match[1]), _term(match[4])
    if not (one or other) or not (match[1].strip("-") and match[4].strip("-")):
        return None
    if re.search(rf"(?:\d|^)(?:{TWO_LETTER_UNITS})$", match[1]):
        return None  # "10cm ÷ 2"
    if not divides and len({letter for letter, _ in one + other}) == 1 and min(first, second) > 1:
        powers = (sum(exponent for _, exponent in letters) for letters in (one, other))
        return read_as(TermProduct, first, next(powers), second, next(powers))
    return read_as(Monomials, first, tuple(one), "÷" if divides else "×", second, tuple(other))


_SUM = r"(-?(?:\d*x(?:\^\d)?|\d+)(?: ?[-+] ?(?:\d*x(?:\^\d)?|\d+))+)"
_POWERS = re.compile(
    rf"(simplify:? |(?:collect|combine)(?: the)? like terms(?: in)?:? )?{_SUM}", re.IGNORECASE
)
_DIFFERENCE = re.compile(
    rf"(?:(?:simplify|subtract|find the difference):? )?\({_SUM}\) ?- ?\({_SUM}\)", re.IGNORECASE
)
_POWER = re.compile(r"([-+]?)(\d*)(x?)(?:\^(\d))?")


def _terms(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(
        (int(f"{sign}{number or 1}"), int(power or 1) if letter else 0)
        for sign, number, letter, power in _POWER.findall(text.replace(" ", ""))
        if number or letter
    )


def power_terms(text: str) -> Rewriting | None:
    """``3x^2 + 2x - x^2``, to be collected; where nobody says so, some terms are alike."""
    line = re.sub(r"\+ ?\(-([^()]+)\)", r"- \1", in_one_line(text))
    if "^" not in line:
        return None
    if (match := _DIFFERENCE.fullmatch(line)) is not None:
        return read_as(PolynomialDifference, _terms(match[1]), _terms(match[2]))
    match = _POWERS.fullmatch(line)
    if match is None:
        return None
    terms = _terms(match[2])
    if not match[1] and len({power for _, power in terms}) == len(terms):
        return None
    return read_as(PowerTerms, terms)


def linear_product(text: str) -> Rewriting | None:
    """``4(2x - 3)``, ``(2x + 1)(x + 3)``, ``(2x + 1)^2``."""
    match = _PRODUCT.fullmatch(in_one_line(text))
    if match is None:
        return None
    number, letter, *rest, square = match.groups()
    first, second = rest[:3], rest[3:]
    if square:
        second = first
    if second[0] is None or (first[0] is None and not (number or letter)):
        return None
    if first[0] is None:
        size = _coefficient(number)
        front = (size, 0) if letter else (0, size)
    else:
        front = (_coefficient(first[0]), int(first[1] + first[2]))
    return read_as(LinearProduct, *front, _coefficient(second[0]), int(second[1] + second[2]))


_AFTER_A_BRACKET = re.compile(
    r"(?:(?:expand|simplify|expand and simplify):? )?"
    r"(?:(?P<number>\d+) ?\(x ?(?P<inside>[-+] ?\d+)\) ?(?P<x>[-+] ?\d*)x"
    r"|(?P<first>\d*)x ?(?P<next>[-+] ?\d+) ?\(x ?(?P<behind>[-+] ?\d+)\))",
    re.IGNORECASE,
)


def with_terms(text: str) -> Rewriting | None:
    """``3(x + 2) + 4x`` and ``4x + 3(x + 2)``."""
    match = _AFTER_A_BRACKET.fullmatch(in_one_line(text))
    if match is None:
        return None
    if match["number"]:
        fields = match["x"], match["number"], match["inside"]
    else:
        fields = match["first"], match["next"], match["behind"]
    letters, factor, constant = (each.replace(" ", "").replace("+", "") for each in fields)
    return read_as(BracketExpansion, _coefficient(letters), int(factor), int(constant))


_BRACKET_TERMS = re.compile(
    r"(?:(?:expand|simplify|multiply out|remove the brackets)(?: and simplify)?:? )?"
    r"([-+()x\d ]*[-+][-+()x\d ]*)",
    re.IGNORECASE,
)


def bracket_terms(text: str) -> Rewriting | None:
    """``2(3x - 4) + 5`` and ``7 - (x - 2)``."""
    match = _BRACKET_TERMS.fullmatch(in_one_line(text))
    if match is None or "x(" in match[1] or not {"(", "x"} <= set(match[1]):
        return None
    return read_as(BracketTerms, _spaced(match[1]))


def _spaced(terms: str) -> str:
    """With a space on each side of a sign that joins, none in a bracket's ends."""
    spaced = re.sub(r" ?([-+=]) ?", r" \1 ", re.sub(r"(?<=\d) (?=\()", "", terms))
    spaced = re.sub(r"(^|[(=]) ?- ", r"\1-", spaced.strip()).replace("=-", "= -")
    return re.sub(r"\( ?| ?\)", lambda found: found[0].strip(), spaced)


_EQUATION = re.compile(r"[-+()x\d ]*x[-+()x\d ]*=[-+()x\d ]+|[-+()x\d ]+=[-+()x\d ]*x[-+()x\d ]*")


_OVER = re.compile(r"(?:solve )?\(([-+ \dx]*x[-+ \dx]*)\) ?[/÷] ?(\d+) = (-?\d+)", re.IGNORECASE)
"""A sum over a number: it is solved from "times the number" on."""


_SQUARES = re.compile(r"(?:solve )?([2-9]|[1-9]\d+)x\^2 = (\d+)", re.IGNORECASE)


def equation(text: str) -> Rewriting | None:
    """An equation in x with brackets; the question for x behind it is left out."""
    line = re.sub(
        r"[.,;]? (?:what is|find|solve for) x$", "", in_one_line(text), flags=re.IGNORECASE
    )
    if (over := _OVER.fullmatch(line)) is not None:
        return Rewriting(f"Solve {over[1].strip()} = {int(over[2]) * int(over[3])}")
    if (square := _SQUARES.fullmatch(line)) is not None and int(square[2]) % int(square[1]) == 0:
        return Rewriting(f"Solve x^2 = {int(square[2]) // int(square[1])}")
    if _EQUATION.fullmatch(line) is None:
        return None
    if "(" in line:
        return read_as(EquationWithBrackets, _spaced(line))
    left, right = (_collected(side) for side in line.split("="))
    if left is None or right is None:
        return None
    if not left[0]:
        left, right = right, left
    return read_as(LinearEquation, *left, *right)


def _collected(side: str) -> tuple[int, int] | None:
    """How many x stand on a side of an equation, and what is added; None where it is none."""
    plain = side.replace(" ", "")
    if not re.fullmatch(r"[-+]?\d*x?(?:[-+]\d*x?)*", plain) or re.search(r"[-+](?![\dx])", plain):
        return None
    terms = re.findall(r"([-+]?)(\d*)(x?)", plain)
    letters = sum(_coefficient(f"{sign.strip('+')}{number}") for sign, number, x in terms if x)
    return letters, sum(int(f"{sign}{number}") for sign, number, x in terms if number and not x)


def _coefficient(text: str) -> int:
    return int(f"{text}1") if text in {"", "-"} else int(text)


_NUMBER = r"-?\d+(?:\.\d+)?(?:/\d+)?"
_OPERAND = rf"{_NUMBER}|\([^()a-z]+\)"
_SPOKEN: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (rf"\bthe sum of ({_NUMBER}) and ({_NUMBER}) by their (difference|product)",
     lambda m: f"({m[1]} + {m[2]}) by ({m[1]} {'-' if m[3] == 'difference' else '×'} {m[2]})"),
    (rf"\b(?:the )?sum of ({_NUMBER}) and ({_NUMBER})", r"(\1 + \2)"),
    (rf"\b(?:the )?product of ({_NUMBER}) and ({_NUMBER})", r"(\1 × \2)"),
    (rf"\b(?:the )?quotient of ({_NUMBER}) and ({_NUMBER})", r"(\1 ÷ \2)"),
    (rf"^divide ({_OPERAND}) by ({_OPERAND})$", r"\1 ÷ \2"),
    (rf"^multiply ({_OPERAND}) (?:by|with) ({_OPERAND})$", r"\1 × \2"),
    (rf"^(?:subtract|take) ({_OPERAND}) from ({_OPERAND})$", r"\2 - \1"),
    (rf"^add ({_OPERAND}) (?:to|and) ({_OPERAND})$", r"\1 + \2"),
    (r"\b(\d+) squared\b", r"\1^2"), (r"\b(\d+) cubed\b", r"\1^3"),
    (r"\btwice (?=\d|\()", "2 × "), (r"(?<![\w)] )\b(?:negative|minus) (?=\d)", "-"),
    (r"\bnegative (\d+(?:\.\d+)?)", r"(-\1)"),
    (rf"^({_NUMBER}) more than (.+)$", r"\2 + \1"), (rf"^({_NUMBER}) less than (.+)$", r"\2 - \1"),
    (r"(?<=[\d)]) (?:plus|add) ", " + "), (r"(?<=[\d)]) (?:minus|take away|subtract) ", " - "),
    (r"(?<=[\d)]) (?:times|multiplied by|lots of) ", " × "), (r"(?<=[\d)]) divided? by ", " ÷ "),
)  # fmt: skip
_SIGNS_ONLY = re.compile(r"[-+×÷/()^\d. ]+")


def spoken(text: str) -> str:
    """A calculation in words in signs, ``5 times the sum of 3 and 4``; "" where it is none."""
    line = re.sub(
        r"^(?:what is|what's|find|work out|calculate|evaluate) (?:the value of )?", "", text.lower()
    )
    for words, signs in _SPOKEN:
        line = re.sub(words, signs, line)
    # "The sum of 3 and 4 times 5" may be 35 and 23.
    commanded = text.lower().startswith(("divide ", "multiply "))
    if (re.search(r"\) [×÷^]", line) and not commanded) or line == text:
        return ""
    return line if _SIGNS_ONLY.fullmatch(line) else ""
