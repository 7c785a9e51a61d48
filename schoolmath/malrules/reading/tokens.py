"""What stands in a line, brought to one way of writing: words, signs, numbers, lists, sums, terms.

Both what a person types and what a form prints go through `in_one_line`, so that only what is
asked is left to compare.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isqrt
from typing import TypeAlias

from schoolmath.text.numbers import VULGAR_FRACTIONS, read_phrase

Leaf: TypeAlias = Fraction | str | tuple["Leaf", ...]
"""What can stand in a field of a form: a number, a text, or a tuple of such."""

_SPELLED = (
    r"(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?:-\w+)?)"
    r" (?:hundred|thousand)(?:(?: and)? (?:hundred|thousand|one|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve|\w+teen|\w+ty(?:-\w+)?))*)\b"
)
_TERM = r"(?:\d+(?:\.\d+)?[a-z](?![A-Za-z])|[a-z](?![A-Za-z])|\d+(?:\.\d+)?(?![a-z\d]|\.\d))"
_END = r"(?!\w|\.\d|\s*[(^/×÷√])"
_TOKEN = re.compile(
    rf"(?P<spelled>{_SPELLED})"
    rf"|(?P<terms>(?<!\^)-?{_TERM}(?:\s*[+-]\s*{_TERM})+{_END}|-?\d+[a-z](?![A-Za-z]){_END})"
    r"|(?P<time>(?<![\d:])\d{1,2}:\d{2}(?![\d:]))"
    r"|(?P<mixed>(?<![\d/.])\d+ \d+/\d+(?![\d/]))"
    r"|(?P<fraction>(?<![\d/.])\d+/\d+(?![\d/]))"
    r"|(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<word>[^\W\d_]+(?:['-][^\W\d_]+)*)"
    r"|(?P<dots>\.\.\.|…)"
    r"|(?P<sign>\S)",
    re.IGNORECASE,
)
_OPERATIONS = frozenset("+-×÷")
_BEFORE_A_SIGN = frozenset("+-×÷=<>≤≥(,^:")
_UNITS = frozenset("ghlmsd")
"""Letters that are read as units where nothing is calculated with them: 5 m."""


@dataclass(frozen=True, slots=True)
class ProblemToken:
    """A word or sign, or something with numbers.

    Attributes:
        kind: ``word``, or the kind of slot, such as ``number``.
        text: as it stands in the line.
        parts: what a field can be filled with, by name; empty for words.
        spaced: whether a space or nothing stands before it.
    """

    kind: str
    text: str
    parts: Mapping[str, Leaf]
    spaced: bool = True


@dataclass(frozen=True)
class TokenLine:
    """A line, taken apart.

    Attributes:
        shape: words and signs as they are, a sign for each thing with numbers (`SIGNS`).
        slots: the things with numbers, in order.
    """

    shape: str
    slots: tuple[ProblemToken, ...]

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the slots."""
        return tuple(slot.kind for slot in self.slots)


SIGNS = {
    "number": "⟨n⟩", "fraction": "⟨f⟩", "mixed": "⟨m⟩", "time": "⟨t⟩", "terms": "⟨x⟩",
    "list": "⟨l⟩", "chain": "⟨c⟩",
}  # fmt: skip
"""How the kinds of slots stand in a shape."""


def take_apart(line: str) -> TokenLine:
    """A line in its parts (see `schoolmath.malrules.reading.tokens.in_one_line`)."""
    found = list(_lists(_chains(list(_signed(list(_tokens(line)))))))
    shape = " ".join(SIGNS.get(each.kind, each.text) for each in found)
    return TokenLine(shape, tuple(each for each in found if each.kind in SIGNS))


def _tokens(line: str) -> Iterator[ProblemToken]:
    for match in _TOKEN.finditer(line):
        kind, text = match.lastgroup or "", match[0]
        spaced = match.start() == 0 or line[match.start() - 1].isspace()
        parts = _PARTS[kind](text) if kind in _PARTS else {}
        if kind == "terms" and not parts:
            # No term with a letter, or terms with different ones: its numbers one by one.
            yield from _split(text)
        elif kind == "spelled":
            yield (
                ProblemToken("number", text, parts, spaced)
                if parts
                else ProblemToken("word", text, {}, spaced)
            )
        else:
            yield ProblemToken(kind if kind in SIGNS else "word", text, parts, spaced)


def _split(text: str) -> Iterator[ProblemToken]:
    for each in re.finditer(r"\d+(?:\.\d+)?|[a-z]|[+-]", text, re.IGNORECASE):
        if each[0][0].isdigit():
            yield ProblemToken("number", each[0], _number(each[0]), each.start() == 0)
        else:
            before = text[each.start() - 1 : each.start()]
            yield ProblemToken("word", each[0], {}, not before or before.isspace())


def _number(text: str) -> dict[str, Leaf]:
    value = Fraction(text)
    parts: dict[str, Leaf] = {"value": value, "text": text, "minus": -value}
    if value > 1 and value.denominator == 1 and isqrt(int(value)) ** 2 == value:
        parts["root"] = Fraction(isqrt(int(value)))
    return parts


def _spelled(text: str) -> dict[str, Leaf]:
    found = read_phrase(text)
    if len(found) != 1 or found[0].value is None:
        return {}
    return {"value": found[0].value}


def _fraction(text: str) -> dict[str, Leaf]:
    top, bottom = (Fraction(each) for each in text.split("/"))
    parts: dict[str, Leaf] = {"top": top, "bottom": bottom, "pair": (top, bottom)}
    return parts | ({"value": top / bottom} if bottom else {})


def _mixed(text: str) -> dict[str, Leaf]:
    whole, fraction = text.split(" ")
    parts = _fraction(fraction)
    value = parts.pop("value", None)
    parts["whole"] = Fraction(whole)
    return parts | ({"value": Fraction(whole) + value} if isinstance(value, Fraction) else {})


def _time(text: str) -> dict[str, Leaf]:
    hours, minutes = text.split(":")
    return {"minutes": Fraction(60 * int(hours) + int(minutes))} if int(minutes) < 60 else {}


def _terms(text: str) -> dict[str, Leaf]:
    letters: list[Fraction] = []
    constants: list[Fraction] = []
    names = set()
    for sign, number, name in re.findall(r"(^-?|[+-])\s*(\d+(?:\.\d+)?)?([a-zA-Z])?", text):
        if not number and not name:
            continue
        value = Fraction(number or 1) * (-1 if sign == "-" else 1)
        (letters if name else constants).append(value)
        names.add(name)
    names.discard("")
    alone = len(letters) + len(constants) == 1
    if len(names) != 1 or (alone and names <= _UNITS):
        return {}
    factor, constant = sum(letters, Fraction(0)), sum(constants, Fraction(0))
    return {
        "factor": factor, "constant": constant, "minus factor": -factor,
        "minus constant": -constant, "letters": tuple(letters), "constants": tuple(constants),
    }  # fmt: skip


_PARTS = {
    "number": _number, "spelled": _spelled, "fraction": _fraction, "mixed": _mixed,
    "time": _time, "terms": _terms,
}  # fmt: skip


def _signed(tokens: list[ProblemToken]) -> Iterator[ProblemToken]:
    """Numbers with the minus that belongs to them; brackets round one such number fall away."""
    at = 0
    while at < len(tokens):
        before = tokens[at - 1] if at else None
        if (
            tokens[at].text == "("
            and _text(tokens, at + 1) == "-"
            and _kind(tokens, at + 2) == "number"
            and _text(tokens, at + 3) == ")"
            and _text(tokens, at + 4) != "^"
            and (before is None or len(before.text) != 1 or not before.text.isalpha())
        ):
            yield _minus(tokens[at + 2], tokens[at].spaced)
            at += 4
        elif (
            tokens[at].text == "-"
            and _kind(tokens, at + 1) == "number"
            and (
                before is None
                or before.text in _BEFORE_A_SIGN
                or (before.kind == "word" and before.text.isalpha() and _glued(tokens, at))
            )
        ):
            yield _minus(tokens[at + 1], tokens[at].spaced)
            at += 2
        else:
            yield tokens[at]
            at += 1


def _glued(tokens: list[ProblemToken], at: int) -> bool:
    return tokens[at].spaced and not tokens[at + 1].spaced


def _minus(token: ProblemToken, spaced: bool) -> ProblemToken:
    return ProblemToken("number", f"-{token.text}", _number(f"-{token.text}"), spaced)


def _kind(tokens: list[ProblemToken], at: int) -> str:
    return tokens[at].kind if 0 <= at < len(tokens) else ""


def _text(tokens: list[ProblemToken], at: int) -> str:
    return tokens[at].text if 0 <= at < len(tokens) else ""


def _chains(tokens: list[ProblemToken]) -> list[ProblemToken]:
    """Three or more numbers with operations between them as one thing."""
    found: list[ProblemToken] = []
    at = 0
    while at < len(tokens):
        end = at
        if tokens[at].kind == "number":
            while _text(tokens, end + 1) in _OPERATIONS and _kind(tokens, end + 2) == "number":
                end += 2
        bound = _text(tokens, at - 1) in {"^", "√", "("} | _OPERATIONS
        bound |= _text(tokens, end + 1) in {"^", "(", ")", "/", "%"} | _OPERATIONS
        if end - at >= 4 and not bound:
            found.append(_chain(tokens[at : end + 1]))
        else:
            end = at
            found.append(tokens[at])
        at = end + 1
    return found


def _chain(tokens: list[ProblemToken]) -> ProblemToken:
    numbers = [_value(each) for each in tokens[::2]]
    signs = [each.text for each in tokens[1::2]]
    parts: dict[str, Leaf] = {"numbers": tuple(numbers), "signs": tuple(signs)}
    if set(signs) <= {"+", "-"}:
        minus = [1, *(-1 if sign == "-" else 1 for sign in signs)]
        signed = tuple(number * way for number, way in zip(numbers, minus, strict=True))
        parts |= {"signed": signed, "sum": sum(signed, Fraction(0))}
    parts |= {f"number {index}": number for index, number in enumerate(numbers)}
    text = " ".join(each.text for each in tokens)
    return ProblemToken("chain", text, parts, tokens[0].spaced)


def _value(token: ProblemToken) -> Fraction:
    value = token.parts.get("value")
    assert isinstance(value, Fraction)
    return value


def _lists(tokens: list[ProblemToken]) -> Iterator[ProblemToken]:
    """Numbers of one kind with commas, or three with nothing, between them as one thing."""
    at = 0
    while at < len(tokens):
        end, commas = at, 0
        kind = tokens[at].kind
        while kind in {"number", "fraction"}:
            step = 1 if _kind(tokens, end + 1) == kind == "number" else 0
            if _text(tokens, end + 1) == ",":
                step = 3 if _text(tokens, end + 2) in {"and", "or"} else 2
            elif _text(tokens, end + 1) in {"and", "or"} and commas:
                step = 2
            if not step or _kind(tokens, end + step) != kind:
                break
            commas += _text(tokens, end + 1) == ","
            end += step
        if commas or end - at >= 2:
            yield _list([each for each in tokens[at : end + 1] if each.kind == kind])
            at = end + 1
        else:
            yield tokens[at]
            at += 1


def _list(tokens: list[ProblemToken]) -> ProblemToken:
    parts: dict[str, Leaf] = {"texts": tuple(each.text for each in tokens)}
    values = [each.parts["value"] for each in tokens if "value" in each.parts]
    if len(values) == len(tokens):
        parts["values"] = tuple(values)
        parts |= {f"value {index}": value for index, value in enumerate(values)}
        if isinstance(values[0], Fraction) and isinstance(values[1], Fraction):
            parts["difference"] = values[1] - values[0]
    pairs = [each.parts["pair"] for each in tokens if "pair" in each.parts]
    if len(pairs) == len(tokens):
        parts["pairs"] = tuple(pairs)
    text = ", ".join(each.text for each in tokens)
    return ProblemToken("list", text, parts, tokens[0].spaced)


_SAME_SIGNS = str.maketrans(
    {
        **dict.fromkeys("−–—‒‐‑﹣－", "-"),
        **dict.fromkeys("✕✖∙·⋅•‧・⨯*", "×"),
        **dict.fromkeys("∕⁄／", "/"),
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("’‘´`", "'"),
        **dict.fromkeys("□☐▢", "_"),
        "∶": ":",
        "：": ":",
        "＋": "+",
        "＝": "=",
        "≦": "≤",
        "≧": "≥",
        "％": "%",
        "\u00a0": " ",
        "\u202f": " ",
        "\u2009": " ",
    }
)  # fmt: skip
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_LOWERED = str.maketrans(_SUPERSCRIPTS, "0123456789-")
_COLUMNS = re.compile(
    r"\s*(?P<first>-?\d[\d.,]*)[^\S\n]*\n(?P<signed>[^\S\n]*(?P<sign>[-+×xX÷])[^\S\n]*)"
    r"(?P<second>\d[\d.,]*)[^\S\n]*(?:\n[\s_=-]*)?"
)
_NUMBER_BEFORE = r"(?<![\d.,])"
_THOUSANDS = re.compile(_NUMBER_BEFORE + r"[1-9]\d{0,2}(?:,\d{3})+(?![\d,])(?=[^\d]|$)")
_SPACED_THOUSANDS = re.compile(
    r"(?<![\d.,/])(?<!\d )[1-9]\d{0,2}(?: \d{3})+(?! ?[\d/.]| ?,(?! [a-z]))"
)
_WITH_COMMA = re.compile(_NUMBER_BEFORE + r"\d+,(?:\d{1,2}|\d{4,})(?![\d,])")
_LEAD_IN = re.compile(
    r"(?:please|what(?:'s| is| are| do you get for| number is)(?= )|work out|calculate|compute"
    r"|evaluate|find|determine|(?:add|subtract|multiply|divide) *(?=:)|how much is"
    r"|solve the equation|solve for [a-z](?![a-z])|solve"
    r"|the (?:answer|result) (?:to|of)"
    r"|the value of(?= [-(√\d][^a-z]*$))\b\s*:?\s*",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\s*(?:=\s*(?:\?|_+|\.{2,}|…)?|[?.!:;])\s*$")
_SAID = r"(-?\d[\d.]*(?: \d+/\d+|/\d+)?)"


def _worth(number: str) -> Fraction:
    size = sum((Fraction(each) for each in number.removeprefix("-").split()), Fraction(0))
    return -size if number.startswith("-") else size


def _difference_between(match: re.Match[str]) -> str:
    """The difference between two numbers: the smaller one is taken from the larger."""
    try:
        smaller, larger = sorted(match.groups(), key=_worth)
    except (ValueError, ZeroDivisionError):
        return match[0]
    return f"{larger} - {f'({smaller})' if smaller.startswith('-') else smaller}"


_OPERATIONS_SAID: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern.replace("#", _SAID), re.IGNORECASE), written)
    for pattern, written in (
        (r"(?:subtract|take(?: away)?) # from #", r"\2 - \1"),
        (r"(?:the )?difference between # and #", _difference_between),
        (r"(?:the )?difference of # and #", r"\1 - \2"),
        (r"(?:add|(?:the )?sum of) # (?:and|to) #", r"\1 + \2"),
        (r"(?:multiply|(?:the )?product of) # (?:by|and|with) #", r"\1 × \2"),
        (r"(?:divide|share|(?:the )?quotient of) # (?:by|and) #", r"\1 ÷ \2"),
        (r"# plus #", r"\1 + \2"),
        (r"# (?:minus|take away|subtract|less) #", r"\1 - \2"),
        (r"# (?:times|multiplied by) #", r"\1 × \2"),
        (r"# (?:divided by|over) #", r"\1 ÷ \2"),
    )
)
_SPACED_SIGNS = re.compile(r"\s*([+×÷=<>≤≥])\s*")


_BRACKETS = str.maketrans("[]{}", "()()")


@lru_cache(maxsize=256)
def in_one_line(text: str, *, as_x: bool = True) -> str:
    """The text with one way of writing each sign, without lead-in ("What is") and ending ("=").

    Kept for the last texts, for each reader asks for it again.

    Args:
        text: a problem as it is typed.
        as_x: whether the one letter that stands for a number is written as x.
    """
    line = _signs(text)
    if (columns := _COLUMNS.fullmatch(line)) is not None:
        sign = columns["sign"].replace("x", "×").replace("X", "×")
        line = f"{columns['first']} {sign} {columns['second']}"
    line = plain_numbers(" ".join(line.split()))
    line = re.sub(
        r"(?<=[\d)])(?:\s*[xX]\s*(?=[\d_])|\s+[xX]\s+(?=[-(\[{\d]))|(?<=\))[xX](?=\()"
        r"|(?<=\^\d)\s+[xX]\s+(?=[a-z]\^)|(?<=\d[abcefijknpqrtuvwyz])\s+[xX]\s+(?=\d)",
        " × ",
        line,
    )
    line = re.sub(r"\s*(?:per ?cent|pct)\b", "%", line, flags=re.IGNORECASE)
    line = re.sub(r"(?<=\d)\s+%", "%", line)
    line = _divisions(line)
    line = line.replace("<=", "≤").replace(">=", "≥")
    line = _SPACED_SIGNS.sub(r" \1 ", line)
    line = _without_plus(line)
    line = re.sub(r"(?<=[a-z]) ?\+ ?\(-(\d+)\)(?= [=<>≤≥])", r" - \1", line)
    line = re.sub(r"(?<=\d) ,(?= ?-?\d)", ",", line)
    line = _as_signs(_without_frame(" ".join(line.split())))
    if re.search(r"[\[{][^\]}]*[-+×÷][^\]}]*[\]}]", line) and not re.search("[a-z]{2}", line, re.I):
        line = line.translate(_BRACKETS)
    line = re.sub(r"\[ ?\]|\( ?\)|_+|(?<=[=+×÷-] )\?|\?(?= [=+×÷-])", "_", line)
    return _with_x(line) if as_x else line


_SIGNED = r"\d+(?:\.\d+)?(?:/\d+)?"
_ALONE_IN_BRACKETS = re.compile(
    rf"(?P<before>^|[-+×÷=] |: )\((?P<number>{_SIGNED})\)(?=$| [-+×÷=])(?! \^)"
)


def _without_plus(line: str) -> str:
    """``(+5) + (-3)`` as 5 + (-3): a plus that is no operation, brackets round one number."""
    line = re.sub(r"\( ?([-+]) ?(?=[\d.])", r"(\1", line)
    line = re.sub(rf"\(\+(?={_SIGNED}\))", "(", line)
    line = re.sub(rf"^\+ (?={_SIGNED} [-+×÷])|(?<=[a-z][a-z] )\+ ?(?={_SIGNED}$)", "", line)
    return _ALONE_IN_BRACKETS.sub(r"\g<before>\g<number>", line)


def _as_signs(line: str) -> str:
    """Operations in words as signs, where the words are the whole question."""
    for pattern, written in _OPERATIONS_SAID:
        if pattern.fullmatch(line):
            return pattern.sub(written, line)
    return line


def same_signs(text: str) -> str:
    """The text with one minus, one sign of multiplication and so on, whatever was typed."""
    return text.translate(_SAME_SIGNS)


def with_carets(text: str) -> str:
    """Powers in superscript as they are typed: ``10⁻³`` is ``10^-3``."""
    return re.sub(rf"[{_SUPERSCRIPTS}]+", lambda found: "^" + found[0].translate(_LOWERED), text)


def _signs(text: str) -> str:
    text = re.sub(rf"(\d)\s*([{VULGAR_FRACTIONS}])", r"\1 \2", text)
    text = with_carets(text)
    text = re.sub(r"\bsqrt\s*(?=\()", "√", text)
    text = text.replace("-:-", "÷").replace("**", "^").replace("''", '"')
    text = "".join(
        unicodedata.normalize("NFKC", each) if each in VULGAR_FRACTIONS else each for each in text
    )
    return text.translate(_SAME_SIGNS)


def plain_numbers(line: str) -> str:
    """Thousands without commas; a decimal comma as a point where it can be nothing else."""
    line = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), line)
    line = _SPACED_THOUSANDS.sub(lambda found: found[0].replace(" ", ""), line)
    # Beside a sign of operation, one comma within digits is no list and no pair of coordinates.
    if re.search(r"\d\s*[-+×÷%=]|[-+×÷]\s*\d", line) and not re.search(r"\d,\s|\(\s*\d+,", line):
        line = _WITH_COMMA.sub(lambda found: found[0].replace(",", "."), line)
    return line


def _divisions(line: str) -> str:
    line = re.sub(r"(?<=[\d)a-z])\s+/\s*(?=[\d(a-z])|(?<=[\d)a-z])/\s+(?=[\d(a-z])", " ÷ ", line)
    if re.search(r"\bratio\b|\bshare", line, re.IGNORECASE):
        return re.sub(r"(?<=\d):(?=\d\d(?!\d))", " : ", line)  # 11:17 is no time of day.
    line = re.sub(r"(?<=\d)\s+:\s+(?=\d)", " ÷ ", line)
    return re.sub(r"(?<![\d:])(\d+):(\d|\d{3,})(?![\d:])", r"\1 ÷ \2", line)


def _without_frame(line: str) -> str:
    while True:
        shorter = _ENDING.sub("", line)
        if found := _LEAD_IN.match(shorter):
            shorter = shorter[found.end() :]
        if shorter == line or not shorter:
            return line
        line = shorter


_LETTER_TERM = re.compile(
    r"(?<![A-Za-z])\d*([a-wyz])(?![A-Za-z']|-[A-Za-z]{2})(?=\s*[-+=<>≤≥^)/÷]|(?<![ghlmsd])\s*×|$)"
)


_LENGTH = re.compile(r"\d [ghlmsd](?![A-Za-z])")
"""A number and a unit of one letter, as in "12 m by 7 m"."""


_NO_LETTERS = "[cdkm]m|[km]?g|m?l|ft|in|hrs?|oz|lbs?|st|nd|rd|th|am|pm|min|sec|yd|cc|kmh|mph|by"
TWO_LETTER_UNITS = "[cdkm]m|[km]?g|m?l|ft|in|hr|oz|lb"


def _with_x(line: str) -> str:
    """The one letter that stands for a number, written as x."""
    if re.search(r"(?<![A-Za-z])[xX](?![A-Za-z])", line):
        return line
    letters = {found[1] for found in _LETTER_TERM.finditer(_LENGTH.sub("", line))}
    if len(letters) != 1 or not re.search(r"\d", line):
        return line
    (letter,) = letters
    if re.search(rf"\d(?!(?:{_NO_LETTERS})\b)[a-z]{{2,3}}(?![a-z])", line):
        return line  # One of the letters of 12ab ÷ 4a.
    return re.sub(rf"(?<![A-Za-z]){letter}(?![A-Za-z'])", "x", line)
