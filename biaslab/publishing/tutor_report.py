"""A check of a tutor as one file that opens anywhere: verdicts and a picture first, then all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts import Chart, theme
from biaslab.charts.chart import RunStyle, plain
from biaslab.charts.forest import LegendLine, RowPositions, forest_figure
from biaslab.publishing.report import (
    Report,
    ReportFinding,
    ReportPicture,
    ReportTable,
    Section,
    report_of_runs,
)
from biaslab.publishing.tutor_check import (
    LIMITS,
    TutorRuns,
    check_records,
    line_sentences,
    lines_of,
    pairs_of,
    plain_sentence,
    scope_words,
)
from biaslab.runs import Store
from biaslab.studies.tutor.check import CheckRow
from schoolmath.text.figures import count, percent, signed_points


def report_of_check(store: Store, runs: TutorRuns, name: str) -> Report:
    """A check as one file: the verdicts first, then all that a report of its runs has.

    Args:
        store: the file of the runs.
        runs: of the check.
        name: what the tutor is called.

    Raises:
        PaperError, AnalysisError, StoreError: as `report_of_runs`.
    """
    lines = lines_of(pairs_of(store, runs))
    report = report_of_runs(store, [run.id for run in runs.runs.values()], strict=False)
    verdicts = tuple(
        ReportFinding(
            f"{line.measure.title}: {line.sentence}",
            tuple(line_sentences(line)),
        )
        for line in lines
    )  # fmt: skip
    light, dark = (check_chart(lines, dark=dark) for dark in (False, True))
    table = ReportTable(
        "All figures",
        ("what", "k", "n", "share", "95 % low", "95 % high", "guessing", "contrast", "verdict"),
        tuple(_row(line) for line in lines),
        frozenset(range(1, 8)),
        ("The contrast is the share with the feature minus the share without: 0 for a tutor that "
         "sees nothing. A verdict needs a 99 % interval without 0, since there are five. Intervals "
         "respect that pairs of one mal-rule belong together.",),
    )  # fmt: skip
    picture = ReportPicture("How often, and what guessing would give", light, dark)
    return replace(
        report,
        title=f"A check of {name} as a tutor",
        about=f"{scope_words(runs.check)}, {count(runs.check.n, 'pair')} of each kind. What is "
        "right is known by calculation; no other model judges.",
        before="",
        findings=verdicts + report.findings,
        sections=(Section("The check", (), (picture,), (table,)), *report.sections),
        limitations=(*LIMITS, *report.limitations),
    )


def _row(row: CheckRow) -> tuple[str, ...]:
    ends = (None, None) if row.interval is None else (row.interval.low, row.interval.high)
    return (
        row.measure.label, str(row.headline.k), str(row.headline.n),
        percent(row.headline.share), *map(percent, ends), percent(row.chance),
        signed_points(row.contrast.mean), row.sentence,
    )  # fmt: skip


_THICK = 0.6
"""Of a bar, in rows."""


def check_chart(lines: Sequence[CheckRow], dark: bool = False) -> Chart:
    """A bar for each line: the share of its headline, its interval, and what guessing gives.

    Args:
        lines: of a check; one at least.
        dark: for a dark page.
    """
    colours = theme(dark)
    rows = RowPositions()
    places = [rows.block(line.measure.label, 1)[0] for line in lines]
    title = "How often each happened"
    bar, guess = RunStyle(colours.palette[0], "square"), RunStyle(colours.text, "diamond")
    legend = [
        LegendLine("share of pairs, 95 % interval", bar), LegendLine("what guessing gives", guess)
    ]  # fmt: skip
    figure = forest_figure(rows, colours, title, "% of pairs", [0, 100], legend)
    shares = [100 * line.headline.share for line in lines]
    ends = [(line.interval.low, line.interval.high) if line.interval else None for line in lines]
    words = [plain(plain_sentence(line)) for line in lines]
    figure.add_trace(
        go.Bar(
            x=shares, y=places, orientation="h", width=_THICK, customdata=words,
            marker={"color": colours.palette[0]}, hovertemplate="%{customdata}<extra></extra>",
            error_x={
                "type": "data", "symmetric": False, "color": colours.text, "thickness": 2,
                "array": [100 * e[1] - x if e else 0 for e, x in zip(ends, shares, strict=True)],
                "arrayminus": [
                    x - 100 * e[0] if e else 0 for e, x in zip(ends, shares, strict=True)
                ],
            },
        )
    )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=[100 * line.chance for line in lines], y=places, mode="markers",
            marker={"symbol": "diamond", "size": 11, "color": colours.text,
                    "line": {"color": colours.background, "width": 2}},
            hovertemplate="guessing: %{x:.0f} %<extra></extra>",
        )
    )  # fmt: skip
    said = " ".join(f"{plain_sentence(line)} {line.interval_sentence}" for line in lines)
    return Chart(figure, f"{title}. {said}", pd.DataFrame(check_records(lines)))
