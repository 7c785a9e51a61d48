"""Two amounts that belong together: how many of one go with so many of the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from schoolmath.malrules.reading.topics.quantities import (
    CURRENCIES,
    FURTHER,
    MEASURES,
    TIMES,
    clauses,
    is_same,
    quantities,
    question_of,
    thing_of,
)
from schoolmath.text.plurals import singular_of

_LINK = re.compile(
    r"\b(?:costs?|cost|for|in|per|every|each|needs?|uses?|used|requires?|calls? for|makes?|bakes?"
    r"|weighs?|feeds?|serves?|represents?|equals?|to|=|prints?|types?|travels?|drives?|drove|runs?"
    r"|walks?|reads?|earns?|earned|sells?|sold|buys?|bought|can|is)\b|="
)
_WEIGHTS = frozenset({"kg", "kilogram", "gram", "g", "ounce", "oz"})
_PRICE_WORDS = re.compile(r"\b(?:how much|how many|cost|price|pay|spend|earn)\b")


def _asks_for(question: str, thing: tuple[str, ...]) -> bool:
    if thing[0] in CURRENCIES.values():
        if found := re.search(r"\bhow (?:many|much) ([a-z]+)", question):
            name = singular_of(found[1])
            if name in CURRENCIES and CURRENCIES[name] != thing[0]:
                return False
        return _PRICE_WORDS.search(question) is not None
    if re.fullmatch(r"how many (?:is that |are there )?(?:per|each|every) [a-z]+", question):
        return thing[0] not in MEASURES
    if re.fullmatch(r"how (?:much|heavy) (?:do|does|are|is) .*?(?:weigh)?", question):
        return thing[0] in _WEIGHTS
    if found := re.search(r"\bhow (?:many|much)(?: more)? ([a-z ]+)", question):
        return is_same(thing_of(found[1]), thing)
    if re.search(r"\bhow (?:long|much time)\b", question):
        return thing[0] in TIMES
    return re.search(r"\bhow far\b", question) is not None and thing[0] in {
        "mile",
        "km",
        "kilometre",
    }


_ONE_THING = re.compile(
    r"^(?:an?|one|each|every) ([a-z]+(?: (?:of )?[a-z]+)?) (?:costs?|weighs?|holds|contains|uses"
    r"|needs|takes|makes|has(?: a (?:mass|weight|length) of)?) (?:about )?(?=[$£€₹\d])"
)


_NOT_IN_PROPORTION = re.compile(
    r"\b(?:by how (?:many|much)|increas\w+|decreas\w+|reduc\w+|add(?:s|ed|ing)?|becomes?"
    r"|interest|itself|same (?:distance|work|job|amount|journey)|last(?:s|ed)?|cut|saws?|sawn"
    r"|pass(?:es)?|strikes?|feeds?(?=[^.?]*(?:day|week|month)))\b"
)
"""What is asked or told of a change, of interest, or of two amounts of which one falls."""
_WORK = re.compile(
    r"\btakes? \d+ [a-z]+ \d|\b(?:would|will|can|could|do|does|did|should) \d+ [a-z]+(?: [a-z]+)? "
    r"(?:take|need|require|do|fill|eat|dig|build|paint|finish|complete|clean|unload|empty|mow)\b"
)
"""Who works or eats: more of them need less time."""
_OF_BOTH = re.compile(r"\b(?:total|in all)\b|\bhow (?:many|much) [a-z]+(?: [a-z]+)? (?:and|or) ")


def linked(story: str) -> Sequence[str]:
    """Three numbers: two that belong together, and how many of one thing go with a third."""
    story = re.sub(
        r"\bratio of (?:the )?([a-z]+(?: [a-z]+)?) to (?:the )?([a-z]+(?: [a-z]+)?)\b[^.?\d]*?\bis"
        r" (\d+) ?(?::|to) ?(\d+)",
        lambda found: f"{found[3]} {found[1]} for {found[4]} {found[2]}", story,
    )  # fmt: skip
    story = re.sub(r"(?<=[a-z]) ?: ?(?=\d)", " for ", story)
    if len(quantities(story)) == 2:  # "A ticket costs $7."
        story = _ONE_THING.sub(r"1 \1 for ", story)
    told, question = clauses(story)
    if not question or len(quantities(story)) != 3 or FURTHER.search(story):
        return ()
    if _OF_BOTH.search(question) or re.search(r"(?<!for )\beach\b", story):
        return ()
    if re.search(rf"(?<!every 1) (?:an?|per) (?:{'|'.join(TIMES)})\b", " ".join(told)):
        return ()  # "4 litres a minute" belongs to a third amount.
    if _NOT_IN_PROPORTION.search(story) or _WORK.search(story):
        return ()
    pairs = [(clause, each) for clause in (*told, question) if len(each := quantities(clause)) == 2]
    single = [each[0] for clause in (*told, question) if len(each := quantities(clause)) == 1]
    if len(pairs) != 1 or len(single) != 1 or not _LINK.search(pairs[0][0]):
        return ()
    one, other = pairs[0][1]
    if re.match(r"there (?:are|is|were|was) .*\band (?=\d)", pairs[0][0].strip()):
        return ()  # "There are 12 boys and 9 girls in a club": neither is for the other.
    if any(each.percent for each in quantities(story)):
        return ()
    if is_same(one.thing, other.thing) or not (one.thing and other.thing and single[0].thing):
        return ()
    # A price for a 5 kg bag is none for 5 bags.
    alike = [
        each
        for each in (one, other)
        if is_same(each.thing, single[0].thing)
        and (each.thing[0] in MEASURES) == (single[0].thing[0] in MEASURES)
    ]
    if len(alike) != 1:
        return ()
    (known,) = alike
    (wanted,) = (each for each in (one, other) if each is not known)
    people = re.match(
        r"(?:if )?\d+ [a-z]+ (?:can |takes? |needs? |fill|eat|dig|build|paint|do )", story
    )
    if (people and {known.thing[0], wanted.thing[0]} & TIMES) or not _asks_for(
        question, wanted.thing
    ):
        return ()
    third = single[0].number
    if re.search(
        rf"\b{third} [a-z]+(?: [a-z]+)? (?:(?:and|or) (?!\d)|(?:are|were) (?:absent|not|new|late"
        r"|away|ill|sick|chosen|picked|missing|present))", story,
    ):  # fmt: skip
        return ()  # "12 boys and girls", "12 girls are absent"
    calculation = f"{third} × {wanted.number} ÷ {known.number}"
    if wanted.whole and known.whole and third.isdigit():
        if wanted.thing[0] not in MEASURES and int(third) * int(wanted.number) % int(known.number):
            return ()  # How many shelves are needed, or filled, is no fraction.
        return (f"{wanted.number}:{known.number} = ?:{third}", calculation)
    return (calculation,)


_ONE = re.compile(
    r"\b(?:per|for (?:1|one|each|every)|(?:of|in|is|does|costs?|will) (?:1|one|each|an?)|each)"
    r" ([a-z]+)\b"
)
"""The one thing that a unit rate is for."""


def unit_rate(story: str) -> Sequence[str]:
    """Two numbers that belong together, and how many of one go with one of the other."""
    question = question_of(story)
    if re.search(r"\beach\b", question) and not re.search(r"\band (?:an?|one|the) ", story):
        story = re.sub(r" (?:altogether|in total|in all)\b", "", story)
    amounts = quantities(story)
    if len(amounts) != 2 or not question or FURTHER.search(story):
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
    if re.search(r"\beach\b", " ".join(clauses(story)[0])) and re.search(r"\beach\b", question):
        return ()  # What each does is told.
    if found is None and re.search(r"\bunit (?:rate|price)\b", question):
        divisor = [each for each in amounts if each.thing[0] in TIMES] or [
            each for each in amounts if (one.is_money or other.is_money) and not each.is_money
        ]
    elif found is not None:
        divisor = [each for each in amounts if is_same(each.thing, (singular_of(found[1]),))]
    else:
        return ()
    if len(divisor) != 1 or divisor[0] in quantities(question):
        # "2 glasses each day. How many in 1 week?" tells of no week.
        return ()
    (wanted,) = (each for each in amounts if each is not divisor[0])
    rate = re.search(r"\b(?:unit rate|speed|rate|how fast)\b", question)
    named = re.search(r"\b([a-z]+) per\b", question)
    if not rate and not _asks_for(question, wanted.thing):
        return ()
    if (
        named
        and named[1] not in {"cost", "price", "rate", "much", "many"}
        and not is_same((singular_of(named[1]),), wanted.thing)
    ):
        return ()
    counted = (
        one.whole
        and other.whole
        and wanted.thing[0] not in MEASURES
        and divisor[0].thing[0] not in MEASURES
    )
    if counted and int(wanted.number) % int(divisor[0].number):
        return ()
    return (f"{wanted.number} ÷ {divisor[0].number}",)
