"""Short stories of two amounts that belong together: a price, a recipe, a ratio, a sale.

A story is read where it has as many numbers as its question needs and no more, where each stands
with the thing that it counts, and where the question asks for one of these things. Words that
tell of anything further (more, left, both, before, ...) leave it unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from schoolmath.malrules.catalogue.fractions.ratios import RatioShare
from schoolmath.malrules.catalogue.fractions.ratios_of_counts import CountsRatio
from schoolmath.malrules.reading.expressions import Rewriting, calculation, read_as
from schoolmath.text.numbers import read_phrase
from schoolmath.text.plurals import singular_of

_FURTHER = re.compile(
    r"\b(?:more|less|fewer|left|remain\w*|rest|others?|another|extra|additional|half|twice|double"
    r"|not|no|never|isn't|aren't|without|except|all (?:three|of)|both|altogether|combined|then"
    r"|later|ago|already|first|second|instead|together|lost|gave|given away|workers|machines|taps"
    r"|pipes|pumps|builders|painters|days? off|profit|loss|original\w*|average|mean|bigger"
    r"|smaller|larger|longer|older|taller|cheaper|difference|mixture|mixed|square|sides?|diameter"
    r"|radius|areas?)\b"
)
_STOP = frozenset({
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
    r"\b(?:how|what|find|calculate|work out|determine|which)\b|^(?:write|give)\b"
)
_LINK = re.compile(
    r"\b(?:costs?|cost|for|in|per|every|each|needs?|uses?|used|requires?|calls? for|makes?|bakes?"
    r"|weighs?|feeds?|serves?|represents?|equals?|to|=|prints?|types?|travels?|drives?|drove|runs?"
    r"|walks?|reads?|earns?|earned|sells?|sold|buys?|bought|can|is)\b|="
)
_CURRENCIES = {"dollar": "$", "pound": "£", "euro": "€", "rupee": "₹"}
_TIMES = frozenset({"second", "sec", "minute", "min", "hour", "hr", "day", "week", "month", "year"})
_MEASURES = _TIMES | frozenset({
    "$", "£", "€", "₹", "pound", "kg", "kilogram", "gram", "g", "litre", "liter", "l", "ml",
    "cup", "ounce",
    "oz", "gallon", "mile", "km", "kilometre", "kilometer", "metre", "meter", "m", "cm",
    "centimetre", "centimeter", "inch", "foot", "yard", "page", "word", "degree", "cent", "penny",
    "pence",
})  # fmt: skip
"""Things of which there can be a part; of others, such as basketballs, there is none."""
_CLAUSES = re.compile(
    r"[.?!;] *(?!\d)|, *(?=(?:then |at this \w+ |and )?(?:how|what|if|find|at)\b)|(?<=\w) (?=if\b)"
)


class _Quantity(NamedTuple):
    """A number with its thing: ``("pound", "apple")`` for pounds of apples, ``("$",)`` of money."""

    number: str
    thing: tuple[str, ...]
    percent: bool

    @property
    def whole(self) -> bool:
        return self.number.isdigit()

    @property
    def is_money(self) -> bool:
        return self.thing[:1] in {(sign,) for sign in _CURRENCIES.values()}


def rewritten(text: str) -> Iterator[Rewriting]:
    """The questions that a short story comes to, in the order to try them; none where it is none.

    Args:
        text: a question with single spaces.
    """
    ways: tuple[Callable[[str], Sequence[Rewriting | str]], ...] = (
        _shared, _pieces, _sharing, _prices, _price_change, _change, _ratio_of_counts,
        _share_of_counts, _linked, _unit_rate,
    )  # fmt: skip
    story = _in_digits(text.lower().replace("’", "'"))
    for way in ways:
        for found in way(story):
            yield found if isinstance(found, Rewriting) else Rewriting(found)
            if isinstance(found, str) and (other := calculation(found)) is not None:
                yield other


def _in_digits(text: str) -> str:
    """Number words before a noun in digits; thousands without commas; ratios as pairs."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(
        r"\b(?:two|2) (?=(?:cities|towns|villages|places|points|people share)\b)", "", text
    )
    text = re.sub(r"\b(?:every|each|per) (?:an?|one) (?=[a-z])", "every 1 ", text)
    return re.sub(
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
        r"|forty|fifty)(?= [a-z])",
        lambda found: str(read_phrase(found[0])[0].value), text,
    )  # fmt: skip


def _question(story: str) -> str:
    """The clause that asks; "" where not exactly one does."""
    return _clauses(story)[1]


def _thing(words: str) -> tuple[str, ...]:
    """A noun with what it is made of, in the singular, to the first word that is none."""
    thing: list[str] = []
    for word in words.replace("%", " ").split():
        if word in _STOP:
            break
        if word != "of":
            thing.append(singular_of(word))
        if len(thing) == 3:
            break
    return tuple(thing)


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two name one thing: the shorter name says nothing that the longer one doesn't."""
    short, long = sorted((one, other), key=len)
    return bool(short) and set(short) <= set(long)


def _quantities(text: str) -> list[_Quantity]:
    return [
        _Quantity(
            found["number"],
            (found["money"],) if found["money"] else _thing(found["after"]),
            "%" in found["after"] or found["after"].startswith(" percent"),
        )
        for found in _AMOUNT.finditer(text)
    ]


def _clauses(story: str) -> tuple[list[str], str]:
    """The clauses that tell, and the one that asks; "" where not exactly one does."""
    parts = [part.strip() for part in _CLAUSES.split(story) if part and part.strip()]
    asking = [part for part in parts if _QUESTION.search(part)]
    return [part for part in parts if part not in asking], asking[0] if len(asking) == 1 else ""


_DOWN = re.compile(r"\b(?:off|discount\w*|reduc\w+|sale|marked down|markdown|cut)\b")
_UP = re.compile(r"\b(?:tax|tip|vat|marked up|mark-?up|gratuity|service charge|raised)\b")
_NOT_THE_FIRST_PRICE = re.compile(
    r"\b(?:now|after|includ\w+|before|paid|saved? [$£€]|sale (?:price|(?:for|at) [$£€])|reduced "
    r"to|profit"
    r"|each|per)\b|\b(?:original|regular|old)\b[^.]* (?:price|cost)"
)
_PRICE_ASKED = re.compile(
    r"\b(?:final|sale|new|total|reduced|discounted|selling) (?:price|cost|bill|amount)|\bcost now"
    r"|\bpay\b|\bprice\b.*\bafter\b|\bwith (?:the )?(?:tax|tip)\b"
)


def _price_change(story: str) -> Sequence[str]:
    """One price and one percent: its discount or tax, or the price with it."""
    amounts = _quantities(story)
    money = [each for each in amounts if each.is_money]
    parts = [each for each in amounts if each.percent]
    question = _question(story)
    if len(amounts) != 2 or len(money) != 1 or len(parts) != 1 or not question:
        return ()
    down, up = _DOWN.search(story), _UP.search(story)
    told = story.replace(question, "")
    first = re.search(r"originally (?:costs?|priced)", told)
    if (down is None) == (up is None) or (not first and _NOT_THE_FIRST_PRICE.search(told)):
        return ()
    if re.search(r"\b(?:original|before|regular|percent|per cent|%)\b", question):
        return ()
    amount, percent = money[0].number, parts[0].number
    if _PRICE_ASKED.search(question):
        return (f"{'Decrease' if down else 'Increase'} {amount} by {percent}%",)
    if re.search(r"\b(?:discount|tip|tax|saved?|reduction|gratuity|vat)\b", question):
        return (f"{percent}% of {amount}",)
    return ()


_PIECES = re.compile(
    r"(?P<whole>\d+(?:\.\d+)?) (?P<unit>[a-z]+) (?:of|long)?.*\b(?:cut|divided?|split"
    r"|poured?)\b[a-z ]*?"
    r"\b(?:into|in) (?P<thing>[a-z]+) (?:that are |which are |of )(?P<part>\d+(?:\.\d+)?) "
    r"(?P<same>[a-z]+)"
    r"(?: each| long)*[.;,] how many (?P<asked>[a-z]+)\b"
)


def _pieces(story: str) -> Sequence[str]:
    """A length or an amount cut into equal pieces of a told size."""
    found = _PIECES.search(story)
    if found is None or len(_quantities(story)) != 2 or _FURTHER.search(story):
        return ()
    alike = singular_of(found["unit"]) == singular_of(found["same"])
    asked = singular_of(found["asked"]) == singular_of(found["thing"])
    if not alike or not asked or Fraction(found["whole"]) % Fraction(found["part"]):
        return ()
    return (f"{found['whole']} ÷ {found['part']}",)


_SHARES = re.compile(
    r"(?P<among>\d+) [a-z]+ share (?P<things>\d+) [a-z]+ (?:equally|evenly)\b[^\d]*"
    r"|.*\b(?:equally|evenly) (?:distributes?|shares?|divides?|splits?|gives?) (?P<things_>\d+) "
    r"[a-z]+ "
    r"(?:to|among|between|with|into) (?P<among_>\d+) [^\d]*"
    r"|.*\b(?:distributes?|shares?|divides?|splits?|gives?) (?P<things__>\d+) [a-z]+ (?:equally"
    r"|evenly) "
    r"(?:to|among|between|with|into) (?P<among__>\d+) [^\d]*"
    r"|an? [a-z]+ (?:is|of) (?P<length>\d+) [a-z]+(?: long)?.*\bcut into (?P<pieces>\d+) equal "
    r"[^\d]*"
)


def _sharing(story: str) -> Sequence[str]:
    """So many things in equal parts, and how many are in each."""
    found, question = _SHARES.fullmatch(story), _question(story)
    if found is None or _FURTHER.search(story) or not re.search(r"\beach\b", question):
        return ()
    if not re.search(r"\bhow (?:many|much|long)\b", question) or len(_quantities(story)) != 2:
        return ()
    many, among = (number for number in found.groups() if number)
    if found["among"]:
        many, among = among, many
    return (f"{many} ÷ {among}",)


_TOGETHER = re.compile(r"\b(?:together|altogether|in all|in total|total (?:cost|price)|both)\b")


def _prices(story: str) -> Sequence[str]:
    """Two things with a price each, and what they cost together."""
    told, question = _clauses(story)
    amounts = _quantities(story)
    prices = re.findall(r"\b(?:an?|the|one) [a-z]+(?: [a-z]+)? costs? [$£€₹]", story)
    if len(amounts) != 2 or len(prices) != 2 or not _TOGETHER.search(question):
        return ()
    if _FURTHER.search(_TOGETHER.sub("", story)) or any(not each.is_money for each in amounts):
        return ()
    return (f"{amounts[0].number} + {amounts[1].number}",) if told else ()


_SHARED = re.compile(
    r"(?P<names>[a-z]+(?:, [a-z]+)*,? and [a-z]+) (?:share|shared|divide|divided|split) [$£€₹]?"
    r"(?P<total>\d+)(?: [a-z]+)? (?:between them )?in (?:the|a) ratio (?:of )?"
    r"(?P<parts>\d+(?: ?: ?\d+)+)[.;,]? how (?:much|many)(?: [a-z]+)? (?:does|did|will|would) "
    r"(?P<who>[a-z]+) (?:get|receive|have)\??"
)


def _shared(story: str) -> Sequence[Rewriting]:
    """An amount shared in a ratio by people with names; one of them is asked about."""
    found = _SHARED.fullmatch(story.strip())
    if found is None:
        return ()
    names = re.split(r",? and |, ", found["names"])
    parts = [int(each) for each in found["parts"].split(":")]
    if len(names) != len(parts) or names.count(found["who"]) != 1:
        return ()
    part = parts[names.index(found["who"])]
    return (read_as(RatioShare, part, sum(parts) - part, int(found["total"])),)


_FROM_TO = re.compile(
    r"\b(?P<way>increas|rise|rose|went up|grow|grew|decreas|fall|fell|drop|went down|reduc|chang)"
    r".*\bfrom [$£€₹]? ?(?P<old>\d+)(?P<of> [a-z]+)? to [$£€₹]? ?(?P<new>\d+)\b(?P<rest>[^.?]*)"
    r"[.?;,] (?:(?:find|calculate|what (?:is|was)|work out|determine)(?: the)?|by what) percent"
    r"[a-z]*(?: of)?(?: (?:increase|decrease|change|drop|rise|reduction|growth))?"
    r"(?: (?:did|has|have) (?:it|the [a-z ]+?) (?P<did>[a-z]+))?[?.]?$"
)


def _change(story: str) -> Sequence[str]:
    """A change from one number to another, as a percent of the first."""
    found = _FROM_TO.search(story)
    if found is None or len(_quantities(story)) != 2 or _FURTHER.search(story):
        return ()
    old, new = int(found["old"]), int(found["new"])
    falls = re.match(r"decreas|fall|fell|drop|went down|reduc", found["way"]) is not None
    if found["did"] and not found["did"].startswith(("chang", "in" if not falls else "de")):
        return ()
    if old == new or (falls == (new > old) and found["way"] != "chang"):
        return ()
    return (f"percentage {'decrease' if new < old else 'increase'} from {old} to {new}",)


def _parts_and_whole(story: str) -> tuple[list[_Quantity], list[str], str] | None:
    told, question = _clauses(story)
    amounts = _quantities(story)
    if len(amounts) != 2 or not question or not all(each.whole for each in amounts):
        return None
    if any(each.percent or each.is_money for each in amounts) or _FURTHER.search(story):
        return None
    return amounts, told, question


_RATIO_ASKED = re.compile(
    r"\bratio of (?:the )?([a-z ]+?) to (?:the )?([a-z ]+?)(?:,? (?:in|as) [a-z ]+)?[.?]?$"
)
_WHOLE = r"(?:the )?(?:total|whole|entire|all)(?: number)?(?: of)?(?: the)?"


def _ratio_of_counts(story: str) -> Sequence[Rewriting]:
    """Two counts, and the ratio of one to the other or to both."""
    read = _parts_and_whole(story)
    asked = _RATIO_ASKED.search(read[2]) if read else None
    if read is None or asked is None:
        return ()
    one, other = (
        next((at for at, each in enumerate(read[0]) if _is_asked(each, story, words)), None)
        for words in asked.groups()
    )
    counts = [int(each.number) for each in read[0]]
    if one is None or one == other:
        return ()
    parts = re.search(rf"\b{counts[0]} [a-z ]+ and {counts[1]} ", story) is not None
    if other is not None and parts:
        return (read_as(CountsRatio, counts[one], counts[other], False),)
    whole = [at for at in (0, 1) if _is_whole(read[0][at], asked[2])]
    if parts and re.match(rf"{_WHOLE}\b", asked[2]) and len(whole) != 1:
        return (read_as(CountsRatio, counts[one], counts[1 - one], True),)
    # Where no two parts are told it is a part of them all, "12 of them" or "12 are girls".
    if parts or one == 0 or (other is None and whole != [0]) or counts[1] >= counts[0]:
        return ()
    return (read_as(CountsRatio, counts[1], counts[0] - counts[1], True),)


def _is_whole(amount: _Quantity, words: str) -> bool:
    """Whether an amount counts what a question calls the whole."""
    name = set(_thing(re.sub(rf"^{_WHOLE} ?", "", words)))
    name |= {"student", "pupil", "child"} if "class" in name else set()
    return bool(name & set(amount.thing))


def _is_asked(amount: _Quantity, story: str, words: str) -> bool:
    """Whether words of the question name what an amount counts: its noun, or what such ones do."""
    asked = {singular_of(each) for each in words.split()} - {"number"}
    own = re.search(rf"\b{amount.number} (?:of (?:them|the \w+) )?([a-z ]+)", story)
    if re.match(rf"{_WHOLE}\b", words):
        return False
    if amount.thing:
        return asked <= set(amount.thing)
    said = {singular_of(each) for each in own[1].split()} - _STOP if own else set()
    return bool(said & asked) and len(asked - said) <= 1


def _share_of_counts(story: str) -> Sequence[str]:
    """A part and the whole, as a percent."""
    out_of = re.search(r"\b(\d+) out of (?:the )?(\d+) [a-z]+ (?:are|is|were|was|have|had) "
    r"([a-z]+)\b",
                       story)  # fmt: skip
    if out_of and re.search(rf"\bwhat percent(?:age)?\b[a-z ]*\b{out_of[3]}\b", story):
        whole_story = len(_quantities(story)) == 2 and not _FURTHER.search(story)
        return (f"{out_of[1]} is what percent of {out_of[2]}",) if whole_story else ()
    read = _parts_and_whole(story)
    asked = re.search(r"\bwhat percent(?:age)? of (?:the )?(?:total )?([a-z]+)\b(.*)", story)
    if read is None or asked is None:
        return ()
    whole = [each for each in read[0] if _same((singular_of(asked[1]),), each.thing)]
    part = [each for each in read[0] if each not in whole]
    if len(whole) != 1 or len(part) != 1 or int(part[0].number) >= int(whole[0].number):
        return ()
    own = re.search(rf"\b{part[0].number} (?:of (?:them|the \w+) )?([a-z ]+)", story)
    said = {singular_of(each) for each in own[1].split()} - _STOP if own else set()
    if not said & {singular_of(each) for each in re.findall(r"[a-z]+", asked[2])}:
        return ()
    return (f"{part[0].number} is what percent of {whole[0].number}",)


_PRICE_WORDS = re.compile(r"\b(?:how much|how many|cost|price|pay|spend|earn)\b")


def _asks_for(question: str, thing: tuple[str, ...]) -> bool:
    if thing[0] in _CURRENCIES.values():
        if found := re.search(r"\bhow (?:many|much) ([a-z]+)", question):
            name = singular_of(found[1])
            if name in _CURRENCIES and _CURRENCIES[name] != thing[0]:
                return False
        return _PRICE_WORDS.search(question) is not None
    if found := re.search(r"\bhow (?:many|much)(?: more)? ([a-z ]+)", question):
        return _same(_thing(found[1]), thing)
    if re.search(r"\bhow (?:long|much time)\b", question):
        return thing[0] in _TIMES
    return re.search(r"\bhow far\b", question) is not None and thing[0] in {
        "mile",
        "km",
        "kilometre",
    }


_ONE_THING = re.compile(
    r"^(?:an?|one|each|every) ([a-z]+(?: [a-z]+)?) (?:costs?|weighs?|holds|contains|uses|needs"
    r"|takes"
    r"|makes|has(?: a (?:mass|weight|length) of)?) (?:about )?(?=[$£€₹\d])"
)


def _linked(story: str) -> Sequence[str]:
    """Three numbers: two that belong together, and how many of one thing go with a third."""
    story = re.sub(
        r"\bratio of (?:the )?([a-z]+(?: [a-z]+)?) to (?:the )?([a-z]+(?: [a-z]+)?)\b[^.?\d]*?\bis"
        r" (\d+) ?(?::|to) ?(\d+)",
        lambda found: f"{found[3]} {found[1]} for {found[4]} {found[2]}", story,
    )  # fmt: skip
    story = re.sub(r"(?<=[a-z]) ?: ?(?=\d)", " for ", story)
    if len(_quantities(story)) == 2:  # "A ticket costs $7."
        story = _ONE_THING.sub(r"1 \1 for ", story)
    told, question = _clauses(story)
    if not question or len(_quantities(story)) != 3 or _FURTHER.search(story):
        return ()
    if re.search(r"\b(?:total|in all)\b", question) or re.search(r"(?<!for )\beach\b", story):
        return ()
    pairs = [
        (clause, each) for clause in (*told, question) if len(each := _quantities(clause)) == 2
    ]
    single = [each[0] for clause in (*told, question) if len(each := _quantities(clause)) == 1]
    if len(pairs) != 1 or len(single) != 1 or not _LINK.search(pairs[0][0]):
        return ()
    one, other = pairs[0][1]
    if _same(one.thing, other.thing) or not (one.thing and other.thing and single[0].thing):
        return ()
    alike = [each for each in (one, other) if _same(each.thing, single[0].thing)]
    if len(alike) != 1:
        return ()
    (known,) = alike
    (wanted,) = (each for each in (one, other) if each is not known)
    people = re.match(
        r"(?:if )?\d+ [a-z]+ (?:can |takes? |needs? |fill|eat|dig|build|paint|do )", story
    )
    if (people and {known.thing[0], wanted.thing[0]} & _TIMES) or not _asks_for(
        question, wanted.thing
    ):
        return ()
    third = single[0].number
    if re.search(rf"\b{third} [a-z]+(?: [a-z]+)? (?:and|or) (?!\d)", story):
        return ()  # "12 boys and girls"
    calculation = f"{third} × {wanted.number} ÷ {known.number}"
    if wanted.whole and known.whole and third.isdigit():
        return (f"{wanted.number}:{known.number} = ?:{third}", calculation)
    return (calculation,)


_ONE = re.compile(
    r"\b(?:per|for (?:1|one|each|every)|(?:of|in|is|does|costs?|will) (?:1|one|each|an?)|each)"
    r" ([a-z]+)\b"
)
"""The one thing that a unit rate is for."""


def _unit_rate(story: str) -> Sequence[str]:
    """Two numbers that belong together, and how many of one go with one of the other."""
    question = _question(story)
    amounts = _quantities(story)
    if len(amounts) != 2 or not question or _FURTHER.search(story):
        return ()
    one, other = amounts
    if not one.thing or not other.thing or one.percent or other.percent:
        return ()
    found = _ONE.search(question)
    if re.search(r"\bat [$£€]\d[\d.]* (?:per|each|an?|apiece)\b", story):
        money = next((each for each in amounts if each.is_money), None)
        count = next((each for each in amounts if not each.is_money), None)
        if money and count and re.search(r"\b(?:cost|pay|spend|price)\b", question):
            return (f"{count.number} × {money.number}",)
        return ()
    if found is None and re.search(r"\bunit (?:rate|price)\b", question):
        divisor = [each for each in amounts if each.thing[0] in _TIMES] or [
            each for each in amounts if (one.is_money or other.is_money) and not each.is_money
        ]
    elif found is not None:
        divisor = [each for each in amounts if _same(each.thing, (singular_of(found[1]),))]
    else:
        return ()
    if len(divisor) != 1:
        return ()
    (wanted,) = (each for each in amounts if each is not divisor[0])
    rate = re.search(r"\b(?:unit rate|speed|rate|how fast)\b", question)
    named = re.search(r"\b([a-z]+) per\b", question)
    if not rate and not _asks_for(question, wanted.thing):
        return ()
    if (
        named
        and named[1] not in {"cost", "price", "rate", "much"}
        and not _same((singular_of(named[1]),), wanted.thing)
    ):
        return ()
    counted = (
        one.whole
        and other.whole
        and wanted.thing[0] not in _MEASURES
        and divisor[0].thing[0] not in _MEASURES
    )
    if counted and int(wanted.number) % int(divisor[0].number):
        return ()
    return (f"{wanted.number} ÷ {divisor[0].number}",)
