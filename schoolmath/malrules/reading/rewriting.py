"""The same question in the way of writing that a form of the catalogue has.

``x + 1/3 = 7`` is worked out as ``7 - 1/3``, ``1/2 __ 1/3`` asks which is larger. Tried only for
what is read in no other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from schoolmath.malrules.answers import write_decimal
from schoolmath.malrules.catalogue.equations.patterns_and_machines import NextInPattern
from schoolmath.malrules.catalogue.geometry.measuring import CONVERSIONS, UNIT_NAMES
from schoolmath.malrules.catalogue.numbers.ordering import Ordering
from schoolmath.malrules.catalogue.numbers.rounding import round_half_up
from schoolmath.malrules.reading.expressions import (
    Rewriting,
    bracket_terms,
    calculation,
    equation,
    linear_product,
    power_terms,
    quadratic,
    read_as,
    spoken,
    substitution,
    term_product,
    two_letters,
    with_terms,
)
from schoolmath.malrules.reading.given_answers import WITH_A_PI
from schoolmath.malrules.reading.phrasings import NUMBER, ONE_PART, said_otherwise
from schoolmath.malrules.reading.remarks import in_digits, in_full, without_remarks
from schoolmath.malrules.reading.tokens import in_one_line, same_signs
from schoolmath.malrules.reading.topics import amounts
from schoolmath.malrules.reading.topics.chances import coins, die, marbles, spinner
from schoolmath.malrules.reading.unknowns import blanks, consecutive, number_riddle, thought_of
from schoolmath.text.numbers import read_phrase

_NUMBER = NUMBER
_BLANK = r"(?:_+|\?|□|\[ *\]|\( *\)|\.\.\.)"
_COMPARED = re.compile(
    rf"(?:.*?[:,])? *({_NUMBER}) *(?:_+|□|\[ *\]|\( *\)|○) *({_NUMBER}) *(?:\(.*\))?"
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
_MOST_REMARKS = 6


def rewritings(text: str, *, depth: int = 0) -> Iterator[Rewriting]:
    """Other ways of writing a question that have the same answer, in the order to try them.

    Args:
        text: a problem as it is typed, with single spaces.
        depth: how many remarks were taken from it before; after six no more are.
    """
    plain = WITH_A_PI.sub("", same_signs(text.strip()))
    plain = plain.rstrip("?." if "=" not in text else ".").strip()
    for way in (
        _comparison,
        _claim,
        thought_of,
        consecutive,
        _smaller,
        quadratic,
        _unknown_addend,
        _ratio,
        _estimate,
        _units,
        _mixed_units,
        _parts,
        two_letters,
        substitution,
        linear_product,
        term_product,
        power_terms,
        with_terms,
        bracket_terms,
        equation,
        _larger_share,
        _double_signs,
        _improper,
        die,
        marbles,
        spinner,
        coins,
        _polygon,
        _past_noon,
        _remainder,
        _distance,
        _significant,
        _half,
    ):
        found = way(plain)
        if found is not None:
            yield found
    yield from number_riddle(plain)
    yield from blanks(plain)
    if plain != text.strip("?. "):
        yield Rewriting(plain)
    if (found := _ordering(plain)) is not None:
        yield found
    past = _past_noon(plain)
    later = plain if past is None else past.text
    for question in dict.fromkeys((plain, in_one_line(text), _in_minutes(plain), later)):
        for said in said_otherwise(question):
            yield Rewriting(said)
            if (found := substitution(said)) is not None:
                yield found
    if (found := _next_in_a_row(plain)) is not None:
        yield found
    if said := spoken(plain):
        yield Rewriting(said)
    for way in (_in_centimetres, calculation):
        if (found := way(plain)) is not None:
            yield found
    if (match := _TOLD_TO.fullmatch(plain)) is not None:
        yield Rewriting(match[1])
        yield from rewritings(match[1], depth=depth + 1)
    shorter_ways = (
        in_full(plain),
        without_remarks(plain),
        in_digits(plain),
        _without_brackets(plain),
    )
    for shorter in dict.fromkeys(shorter_ways):
        if shorter != plain and depth < _MOST_REMARKS:
            yield Rewriting(shorter)
            yield from rewritings(shorter, depth=depth + 1)


def stories_rewritten(text: str) -> Iterator[Rewriting]:
    """What a short story of two amounts asks; tried where no reader of stories reads it."""
    for said in amounts.rewritten(without_remarks(text)):
        found = None if said.problem else _ratio(said.text)
        yield said if found is None else found


_TOLD_TO = re.compile(
    r"(?:(?:find|simplify|evaluate|compute|calculate|work out|multiply|divide|add|subtract|reduce"
    r"|write|solve(?: the (?:proportion|equation|inequality)| by (?:substitution|elimination))?)"
    r"(?: (?:the|an?) (?:difference|quotient|product|sum|value(?: of)?|missing (?:number|value)"
    r"|equivalent fraction))?|what is the value of):? ?"
    r"((?=.*(?:[-+×÷*/^()=√∛%<>]|\d x \d|\d[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]))"
    r"(?:(?![a-z]{2})[-+×÷*/^()=√∛%<>|_?.,\w ²³⁻])+)",
    re.IGNORECASE,
)
"""A calculation or an equation behind a word that says what to do with it."""


_ALONE = re.compile(r"(?<![\w)])\( ?([-+]?) ?(\d+(?:[./]\d+)?) ?\)(?![\w(])")


def _without_brackets(text: str) -> str:
    """``the sum of (- 9) and 15`` without brackets round one number, a minus before its number."""
    alone = _ALONE.sub(lambda match: f"{match[1].strip('+')}{match[2]}", text)
    return re.sub(r"((?:^|\b(?:of|and|from|to|by|than|is|was|=)) ?)- (?=\d)", r"\1-", alone)


def _comparison(text: str) -> Rewriting | None:
    match = _COMPARED.fullmatch(_without_brackets(text))
    if match is None:
        return None
    first, second = match[1], match[2]
    larger = {">": first, "<": second, "greater than": first, "less than": second}
    told = {
        f"{first}{space}{sign}{space}{second}": larger[sign] for sign in "<>" for space in ("", " ")
    }
    return Rewriting(f"Which is larger, {first} or {second}?", larger | told | {"=": "equal"})


_SMALLER = re.compile(
    rf"which (?:is|one is|number is|fraction is|decimal is) (?:the )?(?:smaller|less)[:,]? "
    rf"({_NUMBER}) or ({_NUMBER})",
    re.IGNORECASE,
)


def _smaller(text: str) -> Rewriting | None:
    """The smaller of two numbers by the larger one."""
    match = _SMALLER.fullmatch(text)
    if match is None:
        return None
    first, second = match.groups()
    return Rewriting(f"Which is larger, {first} or {second}?", {first: second, second: first})


_PRIME = re.compile(r"(?:is )?(\d+):? (?:a )?prime or (?:a )?composite(?: number)?", re.IGNORECASE)
_CLAIM = re.compile(
    rf"(?:is|(true or false):?|is it true that) ({_NUMBER}) (?:is )?"
    rf"(greater|larger|bigger|more|less|smaller|>|<)(?: than)? ({_NUMBER})",
    re.IGNORECASE,
)


def _claim(text: str) -> Rewriting | None:
    """Whether a number is prime or composite, or larger than another (by yes, or by true)."""
    if (prime := _PRIME.fullmatch(text)) is not None:
        return Rewriting(f"Is {prime[1]} a prime number?", {"prime": "yes", "composite": "no"})
    match = _CLAIM.fullmatch(text)
    if match is None:
        return None
    claim, first, said, second = match.groups()
    if said.lower() in {"less", "smaller", "<"}:
        first, second = second, first
    answers = {"yes": first, "true": first, "no": second, "false": second}
    if claim:
        answers = {"true": first, "false": second} | answers
    return Rewriting(f"Which is larger, {first} or {second}?", answers)


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
    first, second = (match[1], match[2]) if match[3] else (match[2], match[1])
    other = match[4] or match[5]
    if int(second) and int(other) % int(second):
        # By no whole number; as of a proportion.
        return Rewriting(
            f"In a table y is proportional to x. For x = {second} it says y = {first}. "
            f"What is y for x = {other}?"
        )
    return Rewriting(f"{first}/{second} = _/{other}")


_ESTIMATE = re.compile(
    r"(?:by rounding (?:each|both|the) numbers? to the nearest (?P<place>[a-z\d]+),? )?estimate"
    r"(?: the (?:value|product|difference|quotient) of)? (?P<one>\d+) ?(?P<sign>[-×÷x*]|and) "
    r"?(?P<other>\d+)"
    r"(?:,? by rounding (?:each|both|the)? ?(?:numbers? )?(?:off )?to the nearest "
    r"(?P<behind>[a-z\d]+)"
    r"|,? to the nearest (?P<near>[a-z\d]+))?",
    re.IGNORECASE,
)
_NEAREST = {"ten": 10, "10": 10, "hundred": 100, "100": 100, "thousand": 1000, "1000": 1000}


def _estimate(text: str) -> Rewriting | None:
    """A product, difference or quotient of two numbers that are rounded first."""
    match = _ESTIMATE.fullmatch(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text))
    if match is None or match["sign"] == "and":
        return None
    place = _NEAREST.get((match["place"] or match["behind"] or match["near"] or "").lower())
    if place is None:
        return None
    one, other = (round_half_up(int(match[name]), place) for name in ("one", "other"))
    return Rewriting(f"{one} {match['sign'].replace('x', '×').replace('*', '×')} {other}")


_UNITS: Mapping[str, str] = {
    written: unit
    for unit, names in UNIT_NAMES.items()
    for written in (unit, *names, *(each.replace("tre", "ter") for each in names))
} | {"ml": "mL", "l": "L", "mins": "min", "sec": "s", "secs": "s", "lbs": "lb", "kgs": "kg"}
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_CONVERSIONS = (
    re.compile(rf"(?i:convert |change |write |express )?({NUMBER}) ?({_UNIT})"
               rf"(?: (?:in|to|into|as)| = (?:_+|\?|how many)?) ({_UNIT})"),
    re.compile(rf"how many (?P<to>{_UNIT}) (?:are|is|make|in|are in|are there in|equals?)"
               rf" (?:an? |one |there in an? )?({NUMBER})? ?({_UNIT})"),
)  # fmt: skip
_MIXED = re.compile(
    rf"(?i:convert |change |write |express |what is )?"
    rf"(\d+) ?({_UNIT}),? (?:and )?(\d+) ?({_UNIT})"
    rf"(?: (?:in|to|into|as)| = (?:_+|\?|how many)?) ({_UNIT})"
)


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


def _mixed_units(text: str) -> Rewriting | None:
    """``3 kg 250 g in grams`` as 3.25 kg in grams, ``1 h 50 min in minutes`` as 1 × 60 + 50."""
    match = _MIXED.fullmatch(text)
    large, small, asked = (_UNITS.get(match[at], "") if match else "" for at in (2, 4, 5))
    size = CONVERSIONS.get((large, small))
    if match is None or size is None or asked != small or large.endswith("2"):
        return None
    value = int(match[1]) + Fraction(int(match[3]), size)
    if 10_000 % value.denominator:
        return Rewriting(f"{match[1]} × {size} + {match[3]}")
    return _units(f"{write_decimal(value)} {match[2]} in {match[5]}")


_PART = "|".join(ONE_PART)
_PARTS_OF = re.compile(
    rf"(?:what is |find )?(?:(a|an|one|two|three|four|five|seven|nine) )?({_PART})s? of (\d+)"
)
_PARTS_IN = re.compile(
    rf"how many ({_PART}|halve)s (?:are (?:there )?in|make|in|go into|are in) "
    rf"(\d+|\d+ \d+/\d+)(?: wholes?)?"
)


def _parts(text: str) -> Rewriting | None:
    """``half of 46`` is 1/2 of 46; ``how many quarters make 3`` is 3 ÷ 1/4."""
    if (match := _PARTS_OF.fullmatch(text.lower())) is not None:
        count = read_phrase(match[1])[0].value if match[1] not in {None, "a", "an"} else 1
        return Rewriting(f"{count}/{ONE_PART[match[2]]} of {match[3]}")
    if (match := _PARTS_IN.fullmatch(text.lower())) is not None:
        return Rewriting(f"{_as_fraction(match[2])} ÷ 1/{ONE_PART.get(match[1], 2)}")
    return None


_ORDER = re.compile(
    rf"(?P<before>[a-z ,:.]*?)[:,.]? ?(?P<numbers>{NUMBER}(?:(?:, ?(?:and )?| and "
    rf"){NUMBER}){{2,7}})"
    r"(?P<after>[a-z ,.:]*)",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"order|arrange|sort|ascending|descending"
    r"|(?:smallest|least|lowest|largest|greatest|highest) (?:first|to)"
)
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
    return read_as(Ordering, tuple(numbers), _FALLS.search(words) is not None)


_NEXT_WORDS = (
    r"(?:(?:what|which|is|are|'s|comes?|the|a|next|following|missing|numbers?|terms?|value|in|of"
    r"|this|these|each|patterns?|sequence|series|list|and|then|find|give|write|down|continue|add"
    r"|complete|say|name|here|fill|now|after|by|goes|on|same|way|will|be|would|should|come|to"
    r"|row|below|above|starts?|with|times?|(?:increases?|decreases?|goes? up|goes? down) by \d+"
    r"|every|below|so)\b|[ ,:;.?!'_…])*"
)
_IN_A_ROW = re.compile(
    rf"(?=.*\b(?:next|comes?|continue|complete|missing)\b){_NEXT_WORDS}"
    rf"(\d+(?:, ?\d+){{2,}}){_NEXT_WORDS}|(?P<alone>\d+(?:, ?\d+){{2,}}), ?_*",
    re.I,
)
"""Numbers whose next is asked for, and nothing else: "the common difference of" is another."""


def _next_in_a_row(text: str) -> Rewriting | None:
    """What comes after numbers that grow or fall by the same each time, or are multiplied by it;
    by the last of them, for a form has three or four.
    """
    match = _IN_A_ROW.fullmatch(text)
    if match is None:
        return None
    numbers = [int(each) for each in re.split(", ?", match["alone"] or match[1])]
    steps = {other - one for one, other in pairwise(numbers)}
    if len(steps) == 1:
        (change,), last = steps, numbers[-1]
        if change > 1 and last >= 3 * change:
            return read_as(NextInPattern, last - 3 * change, change)
        return Rewriting(f"{last} {'+' if change > 0 else '-'} {abs(change)}") if change else None
    if 0 in numbers or any(one * three != two**2 for one, two, three in
                           zip(numbers, numbers[1:], numbers[2:], strict=False)):  # fmt: skip
        return None
    return Rewriting(f"What comes next: {', '.join(map(str, numbers[-3:]))}, ...?")


_SHARED = re.compile(
    r"(?:(?:i |they )?(?:share|divide|split) )?[$£€]?(\d+)"
    r"(?: (?!dozen|hundred|thousand|million|pairs|is\b)[a-z]+)?"
    r"(?: is (?:shared|divided|split))? in(?:to)? the ratio (\d+) ?: ?(\d+)[.,;] "
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


_SIDES = {"triangle": 3, "square": 4, "pentagon": 5, "hexagon": 6, "octagon": 8, "nonagon": 9,
          "decagon": 10, "dodecagon": 12}  # fmt: skip
_AROUND_POLYGON = re.compile(
    r"(?:what is |find |work out |calculate )?(?:the )?perimeter of a regular ([a-z]+)"
    r"(?: with| of)? (?:an? )?sides?(?: lengths?)?(?: of)? (\d+)(?: ?[cmk]?m)?",
    re.IGNORECASE,
)
_SIDE = re.compile(
    r"(?:the )?perimeter of a regular ([a-z]+) is (\d+)(?: ?[a-z]+)?\. (?:what is|find|work out) "
    r"(?:the )?length of (?:each|one|a) side",
    re.IGNORECASE,
)
_CORNER = re.compile(
    r"(?:what is |find |how (?:big|large) is )?(?:the size of )?(?:each|an|one|every|the)"
    r"(?: interior| inside|( exterior| outside))? angle (?:of|in) a regular ([a-z]+)",
    re.IGNORECASE,
)


def _polygon(text: str) -> Rewriting | None:
    """A regular polygon by its name: an angle of it, or the way around."""
    around = _AROUND_POLYGON.fullmatch(text)
    if around is not None and around[1].lower() in _SIDES:
        return Rewriting(f"{_SIDES[around[1].lower()]} × {around[2]}")
    side = _SIDE.fullmatch(text)
    if side is not None and side[1].lower() in _SIDES:
        return Rewriting(f"{side[2]} ÷ {_SIDES[side[1].lower()]}")
    match = _CORNER.fullmatch(text)
    sides = _SIDES.get(match[2].lower()) if match else None
    if match is None or sides is None:
        return None
    if match[1]:
        return Rewriting(f"360 ÷ {sides}")
    return Rewriting(
        f"A regular polygon has {sides} sides. How many degrees is each of its inside angles?"
    )


_IN_BRACKETS = re.compile(r"([-+] |^|: )\((-?)(\d*[a-z](?:\^\d)?)\)(?= [-+]|$)", re.IGNORECASE)


def _double_signs(text: str) -> Rewriting | None:
    """``(-16c) - (-4c)`` as -16c + 4c: brackets round one term."""
    if re.search(r"[a-z]{2}", without_remarks(text).removeprefix("Simplify "), re.I):
        return None

    def term(match: re.Match[str]) -> str:
        if not match[2]:
            return f"{match[1]}{match[3]}"
        return f"{ {'- ': '+ ', '+ ': '- '}.get(match[1], '-') }{match[3]}"

    line = in_one_line(text)
    plain = _IN_BRACKETS.sub(term, re.sub(r"^simplify:? ", "", line, flags=re.I))
    return Rewriting(plain) if plain not in line else None


_WITH_MIXED = re.compile(
    rf"(?=.*\d \d+/)(?:({NUMBER}) ?(?:÷|divided by) ?({NUMBER})"
    rf"|({NUMBER}) ?[×x*] ?(\d+)|(\d+) ?[×x*] ?({NUMBER}))"
)


def _improper(text: str) -> Rewriting | None:
    """Mixed numbers that are divided, or taken so many times, as fractions."""
    match = _WITH_MIXED.fullmatch(text)
    if match is None or "." in text or "-" in text:
        return None
    if match[1]:
        return Rewriting(f"{_as_fraction(match[1])} ÷ {_as_fraction(match[2])}")
    return Rewriting(f"{match[4] or match[5]} × {_as_fraction(match[3] or match[6])}")


def _as_fraction(number: str) -> str:
    """A mixed, broken or whole number as a fraction, not reduced."""
    if "/" not in number:
        return f"{number}/1"
    whole, _, part = number.rpartition(" ")
    top, bottom = map(int, part.split("/"))
    return f"{int(whole or 0) * bottom + top}/{bottom}"


_FROM_TO = re.compile(
    r"(.*\b)(\d{1,2}):(\d\d)"
    r"( (?:to|until|till|and) (?:(?:ends|is over|finishes|arrives|closes) (?:at )?)?)"
    r"(\d{1,2}):(\d\d)(.*)"
)


_HALF_DAY = re.compile(r"\b(\d{1,2}):(\d\d) ?([ap])\.?m\b\.?", re.IGNORECASE)


def _by_day(time: re.Match[str]) -> str:
    """``2:30 pm`` as 14:30."""
    hour = int(time[1]) % 12 + (12 if time[3].lower() == "p" else 0)
    return f"{hour}:{time[2]}"


def _past_noon(text: str) -> Rewriting | None:
    """From 10:40 to 1:15 as from 10:40 to 13:15; with am and pm by the hours of the day."""
    if len(_HALF_DAY.findall(text)) == 2:
        return Rewriting(_HALF_DAY.sub(_by_day, text))
    match = _FROM_TO.fullmatch(text)
    if match is None:
        return None
    before, hour, minute, between, end, last, after = match.groups()
    if not (1 <= int(end) <= int(hour) <= 12) or (int(hour), minute) < (int(end), last):
        return None
    return Rewriting(f"{before}{hour}:{minute}{between}{int(end) + 12}:{last}{after}")


_REMAINDER = re.compile(
    r"(?:what is |find )?(?:the )?remainder (?:when|if|of|for) (\d+)(?: is)? ?"
    r"(?:÷|divided by) ?(\d+)",
    re.IGNORECASE,
)


def _remainder(text: str) -> Rewriting | None:
    """What is left over, asked for alone, as a division with a remainder."""
    match = _REMAINDER.fullmatch(text)
    if match is None or not int(match[2]):
        return None
    times, divisor = int(match[1]) // int(match[2]), int(match[2])
    answers = {str(rest): f"{times} r {rest}" for rest in range(min(divisor, 1_000))}
    return Rewriting(f"{match[1]} ÷ {divisor}", answers)


_SIGNIFICANT = re.compile(
    r"(?:round |write |give |express )?(\d{2,6})(?: correct)? to (\d|one|two|three) "
    r"(?:significant (?:figures?|digits?)|sig(?:nificant)?\.? ?figs?\.?|s\.?f\.?)",
    re.IGNORECASE,
)
_PLACES = ("ten", "hundred", "thousand", "ten thousand", "hundred thousand")


def _significant(text: str) -> Rewriting | None:
    """A whole number to so many figures as rounded to the place that they reach."""
    match = _SIGNIFICANT.fullmatch(text.replace(",", ""))
    if match is None:
        return None
    word = match[2].lower()
    figures = word if word.isdigit() else read_phrase(word)[0].value
    left = len(match[1]) - int(figures or 0)
    if not 1 <= left <= len(_PLACES) or left == len(match[1]):
        return None
    return Rewriting(f"Round {match[1]} to the nearest {_PLACES[left - 1]}")


_HALF = re.compile(r"(?:what(?:'s| is) |find )?(?:half|1/2) of (\d*[13579])", re.IGNORECASE)


def _half(text: str) -> Rewriting | None:
    """Half of an odd number, which is no whole number."""
    match = _HALF.fullmatch(text)
    return Rewriting(f"1/2 × {match[1]}") if match else None


_POINTS = re.compile(
    r"(?:what is |find |work out |calculate )?(?:the )?(?:distance|length of the line(?: segment)?)"
    r" (?:between|from) (?:the points? )?[a-z]?\((-?\d+), ?(-?\d+)\) (?:and|to) "
    r"(?:the point )?[a-z]?\((-?\d+), ?(-?\d+)\)",
    re.IGNORECASE,
)


def _distance(text: str) -> Rewriting | None:
    """How far two points lie apart, as the hypotenuse over the ways across and up."""
    match = _POINTS.fullmatch(text)
    if match is None:
        return None
    x, y, to_x, to_y = map(int, match.groups())
    return Rewriting(
        f"The legs of a right triangle are {abs(to_x - x)} cm and {abs(to_y - y)} cm long. "
        "How many centimetres long is its hypotenuse?"
    )


_LASTS = re.compile(
    r"\b(\d+) ?h(?:ours?|rs?)?,? (?:and )?(\d+) ?m(?:in(?:ute)?s?)?\b", re.IGNORECASE
)


def _in_minutes(text: str) -> str:
    """A question about a time of day with "1 h 50 min" as 110 minutes."""
    if re.search(r"\d:\d\d", text) is None:
        return text
    return _LASTS.sub(lambda found: f"{60 * int(found[1]) + int(found[2])} minutes", text)


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
