"""Which tool wrote a log."""

from __future__ import annotations

from pathlib import Path

from biaslab.runs.tools.errors import LogRefused
from biaslab.runs.tools.inspect.logs import read_inspect_log
from biaslab.runs.tools.log import AnsweredLog


def read_log(file: Path) -> AnsweredLog:
    """Reads a log of any tool; its name says of which.

    Raises:
        LogRefused: it is none that can be read.
        ToolMissing: the tool that reads it is not installed.
    """
    if file.suffix in (".eval", ".json"):
        return read_inspect_log(file)
    raise LogRefused(f"{file}: give a log of Inspect AI, a file .eval or .json.")
