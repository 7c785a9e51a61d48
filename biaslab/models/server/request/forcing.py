"""Log-probability of any given text from a llama.cpp server, which is made to write it.

The server repeats no prompt (it ignores ``echo`` without a word), but it writes only what a grammar
allows, and its log-probabilities are those of the model before any grammar. So the tokens of prompt
and continuation are asked of it (``/tokenize``), those that all the continuations begin with are
sent as the prompt, and a grammar that names the others one by one leaves it no other choice. What
is scored is what local models score (`split_at_shared_beginning`), to the token. Turns of a chat
become a text by the server's own template (``/apply-template``).

A grammar of tokens, not of letters: bound to letters alone, a server chooses how to cut them, and
`` apples`` may come as `` app`` and ``les``, which is another text to the model. The prompt is read
anew each time: one that the server remembers gave numbers up to 0.3 nats away for some models.
"""

from __future__ import annotations

from collections.abc import Sequence

from openai import APIStatusError

from biaslab.models.provider import Endpoint
from biaslab.models.requests import Likelihood, Message, split_at_shared_beginning
from biaslab.models.server.request.dialect import NO_PICTURE, turn_of
from biaslab.models.server.request.replies import ServerReply, count_of
from biaslab.models.server.request.server_client import RequestSender, server_message
from biaslab.models.server.request.token_chances import (
    NotForced,
    NotGiven,
    Unscorable,
    Wrong,
    read_forced,
)

_LISTED = 500
"""Tokens listed at each place, so that further digits or the other answer take no further request;
thousands would make answers of a megabyte."""

FRESH = {"cache_prompt": False}
"""Has a prompt read anew."""


async def likelihood_by_force(
    client: RequestSender, messages: Sequence[Message], continuations: Sequence[str]
) -> Likelihood:
    """How probable each continuation is, a request for each that no earlier answer lists.

    Raises:
        Unscorable: the texts have no log-probability that can be had.
        NotForced, NotGiven, Wrong: what came back is not what it should be.
        openai.APIError, NoAnswer: as `client` raises them.
    """
    prompt = await prompt_of(client, messages)
    alone = await tokens_of(client, prompt)
    together = [await tokens_of(client, prompt + text) for text in continuations]
    beginning, endings = split_at_shared_beginning(alone, together)
    if not beginning:
        raise Unscorable(
            "Nothing stands before the continuations, so they have no probability: give a longer "
            "prompt."
        )
    lists: dict[tuple[int, ...], dict[int, float]] = {}
    replies = []
    for ending in sorted(endings, key=len, reverse=True):
        if all(token in lists.get(ending[:at], ()) for at, token in enumerate(ending)):
            continue
        replies.append(await force(client, beginning, ending))
        for at, listed in enumerate(read_forced(replies[-1].choice, ending)):
            lists.setdefault(ending[:at], {}).update(listed)
    return Likelihood.of_tokens(
        [[lists[ending[:at]][token] for at, token in enumerate(ending)] for ending in endings],
        tokens_in=sum(reply.tokens_in for reply in replies),
        served=one_name(replies),
    )


async def prompt_of(client: RequestSender, messages: Sequence[Message]) -> str:
    """The text that the model is given: a plain one as it is, turns by the server's template.

    Raises:
        NotGiven: the server renders no turns.
        Unscorable: these cannot be rendered.
        openai.APIError, NoAnswer: as `client` raises them.
    """
    if len(messages) == 1 and messages[0].role == "text":
        return messages[0].content
    if any(message.picture for message in messages):
        raise Unscorable(NO_PICTURE)
    if not messages or any(message.role == "text" for message in messages):
        raise Unscorable("Give one plain text, or turns of a conversation.")
    turns = [turn_of(message) for message in messages]
    prompt = (await client.ask_beside("/apply-template", messages=turns)).get("prompt")
    if not isinstance(prompt, str) or not prompt:
        raise NotGiven
    if messages[-1].role == "assistant" and not prompt.endswith(messages[-1].content):
        raise Unscorable(
            "The last turn is the model's own, and the server's template does not let it go on: "
            "end the messages with a turn of the user."
        )
    return prompt


def one_name(replies: Sequence[ServerReply]) -> str:
    """The name of the one model that gave all of them.

    Raises:
        Unscorable: they came under several.
    """
    names = {reply.served for reply in replies}
    if len(names) > 1:
        raise Unscorable(
            f"The server answered under several names ({', '.join(sorted(names))}), so the "
            "continuations were not scored by one model."
        )
    return names.pop()


async def tokens_of(client: RequestSender, text: str) -> list[int]:
    """The numbers of a text's tokens, as the server puts them before its model.

    Raises:
        NotGiven: it does not say.
        Wrong: they are no numbers.
        openai.APIError, NoAnswer: as `client` raises them.
    """
    marks = {"add_special": True, "parse_special": True}
    given = (await client.ask_beside("/tokenize", content=text, **marks)).get("tokens")
    if not isinstance(given, list):
        raise NotGiven
    if any(count_of(token) is None for token in given):
        raise Wrong("what the server gives as the numbers of its tokens are none")
    return given


async def force(
    client: RequestSender, beginning: Sequence[int], ending: Sequence[int]
) -> ServerReply:
    """The answer of a server that is made to write these tokens, for `read_forced`.

    Raises:
        NotForced: it refuses the grammar.
        openai.APIError, NoAnswer: as `client` raises them.
    """
    grammar = "root ::= " + " ".join(f"<[{token}]>" for token in ending)
    try:
        return await client.ask(
            Endpoint.COMPLETIONS,
            prompt=list(beginning),
            grammar=grammar,
            logprobs=_LISTED,
            temperature=0,
            max_tokens=len(ending),
            **FRESH,
        )
    except APIStatusError as error:
        if "grammar" not in server_message(error):
            raise
        raise NotForced(
            "the server cannot be made to write these tokens by a grammar, as a llama.cpp of 2026 "
            "can, or one of them is a mark of its own, such as the end of a text, or only a part "
            "of a sign, such as an emoji"
        ) from error
