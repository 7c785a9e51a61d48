"""What all charts share: what they return, colours and layout, and text that is safe and short.

Colours are those of Okabe & Ito (2008), which people with colour-vision deficiencies can tell
apart; of them, each theme uses those with a contrast of at least 3:1 to its background (WCAG
2.2, 1.4.11). Symbols carry the same distinction a second time, and every kind of model has
symbols of its own, so that simulated learners never look like language models.

Plotly reads a little markup in every text and TeX between dollar signs. Names of models, and
whatever else others wrote, must appear as they are, so all text passes through `plain`.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from biaslab.models import ModelKind
from biaslab.stats import ALL, Effect
from schoolmath.text.figures import MINUS, exact_percent, signed_number, signed_points

if TYPE_CHECKING:
    import pandas as pd


def plain(text: str) -> str:
    """Text that a figure shows exactly as it is."""
    return html.escape(text, quote=False).replace("$", "&#36;").replace("%{", "%&#123;")


def wrapped(text: str, width: int) -> str:
    """Text as `plain`, in lines of at most `width` characters."""
    return "<br>".join(plain(line) for line in textwrap.wrap(text, width) or [""])


def lines(wrapped_text: str) -> int:
    """Number of lines of a text from `wrapped`."""
    return wrapped_text.count("<br>") + 1


def shortened(text: str, width: int) -> str:
    """Text of at most `width` characters that keeps its end, where names and paths differ."""
    return text if len(text) <= width else f"…{text[1 - width :]}"


def signed(value: float, binary: bool = True) -> str:
    """A difference with its sign: percentage points of a fraction, or units of a scale."""
    return signed_points(value) if binary else signed_number(value)


def number(value: int) -> str:
    """A whole number with a real minus sign."""
    return str(value).replace("-", MINUS)


def stratum_words(effect: Effect, label: str) -> str:
    """A stratum on an axis: ``Steps: 2``, or ``All pairs``."""
    if effect.stratum == ALL:
        return "All pairs"
    match effect.stratum_value:
        case None:
            value = "not given"
        case bool() as given:
            value = "yes" if given else "no"
        case other:
            value = str(other)
    name = label or effect.stratum.partition("=")[0].capitalize()
    return f"{name}: {value}"


def row_words(effect: Effect, label: str) -> str:
    """A stratum beside its row, as short as it is clear: ``Steps: 2``, but ``Addition``."""
    value = effect.stratum_value
    if isinstance(value, str) and value and not value.isdigit():
        return value[0].upper() + value[1:]
    return stratum_words(effect, label)


def interval_words(effect: Effect) -> str:
    """An effect in words: ``+12.0 percentage points (95 % interval +5.1 to +18.9, n = 120)``."""
    if effect.cate is None:
        return f"no value (n = {effect.n})"
    unit = "percentage points" if effect.binary else "units of the scale"
    level = exact_percent(effect.confidence)
    if effect.ci_low is None or effect.ci_high is None:
        spread = f"no {level} interval can be determined"
    else:
        low, high = (signed(end, effect.binary) for end in (effect.ci_low, effect.ci_high))
        spread = f"{level} interval {low} to {high}"
    return f"{signed(effect.cate, effect.binary)} {unit} ({spread}, n = {effect.n})"


@dataclass(frozen=True, slots=True)
class Theme:
    """What a chart looks like on a light or a dark page. Colours are ``#RRGGBB``.

    Attributes:
        palette: colours of marks, in the order in which they are given out.
        text: of titles, labels and the zero line; muted: of published results and notes;
            grid: of lines that only guide the eye.
    """

    background: str
    text: str
    muted: str
    grid: str
    palette: tuple[str, ...]


LIGHT = Theme(
    background="#FFFFFF",
    text="#14161A",
    muted="#5A5F66",
    grid="#E3E6EA",
    palette=("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000"),
)
DARK = Theme(
    background="#0E1117",
    text="#F2F4F7",
    muted="#A9AFB8",
    grid="#2C313A",
    palette=("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7"),
)

FONT = '"Source Sans", "Source Sans 3", "Segoe UI", Roboto, sans-serif'

KIND_LABELS = {
    ModelKind.LEARNER: "Simulated learner",
    ModelKind.TINY: "Tiny model",
    ModelKind.LANGUAGE_MODEL: "Language model",
}
"""What each kind of model is called on charts."""

GLYPHS = {
    "triangle-up": "▲", "triangle-down": "▼", "triangle-right": "▶", "triangle-left": "◀",
    "square": "■", "diamond": "◆", "circle": "●", "cross": "✚", "x": "✖", "star": "★",
}  # fmt: skip
"""Characters that look like plotly's symbols, for legends."""

_SYMBOLS = {
    ModelKind.LEARNER: ("triangle-up", "triangle-down", "triangle-right", "triangle-left"),
    ModelKind.TINY: ("square", "diamond"),
    ModelKind.LANGUAGE_MODEL: ("circle", "cross", "x", "star"),
}

PUBLISHED_SYMBOLS = ("circle-open", "square-open", "diamond-open", "triangle-up-open")
"""Hollow marks are published results, and nothing else is hollow."""


@dataclass(frozen=True, slots=True)
class RunStyle:
    """How the marks of one run look."""

    colour: str
    symbol: str

    @property
    def glyph(self) -> str:
        """The symbol as a character."""
        return GLYPHS[self.symbol]


def theme(dark: bool) -> Theme:
    """The theme of a light or a dark page."""
    return DARK if dark else LIGHT


def kind_label(kind: str) -> str:
    """What a kind of model is called; the kind itself where it is not known."""
    return KIND_LABELS.get(ModelKind(kind), kind) if kind in set(ModelKind) else kind


def looks(kinds: Sequence[str], colours: Theme) -> list[RunStyle]:
    """A look for each run, told apart by colour and symbol, symbols by kind of model."""
    seen: Counter[str] = Counter()
    given: list[RunStyle] = []
    for index, kind in enumerate(kinds):
        family = _SYMBOLS[ModelKind(kind) if kind in set(ModelKind) else ModelKind.LANGUAGE_MODEL]
        symbol = family[seen[kind] % len(family)]
        given.append(RunStyle(colours.palette[index % len(colours.palette)], symbol))
        seen[kind] += 1
    return given


FEWEST = 5
"""A cell of fewer answers is faded: its colour must not say more than they do."""

_FADED = 0.3


def faded(colour: str, colours: Theme) -> str:
    """A colour nearly as the page's background."""
    return mixed(colours.background, colour, _FADED)


def mixed(one: str, other: str, share: float) -> str:
    """A ``#RRGGBB`` colour between two, with such a share of the other from 0 to 1."""
    parts = [
        round(int(one[at : at + 2], 16) * (1 - share) + int(other[at : at + 2], 16) * share)
        for at in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02X}" for part in parts)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two ``#RRGGBB`` colours, from 1 to 21 (WCAG 2.2, relative luminance)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def written_on(colour: str, colours: Theme) -> str:
    """The theme's own colour that is read best on a coloured cell."""
    return max((colours.text, colours.background), key=lambda ink: contrast(ink, colour))


_INKS = ("#000000", "#FFFFFF")


def ink_on(fill: str) -> str:
    """Black or white, whichever is read better on a coloured cell."""
    return max(_INKS, key=lambda ink: contrast(ink, fill))


_RAMPS = {False: ("#EAF3FA", "#08467A"), True: ("#15293A", "#A6D8FA")}
"""Ends of the colours from 0 % to 100 %, on light and dark pages: one hue, told apart by
lightness alone, so colour vision does not matter."""


def cell_colour(share: float, dark: bool = False) -> str:
    """The colour of a cell for a share from 0 to 1."""
    return mixed(*_RAMPS[dark], share)


def ramp_words(dark: bool) -> str:
    """Which end of the colours of cells is 100 %."""
    return f"{'Dark: 0 %; bright' if dark else 'Pale: 0 %; dark'}: 100 %."


def _luminance(colour: str) -> float:
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


TITLE_LINE = 20
"""Pixels of one line of a title."""


def base_layout(colours: Theme, title: str, height: int) -> dict[str, Any]:
    """Layout of every chart: explicit colours, no zooming by touch, room for wrapped titles.

    Args:
        colours: the theme.
        title: already made safe, lines separated by ``<br>``.
        height: in pixels; the width is that of the page.
    """
    return {
        "template": "none",
        "height": height,
        "autosize": True,
        "paper_bgcolor": colours.background,
        "plot_bgcolor": colours.background,
        "font": {"family": FONT, "size": 13, "color": colours.text},
        "title": {
            "text": title,
            "font": {"size": 13, "color": colours.text},
            "x": 0.0,
            "xref": "container",
            "xanchor": "left",
            "y": 1.0 - (12 + TITLE_LINE * title.count("<br>")) / height,
            "yref": "container",
            "yanchor": "top",
            "pad": {"l": 10},
        },
        "modebar": {
            "bgcolor": "rgba(0,0,0,0)",
            "color": colours.muted,
            "activecolor": colours.text,
        },
        "hoverlabel": {
            "bgcolor": colours.background,
            "bordercolor": colours.text,
            "font": {"family": FONT, "size": 13, "color": colours.text},
            "align": "left",
        },
        "dragmode": False,
        "hovermode": "closest",
    }


MOST_POINTS = 200
"""More marks than this are neither readable nor quick to draw."""

TITLE_WIDTH = 52
"""Characters of a title's line that fit on a phone."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of results together with the same results in words and in numbers.

    Attributes:
        figure: the plotly figure; show it without another theme over it.
        summary: what it shows in plain words, with n and intervals: for screen readers and
            for those who do not read charts. Plain text, not markup.
        data: the numbers behind it, a row per mark; empty in an empty chart.
    """

    figure: go.Figure
    summary: str
    data: pd.DataFrame


def config(name: str) -> dict[str, Any]:
    """Plotly's configuration: a button that downloads the picture as SVG under this name."""
    filename = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "chart"
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "responsive": True,
        "scrollZoom": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": f"biaslab-{filename}"},
    }


CONFIG = config("chart")
"""`config` for a chart without a name of its own."""


def empty_chart(sentence: str, dark: bool = False, data: pd.DataFrame | None = None) -> Chart:
    """A chart that says why there is nothing to see.

    Args:
        sentence: why, and what to do; also the summary.
        dark: for a dark page.
        data: numbers that exist but are not drawn.
    """
    import pandas as pd

    colours = theme(dark)
    text = wrapped(sentence, TITLE_WIDTH)
    figure = go.Figure(layout=base_layout(colours, "", 80 + 20 * lines(text)))
    figure.update_layout(margin={"l": 10, "r": 10, "t": 10, "b": 10})
    figure.update_xaxes(visible=False, fixedrange=True)
    figure.update_yaxes(visible=False, fixedrange=True)
    figure.add_annotation(
        text=text, showarrow=False, x=0.5, y=0.5, xref="paper", yref="paper",
        font={"size": 14, "color": colours.text},
    )  # fmt: skip
    return Chart(figure, sentence, pd.DataFrame() if data is None else data)
