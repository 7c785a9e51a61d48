"""What verbs do to amounts, as far as it tells that something changes hands or that nothing does.

Lemmas and what they do are those of the reader of stories (assets/vocabulary/stories.yaml). A word
that is no form of one of them, nor of the activities below, tells nothing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from biaslab.problems.stories.grammar.words import lexicon, verb_lemma
from biaslab.problems.vocabulary import remembered


class Deed(StrEnum):
    """What a verb does to the amount that stands with it."""

    IS = "is"
    """Tells an amount: have, be, weigh, cost."""
    CHANGES = "changes"
    """Something is got, made, lost or handed over, comes or goes."""
    DOES = "does"
    """Counts what is done, which belongs to nobody: run, read, visit."""


class Verb(NamedTuple):
    """A verb by its lemma."""

    lemma: str
    deed: Deed


_DEEDS = {
    "state": Deed.IS, "price": Deed.IS, "need": Deed.IS,
    "gain": Deed.CHANGES, "make": Deed.CHANGES, "loss": Deed.CHANGES, "give": Deed.CHANGES,
    "take": Deed.CHANGES, "put": Deed.CHANGES, "come": Deed.CHANGES, "leave": Deed.CHANGES,
}  # fmt: skip
"""By the kinds of the reader; sharing out may leave what there is as it is and is none of them."""

_ACTIVITIES = frozenset({
    "walk", "run", "jump", "swim", "hike", "ride", "travel", "jog", "read", "watch", "complete",
    "answer", "wash", "clean", "work", "visit", "attend", "see", "count", "play", "sing", "study",
    "practice", "measure", "drive",
})  # fmt: skip

AUXILIARIES = frozenset({
    "has", "have", "had", "is", "are", "was", "were", "be", "been", "do", "does", "did", "will",
    "would", "can", "could",
})  # fmt: skip
"""Words that another verb may follow: "were eaten", "has given"."""


@remembered
def verb_of(word: str) -> Verb | None:
    """The verb of which a word, in small letters, can be a form; None where it is none known."""
    lemma = "leave" if word == "left" else verb_lemma(word)
    deed = _DEEDS.get(lexicon().verbs.get(lemma, ""))
    if deed is None and lemma in _ACTIVITIES:
        deed = Deed.DOES
    return None if deed is None else Verb(lemma, deed)
