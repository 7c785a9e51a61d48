"""What outcomes mean: effects with intervals and tests, and published results beside them."""

from biaslab.analysis.effects import ALL, Effect, StratumValue, effects
from biaslab.analysis.errors import (
    AnalysisError,
    BrokenAssets,
    BrokenOutcomes,
    UnknownChoice,
    UnknownStratum,
)
from biaslab.analysis.outcomes import InvalidRule
from biaslab.analysis.paired import (
    IntervalMethod,
    PairedEstimate,
    cate_estimate,
    mcnemar_p,
    paired_t_p,
)
from biaslab.analysis.proportions import Interval, mean_interval, wilson
from biaslab.analysis.published import (
    HumanBaseline,
    PublishedEffect,
    human_baselines,
    published_effects,
)
from biaslab.analysis.tables import TABLE_COLUMNS, effects_json, effects_records, effects_table

__all__ = [
    "ALL",
    "TABLE_COLUMNS",
    "AnalysisError",
    "BrokenAssets",
    "BrokenOutcomes",
    "Effect",
    "HumanBaseline",
    "Interval",
    "IntervalMethod",
    "InvalidRule",
    "PairedEstimate",
    "PublishedEffect",
    "StratumValue",
    "UnknownChoice",
    "UnknownStratum",
    "cate_estimate",
    "effects",
    "effects_json",
    "effects_records",
    "effects_table",
    "human_baselines",
    "mcnemar_p",
    "mean_interval",
    "paired_t_p",
    "published_effects",
    "wilson",
]
