"""Starts servers as processes of their own and ends them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def running(module: str, *options: str) -> Iterator[str]:
    """A server of this package; gives its address, without ``/v1``.

    Args:
        module: such as ``tests.servers.tiny_server``; its first line of output is its address.
        options: of its command line.
    """
    with process([sys.executable, "-m", module, "--port", "0", *options]) as server:
        if server.stdout is None:
            raise RuntimeError("The server's output was not caught.")
        yield server.stdout.readline().strip()


@contextmanager
def process(
    command: Sequence[str], environment: dict[str, str] | None = None, *, caught: bool = True
) -> Iterator[subprocess.Popen[str]]:
    """A process that ends when the block does.

    Args:
        command, environment: what is run, and with which variables beside those of the tests.
        caught: whether its output can be read; output that nobody reads would block it.
    """
    surroundings = {**os.environ, "OMP_NUM_THREADS": "1", **(environment or {})}
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        env=surroundings,
        stdout=subprocess.PIPE if caught else subprocess.DEVNULL,
        text=True,
    )
    try:
        yield server
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()
