"""The openai client for one address: its key, its transport, its patience, and what it may say.

The openai client repeats requests and gives up on silence by itself. The transport underneath
it lets each attempt out through a `Gate`, notes what became of it, and sends no header that
the server has no use for: no key of another host, no organisation, no facts on this machine.
"""

from __future__ import annotations

import asyncio
import json
import math
import ssl
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import httpx2
from openai import AsyncOpenAI, DefaultAioHttpClient, OpenAIError

from biaslab.models.provider import Access
from biaslab.models.server.addresses import is_loopback, is_openai, normal_url
from biaslab.models.server.keys import NO_KEY, hide_key_in, read_key
from biaslab.models.server.request.dialect import ServerHabits, Wait
from biaslab.models.server.request.limit import (
    ATTEMPTS,
    LOST,
    NO_CONNECTION,
    NOT_SECURE,
    TIMED_OUT,
    Attempts,
    Gate,
    Limit,
    is_passing,
    status_phrase,
)
from biaslab.models.server.request.replies import (
    Finish,
    NoAnswer,
    SentError,
    is_page,
    load,
    read_reply,
)
from biaslab.models.server.request.unpacking import (
    ACCEPTED,
    MOST_ANSWER_BYTES,
    MOST_FILE_BYTES,
    UnpackedStream,
    unpacked_headers,
)

IDLE_SECONDS = 4.0
"""A connection unused for so long is closed: many servers close it after five seconds, and a
request sent just then would be lost."""

TOLD_SECONDS = 60.0
"""Where a server wants to be left alone for longer, the person who waits is told."""

MOST_HELD_SECONDS = 600.0
"""Where it wants to be left alone for longer, the run pauses and a person resumes it."""

_CHAT = "/chat/completions"

WAIT = "biaslab.wait"
"""Where the seconds stand that a server asked for, once they are no header any more."""

_WAITS = ("retry-after-ms", "retry-after")

OVERLOADED = frozenset({429, 503, 529})
"""Statuses of a server that has too much to do."""

_HEADERS = frozenset(
    {
        b"accept",
        b"connection",
        b"content-encoding",
        b"content-length",
        b"content-type",
        b"host",
        b"transfer-encoding",
        b"user-agent",
    }
)
_OPENAI_HEADERS = _HEADERS | {b"openai-organization", b"openai-project"}


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a server is waited for.

    Attributes:
        connect: seconds for a connection to be made.
        silence: seconds without a byte. A server writes nothing until the model has finished.
        deadline: seconds on the wire for one request, all attempts together, so that a server
            that sends a byte now and then does not hold a place for ever.
        attempts_more: how often the client asks again after an attempt in vain. Its pauses
            grow from half a second to eight, or are what the server asks for.
        even_unreachable: whether that holds for an address that cannot be reached at all too;
            False where a person waits to hear that it is wrong.
        rest: seconds for which an address that cannot be reached is left alone while others
            can be asked.
    """

    connect: float = 10.0
    silence: float = 600.0
    deadline: float = 1800.0
    attempts_more: int = 6
    even_unreachable: bool = True
    rest: float = 30.0


PATIENCE = Patience()
"""For all servers, unless told otherwise."""


class Overdue(OpenAIError):
    """A request was on the wire for longer than its deadline; not to be repeated."""


class Unreachable(OpenAIError):
    """The address cannot be reached, and another one can be asked instead."""


class InVain(httpx2.RemoteProtocolError):
    """What came with status 200 is no answer, so that it is asked again like an error.

    Attributes:
        answer: what is wrong with it.
    """

    def __init__(self, answer: NoAnswer, request: httpx2.Request) -> None:
        super().__init__(answer.what, request=request)
        self.answer = answer


def open_client(
    access: Access,
    url: str,
    *,
    patience: Patience = PATIENCE,
    gate: Gate | None = None,
    habits: ServerHabits | None = None,
) -> AsyncOpenAI:
    """A client for one address, with the key that belongs to it. Connects to nothing yet.

    To be used from one event loop, and closed there.

    Args:
        access: whose key is read from the environment and how much is asked at once.
        url: one of its base URLs.
        patience: how long the server is waited for.
        gate: what lets requests out; one of its own by default.
        habits: what was seen of the address so far, and will be; nothing by default.

    Raises:
        MissingKey: there is no key where one is needed.
        BadAddress: the base URL is no address.
    """
    address = normal_url(url)
    key = read_key(access) or NO_KEY
    waits = httpx2.Timeout(
        connect=patience.connect, read=patience.silence, write=patience.silence, pool=None
    )
    http_client = _Transport(
        key=key,
        foreign=not is_openai(address),
        gate=gate or Gate(Limit(access.at_once)),
        habits=habits or ServerHabits(),
        patience=patience,
        timeout=waits,
        trust_env=not is_loopback(address),
        limits=httpx2.Limits(
            max_connections=access.at_once,
            max_keepalive_connections=access.at_once,
            keepalive_expiry=IDLE_SECONDS,
        ),
    )
    return AsyncOpenAI(
        api_key=key,
        base_url=address,
        http_client=http_client,
        timeout=waits,
        max_retries=patience.attempts_more,
    )


class _Transport(DefaultAioHttpClient):
    """Sends each attempt when the gate lets it out, and notes what became of it."""

    def __init__(
        self,
        *,
        key: str,
        foreign: bool,
        gate: Gate,
        habits: ServerHabits,
        patience: Patience,
        **settings: Any,
    ) -> None:
        # A redirect would carry the prompt, and perhaps the key, to an unnamed place.
        super().__init__(follow_redirects=False, **settings)
        self._key = key
        self._habits = habits
        self._authorization = (b"Authorization", f"Bearer {key}".encode("ascii"))
        self._allowed = _HEADERS if foreign else _OPENAI_HEADERS
        self._gate = gate
        self._patience = patience

    async def send(
        self, request: httpx2.Request, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        attempts = ATTEMPTS.get(None) or Attempts(self._patience.even_unreachable)
        request.headers = httpx2.Headers(
            [*self._known(request.headers.raw), (b"Accept-Encoding", ACCEPTED), self._authorization]
        )
        age = await self._gate.enter()
        attempts.begun()
        began = time.monotonic()
        response = None
        try:
            async with asyncio.timeout(max(0.0, self._patience.deadline - attempts.spent)):
                opened = await super().send(request, stream=True, **options)
                response = await self._received(opened, stream=stream)
        except TimeoutError:
            attempts.failed(TIMED_OUT)
            raise Overdue(f"No answer within {self._patience.deadline:g} seconds.") from None
        except httpx2.RequestError as error:
            why = trouble(error)
            attempts.failed(why)
            if why == NO_CONNECTION and not attempts.patient:
                raise Unreachable("Connection error.") from error
            raise
        except aiohttp.ClientError as error:
            attempts.failed(LOST)
            raise httpx2.RemoteProtocolError(str(error), request=request) from error
        finally:
            attempts.ended(time.monotonic() - began)
            if response is None:
                self._gate.ended()
        try:
            self._check(response)
        except NoAnswer as error:
            attempts.failed(error.short)
            self._gate.ended()
            raise InVain(error, request) from error
        except SentError as error:
            response.status_code = error.status
        self._note(response, attempts, age)
        return response

    async def _received(self, response: httpx2.Response, *, stream: bool) -> httpx2.Response:
        """The response out of its packing; without the key where it is read here."""
        most = MOST_FILE_BYTES if stream else MOST_ANSWER_BYTES
        body = UnpackedStream(response, most)
        given: dict[str, Any] = {"stream": body}
        if not stream:
            try:
                content = b"".join([part async for part in body])
            finally:
                await body.aclose()
            given = {"content": hide_key_in(content, self._key)}
        return httpx2.Response(
            response.status_code,
            headers=unpacked_headers(response),
            request=response.request,
            extensions=response.extensions,
            **given,
        )

    def _check(self, response: httpx2.Response) -> None:
        """Looks at an answer before anybody else does, so that one that is none is asked for again.

        Raises:
            NoAnswer: it is none, and this is no matter for a person yet.
            SentError: it is an error.
        """
        path, status = response.request.url.path, response.status_code
        if not path.endswith("/completions") or not response.is_closed or is_passing(status):
            return
        if is_page(response.content):
            if self._habits.proved and not 300 <= status < 400:
                load(response.content)
            return
        if status >= 300:
            return
        try:
            body = load(response.content, self._key)
            reply = read_reply(body, chat=path.endswith(_CHAT))
            if reply.finish is Finish.UNSAID and self._habits.says_finish:
                raise NoAnswer("did not say how its answer ended", "no word of how it ended")
        except NoAnswer:
            if self._habits.proved or self._patience.even_unreachable:
                raise
            return
        self._habits.note(reply)

    def _known(self, headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        return [(name, value) for name, value in headers if name.lower() in self._allowed]

    def _note(self, response: httpx2.Response, attempts: Attempts, age: int) -> None:
        status = response.status_code
        if status < 300:
            self._gate.succeeded(age)
            return
        if is_passing(status):
            attempts.failed(status_phrase(status))
        if status not in OVERLOADED:
            self._gate.ended()
            return
        if _no_money_left(response):
            response.headers["x-should-retry"] = "false"
            self._gate.ended()
            return
        wait = wait_asked(response.headers)
        held = min(wait, MOST_HELD_SECONDS)
        self._gate.overloaded(age, held)
        if wait <= MOST_HELD_SECONDS and self._patience.even_unreachable:
            # The gate minds the wait; the client would rather fail than wait for minutes.
            response.extensions[WAIT] = wait
            for name in _WAITS:
                response.headers.pop(name, None)
        if wait > TOLD_SECONDS:
            host = response.request.url.netloc.decode("ascii")
            self._habits.wait = Wait(
                time.monotonic() + held,
                f"{host} wants to be left alone {until(wait)}. Nothing is sent to it before.",
            )


def wait_asked(headers: httpx2.Headers, now: datetime | None = None) -> float:
    """Seconds for which a server wants to be left alone: its Retry-After, in any of its forms.

    Args:
        headers: of the response.
        now: the time that a date is compared with.
    """
    for name, in_one_second in zip(_WAITS, (1000.0, 1.0), strict=True):
        try:
            seconds = float(headers.get(name, "")) / in_one_second
        except ValueError:
            continue
        if seconds == seconds:
            return max(0.0, seconds)
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except (TypeError, ValueError, OverflowError):
        return 0.0
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def until(seconds: float, now: datetime | None = None) -> str:
    """Such as ``for 9 minutes, until 14:05 UTC``.

    Args:
        seconds: of waiting.
        now: the time that it begins.
    """
    began = now or datetime.now(UTC)
    try:
        end = began + timedelta(seconds=seconds)
    except OverflowError:
        return "for longer than anybody can wait"
    minutes = math.ceil(seconds / 60)
    day = f"{end:%H:%M} UTC" if end.date() == began.date() else f"{end:%d %B %Y, %H:%M} UTC"
    if minutes < _HOURS_FROM:
        return f"for {minutes} minutes, until {day}"
    hours = math.ceil(seconds / 3600)
    return f"for {hours:,} hours, until {day}"


_HOURS_FROM = 120
"""Minutes from which hours are said."""


def trouble(error: BaseException) -> str:
    """Why an attempt came to nothing, such as `NO_CONNECTION`.

    The transport calls most things a time-out, so what caused its error is looked at first.
    """
    for each in _causes(error):
        if isinstance(each, (aiohttp.ClientSSLError, ssl.SSLError)):
            return NOT_SECURE
        if isinstance(each, (aiohttp.ConnectionTimeoutError, aiohttp.ClientConnectorError)):
            return NO_CONNECTION
        if isinstance(each, aiohttp.SocketTimeoutError):
            return TIMED_OUT
        if isinstance(each, aiohttp.ClientError):
            return LOST
    return TIMED_OUT if isinstance(error, httpx2.TimeoutException) else LOST


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _no_money_left(response: httpx2.Response) -> bool:
    """Whether “too many requests” means that nothing is left to pay with."""
    if not response.is_closed:
        return False
    try:
        error = json.loads(response.content)["error"]
        return "insufficient_quota" in (error.get("code"), error.get("type"))
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
