"""Numbers with the things that they count, and the clause that asks."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from schoolmath.malrules.reading.remarks import in_digits
from schoolmath.malrules.reading.tokens import plain_numbers, same_signs
from schoolmath.text.plurals import singular_of

FURTHER = re.compile(
    r"\b(?:more|less|fewer|left|remain\w*|rest|others?|another|extra|additional|half|twice|double"
    r"|not|no|never|isn't|aren't|without|except|all (?:three|of)|both|altogether|combined|then"
    r"|later|ago|already|first|second|instead|together|lost|gave|given away|workers|machines|taps"
    r"|pipes|pumps|builders|painters|days? off|profit|loss|original\w*|average|mean|bigger"
    r"|smaller|larger|longer|older|taller|cheaper|difference|mixture|mixed|square|sides?|diameter"
    r"|radius|areas?)\b"
)
STOP = frozenset({
    "cost", "costs", "costing", "cause", "is", "are", "was", "were", "has", "have", "had", "for",
    "in", "to", "and", "at", "how", "what", "if", "per", "need", "needs", "use", "uses", "used",
    "make", "makes", "bake", "bakes", "weigh", "weighs", "take", "takes", "with", "will", "would",
    "do", "does", "can", "that", "which", "there", "you", "he", "she", "it", "they", "we", "i",
    "on", "from", "by", "every", "each", "when", "while", "then", "one", "the", "a", "an", "as",
    "sell", "sells", "sold", "buy", "buys", "bought", "pay", "pays", "earn", "earns", "earned",
    "drive", "drives", "travel", "travels", "feed", "feeds", "serve", "serves", "contain",
    "contains", "hold", "holds", "fill", "fills", "apart", "represent", "represents",
})  # fmt: skip
_AMOUNT = re.compile(r"(?P<money>[$£€₹])? ?(?P<number>\d+(?:\.\d+)?)(?P<after>(?: ?%| [a-z-]+)*)")
_QUESTION = re.compile(
    r"\b(?:how|what|find|calculate|work out|determine)\b"
    r"|^(?:(?:in |at |on |of )?which|write|give)\b"
)
CURRENCIES = {"dollar": "$", "pound": "£", "euro": "€", "rupee": "₹"}
TIMES = frozenset({"second", "sec", "minute", "min", "hour", "hr", "day", "week", "month", "year"})
MEASURES = TIMES | frozenset({
    "$", "£", "€", "₹", "pound", "kg", "kilogram", "gram", "g", "litre", "liter", "l", "ml",
    "cup", "ounce",
    "oz", "gallon", "mile", "km", "kilometre", "kilometer", "metre", "meter", "m", "cm",
    "centimetre", "centimeter", "inch", "foot", "yard", "page", "word", "degree", "cent", "penny",
    "pence",
})  # fmt: skip
"""Things of which there can be a part; of others, such as basketballs, there is none."""
_CLAUSES = re.compile(
    r"[.?!;] *(?!\d)|(?<=\w) "
    r"(?=if\b)|(?<=\w) and (?=there (?:are|is)\b)"
    r"|, *(?=(?:then |at this \w+ |and )?(?:how|what|if|find|determine|calculate|at)\b)"
)


class CountedThing(NamedTuple):
    """A number with its thing: ``("pound", "apple")`` for pounds of apples, ``("$",)`` of money."""

    number: str
    thing: tuple[str, ...]
    percent: bool

    @property
    def whole(self) -> bool:
        """Whether the number is a whole one."""
        return self.number.isdigit()

    @property
    def is_money(self) -> bool:
        """Whether it is a sum of money."""
        return self.thing[:1] in {(sign,) for sign in CURRENCIES.values()}


def plain_story(text: str) -> str:
    """A story in small letters, its numbers in digits without commas, its units apart."""
    text = same_signs(text).lower().replace("’", "'")
    text = plain_numbers(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text))
    text = re.sub(r"\brs\.? ?(?=\d)", "₹", text)
    text = re.sub(r"\b(was|is|to|from|of|at) - (?=\d)", r"\1 -", text)
    text = re.sub(r"(?<=\d)(?=(?:[kmc]?m|k?g|m?l)\b)", " ", text)
    text = re.sub(
        r"\b(?:two|2) (?=(?:cities|towns|villages|places|points|people share)\b)", "", text
    )
    text = re.sub(r"\b(?:every|each|per) (?:an?|one) (?=[a-z])", "every 1 ", text)
    return in_digits(text)


def question_of(story: str) -> str:
    """The clause that asks; "" where not exactly one does."""
    return clauses(story)[1]


def thing_of(words: str) -> tuple[str, ...]:
    """A noun with what it is made of, in the singular, to the first word that is none."""
    thing: list[str] = []
    for word in words.replace("%", " ").split():
        if word in STOP:
            break
        if word != "of":
            thing.append(singular_of(word))
        if len(thing) == 3:
            break
    return tuple(thing)


def is_same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two name one thing: the shorter name says nothing that the longer one doesn't."""
    short, long = sorted((one, other), key=len)
    return bool(short) and set(short) <= set(long)


def quantities(text: str) -> list[CountedThing]:
    """Every number of a text with what it counts, in its order."""
    return [
        CountedThing(
            found["number"],
            (found["money"],) if found["money"] else thing_of(found["after"]),
            "%" in found["after"] or found["after"].startswith(" percent"),
        )
        for found in _AMOUNT.finditer(text)
    ]


def clauses(story: str) -> tuple[list[str], str]:
    """The clauses that tell, and the one that asks; "" where not exactly one does."""
    parts = [part.strip() for part in _CLAUSES.split(story) if part and part.strip()]
    asking = [part for part in parts if _QUESTION.search(part)]
    return [part for part in parts if part not in asking], asking[0] if len(asking) == 1 else ""


_COLOURS = frozenset({
    "red", "blue", "green", "yellow", "white", "black", "orange", "pink", "purple", "brown",
})  # fmt: skip
_GROUPS = frozenset({
    "child", "student", "pupil", "person", "people", "item", "animal", "fruit", "pet", "employee",
    "worker", "member", "vehicle", "toy", "flower", "passenger", "player", "guest", "spectator",
    "vegetable", "class", "group",
})  # fmt: skip
"""What all of the kinds in a ratio are called together, where they have names of their own."""


def counts_all(total: str, story: str, names: Collection[str], group: str = "") -> bool:
    """Whether a number counts the things of all kinds together.

    Args:
        total: the number, as it stands in the story.
        story: what is told, without the numbers of the kinds.
        names: what the kinds are called, in the singular.
        group: words of which one may name them all.
    """
    behind = re.search(rf"\b{total} ([a-z ]+)", story)
    words = [singular_of(each) for each in behind[1].split()] if behind else []
    if len(names) > 1 and set(names) <= set(words):
        return True
    says = re.search(r"\b(?:are|were|have|like) (?!there)(\w+)", " ".join(words))
    if set(words[:1]) & set(names) or (says is not None and says[1] not in names):
        return False
    before = re.search(rf"\b([a-z]+) of {total}\b", story)
    counted = set(words[:2]) | ({singular_of(before[1])} if before else set())
    general = _GROUPS | {singular_of(each) for each in group.split()}
    return set(names) <= _COLOURS or bool(counted & general)
