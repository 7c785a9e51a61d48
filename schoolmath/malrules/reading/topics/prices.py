"""Sales, taxes, prices together, and what is missing to a price."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schoolmath.malrules.reading.topics.quantities import (
    FURTHER,
    clauses,
    quantities,
    question_of,
)
from schoolmath.text.plurals import singular_of

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


_EACH_COSTS = re.compile(
    r"\b(?P<many>\d+) (?P<things>[a-z]+)\b[^\d]*\beach (?P<one>[a-z]+) (?:costs?|is|was|sells "
    r"for|sold for) [$£€₹] ?(?P<price>\d+(?:\.\d+)?)\b[^\d]*\bhow much (?:did|does|do|will|money "
    r"did)\b[^\d]*\b(?:spend|cost|pay)\b[^\d]*"
)


def each_costs(story: str) -> Sequence[str]:
    """So many things, what each costs, and what is spent on them."""
    found = _EACH_COSTS.search(story)
    if found is None or len(re.findall(r"\d+(?:\.\d+)?", story)) != 2:
        return ()
    if singular_of(found["things"]) != found["one"] or FURTHER.search(story):
        return ()
    return (f"{found['many']} × {found['price']}",)
