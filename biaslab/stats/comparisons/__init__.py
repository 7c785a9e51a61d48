"""Differences between runs, trends over strata, the model-based analysis, and any two logs."""

from biaslab.stats.comparisons.logs import (
    LogComparison,
    compare_logs,
    log_record,
    log_sentences,
    paired,
)

__all__ = ["LogComparison", "compare_logs", "log_record", "log_sentences", "paired"]
