"""A teacher's own problem: how it is understood, its solution, and the pairs made from it.

Pairs are written in this lab's own sentences, not in the teacher's: two texts that differ in one
feature only can be made of sentences alone whose other form is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.studies.study import Arms, Pair
from biaslab.studies.word_problems.cast import PairHalf, solved_facts
from biaslab.studies.word_problems.custom.imported import TextMember, text_pair
from biaslab.studies.word_problems.settings import Wording
from biaslab.studies.word_problems.treatments import Base, Treatment, treatments, verify_treatment
from schoolmath.problems import DesignError, Draws, Problem, ProblemError, Vocabulary, solve, write
from schoolmath.problems.quantities import LARGEST_RESULT, NumberRange
from schoolmath.problems.reading import ReadSentence, ReadText, describe_statement
from schoolmath.problems.reading.entities import people_of, things_of
from schoolmath.problems.reading.shapes import split_words
from schoolmath.problems.stories import TextAnswer, answer
from schoolmath.problems.structure import describe
from schoolmath.text.numbers import with_digits, with_plain_digits

_QUESTION = re.compile(r"\?|\bhow (?:many|much)\b|\bwork out\b", re.IGNORECASE)
_TIMES = re.compile(r"\btimes\b|\btwice\b|\bdouble|\btriple|\bhalf\b", re.IGNORECASE)
_FEWER = re.compile(r"\bfewer\b|\bless\b|\bbehind\b|\bshort of\b", re.IGNORECASE)
_MORE = re.compile(r"\bthan\b|\bahead of\b", re.IGNORECASE)
_EACH = re.compile(r"\beach\b|\bevery\b|\bper\b|\bpacked\b|\bshare[sd]?\b", re.IGNORECASE)
_GIVING = re.compile(
    r"\bg[ai]v(?:e|es|en|ing)\b|\bpass|\bhand|\bsen[dt]\b|\blen[dt]", re.IGNORECASE
)
_LOSING = re.compile(
    r"\blos[et]|\bs[eo]l[ld]|\bate\b|\beats?\b|\bspen[dt]|\bbroke|\bused?\b|\bdonat|\bthr[eo]w",
    re.IGNORECASE,
)
_GETTING = re.compile(
    r"\bb(?:uy|ought)|\bg[eo]t\b|\bf[io](?:n|un)d|\bearn|\bcollect|\bpick|\breceiv|\bw[io]n\b|\badd",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![.?!]\s)(?<!^)\b[A-Z][a-z]+\b")


def advice(sentence: str, names: Sequence[str], thing: str) -> str:
    """A readable sentence of the same kind, with the names and number of the one at hand.

    Args:
        sentence: the one that cannot be read.
        names: who is named elsewhere in the text, for a sentence that names too few.
        thing: what is counted elsewhere in the text, in the plural; or "".
    """
    written = _advice(sentence, *_people(sentence, names), thing)
    return written[0].upper() + written[1:]


def _advice(sentence: str, first: str, second: str, thing: str) -> str:
    things = thing or "apples"
    if _QUESTION.search(sentence):
        return f"How many {things} does {first} have now?"
    found = with_digits(split_words(with_plain_digits(sentence)))
    numbers = [word for word in found if word.isdigit() and len(word) <= 3] or ["5"]
    number = numbers[0]
    if _TIMES.search(sentence):
        return f"{first} has {number} times as many {things} as {second}."
    if _FEWER.search(sentence):
        return f"{first} has {number} fewer {things} than {second}."
    if _GIVING.search(sentence):
        return f"{first} gives {number} {things} to {second}."
    if _MORE.search(sentence):
        return f"{first} has {number} more {things} than {second}."
    if _EACH.search(sentence):
        holds = f"Each of {first}'s boxes holds {numbers[-1]} {things}."
        return holds if len(numbers) == 1 else f"{first} has {number} boxes of {things}. {holds}"
    if _LOSING.search(sentence):
        return f"{first} gives away {number} {things}."
    if _GETTING.search(sentence):
        return f"{first} buys {number} {things}."
    return f"{first} has {number} {things}."


def _people(sentence: str, names: Sequence[str]) -> tuple[str, str]:
    begins = sentence.split(maxsplit=1)[:1]
    known = [name for name in names if name and re.search(rf"\b{re.escape(name)}\b", sentence)]
    known.sort(key=sentence.index)
    others = [word for word in _NAME.findall(sentence) if word not in known]
    leads = [word for word in begins if word in names and word not in known]
    found = dict.fromkeys([*leads, *known, *others, *filter(None, names), "Ana", "Ben"])
    first, second, *_ = found
    return first, second


MOST_CHARACTERS = 2_000
"""Longest text: a word problem for school has a tenth of it."""

FIRST_TWINS = ("consistency", "predicate", "carry")
"""The treatments that a teacher is shown first: the three studies of the paper."""

_ATTEMPTS = 60
"""Draws before a treatment counts as not possible with this problem's numbers and people."""


class UnreadableProblem(DesignError):
    """A text that is no problem: empty, or far too long."""


@dataclass(frozen=True, slots=True)
class CustomSentence:
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
class CustomTwin:
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
class CustomProblem:
    """A teacher's text, understood as far as it can be.

    Attributes:
        text: as it was given.
        sentences: how each was understood.
        reading: what both readers and the second look made of it.
        fault: why there is no solution, in a sentence; "" where there is one.
        structure: the line of its structure; "" without a solution.
        facts: sentences and reasoning steps, as `Item.facts` has them, for pictures.
        answer: the solution; None without one, or where what was read is not proved.
    """

    text: str
    sentences: tuple[CustomSentence, ...]
    reading: TextAnswer
    fault: str
    structure: str
    facts: Mapping[str, Any]
    answer: int | None

    @property
    def read(self) -> ReadText:
        """What the reader of sentences gave."""
        return self.reading.read

    @property
    def unread(self) -> tuple[CustomSentence, ...]:
        """Sentences that could not be read."""
        return tuple(each for each in self.sentences if not each.is_read)


def understand(text: str) -> CustomProblem:
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
    looked = answer(text)
    found = looked.read
    sentences = _sentences(found)
    problem, solution = found.problem, found.solution
    if problem is None or solution is None or looked.answer is None:
        fault = found.fault or "".join(looked.reasons[:1])
        return CustomProblem(text, sentences, looked, fault, "", {}, None)
    structure = describe(problem, solution)
    written = write(problem, found.words).sentences
    facts = solved_facts(written, (), structure, solution, found.words)
    return CustomProblem(text, sentences, looked, "", structure, facts, solution.answer)


def _sentences(reading: ReadText) -> tuple[CustomSentence, ...]:
    said = [sentence.said for sentence in reading.sentences if sentence.said is not None]
    names = list(dict.fromkeys(name for each in said for name in people_of(each)))
    things = [reading.words.write(entity, 2) for each in said for entity in things_of(each)]
    thing = things[0] if things else ""
    return tuple(_sentence(each, names, thing, reading.words) for each in reading.sentences)


def _sentence(
    sentence: ReadSentence, names: Sequence[str], thing: str, words: Vocabulary
) -> CustomSentence:
    if sentence.said is not None:
        return CustomSentence(sentence.text, describe_statement(sentence.said, words))
    return CustomSentence(
        sentence.text,
        "",
        sentence.reason or "Its shape is not known.",
        advice(sentence.text, names, thing),
    )


def twins_of(own: CustomProblem, seed: int = 1) -> tuple[CustomTwin, ...]:
    """The minimal pairs of a problem, those of the paper's studies first.

    Args:
        own: what `understand` gave.
        seed: any whole number; decides what has to be drawn, such as numbers that carry.

    Returns:
        one for every treatment; none without a solution, or where nothing is calculated.
    """
    problem = own.read.problem
    solution = own.read.solution if own.answer is not None else None
    if problem is None or solution is None or not solution.steps:
        return ()
    known = treatments()
    names = [*FIRST_TWINS, *(name for name in known if name not in FIRST_TWINS)]
    return tuple(_twin(known[name], problem, own.read.words, seed) for name in names)


def _sizes(problem: Problem) -> tuple[NumberRange, ...]:
    """Numbers of as many digits as the teacher's, then of one more, then any."""
    solution = solve(problem)
    told = [statement.predicate.quantity for statement in problem.statements]
    largest = max(*told, solution.answer, *(step.result for step in solution.steps))
    highs = (10 ** (len(str(largest)) + more) - 1 for more in (0, 1))
    return tuple(
        NumberRange(1, high) for high in (*(min(h, LARGEST_RESULT) for h in highs), LARGEST_RESULT)
    )


def _twin(treatment: Treatment, problem: Problem, words: Vocabulary, seed: int) -> CustomTwin:
    """The pair of a treatment with numbers of the teacher's size; larger only where it must be."""
    found = None
    for numbers in dict.fromkeys(_sizes(problem)):
        found = _twin_within(treatment, problem, words, seed, numbers)
        if found.pair is not None:
            break
    assert found is not None
    return found


def _twin_within(
    treatment: Treatment, problem: Problem, words: Vocabulary, seed: int, numbers: NumberRange
) -> CustomTwin:
    draws = Draws(f"own problem/{treatment.name}/{seed}")
    base = Base(problem, None, None, numbers, words)
    why_not = "Its numbers or people do not allow it."
    pair = None
    try:
        for _ in range(_ATTEMPTS):
            twins = treatment.twins(base, draws)
            if twins is None:
                continue
            # Whether the question says "now" is the teacher's choice.
            twins = twins.worded(Wording(static=False))
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
    return CustomTwin(
        treatment.name, treatment.label, treatment.question, treatment.arms, pair, why_not
    )


def _member(problem: Problem, treated: Sequence[int], words: Vocabulary) -> PairHalf:
    solution = solve(problem)
    written = write(problem, words).sentences
    return PairHalf(problem, written, solution, tuple(treated), describe(problem, solution))


def _text(member: PairHalf, words: Vocabulary) -> TextMember:
    return TextMember(
        " ".join(member.sentences), member.sentences, member.structure, member.solution, words
    )
