"""Models that can be asked, and servers: how they are reached and what they can do."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import click

from biaslab.cli.common import sentences, together, was_given
from biaslab.models import (
    AT_ONCE,
    MOST_AT_ONCE,
    Access,
    Endpoint,
    UnknownModel,
)
from biaslab.runs import Connection, RunError, Store, find_connection, remember
from biaslab.runs.library.connections import SERVER_PREFIX

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
    )
)  # fmt: skip
"""How much at once, and where."""


@click.command("probe")
@click.option("--model", required=True, help="openai:NAME, the model's name on the server.")
@server_options
def probe_command(
    model: str, base_urls: tuple[str, ...], key_env: str, endpoint: str | None
) -> None:
    """Find out what a server supports; prints it as JSON. Status 1 if it cannot be asked."""
    from biaslab.models.server.probe.probing import probe

    with sentences():
        allow_key(key_env, base_urls)
        found = probe(
            _name(model),
            base_urls or Access().base_urls,
            key_env,
            endpoint=None if endpoint is None else Endpoint(endpoint),
        )
    click.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=2))
    for problem in found.problems:
        click.echo(problem, err=True)
    sys.exit(0 if found.ok else 1)


def allow_key(key_env: str, base_urls: tuple[str, ...]) -> None:
    """Binds a key to the servers named with it: whoever types --key-env owns the environment."""
    if key_env and was_given("key_env"):
        from biaslab.models.server.key_bindings import bind

        bind(key_env, base_urls)


def reach(store: Store, model: str, access: Access) -> Access:
    """How the model is reached, with what a test of its server found.

    A server that was tested before is not tested again; one that was not is tested now, and
    remembered.

    Raises:
        RunError: the server cannot be asked; the sentences of the test say why.
        ModelError: the model or the key cannot be.
    """
    if not model.startswith(SERVER_PREFIX):
        return access
    from biaslab.models.server.addresses import base_urls
    from biaslab.models.server.probe.probing import probe

    addresses = base_urls(access)
    known = find_connection(store, model, addresses[0])
    if known is not None:
        endpoint = access.endpoint or known.access.endpoint
        for found_there in known.capabilities.found:
            if found_there.endpoint is endpoint and found_there.works:
                return replace(
                    access,
                    base_urls=addresses,
                    endpoint=endpoint,
                    served=found_there.served,
                    key_env=access.key_env or known.access.key_env,
                )
    found = probe(_name(model), addresses, access.key_env, endpoint=access.endpoint)
    if not found.ok:
        raise RunError(" ".join(found.problems))
    reached = replace(access, base_urls=addresses, endpoint=found.endpoint, served=found.served)
    if known is None:  # one way of writing asked for by hand does not become the usual one
        remember(store, Connection(model, reached, found))
    return reached


def _name(model: str) -> str:
    name = model.removeprefix(SERVER_PREFIX)
    if not model.startswith(SERVER_PREFIX) or not name:
        raise UnknownModel(
            f"“{model}” is no model of a server: write openai: and its name there, such as "
            "openai:gpt-4o-mini."
        )
    return name
