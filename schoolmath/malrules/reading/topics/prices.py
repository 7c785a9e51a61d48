"""Sales, taxes, prices together; a number that changes, by how many percent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schoolmath.malrules.reading.topics.quantities import (
    FURTHER,
    clauses,
    quantities,
    question_of,
)

_DOWN = re.compile(
    r"\b(?:off|discount\w*|reduc\w+|sale(?! of)|marked down|markdown|cut|decreases|falls|goes down"
    r"|drops)\b"
)
_UP = re.compile(
    r"\b(?:tax|tip|vat|marked up|mark-?up|gratuity|service charge|raised|increases|rises"
    r"|goes up)\b"
)
_NOT_THE_FIRST_PRICE = re.compile(
    r"\b(?:now|after|includ\w+|before|paid|saved? [$£€]|sale (?:price|(?:for|at) [$£€])|reduced "
    r"to|profit"
    r"|(?:which|that) (?:is|was|comes to|represents)|each|per|commission|earns?|salary|wages?"
    r"|income|rent|spends?|invest\w*|deposit\w*)\b"
    r"|\b(?:reduced|cut|lowered|raised|marked (?:up|down)) by [$£€₹]"
    r"|\b(?:original|regular|old)\b[^.]* (?:price|cost)"
)
_FIRST_PRICE_ASKED = re.compile(
    r"\b(?:original|normal|regular|full|old|usual|marked|first) (?:price|cost)\b"
    r"|\b(?:price|cost)\b[a-z ]* before\b|\bcost (?:originally|before)\b"
)
_LAST_PRICE = re.compile(
    r"\b(?:after|now|sale price|reduced to|sold for|on sale for|sells for|paid|pays?)\b"
)
_ASKING = re.compile(r"\b(?:how much|what|find|calculate|work out|determine)\b")
_ASKED = re.compile(
    r"\b(?:(?P<price>discount(?:ed)? price|price|costs?|bill|pays?)"
    r"|discount|tip|tax|saved?|reduction|gratuity|vat)\b"
)
"""What is asked for: the first such word behind the asking one."""
_PRICE_ASKED = re.compile(
    r"\b(?:final|sale|new|total|reduced|discounted|selling) (?:price|cost|bill|amount)|\bcost now"
    r"|\bpay\b|\bprice\b.*\bafter\b|\bwith (?:the )?(?:tax|tip)\b"
)


def price_change(story: str) -> Sequence[str]:
    """One price and one percent: its discount or tax, or the price with it."""
    amounts = quantities(story)
    money = [each for each in amounts if each.is_money]
    parts = [each for each in amounts if each.percent]
    question = question_of(story)
    if len(amounts) != 2 or len(money) != 1 or len(parts) != 1 or not question:
        return ()
    down, up = _DOWN.search(story), _UP.search(story)
    told = story.replace(question, "")
    amount, percent = money[0].number, parts[0].number
    if down and not up and amount.isdigit() and _FIRST_PRICE_ASKED.search(question):
        if not _LAST_PRICE.search(story):
            return ()
        told = f"After a discount of {percent}% a bag costs ${amount}."
        return (f"{told} What was the price before the discount?",)
    first = re.search(r"originally (?:costs?|priced)|original (?:price|cost) (?:was|is|of)", told)
    if (down is None) == (up is None) or (not first and _NOT_THE_FIRST_PRICE.search(told)):
        return ()
    if re.search(r"\b(?:original|before|regular|percent|per cent|%)\b", question):
        return ()
    asks = question[asking.start() :] if (asking := _ASKING.search(question)) else ""
    thing = _ASKED.search(asks)
    if thing is None or re.search(r"\b(?:more|less|taken|off the|change|difference)\b", asks):
        return ()
    if thing["price"] or _PRICE_ASKED.search(asks):
        return (f"{'Decrease' if down else 'Increase'} {amount} by {percent}%",)
    return (f"{percent}% of {amount}",)


_TOGETHER = re.compile(r"\b(?:together|altogether|in all|in total|total (?:cost|price)|both)\b")


def prices(story: str) -> Sequence[str]:
    """Two things with a price each, and what they cost together."""
    told, question = clauses(story)
    amounts = quantities(story)
    prices = re.findall(r"\b(?:an?|the|one) [a-z]+(?: [a-z]+)? costs? [$£€₹]", story)
    if len(amounts) != 2 or len(prices) != 2 or not _TOGETHER.search(question):
        return ()
    if FURTHER.search(_TOGETHER.sub("", story)) or any(not each.is_money for each in amounts):
        return ()
    return (f"{amounts[0].number} + {amounts[1].number}",) if told else ()


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


_RISES = r"rose|rises|risen|increased|increases|went up|goes up|warmed up"
_TWO_DEGREES = re.compile(
    r".*\btemperature\b[^\d-]*(?P<one>-?\d+) ?°?c?\b[^\d-]*(?P<other>-?\d+) ?°?c?\b\D*"
    r"\b(?:how (?:much|many degrees) (?:does|did) (?:the temperature|it) (?:change|rise|fall|drop)"
    r"|difference (?:in|between)(?: the)?(?: two)? temperatures?)\b\D*"
)
_DEGREES = re.compile(
    rf".*\btemperature\b[^\d-]* (-?\d+) ?°?c?(?: degrees)?(?: celsius)?\b.*\b(?P<way>{_RISES}"
    rf"|fell|falls"
    r"|fallen|dropped|drops|decreased|decreases|went down|goes down) (?:by )?(\d+) ?°?c?(?: "
    r"degrees)?"
    r"(?: celsius)?\b\D*\bwhat (?:is|was) the (?:new |final )?temperature\b\D*"
)


def temperature(story: str) -> Sequence[str]:
    """A temperature that rises or falls once, or how far two are apart."""
    if (two := _TWO_DEGREES.fullmatch(story)) is not None:
        low, high = sorted((int(two["one"]), int(two["other"])))
        return (f"{high} - {low}" if low >= 0 else f"{high} - ({low})",)
    found = _DEGREES.fullmatch(story)
    if found is None or len(re.findall(r"\d+", story)) != 2 or FURTHER.search(story):
        return ()
    sign = "+" if re.fullmatch(_RISES, found["way"]) else "-"
    return (f"{found[1]} {sign} {found[3]}",)


_SHORT_OF = re.compile(
    r"\b(?:costs?|worth|price is|priced at|needs?|wants) [^.?\d]*?[$£€₹](?P<price>\d+(?:\.\d+)?)"
    r"[^\d$£€₹]*\b(?:has|have|saved|got)(?: saved)? (?:only )?[$£€₹](?P<own>\d+(?:\.\d+)?)"
    r"[^\d$£€₹]*\bhow much more (?:money )?(?:do|does|will|must) [a-z]+ (?:still )?(?:need|have to "
    r"save|save)\b[^\d$£€₹]*$"
)


def short_of(story: str) -> Sequence[str]:
    """What is missing to a price, of somebody who has less."""
    found = _SHORT_OF.search(story)
    if found is None or len(re.findall(r"\d+(?:\.\d+)?", story)) != 2:
        return ()
    price, own = found["price"], found["own"]
    if re.search(r"\b(?:each|per|two|both|every|week)\b", story) or float(own) >= float(price):
        return ()
    return (f"{price} - {own}",)
