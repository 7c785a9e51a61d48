"""A number that rises or falls: by how much, by how many percent, to what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schoolmath.malrules.reading.topics.quantities import (
    CURRENCIES,
    FURTHER,
    MEASURES,
    clauses,
    quantities,
    question_of,
)

_FROM_TO = re.compile(
    r"\b(?P<way>increas|rise|rose|went up|grow|grew|decreas|fall|fell|drop|went down|reduc|chang)"
    r".*\bfrom [$£€₹]? ?(?P<old>\d+)(?P<of> [a-z]+)? to [$£€₹]? ?(?P<new>\d+)\b(?P<rest>[^.?]*)"
    r"[.?;,] (?:(?:find|calculate|what(?: (?:is|was))?|work out|determine)(?: the)?|by what)"
    r"(?: (?:increase|decrease))? percent[a-z]*(?: of)?"
    r"(?: (?:increase|decrease|change|drop|rise|reduction|growth))?"
    r"(?: is (?:this|that|it))?(?: (?:did|has|have) (?:it|the [a-z ]+?) (?P<did>[a-z]+))?[?.]?$"
)


def change(story: str) -> Sequence[str]:
    """A change from one number to another, as a percent of the first."""
    found = _FROM_TO.search(story)
    if found is None and (two := _IN_TWO_CLAUSES.fullmatch(question_of(story))) is not None:
        return _change_in_clauses(story, **two.groupdict())
    if found is None or len(quantities(story)) != 2 or FURTHER.search(story):
        return ()
    old, new = int(found["old"]), int(found["new"])
    falls = re.match(r"decreas|fall|fell|drop|went down|reduc", found["way"]) is not None
    if found["did"] and not found["did"].startswith(("chang", "in" if not falls else "de")):
        return ()
    if old == new or (falls == (new > old) and found["way"] != "chang"):
        return ()
    return (f"percentage {'decrease' if new < old else 'increase'} from {old} to {new}",)


_IN_TWO_CLAUSES = re.compile(
    r"(?:find|calculate|what (?:is|was)|work out|determine)(?: the)? percent(?:age)? "
    r"(?P<way>increase|decrease|change|drop|reduction)(?: in [a-z' ]+?)?"
    r"(?: from (?:the )?(?P<first>[a-z]+) to (?:the )?(?P<last>[a-z]+))?"
)


def _change_in_clauses(story: str, way: str, first: str | None, last: str | None) -> Sequence[str]:
    """So many of a thing in one sentence, so many in the next, and the change in percent."""
    amounts = quantities(story)
    told = [each for each in clauses(story)[0] if quantities(each)]
    if [len(quantities(each)) for each in told] != [1, 1] or FURTHER.search(story):
        return ()
    if first and last and not (first in told[0].split() and last in told[1].split()):
        return ()
    one, other = amounts
    if one.thing != other.thing or not (one.thing and one.whole and other.whole):
        return ()
    old, new = int(one.number), int(other.number)
    if old == new or (way != "change" and (way == "increase") != (new > old)):
        return ()
    return (f"percentage {'decrease' if new < old else 'increase'} from {old} to {new}",)


_RISES = (
    r"rose|rises|risen|increased|increases|went up|goes up|warmed up|climbs|climbed|ascends"
    r"|ascended"
)
_FALLS = (
    r"fell|falls|fallen|dropped|drops|decreased|decreases|went down|goes down|dives|dived|descends"
    r"|descended|sinks|sank"
)
_UNIT = r"(?: ?°?c?\b)?(?: ?(?:degrees?(?: celsius)?|celsius|met(?:re|er)s?|m|feet|floors?))?"
_TWO_DEGREES = re.compile(
    r".*\btemperature\b[^\d-]*(?P<one>-?\d+) ?°?c?\b[^\d-]*(?P<other>-?\d+) ?°?c?\b\D*"
    r"\b(?:how (?:much|many degrees) (?:does|did) (?:the temperature|it) (?:change|rise|fall|drop)"
    r"|difference (?:in|between)(?: the)?(?: two)? temperatures?|what (?:is|was) the (?:rise|fall"
    r"|change|drop|increase|decrease)(?: in temperature)?)\b\D*"
)
_DEGREES = re.compile(
    rf".*\b(?:is|was|at|temperature[^\d-]*?) (?:at )?(-?\d+){_UNIT}.*\b(?P<way>{_RISES}|{_FALLS})"
    rf" (?:by )?(\d+){_UNIT}\b\D*\bwhat (?:is|was) (?:the|its|his|her) (?:new |final |present )?"
    r"(?:temperature|position|depth|height|level|altitude|elevation)\b\D*"
)
_ABOVE_AND_BELOW = re.compile(
    r"[^\d]*\b(\d+) ?[a-z]+ above (?:the )?(?:sea|ground|water|surface)\b[^\d]*\b(\d+) ?[a-z]+ "
    r"below (?:the )?(?:sea|ground|water|surface)\b[^\d]*\b(?:distance|how far apart)\b[^\d]*"
)


def temperature(story: str) -> Sequence[str]:
    """A temperature or a place that rises or falls once, or how far two are apart."""
    if (apart := _ABOVE_AND_BELOW.fullmatch(story)) is not None:
        return (f"{apart[1]} + {apart[2]}",)
    story = re.sub(r"\b(?:then|it) (?=(?:rose|rises|fell|falls|drop|went|goes))", "", story)
    if (two := _TWO_DEGREES.fullmatch(story)) is not None:
        low, high = sorted((int(two["one"]), int(two["other"])))
        return (f"{high} - {low}" if low >= 0 else f"{high} - ({low})",)
    found = _DEGREES.fullmatch(story)
    if found is None or len(re.findall(r"\d+", story)) != 2 or FURTHER.search(story):
        return ()
    if re.search(r"\b(?:below|under|deep|beneath|to) ", story[: story.rfind(found[3])]):
        return ()  # 30 m below the surface, or up to 12 m.
    sign = "+" if re.fullmatch(_RISES, found["way"]) else "-"
    return (f"{found[1]} {sign} {found[3]}",)


_CHANGE_BY = re.compile(
    r"\b(?:(?P<up>(?:increas|ris|grow|rais)\w*|rose|grew|goes up|went up|pay rise|more)"
    r"|(?P<down>(?:decreas|reduc|fall|drop|lower)\w*|fell|goes down|went down|less|fewer))\b"
    r"(?: by| of)? (?P<percent>\d+(?:\.\d+)?) ?(?:%|percent)"
    r"|\b(?P<percent_>\d+(?:\.\d+)?) ?(?:%|percent) (?:(?P<more>more|higher|pay rise|rise|increase)"
    r"|(?P<less>less|fewer|lower|cut|decrease|reduction))\b"
)
_NEW = re.compile(r"\b(?:new|now|this (?:year|month|week)|afterwards|final|sold for|after)\b")
_OLD_ASKED = re.compile(
    r"\b(?:before|original\w*|last (?:year|month|week)|percent\w*|by how|how much (?:more|less)"
    r"|increase|decrease|rise|reduction|each|per(?! (?:year|month|week|hour)\b))\b"
)


_PRICE = re.compile(r"\b(?:price|cost|rate|fare|wage|salary|fee|speed)s?\b")
_NO_ONE_CHANGE = re.compile(r"\b(?:then|again|now|twice|times|half|annually|yearly)\b")


def percent_changed(story: str) -> Sequence[str]:
    """So much of anything, which rises or falls by so many percent; how much it is then."""
    found, question = _CHANGE_BY.search(story), question_of(story)
    numbers = re.findall(r"(?<![\d.])\d+(?:\.\d+)?", story)
    if found is None or len(numbers) != 2 or not _NEW.search(question):
        return ()
    told, behind = ". ".join(clauses(story)[0]), story[found.end() :]
    if _OLD_ASKED.search(question) or _NO_ONE_CHANGE.search(told.replace(found[0], "")):
        return ()
    if re.match(r"(?: [a-z]+)? than (?!he\b|she\b|they\b|it\b)| to [$£€₹]?\d", behind) or re.match(
        r"[^.]*\b(?:every|each|per|an?) (?:year|month|week|day|hour)\b", behind
    ):
        return ()
    if len(re.findall(r"%|percent|per cent", story)) != 1:
        return ()
    if _PRICE.search(story[: found.start()]) and any(
        each.thing[:1] and each.thing[0] in MEASURES and not each.is_money
        and each.thing[0] not in CURRENCIES and not each.percent for each in quantities(story)
    ):  # fmt: skip
        return ()  # A price falls, and 40 kg is how much was bought.
    percent = found["percent"] or found["percent_"]
    numbers.remove(percent)
    rises = found["up"] or found["more"]
    if not percent.isdigit():
        return (f"{numbers[0]} × (100 {'+' if rises else '-'} {percent}) ÷ 100",)
    return (f"{'Increase' if rises else 'Decrease'} {numbers[0]} by {percent}%",)


_TIME = re.compile(r"\b(\d{1,2}):(\d\d)(?: ?([ap])\.?m\b\.?)?")
_FROM_ONE_TO_OTHER = re.compile(
    r"\b(?:start|began|begin|went|left|leave|ate|depart|set off|put|opens?|woke)\w*\b.*"
    r"\b(?:finish|end|stop|arriv|clos|was over|got (?:home|there|back)|reach)\w*\b"
)
_ASKING_HOW_LONG = frozenset({
    "how", "long", "much", "many", "minutes", "time", "did", "does", "do", "was", "is", "were",
    "it", "he", "she", "they", "him", "her", "them", "i", "you", "the", "last", "take", "took",
    "spend", "journey", "trip", "to", "for", "in", "at", "on", "make", "doing", "there", "his",
    "their", "all",
})  # fmt: skip


def between_times(story: str) -> Sequence[str]:
    """When something began and when it ended, and how long it took."""
    times = list(_TIME.finditer(story))
    if (
        len(times) != 2
        or len(re.findall(r"\d+", story)) != 4
        or not _FROM_ONE_TO_OTHER.search(story)
    ):
        return ()
    told, question = clauses(story)
    if not re.search(r"\bhow (?:long|much time|many minutes)\b", question):
        return ()
    beginnings = {each[:4] for each in re.findall(r"[a-z]+", " ".join(told))}
    asked = set(re.findall(r"[a-z]+", question)) - _ASKING_HOW_LONG
    if any(each[:4] not in beginnings for each in asked) or re.search(r" at [a-z]", question):
        return ()  # How long is a lesson, or how long was she at school?
    if re.search(r"\b(?:break|late|early|usual\w*|normally|each|every|day)\b", story):
        return ()
    (hour, minute, half), (last_hour, last_minute, last_half) = (each.groups() for each in times)
    start, end = int(hour) % 24, int(last_hour) % 24
    if half and last_half:
        start, end = (
            each % 12 + 12 * (by == "p") for each, by in ((start, half), (end, last_half))
        )
    elif (start, int(minute)) > (end, int(last_minute)) and end < 12:
        end += 12
    if (start, int(minute)) >= (end, int(last_minute)):
        return ()
    return (f"How many minutes from {start}:{minute} to {end}:{last_minute}?",)
