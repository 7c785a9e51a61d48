"""What a picture shows, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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
