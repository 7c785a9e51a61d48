"""Whether a corrected text still says what it said before, sentence by sentence.

Grammar may be mended: plurals ("watchs", "watches"), the place of a measure ("5 liters of milk
more", "5 liters more milk"), "he" for a name. What may not change is who has, gets or is compared
with whom, how many, and in which direction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from biaslab.problems import (
    Comparison,
    Container,
    Entity,
    Predicate,
    Question,
    Rate,
    Statement,
    Transfer,
    Vocabulary,
)
from biaslab.problems.reading import ReadSentence, ReadText, describe_statement, read


class Flaw(StrEnum):
    """In what a sentence changed."""

    NUMBER = "number"
    NAME = "name"
    RELATION = "relation"
    KIND = "kind"
    THING = "thing"
    QUESTION = "question"
    SENTENCES = "sentences"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a correction changed in the meaning.

    Attributes:
        flaw: in what.
        sentence: index in the corrected text; None for the text as a whole.
        reason: what, as a sentence.
    """

    flaw: Flaw
    sentence: int | None
    reason: str


_WHAT = {
    Flaw.NUMBER: "its number",
    Flaw.NAME: "who it is about",
    Flaw.RELATION: "who has more than whom",
    Flaw.KIND: "what kind of thing it says",
    Flaw.THING: "what is counted",
}

_NUMBER = re.compile(r"\d+")
_RELATION = re.compile(r"\b(?:more|fewer|less|times|twice|half|double|triple)\b", re.IGNORECASE)


def changes(before: ReadText, after: ReadText) -> tuple[Change, ...]:
    """What the correction changed in the meaning; empty where nothing that can be told.

    Sentences that cannot be read in the text before are passed over. One that could be read
    before and cannot be now counts as changed if a number or a word of comparison was lost, or
    if its first part says another kind of thing.
    """
    if len(before.sentences) != len(after.sentences):
        return _lost(before, after)
    comparing = _Comparing(before.words, after.words)
    found = (
        comparing.change(index, old, new)
        for index, (old, new) in enumerate(zip(before.sentences, after.sentences, strict=True))
    )
    return tuple(change for change in found if change is not None)


def _lost(before: ReadText, after: ReadText) -> tuple[Change, ...]:
    if before.unread or after.unread:
        return ()
    reason = (
        f"It says {len(after.sentences)} things, and the text that it was corrected from says "
        f"{len(before.sentences)}, so something was lost or added."
    )
    return (Change(Flaw.SENTENCES, None, reason),)


class _Comparing:
    """Compares the sentences of two texts, one after the other.

    What is counted may get another name ("mouses", "mice"), as long as it is the same one
    throughout.

    Args:
        before, after: the vocabularies of the two texts.
    """

    def __init__(self, before: Vocabulary, after: Vocabulary) -> None:
        self._before = before
        self._after = after
        self._renamed: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._named: dict[tuple[str, ...], tuple[str, ...]] = {}

    def change(self, index: int, old: ReadSentence, new: ReadSentence) -> Change | None:
        """What changed in one sentence; None where nothing did."""
        said, says = old.said, new.said
        if said is None:
            return None
        if says is None:
            return _words_lost(index, old, new) or self._first_part(index, old, new)
        if isinstance(said, Question) and isinstance(says, Question):
            if said.agent == says.agent and self._same_thing(said.entity, says.entity):
                return None
            return Change(
                Flaw.QUESTION,
                index,
                f"The question asks for something else than before it was corrected: “{new.text}”, "
                f"and before “{old.text}”.",
            )
        flaw: Flaw | None = Flaw.KIND
        if isinstance(said, Statement) and isinstance(says, Statement):
            flaw = _flaw(said, says)
            if flaw is None and not self._same_things(said.predicate, says.predicate):
                flaw = Flaw.THING
        elif said == says:
            flaw = None
        return None if flaw is None else Change(flaw, index, self._told(flaw, index, old, new))

    def _first_part(self, index: int, old: ReadSentence, new: ReadSentence) -> Change | None:
        """The part before a comma, where it says something else: "has 7 acres, less than Ana"."""
        part, comma, _ = new.text.partition(",")
        read_alone = read(f"{part}.").sentences
        if not comma or len(read_alone) != 1:
            return None
        said, says = old.said, read_alone[0].said
        if not (isinstance(said, Statement) and isinstance(says, Statement)):
            return None
        if type(said.predicate) is type(says.predicate):
            return None
        return Change(Flaw.KIND, index, self._told(Flaw.KIND, index, old, new))

    def _told(self, flaw: Flaw, index: int, old: ReadSentence, new: ReadSentence) -> str:
        before = _understood(old, self._before)
        after = _understood(new, self._after)
        return (
            f"Sentence {index + 1} changed {_WHAT[flaw]} when it was corrected: now it says "
            f"{after}; before, it said {before}."
        )

    def _same_things(self, one: Predicate, other: Predicate) -> bool:
        if isinstance(one, Rate) and isinstance(other, Rate):
            return self._same_thing(one.per, other.per) and self._same_thing(
                one.entity, other.entity
            )
        return self._same_thing(one.entity, other.entity)

    def _same_thing(self, one: Entity, other: Entity) -> bool:
        old = _stems(self._before.write(one, 2))
        new = _stems(self._after.write(other, 2))
        return self._renamed.setdefault(old, new) == new and self._named.setdefault(new, old) == old


def _understood(sentence: ReadSentence, words: Vocabulary) -> str:
    if isinstance(sentence.said, Statement):
        return f"that {describe_statement(sentence.said, words).strip().rstrip('.')}"
    return f"“{sentence.text}”"


def _flaw(old: Statement, new: Statement) -> Flaw | None:
    one, other = old.predicate, new.predicate
    if type(one) is not type(other):
        return Flaw.KIND
    if isinstance(one, Comparison) and isinstance(other, Comparison):
        people = {one.agent_a, one.agent_b}
        if people == {other.agent_a, other.agent_b} and (
            one.type is not other.type or one.agent_a != other.agent_a or old.form is not new.form
        ):
            return Flaw.RELATION
    if people_of(one) != people_of(other):
        return Flaw.NAME
    if one.quantity != other.quantity:
        return Flaw.NUMBER
    if isinstance(one, Comparison) and isinstance(other, Comparison) and one.type != other.type:
        return Flaw.RELATION
    return None


def _words_lost(at: int, old: ReadSentence, new: ReadSentence) -> Change | None:
    """A sentence that cannot be read any more, with the number or comparison it lost."""
    before, after = old.text, new.text
    if sorted(_NUMBER.findall(before)) != sorted(_NUMBER.findall(after)):
        return Change(
            Flaw.NUMBER,
            at,
            f"Sentence {at + 1}, “{after}”, does not have the numbers that it had before it was "
            f"corrected: “{before}”.",
        )
    had = [_relation(word) for word in _RELATION.findall(before)]
    has = [_relation(word) for word in _RELATION.findall(after)]
    if had and had != has:
        return Change(
            Flaw.RELATION,
            at,
            f"Sentence {at + 1}, “{after}”, does not compare any more as it did before it was "
            f"corrected: “{before}”.",
        )
    return None


def _relation(word: str) -> str:
    return "fewer" if word.lower() == "less" else word.lower()


def people_of(predicate: Predicate) -> tuple[str | None, ...]:
    """Who is named, each role in its place."""
    match predicate:
        case Container() | Rate():
            return (predicate.agent,)
        case Transfer():
            return (predicate.receiver, predicate.sender)
        case Comparison():
            return (predicate.agent_a, predicate.agent_b)


_FILLING = {"of", "the", "a", "an", "some"}


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(sorted(_stem(word) for word in phrase.lower().split() if word not in _FILLING))


def _stem(word: str) -> str:
    """A word without its plural ending, standard ("watches") or not ("watchs")."""
    for ending, instead in (("ies", "y"), ("ves", "f"), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            stem = word[: -len(ending)] + instead
            break
    else:
        stem = word
    return stem.rstrip("e").removesuffix("f") or stem
