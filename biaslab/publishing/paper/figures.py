"""Figures for print: effects with their intervals, in black and grey, for one and two columns.

Every mark has its n and its interval in figures beside it. Runs are told apart by the shape of
their marks, so a copy in grey loses nothing; marks of few pairs are hollow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING, Any

from biaslab.publishing.paper.analysis import EffectTable
from biaslab.publishing.paper.methods import FEW
from biaslab.publishing.paper.tables import difference, interval_text, run_names
from biaslab.stats import ALL, Effect
from biaslab.studies.study import outcome_scale
from schoolmath.text.figures import exact_percent, signed_number, signed_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("pdf", "svg", "png")
_DOTS_PER_INCH = 300
_ROWS_OF_A_FIGURE = 20
"""More rows are drawn in parts: a page is no higher."""

_SHAPES = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
BLACK, GREY, _PALE = "#000000", "#6E6E6E", "#C8C8C8"

_STYLE: Mapping[str, Any] = {
    "font.family": "DejaVu Sans",
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "biaslab",
    "text.parse_math": False,
    "axes.unicode_minus": True,
}
"""Fonts are embedded as TrueType or drawn as outlines; a $ in a name is a $."""

_STYLING = Lock()
"""Matplotlib's style is one for the whole process, and screens are drawn in threads."""


@dataclass(frozen=True, slots=True)
class Width:
    """A width of print.

    Attributes:
        name: in names of files; inches: of the figure; points: size of its letters.
        stacked: whether what a mark is stands above it, for want of room beside it.
    """

    name: str
    inches: float
    points: float
    stacked: bool


WIDTHS = (
    Width("one-column", 3.35, 6.5, stacked=True),
    Width("two-column", 7.0, 7.5, stacked=False),
)


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """A figure of a paper.

    Attributes:
        name: of its files, before width and ending; caption: what it shows, in sentences.
        files: contents by name, a file for each width and format.
    """

    name: str
    caption: str
    files: Mapping[str, bytes]


def draw(
    table: EffectTable, effects: Sequence[Effect], arms: Mapping[str, str]
) -> list[PaperFigure]:
    """The figures of a table of effects, at least one a study that has any.

    Args:
        table: which one.
        effects: its effects.
        arms: for each study what x and x′ are, in words.
    """
    figures = []
    for study in dict.fromkeys(effect.study for effect in effects):
        own = [effect for effect in effects if effect.study == study]
        name = f"{table.name}-{study}" if table.by is None else table.name
        parts = _parts(_sorted(own))
        for number, part in enumerate(parts, start=1):
            called = f"{name}-{number}" if len(parts) > 1 else name
            caption = _caption(table, part, arms[study])
            files = printed(called, partial(_figure, part, own))
            figures.append(PaperFigure(called, caption, files))
    return figures


def _sorted(own: Sequence[Effect]) -> list[Effect]:
    """The runs of a stratum together, strata in the order in which they first come."""
    strata = list(dict.fromkeys(effect.stratum for effect in own))
    return sorted(own, key=lambda effect: strata.index(effect.stratum))


def _parts(effects: Sequence[Effect]) -> list[list[Effect]]:
    count = -(-len(effects) // _ROWS_OF_A_FIGURE)
    size = -(-len(effects) // count)
    return [list(effects[at : at + size]) for at in range(0, len(effects), size)]


def _caption(table: EffectTable, part: Sequence[Effect], arms: str) -> str:
    first = part[0]
    levels = " or ".join(dict.fromkeys(exact_percent(effect.confidence) for effect in part))
    scale = outcome_scale(first.study)
    way = "x was right more often" if scale is None else f"the answers moved {scale.positive}"
    by = "" if table.by is None else f" by {table.by}"
    said = [
        f"Effects (CATE) in the study {first.study}{by}: {arms}.",
        f"Positive: {way.rstrip('.')}. Bars: {levels} intervals. n: pairs.",
    ]
    if _is_single(part) and table.by is not None:
        said.append(f"Model: {first.model}, strategy {first.strategy}.")
    if any(effect.n < FEW for effect in part):
        said.append(f"Hollow marks rest on fewer than {FEW} pairs.")
    return " ".join(said)


def _is_single(effects: Sequence[Effect]) -> bool:
    """Whether all are of one run, so that only strata need names."""
    return len({effect.run for effect in effects}) == 1


def _unit(effect: Effect) -> str:
    scale = outcome_scale(effect.study)
    return "percentage points" if scale is None else scale.unit


def printed(name: str, drawing: Callable[[Width], Figure]) -> dict[str, bytes]:
    """The files of a figure in the style of all of them, by name: every width in every format.

    Args:
        name: of the figure.
        drawing: draws it in a width; called inside the style.
    """
    import matplotlib as mpl

    files = {}
    with _STYLING, mpl.rc_context(dict(_STYLE)):
        for width in WIDTHS:
            figure = drawing(width)
            for ending in FORMATS:
                files[f"{name}-{width.name}.{ending}"] = _saved(figure, ending)
    return files


def _saved(figure: Figure, ending: str) -> bytes:
    """The file, without the time at which it was made: the same runs give the same bytes."""
    undated = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {"Software": None}}
    written = BytesIO()
    figure.savefig(written, format=ending, dpi=_DOTS_PER_INCH, metadata=undated[ending])
    return written.getvalue()


def _figure(part: Sequence[Effect], own: Sequence[Effect], width: Width) -> Figure:
    """Rows from top to bottom, each with what it is, its mark and its figures."""
    from matplotlib.figure import Figure

    line = width.points / 72 * 1.55
    heads = [
        place
        for place, effect in enumerate(part)
        if effect.stratum != ALL
        and not _is_single(own)
        and (place == 0 or part[place - 1].stratum != effect.stratum)
    ]
    row = line * (2.3 if width.stacked else 1.25)
    height = row * len(part) + line * 1.3 * len(heads)
    below, above = line * 2.5, line * 0.6
    figure = Figure(figsize=(width.inches, height + below + above))
    edge = 0.08 / width.inches
    left, right = (edge, 1 - edge) if width.stacked else (0.36, 0.70)
    axes = figure.add_axes(
        (left, below / (height + below + above), right - left, height / (height + below + above))
    )
    axes.set_ylim(height, 0)
    _axis(axes, own, width)
    names, shapes = run_names(own), _shapes(own)
    start = 0 if width.stacked else -_beside(width)
    at = 0.0
    for place, effect in enumerate(part):
        if place in heads:
            at += line * 1.3
            head = effect.stratum.replace("=", ": ", 1)
            _write(axes, start, at - line * 0.35, head, width, width.inches * 0.9, bold=True)
        middle = at + row * (0.72 if width.stacked else 0.5)
        words = at + line * 0.6 if width.stacked else middle
        told = _figures(effect)
        end = 1 if width.stacked else 1.03
        used = _write(axes, end, words, told, width, width.inches, end=width.stacked)
        room = width.inches * (right - left) - used - 0.1 if width.stacked else width.inches * 0.335
        label = f"{names[effect.run]}, {effect.strategy}"
        if effect.stratum != ALL and _is_single(own):
            label = effect.stratum.replace("=", ": ", 1)
        _write(axes, start, words, label, width, room)
        _mark(axes, effect, middle, shapes[effect.run], width)
        at += row
    return figure


def _figures(effect: Effect) -> str:
    """What stands beside a mark."""
    if effect.cate is None:
        return f"n = {effect.n:,}   no effect"
    known = effect.ci_low is not None and effect.ci_high is not None
    spread = interval_text(effect) if known else "no interval"
    return f"n = {effect.n:,}   {difference(effect.cate, effect.binary)} {spread}"


def _beside(width: Width) -> float:
    """Where labels begin, left of the axes, in widths of the axes."""
    return (0.36 - 0.08 / width.inches) / (0.70 - 0.36)


def _axis(axes: Axes, own: Sequence[Effect], width: Width) -> None:
    """An axis that all parts of a figure share, with 0 on it."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    ends = [
        end for effect in own for end in (effect.ci_low, effect.ci_high, effect.cate)
        if end is not None
    ]  # fmt: skip
    low, high = min((*ends, 0.0)), max((*ends, 0.0))
    room = 0.06 * ((high - low) or 1.0)
    axes.set_xlim(low - room, high + room)
    binary = own[0].binary
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(
        FuncFormatter(
            lambda value, _: signed_points(value, 0) if binary else signed_number(value, 1)
        )
    )
    axes.tick_params(axis="x", labelsize=width.points, length=2, width=0.5, pad=2)
    axes.set_yticks([])
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_linewidth(0.5)
    axes.axvline(0, color=GREY, linewidth=0.6, linestyle=(0, (4, 2)), zorder=0)
    axes.set_xlabel(f"CATE, {_unit(own[0])}", fontsize=width.points, labelpad=2)


def _mark(axes: Axes, effect: Effect, at: float, shape: str, width: Width) -> None:
    if effect.cate is None:
        return
    few = effect.n < FEW
    colour = GREY if few else BLACK
    if effect.ci_low is not None and effect.ci_high is not None:
        bar = _PALE if few else BLACK
        axes.hlines(at, effect.ci_low, effect.ci_high, color=bar, linewidth=0.9)
    axes.plot(
        effect.cate, at, marker=shape, markersize=width.points * 0.62, color=colour,
        markerfacecolor="white" if few else colour, markeredgewidth=0.8, clip_on=False,
    )  # fmt: skip


def _shapes(own: Sequence[Effect]) -> dict[str, str]:
    """A shape for each run; runs beyond the shapes there are share them, their labels differ."""
    runs = dict.fromkeys(effect.run for effect in own)
    return {run: _SHAPES[place % len(_SHAPES)] for place, run in enumerate(runs)}


def _write(
    axes: Axes,
    x: float,
    y: float,
    text: str,
    width: Width,
    room: float,
    *,
    end: bool = False,
    bold: bool = False,
) -> float:
    """Writes a line beside the axes, shortened to the room there is; gives its width in inches."""
    shown, used = _fitting(text, width.points, room, bold)
    axes.text(
        x, y, shown, transform=axes.get_yaxis_transform(), fontsize=width.points,
        ha="right" if end else "left", va="center", fontweight="bold" if bold else "normal",
        clip_on=False, bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
    )  # fmt: skip
    return used


def _fitting(text: str, points: float, room: float, bold: bool) -> tuple[str, float]:
    """A text, with … in its middle where it is too long, and how wide it is in inches."""
    from matplotlib.font_manager import FontProperties, findfont, get_font
    from matplotlib.textpath import TextPath

    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    there = get_font(findfont(font)).get_charmap()
    text = "".join(
        each if ord(each) in there and each.isprintable() else f"[U+{ord(each):04X}]"
        for each in text
    )
    kept, shown = len(text), text
    while True:
        path = TextPath((0, 0), shown, size=points, prop=font)
        wide = float(path.get_extents().x1) / 72 if len(path.vertices) else 0.0
        if wide <= room or kept < 8:
            return shown, wide
        kept -= max(1, round(kept * 0.05))
        shown = f"{text[: kept // 2]}…{text[-(kept - kept // 2) :]}"
