"""What the log of another tool holds of a study, whichever tool wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from biaslab.models import Completion, Likelihood, Message
from biaslab.runs.tools.questions import ToolDesign


class LoggedRequest(NamedTuple):
    """A request as the tool sent it; equal ones were the same request.

    Attributes:
        messages: one ``text`` message, or turns.
        sample: which of several times, from 0.
        continuations: those that were to be scored; empty where something was to be written.
    """

    messages: tuple[Message, ...]
    sample: int
    continuations: tuple[str, ...] = ()


Answers: TypeAlias = Mapping[LoggedRequest, Completion | Likelihood]


@dataclass(frozen=True, slots=True)
class AnsweredLog:
    """The answers that a tool has collected.

    Attributes:
        tool: its name, as in a model's name here: ``inspect`` or ``lm-eval``.
        model: as the tool calls it.
        asking: what was asked.
        answers: by request.
        outcomes: what the tool's log says of each item and sample; None: not read. They are
            compared with what is read now.
        samples: how often each item was asked.
        temperature: at which answers were drawn.
        provenance: where the log came from, JSON-ready; kept with the model.
        digest: of the log's bytes.
    """

    tool: str
    model: str
    asking: ToolDesign
    answers: Answers
    outcomes: Mapping[tuple[str, int], float | None]
    samples: int
    temperature: float
    provenance: Mapping[str, Any]
    digest: str
