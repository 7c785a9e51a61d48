"""What the task files of lm-evaluation-harness call: their data, prompts, readings and effects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from biaslab.models import Completion, GenerationRequest, Likelihood
from biaslab.runs.errors import ToolError
from biaslab.runs.tools.questions import (
    ItemScore,
    ToolDesign,
    ToolItem,
    paired_effect,
    read_asking,
    read_question,
)
from biaslab.studies.study import Answered, Request

if TYPE_CHECKING:
    from datasets import Dataset

NO_CONTENT = "LMEVAL_MODEL_NONE_ANSWER_PLACEHOLDER"
"""What the harness puts in place of an answer without any text."""

Doc = Mapping[str, Any]
Counted = tuple[str, str, float | None]
"""Study, question as JSON, and outcome: what aggregations get of each item."""


def data(biaslab: Mapping[str, Any], **_: object) -> dict[str, Dataset]:
    """The items of a design; the harness also hands over the arguments of its model."""
    from datasets import Dataset

    asking = read_asking(biaslab)
    rows = [_row(asking, question) for question in asking.questions()]
    return {"test": Dataset.from_list(rows)}


def only_request(asking: ToolDesign, question: ToolItem) -> Request:
    """The one request of an item.

    Raises:
        ToolError: the strategy asks more than once, which the harness does not.
    """
    request = asking.way.next_request(question.item, (), asking.form)
    filler = Completion("1", "stop", 0, 0, 0.0)
    if request is None or len(request.messages) != 1:
        raise ToolError(f"The strategy {asking.strategy} has no prompt of one turn.")
    if request.messages[0].picture:
        raise ToolError("lm-evaluation-harness shows no pictures; ask with pictures in words.")
    if asking.way.next_request(question.item, (filler,), asking.form) is not None:
        # Inspect asks no model for probabilities.
        other = " Inspect AI can." if isinstance(request, GenerationRequest) else ""
        raise ToolError(
            f"The strategy {asking.strategy} of {asking.design.study} asks an item "
            f"more than once, which lm-evaluation-harness cannot.{other}"
        )
    return request


def _row(asking: ToolDesign, question: ToolItem) -> dict[str, Any]:
    request = only_request(asking, question)
    scored = [] if isinstance(request, GenerationRequest) else list(request.continuations)
    return {
        "prompt": request.messages[0].content,
        "answer": question.item.answer,
        "choices": scored,
        "question": json.dumps(question.as_json(), ensure_ascii=False),
        "asking": json.dumps(asking.as_json(), ensure_ascii=False),
    }


def prompt(doc: Doc) -> str:
    """The prompt of an item."""
    return str(doc["prompt"])


def answer(doc: Doc) -> str:
    """The right answer to be written."""
    return str(doc["answer"])


def choices(doc: Doc) -> list[str]:
    """The texts that are scored."""
    return list(doc["choices"])


def right_choice(doc: Doc) -> int:
    """The place of the right one."""
    options = read_question(json.loads(doc["question"])).item.options
    return options.index(str(doc["answer"]))


def read_result(doc: Doc, result: Sequence[Any]) -> Answered:
    """What the harness got for an item: a text, or (log-probability, whether greedy) for each."""
    if doc["choices"]:
        return Likelihood(tuple(float(each[0]) for each in result), (0,) * len(result))
    text = str(result[0])
    # The harness does not say whether an answer was cut off.
    return Completion("" if text == NO_CONTENT else text, "stop", 0, 0, 0.0)


def read(doc: Doc, result: Sequence[Any]) -> dict[str, Counted]:
    """Reads an item's answer; every figure gets the same to make its number of."""
    question = read_question(json.loads(doc["question"]))
    asking = _asking(str(doc["asking"]))
    answered = (read_result(doc, result),)
    outcome = asking.study.read(question.item, answered, asking.form).outcome
    places = json.dumps(question.as_json()["places"])
    return dict.fromkeys(AGGREGATED, (asking.design.study, places, outcome))


@cache
def _asking(text: str) -> ToolDesign:
    return read_asking(json.loads(text))


AGGREGATED = ("cate", "low", "high", "n", "clusters", "unread")
"""The figures, each a metric of its own: the harness has one number a metric."""


def _figure(name: str) -> Callable[[Iterable[Counted]], float]:
    def figure(counted: Iterable[Counted]) -> float:
        return _figures(tuple(tuple(each) for each in counted))[name]

    return figure


@cache
def _figures(counted: tuple[tuple[Any, ...], ...]) -> dict[str, float]:
    from biaslab.runs.tools.questions import ItemPosition

    answers = [
        ItemScore(tuple(ItemPosition(*place) for place in json.loads(places)), 0, outcome)
        for _, places, outcome in counted
    ]
    return paired_effect(str(counted[0][0]), answers)


cate, low, high, pairs, clusters, unread = map(_figure, AGGREGATED)
