"""Single things that are tried out on a server, each with a request or a few.

Whether a chat server goes on from the model's own last message, and how much it may think.

Servers accept both and ignore them, so what only the right thing leads to is looked for. Every
message of the model is to open with a word and much counting; its last message does, and breaks off
within a number. Only a continuation gives the rest of the number within a few tokens: a new turn
opens with the word and has no room to come so far, also where a server puts what was begun in front
of what it sends. Thinking must be there when it is asked for and not otherwise, or clearly longer,
for every one of a few questions.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from openai import APIStatusError, BadRequestError, OpenAIError, UnprocessableEntityError

from biaslab.models.provider import Continuing, Endpoint, ThinkingSwitch
from biaslab.models.requests import Message, ThinkingLevel
from biaslab.models.server.capabilities import EndpointReport, Seed, SystemMessage, Thinking
from biaslab.models.server.probe.known_prompts import KNOWN_PAIRS, SAMPLE
from biaslab.models.server.request.dialect import refusal_of, told_to_continue, told_to_think
from biaslab.models.server.request.replies import Finish, NoAnswer, ServerReply
from biaslab.models.server.request.server_client import ServerClient, worded
from schoolmath.text.thinking import find_thinking, split_thinking

SAMPLE_TOKENS = 64
"""A model that thinks first may not come to its answer; that it works is seen all the same."""

_ENDING_TOKENS = 512
_ENDINGS = 2

_STOP = "\nQ:"

_SEED_TOKENS = 16
_SEEDS = (7, 7, 7, 8)
"""One seed three times, as a model that is sure of its words may repeat them by chance."""

_SEED_PROMPT = "Write down ten words that have nothing to do with each other:"

_WORD = "banana"
_ORDER = f"Whatever you are asked, answer with the single word {_WORD}."

_FAR_TOO_LONG = 10_000_000
"""More tokens than any model takes, so that a server that checks says what it takes."""

_COMMON = [" ", "e", "\n", "a"]
"""A server that does not check stops at one of these, after a few tokens."""

_LONGEST_SAID = re.compile(
    r"(?:maximum context length|context length|context window|context size|max_model_len"
    r"|n_ctx|max_total_tokens|max_new_tokens)[^0-9]{0,40}([0-9][0-9,]{0,15})",
    re.IGNORECASE,
)


async def sample(client: ServerClient, endpoint: Endpoint) -> EndpointReport:
    """Asks a word problem.

    Raises:
        openai.APIError, NoAnswer: it was not answered.
    """
    fields = worded(endpoint, SAMPLE.messages(endpoint)) | {"max_tokens": SAMPLE_TOKENS}
    fields["temperature"] = 0
    stops: bool | None = None
    if endpoint is Endpoint.COMPLETIONS:
        # Every study sends some when it has plain text continued.
        fields["stop"] = [_STOP]
        stops = True
    try:
        reply = await client.ask(endpoint, **fields)
    except APIStatusError as error:
        refused = refusal_of(error.status_code, error.body).refused_parameter
        if refused == "temperature":
            del fields["temperature"]
        elif stops and (refused == "stop" or error.status_code >= 500):
            del fields["stop"]
            stops = False
        else:
            raise
        reply = await client.ask(endpoint, **fields)
    text = SAMPLE.turn if endpoint is Endpoint.CHAT else SAMPLE.text
    return EndpointReport(
        endpoint,
        works=True,
        served=reply.served,
        answer=reply.text,
        thinking=_thinking(reply),
        unfinished=_is_unfinished(reply),
        seconds=reply.seconds,
        tokens_in=reply.tokens_in,
        tokens_per_character=reply.tokens_in / len(text) if reply.tokens_in else None,
        cold="temperature" in fields,
        stops=stops if stops is None else stops and _STOP not in reply.text.removesuffix(_STOP),
        says_finish=reply.finish is not Finish.UNSAID,
    )


async def find_ending(client: ServerClient, endpoint: Endpoint) -> str | None:
    """The word that the server ends whole answers with, where it is none of the usual ones.

    The sample is asked with much room. Only where both answers end in the same way, below the
    limit by the server's own count, is that how it ends whole answers.

    Returns:
        the word, empty where the server never says a word; None where it says the usual ones, or
        whole answers cannot be told from others.

    Raises:
        openai.APIError, NoAnswer: it was not answered.
    """
    words = set()
    for _ in range(_ENDINGS):
        fields = worded(endpoint, SAMPLE.messages(endpoint)) | {"max_tokens": _ENDING_TOKENS}
        reply = await client.ask(endpoint, **fields)
        if reply.finish is not Finish.UNSAID or not 0 < reply.tokens_out < _ENDING_TOKENS:
            return None
        words.add(reply.word)
    return words.pop() if len(words) == 1 else None


async def try_seed(client: ServerClient, endpoint: Endpoint) -> Seed:
    """Asks at temperature 1 with one seed, again with it, and with another one."""
    prompt = Message("user" if endpoint is Endpoint.CHAT else "text", _SEED_PROMPT)
    fields = worded(endpoint, (prompt,)) | {"max_tokens": _SEED_TOKENS, "temperature": 1}
    texts = []
    try:
        for seed in _SEEDS:
            reply = await client.ask(endpoint, **fields, seed=seed)
            texts.append(reply.thinking + reply.text)
    except (BadRequestError, UnprocessableEntityError):
        return Seed.REFUSED
    except (APIStatusError, NoAnswer):
        return Seed.UNKNOWN
    *same, other = texts
    if len(set(same)) > 1:
        return Seed.IGNORED
    return Seed.REPEATS if other not in same else Seed.UNCLEAR


async def try_system_message(client: ServerClient, endpoint: EndpointReport) -> SystemMessage:
    """Puts an order before the sample problem that is easily seen to be obeyed."""
    messages = (Message("system", _ORDER), *SAMPLE.messages(Endpoint.CHAT))
    fields = worded(Endpoint.CHAT, messages) | {"max_tokens": SAMPLE_TOKENS}
    if endpoint.cold:
        fields["temperature"] = 0
    try:
        reply = await client.ask(Endpoint.CHAT, **fields)
    except (APIStatusError, NoAnswer):
        return SystemMessage.REFUSED
    if _WORD in reply.text.lower():
        return SystemMessage.OBEYED
    if 0 < reply.tokens_in <= endpoint.tokens_in:
        return SystemMessage.DROPPED
    return SystemMessage.ACCEPTED


async def find_longest(client: ServerClient, endpoint: Endpoint) -> int | None:
    """Most tokens of prompt and answer together, where the server says so in an error."""
    fields = worded(endpoint, SAMPLE.messages(endpoint)) | {"max_tokens": _FAR_TOO_LONG}
    try:
        await client.ask(endpoint, **fields, stop=_COMMON)
    except APIStatusError as error:
        found = _LONGEST_SAID.search(refusal_of(error.status_code, error.body).message)
        tokens = int(found[1].replace(",", "")) if found else 0
        return tokens if 0 < tokens < _FAR_TOO_LONG else None
    except (OpenAIError, NoAnswer):
        return None
    return None


def _thinking(reply: ServerReply) -> Thinking:
    if reply.thinking:
        return Thinking.SEPARATE
    return Thinking.INSIDE if find_thinking(reply.text).blocks else Thinking.NONE


def _is_unfinished(reply: ServerReply) -> bool:
    """Whether thinking filled the whole answer."""
    return reply.finish is Finish.CUT and not split_thinking(reply.text).text.strip()


Fields = dict[str, Any]

_CODES = (("TULIP", "4815-16", "23-4210"), ("COPPER", "9037-55", "28-6641"))
"""The word that every message opens with, and a number broken in two."""

_COUNT = (
    "One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, "
    "fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty."
)

_CODE_TOKENS = 16
"""Enough for the rest of a number, and less than half of the counting takes."""

_GLANCE_TOKENS = 64
"""Enough to see whether thinking begins."""

_WHOLE_TOKENS = 1024
"""Enough for most thinking about a small sum, so that two lengths of it can be compared."""

_QUESTIONS = tuple(pair.one.messages(Endpoint.CHAT) for pair in KNOWN_PAIRS)

_CLEARLY = 1.3
"""So many times as long must all long thinking be: by chance the half of it would be longer."""


async def try_continuing(client: ServerClient, cold: Fields) -> Continuing | None:
    """The way in which the server goes on from the model's last message; None: in none.

    ``cold`` holds the field for temperature 0, where the server takes that.
    """
    for way in Continuing:
        with suppress(APIStatusError, NoAnswer):
            if await _goes_on(client, cold, way):
                return way
    return None


async def _goes_on(client: ServerClient, cold: Fields, way: Continuing) -> bool:
    for word, begun, rest in _CODES:
        order = (
            f"Begin each of your messages with the word {word}. After it count from one to twenty "
            f"in words, then repeat this number and write nothing else: {begun}{rest}"
        )
        said = f"{word}. {_COUNT} {begun}"
        messages = (Message("user", order), Message("assistant", said))
        fields = told_to_continue(messages, way) | {"max_tokens": _CODE_TOKENS} | cold
        reply = await client.ask(Endpoint.CHAT, **fields)
        if not reply.text.removeprefix(said).startswith(rest) or reply.tokens_out > _CODE_TOKENS:
            return False
    return True


async def try_switch(client: ServerClient, cold: Fields, *, thinks: bool) -> ThinkingSwitch | None:
    """The way in which the server is told how much to think; None: in none.

    Effort takes long to try, so it is only where the model ``thinks`` unasked.
    """
    for switch in (ThinkingSwitch.TEMPLATE, ThinkingSwitch.WORDS):
        with suppress(APIStatusError, NoAnswer):
            if await _switches(client, cold, switch):
                return switch
    with suppress(APIStatusError, NoAnswer):
        if thinks and await _grows(client, cold):
            return ThinkingSwitch.EFFORT
    return None


async def _switches(client: ServerClient, cold: Fields, switch: ThinkingSwitch) -> bool:
    for question in _QUESTIONS[:2]:
        for level, wanted in ((ThinkingLevel.LONG, True), (ThinkingLevel.OFF, False)):
            told = told_to_think(question, switch, level)
            if (await _thought(client, told, cold, _GLANCE_TOKENS) > 0) is not wanted:
                return False
    return True


async def _grows(client: ServerClient, cold: Fields) -> bool:
    for question in _QUESTIONS:
        short, long = [
            await _thought(
                client, told_to_think(question, ThinkingSwitch.EFFORT, level), cold, _WHOLE_TOKENS
            )
            for level in (ThinkingLevel.SHORT, ThinkingLevel.LONG)
        ]
        if long < max(1, short) * _CLEARLY:
            return False
    return True


async def _thought(
    client: ServerClient, request: tuple[tuple[Message, ...], Fields], cold: Fields, tokens: int
) -> int:
    """How much was thought: tokens as the server counts them, else signs."""
    fields = worded(Endpoint.CHAT, request[0]) | request[1] | {"max_tokens": tokens} | cold
    reply = await client.ask(Endpoint.CHAT, **fields)
    shown = reply.thinking or split_thinking(reply.text).thinking
    return reply.tokens_thought or len(shown.strip())
