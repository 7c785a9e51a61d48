"""Prompt strategies for word problems: direct, chain of thought, and chain of thought as a child.

The prompts are those of Opedal et al. (2024), section 5.1, after Kojima et al. (2022). A base
model continues one growing text. A chat model is asked in turns: the problem and the cue are
the user's, and in the second stage the model's own reasoning stands as its turn, so the
problem is never left out of the second request.
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
    """Asks for the answer at once."""

    name: str = "direct"
    label: str = "Answer directly"
    explanation: str = "The model gives its answer at once, without working."

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
        if form is ModelForm.CHAT:
            messages = (Message("user", f"{item.text}\n\n{ANSWER_CUE}"),)
        else:
            messages = (Message("text", f"Q: {item.text}\nA: {ANSWER_CUE} "),)
        return GenerationRequest(messages, _sampling(ANSWER_TOKENS[form], form), item.facts)


@dataclass(frozen=True, slots=True)
class StepByStep:
    """Asks for reasoning first, then for the answer that follows from it."""

    name: str
    label: str
    explanation: str
    cue: str

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
        if form is ModelForm.CHAT:
            messages = (
                Message("user", f"{item.text}\n\n{self.cue}"),
                Message("assistant", reasoning),
                Message("user", FINAL_CUE),
            )
        else:
            text = f"Q: {item.text}\nA: {self.cue} {reasoning}\n{FINAL_CUE}"
            messages = (Message("text", text),)
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
