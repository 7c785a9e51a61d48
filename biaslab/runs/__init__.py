"""Asking every item once and keeping every answer.

From a design to outcomes:

    store = open_store(default_database())
    run = prepare(store, design, "tiny", "direct")
    launch(store.path, run)          # a worker process; or run_here(store, run)
    store.run(run)                   # progress
    store.outcomes([run])            # a row per pair

A file is written by few processes and read by any number at the same time.
"""

from biaslab.runs.errors import (
    ChangedRun,
    DamagedStore,
    LostRun,
    NewerStore,
    NotAStore,
    RunBusy,
    RunError,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnreadable,
    UnknownPair,
    UnknownRun,
    UnknownStrategy,
)
from biaslab.runs.launching import launch, log_path
from biaslab.runs.places import default_database
from biaslab.runs.preparing import prepare
from biaslab.runs.records import (
    AnswerState,
    Exchange,
    MemberDetail,
    PairDetail,
    PairRow,
    Pattern,
    RunRecord,
    RunStatus,
)
from biaslab.runs.runner import run_here, stop
from biaslab.runs.store import Store, open_store

__all__ = [
    "AnswerState",
    "ChangedRun",
    "DamagedStore",
    "Exchange",
    "LostRun",
    "MemberDetail",
    "NewerStore",
    "NotAStore",
    "PairDetail",
    "PairRow",
    "Pattern",
    "RunBusy",
    "RunError",
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
    "default_database",
    "launch",
    "log_path",
    "open_store",
    "prepare",
    "run_here",
    "stop",
]
