"""What Inspect AI finds by its entry point: every task, solver, scorer and metric."""

from __future__ import annotations

from biaslab.runs.tools.inspect.asking import ask_by_strategy
from biaslab.runs.tools.inspect.scoring import paired_cate, read_answer
from biaslab.runs.tools.inspect.tasks import TASKS

__all__ = ["TASKS", "ask_by_strategy", "paired_cate", "read_answer"]
