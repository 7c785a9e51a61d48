"""What people answer, as they write it: read as numbers, lists, expressions, sums and products.

A right answer is right however it is written: ``x² + 8x``, ``(x+3)(x+2)``, ``±5``, ``4 < x``,
``2^2 x 3``, ``1:25`` for 85 minutes, ``78.5`` for 25 times pi.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor, gcd, pi, prod

from schoolmath.malrules.answers import Answer, AnswerKind, read_terms
from schoolmath.malrules.catalogue.equations.graphs_and_functions import Intercept, YIntercept
from schoolmath.malrules.catalogue.equations.quadratic_equations import Simultaneous
from schoolmath.malrules.catalogue.fractions.ratios import RatioShare
from schoolmath.malrules.catalogue.fractions.rewriting import LowestTerms
from schoolmath.malrules.catalogue.geometry.measuring import ElapsedTime
from schoolmath.malrules.catalogue.numbers.division import DivisionByZero
from schoolmath.malrules.catalogue.numbers.powers_and_roots import PowerProduct
from schoolmath.malrules.forms import Form
from schoolmath.malrules.reading.answer_units import in_unit_of
from schoolmath.malrules.reading.tokens import in_one_line, take_apart, with_carets
from schoolmath.text.formulas import typed
from schoolmath.text.written_answers import said_in_words, stated_last

MOST_SIGNS = 60
"""Longest answer that is looked at."""
MOST_OF_A_WORKING = 2_000
"""Longest answer with its working."""
_MOST_DIGITS = 15
_MIXED = re.compile(r"(-?)(\d+) (\d+)/(\d+)", re.ASCII)
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)", re.ASCII)
_FRACTION = re.compile(r"(-?\d+)/(-?\d+)", re.ASCII)
_POWER = re.compile(r"(\d{1,3})\^(\d)", re.ASCII)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?", re.ASCII)
_AROUND = re.compile(r"^[$€£]\s*|\s*(?:[$€£¢%°π]|\([a-zA-Z ]+\)|[a-zA-Z]+[²³]?\.?)+$")
_YES_OR_NO = ("yes", "no")
_ANY_ROOT = re.compile(r"\b(?:find|write|give) (?:a|one) (?:possible )?(?:solution|root)\b", re.I)
_EQUALS = re.compile(r"^(?:[a-z]|answer|ans)\s*[=:]\s*", re.IGNORECASE)


class UnreadAnswer(ValueError):
    """A text that is no answer to the problem; the message is a sentence."""


def read_given(
    text: str, right: Answer, expected: Iterable[Answer], *, new_phrases: bool = True
) -> Answer | None:
    """What somebody answered; None where the text cannot be an answer of this kind.

    Compared first with how known answers are written, then read as a number, an expression or,
    where the right answer is a choice or a phrase, taken as it stands. What is no number itself,
    such as an answer with its working ("2/3 * 4/6 = 12/12 = 1"), is read by what stands last.

    Args:
        text: the answer as it is written, not blank.
        right: the right answer.
        expected: answers that are known for this problem, such as those of mal-rules.
        new_phrases: whether a phrase that is not known can be an answer.
    """
    answers, text = (right, *expected), typed(text)
    between = next((each for each in (" < ", " > ") if each in right.shown), "")
    if between and (in_order := _in_order(right.shown)):
        given = _in_order(text)
        return Answer.label(between.join(given)) if sorted(given) == sorted(in_order) else None
    last = stated_last(text) if len(text) <= MOST_OF_A_WORKING else text
    for said in (text, last):
        for each in answers:
            if folded(each.shown) == folded(said) or _listed(each.shown) == _listed(said) != ():
                return each
            if right.kind is not AnswerKind.NUMBER and _alike(each.shown, said):
                return each
    if right.kind is AnswerKind.NUMBER:
        for said in (_EQUALS.sub("", text.strip()), last, said_in_words(text[:MOST_OF_A_WORKING])):
            # An answer "2:3" is a fraction where the right one is.
            value = read_number(said.replace(":", "/") if re.search("[/:]", right.shown) else said)
            if value is not None:
                return Answer.number(value * _scale(right), said)
        return None
    if not new_phrases or len(text) > MOST_SIGNS:
        return None
    if right.value in _YES_OR_NO:
        first = re.match(r"[a-z]*", text.strip().lower())
        return Answer.label(first[0]) if first and first[0] in _YES_OR_NO else None
    if right.kind is not AnswerKind.EXPRESSION:
        return Answer.label(text)
    whole, end = _expression(text), _expression(last)
    return end if end is not None and end.kind is AnswerKind.EXPRESSION else whole


def read_number(text: str) -> Fraction | None:
    """A whole number, decimal (with point or comma), fraction or mixed number."""
    plain = text.replace("−", "-").strip()
    plain = _AROUND.sub("", _AROUND.sub("", plain)).strip()
    if sum(map(str.isdigit, plain)) > 2 * _MOST_DIGITS:
        return None
    try:
        if match := _MIXED.fullmatch(plain):
            size = int(match[2]) + Fraction(int(match[3]), int(match[4]))
            return -size if match[1] else size
        if match := _FRACTION.fullmatch(plain.replace(" ", "")):
            return Fraction(int(match[1]), int(match[2]))
        if match := _POWER.fullmatch(with_carets(plain)):
            return Fraction(int(match[1])) ** int(match[2])
        if _THOUSANDS.fullmatch(plain):
            return Fraction(plain.replace(",", "").replace(" ", ""))
        plain = plain.replace(",", ".")
        return Fraction(plain) if _NUMBER.fullmatch(plain) else None
    except ZeroDivisionError:
        return None


def folded(text: str) -> str:
    """A text without what does not matter in comparing answers: case, spaces, kinds of minus and
    of powers.
    """
    return re.sub(r"\s+", "", with_carets(text).casefold().replace("−", "-"))


def _listed(text: str) -> tuple[Fraction, ...]:
    """Two numbers or more in any order, "x = 2 or x = 3"; empty where it is no such list."""
    plain = _BOTH_SIGNS.sub(r"\1, -\1", text.strip().replace("−", "-"))
    if _SPACED_LIST.fullmatch(plain):
        plain = ",".join(plain.split())
    parts = re.split(r"\s*(?:[,;]|\band\b|\bor\b)\s*", plain)
    values = [read_number(_EQUALS.sub("", each)) for each in parts if each]
    numbers = [each for each in values if each is not None]
    return tuple(sorted(numbers)) if len(numbers) == len(values) > 1 else ()


_BOTH_SIGNS = re.compile(r"(?:±|\+/?-) ?(\d+(?:\.\d+)?)", re.ASCII)
_SPACED_LIST = re.compile(r"-?\d{1,4}(?: +-?\d{1,4}){2,}", re.ASCII)


def _alike(one: str, other: str) -> bool:
    """Whether two texts say the same sum, product, polynomial, inequality or factors."""
    return any(
        read(one) == said
        for read in (_composed, _polynomial, _inequality, _factors)
        if (said := read(other))
    )


_MONOMIAL = re.compile(
    r"([+-]?)(\d{1,9}(?:\.\d{1,6})?(?:/\d{1,6})?)?((?:[a-z](?:\^\d{1,2})?)*)", re.ASCII
)


def _plain(text: str) -> str:
    """As `folded`, with one way of writing times."""
    return re.sub(r"[·∙⋅]", "*", folded(text))


def _polynomial(text: str) -> tuple[tuple[str, Fraction], ...]:
    """Terms with letters in any order; () where it is none, or where terms are left to collect."""
    plain = re.sub(r"\((\d+/\d+)\)", r"\1", _plain(text)).replace("*", "")
    if not re.search(r"\d", plain) and len(plain) > 2:
        return ()  # A word.
    found: dict[str, Fraction] = {}
    at = 0
    while at < len(plain):
        match = _MONOMIAL.match(plain, at)
        if (
            match is None
            or match.end() == at
            or (at and not match[1])
            or not (match[2] or match[3])
        ):
            return ()
        letters = "".join(sorted(re.findall(r"[a-z](?:\^\d+)?", match[3])))
        names = re.findall(r"[a-z]", letters)
        if letters in found or len(set(names)) < len(names) or (match[2] or "").endswith("/0"):
            return ()
        found[letters] = Fraction(match[2] or 1) * (-1 if match[1] == "-" else 1)
        at = match.end()
    return tuple(sorted(found.items())) if any(found) else ()


_INEQUALITY = re.compile(r"(?:([a-z])(<=?|>=?)(-?[\d./]+)|(-?[\d./]+)(<=?|>=?)([a-z]))", re.ASCII)
_TURNED = str.maketrans("<>", "><")


def _inequality(text: str) -> tuple[str, str, Fraction | None] | None:
    """A letter, a sign and a number, whichever side they stand on."""
    plain = _plain(text).replace("≤", "<=").replace("≥", ">=").replace("=<", "<=")
    match = _INEQUALITY.fullmatch(plain)
    if match is None:
        return None
    if match[1]:
        return match[1], match[2], read_number(match[3])
    return match[6], match[5].translate(_TURNED), read_number(match[4])


def _factors(text: str) -> tuple[tuple[tuple[str, Fraction], ...], ...]:
    """Brackets that are multiplied, with what stands before them, in any order."""
    plain = _plain(text).replace("*", "")
    match = re.fullmatch(r"([^()]{0,12})((?:\([^()]{1,20}\)(?:\^[2-4])?){1,4})", plain)
    if match is None:
        return ()
    brackets = re.findall(r"\(([^()]+)\)(?:\^(\d))?", match[2])
    found = [_polynomial(inside) for inside, many in brackets for _ in range(int(many or 1))]
    before = {"": "1", "-": "-1"}.get(match[1], match[1])
    alone = _polynomial(before) or ((("", Fraction(before)),) if _NUMBER.fullmatch(before) else ())
    return (alone, *sorted(found)) if alone and all(found) else ()


_FACTOR = re.compile(r"(\d+(?:\.\d+)?)(?:\^(-?\d{1,2}))?", re.ASCII)
_MOST_ALIKE = 40


def _composed(text: str) -> tuple[str, ...]:
    """The parts of a sum, or of a product without a sum, in any order; () where it is neither.

    ``2^2 x 3`` is the product 2, 2, 3; a power of ten stays one: ``4.5*10^4``; ``3 × 100 + 4`` is
    the sum of 300 and 4.
    """
    plain = re.sub(r"[x×*]", "×", re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", _plain(text)))
    plain = re.sub(r"(?<=\d)e(?=-?\d)", "×10^", plain)
    terms = [[_FACTOR.fullmatch(each) for each in term.split("×")] for term in plain.split("+")]
    factors = [[each for each in term if each is not None] for term in terms]
    if any(len(one) != len(other) for one, other in zip(terms, factors, strict=True)):
        return ()
    if len(factors) > 1:
        if any(each[2] for term in factors for each in term):
            return ()
        worth = (prod(Fraction(each[1]) for each in term) for term in factors)
        return ("+", *sorted(str(each) for each in worth if each))
    parts: list[str] = []
    for each in factors[0]:
        small = each[2] is not None and each[1] != "10" and 0 < int(each[2]) <= _MOST_ALIKE
        parts += [each[1]] * int(each[2]) if small else [each[0]]
    return tuple(sorted(parts)) if len(parts) > 1 else ()


def _in_order(text: str) -> list[str]:
    """Three numbers or more one after the other, as they are written; else none."""
    parts = re.split(r"\s*(?:[,;<>]|\band\b)\s*|\s+", text.strip().replace("−", "-"))
    given = [each for each in parts if each]
    are_numbers = all(read_number(each) is not None for each in given)
    return given if len(given) > 2 and are_numbers else []


def _expression(text: str) -> Answer | None:
    """A number or a linear expression; None for any other, which is not told from a slip."""
    counts: Counter[str] = Counter()
    for letters, number in read_terms(text):
        counts[letters] += number
    if len(set("".join(counts))) > 1 and any(map(str.isdigit, text)):
        return Answer.terms(counts)
    line = take_apart(in_one_line(text))
    if len(line.slots) != 1 or line.shape not in {"⟨x⟩", "⟨n⟩", "⟨f⟩"}:
        return Answer.label(text) if line.slots else None
    parts = line.slots[0].parts
    coefficients = [parts.get("constant", parts.get("value")), parts.get("factor", Fraction(0))]
    numbers = [each for each in coefficients if isinstance(each, Fraction)]
    return Answer.polynomial(numbers) if len(numbers) == 2 else None


def _scale(right: Answer) -> Fraction:
    """What a number as written is worth: 25 % may be kept as 25 or as 1/4."""
    written = read_number(right.shown)
    if not written or not isinstance(right.value, Fraction) or not right.value:
        return Fraction(1)
    return right.value / written


WITH_A_PI = re.compile(
    r"[.,;?]? \(?(?:(?:(?:use|take|using|with) |(?<=\())"
    r"(?:(?:pi|π) ?(?:=|≈|as|to be) ?(?:3\.14\d*|22/7)"
    r"|(?:3\.14\d*|22/7) (?:for|as) (?:pi|π))|(?:use|using) 3\.14\d*)"
    r"(?:,? and (?:give|round|write) [a-z0-9 .]+)?\)?\.?$",
    re.IGNORECASE,
)
"""What a question may end with that says which number is to be taken for pi."""
_TIMES_PI = re.compile(r"(.*?\d)\s*(?:×|\*)?\s*(?:π|pi\b).*", re.IGNORECASE)
_PIS = (Fraction("3.14"), Fraction("3.142"), Fraction("3.1416"), Fraction(22, 7), Fraction(pi))
_HOURS = re.compile(
    r"(\d{1,2})(?::|\s*h(?:ours?|rs?)?\.?\s*(?:and\s*)?)(\d{1,2})(?:\s*m(?:in(?:ute)?s?)?)?\.?",
    re.IGNORECASE,
)
_REMAINDER = re.compile(r"(\d+)\s*(?:r|rem|remainder)\.?\s*(\d+)", re.IGNORECASE)
_PAIR = re.compile(r"\(\s*(-?[\d./]+)\s*[,;]\s*(-?[\d./]+)\s*\)")
_LETTERS = re.compile(r"([a-z])\s*=\s*(-?[\d./]+)", re.IGNORECASE)


_ROUNDED_TO = re.compile(
    r"\bto (?P<places>\d|one|two|three) (?:dp|d\.p|decimal places?)"
    r"|\b(?:to the )?nearest (?P<name>tenth|hundredth|thousandth|cent|penny|whole|integer|unit)\b",
    re.IGNORECASE,
)
_PLACES = {
    "one": 1, "two": 2, "three": 3, "tenth": 1, "hundredth": 2, "thousandth": 3, "cent": 2,
    "penny": 2, "whole": 0, "integer": 0, "unit": 0,
}  # fmt: skip


def _asked_step(question: str) -> Fraction | None:
    """To what a question asks an answer to be rounded: 1/100 for two decimal places."""
    if (match := _ROUNDED_TO.search(question)) is None:
        return None
    name = (match["places"] or match["name"]).lower()
    return Fraction(1, 10 ** (int(name) if name.isdigit() else _PLACES[name]))


def _is_right_when_rounded(text: str, right: Answer, question: str) -> bool:
    """Whether an answer is the right one, rounded to the places that the question asks for."""
    step, given = _asked_step(question), read_number(_EQUALS.sub("", text))
    if step is None or given is None or not isinstance(right.value, Fraction):
        return False
    return (given / step).denominator == 1 and abs(given - right.value) <= step / 2


def rounded_as_asked(right: Answer, question: str) -> str:
    """The right answer, half up, to the places that a question asks for; "" where it is exact or
    none is asked for.
    """
    step = _asked_step(question)
    if step is None or not isinstance(right.value, Fraction):
        return ""
    if (right.value / step).denominator == 1:
        return ""
    steps = floor(abs(right.value) / step + Fraction(1, 2))
    places = len(str(step.denominator)) - 1
    return f"{'-' if right.value < 0 else ''}{Decimal(steps).scaleb(-places)}"


def as_asked(text: str, problem: Form, question: str, answers: Sequence[Answer]) -> str:
    """An answer in the words of the form, where the question itself asks for others.

    Args:
        text: the answer as it was written.
        problem: as which the question is read; it may ask for minutes, or for a number times pi.
        question: as it was typed.
        answers: the right one and those of mal-rules.

    Raises:
        UnreadAnswer: of two values that are told one is not asked for here, and is wrong.
    """
    plain = text = in_unit_of(_with_x(text.strip().replace("−", "-"), problem, question), question)
    if "times pi" in problem.stem():
        return _in_pi(plain, question, answers)
    match problem:
        case ElapsedTime() if found := _HOURS.fullmatch(plain):
            # 1:65 is no time: somebody counted as if an hour had a hundred minutes.
            hours, minutes = int(found[1]), int(found[2])
            return str((60 if minutes < 60 else 100) * hours + minutes)
        case YIntercept() | Intercept() if found := _PAIR.fullmatch(plain):
            x, y = found.groups()
            other, asked = (x, y) if isinstance(problem, YIntercept) else (y, x)
            return asked if read_number(other) == 0 else text
        case Simultaneous():
            return _first_of_two(plain, problem)
        case DivisionByZero() if _IMPOSSIBLE.search(plain):
            return "not possible"
        case PowerProduct() if not _AS_A_POWER.search(question):
            return _as_a_power(plain, answers)
        case RatioShare() if found := _TWO_SHARES.fullmatch(plain):
            return _first_share(found, problem)
    if _ANY_ROOT.search(question) and _listed(right := problem.solve().answer.shown):
        one = read_number(_EQUALS.sub("", plain))
        return right if one in _listed(right) else text
    as_known = any(folded(each.shown) == folded(plain) for each in answers)
    if not as_known and _is_right_when_rounded(plain, answers[0], question):
        return answers[0].shown
    if not as_known and (found := _PERCENT.fullmatch(plain)) and _is_share(problem, question):
        return str(Fraction(found[1]) / 100)
    if not as_known and (found := _REMAINDER.fullmatch(plain)):
        divisor = getattr(problem, "divisor", 0)
        if isinstance(divisor, int) and divisor > int(found[2]):
            return f"{found[1]} {found[2]}/{divisor}" if int(found[2]) else found[1]
    return re.sub(r"(?<=\d) to (?=\d)", ":", plain) if "ratio" in question.casefold() else text


_IMPOSSIBLE = re.compile(
    r"\b(?:undefined|not defined|impossible|can(?:['’]?t|not)|no (?:answer|solution|number))\b",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?) ?(?:%|percent|per cent)", re.IGNORECASE | re.ASCII)
_SAYS_HOW = re.compile(r"%|\bper ?cent|\bfraction|\bdecimal", re.IGNORECASE)


def _is_share(problem: Form, question: str) -> bool:
    """Whether a number from 0 to 1 is asked for in no certain way of writing, as of a chance."""
    right = problem.solve().answer.value
    says_how = _SAYS_HOW.search(f"{question} {problem.stem()}") is not None
    return isinstance(right, Fraction) and 0 <= right <= 1 and not says_how


_AS_A_POWER = re.compile(r"power|index|indices|exponent", re.IGNORECASE)
_POWER = re.compile(r"(\d{1,4})\^(\d{1,2})", re.ASCII)


def _as_a_power(text: str, answers: Iterable[Answer]) -> str:
    """The answer that has the value of a number, where nobody asked for a power: 32 is 2^5."""
    value = read_number(text)
    powers = [found for each in answers if (found := _POWER.fullmatch(each.shown))]
    fits = (found[0] for found in powers if int(found[1]) ** int(found[2]) == value)
    return next(fits, text)


def _with_x(text: str, problem: Form, question: str) -> str:
    """The answer with x for the letter of the question, where the form has x for it."""
    letters = set(re.findall(r"[a-z]", text.casefold()))
    if len(letters) != 1 or re.search(r"[a-z]{2}", text.casefold()) or letters == {"x"}:
        return text
    (letter,) = letters
    alone = re.compile(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", re.IGNORECASE)
    has_x = re.search(r"(?<![A-Za-z])x(?![A-Za-z])", problem.stem()) is not None
    if not has_x or alone.search(problem.stem()) or not alone.search(question):
        return text
    return alone.sub("x", text)


def _in_pi(text: str, question: str, answers: Iterable[Answer]) -> str:
    """How often pi an answer is; one without pi is the whole, unless pi stands in the question."""
    if found := _TIMES_PI.fullmatch(text):
        return found[1]
    value = read_number(text)
    if value is None or re.search(r"π|\bpi\b", WITH_A_PI.sub("", question), re.IGNORECASE):
        return text
    decimals = re.match(r"\d*", text.partition(".")[2])
    places = len(decimals[0]) if decimals else 0
    for each in answers:
        if isinstance(each.value, Fraction) and any(
            round(each.value * one, places) == value for one in _PIS
        ):
            return each.shown
    return str(float(value) / pi)


def _first_of_two(text: str, problem: Simultaneous) -> str:
    """The x of ``x = 7, y = 3``, ``(7, 3)`` and ``7, 3``."""
    pair = _PAIR.fullmatch(text) or _PAIR.fullmatch(f"({text})")
    told = (
        dict(_LETTERS.findall(text))
        if pair is None
        else dict(zip("xy", pair.groups(), strict=True))
    )
    if len(told) != 2:
        return text
    x, y = (read_number(told[letter]) for letter in sorted(told))
    right = problem.solve().answer.value
    if x is None or y is None or not isinstance(right, Fraction):
        return text
    other = problem.first_right - problem.first * right
    if x == right and y != other:
        raise UnreadAnswer(
            f"Only x is asked for here, and {x} is right. The other value is {other}, not {y}."
        )
    return str(x)


_TWO_SHARES = re.compile(r"[$£€]?(\d[\d.]*) ?(?:,|:|;|and|&|to) ?[$£€]?(\d[\d.]*)")


def _first_share(pair: re.Match[str], problem: RatioShare) -> str:
    """The first of two shares."""
    first, second = map(read_number, pair.groups())
    right = problem.solve().answer.value
    if first == right and second is not None and first + second != problem.total:
        raise UnreadAnswer(f"{pair[1]} is right, and with {pair[2]} it is not {problem.total}.")
    return pair[1]


_IN_LOWEST_TERMS = re.compile(r"\b(?:lowest|simplest|fully simplified)\b", re.IGNORECASE)


def left_unfinished(text: str, problem: Form, question: str) -> str:
    """Why an answer of the right value is no full answer, as a sentence; "" where it is one."""
    if isinstance(problem, LowestTerms) or _IN_LOWEST_TERMS.search(question):
        found = _FRACTION.fullmatch(text.replace(" ", "").replace(":", "/"))
        by = gcd(int(found[1]), int(found[2])) if found else 1
        if by > 1:
            return f"{text.strip()} has the right value and is not in lowest terms: divide by {by}."
    collected = bool(_polynomial(problem.solve().answer.shown)) and not _polynomial(text)
    if collected and _SUM_OF_TERMS.fullmatch(_plain(text)):
        return f"{text.strip()} has the right value, and terms are left to collect."
    return ""


_SUM_OF_TERMS = re.compile(r"-?(?:\d*[a-z]|\d+)(?:[-+](?:\d*[a-z]|\d+))+")
