"""One address that serves the model: asks it one request and says how that ended."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from contextvars import Context
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import httpx2
from openai import APIStatusError, AsyncOpenAI, OpenAIError

from biaslab.models.provider import Access, Endpoint
from biaslab.models.requests import (
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Result,
    Unsupported,
)
from biaslab.models.server.capabilities import Proof
from biaslab.models.server.keys import NO_KEY, read_key
from biaslab.models.server.probe.listing import read_list
from biaslab.models.server.probe.proving import prove
from biaslab.models.server.probe.trials import find_ending
from biaslab.models.server.request.client import Overdue, Patience, open_client
from biaslab.models.server.request.dialect import Dialect, ServerHabits, path_of, refusal_of
from biaslab.models.server.request.failures import Recipient, completion_of, failure_of, reply_of
from biaslab.models.server.request.limit import ATTEMPTS, Attempts, Gate, Limit
from biaslab.models.server.request.replies import Finish, NoAnswer, ReplyTooLarge
from biaslab.models.server.request.scoring import score
from biaslab.models.server.request.server_client import ServerClient

_LEARNT_AT_MOST = 4
"""So often one request is put in another way before its refusal is taken as final."""

_LIST_SECONDS = 10.0

_Found = TypeVar("_Found")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RequestOutcome:
    """How asking one address ended.

    Attributes:
        result: what to hand back.
        elsewhere: whether the address itself is at fault, so that another one may do better.
    """

    result: Result
    elsewhere: bool = False


class ServerEndpoint:
    """One address with its own client and limit. Belongs to one event loop.

    Args:
        name: of the model, as it is sent.
        url: the base URL, in its normal form.
        access: whose key is used, and how much is asked at once.
        patience: how long the server is waited for.
    """

    def __init__(self, name: str, url: str, access: Access, patience: Patience) -> None:
        key = read_key(access) or NO_KEY
        self.url = url
        self.limit = Limit(access.at_once)
        self.assigned = 0
        """Requests that were given to this address and have not come back."""
        self.habits = ServerHabits(proved=bool(access.served))
        self._gate = Gate(self.limit)
        self._client: AsyncOpenAI = open_client(
            access, url, patience=patience, gate=self._gate, habits=self.habits
        )
        self._asked = Recipient(url, name, key)
        self._endpoint = access.endpoint
        self._rest = patience.rest
        self._resting_until = 0.0
        self._dialect = Dialect(continuing=access.continuing, switch=access.switch)
        self._proofs: dict[Endpoint, asyncio.Task[Proof]] = {}
        self._ending: asyncio.Task[str | None] | None = None
        self._models: asyncio.Task[tuple[str, ...]] | None = None

    @property
    def host(self) -> str:
        """Such as ``localhost:8000``."""
        return self._asked.host

    @property
    def resting(self) -> bool:
        """Whether the address was found to be out of reach a short while ago."""
        return time.monotonic() < self._resting_until

    @property
    def load(self) -> float:
        """How much it has to do for what it bears; above 1, requests wait."""
        held = self.limit.held(time.monotonic())
        return (self.assigned + 1) / self.limit.now + held

    async def ask(
        self, request: GenerationRequest | LikelihoodRequest, *, patient: bool
    ) -> RequestOutcome:
        """Asks once, with all the repeating that the openai client does. Never raises.

        Args:
            request: what to ask.
            patient: whether to go on trying when the address cannot be reached.
        """
        attempts = Attempts(patient)
        ATTEMPTS.set(attempts)
        self.assigned += 1
        try:
            outcome = await self._outcome(request, attempts)
        finally:
            self.assigned -= 1
        retries = (*outcome.result.retries, *attempts.earlier())
        return replace(outcome, result=replace(outcome.result, retries=retries))

    def rest(self) -> None:
        """Leaves the address alone for a while, then begins with one request."""
        if not self.resting:
            _log.warning("%s cannot be used now; its work goes to the other addresses.", self.url)
        self._resting_until = time.monotonic() + self._rest
        self.limit.start_again()

    async def close(self) -> None:
        """Closes connections."""
        self._gate.close()
        shared = [*self._proofs.values(), *filter(None, (self._models, self._ending))]
        for task in shared:
            task.cancel()
        await asyncio.gather(*shared, return_exceptions=True)
        await self._client.close()

    async def _outcome(
        self, request: GenerationRequest | LikelihoodRequest, attempts: Attempts
    ) -> RequestOutcome:
        try:
            if isinstance(request, LikelihoodRequest):
                return RequestOutcome(await self._score(request))
            return RequestOutcome(await self._write(request, attempts))
        except APIStatusError as error:
            asked = self._asked
            if error.status_code == 404:
                asked = replace(asked, models=await self._list_models())
            failure = failure_of(error, asked)
            return RequestOutcome(failure, elsewhere=error.status_code >= 500)
        except Unsupported as error:
            return RequestOutcome(Failure(str(error), retryable=False, stops_run=True))
        except NoAnswer as error:
            return RequestOutcome(self._asked.sent(error))
        except OpenAIError as error:
            # A request that took too long here would take as long elsewhere.
            elsewhere = not isinstance(error, (Overdue, ReplyTooLarge))
            return RequestOutcome(failure_of(error, self._asked), elsewhere)
        except Exception as error:  # one request must not end the channel
            _log.warning("Asking %s ended with %s.", self.url, type(error).__name__)
            return RequestOutcome(failure_of(error, self._asked))

    async def _write(self, request: GenerationRequest, attempts: Attempts) -> Completion | Failure:
        path = path_of(request)
        for left in reversed(range(_LEARNT_AT_MOST)):
            body = self._dialect.body(self._asked.name, request)
            try:
                response = await self._client.post(path, cast_to=httpx2.Response, body=body)
            except APIStatusError as error:
                if left == 0 or error.status_code not in (400, 422):
                    raise
                self._dialect.learn(refusal_of(error.status_code, error.body).refused_parameter)
                if self._dialect.body(self._asked.name, request) == body:
                    raise
                self.habits.remark(self._dialect.remark(self.host))
                continue
            reply = reply_of(response.content, request, self._asked)
            if isinstance(reply, Failure):
                return reply
            seconds = attempts.last
            if left > 0 and reply.finish is Finish.UNSAID and not await self._is_ending(reply.word):
                continue
            return completion_of(reply, request, self._asked, seconds, self.habits)
        raise AssertionError("The last attempt returns or raises.")

    async def _is_ending(self, word: str) -> bool:
        """Whether the server ends whole answers with this word, or with no word at all."""
        if self._ending is None:
            line = ServerClient(self._client, self._asked.name)
            endpoint = self._endpoint or Endpoint.CHAT
            self._ending = _in_background(find_ending(line, endpoint))
        try:
            found = await asyncio.shield(self._ending)
        except (OpenAIError, NoAnswer):
            self._ending = None
            return False
        if found is not None:
            self.habits.whole.add(found)
        return word in self.habits.whole

    async def _score(self, request: LikelihoodRequest) -> Likelihood | Failure:
        plain = bool(request.messages) and request.messages[0].role == "text"
        endpoint = self._endpoint or (Endpoint.COMPLETIONS if plain else Endpoint.CHAT)
        line = ServerClient(self._client, self._asked.name)
        if endpoint not in self._proofs:
            self._proofs[endpoint] = _in_background(prove(line, endpoint))
        proving = self._proofs[endpoint]
        try:
            proof = await asyncio.shield(proving)
        except Exception:
            if self._proofs.get(endpoint) is proving:
                del self._proofs[endpoint]
            raise
        return await score(line, endpoint, proof, request)

    async def _list_models(self) -> tuple[str, ...]:
        if self._models is None:
            self._models = _in_background(self._ask_for_models())
        return await asyncio.shield(self._models)

    async def _ask_for_models(self) -> tuple[str, ...]:
        """The names that the server lists; none where it lists none."""
        brief = self._client.with_options(max_retries=0, timeout=_LIST_SECONDS)
        try:
            listed = await read_list(brief)
        except OpenAIError:
            return ()
        return listed.names if listed else ()


def _in_background(work: Coroutine[Any, Any, _Found]) -> asyncio.Task[_Found]:
    """A task that several requests wait for, so that its attempts are noted as nobody's."""
    return asyncio.get_running_loop().create_task(work, context=Context())
