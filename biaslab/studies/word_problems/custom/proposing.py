"""A problem that cannot be read, read by a model in place of the readers, and checked.

The model is asked twice, apart: once for what each sentence says, as data
(`schoolmath.problems.proposals`), once for the bare calculation. What it says is believed only
where everything holds that `schoolmath.problems.proposals.checking` demands; so it is shown as
"read by MODEL, checked", never as proved.
"""

from __future__ import annotations

import json
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
from biaslab.studies.study import content_hash
from schoolmath.problems.proposals import CheckResult, Proposal, ProposalError, check, value_of
from schoolmath.problems.stories import numbered_sentences

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

READING_VERSION = content_hash(READING, _EXAMPLE, CALCULATION, READING_TOKENS)
"""Changes whenever the wording of a prompt does."""


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
    text: str, reading: Completion, calculation: Completion, given: Fraction | None = None
) -> ReadByModel:
    """Checks what a model replied to the two requests of a problem.

    Args:
        text: the problem.
        reading: the reply to the first.
        calculation: the reply to the second.
        given: the answer that came with the problem, if any.
    """
    try:
        proposal = Proposal.from_json(reading.text)
    except ProposalError as error:
        return ReadByModel(None, CheckResult(None, reasons=(str(error),)))
    try:
        second = value_of(calculation.text)
    except ProposalError as error:
        return ReadByModel(proposal, CheckResult(None, reasons=(str(error),)))
    return ReadByModel(proposal, check(text, proposal, second, given))


def _request(asked: str, form: ModelForm) -> GenerationRequest:
    sampling = Sampling(max_new_tokens=READING_TOKENS)
    role = "user" if form is ModelForm.CHAT else "text"
    return GenerationRequest((Message(role, asked),), sampling)
