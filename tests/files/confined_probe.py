"""What a confined process is asked to do by the tests: look around, or take too much."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import time
from pathlib import Path


def main() -> None:
    wanted = sys.stdin.buffer.read().decode()
    if wanted == "look":
        try:
            with tempfile.TemporaryFile() as file:
                file.write(b"x" * 10_000)
                file.flush()
            wrote = True
        except OSError:
            wrote = False
        modules = sorted(name for name in sys.modules if name.startswith("biaslab"))
        found = {"environment": dict(os.environ), "wrote": wrote, "modules": modules}
        sys.stdout.write(json.dumps(found))
    elif wanted.startswith("connect "):
        # Whether there is a network, and whether it is the one of whoever started this.
        try:
            with socket.create_connection(("127.0.0.1", int(wanted.split()[1])), timeout=5):
                reached = True
        except OSError:
            reached = False
        network = str(Path("/proc/self/ns/net").readlink()) if sys.platform == "linux" else ""
        sys.stdout.write(json.dumps({"reached": reached, "network": network}))
    elif wanted == "memory":
        sys.stdout.write(str(len(bytearray(2**40))))
    elif wanted == "core":
        while True:
            pass
    elif wanted == "sleep":
        time.sleep(600)
    elif wanted == "print":
        while True:
            sys.stdout.write("x" * 10_000)
    elif wanted == "die":
        os.abort()


def eats(data: bytes) -> int:
    """A reader that a file makes take memory; one byte is enough."""
    return len(bytearray(2**40)) if data == b"!" else len(data)


def refuses(data: bytes) -> None:
    """A reader that refuses every file."""
    raise ValueError(f"It has {len(data)} bytes.")
