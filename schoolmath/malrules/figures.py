"""Pictures of problems: a bar chart, a pictogram, a ruler, a shape, a table.

A picture is data; a form that has one gives it by its ``figure`` method. The question tells in
words all that the picture shows, so whoever does not see it answers the same question. Who does see
it can be asked without these words (`beside_figure`). As SVG it is dark ink on white, so that it
reads the same on any page and on paper; nothing is told by colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import TypeAlias
from xml.etree.ElementTree import Element, SubElement, tostring

from schoolmath.malrules.forms import Form


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart with lines at equal distances.

    Attributes:
        kinds: what each bar is for.
        lines: at which line above the bottom line each bar ends.
        scale: how much lies between two lines. The chart says 0 and this number at its first two
            lines and no more, so that reading it is left to the pupil.
    """

    kinds: tuple[str, ...]
    lines: tuple[int, ...]
    scale: int

    @property
    def words(self) -> str:
        """The same in words."""
        bars = ", ".join(f"{k} line {n}" for k, n in zip(self.kinds, self.lines, strict=True))
        return f"Bar chart; each line stands for {self.scale} more. Bars end at: {bars}."


@dataclass(frozen=True, slots=True)
class Pictures:
    """A pictogram: rows of pictures that each stand for several.

    Attributes:
        kinds: what each row is for.
        counts: how many pictures are in each row.
        key: how many one picture stands for.
    """

    kinds: tuple[str, ...]
    counts: tuple[int, ...]
    key: int

    @property
    def words(self) -> str:
        """The same in words."""
        rows = ", ".join(f"{k} {n}" for k, n in zip(self.kinds, self.counts, strict=True))
        return f"Pictogram; each picture stands for {self.key}. Pictures: {rows}."


@dataclass(frozen=True, slots=True)
class Ruler:
    """Something that lies along a ruler.

    Attributes:
        start, end: marks in centimetres.
        thing: what lies there.
    """

    start: int
    end: int
    thing: str

    @property
    def words(self) -> str:
        """The same in words."""
        return (
            f"Ruler in centimetres; a {self.thing} from the {self.start} cm mark to the "
            f"{self.end} cm mark."
        )


@dataclass(frozen=True, slots=True)
class DrawnShape:
    """A rectangle or a right triangle with its known sides. It is not drawn to scale.

    Attributes:
        name: ``rectangle`` or ``right triangle``.
        across: label of the side at the bottom; "" where it is not known.
        upright: label of the side at the left.
        slanted: label of the hypotenuse; "" where it is not known, or for a rectangle.
    """

    name: str
    across: str
    upright: str
    slanted: str = ""

    def __post_init__(self) -> None:
        if self.name not in {"rectangle", "right triangle"}:
            raise ValueError(f"There is no picture of a {self.name}.")

    @property
    def words(self) -> str:
        """The same in words."""
        told = (
            ("bottom side", self.across),
            ("upright side", self.upright),
            ("hypotenuse", self.slanted),
        )
        sides = ", ".join(f"{what} {label}" for what, label in told if label)
        return f"A {self.name}, not to scale: {sides}."


@dataclass(frozen=True, slots=True)
class Grid:
    """A table.

    Attributes:
        head: over each column, the corner first.
        rows: each with its name first.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in self.rows):
            raise ValueError("Every row of a table has as many cells as its head.")

    @property
    def words(self) -> str:
        """The same in words."""
        rows = "; ".join(
            f"{row[0]}: "
            + ", ".join(self._cell(h, c) for h, c in zip(self.head[1:], row[1:], strict=True))
            for row in self.rows
        )
        return f"Table. {rows}."

    def _cell(self, head: str, cell: str) -> str:
        return f"{cell} at {self.head[0]} {head}" if self.head[0] else f"{head} {cell}"


Figure: TypeAlias = Bars | Pictures | Ruler | DrawnShape | Grid


INK, FILL, PALE = "#1b1f24", "#9db7d5", "#c9ced6"
_LETTER = 8.2
"""Points a letter takes at most in the size that is used here."""


def beside_figure(problem: Form) -> str | None:
    """The question of a problem without what its picture tells, to stand beside it; None for a
    form that has no picture.
    """
    write = getattr(problem, "beside_figure", None)
    return None if write is None else str(write())


def figure_of(problem: Form) -> Figure | None:
    """The picture of a problem; None for a form that has none."""
    draw = getattr(problem, "figure", None)
    return None if draw is None else draw()


class _Sheet:
    """A white sheet of some size, drawn on in points."""

    def __init__(self, width: float, height: float, words: str) -> None:
        self._svg = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {width:g} {height:g}",
                "width": f"{width:g}",
                "height": f"{height:g}",
                "role": "img",
                "font-family": "sans-serif",
                "font-size": "15",
            },
        )
        SubElement(self._svg, "title").text = words
        self.box(0, 0, width, height, fill="#ffffff", line="none")

    def box(
        self, x: float, y: float, width: float, height: float, *, fill: str = "none",
        line: str = INK,
    ) -> None:  # fmt: skip
        self._add("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=line)

    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: str = INK) -> None:
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour)

    def path(self, *points: tuple[float, float], fill: str = FILL) -> None:
        told = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._add("polygon", points=told, fill=fill, stroke=INK)

    def text(self, x: float, y: float, words: str, *, anchor: str = "middle") -> None:
        made = self._add("text", x=x, y=y, fill=INK)
        made.set("text-anchor", anchor)
        made.text = words

    def written(self) -> str:
        return tostring(self._svg, encoding="unicode")

    def _add(self, tag: str, **given: float | str) -> Element:
        told = {k: v if isinstance(v, str) else f"{v:g}" for k, v in given.items()}
        return SubElement(self._svg, tag, told)


@singledispatch
def as_svg(figure: Figure) -> str:
    """A picture as the text of an SVG file.

    Args:
        figure: what it shows. Its ``words`` become the title.
    """
    raise TypeError(f"There is no drawing of {figure!r}.")


@as_svg.register
def _(figure: Bars) -> str:
    lines, gap, wide = max(figure.lines) + 1, 22.0, 78.0
    left, foot = 54.0, 20 + lines * 22.0
    sheet = _Sheet(left + wide * len(figure.kinds) + 16, foot + 34, figure.words)
    right = left + wide * len(figure.kinds)
    for number in range(lines + 1):
        y = foot - number * gap
        sheet.line(left, y, right, y, colour=PALE if number else INK)
    for number in (0, 1):
        sheet.text(left - 8, foot - number * gap + 5, str(number * figure.scale), anchor="end")
    for place, (kind, line) in enumerate(zip(figure.kinds, figure.lines, strict=True)):
        x = left + place * wide
        sheet.box(x + 16, foot - line * gap, wide - 32, line * gap, fill=FILL)
        sheet.text(x + wide / 2, foot + 20, kind)
    return sheet.written()


@as_svg.register
def _(figure: Pictures) -> str:
    step, high = 26.0, 32.0
    left = 24 + _LETTER * max(map(len, figure.kinds))
    wide = left + step * max(figure.counts) + 16
    key = f"stands for {figure.key}"
    sheet = _Sheet(max(wide, 70 + _LETTER * len(key)), high * (len(figure.kinds) + 1) + 16,
                   figure.words)  # fmt: skip
    for row, (kind, count) in enumerate(zip(figure.kinds, figure.counts, strict=True)):
        y = 12 + high * row
        sheet.text(left - 10, y + 16, kind, anchor="end")
        for number in range(count):
            sheet.box(left + number * step, y, 18, 20, fill=FILL)
    y = 12 + high * len(figure.kinds)
    sheet.box(14, y, 18, 20, fill=FILL)
    sheet.text(42, y + 16, key, anchor="start")
    return sheet.written()


@as_svg.register
def _(figure: Ruler) -> str:
    first, last = max(0, figure.start - 2), figure.end + 2
    step, left, top = min(34.0, 560 / (last - first)), 24.0, 54.0
    sheet = _Sheet(2 * left + step * (last - first), 112, figure.words)

    def at(mark: float) -> float:
        return left + (mark - first) * step

    sheet.box(at(figure.start), top - 26, at(figure.end) - at(figure.start), 20, fill=FILL)
    sheet.box(left - 12, top, step * (last - first) + 24, 46)
    for mark in range(first, last + 1):
        sheet.line(at(mark), top, at(mark), top + 16)
        if step >= 2 * _LETTER or mark % 5 == 0:
            sheet.text(at(mark), top + 34, str(mark))
    sheet.text(left - 12, top - 32, f"{figure.thing}, centimetres", anchor="start")
    return sheet.written()


@as_svg.register
def _(figure: DrawnShape) -> str:
    left = 24 + _LETTER * len(figure.upright)
    wide, high, top = 200.0, 116.0, 18.0
    sheet = _Sheet(left + wide + 30, high + top + 62, figure.words)
    if figure.name == "rectangle":
        sheet.box(left, top, wide, high, fill=FILL)
    else:
        sheet.path((left, top), (left, top + high), (left + wide, top + high))
        sheet.box(left, top + high - 14, 14, 14)
    sheet.text(left + wide / 2, top + high + 22, figure.across)
    sheet.text(left - 10, top + high / 2 + 5, figure.upright, anchor="end")
    sheet.text(left + wide / 2 + 14, top + high / 2 - 8, figure.slanted, anchor="start")
    sheet.text(left, top + high + 50, "not to scale", anchor="start")
    return sheet.written()


@as_svg.register
def _(figure: Grid) -> str:
    rows = (figure.head, *figure.rows)
    wide = [20 + _LETTER * max(len(row[at]) for row in rows) for at in range(len(figure.head))]
    sheet = _Sheet(sum(wide) + 24, 30 * len(rows) + 24, figure.words)
    for down, row in enumerate(rows):
        x = 12.0
        for across, cell in enumerate(row):
            head = not down or not across
            sheet.box(x, 12 + 30 * down, wide[across], 30, fill="#eef1f5" if head else "none")
            sheet.text(x + wide[across] / 2, 32 + 30 * down, cell)
            x += wide[across]
    return sheet.written()
