"""Buying and selling at a profit or a loss, change for what is paid, simple interest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schoolmath.malrules.reading.topics.quantities import question_of
from schoolmath.text.plurals import singular_of

_MONEY = r"[$£€₹] ?(\d+(?:\.\d+)?)"
_SEVERAL = re.compile(
    r"\b(?:each|per(?! ?cent)|dozen|another|both|apiece|kg|litres?|more|less|tax|gst|vat|repairs?"
    r"|transport\w*|overhead|average|every|other|spends?|spent|again|successive)\b"
)
_SHORT = (
    (r"\bc\.? ?p\b\.?", "cost price"), (r"\bs\.? ?p\b\.?", "selling price"),
    (r"\bm\.? ?p\b\.?", "marked price"), (r"\bs\.? ?i\b\.?", "simple interest"),
    (r" when (?=(?:cost|selling|marked) price\b)", " if "), (r" ?(?:percent\w*|per cent)\b", "%"),
)  # fmt: skip
_ROLES = {
    "marked": r"(?:marked|list|listed|tagged)(?: price| at| as)+", "cost":
    r"(?:cost price|bought|buys?|purchases?d?|costs?)", "sale": r"(?:selling price|sold|sells?)",
    "discount": r"discount",
}  # fmt: skip
_RATE = re.compile(
    r"\b(?P<way>profit|gain|loss|discount)\b[^\d.;?]{0,40}?(?P<rate>\d+(?:\.\d+)?)%"
    r"|(?P<rate_>\d+(?:\.\d+)?)% (?P<way_>profit|gain|loss|discount)\b"
)
_ASKED = re.compile(
    r"\b(?:find|what (?:is|was)|calculate|determine|how much (?:is|was)|work out)"
    r"(?: (?:the|his|her|its|their|my))?(?: |(?P<before> ?% ))"
    r"(?P<what>selling price|cost price|profit|gain|loss|discount)(?P<behind> ?%)?(?! or\b)"
    r"|\b(?:for )?how much (?:did|does|should) (?:he|she|they|it) (?P<verb>sell|cost)\b"
)


def in_full_terms(story: str) -> str:
    """A story with the names of prices written out: ``s.p.`` as "selling price"."""
    for short, full in _SHORT:
        story = re.sub(short, full, story)
    return story


def trade(story: str) -> Sequence[str]:
    """Two of a cost, marked or selling price and a profit, loss or discount; one is asked for."""
    story = in_full_terms(story)
    asked = _ASKED.search(story)
    if len(re.findall(r"\d+(?:\.\d+)?", story)) != 2 or _SEVERAL.search(story) or asked is None:
        return ()
    if len(_ASKED.findall(story)) > 1 or re.search(r"\b(?:and|or) (?:profit|loss|gain)\b", story):
        return ()
    text = story[: asked.start()] + ";" + story[asked.end() :]
    money = {
        role: match[1] for role, words in _ROLES.items()
        if (match := re.search(rf"\b{words}\b[^\d.;?]*{_MONEY}", text))
    }  # fmt: skip
    what = asked["what"] or {"sell": "selling price", "cost": "cost price"}[asked["verb"]]
    rate = _RATE.search(text)
    if rate is not None and len(money) == 1:
        (role, price), way = next(iter(money.items())), rate["way"] or rate["way_"]
        return _by_rate(role, price, rate["rate"] or rate["rate_"], way, what)
    if len(money) != 2 or "%" in text or len(set(money.values())) != 2:
        return ()
    if set(money) == {"marked", "discount"} and what == "selling price":
        return (f"{money['marked']} - {money['discount']}",)
    pair = {"loss": ("cost", "sale"), "discount": ("marked", "sale")}.get(what, ("sale", "cost"))
    if set(money) != set(pair) or what.endswith("price"):
        return ()
    more, less = (money[role] for role in pair)
    if float(more) <= float(less):
        return ()
    if not (asked["before"] or asked["behind"]):
        return (f"{more} - {less}",)
    old, new = (less, more) if pair[0] == "sale" else (more, less)
    return (f"percentage {'increase' if new == more else 'decrease'} from {old} to {new}",)


def _by_rate(role: str, price: str, percent: str, way: str, what: str) -> Sequence[str]:
    """The price that a rate leads to, or that it was taken of."""
    first = "marked" if way == "discount" else "cost"
    falls = way in ("loss", "discount")
    if role == first and what == "selling price":
        return (f"{'Decrease' if falls else 'Increase'} {price} by {percent}%",)
    if role == first == "marked" and what == "discount":
        return (f"{percent}% of {price}",)
    if role != "sale" or what != "cost price" or first != "cost" or not percent.isdigit():
        return ()
    if falls:
        told = f"After a discount of {percent}% a bag costs ${price}."
        return (f"{told} What was the price before the discount?",)
    return (f"{price} × 100 ÷ {100 + int(percent)}",)


_PAYS = re.compile(
    r"\b(?:pays?|paid|gives?|gave|hands?|handed|tenders?|uses?)\b[^.;?]*?" + _MONEY
    + r"|\bfrom (?:an? )?" + _MONEY + r"(?: (?:note|bill))?|\bwith (?:an? )?" + _MONEY
    + r" (?:note|bill)"
)  # fmt: skip


_EACH = re.compile(
    rf"\b([a-z]+)(?: (?:for|to|at|in) (?:an?|the) [a-z]+)? (?:costs? |are |is |for |at )?{_MONEY} "
    r"(?:each|apiece)\b[^\d$£€₹]*?\b(\d+) ([a-z]+)\b"
)


def change_from(story: str) -> Sequence[str]:
    """One price, or that of some equal things, and what is paid: the change."""
    question, money = question_of(story), re.findall(_MONEY, story)
    if (each := _EACH.search(story)) is not None and singular_of(each[1]) == singular_of(each[4]):
        note = _PAYS.search(story)
        numbers = re.findall(r"\d+(?:\.\d+)?", story)
        if note is None or not re.search(r"\bchange\b", question) or len(numbers) != 3:
            return ()
        given = next(filter(None, note.groups()))
        return (f"{given} - {each[3]} × {each[2]}",) if [each[2], given] == money else ()
    if len(money) != 2 or len(re.findall(r"\d+(?:\.\d+)?", story)) != 2:
        return ()
    if not re.search(r"\bchange\b", question) or _SEVERAL.search(story):
        return ()
    paid = {next(filter(None, found)) for found in _PAYS.findall(story)}
    price, most = sorted(money, key=float)
    return (f"{most} - {price}",) if most in paid and price != most else ()


_INTEREST = re.compile(r"\bsimple interest\b|\bs\.i\.")
_YEARS = re.compile(r"(\d+(?:\.\d+)?|one) ?(?:years?|yrs?)\b")
_OTHER_INTEREST = re.compile(
    r"\b(?:compound\w*|half[- ]year\w*|month(?:s|ly)?|weekly|daily|quarter\w*|difference"
    r"|becomes?|amounts to|grows?)\b"
)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%")


def interest(story: str) -> Sequence[str]:
    """Simple interest on a sum for some years, or the sum with it."""
    story = in_full_terms(story)
    years, percents = _YEARS.findall(story), _PERCENT.findall(story)
    numbers = re.findall(r"\d+(?:\.\d+)?", story)
    if years == ["one"] and len(numbers) == 2 and len(percents) == 1:
        numbers.remove(percents[0])  # In one year it is the same of both kinds.
        asks = re.search(r"\bhow much interest\b", story) and not _OTHER_INTEREST.search(story)
        return (f"{percents[0]}% of {numbers[0]}",) if asks else ()
    if len(numbers) != 3 or len(years) != 1 or len(percents) != 1 or not _INTEREST.search(story):
        return ()
    if _OTHER_INTEREST.search(story):
        return ()
    numbers.remove(years[0])
    numbers.remove(percents[0])
    bare = re.match(r"(?:the )?simple interest\b", story) is not None
    question = question_of(story) or (story if bare else "")
    made = f"{numbers[0]} × {percents[0]} × {years[0]} ÷ 100"
    if re.search(r"\b(?:total )?amount\b", question) and "interest" not in question:
        return (f"{numbers[0]} + {made}",)
    asks_sum = re.search(r"\b(?:principal|rate|how long|time)\b(?!.*\d)", question)
    return () if asks_sum or not re.search(r"\binterest\b", question) else (made,)
