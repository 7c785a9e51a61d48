"""Plotly figures from analysis results, each with the same content in words and numbers."""

from biaslab.charts.chart import CONFIG, MOST_POINTS, Chart, config, empty_chart
from biaslab.charts.effects.arms import arms_chart
from biaslab.charts.effects.cate import cate_chart
from biaslab.charts.structure import structure_chart
from biaslab.charts.theme import DARK, LIGHT, Theme, contrast, kind_label, theme

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
