"""A problem that cannot be read, put into readable sentences by a model, and checked.

The model is shown the sentence shapes that can be read. What it writes is read back, solved, and
held against the teacher's own text: the same numbers, no person who is not in it, nobody lost
who was read in it. Whether the story is still the same only the teacher can say, so a rephrased
text is shown beside the original and never taken silently.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from biaslab.models import Completion, GenerationRequest, Message, ModelForm, Sampling
from biaslab.studies.study import content_hash
from schoolmath.problems import Problem
from schoolmath.problems.meaning.flaws import Flaw, Reason, listed
from schoolmath.problems.reading import ReadText, read
from schoolmath.problems.reading.utterances import Utterance, people_of
from schoolmath.problems.reading.words import split_words
from schoolmath.text.numbers import with_digits, with_plain_digits

SHAPES = (
    "Ana has 12 red apples.",
    "Ana has 5 bags of rice.",
    "Ben buys 4 red apples.",
    "Ben gives away 4 red apples.",
    "Ana gives 3 red apples to Ben.",
    "Ben has 7 more red apples than Ana.",
    "Ben has 7 fewer red apples than Ana.",
    "Ben has 3 times as many red apples as Ana.",
    "Ben has 1/3 as many red apples as Ana.",
    "Each of Ana's boxes holds 6 red apples.",
    "All of Ana's red apples are packed into boxes, 6 to a box.",
    "How many red apples does Ben have now?",
)
"""Sentences of every kind that can be read; each can be, which a test checks."""

RULES = """\
Below is a school word problem. Write it again in short sentences of the shapes listed, so that a \
simple program can read it.

Shapes (names, numbers and things are examples):
{shapes}

- One fact in each sentence; one question at the end, and it asks for the same as before.
- Keep every number, in digits, and every name. Add no number and nobody else.
- Name the person and the thing in every sentence. No pronouns, no "left", no "in total".
- Change nothing about who has, gives, gets or is compared with whom.
- Do not solve it.

Answer with the sentences and nothing else.

The problem:
{text}"""
"""What is asked."""

CUE = "\n\nThe same problem in these shapes:\n"
"""Ends the prompt of a model that continues text."""

SENTENCES_TOKENS = 768
"""Most tokens of an answer."""

SENTENCES_VERSION = content_hash(RULES, SHAPES, CUE, SENTENCES_TOKENS)
"""Changes whenever the wording of the prompt does."""


@dataclass(frozen=True, slots=True)
class Rephrased:
    """A text in a model's words.

    Attributes:
        text: what it wrote, without what stood around it.
        read: how that is understood.
        reasons: why it cannot be taken; none: it can be offered to the teacher.
    """

    text: str
    read: ReadText
    reasons: tuple[Reason, ...]

    @property
    def offered(self) -> bool:
        """Whether it may be shown as a choice."""
        return not self.reasons


def rephrasing_request(text: str, form: ModelForm) -> GenerationRequest:
    """Asks for the problem in readable sentences."""
    shapes = "\n".join(f"- {shape}" for shape in SHAPES)
    asked = RULES.format(shapes=shapes, text=" ".join(text.split()))
    sampling = Sampling(max_new_tokens=SENTENCES_TOKENS)
    if form is ModelForm.CHAT:
        return GenerationRequest((Message("user", asked),), sampling)
    return GenerationRequest((Message("text", asked + CUE),), sampling)


def judge_rephrasing(text: str, completion: Completion) -> Rephrased:
    """Reads, solves and checks what a model wrote for a teacher's text."""
    written = _bare(completion.text)
    found = read(written)
    return Rephrased(written, found, tuple(_faults(text, written, found)))


_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_LEAD = re.compile(r"[^.?!]*:\s*")


def _bare(answer: str) -> str:
    """The sentences alone: no list marks, fences, or line that announces them."""
    lines = [_MARK.sub("", line).strip() for line in answer.splitlines() if "```" not in line]
    lines = [line for line in lines if line]
    if len(lines) > 1 and _LEAD.fullmatch(lines[0]):
        lines = lines[1:]
    return " ".join(" ".join(lines).replace("**", "").split())


def _faults(text: str, written: str, found: ReadText) -> Iterator[Reason]:
    if not written:
        yield Reason(Flaw.UNREADABLE, "The model wrote nothing.")
        return
    for index, sentence in enumerate(found.sentences):
        if sentence.said is None:
            yield Reason(
                Flaw.UNREAD, f"“{sentence.text}” cannot be read either: {sentence.reason}", index
            )
    if found.problem is None and all(sentence.said is not None for sentence in found.sentences):
        yield Reason(Flaw.UNREAD, f"It is no whole problem: {found.fault}")
    elif found.problem is not None and found.solution is None:
        yield Reason(Flaw.ANSWER, f"It cannot be solved: {found.fault}")
    yield from _numbers(text, written)
    if found.problem is not None:
        yield from _people(text, found.problem)


def _numbers(text: str, written: str) -> Iterator[Reason]:
    before, after = Counter(_digits(text)), Counter(_digits(written))
    # "1" is often a word of its own ("one of them", "each one"), so it alone may come and go.
    lost, new = before - after, after - before
    lost.pop("1", None)
    new.pop("1", None)
    if lost:
        yield Reason(Flaw.NUMBERS, f"Numbers of your text are missing: {listed(lost)}.")
    if new:
        yield Reason(Flaw.NUMBERS, f"Numbers that are not in your text: {listed(new)}.")


def _digits(text: str) -> list[str]:
    return [word for word in with_digits(split_words(with_plain_digits(text))) if word.isdigit()]


def _people(text: str, problem: Problem) -> Iterator[Reason]:
    there = {word.casefold() for word in split_words(text)}
    told: tuple[Utterance, ...] = (*problem.statements, problem.question)
    people = {name for said in told for name in people_of(said)}
    for name in sorted(people):
        if not {word.casefold() for word in split_words(name)} <= there:
            yield Reason(Flaw.NAMES, f"“{name}” is not in your text.")
    read_there = (each.said for each in read(text).sentences if each.said is not None)
    named = {name for said in read_there for name in people_of(said)}
    for name in sorted(named - people):
        yield Reason(Flaw.NAMES, f"“{name}” is in your text and not in the new one.")
