"""Tries out what a server really supports, with a few short requests.

Nothing is believed because a server accepts it: a seed is tried by asking twice, a system message
by seeing whether it is obeyed, log-probabilities as `biaslab.models.server.probe.proving` says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from openai import APIStatusError, AsyncOpenAI, OpenAIError

from biaslab.models.provider import OPENAI_URL, Access, Endpoint
from biaslab.models.requests import ModelError
from biaslab.models.server.addresses import base_urls as normal_urls
from biaslab.models.server.background import run_in_background
from biaslab.models.server.capabilities import (
    Capabilities,
    EndpointReport,
    ProbeStep,
    Seed,
    SystemMessage,
    Thinking,
)
from biaslab.models.server.keys import read_key
from biaslab.models.server.probe.listing import ModelList, meant_urls, read_list
from biaslab.models.server.probe.proving import prove
from biaslab.models.server.probe.trials import (
    find_ending,
    find_longest,
    sample,
    try_continuing,
    try_seed,
    try_switch,
    try_system_message,
)
from biaslab.models.server.request.client import Patience, open_client
from biaslab.models.server.request.failures import Recipient, failure_of, without_runs
from biaslab.models.server.request.replies import NoAnswer
from biaslab.models.server.request.server_client import ServerClient, server_message
from schoolmath.text.thinking import unknown_markers

PATIENCE = Patience(connect=5.0, silence=120.0, deadline=180.0, even_unreachable=False)
"""A server may load its model only when it is asked. What is lost on the way is asked again as
often as in a run, or a server that a run could ask would be refused before it begins."""

Tell = Callable[[ProbeStep], None]
"""Is told each step as it begins."""


def _silent(step: ProbeStep) -> None:
    """For whoever does not watch."""


_STOPPING = frozenset({401, 402, 403, 429})
"""After these statuses everything else would fail alike."""


def probe(
    name: str,
    base_urls: Sequence[str] = (OPENAI_URL,),
    key_env: str = "",
    *,
    endpoint: Endpoint | None = None,
    also_served: Sequence[str] = (),
    patience: Patience = PATIENCE,
    seconds: float | None = None,
    tell: Tell = _silent,
) -> Capabilities:
    """What a server supports for a model. Takes seconds; never raises for what a server does.

    Everything is tried on the first address; of the others it is seen that they serve the same
    model. Uses about 25 requests and 1,500 tokens, 75 and 3,200 at a llama.cpp, with a model that
    thinks some thousand more (it says how many).

    Args:
        name: of the model, as the server knows it.
        base_urls: of servers that all serve it.
        key_env: name of the environment variable that holds the key; see `read_key`.
        endpoint: the only way of writing that is tried; by default both.
        also_served: other names of its answers that are taken for the same model.
        patience: how long the server is waited for.
        seconds: after which the test ends with what is known by then; None: when it has tried all.
        tell: is told each step as it begins.
    """
    access = Access(
        tuple(base_urls), endpoint, also_served=tuple(also_served), key_env=key_env, at_once=1
    )
    return run_in_background(find_capabilities(name, access, patience, seconds, tell))


async def find_capabilities(
    name: str,
    access: Access,
    patience: Patience = PATIENCE,
    seconds: float | None = None,
    tell: Tell = _silent,
) -> Capabilities:
    """What `probe` returns, for callers with an event loop of their own."""
    try:
        urls = normal_urls(access)
        key = read_key(access)
    except ModelError as error:
        return Capabilities(name, tuple(access.base_urls), ok=False, problems=(str(error),))
    if not name.strip():
        problem = "No model was named: give the name that the server knows it by."
        return Capabilities(name, urls, ok=False, problems=(problem,))
    probing = _Probing(name, access, patience, Recipient(urls[0], name, key), seconds, tell)
    async with open_client(access, urls[0], patience=patience) as client:
        found = await probing.first(ServerClient(client, name))
    found = replace(found, base_urls=urls)
    for url in urls[1:]:
        if found.ok:
            found = await probing.another(url, found)
    return found


class _Stop(Exception):
    """Nothing more can be found out; the text is a sentence for the user."""


@dataclass(slots=True)
class _Probing:
    """Finds out about one model.

    Attributes:
        seconds: that it may take; tell: is told each step.
        step: which goes on.
        tried: the ways of writing as far as they are known; chosen: the one that is used.
        system, longest, longest_from: see `Capabilities`.
        problems: sentences so far.
        listed: models of the first address, where it has a list.
        meant: address that was meant in place of the first one.
        beside: requests that were made beside the line's.
        no_server: whether something answered as no such server does.
    """

    name: str
    access: Access
    patience: Patience
    asked: Recipient
    seconds: float | None
    tell: Tell
    step: ProbeStep = ProbeStep.MODELS
    tried: list[EndpointReport] = field(default_factory=list)
    system: SystemMessage = SystemMessage.UNKNOWN
    longest: int | None = None
    longest_from: str = ""
    problems: list[str] = field(default_factory=list)
    listed: ModelList | None = None
    meant: str = ""
    beside: int = 0
    no_server: bool = False

    async def first(self, client: ServerClient) -> Capabilities:
        """Everything about the first address."""
        try:
            async with asyncio.timeout(self.seconds):
                await self._everything(client)
            found = self._so_far()
        except TimeoutError:
            found = self._ended()
        except (_Stop, OpenAIError, NoAnswer) as error:
            problem = str(error) if isinstance(error, _Stop) else self._sentence(error)
            found = self._failed(problem)
        return replace(found, requests=client.requests + self.beside, tokens=client.tokens)

    def _so_far(self) -> Capabilities:
        best = next(found for found in self.tried if found.works)
        return Capabilities(
            name=self.name,
            base_urls=(),
            ok=True,
            problems=(*self.problems, *_remarks(best)),
            endpoint=best.endpoint,
            served=best.served,
            models=self.listed.names if self.listed else (),
            lists_models=self.listed is not None,
            found=tuple(self.tried),
            system_message=self.system,
            longest=self.longest,
            longest_from=self.longest_from,
        )

    def _failed(self, problem: str) -> Capabilities:
        return Capabilities(
            self.name,
            (),
            ok=False,
            problems=(*self.problems, problem),
            models=self.listed.names if self.listed else (),
            lists_models=self.listed is not None,
            meant_url=self.meant,
        )

    def _ended(self) -> Capabilities:
        """What is known when the time is over."""
        seconds = f"{self.seconds:g} seconds"
        if not any(found.works for found in self.tried):
            problem = (
                f"The model had not answered a word problem after {seconds}, so the test was "
                "ended. If the server was still loading its model, test it again."
            )
            return replace(self._failed(problem), untried=self.step.and_after)
        # One way of writing answered and the other one hung.
        step = ProbeStep.SEED if self.step is ProbeStep.PROBLEM else self.step
        untried = step.and_after
        self.problems.append(
            f"The test was ended after {seconds}. Not tried: {'; '.join(untried)}. What was not "
            "tried counts as not there; test the server again to try it."
        )
        return replace(self._so_far(), untried=untried)

    async def another(self, url: str, capabilities: Capabilities) -> Capabilities:
        """The same, after seeing whether this address serves the same model."""
        if capabilities.endpoint is None:
            return capabilities
        asked = replace(self.asked, url=url)
        async with open_client(self.access, url, patience=self.patience) as client:
            line = ServerClient(client, self.name)
            problem = ""
            try:
                here = await sample(line, capabilities.endpoint)
                if here.served not in (capabilities.served, *self.access.also_served):
                    problem = (
                        f"{url} answers as “{here.served}” and {capabilities.base_urls[0]} as "
                        f"“{capabilities.served}”: give only addresses that serve the same model."
                    )
            except (OpenAIError, NoAnswer) as error:
                problem = _sentence(error, asked)
        return replace(
            capabilities,
            ok=not problem,
            problems=(*capabilities.problems, problem) if problem else capabilities.problems,
            requests=capabilities.requests + line.requests,
            tokens=capabilities.tokens + line.tokens,
        )

    async def _everything(self, client: ServerClient) -> None:
        self._begin(ProbeStep.MODELS)
        self.listed = await self._list(client.client)
        self._begin(ProbeStep.PROBLEM)
        for endpoint in self._endpoints():
            self.tried.append(await self._try(client, endpoint))
        working = [at for at, found in enumerate(self.tried) if found.works]
        if not working:
            raise _Stop(await self._why_nothing(client.client, self.tried))
        best = working[0]
        self._note_name(self.tried[best].served)
        await self._complete(client, best)
        self._begin(ProbeStep.PROBABILITIES)
        for at in working:
            found = self.tried[at]
            self.tried[at] = replace(found, proof=await prove(client, found.endpoint))
        chosen = self.tried[best]
        self._begin(ProbeStep.SYSTEM)
        if chosen.endpoint is Endpoint.CHAT:
            self.system = await try_system_message(client, chosen)
        self._note_names(chosen.served, client)
        self._begin(ProbeStep.LONGEST)
        origin, longest = "list of models", self._listed_longest(chosen.served)
        if longest is None:
            origin, longest = "error message", await find_longest(client, chosen.endpoint)
        if longest is not None:
            self.longest, self.longest_from = longest, origin

    def _begin(self, step: ProbeStep) -> None:
        self.step = step
        self.tell(step)

    def _endpoints(self) -> tuple[Endpoint, ...]:
        return (self.access.endpoint,) if self.access.endpoint else tuple(Endpoint)

    async def _list(self, client: AsyncOpenAI) -> ModelList | None:
        """None where the server has no list, which is no fault."""
        self.beside += 1
        try:
            return await read_list(client)
        except APIStatusError as error:
            if error.status_code in _STOPPING:
                raise
            return None

    async def _try(self, client: ServerClient, endpoint: Endpoint) -> EndpointReport:
        try:
            return await sample(client, endpoint)
        except NoAnswer as error:
            self.no_server = True
            return EndpointReport(endpoint, works=False, why_not=self._sentence(error))
        except APIStatusError as error:
            if error.status_code in _STOPPING:
                raise
            why_not = self._sentence(error)
            if failure_of(error, self.asked) == self.asked.no_server():
                self.no_server = True
                way = "chat" if endpoint is Endpoint.CHAT else "plain completions"
                why_not = (
                    f"{self.asked.host} offers no {way} for “{self.name}” "
                    f"({server_message(error)})."
                )
            return EndpointReport(endpoint, works=False, why_not=why_not)

    async def _complete(self, client: ServerClient, at: int) -> None:
        """Tries what is only worth knowing of the way of writing that is used."""
        self._begin(ProbeStep.SEED)
        found = self.tried[at]
        if not found.says_finish:
            found = replace(found, ending=await find_ending(client, found.endpoint))
        self.tried[at] = found = replace(found, seed=await try_seed(client, found.endpoint))
        self._begin(ProbeStep.TURNS)
        if found.endpoint is Endpoint.CHAT:
            cold = {"temperature": 0} if found.cold else {}
            thinks = found.thinking is not Thinking.NONE or found.unfinished
            found = replace(found, continuing=await try_continuing(client, cold))
            found = replace(found, switch=await try_switch(client, cold, thinks=thinks))
            self.tried[at] = found

    async def _why_nothing(self, client: AsyncOpenAI, tried: Sequence[EndpointReport]) -> str:
        """A sentence about why neither way of writing works."""
        host = self.asked.host
        if self.listed is None and self.no_server:
            for url in meant_urls(self.asked.url):
                there = await self._list_at(client, url)
                if there is not None:
                    self.meant = url
                    return (
                        f"There is no OpenAI-compatible server at {self.asked.url}, but there is "
                        f"one at {url}: use that base URL."
                    )
            return self.asked.no_server().reason
        if self.listed and self.listed.models and self.name not in self.listed.names:
            return f"There is no model “{self.name}” at {host}. {self.listed.shown(self.name)}"
        return " ".join(dict.fromkeys(found.why_not for found in tried))

    async def _list_at(self, client: AsyncOpenAI, url: str) -> ModelList | None:
        self.beside += 1
        try:
            return await read_list(client.with_options(base_url=url, max_retries=0))
        except OpenAIError:
            return None

    def _note_name(self, served: str) -> None:
        if not served or self.name in served:
            return
        self.problems.append(
            f"“{self.name}” was asked for and the server answered as “{served}”. Its answers are "
            f"saved as those of “{served}”."
        )

    def _note_names(self, served: str, client: ServerClient) -> None:
        others = [name for name in client.served if name not in (served, *self.access.also_served)]
        if others:
            named = " and ".join(f"“{name}”" for name in (served, *others))
            self.problems.append(
                f"The answers came under several names, {named}, so “{self.name}” may mean several "
                f"models. Only answers under “{served}” would be saved: test the one that is meant "
                "by its own name, or say under “Other names of the same model” (--also-served) "
                "that they are one."
            )

    def _listed_longest(self, served: str) -> int | None:
        if self.listed is None:
            return None
        return self.listed.longest(self.name) or self.listed.longest(served)

    def _sentence(self, error: Exception) -> str:
        return _sentence(error, self.asked)


def _remarks(endpoint: EndpointReport) -> list[str]:
    """Sentences about what should be known of a way of writing that works."""
    remarks = []
    if not endpoint.cold:
        remarks.append(
            "The model does not take temperature 0, so its answers are never greedy and may "
            "differ from time to time: ask for a temperature of 1 and several samples."
        )
    if endpoint.seed is Seed.REFUSED:
        remarks.append(
            "The server takes no seed, so answers above temperature 0 are asked for without one "
            "and will not come again the same."
        )
    if endpoint.thinking is Thinking.INSIDE:
        remarks.append(
            "The model writes its thinking into its answer, between markers that BiasLab knows. It "
            "is taken apart where it is read; a server can often return it separately."
        )
    unknown = unknown_markers(endpoint.answer)
    if unknown:
        remarks.append(
            f"The sample answer holds {' and '.join(unknown)}, which looks like a marker that "
            "BiasLab does not know. If it marks the model's thinking, numbers within it would be "
            "read as answers: look at the first answers, or tell the server to return thinking "
            "apart."
        )
    if endpoint.stops is False:
        remarks.append(
            "The server does not stop at a given text, or has an error when it is to: plain text "
            "may be continued at length, which costs tokens, or not at all. Use its chat if it "
            "has one."
        )
    if not endpoint.says_finish and endpoint.ending is None:
        remarks.append(
            "The server does not say how its answers end (finish_reason), nor does its count of "
            "tokens show it. What may be half an answer is never read, so nothing could be read: "
            "use another server."
        )
    elif not endpoint.says_finish:
        remarks.append(
            "The server does not say how its answers end (finish_reason). One that used all its "
            "tokens is taken as cut off, any other one as whole."
        )
    if endpoint.unfinished:
        remarks.append(
            "The model thought for so long that its sample answer was cut off before it began: "
            "allow many more tokens than the studies ask for."
        )
    return remarks


def _sentence(error: Exception, recipient: Recipient) -> str:
    if isinstance(error, NoAnswer):
        what = f"What answers at {recipient.url}"
        return f"{what} does not do so as an OpenAI-compatible server: {error}."
    return without_runs(failure_of(error, recipient).reason)
