"""Prompt strategies about a concept: by the probability of both answers, or by a written answer.

The item's text holds the labelled examples and the question. Scored as plain text, the answer
follows the question's mark after a space, as it does in the examples. In a chat the same text is
one turn of the user. Numbers of the two ways are never mixed: each is a strategy with a version
of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.models import GenerationRequest, LikelihoodRequest, Message, ModelForm, Sampling
from biaslab.studies.study import Answered, Item, Request, content_hash

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
        answered: Sequence[Answered],
        form: ModelForm,  # noqa: ARG002 - what is scored does not depend on it
    ) -> Request | None:
        """One request in all, with both answers."""
        if answered:
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
        self, item: Item, answered: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """One request in all."""
        if answered:
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
