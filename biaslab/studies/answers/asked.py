"""What a problem asks: whose number, of which thing, in which way, and which numbers it gives.

A response tells many numbers. Which of them is its answer depends on the question: "Ben has 15.
Ana has 18." answers 15 where Ben is asked about. Everything here is taken from the words of the
problem; the right answer is never looked at.

Classes of words that show what a number in a sentence or a question belongs to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from biaslab.studies.answers.written_numbers import scan
from schoolmath.text.written_answers import normalise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ASKING_VERBS = _words(
    """
    do does did is are was were will can could should would must
    """
)
"""Behind these a question names its subject: "how many does Ana ..."."""

POSSESSING = _words(
    """
    has have had owns own got holds keeps
    """
)
"""What the subject of "how many apples Ana has" is followed by."""

NO_NAMES = _words(
    """
    a an the if in on at of to for from by with after before when while since because as
    during each every all both some no one two three four five six seven eight nine ten and
    or but so then now today yesterday tomorrow there here this that these those it he she
    they we you i his her their our your its my how what which who whose why where is are
    was were do does did can could will would work find calculate determine tell let suppose
    assume given monday tuesday wednesday thursday friday saturday sunday january february
    march april may june july august september october november december mr mrs ms dr
    """
)
"""Words that begin sentences or are always written with a capital, and name nobody."""

SAYS_OF = _words(
    """
    has have had owns own gets got makes made needs pays paid earns earned spends spent
    saves saved keeps holds will would must can could should now then still also ends is was
    are were does receives received bought buys sells sold takes took eats ate left and
    finally brings brought collects collected bakes baked catches caught finds found picks picked
    plants planted reads read scores scored uses used
    """
)
"""Behind a name these say what somebody has: "Ben has 15", "Ben now has 15"."""

SOMEBODY = _words(
    """
    he she they it we i you there each everyone everybody both
    """
)
"""Pronouns: whom they mean is not told."""

NO_SUBJECT_AFTER = _words(
    """
    to from than for by of with as gives give gave like
    """
)
"""A name behind these is not whom the sentence is about: "to Ben"."""

NO_UNITS = _words(
    """
    has have had is are was were so and or but because since then therefore thus hence if
    when while which that who he she it they we to by not no in for from after before of
    with at on per left more fewer less than each now remaining
    """
)
"""Words behind a number that are no unit of it."""

MONEY = _words(
    """
    dollar cent euro pound penny
    """
)
"""Units of money, in the singular."""

PREPOSITIONS = _words(
    """
    in for after before over during within per every each at on from by of to than among
    amongst between into across through out using who which that
    """
)
"""Between one of these and a number, the number is not what its sentence is about."""

NEVER_BEHIND = _words(
    """
    has have had is are was were will would gets get got make makes made leave leaves left
    give gives find be being becomes equal equals reach obtain so therefore thus hence then
    and but or total because since
    """
)
"""Words that end what a preposition governs."""

LEADING_TO = _words(
    """
    up equal comes come came amounts adds down out works
    """
)
"""With these, "to" leads to a result: "adds up to 15"."""

WHOLES = _words(
    """
    total average sum amount number remainder difference product cost profit price speed
    result score balance value maximum minimum
    """
)
"""With these, "of" names the result: "a total of 15"."""


@dataclass(frozen=True, slots=True)
class QuestionTarget:
    """What the question of a problem asks for. Of a question that is not known, nothing is said.

    Attributes:
        people: names in the question, in small letters.
        others: names that only the story holds.
        things: words of what is counted, without the endings of the plural.
        money: an amount of money is asked for; percent: a percentage; share: a part of a whole;
            difference: how many more or fewer; cents: an amount in cents.
        unit: the unit that the answer is wanted in ("minute"), "" where none is named.
        order: a place in an order is asked for, such as a day of the month.
        given: every number of the problem.
    """

    people: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    money: bool = False
    percent: bool = False
    share: bool = False
    difference: bool = False
    cents: bool = False
    unit: str = ""
    order: bool = False
    given: frozenset[Fraction] = frozenset()

    @property
    def is_known(self) -> bool:
        """Whether there is a problem at all."""
        return self != NOTHING_KNOWN

    @property
    def names(self) -> frozenset[str]:
        """Everybody whom the problem names."""
        return self.people | self.others


NOTHING_KNOWN = QuestionTarget()
"""Of a response whose problem is not known."""

_SENTENCE = re.compile(r"[^.?!\n]*(?:[.](?=\w)[^.?!\n]*)*[.?!\n]*")
_ASKS = re.compile(r"\b(?:how|what|which|work out|find|calculate|determine|tell)\b", re.IGNORECASE)
_THING = re.compile(
    r"\b(?:how many|number of|amount of)\s+(?P<thing>(?!(?:do|does|did|is|are|was|were|can|will)\b)"
    r".{1,60}?)(?=\s+(?:do|does|did|is|are"
    r"|was|were|has|have|had|can|could|will|would|should|must|that|in|on|at|for|to|left|there"
    r"|after|when|if|each|per|than|(?-i:[A-Z])\w+)\b|[?.,!]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_IN_UNIT = re.compile(r"\bin (?P<thing>[a-z]+)\s*\?", re.IGNORECASE)
_MONEY = re.compile(
    r"\b(?:money|dollars?|costs?|pays?|paid|spends?|spent|earn(?:s|ed|ings)?|profits?|price|cents?"
    r"|euros?|change|bill|salary|income|sales|refunds?|savings?|discounts?|sells?|sold|owes?|worth)\b",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    r"\b(?:what|which|how many|the|as an?|in)\b[^?.%]{0,30}(?:\bper\s?cent(?:age)?\b|%)"
    r"(?=[^?.]{0,120}\?|\s)",
    re.IGNORECASE,
)
_SHARE = re.compile(r"\b(?:fraction|part|proportion|portion|share)\b", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"\bhow (?:many|much) (?:\w+ ){0,3}?(?:more|fewer|less)\b|\bhow (?:many|much) (?:\w+ ){1,3}?"
    r"(?:older|younger|longer|shorter|taller|heavier|lighter|farther|further)\b|\bdifference\b"
    r"|\bby how (?:many|much)\b"
    r"|\bhow much (?:older|younger|longer|shorter|taller|heavier|lighter|farther|further)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"\b(?:how|what|which|work out|find|calculate|determine)\b.*?"
    r"(?=,(?!\s*(?:and\s+)?(?-i:[A-Z]))|;|\b(?:if|when|after|before|while|given|assuming)\b|[?.!]?\s*\Z)",
    re.IGNORECASE | re.DOTALL,
)
_PRONOUN = re.compile(r"\b(?:he|she|they|it|his|her|their|you|we|i|each|everyone)\b", re.IGNORECASE)
_POSSESSES = re.compile(
    r"\b(?:have|has|had|owns?|holds?|keeps?|got|old|left|bring|buy|collect|make|bake|catch|eat|earn"
    r"|find|pick|plant|read|save|score|spend|use)\b",
    re.IGNORECASE,
)
"""What somebody does alone; "how many did Ana give to Ben?" a sentence about Ben may answer too."""
_WORDS = re.compile(r"[^\W\d_]+(?:'s\b)?")
_ORDER = re.compile(
    r"\b(?:what|which) (?:place|position|rank|day|date|floor|storey|row|page|grade|century)\b",
    re.IGNORECASE,
)
DOZEN = "dozen"
"""The unit of those who ask for dozens."""

_CENTS = re.compile(r"\b(?:in|many) cents\b", re.IGNORECASE)
_CAPITALISED = re.compile(r"(?<![\w'])[A-Z][a-z]+(?=\b|'|’)")
_SMALL = re.compile(r"(?<![\w'])[a-z]+")
_PLURAL = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))


def singular(word: str) -> str:
    """The word without an ending of the plural; only for comparing words.

    >>> [singular(word) for word in ("apples", "boxes", "berries", "inches", "glass")]
    ['apple', 'box', 'berry', 'inch', 'glass']
    """
    for ending, kept in _PLURAL:
        shortest = max(len(ending) + 1, 3)
        if word.endswith(ending) and len(word) > shortest and not word.endswith("ss"):
            return word[: -len(ending)] + kept
    return word


@lru_cache(maxsize=4096)
def asked_by(problem: str) -> QuestionTarget:
    """What a problem asks for.

    Args:
        problem: its whole text, the question included.
    """
    sentences = [match[0] for match in _SENTENCE.finditer(problem) if match[0].strip()]
    asking = [each for each in sentences if _ASKS.search(each)]
    question = next((each for each in reversed(asking) if "?" in each), "")
    question = (question or (asking or sentences or [""])[-1]).replace("’", "'")
    names = _names(problem)
    people = _subjects(_CLAUSE.search(question), names)
    thing = _THING.search(question)
    wanted = _IN_UNIT.search(question)
    counted = " ".join(match["thing"] for match in (wanted, thing) if match)
    things = {singular(word) for word in _SMALL.findall(counted.lower())} - NO_NAMES
    things -= {"more", "fewer", "less", "total", "many", "much", "money"}
    money, cents = (pattern.search(question) is not None for pattern in (_MONEY, _CENTS))
    first = singular(counted.lower().split()[0]) if counted.strip() else ""
    return QuestionTarget(
        people,
        names - people,
        frozenset(things),
        money=money,
        share=_SHARE.search(question) is not None,
        percent=_PERCENT.search(question) is not None,
        difference=_DIFFERENCE.search(question) is not None,
        cents=cents,
        unit="cent" if cents else "dollar" if money and not things else first,
        order=_ORDER.search(question) is not None,
        given=frozenset(
            token.value
            for token in scan(normalise(problem))
            if token.kind == "number" and token.value is not None
        ),
    )


def _subjects(clause: re.Match[str] | None, names: frozenset[str]) -> frozenset[str]:
    """Those of whom the asking clause wants to know what they have, or how old they are.

    Nobody where a pronoun stands for them. In "how many did Ana give to Ben?" a sentence about
    Ben may answer as well, so nobody is asked about.
    """
    if clause is None or _PRONOUN.search(clause[0]) or not _POSSESSES.search(clause[0]):
        return frozenset()
    words = [word.lower().removesuffix("'s") for word in _WORDS.findall(clause[0])]
    words = ["", *(word for word in words if word != "and"), ""]
    found: set[str] = set()
    at = 1
    while at < len(words) - 1:
        after = at
        while words[after] in names:
            after += 1
        if after > at and (words[at - 1] in ASKING_VERBS or words[after] in POSSESSING):
            found.update(words[at:after])
        at = max(after, at + 1)
    return frozenset(found)


def _names(problem: str) -> frozenset[str]:
    """Words that always stand with a capital, and are none of those that begin sentences."""
    small = set(_SMALL.findall(problem))
    found = {word.lower() for word in _CAPITALISED.findall(problem)}
    return frozenset(found - small - NO_NAMES)
