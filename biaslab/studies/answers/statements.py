"""What a text says with its numbers: equations, ranges, alternatives, sentence by sentence.

Nothing is calculated here. "18 - 3 = 15" says 15, and so would "18 - 3 = 15" with any other
number after the sign; "18 - 3" says nothing yet.

Numbers as a question wants them: amounts in two units, dozens, and places in an order.

"3 hours and 15 minutes" is one amount, of which 15 is no answer: 195 where minutes are asked for.
"2 dozen" is 24, and 2 where dozens are asked for. "7th" is a number only where a place is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType

from biaslab.studies.answers.asked import (
    DOZEN,
    LEADING_TO,
    MONEY,
    NEVER_BEHIND,
    NOTHING_KNOWN,
    PREPOSITIONS,
    WHOLES,
    QuestionTarget,
    singular,
)
from biaslab.studies.answers.written_numbers import AnswerToken, scan
from schoolmath.text.numbers import ORDINALS


def _sizes(*units: tuple[str, int]) -> dict[str, int]:
    return {name: size for names, size in units for name in names.split()}


_DIMENSIONS: tuple[Mapping[str, int], ...] = tuple(
    MappingProxyType(sizes)
    for sizes in (
        _sizes(("second sec", 1), ("minute min", 60), ("hour hr", 3600), ("day", 86_400),
               ("week", 604_800)),
        _sizes(("month", 1), ("year", 12)),
        _sizes(("inch", 1), ("foot feet ft", 12), ("yard", 36)),
        _sizes(("millimeter millimetre mm", 1), ("centimeter centimetre cm", 10),
               ("meter metre m", 1000), ("kilometer kilometre km", 1_000_000)),
        _sizes(("ounce", 1), ("pound", 16)),
        _sizes(("gram g", 1), ("kilogram kg", 1000)),
        _sizes(("cup", 1), ("pint", 2), ("quart", 4), ("gallon", 16)),
        _sizes(("milliliter millilitre ml", 1), ("liter litre", 1000)),
        _sizes(("cent", 1), ("dollar", 100)),
    )
)  # fmt: skip
"""Units that are written together, each with its size in the smallest of them."""

_RATES = frozenset({"a", "an", "per", "each", "every"})
_ORDINAL = re.compile(r"(\d{1,9})\s?(?:st|nd|rd|th)")


def for_question(
    text: str, tokens: Sequence[AnswerToken], target: QuestionTarget
) -> Iterator[AnswerToken]:
    """The tokens of a text, its numbers as the question wants them."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        behind = _second_part(text, tokens, at) if token.kind == "number" else None
        if behind is not None:
            yield _together(text, tokens, at, behind, target)
            at = behind + 2
            continue
        if target.order and token.kind == "word" and (place := _place(token.text)) is not None:
            token = token._replace(kind="number", value=Fraction(place))
        elif token.text.endswith("%") and _is_part(tokens, at, target):
            token = token._replace(role="division")  # 25% of the clients: nothing is calculated yet
        elif target.difference and token.role == "comparison":
            token = token._replace(role="plain")
        elif target.unit == DOZEN and token.value is not None and token.text.endswith(DOZEN):
            token = token._replace(value=token.value / 12)
        yield token
        at += 1


def is_of_another_unit(units: frozenset[str], text: str, target: QuestionTarget) -> bool:
    """Whether a number counts in another unit than the one that is asked for.

    Args:
        units: the words behind it.
        text: the number as it stands.
        target: what the question wants. Hours where minutes are asked for, dollars where cents or
            apples are, eggs where dozens of them are.
    """
    if target.unit in units:
        return False
    if "dollar" in units and target.cents:
        return True
    if not units.isdisjoint(MONEY) and target.things and not target.money:
        return units.isdisjoint(target.things)
    if target.unit == DOZEN:
        return bool(units) and DOZEN not in units and not text.lower().endswith(DOZEN)
    if target.unit not in target.things:
        return False  # money of which no unit was named
    sizes = _dimension(target.unit)
    return any(size != sizes[target.unit] for unit in units if (size := sizes.get(unit)))


def _is_part(tokens: Sequence[AnswerToken], at: int, target: QuestionTarget) -> bool:
    wanted = target.percent or target.share
    return not wanted and at + 1 < len(tokens) and tokens[at + 1].text == "of"


def _dimension(unit: str) -> Mapping[str, int]:
    return next((sizes for sizes in _DIMENSIONS if unit in sizes), {})


def _unit(text: str, tokens: Sequence[AnswerToken], at: int) -> str:
    """The unit of a number: the word behind it, or a sign of money before it."""
    if at + 1 < len(tokens) and tokens[at + 1].kind == "word":
        word = singular(tokens[at + 1].text)
        if _dimension(word):
            return word
    return "dollar" if text[: tokens[at].start].endswith("$") else ""


def _second_part(text: str, tokens: Sequence[AnswerToken], at: int) -> int | None:
    """Where the number in the smaller unit stands, such as the 15 of "3 hours and 15 minutes"."""
    large = _unit(text, tokens, at)
    if not large or tokens[at].value is None:
        return None
    behind = at + (1 if text[: tokens[at].start].endswith("$") else 2)
    if behind < len(tokens) and tokens[behind].text == "and":
        behind += 1
    if behind + 1 >= len(tokens) or tokens[behind].kind != "number":
        return None
    sizes, value = _dimension(large), tokens[behind].value
    small = sizes.get(singular(tokens[behind + 1].text))
    if small is None or value is None or not 0 <= value * small < sizes[large]:
        return None
    ahead = tokens[behind + 2].text if behind + 2 < len(tokens) else ""
    return None if ahead in _RATES or ahead.startswith("/") else behind


def _together(
    text: str, tokens: Sequence[AnswerToken], at: int, behind: int, target: QuestionTarget
) -> AnswerToken:
    first, second = tokens[at], tokens[behind]
    large = _unit(text, tokens, at)
    sizes = _dimension(large)
    wanted = sizes.get(target.unit)
    value = None
    if wanted is not None and first.value is not None and second.value is not None:
        small = sizes[singular(tokens[behind + 1].text)]
        value = (first.value * sizes[large] + second.value * small) / wanted
    return first._replace(end=tokens[behind + 1].end, value=value)


def _place(word: str) -> int | None:
    digits = _ORDINAL.fullmatch(word)
    return int(digits[1]) if digits else ORDINALS.get(word)


@dataclass(frozen=True, slots=True)
class NumberClaim:
    """A number that the text puts forward, alone or as the result of an equation.

    Attributes:
        kind: ``number``, ``equation``, ``expression`` (a calculation without its result),
            ``range``, ``comparison`` ("3 more than", "at least 3") or ``unclear``.
        value: None where the kind has none.
        start, end: where the value stands.
        first, last: the tokens that the whole claim covers.
        next_link: how it is tied to the claim after it: ``or``, ``range``, ``list`` or "".
        oblique: it stands behind a preposition ("in 7 hours", "to cook 90"), so that another
            number beside it is what the sentence is about.
    """

    kind: str
    value: Fraction | None
    start: int
    end: int
    first: int
    last: int
    next_link: str = ""
    oblique: bool = False


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A stretch of text up to a full stop or the end of a line, with its claims."""

    start: int
    end: int
    closed: bool
    claims: tuple[NumberClaim, ...]


@dataclass(frozen=True, slots=True)
class AnswerText:
    """Text with everything that was found in it.

    Attributes:
        text: normalised (see `written_numbers.normalise`), blank outside the passage.
        start: where the passage begins.
        asked: what the question asks for, which decides what some numbers mean here.
    """

    text: str
    start: int
    asked: QuestionTarget
    tokens: tuple[AnswerToken, ...]
    claims: tuple[NumberClaim, ...]
    sentences: tuple[AnswerSentence, ...]

    @classmethod
    def of(
        cls,
        text: str,
        start: int = 0,
        end: int | None = None,
        *,
        target: QuestionTarget = NOTHING_KNOWN,
    ) -> AnswerText:
        """Reads a normalised text, or the part of it between two positions."""
        part = " " * start + text[start:end]
        tokens = list(for_question(part, scan(part), target))
        claims = _claims(part, tokens)
        return cls(part, start, target, tuple(tokens), claims, _sentences(tokens, claims))

    def claims_within(self, start: int, end: int) -> tuple[NumberClaim, ...]:
        """The claims whose value stands between two positions."""
        first = bisect_left(self.claims, start, key=_start)
        after = first
        while after < len(self.claims) and self.claims[after].end <= end:
            after += 1
        return self.claims[first:after]

    def has_claim_within(self, start: int, end: int) -> bool:
        """Whether there is such a claim."""
        first = bisect_left(self.claims, start, key=_start)
        return first < len(self.claims) and self.claims[first].end <= end

    def token_at(self, position: int) -> int:
        """The index of the first token at or after a position."""
        return bisect_left(self.tokens, position, key=_start)

    def claim_at(self, token: int) -> int:
        """The index of the first claim that begins at or after a token."""
        return bisect_left(self.claims, token, key=lambda claim: claim.first)

    def sentence_at(self, position: int) -> AnswerSentence | None:
        """The first sentence that ends after a position."""
        index = bisect_left(self.sentences, position + 1, key=lambda sentence: sentence.end)
        return self.sentences[index] if index < len(self.sentences) else None


def _start(part: AnswerToken | NumberClaim) -> int:
    return part.start


# --- How two numbers hang together --------------------------------------------------------------

_WORD = r"/?[^\W\d_][\w']*"
_NO_UNIT = (
    "has|have|had|is|are|was|were|so|and|or|but|because|since|then|therefore|thus|hence|if|when"
    "|while|which|that|who|he|she|it|they|we|i|to|by|not|no"
)
_CLAUSE = (
    "has|have|had|is|are|was|were|so|and|or|but|because|since|then|therefore|thus|hence|if|when"
)
_UNITS = rf"(?:(?!(?:{_NO_UNIT})\b){_WORD} ){{0,5}}"
_OPERATOR = re.compile(
    rf"{_UNITS}(?:[-−–+*×·÷/]|plus|minus|times|divided by|multiplied by|added to|from"
    rf"|(?:taken away|taken|subtracted) from|(?:take|takes|taking) away"
    rf"|times as (?:many|much)(?: {_WORD})? as"
    rf"|(?:{_WORD} )?(?:more|fewer|less|greater) (?:{_WORD} )?than)"
)
_OPERATOR_BY_VERB = {
    "to": re.compile(r"add|adding|added"),
    "by": re.compile(r"multiply|multiplying|multiplied|divide|dividing|divided"),
    "and": re.compile(r"add|adding|sum|product|difference"),
}
_AFTER_CALCULATION = re.compile(
    rf"{_UNITS}(?:, )?(?:(?:which |that |it |this )?(?:equals?|is equal to|gives?|makes?|giving"
    r"|making|leaves?|leaving|yields?|is|are|was|were|will be|would be|becomes|comes to)"
    rf"|(?:to|we|you|i|he|she|they) (?:get|gets|give|make|leave)|results in)(?: {_WORD}){{0,3}}"
)
_EQUALS = re.compile(
    rf"{_UNITS}(?:, )?(?:& )?[=≈≡](?: &)?(?: {_WORD}){{0,3}}"
    rf"|(?:(?!(?:{_CLAUSE})\b){_WORD} ){{0,8}}=(?: {_WORD}){{0,3}}"
)
_NEXT_LINE_EQUALS = re.compile(r"\n(?: &)? ?[=≈≡][^\n]*\Z|[=≈≡] \n\Z")
_LEAVING = re.compile(rf"{_UNITS}(?:, )?(?:which )?(?:leaves|leaving|yields)(?: {_WORD}){{0,3}}")
_OR = re.compile(rf"{_UNITS}(?:, )?or(?: {_WORD}){{0,2}}")
_RANGE = re.compile(r"(?:to|through|until|[-−–±])")
_LIST = re.compile(rf"(?:{_WORD} )?(?:,|and|, and|&)|(?:, )?[a-z] [:)]|")
_MOST_BETWEEN = 9
_MULTIPLES = frozenset({"of", "twice", "double", "thrice"})
"""Before a number these make a calculation of it: "half of 18 = 9"."""


def _link(text: str, tokens: Sequence[AnswerToken], left: int, right: int) -> str:
    """How two neighbouring numbers are tied.

    Returns:
        ``calculation``, ``hyphen`` (as in "10-12": a calculation or a range), ``=``,
        ``result`` (said in words, after a calculation), ``leaving`` (in words, after
        anything), ``or``, ``range``, ``list`` or "".
    """
    if right - left - 1 > _MOST_BETWEEN:
        return ""
    between = tokens[left + 1 : right]
    whole = " ".join(token.text for token in between)
    bare = " ".join(token.text for token in between if token.text not in "()[]{}\n")
    if _EQUALS.fullmatch(bare) and ("\n" not in whole or _NEXT_LINE_EQUALS.search(whole)):
        return "="
    gap = text[tokens[left].end : tokens[right].start]
    if whole in {"\n", "\n -", "\n −", "\n +"} and (len(whole) > 1 or tokens[right].text[0] == "-"):
        return "calculation"  # set out in a column
    if "\n" in whole:
        return ""
    if gap in {"(", ")("}:
        return "calculation"
    if _OPERATOR.fullmatch(bare) or _is_operator_by_verb(tokens, left, bare):
        return "hyphen" if gap in {"-", "−", "–"} else "calculation"
    if tokens[right].role != "comparison":
        if _LEAVING.fullmatch(bare):
            return "leaving"
        if _AFTER_CALCULATION.fullmatch(bare):
            return "result"
    if _OR.fullmatch(whole):
        return "or"
    if _RANGE.fullmatch(whole) or (
        bare.endswith("and") and left and tokens[left - 1].text == "between"
    ):
        return "range"
    return "list" if _LIST.fullmatch(whole) else ""


def _is_operator_by_verb(tokens: Sequence[AnswerToken], left: int, bare: str) -> bool:
    """Adding 3 to 18, dividing 18 by 3, the sum of 3 and 18, half of 18."""
    preposition = bare.rpartition(" ")[2]
    if preposition == "of":
        number = tokens[left]
        return bare == "of" and (number.text.endswith("%") or (number.value or 0) % 1 != 0)
    verbs = _OPERATOR_BY_VERB.get(preposition)
    if verbs is None or bare.count(" ") > 2:
        return False
    return any(verbs.fullmatch(token.text) for token in tokens[max(left - 4, 0) : left])


# --- Claims ------------------------------------------------------------------------------------


def _claims(text: str, tokens: Sequence[AnswerToken]) -> tuple[NumberClaim, ...]:
    numbers = [index for index, token in enumerate(tokens) if token.kind == "number"]
    links = [_link(text, tokens, left, right) for left, right in pairwise(numbers)]
    claims: list[NumberClaim] = []
    at = 0
    while at < len(numbers):
        after = at
        calculates = False  # and no result is stated yet, to which words could lead
        while after < len(links):
            link = links[after]
            if link in {"calculation", "hyphen"}:
                calculates = True
            elif link in {"=", "leaving"} or (link == "result" and calculates):
                calculates = False
            else:
                break
            after += 1
        next_link = links[after] if after < len(links) else ""
        claim = _claim(tokens, numbers[at : after + 1], links[at:after], next_link)
        if claims and claims[-1].oblique and _goes_on_from(tokens, claims[-1], claim):
            claim = replace(claim, oblique=True)
        claims.append(claim)
        at = after + 1
    return tuple(claims)


def _goes_on_from(tokens: Sequence[AnswerToken], before: NumberClaim, claim: NumberClaim) -> bool:
    """Whether "and" or a comma is all that stands between two numbers and their units."""
    between = tokens[before.last + 1 : claim.first]
    joins = any(token.text in {"and", ","} for token in between)
    return joins and not any(
        token.kind in {"stop", "line"} or (token.text in NEVER_BEHIND and token.text != "and")
        for token in between
    )


def _claim(
    tokens: Sequence[AnswerToken], numbers: Sequence[int], links: Sequence[str], next_link: str
) -> NumberClaim:
    kind, result = _verdict(tokens, numbers, links)
    number = tokens[result]
    if kind in {"number", "equation"} and number.value is None:
        kind = "unclear"
    if kind == "equation" and number.role == "comparison":
        kind = "comparison"  # 18 - 3 = 15 more than Ana
    return NumberClaim(
        kind,
        number.value if kind in {"number", "equation"} else None,
        number.start,
        number.end,
        numbers[0],
        numbers[-1],
        next_link if next_link in {"or", "range", "list"} else "",
        _is_oblique(tokens, numbers[0]),
    )


_MOST_BEHIND = 5


def _is_oblique(tokens: Sequence[AnswerToken], first: int) -> bool:
    for back in range(first - 1, max(first - 1 - _MOST_BEHIND, -1), -1):
        word = tokens[back].text
        if tokens[back].kind != "word" or word in NEVER_BEHIND:
            return False
        before = tokens[back - 1].text if back else ""
        if word in PREPOSITIONS:
            return before not in {"to": LEADING_TO, "of": WHOLES}.get(word, frozenset())
    return False


def _verdict(
    tokens: Sequence[AnswerToken], numbers: Sequence[int], links: Sequence[str]
) -> tuple[str, int]:
    """The kind of claim that linked numbers make, and which token is its value."""
    last = numbers[-1]
    if not links:
        return _verdict_on_one(tokens, last), last
    sides: list[list[int]] = [[numbers[0]]]
    for number, link in zip(numbers[1:], links, strict=True):
        if link in {"calculation", "hyphen"}:
            sides[-1].append(number)
        else:
            sides.append([number])
    if len(sides) == 1:
        return ("range" if links == ["hyphen"] else "expression"), last
    if len(sides[-1]) > 1:
        if len(sides) == 2 and len(sides[0]) == 1:
            return "equation", numbers[0]
        return "expression", last
    if _goes_on(tokens, last):
        return "expression", last
    worked = any(len(side) > 1 or "/" in tokens[side[0]].text for side in sides[:-1])
    worked = worked or (numbers[0] > 0 and tokens[numbers[0] - 1].text in _MULTIPLES)
    same = len({tokens[side[0]].value for side in sides}) == 1
    if worked or same or "leaving" in links:
        return "equation", last
    return "unclear", last


def _verdict_on_one(tokens: Sequence[AnswerToken], index: int) -> str:
    number = tokens[index]
    if number.role in {"comparison", "bound"}:
        return "comparison"
    if number.role == "division" or _goes_on(tokens, index):
        return "expression"
    if number.role == "dashed":
        return "unclear"
    return "equation" if _is_assigned(tokens, index) else "number"


def _is_assigned(tokens: Sequence[AnswerToken], index: int) -> bool:
    """Whether the number is what one name stands for: "x = 15", "Ben's pens = 15".

    Not that of an equation that is still to be solved: "x + y = 15", "18 - Ben's pens = 15".
    """
    if index < 2 or tokens[index - 1].text != "=" or tokens[index - 2].kind != "word":
        return False
    before = index - 2
    while before > 0 and tokens[before].kind == "word":
        before -= 1
    return tokens[before].kind != "sign" or tokens[before].text in ",:()"


def _goes_on(tokens: Sequence[AnswerToken], index: int) -> bool:
    """Whether a calculation goes on after the number without another number: "15 + x"."""
    ahead = [token.text for token in tokens[index + 1 : index + 4]]
    if ahead and ahead[0].isalpha() and len(ahead[0]) > 1:
        del ahead[0]
    if not ahead:
        return False
    follower = ahead[1] if len(ahead) > 1 else ""
    if ahead[0] in {"+", "×", "÷", "*", "/", "−"}:
        return True
    return ahead[0] == "-" and (follower in {"", "?", "\n"} or len(follower) == 1)


def _sentences(
    tokens: Sequence[AnswerToken], claims: Sequence[NumberClaim]
) -> tuple[AnswerSentence, ...]:
    made: list[AnswerSentence] = []
    first = taken = 0
    for index, token in enumerate(tokens):
        ends = token.kind in {"stop", "line"}
        if not ends and index < len(tokens) - 1:
            continue
        upto = taken
        while upto < len(claims) and claims[upto].last <= index:
            upto += 1
        if index > first or not ends:
            end = token.end if token.kind != "line" else token.start
            own = tuple(claims[taken:upto])
            made.append(AnswerSentence(tokens[first].start, end, token.kind == "stop", own))
        taken, first = upto, index + 1
    return tuple(made)
