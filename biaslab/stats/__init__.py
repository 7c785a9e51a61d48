"""What outcomes mean: effects with intervals and tests, and published results beside them.

Also how many pairs a run needs, when it may stop, and whether a model says the same again.
"""

from biaslab.stats.agreement import Agreement, agreement, agreement_between_runs
from biaslab.stats.beside_effects import (
    MARGIN,
    End,
    effect_warnings,
    end_of,
    end_sentence,
    undivided_sentence,
    unread_arms,
    unread_more,
)
from biaslab.stats.comparisons.comparisons import RunComparison, compare
from biaslab.stats.comparisons.findings import (
    FINDING_COLUMNS,
    Coefficient,
    Finding,
    findings_json,
    findings_records,
    findings_table,
)
from biaslab.stats.comparisons.shared_pairs import CountingRules
from biaslab.stats.effects import (
    ALL,
    TABLE_COLUMNS,
    Effect,
    Origin,
    StratumValue,
    effects,
    effects_json,
    effects_records,
    effects_table,
)
from biaslab.stats.errors import (
    AnalysisError,
    BrokenAssets,
    BrokenOutcomes,
    CannotCompare,
    ImpossiblePlan,
    UnknownChoice,
    UnknownStratum,
)
from biaslab.stats.estimates import Estimate, Interval, mean_estimate, mean_interval, wilson
from biaslab.stats.outcomes import InvalidRule, majority
from biaslab.stats.paired import (
    INTERVAL_METHODS,
    IntervalMethod,
    cate_estimate,
    cate_of_counts,
    mcnemar_p,
    paired_t_p,
)
from biaslab.stats.planning import (
    ASSUMED_DISCORDANCE,
    DiscordanceEstimate,
    SizePlan,
    WidthPlan,
    discordance_seen,
    exact_power,
    pairs_for_width,
    pairs_needed,
)
from biaslab.stats.stopping import Adjustment, Decision, Spending
from biaslab.stats.stopping_rules import GroupSequential, StoppingRule, UntilNarrow, rule_from_json

__all__ = [
    "ALL",
    "ASSUMED_DISCORDANCE",
    "FINDING_COLUMNS",
    "INTERVAL_METHODS",
    "MARGIN",
    "TABLE_COLUMNS",
    "Adjustment",
    "Agreement",
    "AnalysisError",
    "BrokenAssets",
    "BrokenOutcomes",
    "CannotCompare",
    "Coefficient",
    "CountingRules",
    "Decision",
    "DiscordanceEstimate",
    "Effect",
    "End",
    "Estimate",
    "Finding",
    "GroupSequential",
    "ImpossiblePlan",
    "Interval",
    "IntervalMethod",
    "InvalidRule",
    "Origin",
    "RunComparison",
    "SizePlan",
    "Spending",
    "StoppingRule",
    "StratumValue",
    "UnknownChoice",
    "UnknownStratum",
    "UntilNarrow",
    "WidthPlan",
    "agreement",
    "agreement_between_runs",
    "cate_estimate",
    "cate_of_counts",
    "compare",
    "discordance_seen",
    "effect_warnings",
    "effects",
    "effects_json",
    "effects_records",
    "effects_table",
    "end_of",
    "end_sentence",
    "exact_power",
    "findings_json",
    "findings_records",
    "findings_table",
    "majority",
    "mcnemar_p",
    "mean_estimate",
    "mean_interval",
    "paired_t_p",
    "pairs_for_width",
    "pairs_needed",
    "rule_from_json",
    "undivided_sentence",
    "unread_arms",
    "unread_more",
    "wilson",
]
