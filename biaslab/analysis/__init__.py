"""What outcomes mean: effects with intervals and tests, and published results beside them.

Also how many pairs a run needs, when it may stop, and whether a model says the same again.
"""

from biaslab.analysis.agreement import Agreement, agreement, agreement_between_runs
from biaslab.analysis.boundaries import Spending
from biaslab.analysis.comparing import Comparison, compare
from biaslab.analysis.decisions import Adjustment, Decision
from biaslab.analysis.discordance import ASSUMED_DISCORDANCE, DiscordanceSeen, discordance_seen
from biaslab.analysis.effect_warnings import (
    effect_warnings,
    undivided_sentence,
    unread_arms,
    unread_more,
)
from biaslab.analysis.effects import Effect, effects
from biaslab.analysis.errors import (
    AnalysisError,
    BrokenAssets,
    BrokenOutcomes,
    CannotCompare,
    ImpossiblePlan,
    UnknownChoice,
    UnknownStratum,
)
from biaslab.analysis.estimate import Estimate, mean_estimate
from biaslab.analysis.exact_power import exact_power
from biaslab.analysis.findings import (
    FINDING_COLUMNS,
    Coefficient,
    Finding,
    findings_json,
    findings_records,
    findings_table,
)
from biaslab.analysis.group_sequential import GroupSequential
from biaslab.analysis.outcomes import InvalidRule
from biaslab.analysis.paired import (
    INTERVAL_METHODS,
    IntervalMethod,
    cate_estimate,
    cate_of_counts,
    mcnemar_p,
    paired_t_p,
)
from biaslab.analysis.planning import Plan, pairs_needed
from biaslab.analysis.planning_width import WidthPlan, pairs_for_width
from biaslab.analysis.proportions import Interval, mean_interval, wilson
from biaslab.analysis.published import (
    HumanBaseline,
    PublishedEffect,
    human_baselines,
    published_effects,
)
from biaslab.analysis.sequential import StoppingRule, rule_from_json
from biaslab.analysis.shared_pairs import Setting
from biaslab.analysis.strata import ALL, StratumValue
from biaslab.analysis.tables import (
    TABLE_COLUMNS,
    Origin,
    effects_json,
    effects_records,
    effects_table,
)
from biaslab.analysis.until_narrow import UntilNarrow
from biaslab.analysis.votes import majority

__all__ = [
    "ALL",
    "ASSUMED_DISCORDANCE",
    "FINDING_COLUMNS",
    "INTERVAL_METHODS",
    "TABLE_COLUMNS",
    "Adjustment",
    "Agreement",
    "AnalysisError",
    "BrokenAssets",
    "BrokenOutcomes",
    "CannotCompare",
    "Coefficient",
    "Comparison",
    "Decision",
    "DiscordanceSeen",
    "Effect",
    "Estimate",
    "Finding",
    "GroupSequential",
    "HumanBaseline",
    "ImpossiblePlan",
    "Interval",
    "IntervalMethod",
    "InvalidRule",
    "Origin",
    "Plan",
    "PublishedEffect",
    "Setting",
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
    "exact_power",
    "findings_json",
    "findings_records",
    "findings_table",
    "human_baselines",
    "majority",
    "mcnemar_p",
    "mean_estimate",
    "mean_interval",
    "paired_t_p",
    "pairs_for_width",
    "pairs_needed",
    "published_effects",
    "rule_from_json",
    "undivided_sentence",
    "unread_arms",
    "unread_more",
    "wilson",
]
