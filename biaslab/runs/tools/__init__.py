"""The studies inside other tools, and their logs as runs.

Each tool is a folder and an optional extra that is imported when it is asked for. All of them take
questions, prompts, readings and effects from here, so a number computed there is the one computed
here (docs/commands.md#inspect-ai).
"""

from biaslab.runs.tools.data_set import data_set
from biaslab.runs.tools.datasette import datasette_files
from biaslab.runs.tools.errors import LogRefused, ToolError, ToolMissing
from biaslab.runs.tools.every_eval_ever import every_eval_ever
from biaslab.runs.tools.importing import ImportedLog, import_log
from biaslab.runs.tools.lm_eval.writing import TaskFiles, task_files
from biaslab.runs.tools.log import AnsweredLog, LoggedRequest
from biaslab.runs.tools.reading import read_log

__all__ = [
    "AnsweredLog",
    "ImportedLog",
    "LogRefused",
    "LoggedRequest",
    "TaskFiles",
    "ToolError",
    "ToolMissing",
    "data_set",
    "datasette_files",
    "every_eval_ever",
    "import_log",
    "read_log",
    "task_files",
]
