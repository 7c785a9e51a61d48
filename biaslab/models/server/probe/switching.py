"""Whether a chat server goes on from the model's own last message, and how much it may think.

Servers accept both and ignore them, so what only the right thing leads to is looked for. Every
message of the model is to open with a word and much counting; its last message does, and breaks off
within a number. Only a continuation gives the rest of the number within a few tokens: a new turn
opens with the word and has no room to come so far, also where a server puts what was begun in front
of what it sends. Thinking must be there when it is asked for and not otherwise, or clearly longer,
for every one of a few questions.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from openai import APIStatusError

from biaslab.models.access import Continuing, Endpoint, ThinkingSwitch
from biaslab.models.requests import Message, ThinkingLevel
from biaslab.models.server.probe.known_prompts import KNOWN_PAIRS
from biaslab.models.server.request.dialect import told_to_continue, told_to_think
from biaslab.models.server.request.replies import NoAnswer
from biaslab.models.server.request.server_client import ServerClient, worded
from schoolmath.text.thinking import split_thinking

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
