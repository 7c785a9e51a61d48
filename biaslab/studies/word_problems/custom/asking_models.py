"""A problem that cannot be read, read or put into readable sentences by a model, and checked.

Reading: the model is asked twice, apart: once for what each sentence says, as data
(`schoolmath.problems.proposals`), once for the bare calculation. What it says is believed only
where everything holds that `schoolmath.problems.proposals.checking` demands; so it is shown as
"read by MODEL, checked", never as proved.

Rephrasing: the model is shown the sentence shapes that can be read. What it writes is read back,
solved, and held against the teacher's own text: the same numbers, no person who is not in it,
nobody lost who was read in it. Whether the story is still the same only the teacher can say, so a
rephrased text is shown beside the original and never taken silently.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from biaslab.models import (
    Completion,
    GenerationRequest,
    Message,
    ModelError,
    ModelForm,
    ModelIdentity,
    ModelKind,
    Sampling,
)
from schoolmath.problems import Problem
from schoolmath.problems.meaning import Flaw, Reason, listed
from schoolmath.problems.proposals import CheckResult, Proposal, ProposalError, check, value_of
from schoolmath.problems.reading import ReadText, read
from schoolmath.problems.reading.entities import Utterance, people_of
from schoolmath.problems.reading.shapes import split_words
from schoolmath.problems.stories import numbered_sentences
from schoolmath.text.numbers import with_digits, with_plain_digits

READING = """\
Below is a school word problem, its sentences numbered. Say what each of its numbers is, as JSON; \
do not solve it.

One object with "statements", a list in the order in which things happen. A statement has:
- "sentence": the number of the sentence it stands in
- "who": list of the names it is about, as in the text ([] for nobody; a place may have things)
- "relation": one of
  "has" (so many are there), "gets" (so many come to it), "loses" (so many go),
  "gives" (from who to whom), "more", "fewer", "times" (who has so many more than, fewer than, \
times as many as whom),
  "holds" (each container, which is whom, holds so many), "together" (all of who, or of what)
- "number": the digits, "some" where the text does not tell it, "?" for the one that is asked for
- "what": list with the thing that is counted, as in the text
- "whom": the receiver, the one compared with, or the container; else ""
Every number of the text stands in exactly one statement, none is calculated, and exactly one \
statement has "?".

Example: 1. Ana had 9 red pens. 2. She gave 2 pens to Ben. 3. How many pens does Ana have now?
{example}

The problem:
{text}

The JSON:"""
"""What is asked first."""

_EXAMPLE = json.dumps(
    {
        "statements": [
            {"sentence": 1, "who": ["Ana"], "relation": "has", "number": "9", "what": ["pens"],
             "whom": ""},
            {"sentence": 2, "who": ["Ana"], "relation": "gives", "number": "2", "what": ["pens"],
             "whom": "Ben"},
            {"sentence": 3, "who": ["Ana"], "relation": "has", "number": "?", "what": ["pens"],
             "whom": ""},
        ]
    }
)  # fmt: skip

CALCULATION = """\
Below is a school word problem. Write the one calculation that gives its answer, with numbers of \
the text and the signs + - * / and brackets, for example (5 + 3) * 2. No words, no result.

The problem:
{text}

The calculation:"""
"""What is asked second, apart from the first."""

READING_TOKENS = 1_024
"""Most tokens of a reply."""


@dataclass(frozen=True, slots=True)
class ReadByModel:
    """What a model read in a problem, and whether it is believed.

    Attributes:
        proposal: its reading; None where the reply holds none.
        checked: what came of the check.
    """

    proposal: Proposal | None
    checked: CheckResult


class NoReader(ModelError):
    """A model that cannot read sentences; the message says which can."""


def check_reader(identity: ModelIdentity) -> None:
    """Refuses models that cannot read.

    Raises:
        NoReader: it is a simulated learner or a tiny model.
    """
    if identity.kind is not ModelKind.LANGUAGE_MODEL:
        raise NoReader(
            f"“{identity.spec}” is a {identity.kind} and cannot read a problem: it knows numbers "
            "only. Choose a language model, on a server or in a folder of this computer."
        )


def reading_requests(text: str, form: ModelForm) -> tuple[GenerationRequest, GenerationRequest]:
    """The two requests of a problem: for its reading and for its calculation."""
    numbered = " ".join(
        f"{number}. {sentence}" for number, sentence in enumerate(numbered_sentences(text), start=1)
    )
    plain = " ".join(text.split())
    return (
        _request(READING.format(example=_EXAMPLE, text=numbered), form),
        _request(CALCULATION.format(text=plain), form),
    )


def judge_reading(
    text: str, reading: Completion, calculation: Completion, answer: Fraction | None = None
) -> ReadByModel:
    """Checks what a model replied to the two requests of a problem.

    Args:
        text: the problem.
        reading: the reply to the first.
        calculation: the reply to the second.
        answer: the answer that came with the problem, if any.
    """
    try:
        proposal = Proposal.from_json(reading.text)
    except ProposalError as error:
        return ReadByModel(None, CheckResult(None, reasons=(str(error),)))
    try:
        second = value_of(calculation.text)
    except ProposalError as error:
        return ReadByModel(proposal, CheckResult(None, reasons=(str(error),)))
    return ReadByModel(proposal, check(text, proposal, second, answer))


def _request(question: str, form: ModelForm) -> GenerationRequest:
    sampling = Sampling(max_new_tokens=READING_TOKENS)
    role = "user" if form is ModelForm.CHAT else "text"
    return GenerationRequest((Message(role, question),), sampling)


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


@dataclass(frozen=True, slots=True)
class RephrasedText:
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


def judge_rephrasing(text: str, completion: Completion) -> RephrasedText:
    """Reads, solves and checks what a model wrote for a teacher's text."""
    written = _bare(completion.text)
    found = read(written)
    return RephrasedText(written, found, tuple(_faults(text, written, found)))


_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_LEAD = re.compile(r"[^.?!]*:\s*")


def _bare(answer: str) -> str:
    """The sentences alone: no list marks, fences, or line that announces them."""
    lines = [_MARK.sub("", line).strip() for line in answer.splitlines() if "```" not in line]
    lines = [line for line in lines if line]
    if len(lines) > 1 and _LEAD.fullmatch(lines[0]):
        lines = lines[1:]
    return " ".join(" ".join(lines).replace("**", "").split())


def _faults(text: str, reply: str, reading: ReadText) -> Iterator[Reason]:
    if not reply:
        yield Reason(Flaw.UNREADABLE, "The model wrote nothing.")
        return
    for index, sentence in enumerate(reading.sentences):
        if sentence.said is None:
            yield Reason(
                Flaw.UNREAD, f"“{sentence.text}” cannot be read either: {sentence.reason}", index
            )
    if reading.problem is None and all(sentence.said is not None for sentence in reading.sentences):
        yield Reason(Flaw.UNREAD, f"It is no whole problem: {reading.fault}")
    elif reading.problem is not None and reading.solution is None:
        yield Reason(Flaw.ANSWER, f"It cannot be solved: {reading.fault}")
    yield from _numbers(text, reply)
    if reading.problem is not None:
        yield from _people(text, reading.problem)


def _numbers(text: str, reply: str) -> Iterator[Reason]:
    before, after = Counter(_digits(text)), Counter(_digits(reply))
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
