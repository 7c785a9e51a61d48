"""The way to a model's servers: every request on its own, each to one address, and how it ended.

One address that serves the model: asks it one request and says how that ended.

Sees to it that all answers are of one model.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Collection, Coroutine
from contextvars import Context
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import httpx2
from openai import APIStatusError, AsyncOpenAI, OpenAIError

from biaslab.models.provider import Access, Endpoint
from biaslab.models.requests import (
    Asked,
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Notice,
    Result,
    Unsupported,
)
from biaslab.models.server.addresses import base_urls
from biaslab.models.server.capabilities import Proof
from biaslab.models.server.keys import NO_KEY, read_key
from biaslab.models.server.probe.listing import read_list
from biaslab.models.server.probe.proving import prove
from biaslab.models.server.probe.trials import find_ending
from biaslab.models.server.request.client import PATIENCE, Overdue, Patience, open_client
from biaslab.models.server.request.dialect import Dialect, ServerHabits, path_of, refusal_of
from biaslab.models.server.request.failures import Recipient, completion_of, failure_of, reply_of
from biaslab.models.server.request.limit import ATTEMPTS, Attempts, Gate, Limit
from biaslab.models.server.request.replies import Finish, NoAnswer
from biaslab.models.server.request.scoring import score
from biaslab.models.server.request.server_client import ServerClient
from biaslab.models.server.request.unpacking import ReplyTooLarge

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


_Answer = TypeVar("_Answer", bound=Completion | Likelihood)


class OneModel:
    """Compares the name under which each answer came with the one that is expected.

    Args:
        served: the name that is known; where it is empty, the first answer decides.
        also: other names that are taken for the same model.
    """

    def __init__(self, served: str, also: Collection[str] = ()) -> None:
        self._served = served
        self._also = frozenset(also)

    def check(self, result: _Answer | Failure) -> _Answer | Failure:
        """The result itself, or a failure where another model answered."""
        if isinstance(result, Failure):
            return result
        if not self._served:
            self._served = result.served
        if result.served == self._served or result.served in self._also:
            return result
        named = f"by the name of “{result.served}”" if result.served else "without a name"
        return Failure(
            f"The server answered {named} and not as “{self._served}”, so this may be another "
            "model, and answers of different models are never mixed. Ask for a model by a name "
            "that means one version of it, such as one with a date. If both are to count as one "
            "model, say so: “Other names of the same model” where the server is connected, or "
            "--also-served.",
            retryable=False,
            retries=result.retries,
        )


_CLOSING_SECONDS = 10.0
"""The thread ends at once when it is told to; this is for a machine that is very busy."""

_GONE = Failure(
    "The connection to the server was closed before the answer was there. Resume the run to ask "
    "again.",
    retryable=True,
)


class ServerChannel:
    """A `Channel` to one or several addresses of the same model.

    A request goes to the address that has the least to do for what it bears. When an address
    cannot be reached or only gives errors, its requests go to the others.

    Args:
        name: of the model, as it is sent.
        access: how the servers are reached.
        patience: how long a server is waited for.

    Raises:
        MissingKey: there is no key where one is needed.
        BadAddress: a base URL is no address.
    """

    def __init__(self, name: str, access: Access, patience: Patience = PATIENCE) -> None:
        self._places = [ServerEndpoint(name, url, access, patience) for url in base_urls(access)]
        self._at_once = access.at_once
        self._one_model = OneModel(access.served, access.also_served)
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._outbox: deque[tuple[str, Asked]] = deque()
        self._called = False
        self._done: list[tuple[str, Result]] = []
        self._open = 0
        self._results: list[tuple[str, Result]] = []
        self._arrived = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="servers", daemon=True)
        self._thread.start()

    @property
    def capacity(self) -> int:
        """How many requests may be on their way at once now."""
        now = time.monotonic()
        awake = [place for place in self._places if not place.resting] or self._places
        borne = sum(place.limit.now for place in awake if place.limit.held(now) == 0)
        return min(self._at_once, borne)

    @property
    def room(self) -> int:
        """How many more requests may be sent now."""
        return max(0, self.capacity - self._open)

    @property
    def notice(self) -> Notice:
        """What is to be known of the addresses now."""
        now = time.monotonic()
        waits = [place.habits.wait for place in self._places if not place.resting]
        # Where another address is asked meanwhile, nobody waits.
        waiting = min(waits, default=None, key=lambda wait: wait.until)
        told = waiting.sentence if waiting is not None and waiting.until > now else ""
        remarks = (remark for place in self._places for remark in tuple(place.habits.remarks))
        return Notice(told, tuple(dict.fromkeys(remarks)))

    def send(self, key: str, request: Asked) -> None:
        """Puts a request on its way and returns at once."""
        with self._arrived:
            self._open += 1
        self._outbox.append((key, request))
        if not self._called:
            self._called = True
            self._loop.call_soon_threadsafe(self._take)

    def receive(self, seconds: float) -> list[tuple[str, Result]]:
        """What has come back. Waits for the first result, but no longer than given."""
        with self._arrived:
            if not self._results:
                self._arrived.wait(seconds)
            results, self._results = self._results, []
            self._open -= len(results)
        return results

    def close(self) -> None:
        """Gives up what is on its way and closes all connections."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_CLOSING_SECONDS)

    def __enter__(self) -> ServerChannel:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()

    def _run(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._wind_up())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _wind_up(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for place in self._places:
            await place.close()

    def _take(self) -> None:
        self._called = False
        while self._outbox:
            key, request = self._outbox.popleft()
            task = self._loop.create_task(self._do(key, request))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _do(self, key: str, request: Asked) -> None:
        result: Result = _GONE
        try:
            result = self._one_model.check(await self._ask(request))
        finally:
            # All that come back in one turn of the loop wake the receiver once.
            if not self._done:
                self._loop.call_soon(self._hand_over)
            self._done.append((key, result))

    def _hand_over(self) -> None:
        done, self._done = self._done, []
        with self._arrived:
            self._results += done
            self._arrived.notify()

    async def _ask(self, request: Asked) -> Result:
        untried = list(self._places)
        retries: tuple[str, ...] = ()
        while True:
            place = min(untried, key=lambda each: (each.resting, each.load))
            untried.remove(place)
            others = [other for other in untried if not other.resting]
            outcome = await place.ask(request, patient=not others)
            result = replace(outcome.result, retries=(*retries, *outcome.result.retries))
            if not outcome.elsewhere:
                return result
            if len(self._places) > 1:
                place.rest()
            if not others:
                return result
            retries = (*result.retries, f"no answer from {place.host}")
