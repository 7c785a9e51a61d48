"""Whether a server's log-probabilities are right, found out before they are used.

Servers accept ``logprobs`` and ignore it, or give numbers that belong to the next token, to
another temperature or to nothing. So for each way of scoring two things are shown:

*Agreement.* Echo: after a prompt the server writes its first token and lists the alternatives
with their log-probabilities. The written token must be the best of them, and prompt and
alternative, sent back to be echoed, must give the same number, for two alternatives that
differ clearly, one in the middle of a text and one at its end. Forced: two tokens of the list that
differ clearly, made to be written, must come with the numbers of the list, and so must a second
token after the less probable one; in a chat the list is that of its answer, so this shows too that
the server renders turns as it answers them. Top: the token that is written
at temperature 0 must be the best in the list.

*A known preference.* Two prompts differ in what the answer is; the server must prefer the right
continuation after the one and the other after the other. Models differ in what they know, so
any one of a few pairs of prompts will do: a small sum, two capitals, a word repeated.

What cannot be seen from outside is a server that scales all its numbers alike, as another
temperature would; the order of single tokens is right even then.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

from openai import APIStatusError

from biaslab.models.provider import Endpoint
from biaslab.models.requests import Message
from biaslab.models.server.capabilities import Proof, Scoring
from biaslab.models.server.probe.known_prompts import KNOWN_PAIRS, SAMPLE, KnownPrompt
from biaslab.models.server.request.forcing import FRESH, likelihood_by_force, prompt_of, tokens_of
from biaslab.models.server.request.replies import NoAnswer
from biaslab.models.server.request.scoring import add_up, echoed, first_alternatives
from biaslab.models.server.request.server_client import RequestSender, server_message, worded
from biaslab.models.server.request.token_chances import NotForced, NotGiven, Unscorable, Wrong

_MOST_ALTERNATIVES = (20, 5)
"""How many first tokens are asked for: OpenAI lists 20 in a chat and 5 in completions."""

_DISTANCE = 0.3
"""Two log-probabilities that differ by so much are told apart in any number format."""

_CLEAR = 0.5
"""So much more probable, in nats, must a preferred continuation be."""

_TRIED = 4
"""So many alternatives are echoed at most before two that can be compared are found."""


_NOT_ABOUT_FIELDS = frozenset({401, 402, 403, 404, 408, 409, 429, 502, 503, 504, 529})
"""Statuses that say nothing about log-probabilities; all others may be how a server says no."""

_TAIL = "\nQ: Ben has"
"""Put behind a token, so that it is not the last one."""

_ROUNDING = 1e-6
"""Numbers that differ by less are the same number."""


_Preference = Callable[[KnownPrompt, str, str], Awaitable[float]]
"""By how much, in nats, the first word is more probable after the prompt than the second."""


async def prove(client: RequestSender, endpoint: Endpoint) -> Proof:
    """How the server gives log-probabilities on this way of writing, and whether rightly.

    Where it echoes rightly, that is used; where it does not echo, it is made to write texts, or
    else its lists are tried. A server is refused whose echo is wrong, or whose numbers of what it
    was made to write, whatever its lists say.

    Raises:
        openai.APIError: the server cannot be reached, refuses the key, has no such model or is
            overloaded.
    """
    proof = Proof()
    if endpoint is Endpoint.COMPLETIONS:
        proof = await _prove_echo(client)
    if proof.scoring is Scoring.NONE:
        proof = await _prove_forced(client, endpoint)
    for most in _MOST_ALTERNATIVES:
        if proof.scoring is Scoring.NONE:
            proof = await _prove_top(client, endpoint, most)
    return proof


async def _prove_echo(client: RequestSender) -> Proof:

    async def preference(prompt: KnownPrompt, one: str, other: str) -> float:
        texts = [await echoed(client, f"{prompt.text} {word}") for word in (one, other)]
        added = add_up(len(prompt.text), [tokens for tokens, _ in texts]).log_probabilities
        return added[0] - added[1]

    async def proved() -> Proof:
        await _check_agreement(client)
        await _check_preference(preference)
        return Proof(Scoring.ECHO, right=True, alternatives=_MOST_ALTERNATIVES[-1])

    return await _outcome(Scoring.ECHO, proved)


async def _prove_forced(client: RequestSender, endpoint: Endpoint) -> Proof:
    most = _MOST_ALTERNATIVES[0]
    try:
        await tokens_of(client, await prompt_of(client, SAMPLE.messages(endpoint)))
    except (NoAnswer, NotGiven, Wrong):
        return Proof()
    except APIStatusError as error:
        # Whoever has no such path may say so in many ways.
        if error.status_code in _NOT_ABOUT_FIELDS - {403, 404}:
            raise
        return Proof()

    async def preference(prompt: KnownPrompt, one: str, other: str) -> float:
        space = "" if endpoint is Endpoint.CHAT else " "
        words = (f"{space}{one}", f"{space}{other}")
        found = await likelihood_by_force(client, prompt.messages(endpoint), words)
        return found.log_probabilities[0] - found.log_probabilities[1]

    async def proved() -> Proof:
        await _check_force(client, endpoint, most)
        await _check_preference(preference)
        return Proof(Scoring.FORCED, right=True, alternatives=most)

    return await _outcome(Scoring.FORCED, proved)


async def _check_force(client: RequestSender, endpoint: Endpoint, most: int) -> None:
    messages = SAMPLE.messages(endpoint)
    listed, _ = await first_alternatives(client, endpoint, messages, most, **FRESH)
    await _check_best(client, endpoint, SAMPLE, listed)
    plain = list(filter(_is_plain, listed))
    distant = [token for token in plain if listed[plain[0]] - listed[token] >= _DISTANCE]
    for less in distant[:_TRIED]:
        after = (Message("text", await prompt_of(client, messages) + less),)
        then, _ = await first_alternatives(client, Endpoint.COMPLETIONS, after, most, **FRESH)
        for second in list(filter(_is_plain, then))[1:_TRIED]:
            texts = (plain[0], less, less + second)
            given = (await likelihood_by_force(client, messages, texts)).by_token
            expected = ((listed[plain[0]],), (listed[less],), (listed[less], then[second]))
            if list(map(len, given)) != list(map(len, expected)):
                continue  # cut otherwise, side by side
            for text, numbers, right in zip(texts, given, expected, strict=True):
                if not all(map(_equal, numbers, right)):
                    raise Wrong(
                        f"the server gives “{text}” {_shown(sum(right))} when it is free and "
                        f"{_shown(sum(numbers))} when it is made to write it"
                    )
            return
    raise Wrong("too few of the server's tokens can be compared to tell whether they are right")


async def _prove_top(client: RequestSender, endpoint: Endpoint, most: int) -> Proof:

    async def listed(prompt: KnownPrompt, space: str = "") -> dict[str, float]:
        messages = prompt.messages(endpoint, space)
        return (await first_alternatives(client, endpoint, messages, most))[0]

    async def preference(prompt: KnownPrompt, one: str, other: str) -> float:
        if endpoint is Endpoint.CHAT:
            return _difference(await listed(prompt), one, other)
        spaced = _difference(await listed(prompt), f" {one}", f" {other}")
        if abs(spaced) >= _CLEAR:
            return spaced
        # Some tokenizers write the space as a token of its own.
        return _difference(await listed(prompt, " "), one, other)

    async def proved() -> Proof:
        await _check_best(client, endpoint, SAMPLE, await listed(SAMPLE))
        await _check_preference(preference)
        return Proof(Scoring.TOP, right=True, alternatives=most)

    return await _outcome(Scoring.TOP, proved)


async def _outcome(scoring: Scoring, proved: Callable[[], Awaitable[Proof]]) -> Proof:
    """What became of the checks; a server that does not offer this way at all gives none."""
    try:
        return await proved()
    except NotGiven:
        why_not = "the server gives none when they are asked for"
    except NotForced as error:
        why_not = str(error)
    except (Wrong, Unscorable) as error:
        return Proof(scoring, right=False, why_not=_refused(str(error)))
    except NoAnswer as error:
        why_not = f"when they are asked for, {error}"
    except APIStatusError as error:
        if error.status_code in _NOT_ABOUT_FIELDS:
            raise
        why_not = f"the server refuses to give them ({server_message(error)})"
    return Proof(why_not=_refused(why_not))


async def _check_agreement(client: RequestSender) -> None:
    prompt, most = SAMPLE, _MOST_ALTERNATIVES[-1]
    messages = prompt.messages(Endpoint.COMPLETIONS)
    alternatives, _ = await first_alternatives(client, Endpoint.COMPLETIONS, messages, most)
    await _check_best(client, Endpoint.COMPLETIONS, prompt, alternatives)
    agreed: list[float] = []
    for token in [token for token in alternatives if _is_plain(token)][:_TRIED]:
        if any(abs(alternatives[token] - number) < _DISTANCE for number in agreed):
            continue
        # Once in the middle of a text and once at its end: faults need not be in both places.
        whole = prompt.text + token + ("" if agreed else _TAIL)
        tokens, _ = await echoed(client, whole)
        border, end = len(prompt.text), len(prompt.text) + len(token)
        ending = [entry for entry in tokens if entry.end > border and entry.start < end]
        if [(entry.start, entry.end) for entry in ending] != [(border, end)]:
            continue
        number = ending[0].log_probability
        if number is None or not _equal(number, alternatives[token]):
            raise Wrong(
                f"the server gives “{token}” {_shown(alternatives[token])} when it writes and "
                f"{_shown(number)} when it repeats the same text"
            )
        agreed.append(number)
        if len(agreed) == 2:
            return
    raise Wrong("too few of the server's tokens can be compared to tell whether they are right")


async def _check_best(
    client: RequestSender, endpoint: Endpoint, prompt: KnownPrompt, alternatives: dict[str, float]
) -> None:
    numbers = list(alternatives.values())
    if len(numbers) < 2:
        raise Wrong("the server lists too few alternatives to tell whether they are right")
    if max(numbers) - min(numbers) < _ROUNDING:
        raise Wrong("the server gives every token the same number")
    fields = worded(endpoint, prompt.messages(endpoint))
    written = (await client.ask(endpoint, **fields, max_tokens=1, temperature=0)).text
    best = next(iter(alternatives))
    if written.strip() != best.strip():
        raise Wrong(
            f"the server writes “{written}” at temperature 0 and lists “{best}” as more probable"
        )


async def _check_preference(preference: _Preference) -> None:
    for pair in KNOWN_PAIRS:
        one, other = pair.one, pair.other
        first = await preference(one, one.answer, other.answer)
        if first < _CLEAR:
            continue
        if await preference(other, other.answer, one.answer) >= _CLEAR:
            return
    raise Wrong(
        "they show none of the preferences that are known beforehand (such as 8 before 6 as the "
        "answer to 5 + 3), so either they are wrong or the model is too weak to tell"
    )


def _difference(alternatives: dict[str, float], one: str, other: str) -> float:
    """As far as the list goes; a word that is not in it is at most as probable as its last."""
    least = min(alternatives.values())
    if one not in alternatives and other not in alternatives:
        return 0.0
    return alternatives.get(one, least) - alternatives.get(other, least)


def _is_plain(token: str) -> bool:
    """Whether the token's text is all there is to it."""
    return bool(token) and "\ufffd" not in token and not token.startswith(("<", "bytes:"))


def _equal(one: float, other: float) -> bool:
    # Reading and writing run through different code on a GPU, in 16 bits.
    return math.isclose(one, other, rel_tol=0.05, abs_tol=0.1)


def _shown(number: float | None) -> str:
    return "none" if number is None else f"{number:.2f}"


def _refused(why: str) -> str:
    return (
        f"Log-probabilities of this server cannot be relied on: {why}. Studies that compare "
        "probabilities need another server or a local model."
    )
