"""What is told of a batch and of the requests in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from biaslab.models.requests import Completion, Failure, GenerationRequest, ModelError

_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


class BatchTrouble(ModelError):
    """Something went wrong with a batch as a whole; the text is a sentence.

    Attributes:
        passing: whether the same may go well later without anybody doing anything. After
            trouble with `BatchClient.submit` that is passing it is not known whether the
            server has the batch: `BatchClient.find` tells.
        unreachable: whether the server could not be reached at all.
        unknown: the server does not know the batch.
    """

    def __init__(
        self,
        reason: str,
        *,
        passing: bool = False,
        unreachable: bool = False,
        unknown: bool = False,
    ) -> None:
        super().__init__(reason)
        self.passing = passing
        self.unreachable = unreachable
        self.unknown = unknown


class BatchRequest(NamedTuple):
    """A request and the id that its answer will be known by."""

    id: str
    request: GenerationRequest


@dataclass(frozen=True, slots=True)
class BatchState:
    """A batch as the server sees it.

    Attributes:
        id: the server's id; tag: BiasLab's, empty where it carries none.
        status: in the server's words: ``validating``, ``in_progress``, ``finalizing``, then one
            of ``completed``, ``expired``, ``cancelled`` and ``failed`` (refused as a whole).
        total, completed, failed: requests in it so far.
        seconds: how long the server worked on it; 0 where it does not say.
        reasons: why it was refused as a whole, as sentences.
        output: id of the file of answers; errors: of the file of errors; empty for none.
    """

    id: str
    tag: str
    status: str
    total: int
    completed: int
    failed: int
    seconds: float
    reasons: tuple[str, ...]
    output: str
    errors: str

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.status in _ENDED


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of one request of a batch.

    Attributes:
        id: of the request.
        result: the answer, or why there is none.
        unasked: the model was never asked: the batch ended before, or the server wants the
            request to be put in another way, in which it will be put from now on.
    """

    id: str
    result: Completion | Failure
    unasked: bool = False
