"""Several studies, models and prompt strategies in one go: a plan, its cells, and doing them.

plan = read_plan(Path("plan.yaml").read_bytes(), "plan.yaml")
cells = cells_of(store, plan, reach)
do_cells(store, cells, plan.budget)

or ``launch_plan(path, data)`` in the background, one plan after the other.
"""

from biaslab.runs.matrix.background import (
    is_plan_going_on,
    last_words,
    launch_plan,
    plan_key,
    stop_plan,
)
from biaslab.runs.matrix.cells import MatrixCell, cells_of
from biaslab.runs.matrix.doing import Done, do_cells, estimate_cells
from biaslab.runs.matrix.plan import MAX_BYTES, MatrixPlan, PlanError, read_plan

__all__ = [
    "MAX_BYTES",
    "Done",
    "MatrixCell",
    "MatrixPlan",
    "PlanError",
    "cells_of",
    "do_cells",
    "estimate_cells",
    "is_plan_going_on",
    "last_words",
    "launch_plan",
    "plan_key",
    "read_plan",
    "stop_plan",
]
