"""The lines of a batch's files: requests as they are handed over, answers as they come back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from biaslab.models.server.request.dialect import Body


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One line of a file of answers or errors.

    Attributes:
        id: the id that the request was handed over with.
        status: of the response to it; None where the request was never worked on.
        content: body of that response, as JSON.
        error: what the service itself says about the request, where it was not worked on.
    """

    id: str
    status: int | None
    content: bytes
    error: object


def write_line(request_id: str, path: str, body: Body) -> bytes:
    """A request as a line of the file that is handed over, with its end.

    Args:
        request_id: what the answer will be known by.
        path: where the request would go on its own, such as ``/v1/chat/completions``.
        body: what would be sent there.
    """
    line = {"custom_id": request_id, "method": "POST", "url": path, "body": body}
    return json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"


def read_line(line: bytes) -> AnswerLine | None:
    """The line as it came; None where it is broken."""
    try:
        content = json.loads(line)
    except ValueError:
        return None
    if not isinstance(content, dict) or not isinstance(content.get("custom_id"), str):
        return None
    response = content.get("response")
    if not isinstance(response, Mapping):
        return AnswerLine(content["custom_id"], None, b"", content.get("error"))
    status = response.get("status_code")
    body = json.dumps(response.get("body")).encode("ascii")
    status = status if isinstance(status, int) else 200
    return AnswerLine(content["custom_id"], status, body, content.get("error"))
