"""Whether a corrected text still says what it said: the check after a model mended its grammar.

Opedal et al. (2024) let a model correct the grammar of generated problems and then looked at the
number of sentences and at "more" and "fewer" only; nine of their 1,500 released pairs changed
their meaning unnoticed. Here the corrected text is read back and compared with the mental model
that it came from: every statement, its form and its place, the question, the answer, every
number and every name. What cannot be read back is not kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from schoolmath.problems.errors import UnsolvableProblem
from schoolmath.problems.logic import (
    Comparison,
    Problem,
)
from schoolmath.problems.meaning.comparing import LENIENT, STRICT, Policy, TextMeaning, compare
from schoolmath.problems.meaning.flaws import Flaw, Integrity, Reason, listed
from schoolmath.problems.reading import ReadText, Times, read
from schoolmath.problems.reading.utterances import Utterance, people_of
from schoolmath.problems.solving import solve
from schoolmath.problems.vocabulary import Vocabulary
from schoolmath.text.numbers import NUMBER_WORDS

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
            reasons += list(_unread(after.read)) or [
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


def _unread(found: ReadText) -> Iterator[Reason]:
    for index, sentence in enumerate(found.sentences):
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


def _answer(answer: int, found: Problem) -> Iterator[Reason]:
    try:
        now = solve(found).answer
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
