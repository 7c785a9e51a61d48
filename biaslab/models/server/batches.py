"""Hands requests to a server as a batch, to be answered within a day, and fetches the answers.

Requests and answers are those that would go one by one, put and read by the same functions.
The format of the files, the states of a batch and the limits are those of OpenAI's Batch API
(https://platform.openai.com/docs/guides/batch), which other services copy.

What is told of a batch and of the requests in it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from types import TracebackType
from typing import IO, Any, Literal, NamedTuple, TypeVar

import httpx2
from openai import APIConnectionError, APIStatusError, AsyncOpenAI, OpenAIError
from openai.types import Batch

from biaslab.models.provider import Access
from biaslab.models.requests import (
    Completion,
    Failure,
    GenerationRequest,
    ModelError,
    Notice,
    Unsupported,
)
from biaslab.models.server.addresses import base_urls, is_openai
from biaslab.models.server.background import BackgroundLoop
from biaslab.models.server.channel import OneModel
from biaslab.models.server.keys import NO_KEY, read_key
from biaslab.models.server.request.client import Overdue, Patience, open_client
from biaslab.models.server.request.dialect import (
    Body,
    Dialect,
    ServerHabits,
    Unaskable,
    path_of,
    refusal_of,
)
from biaslab.models.server.request.failures import (
    Recipient,
    failure_of,
    failure_of_refusal,
    read_answer,
)
from biaslab.models.server.request.replies import NoAnswer, count_of, load, name_of
from biaslab.models.server.request.unpacking import MOST_ANSWER_BYTES

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


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One line of a file of answers or errors.

    Attributes:
        id: the id that the request was handed over with.
        status: of the response to it; None where the request was never worked on.
        content: body of that response, as JSON.
        error: what the service itself says about the request, where it was not worked on.
    """

    id: str
    status: int | None
    content: bytes
    error: object


def write_line(request_id: str, path: str, body: Body) -> bytes:
    """A request as a line of the file that is handed over, with its end.

    Args:
        request_id: what the answer will be known by.
        path: where the request would go on its own, such as ``/v1/chat/completions``.
        body: what would be sent there.
    """
    line = {"custom_id": request_id, "method": "POST", "url": path, "body": body}
    return json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"


def read_line(line: bytes, key: str = "") -> AnswerRow | None:
    """The line without the key; None where it is broken."""
    try:
        content = load(line, key)
    except NoAnswer:
        return None
    if not isinstance(content, dict) or not isinstance(content.get("custom_id"), str):
        return None
    response = content.get("response")
    if not isinstance(response, Mapping):
        return AnswerRow(content["custom_id"], None, b"", content.get("error"))
    status = response.get("status_code")
    body = json.dumps(response.get("body")).encode("ascii")
    status = status if isinstance(status, int) else 200
    return AnswerRow(content["custom_id"], status, body, content.get("error"))


MOST_REQUESTS = 50_000
"""Requests that one batch may hold."""

MOST_BYTES = 200_000_000
"""Size that the file of one batch may have."""

TAG = "biaslab"
"""Name under which a batch carries BiasLab's own id for it."""

PATIENCE = Patience(silence=120.0, attempts_more=2)
"""For uploads, downloads and questions about batches; no model is waited for in them."""

_READ_TOGETHER = 500

_NO_SUCH_PATH = frozenset({404, 405, 501})

_T = TypeVar("_T")


Lookup = Callable[[Sequence[str]], Mapping[str, GenerationRequest]]
"""Gives the requests of these ids; what is not known is left out."""


class BatchClient:
    """Hands batches to the first server of a model; a context manager.

    Args:
        name: what the server calls the model.
        access: how it is reached. Its key is read from the environment.
    """

    def __init__(self, name: str, access: Access) -> None:
        url = base_urls(access)[0]
        self._name = name
        self._access = access
        self._asked = Recipient(url, name, read_key(access) or NO_KEY)
        # All chat models of OpenAI take the newer name and some refuse the older one; a
        # refusal would be known only when the batch has come back.
        self._dialect = Dialect(continuing=access.continuing, switch=access.switch)
        if is_openai(url):
            self._dialect.learn("max_tokens")
        self._learned: set[str] = set()
        self._habits = ServerHabits()
        self._one_model = OneModel(access.served, access.also_served)
        self._runner: BackgroundLoop | None = None
        self._client: AsyncOpenAI | None = None

    @property
    def host(self) -> str:
        """Where batches go, such as ``api.openai.com``."""
        return self._asked.host

    @property
    def notice(self) -> Notice:
        """What is to be known of the requests that were handed over."""
        self._habits.remark(self._dialect.remark(self.host))
        return Notice(remarks=tuple(self._habits.remarks))

    def __enter__(self) -> BatchClient:
        self._runner = BackgroundLoop()
        self._client = open_client(self._access, self._asked.url, patience=PATIENCE)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        runner, client = self._runner, self._client
        self._runner = self._client = None
        if runner is not None and client is not None:
            runner.run(client.close())
            runner.close()

    def size(self, request: BatchRequest) -> int:
        """Bytes that a request takes in the file of a batch.

        Raises:
            Unsupported: the request cannot be put to such a server.
        """
        return len(self._line(request))

    def submit(self, requests: Iterable[BatchRequest], tag: str) -> BatchState:
        """Hands requests over, `MOST_REQUESTS` and `MOST_BYTES` at most, all of one kind.

        Args:
            requests: at least one; ids are not repeated.
            tag: BiasLab's own id for the batch, by which `find` finds it again.

        Raises:
            BatchTrouble: as it says. Creating the batch is never repeated here, because a
                server that created it and could not say so would work on it twice.
            ValueError: no requests, or more than one batch may hold.
        """
        with tempfile.TemporaryFile() as file:
            path = self._write(requests, file)
            return self._run(self._submit(file, path, tag))

    def find(self, tag: str) -> BatchState | None:
        """The batch that carries this tag; None where the server has none.

        Raises:
            BatchTrouble: the server cannot say.
        """
        return self._run(self._find(tag))

    def status(self, batch: str) -> BatchState:
        """How far a batch is.

        Raises:
            BatchTrouble: the server cannot say.
        """
        return self._run(self._status(batch))

    def results(self, state: BatchState, requests: Lookup) -> Iterator[BatchResult]:
        """What became of the requests of a batch that has ended: answers first, then errors.

        Requests that the files say nothing of are not in it; see `unanswered`. Broken lines
        and ids that were never handed over are left out.

        Args:
            state: of the batch.
            requests: looks up what was asked.

        Raises:
            BatchTrouble: the files cannot be fetched now. Nothing is yielded before the first
                of them is here as a whole.
        """
        share = state.seconds / max(1, state.total)
        for name in (state.output, state.errors):
            if not name:
                continue
            with tempfile.TemporaryFile() as file:
                self._run(self._fetch(name, file))
                file.seek(0)
                texts = iter(partial(file.readline, MOST_ANSWER_BYTES), b"")
                lines = (line for text in texts if (line := read_line(text, self._asked.key)))
                while group := list(islice(lines, _READ_TOGETHER)):
                    known = requests([line.id for line in group])
                    for line in group:
                        if line.id in known:
                            yield self._read(line, known[line.id], share)

    def unanswered(self, state: BatchState) -> Failure:
        """Why a request of this batch has neither an answer nor an error of its own."""
        if state.status == "failed":
            said = " ".join(self._asked.quote(reason) for reason in state.reasons)
            return Failure(
                f"{self.host} refused the batch {state.id} as a whole"
                f"{f': {said}' if said else ' without saying why.'}",
                retryable=True,
            )
        if state.status in ("expired", "cancelled"):
            what = "expired" if state.status == "expired" else "was cancelled"
            return Failure(
                f"The batch {state.id} {what} at {self.host} before this was asked.",
                retryable=True,
            )
        return Failure(
            f"{self.host} sent no readable answer to this with the batch {state.id}. Resume the "
            "run to ask again.",
            retryable=True,
        )

    def _run(self, work: Coroutine[Any, Any, _T]) -> _T:
        if self._runner is None:
            work.close()
            raise RuntimeError("The client is not open: use it in a with block.")
        return self._runner.run(work)

    @property
    def _open(self) -> AsyncOpenAI:
        assert self._client is not None
        return self._client

    def _line(self, request: BatchRequest) -> bytes:
        try:
            body = self._dialect.body(self._name, request.request)
            return write_line(request.id, f"/v1{path_of(request.request)}", body)
        except Unaskable as error:
            raise Unsupported(str(error)) from None

    def _write(self, requests: Iterable[BatchRequest], file: IO[bytes]) -> str:
        path, count = "", 0
        for request in requests:
            path = path or path_of(request.request)
            file.write(self._line(request))
            count += 1
        if not 1 <= count <= MOST_REQUESTS or file.tell() > MOST_BYTES:
            raise ValueError(
                f"A batch holds 1 to {MOST_REQUESTS} requests and {MOST_BYTES} bytes, not "
                f"{count} and {file.tell()}."
            )
        file.seek(0)
        return path

    async def _submit(self, file: IO[bytes], path: str, tag: str) -> BatchState:
        endpoint: Literal["/v1/chat/completions", "/v1/completions"] = (
            "/v1/chat/completions" if path == "/chat/completions" else "/v1/completions"
        )
        try:
            uploaded = await self._open.files.create(
                file=(f"{TAG}-{tag}.jsonl", file, "application/jsonl"), purpose="batch"
            )
            batch = await self._open.with_options(max_retries=0).batches.create(
                input_file_id=uploaded.id,
                endpoint=endpoint,
                completion_window="24h",
                metadata={TAG: tag},
            )
        except OpenAIError as error:
            raise self._trouble(error) from None
        except AttributeError:
            raise self._no_batches() from None
        return self._state(batch)

    async def _find(self, tag: str) -> BatchState | None:
        try:
            async for batch in self._open.batches.list(limit=100):
                if (getattr(batch, "metadata", None) or {}).get(TAG) == tag:
                    return self._state(batch)
        except OpenAIError as error:
            raise self._trouble(error) from None
        return None

    async def _status(self, batch: str) -> BatchState:
        try:
            return self._state(await self._open.batches.retrieve(batch))
        except APIStatusError as error:
            if error.status_code != 404:
                raise self._trouble(error) from None
            raise BatchTrouble(
                f"{self.host} does not know the batch {batch}. It may belong to another key or "
                "project: use the one it was handed over with.",
                unknown=True,
            ) from None
        except OpenAIError as error:
            raise self._trouble(error) from None

    async def _fetch(self, name: str, file: IO[bytes]) -> None:
        """Fetches a file; one that the server no longer has is taken for an empty one."""
        try:
            async with self._open.files.with_streaming_response.content(name) as response:
                async for part in response.iter_bytes():
                    file.write(part)
        except APIStatusError as error:
            if error.status_code != 404:
                raise self._trouble(error) from None
        except OpenAIError as error:
            raise self._trouble(error) from None
        except httpx2.HTTPError:
            raise BatchTrouble(
                f"The connection to {self.host} was lost while answers were fetched.", passing=True
            ) from None

    def _state(self, batch: object) -> BatchState:
        if not isinstance(batch, Batch) or not isinstance(batch.id, str):
            raise self._no_batches()
        # The client checks no types, so the object is read like everything that is sent.
        sent = batch.model_dump(warnings=False)
        counts = _object(sent.get("request_counts"))
        began = count_of(sent.get("created_at"))
        times = map(count_of, map(sent.get, ("completed_at", "expired_at", "cancelled_at")))
        ended = next(filter(None, times), None)
        errors = _object(sent.get("errors")).get("data")
        return BatchState(
            id=batch.id,
            tag=name_of(_object(sent.get("metadata")).get(TAG)),
            status=name_of(sent.get("status")),
            total=count_of(counts.get("total")) or 0,
            completed=count_of(counts.get("completed")) or 0,
            failed=count_of(counts.get("failed")) or 0,
            seconds=float(max(0, ended - began)) if ended and began else 0.0,
            reasons=tuple(
                refusal.message or refusal.code
                for refusal in (refusal_of(400, error) for error in errors or ())
            )
            if isinstance(errors, list)
            else (),
            output=name_of(sent.get("output_file_id")),
            errors=name_of(sent.get("error_file_id")),
        )

    def _read(self, row: AnswerRow, request: GenerationRequest, seconds: float) -> BatchResult:
        if row.status is None:
            return self._not_worked_on(row)
        if row.status == 200:
            answer = read_answer(row.content, request, self._asked, seconds, self._habits)
            checked = self._one_model.check(answer)
            return BatchResult(row.id, checked)
        refusal = refusal_of(row.status, _error_in(row.content))
        refused = refusal.refused_parameter
        before = self._dialect.body(self._name, request)
        self._dialect.learn(refused)
        if self._dialect.body(self._name, request) != before:
            self._learned.add(refused)
        failure = failure_of_refusal(refusal, self._asked)
        return BatchResult(row.id, failure, unasked=refused in self._learned)

    def _not_worked_on(self, row: AnswerRow) -> BatchResult:
        refusal = refusal_of(500, row.error)
        said = f" It said: {self._asked.quote(refusal.message)}" if refusal.message else ""
        reason = f"{self.host} did not work on this request of the batch.{said}"
        unasked = refusal.code in ("batch_expired", "batch_cancelled")
        return BatchResult(row.id, Failure(reason, retryable=True), unasked)

    def _trouble(self, error: OpenAIError) -> BatchTrouble:
        if isinstance(error, APIStatusError) and error.status_code in _NO_SUCH_PATH:
            return self._no_batches()
        failure = failure_of(error, self._asked)
        unreachable = isinstance(error, (APIConnectionError, Overdue)) and failure.retryable
        return BatchTrouble(
            failure.reason,
            passing=failure.retryable and (unreachable or not failure.stops_run),
            unreachable=unreachable and failure.stops_run,
        )

    def _no_batches(self) -> BatchTrouble:
        return BatchTrouble(
            f"{self.host} takes no batches. Run this without the Batch API, or check the base URL."
        )


def _error_in(content: bytes) -> object:
    body = json.loads(content)
    return body.get("error", body) if isinstance(body, dict) else body


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
