"""Asking every item once and keeping every answer.

From a design to outcomes:

    store = open_store(default_database())
    run = prepare(store, design, "tiny", "direct")
    launch(store.path, run)          # a worker process; or run_here(store, run)
    store.run(run)                   # progress
    store.outcomes([run])            # a row per pair

A file is written by few processes and read by any number at the same time.
"""

from biaslab.runs.budget import Budget
from biaslab.runs.engine.looks import adjustments
from biaslab.runs.engine.prepare import change_options, prepare
from biaslab.runs.engine.runner import run_here, stop
from biaslab.runs.engine.sources import at_most_all, is_measured, study_from, study_in
from biaslab.runs.errors import (
    BadDesignName,
    BadNote,
    ChangedNote,
    ChangedRun,
    DamagedStore,
    LostRun,
    NewerStore,
    NotAStore,
    OlderStore,
    RecordedRun,
    RunBusy,
    RunError,
    RunPaused,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreUnreadable,
    UnfitModel,
    UnknownDesign,
    UnknownPair,
    UnknownRun,
    UnknownSet,
    UnknownStrategy,
)
from biaslab.runs.jobs.launching import launch, log_path
from biaslab.runs.library.bundles import (
    OpenedBundle,
    close_bundle,
    opened_bundles,
    recording_of,
)
from biaslab.runs.library.connections import (
    Connection,
    connections,
    find_connection,
    forget,
    remember,
)
from biaslab.runs.library.designs import (
    SavedDesign,
    delete_design,
    design_versions,
    load_design,
    newest_designs,
    rename_design,
    save_design,
)
from biaslab.runs.library.notes import (
    LONGEST_NOTE,
    CustomText,
    PairMark,
    PairNote,
    custom_texts,
    delete_text,
    find_text,
    keep_text,
    pair_notes,
    save_note,
)
from biaslab.runs.library.pair_sets import (
    PairSet,
    SetPairs,
    delete_set,
    find_pairs,
    pair_sets,
    save_set,
    set_pairs,
    set_report,
)
from biaslab.runs.library.sets import (
    LONGEST_NAME,
    ItemSet,
    SetItems,
    delete_items,
    find_items,
    item_sets,
    items_report,
    save_items,
)
from biaslab.runs.store.options import RunOptions
from biaslab.runs.store.recorded import is_recorded
from biaslab.runs.store.records import (
    AnswerState,
    Exchange,
    FailureCount,
    InterimLook,
    MemberDetail,
    PairDetail,
    PairedCounts,
    PairOrder,
    PairPattern,
    PairRow,
    RunRecord,
    RunStatus,
)
from biaslab.runs.store.schema import MOST_SAMPLES
from biaslab.runs.store.store import Store, gallery, open_store
from biaslab.system.places import default_database

__all__ = [
    "LONGEST_NAME",
    "LONGEST_NOTE",
    "MOST_SAMPLES",
    "AnswerState",
    "BadDesignName",
    "BadNote",
    "Budget",
    "ChangedNote",
    "ChangedRun",
    "Connection",
    "CustomText",
    "DamagedStore",
    "Exchange",
    "FailureCount",
    "InterimLook",
    "ItemSet",
    "LostRun",
    "MemberDetail",
    "NewerStore",
    "NotAStore",
    "OlderStore",
    "OpenedBundle",
    "PairDetail",
    "PairMark",
    "PairNote",
    "PairOrder",
    "PairPattern",
    "PairRow",
    "PairSet",
    "PairedCounts",
    "RecordedRun",
    "RunBusy",
    "RunError",
    "RunOptions",
    "RunPaused",
    "RunRecord",
    "RunStatus",
    "SavedDesign",
    "SetItems",
    "SetPairs",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreFull",
    "StoreUnreadable",
    "UnfitModel",
    "UnknownDesign",
    "UnknownPair",
    "UnknownRun",
    "UnknownSet",
    "UnknownStrategy",
    "adjustments",
    "at_most_all",
    "change_options",
    "close_bundle",
    "connections",
    "custom_texts",
    "default_database",
    "delete_design",
    "delete_items",
    "delete_set",
    "delete_text",
    "design_versions",
    "find_connection",
    "find_items",
    "find_pairs",
    "find_text",
    "forget",
    "gallery",
    "is_measured",
    "is_recorded",
    "item_sets",
    "items_report",
    "keep_text",
    "launch",
    "load_design",
    "log_path",
    "newest_designs",
    "open_store",
    "opened_bundles",
    "pair_notes",
    "pair_sets",
    "prepare",
    "recording_of",
    "remember",
    "rename_design",
    "run_here",
    "save_design",
    "save_items",
    "save_note",
    "save_set",
    "set_pairs",
    "set_report",
    "stop",
    "study_from",
    "study_in",
]
