"""Sizes of shapes, asked in any order of words: ``rectangle 9 by 4 area?``, ``area circle r=5``.

A question names what is asked, one shape and its lengths, and has nothing beside them but words
that say no more. Whatever else stands there is another question, which is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_UNIT = re.compile(r"(?:\d ?|\b(?:square|cubic|in) )([cmk]?m|in|f|y)(?:[a-z]*)\b")
_LENGTH = re.compile(r"\d ?([ckm]?m|in|f|y)(?:met[a-z]*|et[a-z]*|ch(?:es)?|t|oot|eet|ds?|ards?)?\b")
_NUMBER = (
    r"(\d+(?:\.\d+)?) ?"
    r"(?:[cmk]?m(?:m?et(?:re|er)s?)?|units?|in(?:ch(?:es)?)?|f(?:t|oot|eet)|y(?:ar)?ds?)?\b"
)
_LINK = r"(?: (?:of|is|are|measures?|=))*[ :=]*"
_NAMES: Mapping[str, str] = {
    "side": "(?:sides?|edges?)(?: (?:of )?lengths?)?|s",
    "radius": "radius|r", "diameter": "diameter|d", "base": "base|b", "height": "height|h",
    "length": "length|long side|l", "width": "width|breadth|short side|w",
}  # fmt: skip
_AFTER: Mapping[str, str] = {"long": "length", "wide": "width", "high": "height", "tall": "height"}
_TWO = rf"{_LINK}{_NUMBER},? (?:and )?{_NUMBER}"
_SEVERAL: Mapping[str, str] = {
    "legs": rf"(?:two )?(?:legs|shorter sides|short sides){_TWO}",
    "diagonals": rf"diagonals{_TWO}",
    "bases": rf"(?:bases|parallel sides){_TWO}",
    "sides": rf"sides?(?: lengths?)?{_LINK}{_NUMBER},? {_NUMBER},? (?:and )?{_NUMBER}",
}
_SHAPES: Mapping[str, str] = {
    "right triangle": r"right(?:-angled|-angle| angled)? triangle",
    "triangle": r"(?<!equilateral )triangle", "parallelogram": r"parallelogram",
    "trapezium": r"trapez(?:oid|ium)", "rhombus": r"rhombus|kite",
    "square": r"square(?! ?(?:c?m|units|inch))",
    "rectangle": r"rectangle|rectangular (?!box|prism|block)[a-z]+",
    "equilateral triangle": r"equilateral triangle",
    "circle": r"circle", "cylinder": r"cylinder", "cube": r"cube(?!d)",
    "box": r"box|cuboid|rectangular prism|rectangular box",
}  # fmt: skip
_QUANTITY = re.compile(r"\b(surface area|area|perimeter|circumference|volume|hypotenuse)\b")
_FILLER = re.compile(
    r"\b(?:what(?:'?s| is| are)?|find|work out|calculate|determine|give|the|an?|of|its?|is|are|has"
    r"|have|with|whose|that|if|and|for|having|how|long|big|large|much|lengths?|in|measuring|you"
    r"|(?:square |cubic )?(?:[cmk]?m(?:m?et(?:re|er)s?)?|units|inches|feet)[23]?)\b"
    r"|[ ,.:;?=()^²³]+|(?<=m\^)[23]\b"
)

_TRIANGLE = (
    "A triangle has a base of {0} cm and a height of {1} cm. "
    "What is its area in square centimetres?"
)
_ROWS: Mapping[tuple[str, str, str], str] = {
    ("area", "circle", "radius"): "area of a circle with radius {0}",
    ("area", "circle", "diameter"): "area of a circle with diameter {0}",
    ("circumference", "circle", "radius"): "circumference of a circle with radius {0}",
    ("circumference", "circle", "diameter"): "circumference of a circle with diameter {0}",
    ("area", "square", "side"): "area of a rectangle {0} by {0}",
    ("perimeter", "square", "side"): "perimeter of a rectangle {0} by {0}",
    ("area", "rectangle", "length width"): "area of a rectangle {0} by {1}",
    ("perimeter", "rectangle", "length width"): "perimeter of a rectangle {0} by {1}",
    ("area", "rhombus", "diagonals"): "{0} × {1} ÷ 2",
    ("perimeter", "equilateral triangle", "side"): "3 × {0}",
    ("perimeter", "triangle", "sides"): "{0} + {1} + {2}",
    ("area", "triangle", "base height"): _TRIANGLE,
    ("area", "right triangle", "base height"): _TRIANGLE,
    ("area", "right triangle", "legs"): _TRIANGLE,
    ("area", "parallelogram", "base height"): (
        "A parallelogram has base {0} cm and height {1} cm. What is its area in square centimetres?"
    ),
    ("area", "trapezium", "bases height"): (
        "A trapezium has parallel sides {0} cm and {1} cm and height {2} cm. "
        "What is its area in square centimetres?"
    ),
    ("hypotenuse", "right triangle", "legs"): (
        "The legs of a right triangle are {0} cm and {1} cm long. "
        "How many centimetres long is its hypotenuse?"
    ),
    ("volume", "cube", "side"): "volume of a box {0} by {0} by {0}",
    ("volume", "box", "length width height"): "volume of a box {0} by {1} by {2}",
    ("surface area", "cube", "side"): (
        "What is the surface area of a box {0} cm by {0} cm by {0} cm, in square centimetres?"
    ),
    ("surface area", "box", "length width height"): (
        "What is the surface area of a box {0} cm by {1} cm by {2} cm, in square centimetres?"
    ),
    ("volume", "cylinder", "radius height"): (
        "A cylinder has radius {0} cm and height {1} cm. Its volume in cubic centimetres is a "
        "number times pi. What is this number?"
    ),
}
"""By what is asked, of what, and with which lengths; sides of a rectangle also stand in a row."""

_COUNTS: Mapping[tuple[str, str], int] = {
    ("perimeter", "triangle"): 3, ("area", "rectangle"): 2, ("perimeter", "rectangle"): 2,
    ("volume", "box"): 3, ("surface area", "box"): 3, ("hypotenuse", "right triangle"): 2,
    ("area", "rhombus"): 2,
}  # fmt: skip
"""How many lengths in a row say all of a shape, as in ``9 by 4``."""


_IN_PI = re.compile(
    r"[.,]? ?\(?(?:(?:leave|give|write|leaving|giving|writing) (?:your |the )?answer )?in terms "
    r"of (?:pi|π)\)?"
)


def _whole_units(text: str) -> str:
    """``centimetres`` as ``cmetres``: a unit begins with its sign."""
    return re.sub(r"\b([cmk])(?:enti|illi|ilo)(?=met)", r"\1m", text)


def mixes_units(text: str) -> bool:
    """Whether a question about the size of a shape has lengths in two units."""
    plain = _whole_units(text.lower())
    return len(set(_LENGTH.findall(plain))) > 1 and _QUANTITY.search(plain) is not None


def shape_question(text: str) -> str | None:
    """The question in the words of a form that asks the same; None where it is no such question.

    Args:
        text: a question with single spaces.
    """
    rest = _whole_units(re.sub(r"(?<=\d) ?[x*] ?(?=\d)", " × ", text.lower()))
    rest = rest.replace("missing side", "hypotenuse")
    if len(set(_UNIT.findall(rest))) > 1:
        return None
    quantities = _QUANTITY.findall(rest)
    if len(set(quantities)) != 1:
        return None
    rest = _QUANTITY.sub(" ", rest)
    shape = next((name for name, words in _SHAPES.items() if re.search(rf"\b(?:{words})\b", rest)),
                 "right triangle" if quantities[0] == "hypotenuse" else "")  # fmt: skip
    if not shape:
        return None
    rest = re.sub(rf"(?:\bof )?(?:\b(?:an?|the) )?\b(?:{_SHAPES[shape]})\b", " ", rest)
    rest = " ".join(_IN_PI.sub("", rest).split())
    if shape == "rectangle":
        rest = re.sub(rf"\b(?:sides|side lengths|dimensions)(?: of)?(?: lengths?)? {_NUMBER} and "
        rf"{_NUMBER}",
                      r" \1 by \2 ", rest)  # fmt: skip
        rest = " ".join(rest.split())
    lengths: dict[str, list[str]] = {}
    row = re.search(rf"{_NUMBER}(?: ?(?:by|x|×) ?{_NUMBER})(?: ?(?:by|x|×) ?{_NUMBER})?", rest)
    if row is not None:
        lengths["row"] = [number for number in row.groups() if number]
        rest = rest[: row.start()] + " " + rest[row.end() :]
    for name, words in _SEVERAL.items():
        if found := re.search(rf"\b{words}", rest):
            lengths[name] = list(found.groups())
            rest = rest.replace(found[0], " ", 1)
    for name, words in _NAMES.items():
        if name not in lengths and (found := re.search(rf"\b(?:{words}){_LINK}{_NUMBER}", rest)):
            lengths[name] = [found[1]]
            rest = rest.replace(found[0], " ", 1)
    for word, name in _AFTER.items():
        if name not in lengths and (found := re.search(rf"{_NUMBER} {word}\b", rest)):
            lengths[name] = [found[1]]
            rest = rest.replace(found[0], " ", 1)
    if _FILLER.sub("", rest):
        return None
    return _in_words(quantities[0], shape, lengths)


_ASKED_LENGTH = re.compile(
    r"\b(?:find|what is|work out|calculate|determine|how (?:long|wide|high|tall|big) is)\b"
    r"(?: (?:the|its|each|one|a))*(?: length of)?(?: (?:the|its|each|one|a))* ?"
    r"(?P<name>length|width|breadth|height|base|sides?|other (?:side|dimension)|diagonal"
    r"|missing side)\b"
    r"|\bhow (?P<how>long|wide|high|tall) is (?:it|the rectangle|(?:one|each) side)\b"
)
_ASKED_SIZE = re.compile(
    r"\b(?:find|what is|work out|calculate|determine) (?:the|its) (?P<name>area|perimeter)"
    r"(?: of (?:the|this) [a-z]+)?[.?]?$"
)
_TOLD_SIZE = re.compile(
    r"\b(?P<what>area|perimeter)(?: (?:of|is|measures|=|equal to|an?|the|its))*"
    r"(?: (?:rectangle|rectangular [a-z]+|square|(?:equilateral )?triangle|parallelogram)"
    r"(?: (?:is|=|of|equal to|measures))*)? (?P<size>\d+(?:\.\d+)?)"
)
_FROM_SIZE: Mapping[tuple[str, str, int], str] = {
    ("area", "rectangle", 1): "{0} ÷ {1}", ("perimeter", "rectangle", 1): "{0} ÷ 2 - {1}",
    ("perimeter", "square", 0): "{0} ÷ 4", ("area", "square", 0): "√{0}",
    ("area", "parallelogram", 1): "{0} ÷ {1}", ("area", "triangle", 1): "2 × {0} ÷ {1}",
    ("perimeter", "equilateral triangle", 0): "{0} ÷ 3",
}  # fmt: skip
"""A length from the size told, by how many lengths are told with it."""
_OTHER_SIZE: Mapping[tuple[str, str, int], str] = {
    ("perimeter", "rectangle", 1): "({0} ÷ 2 - {1}) × {1}",
    ("area", "rectangle", 1): "2 × ({0} ÷ {1} + {1})",
    ("perimeter", "square", 0): "The perimeter of a square is {0} cm. What is its area in square "
    "centimetres?",
}  # fmt: skip
"""The area from the perimeter, and the reverse."""


def length_from_size(text: str) -> str | None:
    """The calculation for a length of a shape whose area or perimeter is told, or for the other of
    these two; None for other questions.
    """
    line = _whole_units(text.lower())
    told = list(_TOLD_SIZE.finditer(line))
    numbers = re.findall(r"(?<![\d.^])\d+(?:\.\d+)?", re.sub(r"(?<=m)\^?2\b|²", "", line))
    size = _ASKED_SIZE.search(line)
    asks = size or _ASKED_LENGTH.search(line)
    if asks is None or len(told) != 1 or len(_QUANTITY.findall(line)) != 1 + (size is not None):
        return None
    if _COMPARES.search(line) or asks["name"] in ("diagonal", told[0]["what"]):
        return None
    shapes = [name for name in {shape for _, shape, _ in _FROM_SIZE}
              if re.search(rf"\b(?:{_SHAPES[name]})\b(?! (?:feet|yards|miles))", line)]  # fmt: skip
    lengths = list(numbers)
    size_told = told[0]["size"]
    lengths.remove(size_told)
    if told[0]["what"] == "perimeter" and any(
        2 * float(each) >= float(size_told) for each in lengths
    ):
        return None
    rows = _FROM_SIZE if size is None else _OTHER_SIZE
    made = rows.get((told[0]["what"], shapes[0], len(lengths))) if len(shapes) == 1 else None
    return made and made.format(size_told, *lengths)


_COMPARES = re.compile(
    r"\b(?:times|twice|half|halved|doubled|tripled|removed|becomes?|new"
    r"|more|less|longer|shorter|ratio|same|equal sides|each of|increased"
    r"|decreased|wire|fence|path|border|cost|another|both|two|right|isosceles)\b"
)


_WITH_PARTS: Mapping[tuple[str, str, str], str] = {
    ("area", "rectangle", "length width"): "{0} × {1}",
    ("perimeter", "rectangle", "length width"): "2 × ({0} + {1})",
    ("area", "triangle", "base height"): "{0} × {1} ÷ 2",
    ("area", "parallelogram", "base height"): "{0} × {1}",
    ("area", "trapezium", "bases height"): "({0} + {1}) × {2} ÷ 2",
    ("volume", "box", "length width height"): "{0} × {1} × {2}",
    ("area", "square", "side"): "{0} × {0}", ("perimeter", "square", "side"): "4 × {0}",
    ("volume", "cube", "side"): "{0} × {0} × {0}",
}  # fmt: skip
"""The calculation where a length is no whole number, which no form has."""


def _in_words(quantity: str, shape: str, lengths: Mapping[str, list[str]]) -> str | None:
    if set(lengths) == {"row"}:
        numbers = lengths["row"]
        wanted = _COUNTS.get((quantity, shape))
        names = next((key[2] for key in _ROWS if key[:2] == (quantity, shape)), "")
        return _ROWS[quantity, shape, names].format(*numbers) if wanted == len(numbers) else None
    parts = any("." in each for numbers in lengths.values() for each in numbers)
    for (what, which, names), words in ({**_ROWS, **_WITH_PARTS} if parts else _ROWS).items():
        if (what, which) == (quantity, shape) and set(names.split()) == set(lengths):
            numbers = [number for name in names.split() for number in lengths[name]]
            return words.format(*numbers)
    return None
