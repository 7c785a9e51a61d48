"""Dice, bags, spinners and coins in the words that people have for them."""

from __future__ import annotations

import re

from schoolmath.malrules.catalogue.chance.compound_chances import CoinTosses
from schoolmath.malrules.catalogue.chance.single_chances import DieRoll, MarbleDraw
from schoolmath.malrules.reading.expressions import Rewriting, read_as

_DIE = re.compile(
    r"(?:you roll |i roll )?(?:an? |one )?"
    r"(?:fair |normal |standard |regular |(?P<sides>\d+)-sided |six-sided )*"
    r"(?:die|dice|number cube)"
    r"(?: is (?:rolled|thrown|tossed))?(?: once)?[.,;]? (?:what(?:'s| is)|find) the "
    r"(?:probability|chance) (?:of|that it shows|that it does (?=not ))(?P<not>(?: not)?)"
    r"(?: (?:show|getting|rolling|throwing|a roll of))? "
    r"(?:(?:an? )?(?P<one>\d+)"
    r"|(?:a number )?(?P<more>greater|more|higher|larger|less|lower|smaller) than (?P<than>\d+)"
    r"|an? (?P<kind>even|odd|prime)(?: number)?)",
    re.IGNORECASE,
)


_EITHER = re.compile(
    r"(?:an? |one )?(?:fair |normal |standard |regular |six-sided )*(?:die|dice|number cube)"
    r"(?: is (?:rolled|thrown|tossed))?(?: once)?[.,;]? (?:what(?:'s| is)|find) the "
    r"(?:probability|chance) of (?:(?:getting|rolling|throwing) )?(?:an? )?(\d) or (?:an? )?(\d)",
    re.IGNORECASE,
)


def die(text: str) -> Rewriting | None:
    """What one roll of a die shows; it has six sides unless it is said to have others."""
    # "... of rolling a 4 on a die" is "A die. What is the probability of rolling a 4".
    text = _in_full(text)
    either = _EITHER.fullmatch(text)
    if either is not None and either[1] != either[2] and {*either.groups()} <= {*"123456"}:
        return read_as(MarbleDraw, ("red", "black"), (2, 4), False)
    ends = re.fullmatch(
        r"(.*\w) (?:on|with|when(?: rolling)?) ((?:an? )?[\w -]*?(?:die|dice|number cube))"
        r"(?: is (?:rolled|thrown))?",
        text,
    )
    if ends is None and re.search(r"probability of (?:rolling|throwing) ", text):
        text = f"A die. {text}"
    match = _DIE.fullmatch(f"{ends[2]}. {ends[1]}" if ends else text)
    if match is None:
        return None
    sides = int(match["sides"] or 6)
    if match["not"]:
        one = int(match["one"] or 0)
        if not 1 <= one <= sides:
            return None
        return read_as(MarbleDraw, ("red", "black"), (1, sides - 1), True)
    if match["one"]:
        return read_as(DieRoll, sides, "a", int(match["one"]))
    if (match["kind"] or "").lower() == "prime":
        return read_as(MarbleDraw, ("red", "black"), (3, 3), False) if sides == 6 else None
    if match["kind"]:
        return read_as(DieRoll, sides, f"an {match['kind'].lower()} number", 0)
    more = match["more"].lower() in {"greater", "more", "higher", "larger"}
    wanted = f"a number {'greater' if more else 'less'} than"
    return read_as(DieRoll, sides, wanted, int(match["than"]))


_BAG = re.compile(
    r"(?:(?:(?:a|the) (?:bag|box|jar) (?:has|holds|contains)|(?:in an? [a-z ]+, )?there are) )?"
    r"(\d+ [a-z]+(?: [a-z]+){0,2}(?:(?:,| and|, and|) \d+ [a-z]+(?: [a-z]+){0,2})+)(?: [a-z]+)?"
    r"(?: in (?:a|the) (?:bag|box|jar))?"
    r"[.,;:]? (?:(?:if )?(?:an?|one) [a-z]+ is (?:drawn|picked|taken|chosen)[a-z ]*[.,] )?"
    r"(?:what(?:'s| is)|find) the (?:probability|chance) (?:of|that it is)"
    r"(?: (?:drawing|picking|choosing|getting|taking|selecting))?(?: an?)? (not )?"
    r"(?:an? )?([a-z]+)(?: [a-z]+)?",
    re.IGNORECASE,
)


def _in_full(text: str) -> str:
    """``P(red)`` in words, and "Probability of red" as a question."""
    asked = re.sub(
        r"^(?=(?:the )?(?:probability|chance) )(?:the )?", "What is the ", text, flags=re.I
    )
    return re.sub(
        r"(?:find |what is )?\bP\((?:an? )?([a-z]+)\)$",
        r"What is the probability of \1",
        asked,
        flags=re.IGNORECASE,
    )


def marbles(text: str) -> Rewriting | None:
    """One thing from a bag, of several colours, in whatever order they are told."""
    match = _BAG.fullmatch(_in_full(text))
    if match is None:
        return None
    counts = {colour.lower(): int(n) for n, colour in re.findall(r"(\d+) ([a-z]+)", match[1], re.I)}
    asked = match[3].lower()
    if asked not in counts:
        return None
    colours = sorted(counts, key=lambda each: each != asked)
    return read_as(
        MarbleDraw, tuple(colours), tuple(counts[each] for each in colours), bool(match[2])
    )


_COLOURS_OF_A_SPINNER = re.compile(
    r"a spinner has (\d+) equal (?:sections|parts|sectors)[:,] "
    r"([a-z]+(?:(?:,| and|, and) [a-z]+)+)[.;] "
    r"(?:what(?:'s| is)|find) the (?:probability|chance) (?:of|that it (?:stops|lands) on)"
    r"(?: (?:landing on|getting|spinning))? ([a-z]+)",
    re.IGNORECASE,
)
_SPINNER = re.compile(
    r"a spinner has (\d+) equal (?:sections|parts|sectors)[,.;] (?:of which |and )?(\d+) "
    r"(?:of them )?(?:are|is) ([a-z]+)[.;] (?:what(?:'s| is)|find) the (?:probability|chance) "
    r"(?:of|that it (?:stops|lands) on)(?: (?:landing on|getting|spinning))? \3",
    re.IGNORECASE,
)


def spinner(text: str) -> Rewriting | None:
    """A spinner with equal sections as a bag of so many marbles."""
    question = _in_full(text)
    if (listed := _COLOURS_OF_A_SPINNER.fullmatch(question)) is not None:
        colours = re.split(r",? and |, ?", listed[2].lower())
        wanted = colours.count(listed[3].lower())
        if len(colours) != int(listed[1]) or not 0 < wanted < len(colours):
            return None
        return read_as(MarbleDraw, ("red", "black"), (wanted, len(colours) - wanted), False)
    match = _SPINNER.fullmatch(question)
    if match is None or not 0 < int(match[2]) < int(match[1]):
        return None
    colour, counts = match[3].lower(), (int(match[2]), int(match[1]) - int(match[2]))
    others = "black" if colour == "white" else "white"
    return read_as(MarbleDraw, (colour, others), counts, False)


_HOW_OFTEN = {"no": 0, "one": 1, "once": 1, "two": 2, "twice": 2, "three": 3, "four": 4, "five": 5,
              "six": 6}  # fmt: skip
_OFTEN = "|".join([*_HOW_OFTEN, r"\d"])
_COINS = re.compile(
    rf"(?:(?P<coins>{_OFTEN}) (?:fair )?coins are (?:tossed|flipped|thrown)"
    rf"|(?:a|one) (?:fair )?coin is (?:tossed|flipped|thrown) (?P<tosses>{_OFTEN})(?: times)?)"
    r"[.,;] (?:what(?:'s| is)|find) the (?:probability|chance) (?:of|that)(?: getting| obtaining)? "
    rf"(?:exactly )?(?:(?P<many>{_OFTEN}|both|all) (?P<side>head|tail)s?"
    r"(?P<other> and (?:one|a) (?!(?P=side))(?:head|tail))?"
    r"|(?:both|all)(?: of them)? (?:are|show|land on) (?P<each>head|tail)s?"
    r"|(?P<every>head|tail)s? (?:both times|each time|every time))",
    re.IGNORECASE,
)


_ONE_COIN = re.compile(
    r"(?:(?:a|one|you (?:toss|flip|throw) an?) (?:fair )?coin(?: is (?:tossed|flipped|thrown))?"
    r"(?: once)?[.,;] )?(?:what(?:'s| is)|find) the (?:probability|chance) "
    r"(?:of|that it (?:shows|is))(?: (?:getting|obtaining|tossing))? (?:a )?(?:head|tail)s?"
    r"(?: (?:on|with|when tossing|from) (?:a|one) (?:fair )?coin(?: (?:flip|toss))?)?",
    re.IGNORECASE,
)


def coins(text: str) -> Rewriting | None:
    """Several tosses of a coin, one of several coins, or one toss as a bag of two marbles."""
    if _ONE_COIN.fullmatch(_in_full(text)):
        return read_as(MarbleDraw, ("red", "black"), (1, 1), False)
    match = _COINS.fullmatch(text.removesuffix("s") if " and " in text else text)
    if match is None:
        return None
    tosses = _how_often(match["coins"] or match["tosses"])
    many = (match["many"] or "all").lower()
    side = match["side"] or match["each"] or match["every"]
    wanted = tosses if many in {"both", "all"} else _how_often(many)
    if (many == "both" and tosses != 2) or (match["other"] and (tosses, wanted) != (2, 1)):
        return None
    return read_as(CoinTosses, tosses, wanted, f"{side.lower()}s")


def _how_often(word: str) -> int:
    return int(word) if word.isdigit() else _HOW_OFTEN[word.lower()]
