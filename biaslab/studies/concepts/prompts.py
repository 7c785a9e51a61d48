"""Asking about a concept and reading the answer: from two probabilities, or from what was written.

The item's text holds the labelled examples and the question. Scored as plain text, the answer
follows the question's mark after a space, as it does in the examples. In a chat the same text is
one turn of the user. Numbers of the two ways are never mixed: each is a strategy with a version
of its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.models import (
    Completion,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    ModelForm,
    Sampling,
)
from biaslab.studies.study import Answered, Item, Reading, Request, content_hash

CHAT_INSTRUCTION = "Answer the last question as the others were answered: {yes} or {no}."
ANSWER_TOKENS = {ModelForm.BASE: 8, ModelForm.CHAT: 64}
"""Most tokens of a written answer."""
TASK = "concept"
"""Marks requests about concepts for simulated learners."""


@dataclass(frozen=True, slots=True)
class ScoreAnswers:
    """Asks how probable each of the two answers is.

    Attributes:
        full_stop: whether the full stop of the examples belongs to what is scored.
        in_turn: whether the prompt is a turn of a chat, not plain text.
    """

    name: str
    label: str
    explanation: str
    full_stop: bool = False
    in_turn: bool = False

    @property
    def version(self) -> str:
        """Hash of the prompts' wording and of what is scored."""
        return content_hash(self.name, CHAT_INSTRUCTION, self.full_stop, self.in_turn)

    def next_request(
        self,
        item: Item,
        responses: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002 - what is scored does not depend on it
    ) -> Request | None:
        """One request in all, with both answers."""
        if responses:
            return None
        stop = "." if self.full_stop else ""
        if self.in_turn:
            message = Message("user", _turn(item))
            endings = tuple(f"{word}{stop}" for word in item.options)
        else:
            message = Message("text", item.text)
            endings = tuple(f" {word}{stop}" for word in item.options)
        return LikelihoodRequest((message,), endings, learner_facts(item))


@dataclass(frozen=True, slots=True)
class WriteAnswer:
    """Lets the model write its answer."""

    name: str = "text"
    label: str = "Written answer"
    explanation: str = "The model writes Yes or No, and the text is read."

    @property
    def version(self) -> str:
        """Hash of the prompts' wording."""
        return content_hash(self.name, CHAT_INSTRUCTION, *ANSWER_TOKENS.values())

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """One request in all."""
        if responses:
            return None
        facts = learner_facts(item)
        if form is ModelForm.CHAT:
            sampling = Sampling(max_new_tokens=ANSWER_TOKENS[form])
            return GenerationRequest((Message("user", _turn(item)),), sampling, facts)
        sampling = Sampling(max_new_tokens=ANSWER_TOKENS[form], stop=("\n",))
        return GenerationRequest((Message("text", item.text),), sampling, facts)


def learner_facts(item: Item) -> dict[str, Any]:
    """What a simulated learner sees: the labelled amounts, the question and the words.

    Neither the concept nor the right answer is among it.
    """
    total, has, *_ = item.facts["question"]
    return {
        "task": TASK,
        "examples": [[total, has, yes] for total, has, yes, *_ in item.facts["examples"]],
        "question": [total, has],
        "words": list(item.options),
    }


def _turn(item: Item) -> str:
    yes, no = item.options
    return f"{item.text}\n\n{CHAT_INSTRUCTION.format(yes=yes, no=no)}"


CONCEPT_STRATEGIES = (
    ScoreAnswers(
        "likelihood",
        "Probability of both answers",
        "The more probable of the two answers counts, as in the publication; nothing is written.",
    ),
    ScoreAnswers(
        "likelihood-full-stop",
        "Probability, full stop included",
        "As before, with the full stop of the examples after each answer.",
        full_stop=True,
    ),
    ScoreAnswers(
        "likelihood-chat",
        "Probability, in a chat",
        "The examples are one turn of a chat, and the probability of both replies is compared.",
        in_turn=True,
    ),
    WriteAnswer(),
)
"""Probabilities first, as published; the written answer is a mode of its own."""


TINY_MASS = 0.01
"""Both answers together less probable than this: the model was about to say something else."""


def read_answer(item: Item, responses: Sequence[Answered]) -> Reading:
    """Which of the two answers was given, and whether it is the right one.

    ``extra`` says whether the answer was yes (``yes``), and of probabilities how probable yes is
    against no (``p_yes``) and both together (``mass``), with ``tiny`` where that is below
    `TINY_MASS`.
    """
    last = responses[-1]
    if isinstance(last, Likelihood):
        return _of_scores(item, last)
    return _of_text(item, last)


def _of_scores(item: Item, likelihood: Likelihood) -> Reading:
    yes, no = likelihood.log_probabilities
    if math.isnan(yes) or math.isnan(no):
        return Reading(None, None, "no-number", "A probability is not a number: none is known.")
    mass = math.exp(yes) + math.exp(no)
    extra = {"mass": mass, "tiny": mass < TINY_MASS}
    if yes == no:
        return Reading(
            None,
            None,
            "tie",
            "Both answers are exactly equally probable, which counts as no answer. If this is so "
            "for every item, the model or server gives no real probabilities.",
            extra={**extra, "p_yes": 0.5},
        )
    p_yes = 1.0 / (1.0 + math.exp(min(no - yes, 700.0)))
    value = item.options[0] if yes > no else item.options[1]
    outcome = float(value == item.answer)
    extra |= {"p_yes": p_yes, "yes": yes > no}
    if mass < TINY_MASS:
        return Reading(
            value,
            outcome,
            "likelihood-small",
            f"The more probable of the two answers. Both together have a probability of {mass:.2g} "
            "only: the model was about to say something else.",
            extra=extra,
        )
    return Reading(
        value, outcome, "likelihood", "The more probable of the two answers.", extra=extra
    )


def _of_text(item: Item, completion: Completion) -> Reading:
    text = completion.text
    flags = 0 if min(map(len, item.options)) == 1 else re.IGNORECASE
    words = {word.casefold(): word for word in item.options}
    either = "|".join(map(re.escape, item.options))
    first = re.match(rf"[\s\"'“‘*_(\[]*(?P<word>{either})\b", text, flags)
    if first is not None:
        others = {
            each["word"].casefold() for each in re.finditer(rf"\b(?P<word>{either})\b", text, flags)
        }
        if len(others) == 1:
            return _read(item, words[first["word"].casefold()], "first", first.span("word"))
    stated = list(re.finditer(rf"\b(?P<word>{either})\b", text, flags))
    named = {each["word"].casefold() for each in stated}
    if len(named) == 1 and completion.finish != "length":
        return _read(item, words[named.pop()], "only", stated[-1].span("word"))
    if len(named) > 1:
        return Reading(None, None, "both", "Both answers are written, so neither is taken.")
    return Reading(None, None, "none", f"Neither {item.options[0]} nor {item.options[1]} is there.")


def _read(item: Item, value: str, rule: str, span: tuple[int, int]) -> Reading:
    explanation = {
        "first": "The answer begins with one of the two words.",
        "only": "One of the two words is written, and the other is not.",
    }[rule]
    extra = {"yes": value == item.options[0]}
    return Reading(value, float(value == item.answer), rule, explanation, span, extra)
