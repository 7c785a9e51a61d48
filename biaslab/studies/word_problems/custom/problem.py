"""A teacher's own problem: how it is understood, its solution, and the pairs made from it.

Pairs are written in this lab's own sentences, not in the teacher's: two texts that differ in one
feature only can be made of sentences alone whose other form is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.problems import DesignError, Draws, Problem, ProblemError, Vocabulary, solve, write
from biaslab.problems.quantities import LARGEST_RESULT, NumberRange
from biaslab.problems.reading import ReadSentence, ReadText, describe_statement, read
from biaslab.problems.reading.said import people_of, things_of
from biaslab.problems.structure import describe
from biaslab.studies.study import Arms, Pair
from biaslab.studies.word_problems.cast import Member, solved_facts
from biaslab.studies.word_problems.custom.sentence_advice import advice
from biaslab.studies.word_problems.custom.text_pairs import TextMember, text_pair
from biaslab.studies.word_problems.treatments import Base, Treatment, treatments, verify_treatment

MOST_CHARACTERS = 2_000
"""Longest text: a word problem for school has a tenth of it."""

FIRST_TWINS = ("consistency", "predicate", "carry")
"""The treatments that a teacher is shown first: the three studies of the paper."""

_ATTEMPTS = 60
"""Draws before a treatment counts as not possible with this problem's numbers and people."""


class UnreadableProblem(DesignError):
    """A text that is no problem: empty, or far too long."""


@dataclass(frozen=True, slots=True)
class OwnSentence:
    """A sentence of the teacher's, and how it was understood.

    Attributes:
        text: as it stands.
        understood: in one plain sentence; "" where it could not be read.
        reason: why it could not be read; "" where it was.
        suggestion: a sentence of its kind that can be read; "" where it was.
    """

    text: str
    understood: str
    reason: str = ""
    suggestion: str = ""

    @property
    def is_read(self) -> bool:
        """Whether it was understood."""
        return not self.reason


@dataclass(frozen=True, slots=True)
class OwnTwin:
    """What one treatment makes of the problem.

    Attributes:
        name: of the treatment; label: on screens; question: what the pair asks.
        arms: what its members are called.
        pair: both members, verified; None where there is none.
        why_not: why there is none, in a sentence; "" where there is a pair.
    """

    name: str
    label: str
    question: str
    arms: Arms
    pair: Pair | None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class OwnProblem:
    """A teacher's text, understood as far as it can be.

    Attributes:
        text: as it was given.
        sentences: how each was understood.
        read: what reading gave.
        fault: why there is no solution, in a sentence; "" where there is one.
        structure: the line of its structure; "" without a solution.
        facts: sentences and reasoning steps, as `Item.facts` has them, for pictures.
        answer: the solution; None without one.
    """

    text: str
    sentences: tuple[OwnSentence, ...]
    read: ReadText
    fault: str
    structure: str
    facts: Mapping[str, Any]
    answer: int | None

    @property
    def unread(self) -> tuple[OwnSentence, ...]:
        """Sentences that could not be read."""
        return tuple(each for each in self.sentences if not each.is_read)


def understand(text: str) -> OwnProblem:
    """Reads and solves a teacher's text, as far as that goes.

    Raises:
        UnreadableProblem: it is empty or longer than `MOST_CHARACTERS`.
    """
    text = " ".join(text.split())
    if not text:
        raise UnreadableProblem("There is no text.", "Type or paste a problem.", "text")
    if len(text) > MOST_CHARACTERS:
        raise UnreadableProblem(
            f"The text has {len(text):,} characters, more than {MOST_CHARACTERS:,}.",
            "Paste one problem at a time.",
            "text",
        )
    found = read(text)
    sentences = _sentences(found)
    problem, solution = found.problem, found.solution
    if problem is None or solution is None:
        return OwnProblem(text, sentences, found, found.fault, "", {}, None)
    structure = describe(problem, solution)
    written = write(problem, found.words).sentences
    facts = solved_facts(written, (), structure, solution, found.words)
    return OwnProblem(text, sentences, found, "", structure, facts, solution.answer)


def _sentences(found: ReadText) -> tuple[OwnSentence, ...]:
    said = [sentence.said for sentence in found.sentences if sentence.said is not None]
    names = list(dict.fromkeys(name for each in said for name in people_of(each)))
    things = [found.words.write(entity, 2) for each in said for entity in things_of(each)]
    thing = things[0] if things else ""
    return tuple(_sentence(each, names, thing, found.words) for each in found.sentences)


def _sentence(
    sentence: ReadSentence, names: Sequence[str], thing: str, words: Vocabulary
) -> OwnSentence:
    if sentence.said is not None:
        return OwnSentence(sentence.text, describe_statement(sentence.said, words))
    return OwnSentence(
        sentence.text,
        "",
        sentence.reason or "Its shape is not known.",
        advice(sentence.text, names, thing),
    )


def twins_of(own: OwnProblem, seed: int = 1) -> tuple[OwnTwin, ...]:
    """The minimal pairs of a problem, those of the paper's studies first.

    Args:
        own: what `understand` gave.
        seed: any whole number; decides what has to be drawn, such as numbers that carry.

    Returns:
        one for every treatment; none without a solution, or where nothing is calculated.
    """
    problem = own.read.problem
    if problem is None or own.read.solution is None or not own.read.solution.steps:
        return ()
    known = treatments()
    names = [*FIRST_TWINS, *(name for name in known if name not in FIRST_TWINS)]
    return tuple(_twin(known[name], problem, own.read.words, seed) for name in names)


def _twin(treatment: Treatment, problem: Problem, words: Vocabulary, seed: int) -> OwnTwin:
    draws = Draws(f"own problem/{treatment.name}/{seed}")
    numbers = NumberRange(1, LARGEST_RESULT)
    base = Base(problem, None, None, numbers, words)
    why_not = "Its numbers or people do not allow it."
    pair = None
    try:
        for _ in range(_ATTEMPTS):
            twins = treatment.twins(base, draws)
            if twins is None:
                continue
            x = _member(twins.x, twins.treated, words)
            x_prime = _member(twins.x_prime, twins.treated_prime, words)
            # None: the teacher chose the numbers, so they need not be in a range of ours.
            verify_treatment(x, x_prime, twins, treatment, None)
            pair = text_pair(_text(x, words), _text(x_prime, words), treatment.name)
            why_not = ""
            break
    except DesignError as error:
        why_not = f"{error.reason} {error.suggestion}"
    except ProblemError as error:
        # A pair that fails its proof is never shown; that it failed is.
        why_not = f"It could not be proved that only this changes: {error}"
    return OwnTwin(
        treatment.name, treatment.label, treatment.question, treatment.arms, pair, why_not
    )


def _member(problem: Problem, treated: Sequence[int], words: Vocabulary) -> Member:
    solution = solve(problem)
    written = write(problem, words).sentences
    return Member(problem, written, solution, tuple(treated), describe(problem, solution))


def _text(member: Member, words: Vocabulary) -> TextMember:
    return TextMember(
        " ".join(member.sentences), member.sentences, member.structure, member.solution, words
    )
