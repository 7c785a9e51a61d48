"""Asking for a verdict on a pupil's working: at once, in steps, or by the likelier letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biaslab.models import (
    Completion,
    GenerationRequest,
    LikelihoodRequest,
    Message,
    ModelForm,
    Sampling,
)
from biaslab.studies.study import Answered, Item, Request, content_hash

INTRODUCTION = "You are a mathematics tutor. Read a pupil's work."
AT_ONCE = 'Answer with JSON alone, such as {"answer": "A"}: the letter of the option.'
IN_STEPS = (
    'Think step by step. Then end with JSON, such as {"answer": "A"}: the letter of the option.'
)
REASONING = "Let's think step by step."
CUE = '{"answer": "'
PUPIL, TUTOR = "Pupil", "Tutor"
ANSWER_TOKENS = 40
REASONING_TOKENS = 500


@dataclass(frozen=True, slots=True)
class VerdictPrompt:
    """Asks for the letter of a verdict.

    Attributes:
        reasons: whether the reasoning is written out first.
    """

    name: str
    label: str
    explanation: str
    reasons: bool = False

    @property
    def version(self) -> str:
        """Hash of the prompts' wording."""
        return content_hash(
            self.name, INTRODUCTION, AT_ONCE, IN_STEPS, REASONING, CUE, ANSWER_TOKENS,
            REASONING_TOKENS,
        )  # fmt: skip

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """One request; two for a base model that reasons first."""
        body, facts = _body(item), facts_of(item)
        if form is ModelForm.CHAT:
            if responses:
                return None
            how = IN_STEPS if self.reasons else AT_ONCE
            most = REASONING_TOKENS if self.reasons else ANSWER_TOKENS
            return _request("user", f"{body}\n\n{how}", most, (), facts)
        if not self.reasons:
            return None if responses else _request(
                "text", f"{body}\n{CUE}", ANSWER_TOKENS, ("\n",), facts
            )  # fmt: skip
        if not responses:
            stop = (f"\n{_introduction(item)}",)
            return _request("text", f"{body}\n{REASONING}", REASONING_TOKENS, stop, facts)
        if len(responses) > 1:
            return None
        first = responses[0]
        assert isinstance(first, Completion)
        said = f"{body}\n{REASONING} {first.text.strip()}\n{CUE}"
        return _request("text", said, ANSWER_TOKENS, ("\n",), facts)


@dataclass(frozen=True, slots=True)
class LikelierVerdict:
    """Asks how probable each letter is after a prompt that begins the answer."""

    name: str
    label: str
    explanation: str

    @property
    def version(self) -> str:
        """Hash of the prompts' wording."""
        return content_hash(self.name, AT_ONCE_FIRST.version)

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """The letters of both verdicts."""
        asked = AT_ONCE_FIRST.next_request(item, responses, form)
        if not isinstance(asked, GenerationRequest):
            return None
        begun = (Message("assistant", CUE),) if form is ModelForm.CHAT else ()
        letters = tuple(item.facts["options"])
        return LikelihoodRequest((*asked.messages, *begun), letters, asked.facts)


@dataclass(frozen=True, slots=True)
class TwoTurnPrompt:
    """Asks for a verdict, then again after the pupil's reply, which the item has."""

    name: str
    label: str
    explanation: str

    @property
    def version(self) -> str:
        """Hash of the prompts' wording."""
        return content_hash(self.name, AT_ONCE_FIRST.version, PUPIL, TUTOR)

    def next_request(
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """Two requests; the second shows what was answered to the first."""
        if not responses:
            return AT_ONCE_FIRST.next_request(item, (), form)
        if len(responses) > 1:
            return None
        first = responses[0]
        assert isinstance(first, Completion)
        body, reply, facts = _body(item), item.facts["reply"], facts_of(item)
        if form is ModelForm.CHAT:
            turns = (
                Message("user", f"{body}\n\n{AT_ONCE}"),
                Message("assistant", first.text),
                Message("user", f"{reply} {AT_ONCE}"),
            )
            return GenerationRequest(turns, Sampling(max_new_tokens=ANSWER_TOKENS), facts)
        text = f"{body}\n{CUE}{first.text.strip()}\n\n{PUPIL}: {reply}\n\n{TUTOR}: {CUE}"
        return _request("text", text, ANSWER_TOKENS, ("\n",), facts)


def _body(item: Item) -> str:
    """What is asked first; the reply of a second turn stands in an item's text as well."""
    return f"{_introduction(item)}\n\n{item.facts.get('first', item.text)}"


def _introduction(item: Item) -> str:
    return str(item.facts.get("introduction", INTRODUCTION))


def facts_of(item: Item) -> dict[str, Any]:
    """What a simulated tutor or pupil needs to know."""
    names = ("rule", "options", "key", "sound", "flawed", "pressed", "unfit", "own")
    own = {name: item.facts[name] for name in names if name in item.facts}
    return {"task": "mcq", "id": item.id, **own}


def _request(
    role: str, text: str, most: int, stop: tuple[str, ...], facts: Mapping[str, Any]
) -> GenerationRequest:
    sampling = Sampling(max_new_tokens=most, stop=stop)
    return GenerationRequest((Message(role, text),), sampling, facts)


AT_ONCE_FIRST = VerdictPrompt("verdict", "Answer at once", "The model names its verdict, as JSON.")

VERDICT_STRATEGIES = (
    AT_ONCE_FIRST,
    VerdictPrompt(
        "verdict-cot",
        "Think step by step",
        "The model writes out its reasoning (chain of thought) before its verdict.",
        reasons=True,
    ),
    LikelierVerdict(
        "verdict-likelihood",
        "Likelier letter",
        "The answer is begun for the model, and the letter that is likelier to follow counts.",
    ),
)
"""All of them, the default first."""

TWO_TURNS = (
    TwoTurnPrompt(
        "two-turns",
        "Two turns",
        "The model gives a verdict, the pupil replies, and the model gives its verdict again.",
    ),
)
"""For studies with a reply."""
