"""The process that reads a stranger's file once, to see that it may be read elsewhere."""

from __future__ import annotations

import importlib
import json
import sys

READ = b"read"
"""What the process prints in the end."""


def main() -> None:
    """What the process does: a line of JSON (module, function) and a file come in.

    What the reader refuses is not said here: whoever started this reads the file once more.
    """
    asked, _, data = sys.stdin.buffer.read().partition(b"\n")
    module, name = json.loads(asked)
    read = getattr(importlib.import_module(module), name)
    try:
        read(data)
    except Exception as error:
        if isinstance(error, MemoryError):
            raise
    sys.stdout.buffer.write(READ)
