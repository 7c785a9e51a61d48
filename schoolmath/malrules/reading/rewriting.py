"""The same question in the way of writing that a form of the catalogue has.

``x + 1/3 = 7`` is worked out as ``7 - 1/3``, ``1/2 __ 1/3`` asks which is larger,
``x^2 + 5x + 6 = 0`` is ``(x + 2)(x + 3) = 0``. Tried only for what is read in no other way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from schoolmath.malrules.answers import read_terms, write_decimal
from schoolmath.malrules.catalogue.algebra.expression_values import TwoLetterValue
from schoolmath.malrules.catalogue.algebra.like_terms_and_brackets import (
    BracketExpansion,
    LinearProduct,
    TwoLetterTerms,
)
from schoolmath.malrules.catalogue.chance.single_chances import DieRoll, MarbleDraw
from schoolmath.malrules.catalogue.equations.linear_equations import EquationWithBrackets
from schoolmath.malrules.catalogue.geometry.measuring import UNIT_NAMES
from schoolmath.malrules.catalogue.numbers.order_of_operations import ArithmeticExpression
from schoolmath.malrules.catalogue.numbers.ordering import Ordering
from schoolmath.malrules.forms import Form
from schoolmath.malrules.reading.phrasings import NUMBER, said_otherwise
from schoolmath.malrules.reading.tokens import in_one_line
from schoolmath.text.numbers import read_phrase

_NUMBER = NUMBER
_BLANK = r"(?:_+|\?|□|\[ *\]|\( *\)|\.\.\.)"
_COMPARED = re.compile(
    rf"(?:.*?[:,])? *({_NUMBER}) *(?:_+|□|\[ *\]|\( *\)|○) *({_NUMBER}) *(?:\(.*\))?"
)
_QUADRATIC = re.compile(
    r"(?:solve:? *)?(\d*) ?x(?:\^2|²) *(?:([+-]) *(\d*) ?x)? *(?:([+-]) *(\d+))? *= *0\.?",
    re.IGNORECASE,
)
_ADDED = re.compile(
    rf"(?:solve(?: for [a-z])?:? *)?(?:([a-z]) *([+-]) *({_NUMBER})|({_NUMBER}) *\+ *([a-z]))"
    rf" *= *({_NUMBER})",
    re.IGNORECASE,
)
_RATIO = re.compile(
    rf"(?:if |solve:? |find [a-z]:? )?(\d+) ?[:/] ?(\d+) ?= ?"
    rf"(?:([a-z]|{_BLANK}) ?[:/] ?(\d+)|(\d+) ?[:/] ?([a-z]|{_BLANK}))"
    r"(?:[,.;]? (?:then )?(?:find|what is|solve for) [a-z])?",
    re.IGNORECASE,
)
_TURNED_RATIO = re.compile(
    rf"(?:if |solve:? )?(?P<whole>\d+ ?[:/] ?(?:[a-z]|{_BLANK})|(?:[a-z]|{_BLANK}) ?[:/] ?\d+)"
    r" ?= ?(?P<other>\d+ ?[:/] ?\d+)(?P<end>.*)",
    re.IGNORECASE,
)
_OPEN = re.compile(rf"[\d +×÷*xX-]*{_BLANK}[\d +×*xX-]*= *\d+|\d+ *= *[\d +-]*{_BLANK}[\d +-]*")
_SPELLED = r"[a-z]+(?:-[a-z]+)?(?: (?:hundred|thousand)(?: (?:and )?[a-z]+(?:-[a-z]+)?)?)?"


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


def _read_as(form: Callable[..., Form], *fields: object) -> Rewriting:
    try:
        problem = form(*fields)
    except ValueError as error:
        return Rewriting("", refusal=str(error))
    return Rewriting(problem.stem(), problem=problem)


def rewritings(text: str) -> Iterator[Rewriting]:
    """Other ways of writing a question that have the same answer, in the order to try them.

    Args:
        text: a problem as it is typed, with single spaces.
    """
    plain = text.strip().replace("−", "-")
    plain = plain.rstrip("?.").strip() if "=" not in text else plain
    for way in (
        _comparison,
        _quadratic,
        _unknown_addend,
        _ratio,
        _open_sentence,
        _units,
        _parts,
        _two_letters,
        _linear_product,
        _with_terms,
        _equation,
        _larger_share,
        _die,
        _marbles,
        _past_noon,
    ):
        found = way(plain)
        if found is not None:
            yield found
    if (found := _ordering(plain)) is not None:
        yield found
    for question in dict.fromkeys((plain, in_one_line(text))):
        yield from map(Rewriting, said_otherwise(question))
    if (found := _geometric(plain)) is not None:
        yield found
    for way in (_in_centimetres, _calculation):
        if (found := way(plain)) is not None:
            yield found
    spelled = _in_digits(plain)
    if spelled != plain:
        yield Rewriting(spelled)


def _comparison(text: str) -> Rewriting | None:
    match = _COMPARED.fullmatch(text)
    if match is None:
        return None
    first, second = match[1], match[2]
    larger = {">": first, "<": second, "greater than": first, "less than": second}
    return Rewriting(f"Which is larger, {first} or {second}?", larger | {"=": "equal"})


def _quadratic(text: str) -> Rewriting | None:
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


def _unknown_addend(text: str) -> Rewriting | None:
    """``x + 1/3 = 7`` is 7 - 1/3; with whole numbers it is an equation of its own."""
    match = _ADDED.fullmatch(text)
    if match is None:
        return None
    added, total = match[3] or match[4], match[6]
    if re.fullmatch(r"-?\d+", added) and re.fullmatch(r"-?\d+", total):
        return None
    return Rewriting(f"{total} {'+' if match[2] == '-' else '-'} {added}")


def _ratio(text: str) -> Rewriting | None:
    """A proportion as two equal fractions, the missing number on top."""
    if (turned := _TURNED_RATIO.fullmatch(text)) is not None:
        text = f"{turned['other']} = {turned['whole']}{turned['end']}"
    match = _RATIO.fullmatch(text)
    if match is None:
        return None
    if match[3]:
        return Rewriting(f"{match[1]}/{match[2]} = _/{match[4]}")
    return Rewriting(f"{match[2]}/{match[1]} = _/{match[5]}")


def _open_sentence(text: str) -> Rewriting | None:
    """One blank in a number sentence is an unknown."""
    found = re.findall(_BLANK, text)
    if len(found) != 1 or not _OPEN.fullmatch(text):
        return None
    factor = re.fullmatch(rf"(?:(\d+) ?[x×*] ?{_BLANK}|{_BLANK} ?[x×*] ?(\d+)) ?= ?(\d+)", text)
    if factor is not None:
        blank = f"{factor[1] or factor[2]} × _ = {factor[3]}"
        return Rewriting(f"What number goes in the blank in {blank}?")
    return Rewriting(text.replace(found[0], "x"))


_UNITS: Mapping[str, str] = {
    written: unit
    for unit, names in UNIT_NAMES.items()
    for written in (unit, *names, *(each.replace("tre", "ter") for each in names))
}
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_CONVERSIONS = (
    re.compile(rf"(?:convert |change |write |express )?({NUMBER}) ?({_UNIT})"
               rf"(?: (?:in|to|into|as)| = (?:_+|\?|how many)?) ({_UNIT})"),
    re.compile(rf"how many (?P<to>{_UNIT}) (?:are|is|make|in|are in|are there in|equals?)"
               rf" (?:an? )?({NUMBER})? ?({_UNIT})"),
)  # fmt: skip


def _units(text: str) -> Rewriting | None:
    """A change of units in whole words; a mixed number of them as a decimal."""
    plain = re.sub(r"\^2|²", "2", text)
    plain = re.sub(r"\bhours?\b|\bhrs?\b", "h", plain, flags=re.IGNORECASE)
    for pattern in _CONVERSIONS:
        match = pattern.fullmatch(plain) or pattern.fullmatch(plain.lower())
        if match is None:
            continue
        asked = match.groupdict().get("to")
        amount, unit = (match[2] or "1", match[3]) if asked else (match[1], match[2])
        names = UNIT_NAMES[_UNITS[unit]]
        smaller = UNIT_NAMES[_UNITS[asked or match[3]]][1]
        value = sum((Fraction(each) for each in amount.split()), Fraction(0))
        if 10_000 % value.denominator:
            return None
        return Rewriting(
            f"How many {smaller} are {write_decimal(value)} {names[0] if value == 1 else names[1]}?"
        )
    return None


_ONE_PART = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8,
             "tenth": 10, "hundredth": 100}  # fmt: skip
_PART = "|".join(_ONE_PART)
_PARTS_OF = re.compile(
    rf"(?:what is |find )?(?:(a|an|one|two|three|four|five|seven|nine) )?({_PART})s? of (\d+)"
)
_PARTS_IN = re.compile(
    rf"how many ({_PART}|halve)s (?:are (?:there )?in|make|in|go into|are in) (\d+)(?: wholes?)?"
)


def _parts(text: str) -> Rewriting | None:
    """``half of 46`` is 1/2 of 46; ``how many quarters make 3`` is 3 ÷ 1/4."""
    if (match := _PARTS_OF.fullmatch(text.lower())) is not None:
        count = read_phrase(match[1])[0].value if match[1] not in {None, "a", "an"} else 1
        return Rewriting(f"{count}/{_ONE_PART[match[2]]} of {match[3]}")
    if (match := _PARTS_IN.fullmatch(text.lower())) is not None:
        return Rewriting(f"{match[2]}/1 ÷ 1/{_ONE_PART.get(match[1], 2)}")
    return None


_ORDER = re.compile(
    rf"(?P<before>[a-z ,:]*?)[:,]? ?(?P<numbers>{NUMBER}(?:(?:, ?(?:and )?| and ){NUMBER}){{2,7}})"
    r"(?P<after>[a-z ,.:]*)",
    re.IGNORECASE,
)
_ORDERS = re.compile(r"order|arrange|sort|ascending|descending|(?:smallest|least|largest|greatest) "
                     r"(?:first|to)")  # fmt: skip
_THOUSAND = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_FALLS = re.compile(r"descending|decreasing|(?:largest|greatest|biggest|highest)(?: first| to)")


def _ordering(text: str) -> Rewriting | None:
    """Numbers to be put in order; 1,200 is one only where the list has spaces."""
    if _THOUSAND.search(text):
        text = _THOUSAND.sub("", text) if ", " in text or " and " in text else ""
    match = _ORDER.fullmatch(text)
    words = f"{match['before']} {match['after']}".lower() if match else ""
    if match is None or not _ORDERS.search(words):
        return None
    numbers = re.findall(NUMBER, match["numbers"])
    return _read_as(Ordering, tuple(numbers), _FALLS.search(words) is not None)


_SIMPLIFIED = re.compile(
    r"(simplify|collect (?:the )?like terms(?: in)?)?:? ?([-+ \da-z]+)", re.IGNORECASE
)
_UNIT_LETTERS = frozenset("cdghlmst")
"""Letters that are units where nobody says that something is to be simplified: 3h + 20m."""


def _two_letters(text: str) -> Rewriting | None:
    """A sum of terms in two letters, to be simplified or worked out."""
    if (match := _SIMPLIFIED.fullmatch(text)) is not None:
        terms, values = read_terms(match[2]), {}
        if match[1] is None and {letter for letter, _ in terms} <= _UNIT_LETTERS:
            return None
    elif (match := _VALUED.fullmatch(text)) is not None:
        terms = read_terms(match["sum"] or match["then"])
        pairs = re.findall(r"([a-z]) ?= ?(\d+)", match["values"] or match["first"])
        values = {letter: int(value) for letter, value in pairs}
    else:
        return None
    letters = [each for each, _ in terms]
    if len(set(letters)) != 2 or any(len(each) != 1 for each in letters):
        return None
    numbers = [number for _, number in terms]
    if not values:
        return _read_as(TwoLetterTerms, tuple(numbers), tuple(letters))
    if len(terms) != 2 or set(values) != set(letters):
        return None
    (one, other), (first, second) = letters, numbers
    return _read_as(TwoLetterValue, (first, second), (one, other), (values[one], values[other]))


_DO = "evaluate |what is |find |work out |calculate |(?:the )?value of "
_VALUES = r"[a-z] ?= ?\d+(?:,| and|, and) [a-z] ?= ?\d+"
_VALUED = re.compile(
    rf"(?:{_DO})*(?P<sum>[-+ \da-z]+?),? "
    rf"(?:when|if|for|given(?: that)?|where|at) (?P<values>{_VALUES})"
    rf"|(?:if|when|given(?: that)?|for) (?P<first>{_VALUES}),? (?:then )?"
    rf"(?:{_DO})*(?P<then>[-+ \da-z]+)",
    re.IGNORECASE,
)


_GEOMETRIC = re.compile(
    r"(?:.*?(?:next|pattern|sequence|comes)[a-z :]*)(\d+(?:, \d+){2,})[^\d]*"
    r"|(?P<alone>\d+(?:, \d+){2,}), ?_*",
    re.I,
)


def _geometric(text: str) -> Rewriting | None:
    """What comes after numbers that are multiplied by the same each time, by the last three."""
    match = _GEOMETRIC.fullmatch(text)
    if match is None:
        return None
    numbers = [int(each) for each in (match["alone"] or match[1]).split(", ")]
    if 0 in numbers or any(one * three != two**2 for one, two, three in
                           zip(numbers, numbers[1:], numbers[2:], strict=False)):  # fmt: skip
        return None
    return Rewriting(f"What comes next: {', '.join(map(str, numbers[-3:]))}, ...?")


_CALCULATION = re.compile(r"(?:_ = )?([-+×÷*/^(). \d]+)(?: = _)?")


def _calculation(text: str) -> Rewriting | None:
    """Numbers, signs and brackets, in whatever order."""
    match = _CALCULATION.fullmatch(in_one_line(text))
    if match is None or not re.search(r"\d *[-+×÷*/^(]", match[1]):
        return None
    written = re.sub(
        r"(?<=\d) ?\(|\) ?\((?=[-\d(])", lambda found: found[0].replace("(", "× ("), match[1]
    )
    written = re.sub(r"\) ?(?=\d)", ") × ", written).replace("*", "×")
    written = re.sub(r"\) ?/|/ ?\(", lambda found: found[0].replace("/", "÷"), written)
    spaced = re.sub(r"(?<=[\d)]) ?([-+×÷]) ?", r" \1 ", " ".join(written.split()))
    return _read_as(ArithmeticExpression, " ".join(spaced.split()))


_LINEAR = r"\( ?(-?\d*)x ?([-+]) ?(\d+) ?\)"
_PRODUCT = re.compile(
    rf"(?:(?:expand|multiply out|simplify|remove the brackets)(?: and simplify)?:? )?"
    rf"(?:(-?\d*)(x?)|{_LINEAR}) ?(?:{_LINEAR}|\^(2))",
    re.IGNORECASE,
)


def _linear_product(text: str) -> Rewriting | None:
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
    return _read_as(LinearProduct, *front, _coefficient(second[0]), int(second[1] + second[2]))


_AFTER_A_BRACKET = re.compile(
    r"(?:(?:expand|simplify|expand and simplify):? )?"
    r"(?:(?P<number>\d+) ?\(x ?(?P<inside>[-+] ?\d+)\) ?(?P<x>[-+] ?\d*)x"
    r"|(?P<first>\d*)x ?(?P<next>[-+] ?\d+) ?\(x ?(?P<behind>[-+] ?\d+)\))",
    re.IGNORECASE,
)


def _with_terms(text: str) -> Rewriting | None:
    """``3(x + 2) + 4x`` and ``4x + 3(x + 2)``."""
    match = _AFTER_A_BRACKET.fullmatch(in_one_line(text))
    if match is None:
        return None
    if match["number"]:
        fields = match["x"], match["number"], match["inside"]
    else:
        fields = match["first"], match["next"], match["behind"]
    letters, factor, constant = (each.replace(" ", "").replace("+", "") for each in fields)
    return _read_as(BracketExpansion, _coefficient(letters), int(factor), int(constant))


_EQUATION = re.compile(r"[-+()x\d ]*x[-+()x\d ]*=[-+()x\d ]+|[-+()x\d ]+=[-+()x\d ]*x[-+()x\d ]*")


def _equation(text: str) -> Rewriting | None:
    """An equation in x with brackets; the question for x behind it is left out."""
    line = re.sub(
        r"[.,;]? (?:what is|find|solve for) x$", "", in_one_line(text), flags=re.IGNORECASE
    )
    if "(" not in line or _EQUATION.fullmatch(line) is None:
        return None
    spaced = re.sub(r" ?([-+=]) ?", r" \1 ", re.sub(r"(?<=\d) (?=\()", "", line))
    spaced = re.sub(r"(^|[(=]) ?- ", r"\1-", spaced.strip()).replace("=-", "= -")
    return _read_as(EquationWithBrackets, re.sub(r"\( ?| ?\)", lambda f: f[0].strip(), spaced))


def _coefficient(text: str) -> int:
    return int(f"{text}1") if text in {"", "-"} else int(text)


_SHARED = re.compile(
    r"(?:share|divide|split) [$£€]?(\d+)(?: [a-z]+)? in(?:to)? the ratio (\d+) ?: ?(\d+)[.,;] "
    r"(?:how (?:much|big) is|what is|find|give|work out) the (?:(larger|bigger|greater)|smaller) "
    r"(?:share|part)",
    re.IGNORECASE,
)


def _larger_share(text: str) -> Rewriting | None:
    """The larger or smaller share of a ratio as its first one."""
    match = _SHARED.fullmatch(text)
    if match is None:
        return None
    first, second = sorted((int(match[2]), int(match[3])), reverse=bool(match[4]))
    return Rewriting(f"Share {match[1]} in the ratio {first}:{second}")


_DIE = re.compile(
    r"(?:you roll |i roll )?(?:an? |one )?"
    r"(?:fair |normal |standard |regular |(\d+)-sided |six-sided )*(?:die|dice|number cube)"
    r"(?: is (?:rolled|thrown|tossed))?(?: once)?[.,;]? (?:what(?:'s| is)|find) the "
    r"(?:probability|chance) (?:of|that it shows)(?: (?:getting|rolling|throwing|a roll of))? "
    r"(?:(?:(a)n? )?(\d+)|(?:a number )?(greater|more|higher|larger|less|lower|smaller) than (\d+)"
    r"|an? (even|odd)(?: number)?)",
    re.IGNORECASE,
)


def _die(text: str) -> Rewriting | None:
    """What one roll of a die shows; it has six sides unless it is said to have others."""
    # "... of rolling a 4 on a die" is "A die. What is the probability of rolling a 4".
    ends = re.fullmatch(
        r"(.*\w) (?:on|with|when rolling) ((?:an? )?[\w -]*?(?:die|dice|number cube))", text
    )
    match = _DIE.fullmatch(f"{ends[2]}. {ends[1]}" if ends else text)
    if match is None:
        return None
    sides = int(match[1] or 6)
    if match[3]:
        return _read_as(DieRoll, sides, "a", int(match[3]))
    if match[6]:
        return _read_as(DieRoll, sides, f"an {match[6].lower()} number", 0)
    more = match[4].lower() in {"greater", "more", "higher", "larger"}
    wanted = f"a number {'greater' if more else 'less'} than"
    return _read_as(DieRoll, sides, wanted, int(match[5]))


_BAG = re.compile(
    r"(?:(?:a|the) (?:bag|box|jar) (?:has|holds|contains)|there are) "
    r"(\d+ [a-z]+(?:(?:,| and|, and) \d+ [a-z]+)+)(?: [a-z]+)?(?: in (?:a|the) (?:bag|box|jar))?"
    r"\. (?:(?:an?|one) [a-z]+ is (?:drawn|picked|taken|chosen)[a-z ]*\. )?"
    r"(?:what(?:'s| is)|find) the (?:probability|chance) (?:of|that it is)"
    r"(?: (?:drawing|picking|choosing|getting|taking|selecting))?(?: an?)? (not )?"
    r"([a-z]+)(?: [a-z]+)?",
    re.IGNORECASE,
)


def _marbles(text: str) -> Rewriting | None:
    """One thing from a bag, of several colours, in whatever order they are told."""
    match = _BAG.fullmatch(text)
    if match is None:
        return None
    counts = {colour.lower(): int(n) for n, colour in re.findall(r"(\d+) ([a-z]+)", match[1], re.I)}
    asked = match[3].lower()
    if asked not in counts:
        return None
    colours = sorted(counts, key=lambda each: each != asked)
    return _read_as(
        MarbleDraw, tuple(colours), tuple(counts[each] for each in colours), bool(match[2])
    )


_FROM_TO = re.compile(r"(.*\b)(\d{1,2}):(\d\d)( (?:to|until|till|and) )(\d{1,2}):(\d\d)(.*)")


def _past_noon(text: str) -> Rewriting | None:
    """From 10:40 to 1:15 as from 10:40 to 13:15."""
    match = _FROM_TO.fullmatch(text)
    if match is None:
        return None
    before, hour, minute, between, end, last, after = match.groups()
    if not (1 <= int(end) <= int(hour) <= 12) or (int(hour), minute) < (int(end), last):
        return None
    return Rewriting(f"{before}{hour}:{minute}{between}{int(end) + 12}:{last}{after}")


_SHAPE = re.compile(r"\b(?:area|perimeter|volume|circumference|hypotenuse)\b", re.IGNORECASE)
_LENGTH = re.compile(
    r"(?<=\d) ?(in|inch|inches|ft|feet|foot|yd|yards?|mm|km|miles?|units?)\b(?! of\b)"
)


def _in_centimetres(text: str) -> Rewriting | None:
    """A shape measured in one other unit than forms have, in theirs: its numbers are the same."""
    units = {unit.rstrip("s") for unit in _LENGTH.findall(text)}
    if not _SHAPE.search(text) or len(units) != 1 or re.search(r"\d ?c?m\b", text):
        return None
    return Rewriting(_LENGTH.sub(" cm", text))


_WORDS: Mapping[str, str] = {
    "plus": "+", "minus": "-", "take away": "-", "times": "×", "multiplied by": "×",
    "divided by": "÷",
}  # fmt: skip


def _in_digits(text: str) -> str:
    """``seventeen plus five`` in digits and signs."""
    signs = "|".join(_WORDS)
    match = re.fullmatch(rf"(?:what is )?({_SPELLED}) ({signs}) ({_SPELLED})", text, re.IGNORECASE)
    if match is None:
        return text
    values = [read_phrase(match[at].lower()) for at in (1, 3)]
    if any(len(each) != 1 or each[0].value is None for each in values):
        return text
    return f"{values[0][0].value} {_WORDS[match[2].lower()]} {values[1][0].value}"
