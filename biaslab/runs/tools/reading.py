"""Which tool wrote a log."""

from __future__ import annotations

from pathlib import Path

from biaslab.runs.tools.errors import LogRefused
from biaslab.runs.tools.inspect.logs import read_inspect_log
from biaslab.runs.tools.lm_eval.samples import read_samples
from biaslab.runs.tools.log import AnsweredLog


def read_log(file: Path) -> AnsweredLog:
    """Reads a log of any tool; its name says of which.

    Raises:
        LogRefused: it is none that can be read.
        ToolMissing: the tool that reads it is not installed.
    """
    match file.suffix:
        case ".eval" | ".json":
            return read_inspect_log(file)
        case ".jsonl":
            return read_samples(file)
    raise LogRefused(
        f"{file}: give a log of Inspect AI (.eval or .json) or a file samples_*.jsonl of "
        "lm-evaluation-harness."
    )
