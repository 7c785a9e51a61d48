"""Reading a concept from plain text: ``more than 3/10``, ``between 1/4 and 3/4``, ``all``."""

from __future__ import annotations

import difflib
import re
from fractions import Fraction

from biaslab.studies.concepts.concept import Concept, ConceptRelation, ConceptThreshold
from schoolmath.problems import DesignError

PUBLISHED = "published"
"""Stands for the nine concepts of the publication: more than 1/10, 2/10, ... 9/10."""

MOST_CONCEPTS = 50
"""Most concepts in one design: a limit of this app."""

LARGEST_BOUND = 1_000
"""Largest number in a concept: no total is larger."""

_SPELLINGS = {
    "fewer than": ConceptRelation.LESS,
    "under": ConceptRelation.LESS,
    "over": ConceptRelation.MORE,
    "no more than": ConceptRelation.AT_MOST,
    "not more than": ConceptRelation.AT_MOST,
    "no less than": ConceptRelation.AT_LEAST,
    "no fewer than": ConceptRelation.AT_LEAST,
    "not less than": ConceptRelation.AT_LEAST,
    "not fewer than": ConceptRelation.AT_LEAST,
    "even number": ConceptRelation.EVEN,
    "even": ConceptRelation.EVEN,
    "odd number": ConceptRelation.ODD,
    "odd": ConceptRelation.ODD,
    "even total": ConceptRelation.EVEN_TOTAL,
    "odd total": ConceptRelation.ODD_TOTAL,
    "no": ConceptRelation.NONE,
    **{str(relation): relation for relation in ConceptRelation},
}
_BOUNDS = {
    ConceptRelation.MORE: 1, ConceptRelation.LESS: 1, ConceptRelation.AT_LEAST: 1,
    ConceptRelation.AT_MOST: 1,
    ConceptRelation.EXACTLY: 1, ConceptRelation.BETWEEN: 2, ConceptRelation.OUTSIDE: 2,
}  # fmt: skip
_SWAPPED = re.compile(r"\s*(?:labels?\s+)?swapped\s*:?\s*", re.IGNORECASE)
_WORDS = re.compile(r"[a-z]+(?: [a-z]+)*")
_NUMBER = re.compile(
    r"(?P<numerator>\d{1,6})\s*/\s*(?P<denominator>\d{1,6})"
    r"|(?P<percent>\d{1,3}(?:\.\d{1,4})?)\s*(?:%|per\s?cent\b)"
    r"|(?P<decimal>0?\.\d{1,6})|(?P<count>\d{1,6})"
)
_HALF = re.compile(r"\b(?:a |one )?(half|third|quarter)\b")
_NAMED = {"half": "1/2", "third": "1/3", "quarter": "1/4"}
EXAMPLES = "more than 3/10, at most 20, between 1/4 and 3/4, all, an even number"


class ConceptError(DesignError):
    """A text that is no concept.

    Args:
        reason: why not, in a full sentence.
        suggestion: what to write instead.
        setting: the setting at fault.
    """


def read_concept(text: str, setting: str = "concept") -> Concept:
    """The concept that a text names.

    Args:
        text: such as ``more than 3/10``, ``fewer than 12``, ``swapped: all``. A fraction, a
            percentage or a decimal is a share of the total, a whole number is a number of things.
        setting: named by errors.

    Raises:
        ConceptError: it names none; the error says what is wrong and what could stand there.
    """
    plain = " ".join(text.split()).casefold().rstrip(".")
    swap = _SWAPPED.match(plain)
    body = plain[swap.end() :] if swap else plain
    body = _HALF.sub(lambda match: _NAMED[match[1]], body)
    words = _WORDS.match(body)
    if words is None:
        raise ConceptError(
            f"“{text}” is no concept." if plain else "No concept is named.",
            f"Write one such as: {EXAMPLES}.",
            setting,
        )
    relation = _SPELLINGS.get(words[0].removesuffix(" of the"))
    if relation is None:
        near = difflib.get_close_matches(words[0], [str(each) for each in ConceptRelation], 1, 0.5)
        raise ConceptError(
            f"“{words[0]}” in “{text}” is no relation that concepts have.",
            f"Did you mean “{near[0]}”?" if near else f"Write one such as: {EXAMPLES}.",
            setting,
        )
    bounds = _bounds(body[words.end() :], relation, text, setting)
    return Concept(relation, bounds, swap is not None)


def _bounds(
    rest: str, relation: ConceptRelation, text: str, setting: str
) -> tuple[ConceptThreshold, ...]:
    wanted = _BOUNDS.get(relation, 0)
    parts = [part.strip() for part in re.split(r"\band\b", rest)] if rest.strip() else []
    if len(parts) != wanted:
        needs = ("no number", "one number", "two numbers with “and” between them")[wanted]
        raise ConceptError(
            f"“{text}”: “{relation}” needs {needs}.",
            f"Write one such as: {EXAMPLES}.",
            setting,
        )
    bounds = tuple(_bound(part, text, setting) for part in parts)
    if len({bound.is_share for bound in bounds}) > 1:
        raise ConceptError(
            f"“{text}” mixes a share of the total with a number of things.",
            "Write two fractions, such as 1/4 and 3/4, or two whole numbers, such as 5 and 10.",
            setting,
        )
    if len(bounds) == 2 and bounds[0].value >= bounds[1].value:
        raise ConceptError(
            f"“{text}”: the first number is not smaller than the second.",
            f"Write “{relation} {bounds[1]} and {bounds[0]}”."
            if bounds[0].value > bounds[1].value
            else "Write two different numbers, the smaller one first.",
            setting,
        )
    return bounds


def _bound(part: str, text: str, setting: str) -> ConceptThreshold:
    match = _NUMBER.fullmatch(part)
    if match is None:
        raise ConceptError(
            f"“{part}” in “{text}” is no number that concepts have.",
            "Write a fraction such as 3/10, a percentage such as 30 %, or a whole number.",
            setting,
        )
    if match["count"] is not None:
        count = int(match["count"])
        if count > LARGEST_BOUND:
            raise ConceptError(
                f"{count:,} in “{text}” is larger than any total.",
                f"The nearest that works is {LARGEST_BOUND}.",
                setting,
            )
        return ConceptThreshold(Fraction(count), is_share=False)
    if match["denominator"] is not None:
        if int(match["denominator"]) == 0:
            raise ConceptError(
                f"{part} in “{text}” divides by zero.", "Write a fraction such as 3/10.", setting
            )
        share = Fraction(int(match["numerator"]), int(match["denominator"]))
    elif match["percent"] is not None:
        share = Fraction(match["percent"]) / 100
    else:
        share = Fraction(match["decimal"])
    if share > 1:
        raise ConceptError(
            f"{part} in “{text}” is more than the whole total, which nobody can have.",
            "Write a fraction up to 1/1, or a whole number for a number of things.",
            setting,
        )
    return ConceptThreshold(share, is_share=True)


def read_concepts(text: str, setting: str = "concept") -> tuple[Concept, ...]:
    """Several concepts with semicolons between them, or ``published`` for the nine.

    Raises:
        ConceptError: one of them is none, comes twice, or there are too many.
    """
    if text.strip().casefold() == PUBLISHED:
        return tuple(
            Concept(ConceptRelation.MORE, (ConceptThreshold(Fraction(tenths, 10), is_share=True),))
            for tenths in range(1, 10)
        )
    parts = [part for part in text.split(";") if part.strip()]
    if len(parts) > MOST_CONCEPTS:
        raise ConceptError(
            f"{len(parts)} concepts are more than one design takes.",
            f"The nearest that works is {MOST_CONCEPTS}.",
            setting,
        )
    found = tuple(read_concept(part, setting) for part in parts or [""])
    for at, concept in enumerate(found):
        if concept in found[:at]:
            raise ConceptError(
                f"The concept “{concept.id}” is named twice.", "Name each one once.", setting
            )
    return found
