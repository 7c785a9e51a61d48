"""Prompt strategies as a solver of Inspect AI: the same prompts, request by request."""

from __future__ import annotations

from collections.abc import Sequence
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
from biaslab.studies.strategies import Procedure, stages_of

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
    asked = experiment(study)
    way = find_strategy(asked, strategy)
    procedure = Procedure(asked, way, ModelForm.CHAT, in_turns=True)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = read_question(state.metadata).item
        exchanges: list[dict[str, Any]] = []
        stages: list[Completion] = []
        parts: list[Completion] = []
        while isinstance(request := procedure.request(item, stages, parts), GenerationRequest):
            state.messages = [_turn(message) for message in request.messages]
            sampling = request.sampling
            state = await generate(
                state,
                max_tokens=sampling.max_new_tokens,
                **({"stop_seqs": list(sampling.stop)} if sampling.stop else {}),
            )
            exchanges.append(_exchange(request.messages, state.output))
            parts.append(read_completion(exchanges[-1]))
            response = procedure.response(item, stages, parts)
            if isinstance(response, Completion):
                stages.append(response)
                parts.clear()
        state.metadata[ASKED] = exchanges
        return state

    return solve


def read_stages(exchanges: Sequence[dict[str, Any]]) -> tuple[Completion, ...]:
    """The whole responses of a sample, those that were asked to go on as one."""
    requests = [
        GenerationRequest(tuple(Message(*each) for each in exchange["messages"]))
        for exchange in exchanges
    ]
    stages = stages_of(requests, [read_completion(exchange) for exchange in exchanges])
    return tuple(each.response for each in stages if isinstance(each.response, Completion))


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
