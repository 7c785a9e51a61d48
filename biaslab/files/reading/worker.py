"""The process that reads a stranger's file: a line of JSON and the file in, what it holds out."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

from biaslab.files.errors import InterchangeError
from biaslab.files.reading.content import Content, read_content


def main() -> None:
    """What the process does: a line of JSON and a file come in, a Content or a refusal goes out."""
    asked, _, data = sys.stdin.buffer.read().partition(b"\n")
    try:
        said = _as_json(read_content(data, **json.loads(asked)))
    except InterchangeError as error:
        said = {"refused": str(error)}
    sys.stdout.write(json.dumps(said))


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
