"""What a confined process is asked to do by the tests: look around, or take too much."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time


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
