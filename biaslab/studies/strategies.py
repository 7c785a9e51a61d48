"""How a study asks: prompt strategies, and going on where a response was cut off.

The prompts are those of Opedal et al. (2024), section 5.1, after Kojima et al. (2022). A base
model continues one growing text. A chat model is asked in turns: the problem and the cue are
the user's, and in the second stage the model's own reasoning stands as its turn, so the
problem is never left out of the second request.

Two of them are there once more with the answer begun: the cue stands at the end of the chat model's
own turn, and it goes on from it, as a base model goes on from its text. These forms are ours.

A response that reached its limit of tokens before an answer could be read in it is no answer yet.
It is asked to go on: the same messages and what was written, as often as `Length` says at most.
What its parts come to is one response to whatever builds on it or reads it.

Where a text is continued, each part begins at the last space between two words: a word that was
cut in two is other tokens than the whole word, and a model would go on otherwise than it began.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from biaslab.models import Completion, GenerationRequest, Message, ModelForm, Sampling
from biaslab.studies.study import (
    Answered,
    Experiment,
    Item,
    Reading,
    Request,
    Strategy,
    content_hash,
    form_read,
)

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
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """One request in all."""
        if responses:
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
        self, item: Item, responses: Sequence[Answered], form: ModelForm
    ) -> Request | None:
        """Stage one asks for the reasoning, stage two for the answer."""
        if len(responses) > 1:
            return None
        if not responses:
            return self._reason(item, form)
        reasoning = responses[0]
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


GO_ON = "Go on."
"""Asks a chat model to go on where its own last words cannot be handed to it."""

GO_ON_TIMES = 3
"""So often a response that was cut off is asked to go on, unless a person says otherwise."""

MOST_GO_ON = 20
"""More often than this a response is never asked to go on: a limit of this app."""

MOST_TOKENS = 131_072
"""More tokens than this no response may have: a limit of this app, above those of models."""

STATED = frozenset({"boxed", "marked", "stated answer", "alone"})
"""Rules of readers by which reasoning has come to its answer: what follows may be cut off."""

_SEAM = re.compile(r"(.*\S) \S", re.DOTALL)
_NEW_LINE = re.compile(r"[A-Z#*\-\\|]|\d+[.)] ")


@dataclass(frozen=True, slots=True)
class Length:
    """How much a model may write.

    Attributes:
        tokens: most tokens of each response; None: as the strategy says.
        go_on: how often one that was cut off before an answer could be read is asked to go on,
            at most. 0: it counts as it is, unread.
    """

    tokens: int | None = None
    go_on: int = GO_ON_TIMES


AS_USUAL = Length()
"""Where nobody has said anything else."""

AS_BEFORE = Length(go_on=0)
"""Of runs from before responses were asked to go on."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """How the items of a study are asked.

    Its methods take ``stages``, the whole responses to the strategy's requests so far, and
    ``parts``, those of the present one that have come.

    Attributes:
        study, strategy, form: what is asked, how, and of which form of model.
        length: how much it may write.
        in_turns: whether a chat model is told to go on in a turn of its own, as one that would
            answer its own last words needs it; else its last message is continued.
        sampling: what a person chose in place of the strategy's own; `biaslab.runs.prepare`.
        system: what a chat model is told before every request; "" for nothing.
    """

    study: Experiment
    strategy: Strategy
    form: ModelForm
    length: Length = Length()
    in_turns: bool = False
    sampling: Sampling | None = None
    system: str = ""

    def request(
        self, item: Item, stages: Sequence[Answered], parts: Sequence[Answered] = ()
    ) -> Request | None:
        """What is asked next, or None when the item is finished."""
        request = self.strategy.next_request(item, tuple(stages), self.form)
        if request is not None and self.system:
            request = replace(request, messages=_told_first(self.system, request.messages))
        if not isinstance(request, GenerationRequest):
            return request
        request = replace(request, sampling=self._sampled(request.sampling))
        if request.sampling.until_number and not self._is_last(item, stages):
            request = replace(request, sampling=replace(request.sampling, until_number=False))
        written = [part for part in parts if isinstance(part, Completion)]
        return continuation(request, written, in_turns=self.in_turns) if written else request

    def response(
        self, item: Item, stages: Sequence[Answered], parts: Sequence[Answered]
    ) -> Answered | None:
        """What the parts come to; None: the last was cut off and is asked to go on."""
        last = parts[-1]
        if not isinstance(last, Completion):
            return last
        whole = last
        if len(parts) > 1:
            begun = self.request(item, stages)
            stops = begun.sampling.stop if isinstance(begun, GenerationRequest) else ()
            written = [part for part in parts if isinstance(part, Completion)]
            in_turns = isinstance(begun, GenerationRequest) and _answers(begun) and self.in_turns
            whole = join(written, stops, in_turns=in_turns)
        goes_on = (
            whole.finish == "length"
            and len(parts) <= self.length.go_on
            and last.text.strip()
            and not self._ended(item, (*stages, whole))
        )
        return None if goes_on else whole

    def read(self, item: Item, stages: Sequence[Answered]) -> Reading:
        """What the responses to all requests of the item say."""
        return self.study.read(item, stages, form_read(self.strategy, self.form))

    def _ended(self, item: Item, stages: Sequence[Answered]) -> bool:
        """Whether a response that was cut off, the last of these, had come to its answer."""
        if self.strategy.next_request(item, stages, self.form) is None:
            return self.read(item, stages).outcome is not None
        # Reasoning opens with numbers that are not yet its answer.
        return self.study.read(item, stages, self.form).rule in STATED

    def _is_last(self, item: Item, stages: Sequence[Answered]) -> bool:
        """Whether the answer stands in the response to come, and is not reasoned about there."""
        to_come = Completion("", "stop", 0, 0, 0.0)
        return self.strategy.next_request(item, (*stages, to_come), self.form) is None

    def _sampled(self, own: Sampling) -> Sampling:
        chosen, tokens = self.sampling, self.length.tokens
        if chosen is None:
            return own if tokens is None else replace(own, max_new_tokens=tokens)
        most = min(own.max_new_tokens, chosen.max_new_tokens) if tokens is None else tokens
        if tokens is None and chosen.thinking is not None:
            most += chosen.thinking.tokens
        more = tuple(text for text in chosen.stop if text not in own.stop)
        return replace(chosen, max_new_tokens=most, stop=own.stop + more)


def _told_first(system: str, messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Messages after a system prompt; one that the strategy has of its own follows it there."""
    if messages and messages[0].role == "system":
        return Message("system", f"{system}\n\n{messages[0].content}"), *messages[1:]
    return Message("system", system), *messages


def continuation(
    request: GenerationRequest, parts: Sequence[Completion], *, in_turns: bool
) -> GenerationRequest:
    """Asks for what comes after these parts of a response.

    Args:
        request: that got the first of them.
        parts: at least one.
        in_turns: as in `Procedure`; plain text, and an answer begun for the model, are always
            continued.
    """
    messages = request.messages
    if not _answers(request):
        before, begun = messages[-1], _continued(parts).begun
        messages = (*messages[:-1], before._replace(content=before.content + begun))
    elif in_turns:
        for part in parts:
            said = Message("assistant", _before_seam(part.text))
            messages = (*messages, said, Message("user", GO_ON))
    else:
        messages = (*messages, Message("assistant", _continued(parts).begun))
    return replace(request, messages=messages)


def _answers(request: GenerationRequest) -> bool:
    """Whether the response is a turn of its own, and not the rest of what stands there."""
    return request.messages[-1].role not in ("text", "assistant")


def join(
    parts: Sequence[Completion], stops: Sequence[str] = (), *, in_turns: bool = False
) -> Completion:
    """The response that its parts are.

    Args:
        parts: in their order, at least one.
        stops: texts at which writing ends: one may begin in a part and end in the next.
        in_turns: whether each part was a turn of its own; a new sentence then begins a new line.
    """
    text, last = _continued(parts, in_turns=in_turns).text, parts[-1]
    found = [at for stop in stops if stop and (at := text.find(stop)) >= 0]
    return Completion(
        text[: min(found)] if found else text,
        "stop" if found else last.finish,
        sum(part.tokens_in for part in parts),
        sum(part.tokens_out for part in parts),
        sum(part.seconds for part in parts),
        "\n\n".join(part.thinking for part in parts if part.thinking),
        last.served,
        tuple(reason for part in parts for reason in part.retries),
    )


@dataclass(frozen=True, slots=True)
class Stage:
    """What came of one request of a strategy.

    Attributes:
        places: of the responses that are its parts, among those of the item.
        response: the whole of them.
    """

    places: tuple[int, ...]
    response: Answered


def stages_of(requests: Sequence[Request], responses: Sequence[Answered]) -> list[Stage]:
    """The whole responses that the stored ones of an item are.

    Args:
        requests: that were sent for it, in order.
        responses: what came back.
    """
    places: list[list[int]] = []
    for place, request in enumerate(requests):
        if places and _goes_on(request, requests, responses, places[-1]):
            places[-1].append(place)
        else:
            places.append([place])
    return [Stage(tuple(each), _whole(requests, responses, each)) for each in places]


def _goes_on(
    request: Request,
    requests: Sequence[Request],
    responses: Sequence[Answered],
    places: Sequence[int],
) -> bool:
    """Whether the request asks the response at these places to go on."""
    first = requests[places[0]]
    parts = [part for at in places if isinstance(part := responses[at], Completion)]
    if not isinstance(first, GenerationRequest) or not parts or parts[-1].finish != "length":
        return False
    return any(
        continuation(first, parts, in_turns=in_turns).messages == request.messages
        for in_turns in (False, True)
    )


def _whole(
    requests: Sequence[Request], responses: Sequence[Answered], places: Sequence[int]
) -> Answered:
    first, last = requests[places[0]], requests[places[-1]]
    if len(places) == 1 or not isinstance(first, GenerationRequest):
        return responses[places[-1]]
    parts = [part for at in places if isinstance(part := responses[at], Completion)]
    in_turns = last.messages[-1].content == GO_ON
    return join(parts, first.sampling.stop, in_turns=in_turns)


class _Text(NamedTuple):
    """What parts come to: all of it, and with how much of it the next part begins."""

    text: str
    begun: str


def _continued(parts: Sequence[Completion], *, in_turns: bool = False) -> _Text:
    text = begun = ""
    for part in parts:
        text = begun + (_between(part.text) if in_turns and begun else "") + part.text
        before = _before_seam(text)
        # A part that was shorter than a word would be written over and over again.
        begun = before if len(before) > len(begun) else text
    return _Text(text, begun)


def _before_seam(text: str) -> str:
    """The text up to the last space between two words; all of it where there is none."""
    found = _SEAM.match(text)
    return text if found is None else found[1]


def _between(after: str) -> str:
    """What stands between a part and the turn that goes on with it."""
    begins = after.lstrip()
    return "\n" if _NEW_LINE.match(begins) else "" if after[:1].isspace() else " "
