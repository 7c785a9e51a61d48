"""Log-probabilities of tokens as servers report them, read with suspicion.

Two shapes are in use. Columns (OpenAI's completions, vLLM, llama-cpp-python)::

    {"tokens": [...], "token_logprobs": [...], "top_logprobs": [{token: number}], "text_offset": []}

and rows (OpenAI's chat, llama.cpp on both paths)::

    {"content": [{"token": ..., "logprob": ..., "top_logprobs": [{"token":, "logprob":}]}]}
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

_ROUNDING = 1e-3
"""So far above 0 a log-probability, or above 1 a sum of probabilities, may come by rounding."""

_MOST_LEADING = 2
"""Tokens in front that the text does not have, such as a beginning of text."""


_LEAST = math.log(2.0**-126)
"""llama.cpp takes the logarithm of a probability in 32 bits, which is coarse, then 0, below this;
for 0 it gives the lowest number there is."""


class NotGiven(Exception):
    """The answer holds no log-probabilities of the kind that was asked for."""


class Wrong(Exception):
    """The numbers cannot be log-probabilities; the text is a clause that says why."""


class Unscorable(Exception):
    """These continuations have no log-probability that can be had; the text is a sentence."""


class NotForced(Wrong):
    """The server wrote another text than it was made to write."""


@dataclass(frozen=True, slots=True)
class EchoedToken:
    """A token of a text that was sent.

    Attributes:
        text: as the server writes it.
        start, end: places in the text, in characters.
        log_probability: None where nothing stands before it.
    """

    text: str
    start: int
    end: int
    log_probability: float | None


def read_echo(choice: Mapping[str, Any], text: str) -> tuple[EchoedToken, ...]:
    """The tokens of the text that was sent, without those that were written after it.

    Servers disagree about places: some leave ``text_offset`` out and some count a beginning of
    text that the text itself does not have. So places are believed only where the tokens they
    give are what stands there.

    Raises:
        NotGiven: there are no log-probabilities, or none of the text that was sent.
        Wrong: the tokens do not make up the text, or the numbers are out of range.
    """
    columns = choice.get("logprobs")
    if not isinstance(columns, dict):
        raise NotGiven
    tokens, numbers = columns.get("tokens"), columns.get("token_logprobs")
    if not isinstance(tokens, list) or not isinstance(numbers, list) or not tokens:
        raise NotGiven
    if len(tokens) != len(numbers) or not all(isinstance(token, str) for token in tokens):
        raise Wrong("the server gives another number of log-probabilities than of tokens")
    if not "".join(tokens).strip() or not str(choice.get("text", "")).startswith(text):
        raise NotGiven
    starts, leading = _places(tokens, columns.get("text_offset"), text)
    ends = [*starts[1:], starts[-1] + len(tokens[-1])]
    echoed = tuple(
        EchoedToken(tokens[at], starts[at], ends[at], _checked(numbers[at]))
        for at in range(leading, len(tokens))
        if starts[at] < len(text)
    )
    if all(token.log_probability is None for token in echoed[1:]) and len(echoed) > 1:
        raise NotGiven
    return echoed


def read_first_alternatives(choice: Mapping[str, Any]) -> dict[str, float]:
    """Texts of the most probable first tokens and their log-probabilities, best first.

    Raises:
        NotGiven: there are none.
        Wrong: the numbers are out of range.
    """
    found: dict[str, float] = {}
    for token, number in _first_alternatives(choice):
        value = _checked(number)
        if value is not None:
            same = found.get(token)
            found[token] = value if same is None else _added(same, value)
    if not found:
        raise NotGiven
    if sum(map(math.exp, found.values())) > 1 + _ROUNDING:
        raise Wrong("the probabilities of a token's alternatives add up to more than 1")
    return dict(sorted(found.items(), key=lambda entry: -entry[1]))


def read_forced(choice: Mapping[str, Any], tokens: Sequence[int]) -> list[dict[int, float]]:
    """Log-probabilities in the place of every token that the server was made to write.

    Returns:
        for each place that of the token, by its number, and those of others that are listed.

    Raises:
        NotForced: it did not write them.
        Wrong: the numbers are out of range.
    """
    given = choice.get("logprobs")
    content = given.get("content") if isinstance(given, dict) else None
    rows = [row for row in content or () if isinstance(row, dict)]
    if [row.get("id") for row in rows] != list(tokens):
        raise NotForced(
            "the server does not write exactly the tokens that it is made to write, or leaves out "
            "one that is only a part of a sign"
        )
    places = [_numbers([*(row.get("top_logprobs") or ()), row]) for row in rows]
    own = [place.get(token) for token, place in zip(tokens, places, strict=True)]
    if None in own:
        raise Wrong(
            "the server cannot tell how improbable the text is, as its numbers end at about "
            f"{_LEAST:.0f}"
        )
    if not any(own):
        raise Wrong("the server calls the text certain, as one does that counts its own order in")
    return places


def _numbers(entries: Sequence[Any]) -> dict[int, float]:
    """By the numbers of their tokens; the last one counts, if only to say that it has none."""
    found = {each["id"]: _checked(each.get("logprob")) for each in entries if "id" in each}
    return {token: at for token, at in found.items() if at is not None and at >= _LEAST}


def _first_alternatives(choice: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    given = choice.get("logprobs")
    if not isinstance(given, dict):
        return
    rows, columns = given.get("content"), given.get("top_logprobs")
    if isinstance(rows, list) and rows and isinstance(rows[0], dict):
        for entry in rows[0].get("top_logprobs") or ():
            if isinstance(entry, dict) and isinstance(entry.get("token"), str):
                yield entry["token"], entry.get("logprob")
    elif isinstance(columns, list) and columns and isinstance(columns[0], dict):
        yield from columns[0].items()


def _places(tokens: Sequence[str], content: object, text: str) -> tuple[list[int], int]:
    counted = [0, *accumulate(map(len, tokens))][:-1]
    ways = [counted]
    if isinstance(content, list) and len(content) == len(tokens):
        if not all(isinstance(place, int) for place in content):
            raise Wrong("the places the server gives for its tokens are no numbers")
        ways.insert(0, content)
    for places in ways:
        for leading in range(min(_MOST_LEADING + 1, len(tokens))):
            starts = [place - places[leading] for place in places]
            if _fit(tokens[leading:], starts[leading:], text):
                return starts, leading
    raise Wrong("the tokens the server gives do not make up the text that was sent")


def _fit(tokens: Sequence[str], starts: Sequence[int], text: str) -> bool:
    ends = [*starts[1:], starts[-1] + len(tokens[-1])]
    if not tokens or max(ends) < len(text) or any(e < s for s, e in zip(starts, ends, strict=True)):
        return False
    return all(
        start >= len(text) or (end <= len(text) and _stands_there(token, text[start:end]))
        for token, start, end in zip(tokens, starts, ends, strict=True)
    )


def _stands_there(token: str, there: str) -> bool:
    # Part of a character has no text of its own; its neighbours vouch for its place.
    return token == there or "\ufffd" in token or token.startswith("bytes:")


def _checked(number: object) -> float | None:
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, int | float) or math.isnan(number):
        raise Wrong("what the server gives as log-probabilities are no numbers")
    if number > _ROUNDING:
        raise Wrong("the server gives log-probabilities above 0")
    return min(float(number), 0.0)


def _added(one: float, other: float) -> float:
    high, low = max(one, other), min(one, other)
    return high if math.isinf(low) else high + math.log1p(math.exp(low - high))
