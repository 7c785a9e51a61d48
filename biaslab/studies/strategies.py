"""Prompt strategies for word problems: direct, chain of thought, and chain of thought as a child.

The prompts are those of Opedal et al. (2024), section 5.1, after Kojima et al. (2022). A base
model continues one growing text. A chat model is asked in turns: the problem and the cue are
the user's, and in the second stage the model's own reasoning stands as its turn, so the
problem is never left out of the second request.

Two of them are there once more with the answer begun: the cue stands at the end of the chat model's
own turn, and it goes on from it, as a base model goes on from its text. These forms are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from biaslab.models import Completion, GenerationRequest, Message, ModelForm, Sampling
from biaslab.studies.study import Answered, Item, Request, content_hash

ANSWER_CUE = "The answer (Arabic numerals) is"
"""Ends a direct prompt; what follows is read as the answer."""

FINAL_CUE = "Therefore, the answer (Arabic numerals) is"
"""Ends the second stage of a step-by-step prompt."""

REASONING_CUE = "Let's think step by step."
"""Kojima et al. (2022)."""

CHILD_CUE = "Let's think step by step as a grade-school child would."
"""Opedal et al. (2024), the child persona."""

REASONING_TOKENS = 256
"""Most tokens of reasoning, as in the paper."""

ANSWER_TOKENS = {ModelForm.BASE: 32, ModelForm.CHAT: 256}
"""Most tokens of a stated answer. A chat model may explain before it states, so it has the
paper's 256; a base model that goes on after the cue only writes questions of its own."""

NEXT_QUESTION = ("\nQ:", "\n\nQ:")
"""Where a base model's continuation starts a question of its own."""


@dataclass(frozen=True, slots=True)
class Direct:
    """Asks for the answer at once; where it is ``begun``, a chat model goes on from the cue."""

    name: str = "direct"
    label: str = "Answer directly"
    explanation: str = "The model gives its answer at once, without working."
    begun: bool = False

    @property
    def version(self) -> str:
        """Hash of the prompt's wording."""
        return content_hash(self.name, ANSWER_CUE, *ANSWER_TOKENS.values())

    def next_request(
        self, item: Item, answered: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """One request in all."""
        if answered:
            return None
        messages: tuple[Message, ...]
        if form is ModelForm.BASE:
            messages = (Message("text", f"Q: {item.text}\nA: {ANSWER_CUE} "),)
        elif self.begun:
            messages = (Message("user", item.text), Message("assistant", ANSWER_CUE))
        else:
            messages = (Message("user", f"{item.text}\n\n{ANSWER_CUE}"),)
        return GenerationRequest(messages, _sampling(ANSWER_TOKENS[form], form), item.facts)


@dataclass(frozen=True, slots=True)
class StepByStep:
    """Asks for reasoning first, then for the answer that follows from it.

    Where the answer is ``begun``, the final cue ends the turn in which a chat model reasoned.
    """

    name: str
    label: str
    explanation: str
    cue: str
    begun: bool = False

    @property
    def version(self) -> str:
        """Hash of the prompts' wording."""
        return content_hash(
            self.name, self.cue, FINAL_CUE, REASONING_TOKENS, *ANSWER_TOKENS.values()
        )

    def next_request(
        self, item: Item, answered: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """Stage one asks for the reasoning, stage two for the answer."""
        if len(answered) > 1:
            return None
        if not answered:
            return self._reason(item, form)
        reasoning = answered[0]
        if not isinstance(reasoning, Completion):
            raise TypeError("Step-by-step prompts build on written reasoning, not on likelihoods.")
        return self._conclude(item, reasoning.text.strip(), form)

    def _reason(self, item: Item, form: ModelForm) -> Request:
        if form is ModelForm.CHAT:
            messages = (Message("user", f"{item.text}\n\n{self.cue}"),)
        else:
            messages = (Message("text", f"Q: {item.text}\nA: {self.cue}"),)
        return GenerationRequest(messages, _sampling(REASONING_TOKENS, form), item.facts)

    def _conclude(self, item: Item, reasoning: str, form: ModelForm) -> Request:
        messages: tuple[Message, ...]
        asked = Message("user", f"{item.text}\n\n{self.cue}")
        if form is ModelForm.BASE:
            text = f"Q: {item.text}\nA: {self.cue} {reasoning}\n{FINAL_CUE}"
            messages = (Message("text", text),)
        elif self.begun:
            messages = (asked, Message("assistant", f"{reasoning}\n{FINAL_CUE}"))
        else:
            messages = (asked, Message("assistant", reasoning), Message("user", FINAL_CUE))
        return GenerationRequest(messages, _sampling(ANSWER_TOKENS[form], form), item.facts)


def _sampling(tokens: int, form: ModelForm) -> Sampling:
    stop = NEXT_QUESTION if form is ModelForm.BASE else ()
    return Sampling(max_new_tokens=tokens, stop=stop)


PUBLISHED_STRATEGIES = (
    Direct(),
    StepByStep(
        "cot",
        "Think step by step",
        "The model writes out its working (chain of thought), then states its answer.",
        REASONING_CUE,
    ),
    StepByStep(
        "child-cot",
        "Think like a child",
        "The model is asked to think step by step as a grade-school child would.",
        CHILD_CUE,
    ),
)
"""The three of the paper, in its order."""

BEGUN_STRATEGIES = (
    Direct(
        "direct-begun",
        "Answer directly, begun",
        "The model's answer is begun for it, and it goes on with the number. Models that "
        "continue plain text are asked so in the published form.",
        begun=True,
    ),
    StepByStep(
        "cot-begun",
        "Think step by step, answer begun",
        "The model writes out its working, then its answer is begun for it and it goes on with the "
        "number.",
        REASONING_CUE,
        begun=True,
    ),
)
"""Not of the paper: for chat models that think aloud where they are asked for a number."""

WORD_PROBLEM_STRATEGIES = (*PUBLISHED_STRATEGIES, *BEGUN_STRATEGIES)
"""How every study of word problems asks, the default first."""


def published_name(name: str) -> str:
    """The published strategy that asks a model which continues plain text in the same words."""
    return name.removesuffix("-begun")
