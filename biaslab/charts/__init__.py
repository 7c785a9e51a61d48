"""Plotly figures from analysis results, each with the same content in words and numbers."""

from biaslab.charts.chart import (
    CONFIG,
    DARK,
    LIGHT,
    MOST_POINTS,
    Chart,
    Theme,
    config,
    contrast,
    empty_chart,
    kind_label,
    theme,
)
from biaslab.charts.effects import arms_chart, cate_chart
from biaslab.charts.structure import structure_chart

__all__ = [
    "CONFIG",
    "DARK",
    "LIGHT",
    "MOST_POINTS",
    "Chart",
    "Theme",
    "arms_chart",
    "cate_chart",
    "config",
    "contrast",
    "empty_chart",
    "kind_label",
    "structure_chart",
    "theme",
]
