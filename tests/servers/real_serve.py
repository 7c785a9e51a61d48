"""`transformers serve` on loopback: a server that this project did not write.

It needs a model that has a chat template, so the tiny model is copied and given one. Nothing is
fetched: the hub is switched off and its cache is an empty directory, which must be there.
"""

from __future__ import annotations

import json
import shutil
import socket
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import DEADLINE
from tests.servers.running import process

TEMPLATE = (
    "{% for m in messages %}{% if loop.first %}Q: {{ m['content'] | replace('\n\n', '\nA: ', 1) }}"
    "{% if m['content'].endswith(' is') %} {% endif %}"
    "{% elif m['role'] == 'assistant' %} {{ m['content'] }}"
    "{% else %}\n{{ m['content'] }}{% endif %}{% endfor %}"
)
"""Turns as one text of the kind that the tiny model was trained on; takes no system message."""


@dataclass(frozen=True)
class RealServer:
    """Where it listens, and the model it serves.

    Attributes:
        url: with ``/v1``.
        name: of its only model, which is its directory.
        directory: the copy of the tiny model with a chat template.
    """

    url: str
    name: str
    directory: Path


@contextmanager
def transformers_serve(directory: Path) -> Iterator[RealServer]:
    """Starts it; ready once it answers.

    Args:
        directory: empty; for the model's copy and the hub's cache.
    """
    model = copy_with_template(directory / "tiny-chat")
    (directory / "hub" / "hub").mkdir(parents=True)
    port = _free_port()
    command = [
        str(Path(sys.executable).with_name("transformers")),
        "serve",
        str(model),
        *("--host", "127.0.0.1", "--port", str(port), "--device", "cpu", "--log-level", "error"),
    ]
    surroundings = {
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(directory / "hub"),
        "TRANSFORMERS_OFFLINE": "1",
    }
    address = f"http://127.0.0.1:{port}"
    with process(command, surroundings, caught=False) as server:
        deadline = time.monotonic() + DEADLINE
        while not _answers(f"{address}/health"):
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("transformers serve did not start.")
            time.sleep(0.1)
        yield RealServer(f"{address}/v1", str(model), model)


def copy_with_template(directory: Path) -> Path:
    """The tiny model as a chat model, fit for transformers' own ways of sampling and stopping."""
    from tests.servers.tiny_network import TINY

    shutil.copytree(TINY, directory)
    _change(directory / "tokenizer_config.json", lambda _: {"chat_template": TEMPLATE})
    # Without this a temperature above 0 changes nothing.
    _change(directory / "generation_config.json", lambda _: {"do_sample": True})
    # Stop texts are looked for by way of this word, which a tokenizer must be able to spell.
    _change(
        directory / "tokenizer.json",
        lambda config: {
            "model": config["model"]
            | {"vocab": config["model"]["vocab"] | {"abcdef": len(config["model"]["vocab"])}}
        },
    )
    return directory


def _change(path: Path, changes: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    content = json.loads(path.read_text())
    path.write_text(json.dumps(content | changes(content)))


def _free_port() -> int:
    # The server cannot be handed a socket, and port 0 would not be told.
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=DEADLINE) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
