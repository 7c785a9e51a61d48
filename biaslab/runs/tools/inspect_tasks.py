"""The studies as tasks of Inspect AI, which finds them by an entry point (pyproject.toml).

The solver asks by a study's prompt strategies, the same prompts, request by request; the scorer
is our reader of answers, the metric the effect of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    ModelOutput,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from biaslab.models import Completion, GenerationRequest, Message, ModelForm
from biaslab.runs.engine.prepare import find_strategy
from biaslab.runs.errors import ToolError
from biaslab.runs.tools.questions import (
    ItemScore,
    ToolDesign,
    ToolItem,
    make_asking,
    paired_effect,
    read_question,
)
from biaslab.stats import InvalidRule
from biaslab.stats.outcomes import check_rule
from biaslab.studies import experiment, experiments
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


@metric(scores="unreduced")
def paired_cate(invalid: InvalidRule = "strict") -> Metric:
    """The difference x - x' over pairs with its interval, as `biaslab effects` has it.

    Epochs of a pair are averaged, and clusters are respected.

    Args:
        invalid: ``strict`` counts an answer that cannot be read as not right, ``exclude`` leaves
            its pair out.
    """
    check_rule(invalid)

    # Inspect takes a metric without this annotation for one of an older kind.
    def compute(scores: list[SampleScore]) -> Value:
        studies = {(each.score.metadata or {})["study"] for each in scores}
        study = studies.pop() if studies else ""
        return dict(paired_effect(study, map(_answer, scores), invalid))

    return compute


@scorer(metrics=[paired_cate()])
def read_answer(study: str) -> Scorer:
    """Reads each answer as BiasLab does; the value of a sample is its outcome.

    An answer that cannot be read is 0, not right; on a scale it has no value, nor has one that
    was cut off for good.

    Args:
        study: its name.
    """
    found = experiment(study)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        item = read_question(state.metadata).item
        answered = read_stages(state.metadata.get(ASKED, ()))
        reading = found.read(item, answered, ModelForm.CHAT)
        value = reading.outcome
        cut_off = value is None and answered[-1].finish == "length"
        if value is None:
            value = 0.0 if found.outcome_scale is None and not cut_off else math.nan
        return Score(
            value=value,
            answer=reading.value,
            explanation=reading.explanation,
            reason=None if reading.outcome is not None else "invalid_response_format",
            metadata={
                "study": study,
                "outcome": reading.outcome,
                "missing": cut_off,
                "rule": reading.rule,
                "epoch": state.epoch,
                "extra": dict(reading.extra),
            },
        )

    return score


def _answer(scored: SampleScore) -> ItemScore:
    question = read_question(scored.sample_metadata or {})
    known = scored.score.metadata or {}
    missing = bool(known.get("missing"))
    return ItemScore(question.places, int(known["epoch"]) - 1, known["outcome"], missing)


VERSION = 1
"""Of the tasks: grows where their data or scores change in meaning."""


def _task_of(study: str) -> Callable[..., Task]:
    def make(
        n: int = 200,
        seed: int = 1,
        strategy: str = "",
        invalid: InvalidRule = "strict",
        **settings: Any,
    ) -> Task:
        asking = make_asking(study, n, seed, settings, strategy)
        questions = asking.questions()
        _refuse_likelihood(asking, questions)
        return Task(
            dataset=MemoryDataset([_sample(asking, each) for each in questions], name=study),
            solver=ask_by_strategy(study, asking.strategy),
            scorer=read_answer(study),
            metrics=[paired_cate(invalid)],
            config=GenerateConfig(temperature=0.0),
            metadata={"biaslab": asking.as_json()},
            version=VERSION,
        )

    make.__name__ = study.replace("-", "_")
    make.__doc__ = f"{experiments()[study].question}"
    return task(name=study)(make)


def _sample(asking: ToolDesign, question: ToolItem) -> Sample:
    request = asking.way.next_request(question.item, (), ModelForm.CHAT)
    assert request is not None
    return Sample(
        id=question.item.id,
        input=request.messages[-1].content,
        target=question.item.answer,
        metadata=question.as_json(),
    )


def _refuse_likelihood(asking: ToolDesign, questions: list[ToolItem]) -> None:
    request = asking.way.next_request(questions[0].item, (), ModelForm.CHAT)
    if isinstance(request, GenerationRequest):
        return
    writing = [
        way.name
        for way in asking.study.strategies
        if isinstance(
            way.next_request(questions[0].item, (), ModelForm.CHAT), GenerationRequest
        )
    ]  # fmt: skip
    others = f"Ask it with -T strategy={writing[0]}, or " if writing else "Ask it "
    raise ToolError(
        f"The strategy {asking.strategy} of {asking.design.study} compares the probabilities of "
        f"given texts, which Inspect does not ask models for. {others}in lm-evaluation-harness "
        "(`biaslab tasks lm-eval`)."
    )


TASKS = {name: _task_of(name) for name in experiments()}
"""By the names of studies."""
