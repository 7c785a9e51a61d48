"""Asking every item once and keeping every answer.

From a design to outcomes:

    store = open_store(default_database())
    run = prepare(store, design, "tiny", "direct")
    launch(store.path, run)          # a worker process; or run_here(store, run)
    store.run(run)                   # progress
    store.outcomes([run])            # a row per pair

A file is written by few processes and read by any number at the same time.
"""

from biaslab.runs.budgets import Budget
from biaslab.runs.connections import (
    Connection,
    connections,
    find_connection,
    forget,
    remember,
)
from biaslab.runs.errors import (
    ChangedRun,
    DamagedStore,
    LostRun,
    NewerStore,
    NotAStore,
    RunBusy,
    RunError,
    RunPaused,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnreadable,
    UnknownPair,
    UnknownRun,
    UnknownStrategy,
)
from biaslab.runs.launching import launch, log_path
from biaslab.runs.looking import adjustments
from biaslab.runs.options import RunOptions
from biaslab.runs.places import default_database
from biaslab.runs.preparing import change_options, prepare
from biaslab.runs.records import (
    AnswerState,
    Exchange,
    FailureCount,
    Look,
    MemberDetail,
    PairDetail,
    PairRow,
    Pattern,
    RunRecord,
    RunStatus,
)
from biaslab.runs.runner import run_here, stop
from biaslab.runs.schema_version_2 import MOST_SAMPLES
from biaslab.runs.store import Store, open_store

__all__ = [
    "MOST_SAMPLES",
    "AnswerState",
    "Budget",
    "ChangedRun",
    "Connection",
    "DamagedStore",
    "Exchange",
    "FailureCount",
    "Look",
    "LostRun",
    "MemberDetail",
    "NewerStore",
    "NotAStore",
    "PairDetail",
    "PairRow",
    "Pattern",
    "RunBusy",
    "RunError",
    "RunOptions",
    "RunPaused",
    "RunRecord",
    "RunStatus",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreFull",
    "StoreUnreadable",
    "UnknownPair",
    "UnknownRun",
    "UnknownStrategy",
    "adjustments",
    "change_options",
    "connections",
    "default_database",
    "find_connection",
    "forget",
    "launch",
    "log_path",
    "open_store",
    "prepare",
    "remember",
    "run_here",
    "stop",
]
