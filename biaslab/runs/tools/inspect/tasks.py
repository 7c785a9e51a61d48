"""A task of Inspect AI for each study, named as the study is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from biaslab.models import GenerationRequest, ModelForm
from biaslab.runs.tools.errors import ToolError
from biaslab.runs.tools.inspect.asking import ask_by_strategy
from biaslab.runs.tools.inspect.scoring import paired_cate, read_answer
from biaslab.runs.tools.questions import ToolDesign, ToolItem, make_asking
from biaslab.stats import InvalidRule
from biaslab.studies import experiments

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
