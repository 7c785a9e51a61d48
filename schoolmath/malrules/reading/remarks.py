"""What stands around a question, and what is typed in a hurry.

A worksheet says a question's number, what to do with it and how to write it down:

    without_remarks("3) Round to the nearest ten. 347")    # "Round 347 to the nearest ten"

Only what leaves the answer as it is goes; an answer rounded to so many places is right anyhow.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from schoolmath.malrules.reading.phrasings import ONE_PART
from schoolmath.text.numbers import read_phrase

_FORM = (
    r"(?:(?:its |the )?(?:simplest|lowest|reduced|simplified) (?:form|terms)|a (?:simplified "
    r"|proper )?fraction|a mixed (?:number|fraction)|a decimal(?: number)?|an improper fraction)"
)
_METHOD = (
    r"(?:the |a )?(?:(?:column|grid|lattice|box|bus stop|standard|expanded|FOIL|substitution"
    r"|elimination|area) (?:method|algorithm|model)|(?:long|short|column|written) (?:division"
    r"|multiplication|addition|subtraction)(?: method)?|distributive (?:property|law)"
    r"|(?-i:[A-Z]{5,9})|(?:correct )?order of operations|(?:combining|collecting) like terms"
    r"|factoring|BIDMAS"
    r"|BODMAS|PEMDAS|cross[- ]multiplication|number line|"
    r"pythag\w+ theorem)"
)
_SIGNED = r"(?=[^a-z]*(?:\d|[a-z]\b))"
_LABELS = re.compile(
    r"^(?:(?:question|q|problem|exercise|example|ex|task|no)\b\.? ?\d*[a-z]?|\(?(?:\d{1,2}|[a-h]))"
    rf" ?[.:)]\)? +(?=\S)|^[a-z -]+(?:addition|subtraction|multiplication|division|equations?): ?"
    rf"{_SIGNED}",
    re.IGNORECASE,
)
_REMARKS = re.compile(
    r" ?[(\[](?:[A-Z]{2,4}|no need to (?:reduce|simplify)[^()]*|(?:just|only) (?:write"
    r"|give)[^()\d]*|(?:show|hint|explain)\b[^()]*"
    r"|(?:use|do not use|don't use|without|with) (?:a )?(?:calculator|(?:π|pi)\b[^()]*)"
    rf"|(?:(?:give|leave|write|simplify) [a-z ]+ )?(?:in|as) {_FORM}"
    rf"|(?:use|using|by) {_METHOD}|\d+ (?:marks?|points?|pts))[)\]]"
    r"|(?:(?<=[.?!,;]) |,? (?:and )?)(?:please )?(?:"
    rf"(?:write|give|express|leave|state) (?:your|the) (?:final )?answers? (?:in|as) {_FORM}"
    r"(?: if (?:possible|needed|necessary))?"
    r"|(?:then )?simplif(?:y|ying) (?:your |the )?answers?(?: (?:fully|if (?:possible|needed)"
    r"|where possible))?|simplify if (?:possible|needed)|in (?:its |the )?simplest form if possible"
    r"|show (?:me )?(?:your|all|each|the)(?: (?:your|the|of))* (?:full )?(?:work(?:ing)?s?|steps?"
    r"|thinking|calculations?)(?: (?:out|clearly))?"
    r"|(?:give|giving|write|round|rounding) (?:your |the )?answers? (?:correct )?to (?:\d+|one|two"
    r"|three) (?:dp|d\.p\.|decimal places?|places?)"
    r"|explain (?:your|how|why|by)\b[^.?!]*|write out the steps"
    r"|(?:do not|don't|without) (?:use|using) a calculator|(?:use|using) a calculator"
    rf"|(?:use|using|by|with) {_METHOD})(?= ?[.?!,;:]| ?$)[.!]?",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"^(?:using {_METHOD}, |use (?:{_METHOD}|multiplication|addition|subtraction|division) to )",
    re.IGNORECASE,
)
_THING = (
    r"(?:(?:these|this|each|the(?: following)?(?: pair of)?|of the following) )?"
    r"(?:(?:whole|decimal|improper|proper|mixed|algebraic|linear|quadratic|equivalent|missing) )?"
    r"(?:numbers?|decimals?|fractions?|percent(?:age)?s?|expressions?|calculations?|sums?|products?"
    r"|differences?|quotients?|equations?|inequalit(?:y|ies)|ratios?|brackets?|divisions?"
    r"|multiplications?|subtractions?|additions?|proportions?|problems?|exponents?|powers?|following)"
)
_VALUES = r"[a-z] ?= ?-?\d+(?:(?:,| and|, and) [a-z] ?= ?-?\d+)*"
_NUMBER = r"(-?[\d.,]+(?: \d+/\d+|/\d+)? ?%?)"
_ORDERS = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"^(?:choose|find|select) the (?:correct )?(?:product|sum|quotient|difference|answer) "
         r"?[.:]"
         rf" ?{_SIGNED}(.+)$", r"\1"),
        (r"^estimate (?:the following )?by (?:first )?rounding (?:off )?(?:each number )?to (the "
         r"nearest"
         r" [a-z]+),? (?:and then (?:solving|adding|subtracting) ?)?[:.]? ?(\d.*)$",
         r"Estimate \2 to \1"),
        (rf"^round (?:{_THING} )?(?:off )?to (.+?) ?[.:] {_NUMBER}$", r"Round \2 to \1"),
        (rf"^multiply (?:each of )?(?:{_THING}|these) by ([\d,]+) ?[.:] {_NUMBER}$", r"\2 × \1"),
        (rf"^divide (?:each of )?(?:{_THING}|these) by ([\d,]+) ?[.:] {_NUMBER}$", r"\2 ÷ \1"),
        (r"^(?:find|list|write(?: down)?) ((?:all )?(?:the )?(?:factors|prime factors|[a-z ]*common"
         r" (?:factors?|multiples?)|HCF|GCF|LCM|mean|median|mode|range|product|sum|difference)) of "
         rf"(?:each of )?(?:these|the following)(?: pairs?(?: of)?)?(?: {_THING})? ?[.:] ?(.+)$",
         r"Find \1 of \2"),
        (r"^(?:put|write(?: down)?|arrange|order|place) (?:these|the(?: following)?) [a-z]+"
         r" (?:in order )?(.*?) ?[.:] ?(-?\d.*)$", r"Order \1: \2"),
        (r"^what(?:'s| is) the (next (?:number|term)|(?:number|term) that comes next) in (?:this"
         r"|the)"
         r"(?: number)? (sequence|pattern|series) ?[?:.] ?(\d.*)$", r"What comes next: \3"),
        (rf"^{_NUMBER} (?:and|or|_+|,) {_NUMBER} ?[.?,] (?:use|write|fill in|put) [<>=, or]+$",
         r"\1 _ \2"),
        (rf"^solve (?:for [a-z] in )?(?:{_THING} )?{_SIGNED}(.+=.+)$", r"Solve \1"),
        (rf"^(evaluate|simplify) {_THING} {_SIGNED}(.+)$", r"\1 \2"),
        (rf"^(?:evaluate|find|work out)(?: the value of)?(?: {_THING})? (?:when|for|if|where"
         rf"|given (?:that)?)"
         rf" ?({_VALUES}) ?[:,.] ?(.+)$", r"Evaluate \2 when \1"),
        (rf"^(.+?) ?[;,.] ?use ({_VALUES})$", r"\1 when \2"),
        (r"^what is (?:the number )?(\d+) (?:rounded )?to (\w+ significant (?:figure|digit)s?)$",
         r"Round \1 to \2"),
        (r"^what is the order of (?:the following|this|these) (?:set of )?numbers (from .+?) "
         r"?[?:.] ?(-?\d.*)$",
         r"Order \1: \2"),
        (rf"^(?:convert|write|express|change|rewrite|turn) {_THING} (?:as|to|into|in) (.+?) ?[.:]"
         rf" ?{_NUMBER}$", r"Write \2 as \1"),
        (r"^(?:find|write|fill in|what is|complete|calculate|work out|determine) the (?:missing"
         r"|unknown)"
         r"[^\d=]*?(?:[.:]|(?: number)? in) ?(.*=.*)$", r"\1"),
        (rf"^(?:convert|write|express|change|rewrite) as (an? [a-z ]+?) ?[.:] ?{_NUMBER}$",
         r"Write \2 as \1"),
        (r"^(?:when|if|given(?: that)?) ([a-z] ?= ?-?\d+(?:(?:,| and|, and) [a-z] ?= ?-?\d+)*),? "
         r"(?:work out"
         rf"|find|evaluate|calculate|what is)(?: the value of)?:? {_SIGNED}(.+)$", r"Evaluate \2 "
         r"when \1"),
        (r"^(?:which of the following is|what is|find) (?:the|a) solution (?:to|of) (?:the "
         r"equation )?"
         r"(.+=.+)$", r"Solve \1"),
        (r"^(?:what|which) (?:number|sign|value|digit) (?:belongs|goes|should go|is missing|fits)"
         r"(?: (?:in|on)(?:to)? the (?:box|blank|gap|square|space|line))? ?[?:.] ?(.*[=_□].*)$",
         r"\1"),
        (rf"^((?:fully |completely )?(?:factori[sz]e|expand(?: and simplify)?|simplify|solve"
         rf"|multiply out|reduce))(?: (?:fully|completely))? {_THING}(?: (?:fully|completely"
         rf"|for [a-z]))? ?[.:]? ?{_SIGNED}(.+)$", r"\1 \2"),
        (rf"^(?:work out|calculate|evaluate|compute|find|do|complete|answer|what is|add|subtract"
         rf"|multiply|divide)(?: the value of)?(?: {_THING})? ?[.:] ?{_SIGNED}(.+)$", r"\1"),
    )
)  # fmt: skip


def without_remarks(question: str) -> str:
    """The question alone, what is to be done with it in front; as it is where nothing is said."""
    bare = _REMARKS.sub("", _BEFORE.sub("", _LABELS.sub("", question)))
    bare = re.sub(r"(?<=[\w)]) +(?=[?.!])", "", bare).strip(" ,;")
    if not re.search(r"[a-z]{2}", bare, re.IGNORECASE):
        bare = re.sub(r"(?<=\d) (?=[a-z]\b|\()|(?<=\() | (?=\))", "", bare)
    for pattern, put in _ORDERS:
        if (match := pattern.match(bare)) is not None:
            return match.expand(put).strip()
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
    (r"(?<=\d),(?=\d{3}(?![\d,]))", ""),
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


_SAID = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh"
    r"|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b(?! (?:thirds?|quarters?|fourths?"
    r"|fifths?|sixths?|eighths?|tenths?|hundredths?|hundred|thousand|numbers|points|angles|sides)\b)"
)


def in_digits(question: str) -> str:
    """Whole numbers below a hundred in digits: "How many minutes are in six hours?"."""
    return _SAID.sub(lambda said: str(read_phrase(said[0].lower())[0].value), question)


def in_full(question: str) -> str:
    """What is typed in a hurry, in whole words: "whats", "5x+3=18 solve", "lcm 4 6", "2 4 8 16"."""
    for pattern, put in _SHORTHAND:
        question = pattern.sub(put, question)
    return _SPACED.sub(lambda numbers: numbers[0].replace(" ", ", "), question)
