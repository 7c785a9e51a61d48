"""What two texts of one problem say, compared sentence by sentence, as strictly as is wanted.

A text is corrected in two places, and one comparison judges both. What a model mended for us is
checked by `STRICT`: the mental model of the text before is known, we can ask again, and a doubtful
correction is thrown away at no cost. What came with a file that others made is checked by
`LENIENT`: grammar may have been mended in ways that we cannot read, and a pair that is called
wrong is lost to its owner. `Policy` names every difference between the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from schoolmath.problems.logic import (
    Comparison,
    ComparisonForm,
    Container,
    Entity,
    Predicate,
    Problem,
    Question,
    Rate,
    Statement,
    Transfer,
)
from schoolmath.problems.meaning.flaws import Flaw, Reason
from schoolmath.problems.reading import ReadText, describe_statement, read
from schoolmath.problems.reading.utterances import Utterance
from schoolmath.problems.reading.words import split_words
from schoolmath.problems.vocabulary import Vocabulary
from schoolmath.text.numbers import with_digits, with_plain_digits


@dataclass(frozen=True, slots=True)
class Policy:
    """What a corrected text has to keep beside what its sentences say.

    Attributes:
        names_of_things: what is counted has its very name, and a rate its direction. Else another
            name will do ("mouses", "mice"; "liters of milk", "milk"), as long
            as it is the same one throughout.
        all_sentences: every sentence can be read, and there are as many as before. Else one that
            can't be read any more is judged by its numbers, its words of comparison and what
            stands before its first comma, and a text that can't be read whole may have any number.
        all_words: every number, number word and name stands as often as before. Else "he" may
            stand for a name and "twelve" for 12.
        answer: the text still has an answer, and the same one.
    """

    names_of_things: bool
    all_sentences: bool
    all_words: bool
    answer: bool


STRICT = Policy(names_of_things=True, all_sentences=True, all_words=True, answer=True)
"""For what a model mends for us."""

LENIENT = Policy(names_of_things=False, all_sentences=False, all_words=False, answer=False)
"""For corrections that came with a file."""


@dataclass(frozen=True, slots=True)
class TextMeaning:
    """What a text says.

    Attributes:
        said: what each sentence says; None where it can't be read.
        sentences: the same in words.
        words: the vocabulary of the text.
    """

    said: tuple[Utterance | None, ...]
    sentences: tuple[str, ...]
    words: Vocabulary

    @staticmethod
    def of_text(text: ReadText) -> TextMeaning:
        """Every sentence as it was read."""
        return TextMeaning(
            tuple(sentence.said for sentence in text.sentences),
            tuple(sentence.text for sentence in text.sentences),
            text.words,
        )

    @staticmethod
    def of_problem(problem: Problem, text: ReadText, words: Vocabulary) -> TextMeaning:
        """The mental model's statements and its question."""
        said: tuple[Utterance, ...] = (*problem.statements, problem.question)
        sentences = tuple(sentence.text for sentence in text.sentences)
        return TextMeaning(said, (*sentences[: len(said) - 1], sentences[-1]), words)


def compare(before: TextMeaning, after: TextMeaning, policy: Policy) -> Iterator[Reason]:
    """Where the texts say different things. Only the phrasing may differ.

    A sentence that can't be read in the text before is passed over.
    """
    one, other = ([_meaning(said) for said in each.said] for each in (before, after))
    if len(one) != len(other):
        if policy.all_sentences or (None not in one and None not in other):
            yield Reason(
                Flaw.SENTENCES,
                f"It says {len(other)} things, and the text that it was corrected from says "
                f"{len(one)}, so something was lost or added.",
            )
        return
    if one != other and Counter(one) == Counter(other):
        yield Reason(
            Flaw.ORDER, "Its sentences say the same in another order, so it is another text."
        )
        return
    things = _Things(before.words, after.words, exact=policy.names_of_things)
    for index, (old, new) in enumerate(zip(one, other, strict=True)):
        if old is None:
            continue
        if new is None:
            yield from _unread(index, before, after, policy)
        elif (flaw := _changed(old, new, things)) is not None:
            yield Reason(flaw, _message(flaw, index, before, after), index)


def _meaning(said: Utterance | None) -> Utterance | None:
    """What is said whatever the wording."""
    return replace(said, phrasing=0) if isinstance(said, Statement | Question) else said


class _Things:
    """Whether the same thing is counted.

    Args:
        before, after: the vocabularies of the two texts.
        exact: whether it has to have its very name.
    """

    def __init__(self, before: Vocabulary, after: Vocabulary, *, exact: bool) -> None:
        self._before = before
        self._after = after
        self._renamed: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._named: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.exact = exact

    def same(self, one: Predicate, other: Predicate) -> bool:
        """Of two statements."""
        if isinstance(one, Rate) and isinstance(other, Rate):
            return self.alike(one.per, other.per) and self.alike(one.entity, other.entity)
        return self.alike(one.entity, other.entity)

    def alike(self, one: Entity, other: Entity) -> bool:
        """Of two names."""
        if self.exact:
            return one == other
        old = _stems(self._before.write(one, 2))
        new = _stems(self._after.write(other, 2))
        return self._renamed.setdefault(old, new) == new and self._named.setdefault(new, old) == old


def _changed(old: Utterance, new: Utterance, things: _Things) -> Flaw | None:
    """The first thing in which two sentences differ; None where they say the same."""
    if isinstance(old, Question) and isinstance(new, Question):
        same = old.agent == new.agent and things.alike(old.entity, new.entity)
        return None if same else Flaw.QUESTION
    if not (isinstance(old, Statement) and isinstance(new, Statement)):
        return None if old == new else Flaw.KIND
    one, other = old.predicate, new.predicate
    if type(one) is not type(other) or (things.exact and old.dividing != new.dividing):
        return Flaw.KIND
    if isinstance(one, Comparison) and isinstance(other, Comparison):
        if one.type is not other.type:
            return Flaw.COMPARISON
        turned = {one.agent_a, one.agent_b} == {other.agent_a, other.agent_b}
        # "3 times fewer" and "1/3 as many" are told from the same side.
        sides = [said.form in (None, ComparisonForm.A_MORE) for said in (old, new)]
        if turned and (one.agent_a != other.agent_a or sides[0] is not sides[1]):
            return Flaw.COMPARISON
    if _roles(one) != _roles(other):
        return Flaw.PEOPLE
    if one.quantity != other.quantity:
        return Flaw.AMOUNT
    if things.exact:
        return None if one == other and old.form is new.form else Flaw.THING
    return None if things.same(one, other) else Flaw.THING


def _roles(predicate: Predicate) -> tuple[str, ...]:
    """Who is named, each role in its place; nobody's place stays empty."""
    match predicate:
        case Container() | Rate():
            return (predicate.agent,)
        case Transfer():
            return (predicate.receiver or "", predicate.sender or "")
        case Comparison():
            return (predicate.agent_a, predicate.agent_b)


_WHAT = {
    Flaw.AMOUNT: "its number",
    Flaw.PEOPLE: "who it is about",
    Flaw.COMPARISON: "who has more than whom",
    Flaw.KIND: "what kind of thing it says",
    Flaw.THING: "what is counted",
}


def _message(flaw: Flaw, index: int, before: TextMeaning, after: TextMeaning) -> str:
    """What changed, shown by two sentences that differ: read alike they are quoted instead."""
    now, then = _understood(after, index), _understood(before, index)
    if now == then:
        now, then = (f"“{each.sentences[index]}”" for each in (after, before))
    if now == then:
        return (
            f"Sentence {index + 1}, {now}, stayed as it was, but what it counts has got another "
            "name in another sentence when that was corrected."
        )
    if flaw is Flaw.QUESTION:
        return (
            "The question asks for something else than before it was corrected: "
            f"{now}, and before {then}."
        )
    words = (
        f"Sentence {index + 1} changed {_WHAT[flaw]} when it was corrected: now it says "
        f"{now}; before, it said {then}."
    )
    old, new = before.said[index], after.said[index]
    if (
        isinstance(old, Statement)
        and isinstance(new, Statement)
        and old.predicate == new.predicate
        and (old.form is ComparisonForm.A_MORE) is not (new.form is ComparisonForm.A_MORE)
    ):
        words += " That is the same from the other side, which is another wording."
    return words


def _understood(told: TextMeaning, index: int) -> str:
    said = told.said[index]
    if isinstance(said, Statement):
        return f"that {describe_statement(said, told.words).strip().rstrip('.')}"
    return f"“{told.sentences[index]}”"


_ADDITIVE = frozenset({"more", "fewer", "less"})
_COMPARES = frozenset(
    {"as", "times", "half", "double", "triple", "additional", "extra", "exceeds", "exceed",
     "greater", "lower", "short", "ahead", "behind", "same", "equal", "above", "below", "beyond",
     "over", "under", "surplus", "fold", *_ADDITIVE}
)  # fmt: skip
"""Words by which a sentence can still compare, though it cannot be read."""


def _unread(
    index: int, before: TextMeaning, after: TextMeaning, policy: Policy
) -> Iterator[Reason]:
    """What is wrong with a sentence that can't be read any more, as far as can be told."""
    old, new = before.sentences[index], after.sentences[index]
    if policy.all_sentences:
        yield Reason(Flaw.UNREAD, f"Sentence {index + 1}, “{new}”, cannot be read.", index)
    elif _numbers(old) - _numbers(new) and _numbers(new) - _numbers(old):
        yield Reason(
            Flaw.AMOUNT,
            f"Sentence {index + 1}, “{new}”, does not have the number that it had before it was "
            f"corrected: “{old}”.",
            index,
        )
    elif _ADDITIVE.intersection(_words(old)) and not _COMPARES.intersection(_words(new)):
        yield Reason(
            Flaw.COMPARISON,
            f"Sentence {index + 1}, “{new}”, does not compare any more as it did before it was "
            f"corrected: “{old}”.",
            index,
        )
    elif _is_another_kind(before.said[index], new):
        yield Reason(Flaw.KIND, _message(Flaw.KIND, index, before, after), index)


def _words(sentence: str) -> list[str]:
    """Its words in lower case, with numbers in digits: "twice" is 2 times, "a tenth" 1 / 10."""
    return [word.lower() for word in with_digits(split_words(with_plain_digits(sentence)))]


def _numbers(sentence: str) -> set[str]:
    return {word for word in _words(sentence) if word.isdecimal()} - {"1"}


def _is_another_kind(said: Utterance | None, sentence: str) -> bool:
    """Whether the part before a comma says something else: "has 7 acres, less than Ana"."""
    part, comma, _ = sentence.partition(",")
    alone = read(f"{part}.").sentences
    if not comma or len(alone) != 1:
        return False
    says = alone[0].said
    return (
        isinstance(said, Statement)
        and isinstance(says, Statement)
        and type(said.predicate) is not type(says.predicate)
    )


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
