"""Prompt strategies for a decision: think freely and then choose, in one conversation or in two.

Malberg et al. (2024) let the model answer freely and have a second conversation extract the
option from that answer. Here the second request never draws anew: it shows the answer given and
asks which option it chose. The wording is this project's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.models import Completion, GenerationRequest, Message, ModelForm, Sampling
from biaslab.studies.study import Answered, Item, Request, content_hash

INTRODUCTION = "Please put yourself in this situation and decide."
CHOOSE_FREELY = (
    "Which option do you choose? Think it over in a few sentences, and settle on exactly one."
)
ASK_NUMBER = (
    "Which option did you choose? Write “Option” and its number, and nothing else. If you chose "
    "none, write “No option selected”."
)
ASK_NUMBER_OF = (
    "Below are a list of options and an answer that chooses one of them. Which option does the "
    "answer choose? Write “Option” and its number, and nothing else. If it chooses none, write "
    "“No option selected”."
)
CHOOSE_NOW = "Which option do you choose? Write “Option” and its number, and nothing else."
FREE_TOKENS = 512
"""Most tokens of a free answer."""
NUMBER_TOKENS = {ModelForm.BASE: 16, ModelForm.CHAT: 128}
"""Most tokens of the option's number; a chat model may repeat the option."""
OPTION_CUE = "Option "
"""Ends a base model's prompt; what follows is read as the number."""
NEXT_TEXT = (f"\n{INTRODUCTION}", "\nOptions:", "\nWhich option")
"""Where a base model's free answer begins a text of its own."""


@dataclass(frozen=True, slots=True)
class Decide:
    """Asks for a decision.

    Attributes:
        thinks: whether a free answer comes before the choice.
        separate: whether the choice is read from the free answer in a conversation of its own.
    """

    name: str
    label: str
    explanation: str
    thinks: bool
    separate: bool = False

    @property
    def version(self) -> str:
        """Hash of the prompts' wording."""
        return content_hash(
            self.name, INTRODUCTION, CHOOSE_FREELY, ASK_NUMBER, ASK_NUMBER_OF, CHOOSE_NOW,
            OPTION_CUE, FREE_TOKENS, *NUMBER_TOKENS.values(), *NEXT_TEXT,
        )  # fmt: skip

    def next_request(
        self, item: Item, answered: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """The free answer where there is one, then the option."""
        if len(answered) >= 1 + self.thinks:
            return None
        facts = {"task": "decision", **item.facts, "stage": "choose" if answered else "think"}
        if not self.thinks:
            return _number(item.text, CHOOSE_NOW, form, {**facts, "stage": "choose"})
        if not answered:
            return _free(item.text, form, facts)
        free = answered[0]
        if not isinstance(free, Completion):
            raise TypeError("A decision builds on a written answer, not on likelihoods.")
        said = free.text.strip()
        if self.separate:
            shown = f"{ASK_NUMBER_OF}\n\n{write_options(item.options)}\n\nAnswer:\n{said}"
            return _number(shown, "", form, facts)
        if form is ModelForm.BASE:
            return _number(f"{item.text}\n\n{CHOOSE_FREELY}\n{said}\n", ASK_NUMBER, form, facts)
        messages = (
            Message("user", _opening(item.text, CHOOSE_FREELY)),
            Message("assistant", said),
            Message("user", ASK_NUMBER),
        )
        return GenerationRequest(messages, _sampling(NUMBER_TOKENS[form]), facts)


def write_options(options: Sequence[str]) -> str:
    """The options as a numbered list, in the order given."""
    lines = (f"Option {number}: {option}" for number, option in enumerate(options, 1))
    return "\n".join(("Options:", *lines))


def _opening(text: str, ask: str) -> str:
    return f"{INTRODUCTION}\n\n{text}\n\n{ask}"


def _free(text: str, form: ModelForm, facts: dict[str, Any]) -> Request:
    shown = _opening(text, CHOOSE_FREELY)
    if form is ModelForm.CHAT:
        return GenerationRequest((Message("user", shown),), _sampling(FREE_TOKENS), facts)
    message = Message("text", f"{shown}\n")
    return GenerationRequest((message,), _sampling(FREE_TOKENS, NEXT_TEXT), facts)


def _number(text: str, ask: str, form: ModelForm, facts: dict[str, Any]) -> Request:
    shown = _opening(text, ask) if ask == CHOOSE_NOW else f"{text}\n\n{ask}".strip()
    if form is ModelForm.CHAT:
        return GenerationRequest((Message("user", shown),), _sampling(NUMBER_TOKENS[form]), facts)
    message = Message("text", f"{shown}\n{OPTION_CUE}")
    return GenerationRequest((message,), _sampling(NUMBER_TOKENS[form], ("\n",)), facts)


def _sampling(tokens: int, stop: tuple[str, ...] = ()) -> Sampling:
    return Sampling(max_new_tokens=tokens, stop=stop)


DECISION_STRATEGIES = (
    Decide(
        "think-then-choose",
        "Think, then choose",
        "The model thinks in a few sentences and then names its option, in one conversation.",
        thinks=True,
    ),
    Decide(
        "two-conversations",
        "Think, read by a second conversation",
        "As in the paper: a new conversation says which option the free answer chose.",
        thinks=True,
        separate=True,
    ),
    Decide(
        "choose",
        "Choose at once",
        "The model names its option without thinking first.",
        thinks=False,
    ),
)
"""One conversation, two as published, and at once."""
