"""What can be wrong with a corrected text, in stable names and in sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class Flaw(StrEnum):
    """What is wrong with a corrected text; stable names, for counting."""

    SENTENCES = "sentences"
    NUMBERS = "numbers"
    NUMBER_WORDS = "number-words"
    NAMES = "names"
    UNREAD = "unread"
    KIND = "kind"
    COMPARISON = "comparison"
    PEOPLE = "people"
    AMOUNT = "amount"
    THING = "thing"
    ORDER = "order"
    QUESTION = "question"
    ANSWER = "answer"
    SHARED = "shared"
    TREATMENT = "treatment"
    WORDING = "wording"
    UNREADABLE = "unreadable"
    ORIGINAL = "original"
    SAME = "same"

    @property
    def label(self) -> str:
        """What it means, in a few words for a table."""
        return _LABELS[self]


_LABELS = {
    Flaw.SENTENCES: "a sentence was dropped, added or joined with another",
    Flaw.NUMBERS: "a number was changed, lost or added",
    Flaw.NUMBER_WORDS: "a number is written in words where it was not before",
    Flaw.NAMES: "a name was changed, lost or added",
    Flaw.UNREAD: "a sentence can no longer be read",
    Flaw.KIND: "a sentence says another kind of thing",
    Flaw.COMPARISON: "a comparison was turned round or changed",
    Flaw.PEOPLE: "a sentence is about other people",
    Flaw.AMOUNT: "a sentence tells another amount",
    Flaw.THING: "something else is counted",
    Flaw.ORDER: "the sentences stand in another order",
    Flaw.QUESTION: "the question asks for something else",
    Flaw.ANSWER: "the answer is another one",
    Flaw.SHARED: "a sentence that both members share was mended in one only",
    Flaw.TREATMENT: "the members no longer differ in what was to be compared",
    Flaw.WORDING: "the compared sentence was reworded in one member only",
    Flaw.UNREADABLE: "the model's answer was not the list of sentences",
    Flaw.ORIGINAL: "the pair could not be read before, so nothing could be checked",
    Flaw.SAME: "it became the same as another pair",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a corrected text is not kept.

    Attributes:
        flaw: its stable name.
        text: a sentence for the person who sees it.
        sentence: index of the sentence it is about; None for the text as a whole.
        member: ``x`` or ``x_prime`` where it is about one member of a pair, else empty.
    """

    flaw: Flaw
    text: str
    sentence: int | None = None
    member: str = ""


@dataclass(frozen=True, slots=True)
class Integrity:
    """What the check found; no reasons against it means that the text is kept."""

    reasons: tuple[Reason, ...]

    @property
    def kept(self) -> bool:
        """Whether the correction may be used."""
        return not self.reasons


def listed(counted: Counter[str]) -> str:
    """Words in quotes, each as often as it was counted."""
    return ", ".join(f"“{word}”" for word in sorted(counted.elements()))
