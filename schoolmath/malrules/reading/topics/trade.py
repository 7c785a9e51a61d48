"""Buying and selling at a profit or a loss, change for what is paid, simple interest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schoolmath.malrules.reading.topics.quantities import clauses, question_of

_MONEY = r"[$£€₹] ?(\d+(?:\.\d+)?)"
_SEVERAL = re.compile(
    r"\b(?:each|per|dozen|another|both|apiece|kg|litres?|more|less|discount|marked|tax|gst|vat"
    r"|repairs?|transport\w*|overhead|average|every|other)\b"
)
_COST = r"(?:cost price|bought|buys?|purchases?d?|costs?)"
_SALE = r"(?:selling price|sold|sells?)"
_RATE = re.compile(
    r"\b(?P<way>profit|gain|loss)\b[^\d.;?]{0,40}?(?P<rate>\d+(?:\.\d+)?)%"
    r"|(?P<rate_>\d+(?:\.\d+)?)% (?P<way_>profit|gain|loss)\b"
)


def trade(story: str) -> Sequence[str]:
    """A cost price, a selling price and a profit or loss, of which two are told."""
    story = re.sub(r"\bc\.? ?p\b\.?", "cost price", story)
    story = re.sub(r"\bs\.? ?p\b\.?", "selling price", story)
    if len(re.findall(r"\d+(?:\.\d+)?", story)) != 2 or _SEVERAL.search(story):
        return ()
    clauses_told, question = clauses(story)
    text = ". ".join(clauses_told)
    rate, money = _RATE.search(text.replace(" percent", "%")), re.findall(_MONEY, text)
    if not question:
        return ()
    for_sale = re.search(rf"\b{_SALE}\b", question) is not None
    for_cost = re.search(rf"\b{_COST}\b", question) is not None
    cost = re.search(rf"\b{_COST}\b[^\d.;?]*{_MONEY}", text)
    sale = re.search(rf"\b{_SALE}\b[^\d.;?]*{_MONEY}", text)
    if rate is not None and len(money) == 1:
        percent, loss = rate["rate"] or rate["rate_"], "loss" in (rate["way"], rate["way_"])
        if cost and not sale and for_sale and not for_cost:
            return (f"{'Decrease' if loss else 'Increase'} {money[0]} by {percent}%",)
        if sale and not cost and for_cost and not for_sale and percent.isdigit():
            if loss:
                told = f"After a discount of {percent}% a bag costs ${money[0]}."
                return (f"{told} What was the price before the discount?",)
            return (f"{money[0]} × 100 ÷ {100 + int(percent)}",)
        return ()
    if len(money) == 2 and cost and sale and not (for_sale or for_cost) and "%" not in story:
        asks = re.search(r"\b(profit|gain|loss)\b", question)
        if asks is None or re.search(r"\bpercent|\bor\b", question):
            return ()
        one, other = (cost[1], sale[1]) if asks[1] == "loss" else (sale[1], cost[1])
        return (f"{one} - {other}",) if float(one) > float(other) else ()
    return ()


_PAYS = re.compile(
    r"\b(?:pays?|paid|gives?|gave|hands?|handed|tenders?|uses?)\b[^.;?]*?" + _MONEY
    + r"|\bfrom (?:an? )?" + _MONEY + r"(?: (?:note|bill))?|\bwith (?:an? )?" + _MONEY
    + r" (?:note|bill)"
)  # fmt: skip


def change_from(story: str) -> Sequence[str]:
    """One price and what is paid: the change."""
    question, money = question_of(story), re.findall(_MONEY, story)
    if len(money) != 2 or len(re.findall(r"\d+(?:\.\d+)?", story)) != 2:
        return ()
    if not re.search(r"\bchange\b", question) or _SEVERAL.search(story):
        return ()
    paid = {next(filter(None, found)) for found in _PAYS.findall(story)}
    price, most = sorted(money, key=float)
    return (f"{most} - {price}",) if most in paid and price != most else ()


_INTEREST = re.compile(r"\bsimple interest\b|\bs\.i\.")
_OTHER_INTEREST = re.compile(
    r"\b(?:compound\w*|half[- ]year\w*|months?|quarter\w*|difference|becomes?|amounts to|grows?)\b"
)
_YEARS = re.compile(r"(\d+(?:\.\d+)?) ?(?:years?|yrs?)\b")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?(?:%|percent|per cent)")


def interest(story: str) -> Sequence[str]:
    """Simple interest on a sum for some years, or the sum with it."""
    years, percents = _YEARS.findall(story), _PERCENT.findall(story)
    numbers = re.findall(r"\d+(?:\.\d+)?", story)
    if len(numbers) != 3 or len(years) != 1 or len(percents) != 1 or not _INTEREST.search(story):
        return ()
    if re.search(
        r"\bcompound|half[- ]year|month|quarter|difference|becomes|amounts to|grows", story
    ):
        return ()
    numbers.remove(years[0])
    numbers.remove(percents[0])
    question = question_of(story)
    made = f"{numbers[0]} × {percents[0]} × {years[0]} ÷ 100"
    if re.search(r"\b(?:total )?amount\b", question) and "interest" not in question:
        return (f"{numbers[0]} + {made}",)
    asks_sum = re.search(r"\b(?:principal|rate|how long|time)\b(?!.*\d)", question)
    return () if asks_sum or not re.search(r"\binterest\b", question) else (made,)
