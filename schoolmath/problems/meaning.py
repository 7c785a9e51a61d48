"""Whether a changed text still says the same problem, compared as strictly as is wanted.

Opedal et al. (2024) let a model correct the grammar of generated problems and then looked at the
number of sentences and at "more" and "fewer" only; nine of their 1,500 released pairs changed
their meaning unnoticed. Here the corrected text is read back and compared with the mental model
that it came from: every statement, its form and its place, the question, the answer, every
number and every name. What cannot be read back is not kept.

A text is corrected in two places, and one comparison judges both. What a model mended for us is
checked by `STRICT`: the mental model of the text before is known, we can ask again, and a doubtful
correction is thrown away at no cost. What came with a file that others made is checked by
`LENIENT`: grammar may have been mended in ways that we cannot read, and a pair that is called
wrong is lost to its owner. `Policy` names every difference between the two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from schoolmath.problems.errors import UnsolvableProblem
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
    solve,
)
from schoolmath.problems.reading import ReadText, Times, describe_statement, read
from schoolmath.problems.reading.entities import Utterance, people_of
from schoolmath.problems.reading.shapes import split_words
from schoolmath.problems.vocabulary import Vocabulary
from schoolmath.text.numbers import NUMBER_WORDS, with_digits, with_plain_digits


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
    Flaw.SHARED: "a sentence that both members share was corrected in one only",
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


def _meaning(utterance: Utterance | None) -> Utterance | None:
    """What is said whatever the wording."""
    return (
        replace(utterance, phrasing=0) if isinstance(utterance, Statement | Question) else utterance
    )


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


def _understood(meaning: TextMeaning, index: int) -> str:
    said = meaning.said[index]
    if isinstance(said, Statement):
        return f"that {describe_statement(said, meaning.words).strip().rstrip('.')}"
    return f"“{meaning.sentences[index]}”"


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


def _is_another_kind(utterance: Utterance | None, sentence: str) -> bool:
    """Whether the part before a comma says something else: "has 7 acres, less than Ana"."""
    part, comma, _ = sentence.partition(",")
    alone = read(f"{part}.").sentences
    if not comma or len(alone) != 1:
        return False
    says = alone[0].said
    return (
        isinstance(utterance, Statement)
        and isinstance(says, Statement)
        and type(utterance.predicate) is not type(says.predicate)
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


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(sorted(NUMBER_WORDS))}|halve)[sd]?\b", re.IGNORECASE)


def changed_numbers(before: str, after: str) -> Iterator[Reason]:
    """Numbers, in digits and in words, that one text has and the other has not so often."""
    changed = _difference(_NUMBER.findall(before), _NUMBER.findall(after))
    if changed:
        yield Reason(Flaw.NUMBERS, f"The numbers are not those of before: {changed}.")
    words = _difference(
        map(str.lower, _NUMBER_WORD.findall(before)), map(str.lower, _NUMBER_WORD.findall(after))
    )
    if words:
        yield Reason(Flaw.NUMBER_WORDS, f"The number words are not those of before: {words}.")


def changed_names(problem: Problem, before: str, after: str) -> Iterator[Reason]:
    """Names of the problem that one text has and the other has not so often."""
    said: tuple[Utterance, ...] = (*problem.statements, problem.question)
    names = sorted({name for each in said for name in people_of(each)})
    any_name = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    changed = _difference(any_name.findall(before), any_name.findall(after))
    if changed:
        yield Reason(Flaw.NAMES, f"The names are not those of before: {changed}.")


def _difference(before: Iterable[str], after: Iterable[str]) -> str:
    """What was lost and what came in, in words; empty where nothing did."""
    had, has = Counter(before), Counter(after)
    parts = []
    if lost := had - has:
        parts.append(f"{listed(lost)} lost")
    if new := has - had:
        parts.append(f"{listed(new)} added")
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Original:
    """A text before correction, as it is understood.

    Attributes:
        problem: its mental model, which has a solution.
        sentences: in order, the question last.
        words: the vocabulary that writes it.
    """

    problem: Problem
    sentences: tuple[str, ...]
    words: Vocabulary

    @property
    def text(self) -> str:
        """The whole text."""
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True)
class Version:
    """A text before or after a correction, and how it was read."""

    text: str
    read: ReadText


def check_correction(
    original: Problem, text: str, corrected: str, words: Vocabulary | None = None
) -> Integrity:
    """Reads a corrected text back and compares it with what it was.

    Only the phrasing may differ: other words for the same statement, the word "now" in the
    question, punctuation.

    Args:
        original: mental model of the text before.
        text: the text before.
        corrected: the text after.
        words: the vocabulary that writes the original; ours by default.

    Raises:
        UnsolvableProblem: the original has no answer, so nothing can be compared with it.
    """
    solve(original)
    return _checked(
        Version(text, _read(text)), Version(corrected, _read(corrected)), STRICT, original, words
    )


def _read(text: str) -> ReadText:
    """The text as it was meant by whoever wrote it before: one convention for both versions."""
    return read(text, times=Times.AS_MANY)


def check_given_correction(before: Version, after: Version) -> Integrity:
    """Compares two texts of a file: what it calls corrected, and what that was made from."""
    return _checked(before, after, LENIENT)


def _checked(
    before: Version,
    after: Version,
    policy: Policy,
    original: Problem | None = None,
    words: Vocabulary | None = None,
) -> Integrity:
    """The one check: the words, the sentences, what they say, and the answer.

    Where the mental model is known that the text before was written from, and the vocabulary that
    wrote it, they are compared, not what is read in that text.
    """
    reasons: list[Reason] = []
    if policy.all_words and original is not None:
        reasons += changed_numbers(before.text, after.text)
        reasons += changed_names(original, before.text, after.text)
    if policy.all_sentences:
        had, has = _sentences(before.text), _sentences(after.text)
        if had != has or len(before.read.sentences) != len(after.read.sentences):
            told = f"It has {has} sentences; before, it had {had}."
            if had == has:
                told = "A sentence says more or fewer things than before."
            return Integrity((*reasons, Reason(Flaw.SENTENCES, told)))
        if after.read.problem is None:
            reasons += list(_unread_sentences(after.read)) or [
                Reason(Flaw.UNREAD, f"It is no whole problem: {after.read.fault}")
            ]
    if original is None:
        reasons += compare(
            TextMeaning.of_text(before.read), TextMeaning.of_text(after.read), policy
        )
    elif after.read.problem is not None:
        told_before = TextMeaning.of_problem(original, before.read, words or after.read.words)
        told_after = TextMeaning.of_problem(after.read.problem, after.read, after.read.words)
        reasons += list(_kinds(before.read, after.read)) or compare(told_before, told_after, policy)
    if policy.answer and original is not None and after.read.problem is not None:
        reasons += _answer(solve(original).answer, after.read.problem)
    return Integrity(tuple(reasons))


def check_corrected_pair(
    originals: tuple[Original, Original], corrected: tuple[Sequence[str], Sequence[str]]
) -> Integrity:
    """Checks both members, and that they differ where they differed before and nowhere else.

    Sentences with one text before must have one text after, in both members; sentences that
    differed must differ still; and compared sentences that were twins in their wording must be
    twins still.

    Args:
        originals: x and x' before.
        corrected: their sentences after.

    Raises:
        UnsolvableProblem: an original has no answer.
    """
    reasons: list[Reason] = []
    for member, original, sentences in zip(_MEMBERS, originals, corrected, strict=True):
        found = check_correction(
            original.problem, original.text, " ".join(sentences), original.words
        )
        reasons += [replace(reason, member=member) for reason in found.reasons]
    if not any(reason.flaw is Flaw.SENTENCES for reason in reasons):
        reasons += _between(originals, corrected)
    if not reasons:
        reasons += _twins(originals, corrected)
    return Integrity(tuple(reasons))


_MEMBERS = ("x", "x_prime")
_END = re.compile(r"[.?!]+(?=\s|$)")


def _sentences(text: str) -> int:
    return len(_END.findall(text))


def _unread_sentences(reading: ReadText) -> Iterator[Reason]:
    for index, sentence in enumerate(reading.sentences):
        if sentence.said is None:
            yield Reason(
                Flaw.UNREAD,
                f"Sentence {index + 1}, “{sentence.text}”, cannot be read: {sentence.reason}",
                index,
            )


def _kinds(before: ReadText, after: ReadText) -> Iterator[Reason]:
    """Sentences that say what no statement holds, such as what two people have together."""
    for index, (old, new) in enumerate(zip(before.sentences, after.sentences, strict=True)):
        if type(old.said) is not type(new.said):
            yield Reason(
                Flaw.KIND,
                f"Sentence {index + 1} says another kind of thing. Before: “{old.text}” After: "
                f"“{new.text}”",
                index,
            )


def _answer(answer: int, problem: Problem) -> Iterator[Reason]:
    try:
        now = solve(problem).answer
    except UnsolvableProblem as error:
        yield Reason(Flaw.ANSWER, f"It has no answer any more. {error}")
        return
    if now != answer:
        yield Reason(Flaw.ANSWER, f"Its answer is {now}; before, it was {answer}.")


def _between(
    originals: tuple[Original, Original], corrected: tuple[Sequence[str], Sequence[str]]
) -> Iterator[Reason]:
    after_of: dict[str, str] = {}
    before_of: dict[str, str] = {}
    for original, sentences in zip(originals, corrected, strict=True):
        for before, after in zip(original.sentences, sentences, strict=False):
            if after_of.setdefault(before, after) != after:
                yield Reason(
                    Flaw.SHARED,
                    f"“{before}” stands in both members and became “{after_of[before]}” in one "
                    f"and “{after}” in the other.",
                )
            elif before_of.setdefault(after, before) != before:
                yield Reason(
                    Flaw.TREATMENT,
                    f"“{before_of[after]}” and “{before}” differed and have both become “{after}”.",
                )


def _twins(
    originals: tuple[Original, Original], corrected: tuple[Sequence[str], Sequence[str]]
) -> Iterator[Reason]:
    """Comparisons that differed in their relational words alone must do so still."""
    x, x_prime = (original.problem.statements for original in originals)
    read_again = [_read(" ".join(sentences)).problem for sentences in corrected]
    one, other = read_again
    if one is None or other is None or not len(x) == len(x_prime) == len(corrected[0]) - 1:
        return
    for index, (left, right) in enumerate(zip(x, x_prime, strict=True)):
        if not (isinstance(left.predicate, Comparison) and isinstance(right.predicate, Comparison)):
            continue
        if left.phrasing == right.phrasing and (
            one.statements[index].phrasing != other.statements[index].phrasing
        ):
            yield Reason(
                Flaw.WORDING,
                f"Sentence {index + 1} was worded alike in both members and is not any more: "
                f"“{corrected[0][index]}” and “{corrected[1][index]}”.",
                index,
            )
