"""The sentences of a plain story: the inverse of this lab's wording, and some simple shapes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from biaslab.problems.logic import (
    Comparison,
    ComparisonType,
    Container,
    Entity,
    Form,
    Rate,
    Statement,
    Transfer,
)
from biaslab.problems.vocabulary import vocabulary
from biaslab.problems.wording import phrasings


@dataclass(frozen=True, slots=True)
class Some:
    """Somebody has an amount that is not told."""

    agent: str


@dataclass(frozen=True, slots=True)
class AtTheEnd:
    """What somebody has after everything."""

    agent: str
    quantity: int


@dataclass(frozen=True, slots=True)
class Altogether:
    """What two people have together."""

    agents: tuple[str, str]
    quantity: int


@dataclass(frozen=True, slots=True)
class Asked:
    """The question: whose amount of what, and whether it is the amount at first."""

    agent: str
    entity: Entity
    now: bool
    at_first: bool


Said: TypeAlias = Statement | Some | AtTheEnd | Altogether | Asked

NOBODY = ""
"""The agent of a rate that does not say whose containers they are."""

_SIMPLE: dict[str, tuple[str, ...]] = {
    "comparison more": (
        "{subject} has {q} more than {object}",
        "{subject} has {q} more {n} than {object} now",
        "{subject} has {q} more than {object} now",
    ),
    "comparison fewer": (
        "{subject} has {q} fewer than {object}",
        "{subject} has {q} less than {object}",
        "{subject} has {q} less {n} than {object}",
        "{subject} has {q} fewer {n} than {object} now",
        "{subject} has {q} fewer than {object} now",
    ),
    "comparison times as many": (
        "{subject} has {q} times as many as {object}",
        "{subject} has {q} times as much {many} as {object}",
    ),
    "comparison times fewer": ("{subject} has {q} times fewer than {object}",),
    "transfer between": (
        "{sender} gives {receiver} {q}",
        "{sender} gives {q} to {receiver}",
        "{receiver} gets {q} from {sender}",
    ),
    "transfer lost": (
        "{sender} gives {q} away",
        "{sender} gives {q} {n} away",
        "{sender} gives away {q}",
        "{sender} (?:loses|eats|sells|spends|uses|breaks) {q}",
        "{sender} (?:loses|eats|spends|uses|breaks) {q} {n}",
    ),
    "transfer gained": (
        "{receiver} (?:gets|buys|finds|wins|receives) {q}",
        "{receiver} (?:finds|wins|collects|makes) {q} {n}",
    ),
    "at the end": (
        "Now {agent} has {q}", "Now {agent} has {q} {n}",
        "{agent} now has {q}", "{agent} now has {q} {n}",
        "{agent} has {q} now", "{agent} has {q} {n} now",
    ),
    "some": ("{agent} has some", "{agent} has some {n}"),
    "altogether": (
        "{one} and {two} have {q} altogether", "{one} and {two} have {q} {n} altogether",
        "{one} and {two} have {q} together", "{one} and {two} have {q} {n} together",
    ),
    "container": ("{agent} has {q}",),
    "rate of each": (
        "Each {container} holds {q} {n}", "Each {container} has {q} {n}",
        "There are {q} {n} in each {container}",
    ),
    "question": (
        "How many does {agent} have{now}",
        "How much {many} does {agent} have{now}",
        "How many {many} does {agent} have left",
        "How many {many} are there for {agent}",
    ),
    "question at first": (
        "How many does {agent} have{first}",
        "How many {many} does {agent} have{first}",
    ),
}  # fmt: skip

_NAME = r"(?:[Tt]he [a-z]+|[A-Z][^\W\d_]*(?:[ -][A-Z][^\W\d_]*)?)"
_NO_NOUN = (
    "more|fewer|less|times|than|as|away|to|from|altogether|together|now|left|each|in|at|some"
    "|has|have|than|and"
)
_THING = rf"(?!(?:{_NO_NOUN})\b)[^\W\d_][\w'-]*(?: (?!(?:{_NO_NOUN})\b)[^\W\d_][\w'-]*){{0,4}}"
_GAPS = {
    **dict.fromkeys(("agent", "subject", "object", "sender", "receiver", "one", "two"), _NAME),
    **dict.fromkeys(("n", "many"), _THING),
    **dict.fromkeys(("container", "containers"), r"[^\W\d_]+"),
    "q": r"[0-9]{1,9}",
    "now": r"(?: now)?",
    "first": r" (?:at first|at the start|to begin with|to start with|in the beginning|before)",
}
_GAP = re.compile(r"\\?\{(\w+)\\?\}")
_LONGEST = 300
_WORDS = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
]  # fmt: skip
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_PAST = {
    "had": "has", "gave": "gives", "got": "gets", "bought": "buys", "found": "finds",
    "won": "wins", "sold": "sells", "lost": "loses", "ate": "eats", "received": "receives",
    "held": "holds", "spent": "spends", "used": "uses", "did": "does",
}  # fmt: skip
_PAST_WORD = re.compile(rf"\b(?:{'|'.join(_PAST)})\b")


def read_sentence(sentence: str) -> Said | None:
    """What one sentence says, or None where its shape is not known."""
    plain = sentence.strip().rstrip(".?! ").strip()
    plain = plain.replace("’", "'").replace("‘", "'")
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", plain)
    plain = re.sub(r"\btwice as\b", "2 times as", plain)
    plain = _NUMBER_WORD.sub(lambda m: str(_WORDS.index(m[0].lower()) + 2), plain)
    if len(plain) > _LONGEST:
        return None
    present = _PAST_WORD.sub(lambda m: _PAST[m[0]], plain)
    for attempt in dict.fromkeys((plain, present)):
        for kind, pattern in _patterns():
            match = pattern.fullmatch(attempt)
            if match:
                return _said(kind, match.groupdict())
    return None


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    made = []
    known = phrasings()
    for kind in (
        "question at first", "question", "at the end", "some", "altogether",
        "comparison times as many", "comparison times fewer", "comparison more",
        "comparison fewer", "rate of each", "rate of packing", "transfer between",
        "transfer lost", "transfer gained", "container",
    ):  # fmt: skip
        for template in known.get(kind, ()):
            made.append((kind, _pattern(re.escape(template.rstrip(".?")))))
        for template in _SIMPLE.get(kind, ()):
            made.append((kind, _pattern(template)))
    return tuple(made)


def _pattern(template: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def gap(match: re.Match[str]) -> str:
        name = match[1]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        # A singular in one gap and a plural in the next are different words.
        return f"(?P<{name}>{_GAPS[name]})"

    return re.compile(_GAP.sub(gap, template).replace(r"\ ", " +"))


def _said(kind: str, found: dict[str, str | None]) -> Said:
    def who(gap: str) -> str:
        name = found.get(gap) or NOBODY
        return name[0].lower() + name[1:] if name.startswith("The ") else name

    entity = entity_of(found.get("n") or found.get("many") or "")
    quantity = int(found.get("q") or 0)
    if kind.startswith("question"):
        return Asked(who("agent"), entity, bool(found.get("now")), bool(found.get("first")))
    if kind == "some":
        return Some(who("agent"))
    if kind == "at the end":
        return AtTheEnd(who("agent"), quantity)
    if kind == "altogether":
        return Altogether((who("one"), who("two")), quantity)
    if kind == "container":
        return Statement(Container(who("agent"), quantity, entity))
    if kind.startswith("transfer"):
        receiver, sender = who("receiver") or None, who("sender") or None
        return Statement(Transfer(receiver, sender, quantity, entity))
    if kind.startswith("rate"):
        unit = lemma(found.get("container") or found.get("containers") or "")
        per = Entity(entity.noun, entity.attribute, unit)
        rate = Rate(who("agent"), quantity, entity, per)
        return Statement(rate, dividing=kind == "rate of packing")
    return _comparison(kind, who("subject"), who("object"), quantity, entity)


def _comparison(kind: str, subject: str, other: str, quantity: int, entity: Entity) -> Statement:
    multiplies = "times" in kind
    up = kind in ("comparison more", "comparison times as many")
    a, b = (subject, other) if up else (other, subject)
    what = ComparisonType.MULTIPLICATIVE if multiplies else ComparisonType.ADDITIVE
    return Statement(Comparison(what, a, b, quantity, entity), Form.A_MORE if up else Form.B_FEWER)


def entity_of(phrase: str) -> Entity:
    """What is counted: "boxes of red apples", "red apples", or nothing said."""
    unit, of, noun = phrase.strip().partition(" of ")
    if not of:
        return Entity(lemma(unit))
    return Entity(lemma(noun), "", lemma(unit))


@cache
def lemma(phrase: str) -> str:
    """A noun phrase with its last word in the singular, for telling whether two are alike."""
    *before, word = phrase.lower().split() or [""]
    return " ".join([*before, _singulars().get(word) or _singular(word)])


@cache
def _singulars() -> dict[str, str]:
    words = vocabulary()
    found = {unit.plural: unit.singular for unit in words.units.values()}
    for noun in words.nouns.values():
        found[noun.plural.split()[-1]] = noun.singular.split()[-1]
    return found


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
