"""Mixes of school problems: which effects come of all their ratios at once.

Declared when rows 1 and 2 were known and nothing of rows 5 and 7 was trained
(research/docs/experiment.md, "Mixes of school problems"). The claims are a family of tests of
their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from biaslab.charts.chart import Chart, RunStyle, plain, theme
from biaslab.charts.forest import (
    AxisSides,
    LegendLine,
    RowPositions,
    forest_figure,
    range_of,
)
from biaslab.charts.origins import MixStyle, styles_of
from biaslab.training.origins.effects import ends
from biaslab.training.origins.predictions import Truth
from research.experiment.design import (
    CELLS,
    CHECKS,
    CONSISTENCY,
    LEAST_STARTS,
    NO_EFFECT,
    STARTS,
    STUDIES,
    TRANSFER,
    ClaimFigure,
    Side,
)
from research.experiment.estimates import StartsEstimate, bar_of
from research.experiment.outcomes import (
    Contrast,
    TrainingAnswers,
    Weights,
    at_check,
    effect,
    over_log_lessons,
)
from research.experiment.table import SampleRow
from research.experiment.verdicts import FigurePlace, decide_together, value_words
from schoolmath.text.figures import count, listed, p_words, signed_points

AUDITED, COUNTED, EVEN = "audited", "skewed", "balanced"
"""Cells: as this project's audit told of public corpora, as Opedal et al. (2024) counted, and as
many of each."""

COMPARED = (COUNTED, AUDITED, EVEN)
"""From the most uneven."""

RATIOS_OF = {COUNTED: "Opedal et al.", AUDITED: "public corpora", EVEN: "1:1"}
"""Whose ratios each of them has, for people."""

_EFFECTS = {CONSISTENCY: "consistency", TRANSFER: "transfer"}


@dataclass(frozen=True, slots=True)
class SchoolClaim:
    """That an effect is above zero, or that it is larger with one mix than with another.

    Attributes:
        study: whose pairs; mix: the cell; than: the other cell, where two are compared.
    """

    study: str
    mix: str
    than: str = ""

    def contrast(self, checks: Weights) -> Contrast:
        """The figure that has to be above zero; declared was the mean over log lessons."""
        cells = [(CELLS[self.mix], 1.0)]
        if self.than:
            cells.append((CELLS[self.than], -1.0))
        return Contrast(self.study, cells, checks)


CLAIMS = (
    *(SchoolClaim(study, mix) for mix in (AUDITED, COUNTED) for study in _EFFECTS),
    *(SchoolClaim(study, COUNTED, AUDITED) for study in _EFFECTS),
)


@dataclass(frozen=True, slots=True)
class SchoolDecided:
    """A claim with what the table says of it.

    Attributes:
        claim: what was declared; estimate: its figure; q: among these claims; None without a test.
        answer: whether it holds.
    """

    claim: SchoolClaim
    estimate: StartsEstimate
    q: float | None
    answer: Truth


@dataclass(frozen=True, slots=True)
class SchoolMixes:
    """What comes of the mixes of school problems, beside an even one.

    Attributes:
        mean, end: by study and cell, the effect over log lessons and after the last lesson, of
            the same starts everywhere.
        decided: every claim; decided_at_end: the same after the last lesson, of which nothing was
            declared.
    """

    mean: dict[tuple[str, str], StartsEstimate]
    end: dict[tuple[str, str], StartsEstimate]
    decided: tuple[SchoolDecided, ...]
    decided_at_end: tuple[SchoolDecided, ...]

    @property
    def starts(self) -> int:
        """How many starts are behind it."""
        return self.mean[CONSISTENCY, AUDITED].n

    def rows(self) -> Iterator[tuple[str, str, str, StartsEstimate]]:
        """Every effect with its study, its mix and when it is of."""
        for when, effects in (("mean over log lessons", self.mean), ("last lesson", self.end)):
            for (study, mix), estimate in effects.items():
                yield study, mix, when, estimate


def school_mixes(table: Sequence[SampleRow]) -> SchoolMixes | None:
    """Effects and claims; None where no start has both mixes and the even one at their end."""
    names = {name: set[int]() for name in COMPARED}
    for kept in table:
        if kept.row.final and kept.row.mix in names:
            names[kept.row.mix].add(kept.row.seed)
    whole = set.intersection(*names.values())
    if not whole:
        return None
    answers = TrainingAnswers(kept for kept in table if kept.row.seed in whole)

    def effects(checks: Weights) -> dict[tuple[str, str], StartsEstimate]:
        return {
            (study, name): answers.estimate(effect(CELLS[name], study, checks))
            for study in STUDIES
            for name in COMPARED
        }

    def decided(checks: Weights) -> tuple[SchoolDecided, ...]:
        found = [answers.estimate(claim.contrast(checks)) for claim in CLAIMS]
        held = decide_together([FigurePlace(Side.ABOVE, NO_EFFECT, estimate) for estimate in found])
        return tuple(
            SchoolDecided(claim, estimate, each.q, each.answer)
            for claim, estimate, each in zip(CLAIMS, found, held, strict=True)
        )

    mean, end = over_log_lessons(), at_check(CHECKS[-1])
    return SchoolMixes(effects(mean), effects(end), decided(mean), decided(end))


def school_sentence(mixes: SchoolMixes) -> str:
    """What comes of the mixes over learning, by the intervals; what decides nothing says so."""
    if mixes.starts < LEAST_STARTS:
        return f"Not yet decided: no verdict comes before {LEAST_STARTS} starts."
    return _sentence(mixes.decided)


def school_at_end(mixes: SchoolMixes) -> str:
    """The same after the last lesson."""
    if mixes.starts < LEAST_STARTS:
        return ""
    return f"After the last lesson: {_sentence(mixes.decided_at_end)}"


def _sentence(claims: Sequence[SchoolDecided]) -> str:
    parts = [
        f"With the ratios of {RATIOS_OF[mix]} "
        f"{_claim_words(_by_answer(claims, mix), 'above zero')}."
        for mix in (AUDITED, COUNTED)
    ]
    beyond = _claim_words(_by_answer(claims, COUNTED, AUDITED), "larger")
    return " ".join([*parts, f"With those of {RATIOS_OF[COUNTED]} {beyond}."])


def school_figures(mixes: SchoolMixes) -> str:
    """Every claim's figure, with its interval, q and starts; and those of an even mix."""
    told = []
    for mix, than in ((AUDITED, ""), (COUNTED, ""), (COUNTED, AUDITED)):
        figures = [
            f"{_EFFECTS[each.claim.study]} {value_words(ClaimFigure.EFFECT, each.estimate)}"
            + ("" if each.q is None else f", q {p_words(each.q)}")
            for each in mixes.decided
            if (each.claim.mix, each.claim.than) == (mix, than)
        ]
        beyond = " beyond those of public corpora" if than else ""
        told.append(f"With the ratios of {RATIOS_OF[mix]}{beyond}: {'; '.join(figures)}.")
    even = "; ".join(
        f"{name} {value_words(ClaimFigure.EFFECT, mixes.mean[study, EVEN])}"
        for study, name in _EFFECTS.items()
    )
    told.append(f"With {RATIOS_OF[EVEN]}, without a claim: {even}.")
    return f"{' '.join(told)} Mean over log lessons; {mixes.starts} of {count(STARTS, 'start')}."


def _by_answer(claims: Sequence[SchoolDecided], mix: str, than: str = "") -> dict[Truth, list[str]]:
    """Effects of a mix, or those that are larger with it than with another, by what was found."""
    names: dict[Truth, list[str]] = {}
    for each in claims:
        if (each.claim.mix, each.claim.than) == (mix, than):
            names.setdefault(each.answer, []).append(f"{_EFFECTS[each.claim.study]} effect")
    return names


def _claim_words(names: dict[Truth, list[str]], what: str) -> str:
    """Which effects are what was claimed, which are not, and of which it cannot be told."""
    parts = []
    for answer, before, no in (
        (Truth.TRUE, "the ", ""),
        (Truth.FALSE, "the ", "not "),
        (Truth.OPEN, "it cannot be told whether the ", ""),
    ):
        if answer in names:
            are = "are" if len(names[answer]) > 1 else "is"
            parts.append(f"{before}{listed(names[answer])} {are} {no}{what}")
    return "; ".join(parts)


# The picture: what effects come of all their ratios at once.


_APART = 0.3
"""Of the marks of a row, in rows: single starts below, the last lesson above."""

Placed = tuple[str, str, float]
"""A study, a cell and how high it stands."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """Of a cell: how high, what it is in words, and its effect."""

    mix: str
    y: float
    words: str
    value: float


def school_chart(mixes: SchoolMixes, studies: Mapping[str, str], *, dark: bool = False) -> Chart:
    """Effects study by study: the mean over lessons with its interval, and after the last one.

    Args:
        mixes: what comes of the mixes.
        studies: titles, by name, from top to bottom.
        dark: for a dark page.
    """
    colours = theme(dark)
    rows = RowPositions()
    placed: list[Placed] = []
    for study, title in studies.items():
        rows.heading(title)
        placed += [
            (study, name, y) for name in COMPARED for y in rows.block(RATIOS_OF[name], 1, 1.1)
        ]
    over = "items alone: one start" if mixes.starts < 2 else "starts and items"
    figure = forest_figure(
        rows, colours, "Effect by mix, step by step",
        "Effect in percentage points<br>(CATE, easier arm minus harder arm)",
        _range(mixes),
        [
            LegendLine("Large mark: mean over log lessons", RunStyle(colours.text, "square")),
            LegendLine(f"Bar: 95 % interval over {over}"),
            LegendLine("Cross: after the last lesson", RunStyle(colours.text, "x")),
            LegendLine("Small marks below: single starts"),
        ],
        AxisSides("◀ the other way", "in the expected<br>direction ▶"),
    )  # fmt: skip
    figure.add_vline(x=0, line={"color": colours.text, "width": 1.5})
    styles = styles_of(COMPARED, colours)
    _add(figure, mixes, placed, styles)
    return Chart(figure, _summary(mixes, studies), _data(mixes))


def _add(
    figure: go.Figure, mixes: SchoolMixes, placed: Sequence[Placed], styles: Mapping[str, MixStyle]
) -> None:
    for study, name, y in placed:
        if (bar := bar_of(mixes.mean[study, name])) is not None:
            figure.add_shape(
                type="line", x0=100 * bar.low, x1=100 * bar.high, y0=y, y1=y,
                line={"color": styles[name].colour, "width": 3},
            )  # fmt: skip
    starts = [
        _Mark(name, y + _APART, f"start {seed}: {signed_points(one.value)}", one.value)
        for study, name, y in placed
        for seed, one in mixes.mean[study, name].starts.items()
    ]
    _add_marks(figure, starts, styles, "square", 5)
    for symbol, size, above, of in (("x", 8, _APART, mixes.end), ("square", 11, 0.0, mixes.mean)):
        marks = [
            _Mark(
                name,
                y - above,
                words(of[study, name], RATIOS_OF[name]),
                of[study, name].value or 0.0,
            )
            for study, name, y in placed
        ]
        _add_marks(figure, marks, styles, symbol, size)


def _add_marks(
    figure: go.Figure,
    marks: Sequence[_Mark],
    styles: Mapping[str, MixStyle],
    symbol: str,
    size: int,
) -> None:
    figure.add_trace(
        go.Scatter(
            x=[100 * mark.value for mark in marks], y=[mark.y for mark in marks], mode="markers",
            marker={"symbol": symbol, "size": size,
                    "color": [styles[mark.mix].colour for mark in marks]},
            customdata=[plain(mark.words) for mark in marks],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )  # fmt: skip


def words(estimate: StartsEstimate, mix: str) -> str:
    """An effect with its interval, in one line."""
    bar = bar_of(estimate)
    between = "" if bar is None else f" (95 % interval {ends(bar)})"
    return f"{mix}: {signed_points(estimate.value)}{between}"


def _range(mixes: SchoolMixes) -> list[float]:
    values = [estimate.value or 0.0 for estimate in mixes.end.values()]
    for estimate in mixes.mean.values():
        values += [one.value for one in estimate.starts.values()]
        if (bar := bar_of(estimate)) is not None:
            values += [bar.low, bar.high]
    return range_of(values, binary=True)


def _summary(mixes: SchoolMixes, studies: Mapping[str, str]) -> str:
    told = []
    for study, title in studies.items():
        mean = "; ".join(words(mixes.mean[study, name], RATIOS_OF[name]) for name in COMPARED)
        end = "; ".join(words(mixes.end[study, name], RATIOS_OF[name]) for name in COMPARED)
        told.append(f"{title}, mean over log lessons: {mean}. After the last lesson: {end}.")
    return f"{school_sentence(mixes)} {school_figures(mixes)} {' '.join(told)}"


def _data(mixes: SchoolMixes) -> pd.DataFrame:
    rows = []
    for study, mix, when, estimate in mixes.rows():
        bar = bar_of(estimate)
        rows.append(
            {
                "study": study, "mix": mix, "when": when, "effect": estimate.value,
                "low": bar and bar.low, "high": bar and bar.high, "starts": estimate.n,
            }
        )  # fmt: skip
    return pd.DataFrame(rows)
