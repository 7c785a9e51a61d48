"""Short stories of two amounts that belong together: a price, a recipe, a ratio, a sale.

A story is read where it has as many numbers as its question needs and no more, where each stands
with the thing that it counts, and where the question asks for one of these things. Words that
tell of anything further (more, left, both, before, ...) leave it unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from schoolmath.text.numbers import read_phrase
from schoolmath.text.plurals import singular_of

_FURTHER = re.compile(
    r"\b(?:more|less|fewer|left|remain\w*|rest|others?|another|extra|additional|half|twice|double"
    r"|not|no|never|isn't|aren't|without|except|all (?:three|of)|both|altogether|combined|then"
    r"|later|ago|already|first|second|instead|together|lost|gave|given away|workers?|machines?|taps?"
    r"|pipes?|pumps?|builders?|painters?|days? off|profit|loss|original\w*|average|mean|bigger"
    r"|smaller|larger|longer|older|taller|cheaper|difference|mixture|mixed|square|sides?|diameter"
    r"|radius|areas?)\b"
)
_STOP = frozenset(
    "cost costs costing cause is are was were has have had for in to and at how what if per need "
    "needs use uses used make makes bake bakes weigh weighs take takes with will would do does can "
    "that which there you he she it they we i on from by every each when while then one the a an "
    "as sell sells sold buy buys bought pay pays earn earns earned drive drives travel travels "
    "feed feeds serve serves contain contains hold holds fill fills apart represent represents".split()
)
_AMOUNT = re.compile(r"(?P<money>[$£€₹])? ?(?P<number>\d+(?:\.\d+)?)(?P<after>(?: ?%| [a-z-]+)*)")
_QUESTION = re.compile(r"\b(?:how|what|find|calculate|work out|determine|which)\b")
_LINK = re.compile(
    r"\b(?:costs?|cost|for|in|per|every|each|needs?|uses?|used|requires?|calls? for|makes?|bakes?"
    r"|weighs?|feeds?|serves?|represents?|equals?|to|=|prints?|types?|travels?|drives?|drove|runs?"
    r"|walks?|reads?|earns?|earned|sells?|sold|buys?|bought|can|is)\b|="
)
_TIMES = frozenset({"second", "sec", "minute", "min", "hour", "hr", "day", "week", "month", "year"})
_MEASURES = _TIMES | frozenset(
    "$ pound kg kilogram gram g litre liter l ml cup ounce oz gallon mile km kilometre kilometer metre "
    "meter m cm centimetre centimeter inch foot yard page word degree cent penny pence".split()
)
"""Things of which there can be a part; of others, such as basketballs, there is none."""
_CLAUSES = re.compile(
    r"[.?!;] *(?!\d)|, *(?=(?:then |at this \w+ |and )?(?:how|what|if|find|at)\b)|(?<=\w) (?=if\b)"
)


class _Quantity(NamedTuple):
    """A number with its thing: ``("pound", "apple")`` for pounds of apples, ``("$",)`` for money."""

    number: str
    thing: tuple[str, ...]
    percent: bool

    @property
    def whole(self) -> bool:
        return self.number.isdigit()


def rewritten(text: str) -> Iterator[str]:
    """The calculations or questions of forms that a short story comes to, none where it is none.

    Args:
        text: a question with single spaces.
    """
    story = _in_digits(text.lower().replace("’", "'"))
    for way in (
        _shared, _price_change, _change, _ratio_of_counts, _share_of_counts, _linked, _unit_rate,
    ):  # fmt: skip
        found = way(story)
        if found:
            yield from found
            return


def _in_digits(text: str) -> str:
    """Number words before a noun in digits; thousands without commas; ratios as pairs."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"\b(?:two|2) (?=(?:cities|towns|villages|places|points|people share)\b)", "", text)
    text = re.sub(r"\b(?:every|each|per) (?:an?|one) (?=[a-z])", "every 1 ", text)
    return re.sub(
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty"
        r"|forty|fifty)(?= [a-z])",
        lambda found: str(read_phrase(found[0])[0].value), text,
    )  # fmt: skip


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
            ("$",) if found["money"] else _thing(found["after"]),
            "%" in found["after"] or found["after"].startswith(" percent"),
        )
        for found in _AMOUNT.finditer(text)
    ]


def _clauses(story: str) -> tuple[list[str], str]:
    """The clauses that tell, and the one that asks; "" where not exactly one does."""
    parts = [part.strip() for part in _CLAUSES.split(story) if part and part.strip()]
    asking = [part for part in parts if _QUESTION.search(part)]
    return [part for part in parts if part not in asking], asking[0] if len(asking) == 1 else ""


def _price_change(story: str) -> Sequence[str]:
    """One price and one percent: its discount or tax, or the price with it."""
    amounts = _quantities(story)
    money = [each for each in amounts if each.thing == ("$",)]
    parts = [each for each in amounts if each.percent]
    _, question = _clauses(story)
    if len(amounts) != 2 or len(money) != 1 or len(parts) != 1 or not question:
        return ()
    down = re.search(r"\b(?:off|discount\w*|reduc\w+|sale|marked down|markdown|cut)\b", story)
    up = re.search(r"\b(?:tax|tip|vat|marked up|mark-?up|gratuity|service charge|raised)\b", story)
    told = story.replace(question, "")
    if (down is None) == (up is None) or re.search(
        r"\b(?:now|after|includ\w+|before|paid|save[sd]? [$£€]|sale (?:price|for|at)|reduced to"
        r"|profit|each|per)\b|\b(?:original|regular|old)\b[^.]* (?:price|cost)", told.replace(
            "originally", "")) and not re.search(r"originally (?:costs?|priced)", told):
        return ()
    if re.search(r"\b(?:original|before|regular|percent|per cent|%)\b", question):
        return ()
    amount, percent = money[0].number, parts[0].number
    if re.search(r"\b(?:final|sale|new|total|reduced|discounted|selling) (?:price|cost|bill|amount)"
                 r"|\bcost now|\bpay\b|\bprice\b.*\bafter\b|\bwith (?:tax|the tax|tip)\b", question):
        return (f"{'Decrease' if down else 'Increase'} {amount} by {percent}%",)
    if re.search(r"\b(?:discount|tip|tax|saved?|reduction|gratuity|vat)\b", question):
        return (f"{percent}% of {amount}",)
    return ()


_SHARED = re.compile(
    r"(?P<names>[a-z]+(?:, [a-z]+)*,? and [a-z]+) (?:share|shared|divide|divided|split) [$£€₹]?"
    r"(?P<total>\d+)(?: [a-z]+)? (?:between them )?in (?:the|a) ratio (?:of )?"
    r"(?P<parts>\d+(?: ?: ?\d+)+)[.;,]? how (?:much|many)(?: [a-z]+)? (?:does|did|will|would) "
    r"(?P<who>[a-z]+) (?:get|receive|have)\??"
)


def _shared(story: str) -> Sequence[str]:
    """An amount shared in a ratio by people with names; one of them is asked about."""
    found = _SHARED.fullmatch(story.strip())
    if found is None:
        return ()
    names = re.split(r",? and |, ", found["names"])
    parts = [int(each) for each in found["parts"].split(":")]
    if len(names) != len(parts) or names.count(found["who"]) != 1:
        return ()
    part = parts[names.index(found["who"])]
    return (f"Share {found['total']} in the ratio {part}:{sum(parts) - part}",)


_FROM_TO = re.compile(
    r"\b(?P<way>increas|rise|rose|went up|grow|grew|decreas|fall|fell|drop|went down|reduc|chang)"
    r".*\bfrom [$£€₹]? ?(?P<old>\d+)(?P<of> [a-z]+)? to [$£€₹]? ?(?P<new>\d+)\b(?P<rest>[^.?]*)"
    r"[.?;,] (?:(?:find|calculate|what (?:is|was)|work out|determine)(?: the)?|by what) percent[a-z]*"
    r"(?: of)?(?: (?:increase|decrease|change|drop|rise|reduction|growth))?[a-z ]*[?.]?$"
)


def _change(story: str) -> Sequence[str]:
    """A change from one number to another, as a percent of the first."""
    found = _FROM_TO.search(story)
    if found is None or len(_quantities(story)) != 2 or _FURTHER.search(story):
        return ()
    old, new = int(found["old"]), int(found["new"])
    falls = re.match(r"decreas|fall|fell|drop|went down|reduc", found["way"]) is not None
    if old == new or (falls == (new > old) and found["way"] != "chang"):
        return ()
    return (f"percentage {'decrease' if new < old else 'increase'} from {old} to {new}",)


def _parts_and_whole(story: str) -> tuple[list[_Quantity], list[str], str] | None:
    told, question = _clauses(story)
    amounts = _quantities(story)
    if len(amounts) != 2 or not question or not all(each.whole for each in amounts):
        return None
    if any(each.percent or each.thing == ("$",) for each in amounts) or _FURTHER.search(story):
        return None
    return amounts, told, question


_WHOLE = r"(?:the )?(?:total|whole|entire|all)(?: number)?(?: of)?(?: the)?"


def _ratio_of_counts(story: str) -> Sequence[str]:
    """Two counts, and the ratio of one to the other or to both."""
    read = _parts_and_whole(story)
    asked = re.search(r"\bratio of (?:the )?([a-z ]+?) to (?:the )?([a-z ]+?)(?: in [a-z ]+)?[.?]?$",
                      read[2]) if read else None  # fmt: skip
    if read is None or asked is None:
        return ()
    one, other = (
        next((at for at, each in enumerate(read[0]) if _is_asked(each, story, words)), None)
        for words in asked.groups()
    )
    counts = [int(each.number) for each in read[0]]
    if one is None or one == other:
        return ()
    if other is not None:
        return (_BEADS.format(counts[one], counts[other], "blue beads"),)
    whole = [at for at in (0, 1) if _is_whole(read[0][at], asked[2])]
    if not re.match(rf"{_WHOLE}\b", asked[2]) or whole == [one]:
        return ()
    # The whole is the number of what both are, and where it is told it is none of the parts.
    rest = counts[whole[0]] - counts[one] if len(whole) == 1 else counts[1 - one]
    return (_BEADS.format(counts[one], rest, "all the beads"),) if rest > 0 else ()


_BEADS = (
    "A bag holds {} red beads and {} blue beads. What is the ratio of red beads to {}?"
)


def _is_whole(amount: _Quantity, words: str) -> bool:
    """Whether an amount counts what a question calls the whole."""
    name = set(_thing(re.sub(rf"^{_WHOLE} ?", "", words)))
    return bool(name & (set(amount.thing) | ({"student", "pupil"} if "class" in name else set())))


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


def _asks_for(question: str, thing: tuple[str, ...]) -> bool:
    if thing == ("$",):
        return re.search(r"\b(?:how much|cost|price|pay|spend|earn)\b", question) is not None
    if found := re.search(r"\bhow (?:many|much)(?: more)? ([a-z ]+)", question):
        return _same(_thing(found[1]), thing)
    if re.search(r"\bhow (?:long|much time)\b", question):
        return thing[0] in _TIMES
    return re.search(r"\bhow far\b", question) is not None and thing[0] in {"mile", "km", "kilometre"}


def _linked(story: str) -> Sequence[str]:
    """Three numbers: two that belong together, and how many of one thing go with a third."""
    story = re.sub(
        r"\bratio of (?:the )?([a-z]+(?: [a-z]+)?) to (?:the )?([a-z]+(?: [a-z]+)?)\b[^.?\d]*?\bis"
        r" (\d+) ?(?::|to) ?(\d+)",
        lambda found: f"{found[3]} {found[1]} for {found[4]} {found[2]}", story,
    )  # fmt: skip
    story = re.sub(r"(?<=[a-z]) ?: ?(?=\d)", " for ", story)
    told, question = _clauses(story)
    if not question or len(_quantities(story)) != 3 or _FURTHER.search(story):
        return ()
    if re.search(r"\b(?:total|in all)\b", question) or re.search(r"(?<!for )\beach\b", story):
        return ()
    pairs = [(clause, each) for clause in (*told, question) if len(each := _quantities(clause)) == 2]
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
    people = re.match(r"(?:if )?\d+ [a-z]+ (?:can |takes? |needs? |fill|eat|dig|build|paint|do )", story)
    if (people and {known.thing[0], wanted.thing[0]} & _TIMES) or not _asks_for(question, wanted.thing):
        return ()
    third = single[0].number
    calculation = f"{third} × {wanted.number} ÷ {known.number}"
    if wanted.whole and known.whole and third.isdigit():
        return (f"{wanted.number}:{known.number} = ?:{third}", calculation)
    return (calculation,)


def _unit_rate(story: str) -> Sequence[str]:
    """Two numbers that belong together, and how many of one go with one of the other."""
    told, question = _clauses(story)
    amounts = _quantities(story)
    if len(amounts) != 2 or not question or _FURTHER.search(story):
        return ()
    one, other = amounts
    if not one.thing or not other.thing or one.percent or other.percent:
        return ()
    found = re.search(
        r"\b(?:per|for (?:1|one|each|every)|of (?:1|one|each|an?)|(?:is|does|costs?|will) (?:1|one|each"
        r"|an?)|in (?:1|one|each|an?)|each) ([a-z]+)\b", question)  # fmt: skip
    if re.search(r"\bat [$£€]\d[\d.]* (?:per|each|an?|apiece)\b", story):
        money = next((each for each in amounts if each.thing == ("$",)), None)
        count = next((each for each in amounts if each.thing != ("$",)), None)
        if money and count and re.search(r"\b(?:cost|pay|spend|price)\b", question):
            return (f"{count.number} × {money.number}",)
        return ()
    if found is None and re.search(r"\bunit (?:rate|price)\b", question):
        divisor = [each for each in amounts if each.thing[0] in _TIMES] or [
            each for each in amounts if ("$",) in (one.thing, other.thing) and each.thing != ("$",)
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
    if named and named[1] not in {"cost", "price", "rate", "much"} and not _same(
        (singular_of(named[1]),), wanted.thing
    ):
        return ()
    counted = one.whole and other.whole and wanted.thing[0] not in _MEASURES and divisor[0].thing[0] not in _MEASURES
    if counted and int(wanted.number) % int(divisor[0].number):
        return ()
    return (f"{wanted.number} ÷ {divisor[0].number}",)
