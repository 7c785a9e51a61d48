"""Log-probability of each continuation, asked of a server.

Three ways, none used before `biaslab.models.server.probe.proving` has shown that its numbers are
right, and none ever replaced by reading an answer's text:

*Echo* (completions): the server repeats prompt and continuation with the log-probability of
every token. What is added up is what `biaslab.models.local.network` adds up for local models: the
tokens after the shared beginning. Where a token crosses the border between prompt and
continuation in any of the texts, the beginning ends before that token, for every continuation
alike, so the scores stay comparable.

*Forced* (`biaslab.models.server.request.forcing`): llama.cpp is made to write the continuation.

*Top* (chat, or completions without echo): the most probable first tokens. A continuation has a
probability only where it is one token and among them; everything else is a failure. On
completions its text must be the token's text to the letter. A turn of a chat begins with nothing
before it, so there a space in front means nothing, and models differ in which spelling they
know: all continuations are looked up in the spelling that was given and in that with, or
without, one space in front, and the spelling is taken in which all are found; if both, the more
probable one. Spellings are never mixed within a request.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from biaslab.models.provider import Endpoint
from biaslab.models.requests import Failure, Likelihood, LikelihoodRequest, Message, Unsupported
from biaslab.models.server.capabilities import Proof, Scoring
from biaslab.models.server.request.forcing import likelihood_by_force, one_name
from biaslab.models.server.request.replies import ServerReply
from biaslab.models.server.request.server_client import RequestSender, worded
from biaslab.models.server.request.token_chances import (
    EchoedToken,
    NotGiven,
    Unscorable,
    Wrong,
    read_echo,
    read_first_alternatives,
)


async def score(
    client: RequestSender, endpoint: Endpoint, proof: Proof, request: LikelihoodRequest
) -> Likelihood | Failure:
    """How probable each continuation is after the messages.

    Echo and force take requests for each continuation, one after the other; top takes one in all.

    Raises:
        Unsupported: the server's log-probabilities were not shown to be right.
        openai.APIError, NoAnswer: as `client` raises them.
    """
    if not proof.right:
        raise Unsupported(proof.why_not or "The server's log-probabilities were not tried yet.")
    if not request.continuations or not all(request.continuations):
        return _failure("There is a continuation without text, which has no probability to score.")
    try:
        if proof.scoring is Scoring.ECHO:
            return await _score_by_echo(client, request)
        if proof.scoring is Scoring.FORCED:
            if endpoint is Endpoint.COMPLETIONS:
                _plain_text(request.messages)
            return await likelihood_by_force(client, request.messages, request.continuations)
        return await _score_by_top(client, endpoint, proof.alternatives, request)
    except NotGiven:
        return _failure("The server gave no log-probabilities this time, as it did when probed.")
    except Wrong as error:
        return _failure(f"The server's log-probabilities cannot be used: {error}.")
    except Unscorable as error:
        return _failure(str(error))


async def echoed(client: RequestSender, text: str) -> tuple[tuple[EchoedToken, ...], ServerReply]:
    """The text's tokens with their log-probabilities, and the answer they came in.

    Raises:
        NotGiven, Wrong: see `read_echo`.
    """
    # One token is written after the echo, as some servers refuse to write none. At temperature
    # 1 the numbers are the model's own, whether a server divides by it or not.
    reply = await client.ask(
        Endpoint.COMPLETIONS, prompt=text, echo=True, logprobs=1, max_tokens=1, temperature=1
    )
    return read_echo(reply.choice, text), reply


async def first_alternatives(
    client: RequestSender,
    endpoint: Endpoint,
    messages: Sequence[Message],
    most: int,
    **more: object,
) -> tuple[dict[str, float], ServerReply]:
    """The most probable first tokens, best first, and the answer they came in.

    Args:
        client: to the server.
        endpoint: in which way of writing.
        messages: what it goes on from.
        most: how many are listed.
        more: further fields that this server is known to understand.

    Raises:
        NotGiven, Wrong: see `read_first_alternatives`.
    """
    fields = worded(endpoint, messages)
    if endpoint is Endpoint.CHAT:
        fields |= {"logprobs": True, "top_logprobs": most}
    else:
        fields |= {"logprobs": most}
    # Temperature 1 as above.
    reply = await client.ask(endpoint, **fields, **more, max_tokens=1, temperature=1)
    return read_first_alternatives(reply.choice), reply


def add_up(border: int, texts: Sequence[Sequence[EchoedToken]]) -> Likelihood:
    """Log-probability of every text after the beginning that all share.

    Args:
        border: where the continuation starts, in characters.
        texts: the tokens of prompt and continuation, for each continuation.

    Raises:
        Unscorable: nothing stands before the continuations.
    """
    columns = enumerate(zip(*texts, strict=False))
    differing = next(
        (at for at, tokens in columns if len({token.text for token in tokens}) > 1), None
    )
    shared = min(
        next((at for at, token in enumerate(tokens) if token.end > border), len(tokens))
        for tokens in texts
    )
    shared = shared if differing is None else min(shared, differing)
    endings = [[token.log_probability for token in tokens[shared:]] for tokens in texts]
    known = [[number for number in ending if number is not None] for ending in endings]
    if known != endings or not all(known):
        raise Unscorable(
            "Nothing stands before the continuations, so they have no probability: give a longer "
            "prompt."
        )
    return Likelihood.of_tokens(known)


def look_up(
    alternatives: dict[str, float], continuations: Sequence[str], *, in_turn: bool
) -> tuple[float, ...]:
    """Log-probabilities of continuations that are single tokens.

    Args:
        alternatives: texts of the most probable first tokens with their log-probabilities.
        continuations: what to look up.
        in_turn: whether they open a turn of a chat, where a space in front means nothing.

    Raises:
        Unscorable: one of them is not among the alternatives.
    """
    spellings = [tuple(continuations)]
    if in_turn:
        spaced = all(text.startswith(" ") for text in continuations)
        bare = not any(text.startswith(" ") for text in continuations)
        if spaced and all(text[1:] for text in continuations):
            spellings.append(tuple(text[1:] for text in continuations))
        elif bare:
            spellings.append(tuple(f" {text}" for text in continuations))
    found = [
        tuple(alternatives[text] for text in spelling)
        for spelling in spellings
        if all(text in alternatives for text in spelling)
    ]
    if found:
        return max(found, key=lambda numbers: sum(map(math.exp, numbers)))
    missing = next(text for text in continuations if text not in alternatives)
    raise Unscorable(
        f"“{missing}” is not among the {len(alternatives)} most probable first tokens that the "
        "server lists, so its probability is not known. Only single, probable tokens can be "
        "compared in this way. The server's completions endpoint, where it has one that repeats "
        "the prompt, can compare any."
    )


async def _score_by_echo(client: RequestSender, request: LikelihoodRequest) -> Likelihood:
    prompt = _plain_text(request.messages)
    texts, replies = [], []
    for continuation in request.continuations:
        tokens, reply = await echoed(client, prompt + continuation)
        texts.append(tokens)
        replies.append(reply)
    return replace(
        add_up(len(prompt), texts),
        tokens_in=sum(reply.tokens_in for reply in replies),
        served=one_name(replies),
    )


async def _score_by_top(
    client: RequestSender, endpoint: Endpoint, most: int, request: LikelihoodRequest
) -> Likelihood:
    chat = endpoint is Endpoint.CHAT
    if not chat:
        _plain_text(request.messages)
    elif not request.messages or request.messages[-1].role == "assistant":
        raise Unscorable(
            "The last turn is the model's own, and servers differ in whether they continue it: "
            "end the messages with a turn of the user."
        )
    alternatives, reply = await first_alternatives(client, endpoint, request.messages, most)
    numbers = look_up(alternatives, request.continuations, in_turn=chat)
    each = [[number] for number in numbers]
    return Likelihood.of_tokens(each, tokens_in=reply.tokens_in, served=reply.served)


def _plain_text(messages: Sequence[Message]) -> str:
    if len(messages) == 1 and messages[0].role == "text":
        return messages[0].content
    raise Unscorable(
        "The server is asked to continue plain text, but was given turns of a conversation: "
        "choose its chat."
    )


def _failure(reason: str) -> Failure:
    return Failure(reason, retryable=False)
