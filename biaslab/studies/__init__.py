"""Which pairs are compared: items, pairs, designs, and a folder for each kind of study."""

from biaslab.studies.pair_rows import (
    PAIR_COLUMNS,
    pair_columns,
    pair_rows,
    write_jsonl,
)
from biaslab.studies.registry import experiment, experiments
from biaslab.studies.study import (
    MAXIMUM_PAIRS,
    Answered,
    Arms,
    Design,
    Experiment,
    Item,
    Pair,
    Reading,
    Request,
    Setting,
    Strategy,
    Stratum,
    Value,
    content_hash,
)

__all__ = [
    "MAXIMUM_PAIRS",
    "PAIR_COLUMNS",
    "Answered",
    "Arms",
    "Design",
    "Experiment",
    "Item",
    "Pair",
    "Reading",
    "Request",
    "Setting",
    "Strategy",
    "Stratum",
    "Value",
    "content_hash",
    "experiment",
    "experiments",
    "pair_columns",
    "pair_rows",
    "write_jsonl",
]
