"""The studies inside other tools, and their logs as runs.

Each tool is an optional extra that is imported when it is asked for. All of them take
questions, prompts, readings and effects from here, so a number computed there is the one computed
here (docs/commands.md#inspect-ai).
"""

from biaslab.runs.errors import LogRefused, ToolError, ToolMissing
from biaslab.runs.tools.lm_eval.writing import TaskFiles, task_files
from biaslab.runs.tools.logs import AnsweredLog, ImportedLog, LoggedRequest, import_log, read_log

__all__ = [
    "AnsweredLog",
    "ImportedLog",
    "LogRefused",
    "LoggedRequest",
    "TaskFiles",
    "ToolError",
    "ToolMissing",
    "import_log",
    "read_log",
    "task_files",
]
