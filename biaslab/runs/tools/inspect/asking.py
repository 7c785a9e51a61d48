"""Prompt strategies as a solver of Inspect AI: the same prompts, request by request."""

from __future__ import annotations

from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    ModelOutput,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from biaslab.models import Completion, GenerationRequest, Message, ModelForm
from biaslab.runs.engine.prepare import find_strategy
from biaslab.runs.tools.errors import ToolError
from biaslab.runs.tools.questions import read_question
from biaslab.studies import experiment

ASKED = "biaslab_asked"
"""Key of a sample's metadata under which its requests and responses stand."""

_TURNS = {
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
    "system": ChatMessageSystem,
}


@solver
def ask_by_strategy(study: str, strategy: str) -> Solver:
    """Asks each sample's item by a prompt strategy of its study, each request on its own.

    Args:
        study: its name.
        strategy: one of its prompt strategies.
    """
    way = find_strategy(experiment(study), strategy)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = read_question(state.metadata).item
        exchanges: list[dict[str, Any]] = []
        while True:
            answered = tuple(read_completion(each) for each in exchanges)
            request = way.next_request(item, answered, ModelForm.CHAT)
            if not isinstance(request, GenerationRequest):
                break
            state.messages = [_turn(message) for message in request.messages]
            sampling = request.sampling
            state = await generate(
                state,
                max_tokens=sampling.max_new_tokens,
                **({"stop_seqs": list(sampling.stop)} if sampling.stop else {}),
            )
            exchanges.append(_exchange(request.messages, state.output))
        state.metadata[ASKED] = exchanges
        return state

    return solve


def read_completion(exchange: dict[str, Any]) -> Completion:
    """The response of an exchange as the solver wrote it."""
    fields = exchange["response"]
    return Completion(
        fields["text"], fields["finish"], fields["tokens_in"], fields["tokens_out"],
        fields["seconds"], fields["thinking"], fields["served"],
    )  # fmt: skip


def _turn(message: Message) -> ChatMessage:
    if message.picture:
        raise ToolError(
            "Pictures are shown by BiasLab's own runs; ask here with pictures in words."
        )
    return _TURNS[message.role](content=message.content)


def _exchange(messages: tuple[Message, ...], output: ModelOutput) -> dict[str, Any]:
    usage = output.usage
    return {
        "messages": [list(message) for message in messages],
        "response": {
            "text": output.completion,
            "finish": "length" if output.stop_reason in ("max_tokens", "model_length") else "stop",
            "tokens_in": 0 if usage is None else usage.input_tokens,
            "tokens_out": 0 if usage is None else usage.output_tokens,
            "seconds": output.time or 0.0,
            "thinking": _thinking(output),
            "served": output.model,
        },
    }


def _thinking(output: ModelOutput) -> str:
    content = output.message.content if output.choices else ""
    if isinstance(content, str):
        return ""
    return "\n".join(each.reasoning for each in content if isinstance(each, ContentReasoning))
