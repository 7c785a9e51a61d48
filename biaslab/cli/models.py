"""The models that can be asked: listed, probed, fetched, and the probabilities they give texts."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tqdm import tqdm

from biaslab.cli.conventions import sentences, together, was_given
from biaslab.models import (
    AT_ONCE,
    MOST_AT_ONCE,
    Access,
    Endpoint,
    Failure,
    Likelihood,
    LikelihoodRequest,
    Message,
    ModelCard,
    ModelChoice,
    ModelError,
    ModelKind,
    UnknownModel,
    Unsupported,
    list_models,
    open_model,
    read_card,
    read_spec,
)
from biaslab.models.local.gguf.head import only_file
from biaslab.models.local.hub import find_repository, gigabytes, hub_directory, hub_list
from biaslab.models.local.provider import local_spec
from biaslab.models.provider import AUTO, DTYPES, AnswerSource
from biaslab.models.server.model import server_spec
from biaslab.models.spec import forms, registry
from biaslab.models.tiny.model import CardEffect, tiny_directory
from biaslab.system.importing import uncollected
from schoolmath.text.figures import interval_words, percent, signed_points, typed
from schoolmath.text.given_files import numbered_lines, parse_json

if TYPE_CHECKING:
    from biaslab.runs import Store
    from biaslab.training.plan import TrainingRecord


server_options = together(
    (
        click.option("--base-url", "base_urls", multiple=True, metavar="URL",
                     help="Address of an OpenAI-compatible server, such as "
                     "http://localhost:8000/v1; repeatable for several that serve the same "
                     "model. [default: OpenAI's own]"),
        click.option("--key-env", default="", metavar="VAR",
                     help="Name of the environment variable that holds the server's key. Typing it "
                     "allows that the key is sent to the --base-url, from now on."),
        click.option("--endpoint", type=click.Choice([str(e) for e in Endpoint]), default=None,
                     help="How the server is addressed. [default: as the test finds]"),
        click.option("--also-served", multiple=True, metavar="NAME",
                     help="Another name that the server gives in its answers, taken for the same "
                     "model because you say so; repeatable. [default: as the connection has it]"),
    )
)  # fmt: skip
"""How a server is reached."""

speed_options = together(
    (
        click.option("--at-most", "at_once", type=click.IntRange(1, MOST_AT_ONCE),
                     default=AT_ONCE, show_default=True,
                     help="Most requests on their way to the server at the same time."),
        click.option("--processes", type=click.IntRange(1, 64), default=1, show_default=True,
                     help="Processes that send them, where one core is not fast enough."),
        click.option("--on", "cluster", default="", metavar="ADDRESS",
                     help="Run a local model on a Ray cluster, such as ray://head:10001."),
        click.option("--dtype", type=click.Choice([AUTO, *DTYPES]), default=AUTO,
                     show_default=True, help="Number format of a local model. auto: eight bits "
                     "on a processor where that was found to answer alike, else float32."),
    )
)  # fmt: skip
"""How much at once, and where."""


@click.command("probe")
@click.option("--model", required=True, help="openai:NAME, the model's name on the server.")
@server_options
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=None,
    help="End after so long with what is known by then. [default: when all is tried]",
)
@click.option(
    "--steps",
    is_flag=True,
    help="Print each step as it begins, on a line of its own before the JSON.",
)
def probe_command(
    model: str,
    base_urls: tuple[str, ...],
    key_env: str,
    endpoint: str | None,
    also_served: tuple[str, ...],
    seconds: float | None,
    steps: bool,
) -> None:  # fmt: skip
    """Find out what a server supports; prints it as JSON. Status 1 if it cannot be asked."""
    from biaslab.models.server.capabilities import ProbeStep
    from biaslab.models.server.probe.probing import probe

    def tell(step: ProbeStep) -> None:
        if steps:
            click.echo(step.line)

    with sentences():
        allow_key(key_env, base_urls)
        found = probe(
            _name(model),
            base_urls or Access().base_urls,
            key_env,
            endpoint=None if endpoint is None else Endpoint(endpoint),
            also_served=also_served,
            seconds=seconds,
            tell=tell,
        )
    click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
    for problem in found.problems:
        click.echo(problem, err=True)
    sys.exit(0 if found.ok else 1)


def access_of(options: dict[str, Any]) -> Access:
    """How a model is reached, from `server_options` and `speed_options`."""
    return Access(
        base_urls=options["base_urls"],
        endpoint=None if options["endpoint"] is None else Endpoint(options["endpoint"]),
        also_served=options["also_served"],
        key_env=options["key_env"],
        at_once=options["at_once"],
        processes=options["processes"],
        cluster=options["cluster"],
        dtype=options["dtype"],
    )


def allow_key(key_env: str, base_urls: tuple[str, ...]) -> None:
    """Binds a key to the servers named with it: whoever types --key-env owns the environment."""
    if key_env and was_given("key_env"):
        from biaslab.models.server.keys import bind

        bind(key_env, base_urls)


def reach(store: Store, model: str, access: Access) -> Access:
    """How the model is reached, with what a test of its server found.

    A server that was tested before is not tested again; one that was not is tested now, and
    remembered.

    Raises:
        RunError: the server cannot be asked; the sentences of the test say why.
        ModelError: the model or the key cannot be.
    """
    if not read_spec(model).served:
        return access
    with uncollected():
        from biaslab.models.server.addresses import base_urls
        from biaslab.models.server.probe.probing import probe
        from biaslab.runs import Connection, RunError, find_connection, remember

    addresses = base_urls(access)
    known = find_connection(store, model, addresses[0])
    if known is not None:
        endpoint = access.endpoint or known.access.endpoint
        for found_there in known.capabilities.found:
            if found_there.endpoint is endpoint and found_there.works:
                return replace(
                    found_there.reached(access),
                    base_urls=addresses,
                    also_served=access.also_served or known.access.also_served,
                    key_env=access.key_env or known.access.key_env,
                )
    found = probe(
        _name(model),
        addresses,
        access.key_env,
        endpoint=access.endpoint,
        also_served=access.also_served,
    )
    if not found.ok:
        raise RunError(" ".join(found.problems))
    reached = replace(access, base_urls=addresses)
    if found.chosen is not None:
        reached = found.chosen.reached(reached)
    if known is None:  # one way of writing asked for by hand does not become the usual one
        remember(store, Connection(model, reached, found))
    return reached


def _name(model: str) -> str:
    spec = read_spec(model)
    if not spec.served or not spec.name:
        raise UnknownModel(
            f"“{model}” is no model of a server: write {forms(AnswerSource.SERVER)} with its "
            f"name there, such as {server_spec('gpt-4o-mini')}."
        )
    return spec.name


_SHOWN = ("direct", "cot")
"""Prompt strategies whose figures are shown to people; JSON has all."""


@click.command("models")
@click.argument("directories", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True,
              help="Print everything that is known of them, as JSON.")  # fmt: skip
def models_command(directories: tuple[Path, ...], as_json: bool) -> None:
    """List the models that can be asked; DIRECTORIES of language models as well.

    Of tiny models and their copies along training: what they were trained on, and their effects
    on one-step problems.
    """
    choices = list_models(directories, checkpoints=True)
    if as_json:
        found = [_as_json(choice) for choice in choices]
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    for choice in choices:
        state = "" if choice.ready else f" [not ready: {choice.why_not}]"
        click.echo(f"{choice.spec}: {choice.label} ({choice.kind}){state}")
        for line in _figures(choice):
            click.echo(f"    {line}")
        if choice.ready and choice.kind is ModelKind.LANGUAGE_MODEL:
            click.echo(f"    {choice.explanation}")
    for provider in registry().providers.values():
        if provider.unlisted:
            click.echo(f"{provider.form}: {provider.unlisted}")


def _as_json(choice: ModelChoice) -> dict[str, Any]:
    content: dict[str, Any] = {
        "spec": choice.spec,
        "label": choice.label,
        "kind": str(choice.kind),
        "explanation": choice.explanation,
        "ready": choice.ready,
        "why_not": choice.why_not,
        "own": choice.own,
        "checkpoint_of": choice.checkpoint_of,
    }
    card = _card(choice)
    if card is None:
        return content
    record = _record(choice)
    return content | {
        "mix": card.mix,
        "mix_name": None if record is None else record.mix,
        "seed": None if record is None else record.seed,
        "minutes": None if record is None else record.minutes,
        "loss": None if record is None else record.loss,
        "examples": card.examples_seen,
        "parameters": card.parameters,
        "effects": [_effect_json(effect) for effect in card.effects],
        "limits": list(card.limits),
    }


def _effect_json(effect: CardEffect) -> dict[str, Any]:
    return {
        "study": effect.study,
        "comparison": effect.comparison,
        "steps": effect.steps,
        "strategy": effect.strategy,
        "n": effect.n,
        "accuracy_x": effect.right_x / effect.n,
        "accuracy_x_prime": effect.right_x_prime / effect.n,
        "cate": effect.cate,
        "ci_low": effect.low,
        "ci_high": effect.high,
        "identical": effect.identical,
    }


def _figures(choice: ModelChoice) -> Iterator[str]:
    card = _card(choice)
    if card is None:
        return
    record = _record(choice)
    trained = "" if record is None else f"mix {record.mix}, seed {record.seed}, "
    yield f"{trained}{card.examples_seen:,} examples, {card.parameters:,} parameters"
    shown = [effect for effect in card.effects if effect.steps == 1 and effect.strategy in _SHOWN]
    for effect in shown:
        yield _effect_words(effect)
    if not card.effects:
        for accuracy in card.accuracy:
            if accuracy.steps == 1 and accuracy.strategy in _SHOWN:
                yield (
                    f"{accuracy.study}, 1 step, {accuracy.strategy}: {percent(accuracy.share)} "
                    "right "
                    f"of {accuracy.n:,}; both arms together"
                )


def _effect_words(effect: CardEffect) -> str:
    kind = f" ({effect.comparison})" if effect.comparison else ""
    words = (
        f"{effect.study}{kind}, 1 step, {effect.strategy}: {percent(effect.right_x / effect.n)} / "
        f"{percent(effect.right_x_prime / effect.n)} right, effect {signed_points(effect.cate)} "
        "points"
    )
    if effect.low is not None and effect.high is not None:
        words += f" ({interval_words(effect.low, effect.high)})"
    return typed(f"{words}, {effect.n} pairs")


def _card(choice: ModelChoice) -> ModelCard | None:
    if choice.kind is not ModelKind.TINY:
        return None
    try:
        return read_card(_directory(choice))
    except ModelError:
        return None


def _record(choice: ModelChoice) -> TrainingRecord | None:
    from biaslab.training.plan import TrainingRecord

    try:
        return TrainingRecord.load(_directory(choice))
    except (ModelError, OSError, ValueError, TypeError):
        return None


def _directory(choice: ModelChoice) -> Path:
    return tiny_directory(read_spec(choice.spec).name)


# A small language model from the Hugging Face hub, downloaded with a progress bar.


@click.command("fetch-model")
@click.argument("name", required=False)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Directory for its files. [default: next to the file of runs]")  # fmt: skip
def fetch_model_command(name: str | None, out: Path | None) -> None:
    """Download a model from the Hugging Face hub; without NAME, list small ones.

    NAME is one of the list or OWNER/MODEL. Settings, tokenizer and weights (safetensors) are
    fetched, never code; of some models of the list a single GGUF file. What was interrupted goes
    on where it was; every file is checked. Prints last what opens the model, for --model.
    """
    with sentences():
        if name is None:
            _list()
            return
        from biaslab.models.local.hub_download import fetch

        repository = find_repository(name)
        directory = (out or hub_directory(repository)).absolute()
        with tqdm(unit="B", unit_scale=True, desc=repository) as bar:

            def tell(here: int, total: int) -> None:
                bar.total = total
                bar.update(here - bar.n)

            record = fetch(repository, directory, tell)
        if only_file(directory):
            _prepare(local_spec(directory))
    click.echo(f"{repository}, commit {record.commit}")
    click.echo(local_spec(directory))


def _prepare(spec: str) -> None:
    """Opens a file for the first time, which takes longest and finds out whether it is right."""
    click.echo("Unpacking and checking it, for half a minute …", err=True)
    try:
        open_model(spec, device="cpu", download=False)
    except Unsupported as error:  # it is here all the same
        click.echo(str(error), err=True)


def _list() -> None:
    offered = hub_list()
    click.echo(f"Small language models of the Hugging Face hub, as of {offered.date}:")
    for model in offered.models:
        click.echo(
            f"{model.repository}: {model.licence}, about {gigabytes(model.download_bytes)} to "
            f"download, about {gigabytes(model.memory_bytes)} of memory. {model.expect}"
        )


# Log-probabilities of given texts.


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
