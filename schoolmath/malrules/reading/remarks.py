"""What stands around a question, and what is typed in a hurry.

A worksheet says a question's number, what to do with it and how to write it down:

    without_remarks("3) Round to the nearest ten. 347")    # "Round 347 to the nearest ten"

Only what leaves the answer as it is goes; an answer rounded to so many places is right anyhow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from schoolmath.malrules.answers import write_decimal
from schoolmath.malrules.reading.phrasings import ONE_PART
from schoolmath.malrules.reading.tokens import plain_numbers
from schoolmath.text.numbers import NUMBER_PHRASE, read_phrase

_PARTS: Mapping[str, str] = {
    "FORM": r"(?:(?:its |the )?(?:simplest|lowest|reduced|simplified) (?:form|terms)"
    r"|a (?:simplified |proper )?fraction(?: in (?:its |the )?(?:simplest|lowest) (?:form|terms))?"
    r"|a mixed (?:number|fraction)|a decimal(?: number)?|an improper fraction)",
    "METHOD": r"(?:the |a )?(?:(?:column|grid|lattice|box|bus stop|standard|expanded|FOIL"
    r"|substitution|elimination|area) (?:method|algorithm|model)|(?:long|short|column|written) "
    r"(?:division|multiplication|addition|subtraction)(?: method)?|distributive (?:property|law)"
    r"|(?:correct )?order of operations|(?:combining|collecting) like terms|factoring"
    r"|(?-i:[A-Z]{5,9})|transposing(?: the)? terms|cross[- ]multiplication|number line|pythag\w+ "
    r"theorem)",
    "ANSWER": r"(?:give|giving|write|writing|express|leave|state|round|rounding) (?:your |the )?"
    r"(?:final )?answers?",
    "KIND": r"(?:numbers?|decimals?|fractions?|percent(?:age)?s?|expressions?|calculations?|sums?"
    r"|products?|differences?|quotients?|equations?|inequalit(?:y|ies)|ratios?|brackets?|divisions?"
    r"|multiplications?|subtractions?|additions?|proportions?|problems?|exponents?|powers?"
    r"|following)",
    "THING": r"(?:(?:these|this|each|the(?: following)?(?: pair of)?|of the following) )?"
    r"(?:(?:whole|decimal|improper|proper|mixed|algebraic|linear|quadratic|equivalent|missing) )?"
    r"KIND",
    "STATISTIC": r"(mean|average|median|mode|range)",
    "SERIES": r"(?:sequence|pattern|series)",
    "ASK": r"(?:find|calculate|what is|work out|determine|give|evaluate)",
    "LIST": r"(-?\d+(?:\.\d+)?(?:, ?-?\d+(?:\.\d+)?)+)",
    "VALUES": r"([a-z] ?= ?-?\d+(?:(?:,| and|, and) [a-z] ?= ?-?\d+)*)",
    "TWO": r"((?=[^,;=]*[a-z])(?:(?![a-z]{2})[^,;=])+=(?:(?![a-z]{2})[^,;=])+)",
    "NUM": r"(-?[\d.,]+(?: \d+/\d+|/\d+)? ?%?)",
    "PURE": r"(?:(?![a-z]{2})(?:[^.?!:;]|\.(?=\d)))+",
    "EXPR": r"(?=[^a-z]*(?:\d|[a-z]\b))(.+)",
}
"""What the words in capitals of the patterns below stand for."""
_PART = re.compile("|".join(rf"\b{name}\b" for name in _PARTS))


def _pattern(words: str) -> re.Pattern[str]:
    while _PART.search(words):
        words = _PART.sub(lambda found: _PARTS[found[0]], words)
    return re.compile(words, re.IGNORECASE)


_LABELS = _pattern(
    r"^(?:(?:question|q|problem|exercise|example|ex|task|no)\b\.? ?\d*[a-z]?|\(?(?:\d{1,2}|[a-h]))"
    r" ?[.:)]\)? +(?=\S)|^[a-z -]+(?:addition|subtraction|multiplication|division|equations?): ?"
    r"(?=[^a-z]*(?:\d|[a-z]\b))"
)
_BRACKETS = _pattern(
    r" ?[(\[](?:[A-Z]{2,4}|no need to (?:reduce|simplify)[^()]*|(?:just|only) (?:write|give)"
    r"[^()\d]*"
    r"|(?:show|hint|explain)\b[^()]*|\d+ (?:marks?|points?|pts)|(?:use|using|by) METHOD"
    r"|(?:use|do not use|don't use|without|with) (?:a )?(?:calculator|(?:π|pi)\b[^()]*)"
    r"|simplified|(?:(?:give|leave|write|simplify) [a-z ]+ )?(?:in|as) FORM)[)\]]"
)
_SENTENCES = _pattern(
    r"(?:(?<=[.?!,;]) |,? "
    r"(?:and )?)(?:please )?(?:"
    r"ANSWER (?:in|as) FORM(?: if (?:possible|needed|necessary))?"
    r"|ANSWER (?:correct )?to (?:\d+|one|two|three) (?:dp|d\.p\.|decimal places?|places?)"
    r"|(?:then )?simplif(?:y|ying) (?:your |the )?answers?"
    r"(?: (?:fully|if (?:possible|needed)|where possible))?|simplify if (?:possible|needed)"
    r"|in (?:its |the )?simplest form if possible|write out the steps"
    r"|show (?:me )?(?:your|all|each|the)(?: (?:your|the|of))* (?:full )?(?:work(?:ing)?s?|steps?"
    r"|thinking|calculations?)(?: (?:out|clearly))?|explain (?:your|how|why|by)\b[^.?!]*"
    r"|(?:do not|don't|without) (?:use|using) a calculator|(?:use|using) a calculator"
    r"|(?:use|using|by|with) METHOD)(?= ?[.?!,;:]| ?$)[.!]?"
)
_BEFORE = _pattern(
    r"^(?:using METHOD, |use (?:METHOD|multiplication|addition|subtraction|division) to )"
)


def _next_to(match: re.Match[str]) -> str:
    return f"{match[2]} {'+' if match[1].lower() == 'after' else '-'} 1"


def _beside(match: re.Match[str]) -> str:
    """The number before or behind a whole number."""
    return (
        f"{'-' if match[2] else ''}{match[3]} {'-' if match[1].lower() == 'predecessor' else '+'} 1"
    )


def _per(match: re.Match[str]) -> str:
    """``$24 for 6 pounds = $_ per pound`` as a question."""
    asked = f"many {match[2]}" if match[2] else "much"
    return f"{match[1]}. How {asked} per {match[3]}?"


def _asked_twice(match: re.Match[str]) -> str:
    """``2/5 = x/15 x =`` without its end."""
    return match[1] if re.search(rf"\b\d*{match[2]}\b", match[1]) else match[0]


_WORTH = {"ten": 10, "hundred": 100, "thousand": 1000}


def _so_many_in(match: re.Match[str]) -> str:
    return f"{match[2]} ÷ {_WORTH[match[1].lower()]}"


def _two_percents(match: re.Match[str]) -> str:
    """A change by percent of what another has left."""
    start, first, one, second, other = match.groups()
    whole = (100 + int(percent) * (1 if way.lower() == "increased" else -1)
             for way, percent in ((first, one), (second, other)))  # fmt: skip
    return f"{start} × {next(whole)} ÷ 100 × {next(whole)} ÷ 100"


_CHANGED = re.compile(
    r"\b(?:without|if|another|more|removed?|new|differ\w*|than|then|next|add\w*)\b"
)


def _told_list(match: re.Match[str]) -> str:
    """The mean of numbers that a story tells; as it is where anything more is told."""
    before, numbers, between, statistic, behind = match.groups(default="")
    counts = re.findall(r"\d+", before)
    numbers = re.sub(r",? and ", ", ", numbers)
    told = f"{before} {between} {behind}".lower()
    two_rows = len(re.findall(r"\b(?:n(?:umber|r|o\.?|um\.?) (?!line)|frequenc)", told)) > 1
    if _CHANGED.search(told) or two_rows or counts not in ([], [str(numbers.count(",") + 1)]):
        return match[0]
    return f"Find the {statistic} of {numbers}"


def _ratio_of_things(match: re.Match[str]) -> str:
    """The ratio of two counts; lengths and times have units that go into each other."""
    one, other = match[2].lower(), match[4].lower()
    if _MEASURE.match(one) or _MEASURE.match(other):
        return match[0]
    return f"Simplify {match[1]}:{match[3]}"


_MEASURE = re.compile(
    r"(?:(?:milli|centi|kilo)?(?:met|lit)(?:er|re)|(?:kilo)?gram|hour|minute|second|day|week|month"
    r"|year|pound|pence|cent|dollar|inch|feet|foot|yard|mile|ounce|quart|pint|gallon)"
)
_UNITS = {"kg": "kilogram", "g": "gram", "km": "kilometre", "m": "metre", "l": "litre"}


def _nearest_unit(match: re.Match[str]) -> str:
    """A measure to the nearest one of its unit."""
    number, unit, nearest = match.groups()
    if nearest in {unit, unit.removesuffix("s"), _UNITS.get(unit)}:
        return f"Round {number} to the nearest whole number"
    return match[0]


_ORDERS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    # A calculation behind what to do with it.
    (r"(?:choose|find|select) the (?:correct )?(?:product|sum|quotient|difference|answer) ?[.:]"
     r" ?EXPR", r"\1"),
    (r"((?:fully |completely )?(?:factori[sz]e|expand(?: and simplify)?|simplify|solve|multiply out"
     r"|reduce))(?: (?:fully|completely))? THING(?: (?:fully|completely|for [a-z]))?"
     r"(?: and check your (?:answer|result|solution)s?)? ?[.:]? ?EXPR", r"\1 \2"),
    (r"(?:perform|do|carry out|find|give|state|work out|calculate|evaluate|compute|solve|answer"
     r"|complete|what is|add|subtract|multiply|divide)(?: (?:the )?(?:(?:answer|solution|result"
     r"|(?:absolute )?value) (?:to|of) )?(?:THING|value|answer|this (?:problem|calculation|question"
     r"|sum)))? ?[.:] ?(PURE)", r"\1"),
    (r"(?:which(?: one)? of (?:the|these|the following) (?:numbers|values)(?: [\d, or-]+)? is|what "
     r"is|find) (?:the|a) solution (?:of|to|for) (?:the equation )?(PURE)", r"Solve \1"),
    (r"solve (PURE) (?:mentally|algebraically|by hand|using mental maths?)", r"Solve \1"),
    (r"(?:ASK )?(?:the )?FORM of (?:the )?(?:ratio |fraction )?(\d+ ?[:/] ?\d+)(?: ?=)?",
     r"Simplify \1"),
    (r"(.*[.;] )(the (?:ratio|number|percentage) of [^=\d]+?) ?=(?: ?_+)?", r"\1What is \2?"),
    (r"(.*[_□?].*=.*|.*=.*[_□].*)[.;,] ?(?:what is|find|work out) (?:the )?(?:missing|unknown)"
     r" (?:number|value)", r"\1"),
    (r"(?:ASK )?NUM ?% of [$£€₹]? ?(\d[\d.,]*) ?(?:[ckm]?m|k?g|m?l|lit(?:re|er)s?|(?:kilo)?grams?"
     r"|(?:kilo|centi)?met(?:re|er)s?|hours?|minutes?|days?|dollars?|pounds?|euros?|rupees?)",
     r"\1% of \2"),
    (r"(?:if )?(\d[\d.]*) ?% of (?:[a-z]|(?:a|my|some) number) is (\d[\d.]*)[,.;] ?(?:then )?"
     r"(?:ASK )(?:is )?(?:the value of )?(?:[a-z]|(?:the|my) number)", r"\2 is \1% of what number"),
    (r"(?:ASK )?(?:the )?square of (-\d+)", r"(\1)^2"),
    (r"(?:ASK |write )?(?:the )?(predecessor|successor) of \(?(- ?)?(\d+)\)?(?: is)?(?: ?_+)?",
     _beside),
    (r"(?:ASK |write )?(?:the )?(?:additive inverse|opposite) of ?:? \(?(- ?)?(\d+)\)?",
     r"0 - (\1\2)"),
    (r"(?:when|if) (?:we|you|i) (.*\d),? (?:then )?(?:we|you|i) get(?: ?_+)?", r"\1"),
    (r"(?:ASK )?(?:the )?values? of ['‘]?([a-z])['’]? (?:when|if|in|for)? ?:? ?(PURE=PURE)",
     r"Solve \2"),
    (r"(?:ASK )?(?:the )?(?:weight|mass|length|volume|height|capacity) of (\d[\d.]* [a-z]+)"
     r"(?: of [a-z]+)? in ([a-z]+)", r"\1 in \2"),
    (r"solve for (?:the value of )?[a-z] in (?:the equation )?(PURE)", r"Solve \1"),
    (r"(?:what is|define|find) (PURE) equal to|define (PURE)", r"\1\2"),
    (r"(?:what|which) number is (?:equivalent|equal) to (PURE)", r"\1"),
    (r"balance the equation[:.]? (PURE)", r"Solve \1"),
    (r"(?:the )?((?:value|reciprocal|simplified form|sum|product|square|cube|answer|result) "
     r"(?:of|to) [^a-z]*[^=]*?) (?:is|are|=)(?: equal to)?(?: ?_+)?", r"What is the \1?"),
    (r"(?:ASK )?(?:the )?reciprocal of (\d+)/(\d+)", r"1 ÷ \1/\2"),
    (r"(?:ASK )?(?:the )?simplified form of (PURE)", r"Simplify \1"),
    (r"(?:ASK )?(?:the )?(?:sum|difference|product|quotient)[.?:] ?(PURE)", r"\1"),
    (r"(?:ASK )?(?:the )?STATISTIC of (-?\d[^a-z]*(?: and [^a-z]*)?),? (?:correct )?to "
     r"(?:\d|one|two|three) (?:dp|d\.p\.?|decimal places?)", r"\1 of \2"),
    (r"(?:ASK )?(?:the )?common difference (?:of|in) (?:the |this )?(?:arithmetic )?"
     r"(?:SERIES[?:]? ?)?(-?\d+), ?(-?\d+)(?:, ?-?\d+)+", r"(\2) - (\1)"),
    (r"NUM (?:is )?(increased|decreased) by (\d+)%[,.;]? (?:and )?(?:then|next) (?:it is )?"
     r"(increased|decreased) by (\d+)%(?:[.,;]? ASK the (?:final |new )?(?:value|number|amount))?",
     _two_percents),
    (r"(?:i |they )?(?:share|divide|split) [$£€₹]?(\d+)"
     r"(?: (?!dozen|hundred|thousand|million|pairs)[a-z]+)? in(?:to)? the ratio (\d+) ?: ?"
     r"(\d+)(?:[.,;]? how (?:much|many)(?: [a-z]+)? (?:do|does|will) (?:both(?: people)?"
     r"|each(?: person)?|they(?: each)?) (?:get|receive))?", r"Share \1 in the ratio \2:\3"),
    (r"express as a unit rate:? (.*\d.*?) (?:for|in|per) (\d+) ([a-z]+?)s?( of [a-z]+)?",
     r"\1 for \2 \3s. How much per \3?"),
    (r"(?:ASK )?((?:the )?(?:sum|difference|product|quotient) of [^a-z]+ (?:and|by) [^a-z]+) in "
     r"(?:the |its )?FORM", r"What is \1"),
    (r"(?:_+ (?:is|=) )?(\d[\d.]*) (more|less|fewer) than (\d[\d.]*)(?: is| =| equals)?(?: ?_+)?",
     r"What is \1 \2 than \3"),
    (r"(?:which (?:one )?is|what is|choose) the correct order (from .+?) ?[?:.] ?(-?\d.*)",
     r"Order \1: \2"),
    (r"(?:find|evaluate|what is) ([a-z]) (?:for|if|when|in|given(?: that)?) (\1 ?= ?[^=]+?),? (?:if"
     r"|when|for|where|and) VALUES", r"If \2, find \1 when \3"),
    (r"(?:ASK )?(?:the )?(sum|product|difference) of (?:the )?(?:rational |decimal |whole |two )?"
     r"(?:numbers|fractions|decimals|integers) NUM and NUM(?: is)?", r"The \1 of \2 and \3"),
    (r"(evaluate|simplify) THING EXPR", r"\1 \2"),
    (r"(?:solve (?:the )?(?:(?:system(?: of equations)?|simultaneous equations|pair of equations)"
     r":? )?)?TWO[,;] ?TWO", r"Solve \1 and \2"),
    (r"(?:evaluate|find|what is|calculate) ([a-z]\(-?\d+\)),? (?:for|if|when|where|given(?: that)?)"
     r" ([a-z]\([a-z]\) ?= ?.+)", r"If \2, find \1"),
    (r"(?:(?:which(?: of the following)? is|what is|find) )?(?:the|a) solution (?:to|of) "
     r"(?:the equation )?([^=]+=[^=]+?)(?: is(?: [a-z])?(?: =)?:?)?", r"Solve \1"),
    (r"if ((?:(?![a-z]{2})[^=])+=(?:(?![a-z]{2})[^=])+),? then (?:the )?value of [a-z] is",
     r"Solve \1"),
    (r"solve (?:THING )?(?:by|using) METHOD(?: and check your (?:result|answer|solution)s?)? ?"
     r"[:.]? EXPR", r"Solve \1"),
    (r"in (?:mathematics|maths?|arithmetic|algebra),? (.*)", r"\1"),
    (r"what does (.*\d.*) (?:equal|come to|make)", r"What is \1"),
    (r"how much will (?:be )?(.*\d)(?: be)?", r"What is \1"),
    (r"(?=[^a-z]*\d)(.*\d) (?:equals|is equal to|is) (?:what|which)(?: number)?", r"\1"),
    (r"if (?:you|we|i) ((?:divide|add|multiply|subtract|take) .*?),? (?:then )?what (?:do|will"
     r"|would) (?:you|we|i) get", r"\1"),
    # Numbers behind what to do with them.
    (r"round (?:THING )?(?:off )?to (.+?) ?[.:] NUM", r"Round \2 to \1"),
    (r"what is (?:the number )?(\d+) (?:rounded )?to (\w+ significant (?:figure|digit)s?)",
     r"Round \1 to \2"),
    (r"(?:convert|write|express|change|rewrite) THING (in [a-z ]+?) ?[.:] ?NUM", r"Write \2 \1"),
    (r"(?:convert|write|express|change|rewrite|turn) THING (?:as|to|into|in) (.+?) ?[.:] ?NUM",
     r"Write \2 as \1"),
    (r"(?:convert|write|express|change|rewrite) as (an? [a-z ]+?) ?[.:] ?NUM", r"Write \2 as \1"),
    (r"multiply (?:each of )?(?:THING|these) by ([\d,]+) ?[.:] NUM", r"\2 × \1"),
    (r"divide (?:each of )?(?:THING|these) by ([\d,]+) ?[.:] NUM", r"\2 ÷ \1"),
    (r"estimate (?:the following )?by (?:first )?rounding (?:off )?(?:each number )?to "
     r"(the nearest [a-z]+),? (?:and then (?:solving|adding|subtracting) ?)?[:.]? ?(\d.*)",
     r"Estimate \2 to \1"),
    (r"ASK (?:the )?STATISTIC(?: value)? of (?:the|this|these|each|all)?(?: [a-z]+){0,4} ?[.:?]? "
     r"?\(?LIST\)?",
     r"Find the \1 of \2"),
    (r"(?:find|list|write(?: down)?) ((?:all )?(?:the )?(?:factors|prime factors|[a-z ]*common "
     r"(?:factors?|multiples?)|HCF|GCF|LCM|product|sum|difference)) of (?:each of )?"
     r"(?:these|the following)(?: pairs?(?: of)?)?(?: THING)? ?[.:] ?(.+)", r"Find \1 of \2"),
    (r"what is the order of (?:the following|this|these) (?:set of )?numbers (from .+?) ?[?:.] ?"
     r"(-?\d.*)", r"Order \1: \2"),
    (r"NUM (?:and|or|_+|,) NUM ?[.?,] (?:use|write|fill in|put) [<>=, or]+", r"\1 _ \2"),
    (r"[^\d]*(?<!\w)NUM ?([a-z]+)\.? round (?:off )?(?:the|its|this) [a-z ]+ to the nearest "
     r"([a-z]+)", _nearest_unit),
    (r"((?:(?!wrong|incorrect|not|miss|lost|other|rest|remain|fraction)\D)*)(\d+) out of "
     r"(?:a possible )?(\d+)\b(?:(?!nearest|fraction|decimal|not|wrong|incorrect|lost)\D)*"
     r"\bpercent(?:age)?(?: (?:is|was) (?:this|that|it)| (?:did|does|do|has|have) [a-z]+ "
     r"(?:get|got|score|achieve|receive)(?: (?:right|correct))?)?", r"\2 out of \3 as a percent"),
    (r"(-?[\d.]+),?(?: when)? (?:rounded|correct)(?: off)? to (.+?),? (?:is|gives|=)(?: _+)?",
     r"Round \1 to \2"),
    (r"(?:if|when) (?:we|you|i) round NUM (?:off )?to (.+?),? what .*", r"Round \1 to \2"),
    (r"(?:ASK|write) (?:the )?ratio of (\d+) ([a-z]{4,}) to (\d+) (?!\2)([a-z]{4,})(?: in FORM)?",
     _ratio_of_things),
    (r".*\bratio\b\D* (\d+ ?(?::|to) ?\d+)\. (?:simplify|reduce|write) (?:this|the|it)(?: ratio)?"
     r"(?: in FORM)?", r"Simplify the ratio \1"),
    # What is missing, and what comes next.
    (r"(?:find|write|fill in|what is|complete|calculate|work out|determine) the (?:missing|unknown)"
     r"[^\d=]*?(?:[.:]|(?: number)? in)(?: the (?:equation|proportion|sentence))? ?(.*=.*)",
     r"\1"),
    (r"(?:what|which) (?:number|sign|value|digit) (?:belongs|goes|should go|is missing|fits)"
     r"(?: (?:in|on)(?:to)? the (?:box|blank|gap|square|space|line))? ?[?:.] ?(.*[=_□].*)", r"\1"),
    (r"(?:name|give|find|write|what(?:'s| is)) the (?:next (?:number|term)|(?:number|term) that "
     r"comes next) in (?:this|the)(?: number)? SERIES ?[.:?] ?(\d.*?)(?:,? ?_+)?",
     r"What comes next: \1"),
    (r"what (?:is|comes) (?:the )?(?:next )?number (after|before) (\d+)", _next_to),
    # Values for letters.
    (r"(?:when|if|given(?: that)?) VALUES,? (?:then )?ASK(?: the value of)?:? EXPR",
     r"Evaluate \2 when \1"),
    (r"ASK(?: the value of)?(?: THING)? (?:when|for|if|where|given(?: that)?) ?VALUES ?[:;,.] ?"
     r"(.+)",
     r"Evaluate \2 when \1"),
    (r"(.+?) ?[;,.] ?use VALUES", r"\1 when \2"),
    (r"([^=]*=[^=]*[^=a-z ,.;])[ ,.;]*([a-z]) ?=(?: ?_+)?", _asked_twice),
    (r"(?:if )?([a-z]) is (?:directly )?proportional to ([a-z])[,.;]? (?:and )?(?:if )?\1 ?(?:="
     r"|is) ?"
     r"(\d+) when \2 ?(?:=|is) ?(\d+)[.,;] ASK \1 when \2 ?(?:=|is) ?(\d+)",
     r"In a table y is proportional to x. For x = \4 it says y = \3. What is y for x = \5?"),
    (r"(.*\d.*?) ?= ?[$£€]? ?_+ (?:([a-z]+) )?per ([a-z]+)", _per),
    (r"what is (.*\d.*) (?:expressed|written|given) (as .*)", r"Write \1 \2"),
    (r"(?:(.*[^\d,.]) )?(-?\d+(?:\.\d+)?(?:(?:, ?|,? and )-?\d+(?:\.\d+)?)+)(\D*)\b"
     r"(?:ASK|what was) (?:the |his |her |their )?STATISTIC(?: "
     r"\(mean\))?"
     r"\b([^\d?]*)", _told_list),
    (r"((?:the )?probability of .*?)(?: is| are|=)?", r"What is \1"),
    (r"(?:add|find the (?:total|sum) of) (?:together |up )?NUM, NUM,? (?:and )?NUM",
     r"\1 + \2 + \3"),
    (r"(?:solve )?(\d+) ?[÷/] ?[a-z] ?= ?(\d+)", r"\1 ÷ _ = \2"),
    (r"how many (ten|hundred|thousand)s (?:are there )?(?:altogether )?(?:are )?in (\d+)",
     _so_many_in),
    (r"what fraction of (?:1|an?|one) ?(kg|kilogram|km|kilometre|kilometer|l|litre|liter) is "
     r"(\d+) ?(?:g|grams?|m|met(?:er|re)s?|ml)", r"\2/1000 in lowest terms"),
    (r"(?:an?|the) [a-z ]+ (?:starts|begins) at (\d\d?:\d\d) and (?:it )?(?:ends|finishes|stops) "
     r"at (\d\d?:\d\d)[.,] how long (?:does|did|is|was) (?:the [a-z]+|it)(?: last)?",
     r"How many minutes are there from \1 to \2?"),
    (r"(?:find )?(?:the )?area of (?:a |the )?rectangle (?:whose|with) (?:the )?length (?:is |of "
     r")?([\d.]+)"
     r" ?([cmk]?m) and (?:its )?(?:breadth|width) (?:is |of )?([\d.]+) ?\2", r"\1 × \3"),
)  # fmt: skip
_PATTERNS = tuple((_pattern(words), put) for words, put in _ORDERS)


def without_remarks(question: str) -> str:
    """The question alone, what is to be done with it in front; as it is where nothing is said."""
    question = re.sub(r"[“”\"`]|'(?=[^']*\d[^']*')|(?<=[\d)])'(?!\w)", "", question)
    bare = _BEFORE.sub("", _LABELS.sub("", question))
    bare = _SENTENCES.sub("", _BRACKETS.sub("", bare))
    bare = re.sub(r"(?<=[\w)]) +(?=[?.!])", "", bare).strip(" ,;")
    if not re.search(r"[a-z]{2}", bare, re.IGNORECASE):
        bare = re.sub(r"(?<=\d) (?=[a-z]\b|\()|(?<=\() | (?=\))", "", bare)
    for pattern, put in _PATTERNS:
        if (match := pattern.fullmatch(bare.rstrip("?. :"))) is not None:
            return (put(match) if callable(put) else match.expand(put)).strip()
    return bare


def _fraction(words: re.Match[str]) -> str:
    """``three tenths`` as 3/10."""
    top = 1 if words[1].lower() == "a" else read_phrase(words[1].lower())[0].value
    return f"{top}/{ONE_PART[words[2].lower()]}"


def _number_of_places(words: re.Match[str]) -> str:
    """``3 hundreds, 4 tens and 2 ones`` as 300 + 40 + 2."""
    return f"{words[1]}00 + {words[2]}0 + {words[3]} as a number"


_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_IN_FULL: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"^an? (?:garden|field|lawn|yard|room|floor|park|playground|poster|carpet|court|wall) "
     r"(?=is \d+(?:\.\d+)? ?[a-z]+ (?:long|wide|high) and \d)", "A rectangle "),
    (r"^(A rectangle is \d+(?:\.\d+)? ?[a-z]+) high and ", r"\1 long and "),
    (r"\d\.\d{3}(?: \d{3})+(?![\d/])", lambda places: places[0].replace(" ", "")),
    (r"\((\d+/\d+)\)(?= of\b)", r"\1"), (r"\bto make it (?=\d)", "to make "),
    (r"\ba single (?=die\b|coin\b)", "a "),
    (r"(?<=\d) multiplied by (?=\d+ multiplied)|(?<=× \d) multiplied by ", " × "),
    (r"(?<=[\d)]) (?:divided by|over) (?=[\d(])(?=.*[-+×*()])", " ÷ "),
    (r"\b(highest|greatest|lowest|least) common (factor|multiple)s\b", r"\1 common \2"),
    (r"^(?:please )?(?:wh?ats|what's|write down|state|tell me)\b", "what is"),
    (r"^(?:how (?:do|would) (?:you|i) (?=write|express|convert)|if i (?=add|subtract|take))", ""),
    (r",? what do i get$", ""), (r"^halve (?=\d)", "half of "),
    (r"^next:? (?=\d)", "what comes next: "),
    (r"^which (?:one )?is (?:more|bigger|greater):? ", "which is larger, "),
    (r"\bthird side of a right triangle with legs\b", "hypotenuse with legs"),
    (r"^how many cubic (?:c?m|inches|feet|centimet(?:re|er)s) (?:are )?in (?=an? )", "volume of "),
    (r"^how many ([a-z]+) in (?=\d)", r"how many \1 are in "),
    (r"^(\(.*\)) slope$", r"slope between \1"),
    (r"^(?:what is )?(\d+/\d+) of an hour in minutes$", r"\1 of 60"),
    (r"^(?:what do you get (?:when|if) you|(?:fill in|complete|find) the (?:blank|missing number)s?"
     r"[:.]?) ", ""),
    (r"^(?:find|work out|determine|calculate|what is|solve for) (?:the )?(?:value of )?([a-z])"
     r"(?: in| if| when| given(?: that)?|:|,)? ((?:(?![a-z])[^=]|\1)*=(?:(?![a-z])[^=]|\1)*)$",
     r"Solve \2"),
    (r"^(?:find|determine|what are) (?:the )?(?:roots?|solutions?|zeroe?s) (?:of|to) (.*=.*)$",
     r"Solve \1"),
    (r"^what number (?:occurs|appears) (?:the )?most(?: often)?:?", "mode of"),
    (r"^turn\b", "convert"), (r"^round off\b", "round"),
    (r"(?<=\d) (?:between|among) [a-z]+ and [a-z]+ (?=in the ratio)", " "),
    (r"\b(\d+) hundreds?,? (\d) tens?,? (?:and )?(\d) (?:ones?|units?)"
     r"(?: (?:as|in) (?:a number|digits|figures))?", _number_of_places),
    (r"\bone (?=(?:more|less) than \d)", "1 "),
    (r"\b(a|one|two|three|four|five|seven|nine) (third|quarter|fourth|fifth|sixth|eighth|tenth"
     r"|hundredth)s?(?= as )", _fraction),
    (r"^(.*\S)[,:]? \(?(solve|simplify|expand|factori[sz]e)\)?(?: it| for [a-z])?$", r"\2 \1"),
    (r"\bprob\b\.?", "probability"),
    (r"\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?=term\b)",
     lambda said: f"{_ORDINALS.index(said[1].lower()) + 1}th "),
    (r"^((?:find |what is )?(?:the )?(?:lcm|hcf|gcf|gcd)):? (?:of )?(\d+)(?:,| and)? (\d+)$",
     r"\1 of \2 and \3"),
    (r"^(round \S*\d) (?:to )?(?:the )?nearest\b", r"\1 to the nearest"),
    (r"\b([a-z]) ?= ?(-?\d+), ?(?:and )?([a-z]) ?= ?(-?\d+)$", r"\1 = \2 and \3 = \4"),
)  # fmt: skip
_SHORTHAND = tuple((re.compile(words, re.IGNORECASE), put) for words, put in _IN_FULL)
_SPACED = re.compile(r"(?<![\d/] )(?<![\d/])\d+(?:\.\d+)?(?: \d+(?:\.\d+)?){2,}(?![\d/])")


_IN_WORDS = re.compile(NUMBER_PHRASE, re.IGNORECASE | re.VERBOSE)
_NO_NUMBER = frozenset({"one", "half", "a half", "a quarter"})
_OPERATIONS = (" plus ", " minus ", " times ", " divided by ")
_OF_A_KIND = re.compile(
    r"[- ](?:thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?"
    r"|hundredths?|hundreds?|thousands?|numbers|points?|angles|sides|of)\b",
    re.IGNORECASE,
)
"""Behind a number that is no number of a calculation: "two numbers", "three fifths", "one of"."""


def in_digits(question: str) -> str:
    """Numbers in words in digits, ``How many minutes are in 6 hours?``; "one" and "half" stay."""

    def digits(match: re.Match[str]) -> str:
        words = match[0]
        for number in reversed(read_phrase(words)):
            start, end = number.start, number.end
            before, behind = question[: match.start() + start], question[match.start() + end :]
            alone = words[start:end].lower() in _NO_NUMBER and not (
                before.lower().endswith(_OPERATIONS) or behind.lower().startswith(_OPERATIONS)
            )
            part = re.search(r"(?:th|rd)s?$", words[start:end]) is not None
            if number.value is None or alone or part or _OF_A_KIND.match(behind):
                continue
            if 10_000 % number.value.denominator == 0:
                words = f"{words[:start]}{write_decimal(number.value)}{words[end:]}"
        return words

    return _IN_WORDS.sub(digits, question)


def in_full(question: str) -> str:
    """What is typed in a hurry, in whole words: "whats", "5x+3=18 solve", "lcm 4 6", "2 4 8 16"."""
    for pattern, put in _SHORTHAND:
        question = pattern.sub(put, question)
    return _SPACED.sub(lambda numbers: numbers[0].replace(" ", ", "), plain_numbers(question))
