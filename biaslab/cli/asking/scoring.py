"""Log-probabilities of given texts from the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from biaslab.cli.asking.models import access_of, allow_key, server_options
from biaslab.cli.conventions import sentences
from biaslab.models import (
    AT_ONCE,
    Access,
    Failure,
    Likelihood,
    LikelihoodRequest,
    Message,
    open_model,
)
from biaslab.models.provider import AUTO, DTYPES
from schoolmath.text.given_files import numbered_lines, parse_json

_ROLES = ("system", "user", "assistant")

_LONGEST = 100_000
"""Signs of a line; hardly a model takes more, and nothing longer is parsed."""


@click.command("score")
@click.option(
    "--model",
    required=True,
    help="local:DIRECTORY, tiny:NAME, or openai:NAME of a server (--base-url).",
)
@click.option(
    "--file",
    "source",
    type=click.Path(path_type=Path),
    metavar="FILE",
    required=True,
    help="Texts, one JSON object a line: prompt (plain text) or messages (turns, each "
    "with role and content), and continuation.",
)
@click.option(
    "--dtype",
    type=click.Choice([AUTO, *DTYPES]),
    default=DTYPES[0],
    show_default=True,
    help="Number format of a local model.",
)
@server_options  # fmt: skip
def score_command(model: str, source: Path, **given: Any) -> None:
    """Print how probable each continuation of a file is after its prompt.

    One JSON object a line, in the file's order: line, log_probability (natural logarithm), tokens
    (how many) and by_token (the log-probability of each). Where a token crosses the border between
    prompt and continuation, it counts whole. A line that cannot be scored has a sentence as error
    in their place, and the exit status is then 1.

    A server is used only after its numbers were shown to be right: one that repeats the text
    (echo), llama.cpp by force, or the list of the most probable first tokens.
    """
    shown = failed = 0
    found: dict[int, Likelihood | Failure] = {}
    with sentences():
        allow_key(given["key_env"], given["base_urls"])
        lines = numbered_lines(source)
        access = access_of(given | {"at_once": AT_ONCE, "processes": 1, "cluster": ""})
        for at, answer in _answers(model, access, lines):
            found[at] = answer
            while shown in found:
                row = _row(lines[shown][0], found.pop(shown))
                failed += "error" in row
                click.echo(json.dumps(row, ensure_ascii=False))
                shown += 1
    sys.exit(1 if failed else 0)


def _answers(
    model: str, access: Access, lines: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, Likelihood | Failure]]:
    """What becomes of every line, by its place: first of those that cannot be asked."""
    from biaslab.runs.jobs.one_off import score_loose

    asked: dict[int, LikelihoodRequest] = {}
    for at, (number, line) in enumerate(lines):
        read = _request(line)
        if isinstance(read, str):
            yield at, Failure(f"Line {number} {read}", retryable=False)
        else:
            asked[at] = read
    if not asked:
        return
    places = list(asked)
    for place, answer in score_loose(open_model(model, access=access), list(asked.values())):
        yield places[place], answer


def _request(line: str) -> LikelihoodRequest | str:
    """What a line asks for, or why it asks for nothing, to go on after its number."""
    if len(line) > _LONGEST:
        return f"has more than {_LONGEST:,} signs: give a shorter text."
    try:
        row = parse_json(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        return "is no JSON object: write one object a line."
    continuation = row.get("continuation")
    if not isinstance(continuation, str) or not continuation:
        return "has no “continuation”: give the text to score as a string."
    messages = _messages(row)
    if messages is None:
        return (
            "has neither “prompt” nor “messages”, or both, or not as they should be: give a text, "
            f"or turns, each with a role ({', '.join(_ROLES)}) and content."
        )
    return LikelihoodRequest(messages, (continuation,))


def _messages(row: Mapping[str, Any]) -> tuple[Message, ...] | None:
    prompt, turns = row.get("prompt"), row.get("messages")
    if isinstance(prompt, str) and turns is None:
        return (Message("text", prompt),)
    if prompt is not None or not isinstance(turns, list) or not turns:
        return None
    for turn in turns:
        if not isinstance(turn, dict) or turn.get("role") not in _ROLES:
            return None
        if not isinstance(turn.get("content"), str):
            return None
    return tuple(Message(turn["role"], turn["content"]) for turn in turns)


def _row(number: int, answer: Likelihood | Failure) -> dict[str, Any]:
    if isinstance(answer, Failure):
        return {"line": number, "error": answer.reason}
    (total,), (tokens,) = answer.log_probabilities, answer.tokens
    by_token = list(answer.by_token[0]) if answer.by_token else None
    return {"line": number, "log_probability": total, "tokens": tokens, "by_token": by_token}
