"""What is behind the options of an item, as far as it can be told apart, and what that allows.

A reason is a rationale (how somebody comes to an option) or, where no wrong option has one, the
name of a misconception (what a pupil believes who chooses it). Which reason led to a choice can
only be asked where it is the reason of this choice alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from biaslab.files.errors import LETTERS
from biaslab.files.items.equivalence import same_option, same_text

_VERDICT = re.compile(
    r"\W{0,3}(?:(?:this|that|it)(?:['’]s| is) )?(?:correct|incorrect|right|wrong)"
    r"(?: (?:answer|choice|option|response))?\s*(?:[.!:;,]+|[–—]|\s-(?=\s)|$)\s*",
    re.IGNORECASE,
)
_WORDS = (
    r"well done|good (?:job|work|try|effort|thinking|one)|great(?: (?:job|work|thinking))?|"
    r"nice(?:ly done| work| one| try)?|excellent(?: work)?|perfect|brilliant|super|fantastic|"
    r"awesome|bravo|hooray|congratulations|exactly|absolutely|yes|yep|no|nope|sorry|oops|"
    r"not quite(?: right)?|almost(?: there)?|nearly(?: there)?|close|"
    r"(?:please )?(?:try|have another go|think|check|look)(?: (?:it|again|once more|harder))*|"
    r"(?:please )?check (?:your|the) (?:working|answer|work|calculation)s?|"
    r"you(?:['’]ve| have)? (?:got it|did it|are right|are wrong|are correct)"
    r"(?: right| wrong)?|keep (?:it up|going|trying)|better luck next time|"
    r"(?:that|this|it)(?:['’]s| is|(?:['’]s| is) not|(?: is)?n['’]t) "
    r"(?:the )?(?:right|wrong|correct|incorrect|it|quite right)(?: answer)?|"
    r"(?:the )?(?:correct|incorrect|right|wrong)(?: (?:answer|choice|option|response))?|"
    r"ok(?:ay)?|o\.k|good|great|fine|nice|cool|wow|yay|hmm+|oh(?: no| dear)?|al(?:l )?right|"
    r"true|false|spot on|right on|bingo|sure|n/?a|none|nothing|null|nil|nan|tb[ad]|to ?do|"
    r"(?:see|as) above|no (?:rationale|reason|explanation|feedback|comment|idea)"
)
_SENTENCE = re.compile(
    rf"\W*(?:{_WORDS})(?:,? (?:{_WORDS}))*\s*"
    r"(?:[.!?:;,…]+|\s[–—-]+(?=\s|$)|$)\s*",
    re.IGNORECASE,
)


class ItemStatus(StrEnum):
    """How much of what the study of rationales asks can be asked of an item."""

    COMPLETE = "complete"
    """The reason of every option."""
    PARTLY = "partly usable"
    """The reasons of some."""
    UNUSABLE = "unusable"
    """Of none: fewer than two can be told apart."""


class ReasonKind(StrEnum):
    """What the reasons of an item are."""

    RATIONALE = "rationale"
    MISCONCEPTION = "misconception"


@dataclass(frozen=True, slots=True)
class Reasons:
    """The reasons of an item that can be told apart.

    Attributes:
        told: what they are.
        texts: by the letter of their option.
        key: letter of the right option.
        missing: why it is not complete, each a clause.
    """

    told: ReasonKind
    texts: Mapping[str, str]
    key: str
    missing: tuple[str, ...]

    @property
    def of_key(self) -> bool:
        """Whether the reason of the right option can be asked for (AIA)."""
        return self.key in self.texts and len(self.texts) > 1

    @property
    def of_wrong(self) -> tuple[str, ...]:
        """Letters of the wrong options whose reason can be asked for (MIA)."""
        wrong = tuple(letter for letter in self.texts if letter != self.key)
        return wrong if len(self.texts) > 1 else ()

    @property
    def status(self) -> ItemStatus:
        """How much can be asked."""
        if not self.missing:
            return ItemStatus.COMPLETE
        return ItemStatus.PARTLY if self.of_wrong else ItemStatus.UNUSABLE

    @property
    def usable_for(self) -> str:
        """What can be asked, in words; empty where nothing can."""
        if not self.of_wrong:
            return ""
        figures = "AIA and MIA" if self.of_key else "MIA only"
        return f"{figures} ({', '.join(sorted(self.texts))})"


def reasons_of(
    options: Sequence[str],
    key: str,
    rationales: Mapping[str, str],
    misconceptions: Mapping[str, str],
    lost: Sequence[str] = (),
) -> Reasons:
    """The reasons of an item that can be told apart.

    Args:
        options: their texts, A first.
        key: letter of the right one.
        rationales: by letter; may be incomplete.
        misconceptions: by letter of a wrong option; may be incomplete.
        lost: what the item misses as a whole, such as a picture: then nothing can be asked.
    """
    letters = LETTERS[: len(options)]
    named = not any(letter in rationales for letter in letters if letter != key) and bool(
        misconceptions
    )
    told = ReasonKind.MISCONCEPTION if named else ReasonKind.RATIONALE
    given = misconceptions if named else rationales
    missing = [*lost, *_missing(letters, key, given, told)]
    left_out = set()
    for (first, text), (second, other) in combinations(zip(letters, options, strict=True), 2):
        if not same_option(text, other):
            continue
        if key in (first, second):
            wrong = first if second == key else second
            missing.append(
                f"option {wrong} ({options[letters.index(wrong)]}) is equal to the right option "
                f"{key} ({options[letters.index(key)]})"
            )
            left_out.add(wrong)
        else:
            missing.append(f"options {first} ({text}) and {second} ({other}) are equal")
            left_out |= {first, second}
    there = [(letter, given[letter]) for letter in letters if letter in given]
    for (first, text), (second, other) in combinations(there, 2):
        if same_text(text, other):
            missing.append(f"{first} and {second} have the same {told}")
            left_out |= {first, second}
    texts = {letter: text for letter, text in there if letter not in left_out}
    if lost:
        texts = {}
    elif len(texts) == 1:
        missing.append(f"only {next(iter(texts))} has a {told} that can be told apart")
    return Reasons(told, texts, key, tuple(missing))


def _missing(letters: str, key: str, given: Mapping[str, str], told: ReasonKind) -> list[str]:
    without = [letter for letter in letters if letter not in given]
    found = []
    if told is ReasonKind.MISCONCEPTION:
        without = [letter for letter in without if letter != key]
        found.append(f"misconceptions say nothing of the right option {key}")
    if without:
        found.append(f"there is no {told} for {', '.join(without)}")
    return found


def without_feedback(rationale: str) -> str:
    """The rationale without words of praise and blame at its start; empty where it is nothing else.

    "Well done! Adds the ones first" gives the key away before it tells anything; "Well done" tells
    nothing at all. Only whole sentences that hold nothing else are taken for such words, so "Right
    angles are 90" and "Correctly adds, then forgets the carry" stay as they are.
    """
    rest = rationale
    while rest:
        match = _SENTENCE.match(rest) or _VERDICT.match(rest)
        if match is None or not match.end():
            break
        rest = rest[match.end() :]
    if not re.search(r"\w", rest):
        return ""
    rest = rest.strip()
    return rationale if rest == rationale else rest[:1].upper() + rest[1:]
