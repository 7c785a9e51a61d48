"""The process that reads a stranger's file: an order as a line of JSON and the file come in."""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import asdict
from typing import Any

from biaslab.files.errors import InterchangeError
from biaslab.files.opening import READ, Content, read_content


def main() -> None:
    """What the process does: a Content or a refusal goes out, or only that a reader withstood it.

    The order is what `read_content` takes, or the module and the name of another reader. What such
    a reader refuses is not said here: whoever started this reads the file once more.
    """
    line, _, data = sys.stdin.buffer.read().partition(b"\n")
    order = json.loads(line)
    if isinstance(order, dict):
        try:
            content = _as_json(read_content(data, **order))
        except InterchangeError as error:
            content = {"refused": str(error)}
        sys.stdout.write(json.dumps(content))
        return
    module, name = order
    read = getattr(importlib.import_module(module), name)
    try:
        read(data)
    except Exception as error:
        if isinstance(error, MemoryError):
            raise
    sys.stdout.buffer.write(READ)


def _as_json(content: Content) -> dict[str, Any]:
    rows, items = content.rows, content.items
    return {
        "form": content.form,
        "found_by": content.found_by,
        "encoding": content.encoding,
        "remarks": content.remarks,
        "rows": rows and {
            "columns": rows.columns,
            "remarks": rows.remarks,
            "rows": [
                (row.number, dict(row.cells), row.name, row.refusal, row.remarks)
                for row in rows.rows
            ],
        },
        "items": items and {
            "found": [asdict(found) for found in items.found],
            "remarks": items.remarks,
            "mapping": dict(items.mapping),
            "form": items.form,
        },
    }  # fmt: skip
