"""The house as the code has it: a table of its figures, and a picture of its rooms and arrows.

    python docs/house.py              figures of the last commit, and docs/house.svg
    python docs/house.py c16e543      figures of that commit beside those of the last

Reads commits, never the working tree, so that a figure has a commit to its name. A room is a
package directly in biaslab; each kind of study is a room of its own in the picture.
"""

from __future__ import annotations

import ast
import io
import statistics
import subprocess
import sys
import tarfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

import networkx

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "house.svg"
SCREENS = "pages"


@dataclass(frozen=True, slots=True)
class File:
    """A Python file of a commit. `module` is its dotted name; a package has its folder's."""

    path: PurePosixPath
    text: str

    @property
    def module(self) -> str:
        """What others import it as."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def room(self) -> str:
        """The package directly in biaslab; empty for a file that stands in none."""
        return self.path.parts[1] if len(self.path.parts) > 2 else ""

    @property
    def lines(self) -> int:
        """Lines, blank ones and comments included."""
        return self.text.count("\n")


class House:
    """The library at a commit, with the pages that use it."""

    def __init__(self, commit: str) -> None:
        self.commit = _git("rev-parse", "--short", commit).decode().strip()
        self.sources: dict[str, str] = {}
        archive = _git("archive", commit, "biaslab", "pages", "app.py", "pyproject.toml")
        with tarfile.open(fileobj=io.BytesIO(archive)) as members:
            for member in members:
                if PurePosixPath(member.name).suffix in {".py", ".toml"}:
                    content = members.extractfile(member)
                    assert content is not None
                    self.sources[member.name] = content.read().decode()

    @cached_property
    def files(self) -> list[File]:
        """Every file of the library."""
        return [
            File(PurePosixPath(name), text)
            for name, text in self.sources.items()
            if name.startswith("biaslab/")
        ]

    @cached_property
    def screens(self) -> list[File]:
        """app.py and the pages, which import the library and are imported by nothing."""
        return [
            File(PurePosixPath(name), text)
            for name, text in self.sources.items()
            if name.endswith(".py") and not name.startswith("biaslab/")
        ]

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        """What each file says, by module."""
        return {file.module: ast.parse(file.text) for file in (*self.files, *self.screens)}

    @cached_property
    def imports(self) -> set[tuple[str, str]]:
        """(importing, imported) modules: when loaded, when called, and for types only."""
        known = {file.module for file in self.files}
        found = set()
        for importer, tree in self.trees.items():
            for name in _imported(tree):
                module = name if name in known else name.rpartition(".")[0]
                if module in known and module != importer:
                    found.add((importer, module))
        return found

    @cached_property
    def folders(self) -> Counter[PurePosixPath]:
        """How many entries each folder of the library has: files and folders, not __init__.py."""
        entries = {file.path for file in self.files} | {
            parent for file in self.files for parent in file.path.parents[:-2]
        }
        return Counter(entry.parent for entry in entries if entry.name != "__init__.py")

    def circles(self) -> list[set[str]]:
        """Files that import each other, directly or by way of others."""
        graph = networkx.DiGraph(list(self.imports))
        return [each for each in networkx.strongly_connected_components(graph) if len(each) > 1]

    def crumbs(self) -> list[str]:
        """Files that exactly one other file imports."""
        importers = Counter(imported for _, imported in self.imports)
        packages = {f.module for f in self.files if f.path.name == "__init__.py"}
        return [name for name, n in importers.items() if n == 1 and name not in packages]

    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Every function and method of the library."""
        return [
            node
            for file in self.files
            for node in ast.walk(self.trees[file.module])
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]

    def called_once(self) -> tuple[int, int]:
        """Private functions, and those of them that their file names only once more."""
        private = once = 0
        for file in self.files:
            tree = self.trees[file.module]
            named = Counter(_names(tree))
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef) and _is_private(node.name):
                    private += 1
                    once += named[node.name] == 1
        return private, once

    def arrows(self, rooms: Mapping[str, str]) -> Counter[tuple[str, str]]:
        """How many imports go from one room to another. `rooms` is the room of each module."""
        return Counter(
            (rooms[one], rooms[other])
            for one, other in self.imports
            if one in rooms and other in rooms and rooms[one] != rooms[other]
        )

    def floors(self) -> list[list[str]]:
        """The rooms as the import contracts stack them, top first; each kind of study is one."""
        contracts = tomllib.loads(self.sources["pyproject.toml"])["tool"]["importlinter"][
            "contracts"
        ]
        layers = next(each["layers"] for each in contracts if each["type"] == "layers")
        kinds = next(each["modules"] for each in contracts if each["type"] == "independence")
        floors = [[SCREENS]]
        for layer in layers:
            rooms = [_short(room) for room in layer.replace("|", ":").split(":")]
            floors += [[_short(kind) for kind in kinds], rooms] if rooms == ["studies"] else [rooms]
        return floors

    def figures(self) -> dict[str, str]:
        """The table's figures, each with its row's name."""
        lines = [file.lines for file in self.files]
        private, once = self.called_once()
        folder, most = max(self.folders.items(), key=lambda each: each[1])
        arrows = self.arrows({file.module: file.room for file in self.files if file.room})
        sizes = [(node.end_lineno or 0) - node.lineno + 1 for node in self.functions()]
        before = sum(_before_first_definition(self.trees[file.module]) for file in self.files)
        return {
            "files": f"{len(lines):,}",
            "lines": f"{sum(lines):,}",
            "mean lines a file": f"{statistics.mean(lines):.0f}",
            "files under 60 lines": f"{sum(n < 60 for n in lines):,}",
            "files over 400 lines": f"{sum(n > 400 for n in lines):,}",
            "folders": f"{len(self.folders):,}",
            "largest folder": f"{most} (`{folder}`)",
            "folders with more than 15 entries": f"{sum(n > 15 for n in self.folders.values())}",
            "rooms": f"{len({file.room for file in self.files} - {''})}",
            "arrows between rooms": f"{len(arrows)}",
            "imports along them": f"{sum(arrows.values()):,}",
            "circles": f"{len(self.circles())}",
            "files that exactly one other imports": f"{len(self.crumbs())}",
            "private functions; named once": f"{private:,}; {once:,}",
            "median lines a function": f"{statistics.median(sizes):.0f}",
            "lines before the first definition": f"{before / sum(lines):.1%}",
        }


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", ROOT, *arguments], check=True, capture_output=True).stdout


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _before_first_definition(tree: ast.Module) -> int:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    first = next((node for node in tree.body if isinstance(node, kinds)), None)
    return first.lineno - 1 if first else 0


def _short(package: str) -> str:
    return package.strip().removeprefix("biaslab.")


WIDTH, ROW, BOX, HIGH = 1180, 104, 168, 52
NUMBERED = 20
"""Arrows that stand for at least so many imports have their number written at them."""

STYLE = """
    .box { fill: #ffffff; stroke: #44546a; stroke-width: 1.5 }
    .arrow { stroke: #7a8797; fill: none; opacity: .45 }
    .many { stroke: #0b62a8; opacity: .8 }
    text { fill: #1b2430; text-anchor: middle }
    .note { font-size: 12px; fill: #44546a }
    .number { font-size: 12px; fill: #0b62a8;
      stroke: #ffffff; stroke-width: 4; paint-order: stroke }
    @media (prefers-color-scheme: dark) {
      .box { fill: #1b2430; stroke: #aebccd } text { fill: #f2f5f8 } .note { fill: #aebccd }
      .many { stroke: #6cb4f0 } .number { fill: #8cc6f7; stroke: #0e1117 }
    }
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a room stands in the picture: the middle of its box, in pixels."""

    x: float
    y: float


def draw(house: House) -> str:
    """The house as an SVG image: floors, rooms with their counts, arrows of imports."""
    floors = house.floors()
    places = _places(floors)
    rooms = {
        file.module: room
        for file in (*house.files, *house.screens)
        if (room := _room(file, set(places))) is not None
    }
    arrows = house.arrows(rooms)
    height = ROW * len(floors) + 24
    title = f"The rooms of BiasLab at commit {house.commit}, with the imports between them"
    svg = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {height}",
            "font-family": "system-ui, sans-serif",
            "font-size": "15",
            "role": "img",
            "aria-label": title,
        },
    )
    _add(svg, "title", title)
    _add(svg, "style", STYLE)
    drawn = [Arrow.between(places[one], places[other], n) for (one, other), n in arrows.items()]
    for arrow in sorted(drawn, key=lambda each: each.number):
        kind = "arrow many" if arrow.number >= NUMBERED else "arrow"
        width = f"{0.6 + arrow.number**0.5 / 3:.1f}"
        _add(svg, "path", d=arrow.path, **{"class": kind, "stroke-width": width})
    for room, place in places.items():
        inside = [f for f in (*house.files, *house.screens) if rooms.get(f.module) == room]
        _draw_room(svg, room, place, len(inside), sum(file.lines for file in inside))
    numbers: list[Place] = []
    for arrow in drawn:
        if arrow.number >= NUMBERED:
            numbers.append(arrow.clear(places.values(), numbers))
            at = numbers[-1]
            _add(
                svg,
                "text",
                str(arrow.number),
                x=round(at.x),
                y=round(at.y) + 4,
                **{"class": "number"},
            )
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


COLUMNS = (0.5, 0.24, 0.76, 0.36, 0.64)
"""Where rooms alone on their floors stand by turns, in widths: seldom one below another."""


def _places(floors: list[list[str]]) -> dict[str, Place]:
    """A row a floor, from the roof down."""
    places = {}
    columns = cycle(COLUMNS)
    for row, rooms in enumerate(floors):
        y = 12 + ROW * row + HIGH / 2
        if len(rooms) == 1:
            places[rooms[0]] = Place(WIDTH * next(columns), y)
        else:
            for number, room in enumerate(rooms):
                places[room] = Place(WIDTH * (number + 0.5) / len(rooms), y)
    return places


def _room(file: File, rooms: set[str]) -> str | None:
    if file.path.parts[0] != "biaslab":
        return SCREENS
    names = [".".join(file.path.parts[1:n]) for n in range(len(file.path.parts) - 1, 1, -1)]
    return next((name for name in names if name in rooms), None)


@dataclass(frozen=True, slots=True)
class Arrow:
    """From the floor of one room's box to the ceiling of another's, upright at both ends."""

    start: Place
    end: Place
    number: int

    @classmethod
    def between(cls, one: Place, other: Place, number: int) -> Arrow:
        """The arrow for `number` imports; it leaves on the side of the room that it goes to."""
        lean = (other.x - one.x) / WIDTH * BOX * 0.7
        start = Place(one.x + lean, one.y + HIGH / 2)
        return cls(start, Place(other.x - lean, other.y - HIGH / 2), number)

    @property
    def path(self) -> str:
        """The curve, in the language of SVG."""
        one, other, middle = self.start, self.end, (self.start.y + self.end.y) / 2
        curve = f"C{one.x:.0f} {middle:.0f} {other.x:.0f} {middle:.0f} {other.x:.0f} {other.y:.0f}"
        return f"M{one.x:.0f} {one.y:.0f}{curve}"

    def at(self, share: float) -> Place:
        """The point after a share of the curve."""
        a, b = 1 - share, share
        first, last = a**3 + 3 * a * a * b, b**3 + 3 * a * b * b
        middle = (self.start.y + self.end.y) / 2
        y = self.start.y * a**3 + middle * 3 * a * b + self.end.y * b**3
        return Place(self.start.x * first + self.end.x * last, y)

    def clear(self, rooms: Iterable[Place], numbers: Iterable[Place]) -> Place:
        """Where its number hides no room and no other number; the first tried if nowhere."""
        tried = [self.at(share / 40) for share in range(12, 36)]
        free = (
            point
            for point in tried
            if all(abs(point.x - r.x) > BOX / 2 + 16 or abs(point.y - r.y) > 40 for r in rooms)
            and all(abs(point.x - n.x) > 30 or abs(point.y - n.y) > 16 for n in numbers)
        )
        return next(free, tried[0])


def _draw_room(svg: ElementTree.Element, room: str, place: Place, files: int, lines: int) -> None:
    _add(
        svg,
        "rect",
        x=place.x - BOX / 2,
        y=place.y - HIGH / 2,
        width=BOX,
        height=HIGH,
        rx=6,
        **{"class": "box"},
    )
    _add(svg, "text", room.rpartition(".")[2], x=place.x, y=place.y - 3)
    note = f"{files} files, {lines:,} lines"
    _add(svg, "text", note, x=place.x, y=place.y + 16, **{"class": "note"})


def _add(
    parent: ElementTree.Element, tag: str, text: str | None = None, /, **attributes: object
) -> None:
    child = ElementTree.SubElement(
        parent, tag, {name: str(value) for name, value in attributes.items()}
    )
    child.text = text


def main(commits: list[str]) -> None:
    """Write the picture of the last commit, and print the figures of it and of those named."""
    houses = [House(commit) for commit in (*commits, "HEAD")]
    PICTURE.write_text(draw(houses[-1]), encoding="utf-8")
    columns = [house.figures() for house in houses]
    rows = [["", *(f"`{house.commit}`" for house in houses)]]
    rows += [[name, *(column[name] for column in columns)] for name in columns[0]]
    rows.insert(1, ["---", *("---:" for _ in houses)])
    sys.stdout.writelines(f"| {' | '.join(row)} |\n" for row in rows)


if __name__ == "__main__":
    main(sys.argv[1:])
