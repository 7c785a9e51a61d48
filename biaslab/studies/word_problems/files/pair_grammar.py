"""Language that is odd in one member of a pair only, so that it is compared along with the rest.

Nothing here makes a row wrong: both texts say what they should. But where one of them reads
oddly, a difference between the members may come from that and not from the treatment.
"""

from __future__ import annotations

import re
from functools import cache

from biaslab.problems import Comparison, Question, Statement, vocabulary
from biaslab.studies.word_problems.files.readings import Understood

_MORE_BEHIND = re.compile(
    r"\d+ (?!more\b|fewer\b|less\b|times\b)[^,.]*\b(?:more|fewer|less) than\b"
)
_PRONOUN = re.compile(r"\b(?:he|she|they|his|her|their|him|them|it|its)\b", re.IGNORECASE)
_NOW = re.compile(r"\bnow\b", re.IGNORECASE)


def one_sided(member: Understood, other: Understood) -> tuple[str, ...]:
    """What is odd in a member and not in the other one, each a sentence."""
    return tuple(
        remark
        for remark in (
            _plurals(member, other),
            _behind(member, other),
            _pronouns(member, other),
            _question(member, other),
        )
        if remark
    )


def _plurals(member: Understood, other: Understood) -> str:
    odd = sorted(_odd_plurals(member.text) - _odd_plurals(other.text))
    if not odd:
        return ""
    words = " and ".join(f"“{word}”" for word in odd)
    return f"{words} is no usual plural, and the other member does not have it."


@cache
def _odd_plural() -> re.Pattern[str]:
    """Plurals made by adding an s where that is not done, by our nouns or by their endings."""
    ours = {
        f"{noun.singular}s"
        for noun in vocabulary().nouns.values()
        if noun.countable and noun.plural != f"{noun.singular}s"
    }
    known = "|".join(sorted(map(re.escape, ours | {"mouses"})))
    return re.compile(
        rf"\b(?:{known}|[^\W\d_]+(?:[^aeiou\W\d_]ys|chs|shs|sss|xs|zs))\b", re.IGNORECASE
    )


def _odd_plurals(text: str) -> set[str]:
    return set(map(str.lower, _odd_plural().findall(text)))


def _behind(member: Understood, other: Understood) -> str:
    """Such as "5 liters of milk more than" beside "5 liters more milk than"."""
    behind = [
        sentence.text
        for sentence in member.read.sentences
        if isinstance(sentence.said, Statement)
        and isinstance(sentence.said.predicate, Comparison)
        and _MORE_BEHIND.search(sentence.text)
    ]
    if not behind or _MORE_BEHIND.search(other.text):
        return ""
    return f"“{behind[0]}” says “more” or “fewer” after what is counted; the other member does not."


def _pronouns(member: Understood, other: Understood) -> str:
    mine, others = (
        sorted(word.lower() for word in _PRONOUN.findall(each.text)) for each in (member, other)
    )
    if not mine or mine == others or len(mine) < len(others):
        return ""
    words = ", ".join(f"“{word}”" for word in mine)
    return f"It has the pronouns {words}; the other member does not have the same."


def _question(member: Understood, other: Understood) -> str:
    one, two = _question_words(member), _question_words(other)
    if one is None or two is None or one == two:
        return ""
    return "Its question is worded otherwise than that of the other member."


def _question_words(member: Understood) -> tuple[str, ...] | None:
    for sentence in member.read.sentences:
        if isinstance(sentence.said, Question):
            plain = _PRONOUN.sub("one's", _NOW.sub("", sentence.text))
            plain = plain.replace(sentence.said.agent, "")
            return tuple(re.findall(r"[\w'-]+", plain.lower()))
    return None
