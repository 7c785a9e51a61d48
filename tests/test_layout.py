"""The layout of the code: no circles of imports, no crowded folders, the words of the field.

No files of the library import each other in a circle, not even late or for types only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.loops import over

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("schoolmath", "biaslab", "research")


class When(StrEnum):
    """When an import happens."""

    LOADING = "when the file is loaded"
    TYPING = "for types only"
    CALLING = "when a function is called"


def names() -> dict[str, Path]:
    """Every module of the library with its file."""
    files = {}
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


@cache
def imports() -> tuple[tuple[str, str, When], ...]:
    """Every import of one module of the library by another. A name of a face is the face's."""
    files = names()
    found = []
    for importer, path in files.items():
        for target, when in _imports(ast.parse(path.read_text(encoding="utf-8")), When.LOADING):
            module = target if target in files else target.rpartition(".")[0]
            if module in files and module != importer:
                found.append((importer, module, when))
    return tuple(found)


def _imports(node: ast.AST, when: When) -> Iterator[tuple[str, When]]:
    match node:
        case ast.Import():
            yield from ((alias.name, when) for alias in node.names)
        case ast.ImportFrom(level=0):
            yield from ((f"{node.module}.{alias.name}", when) for alias in node.names)
        case ast.ImportFrom():
            raise AssertionError("An import is written with its whole name.")
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            when = When.CALLING
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            when = When.TYPING
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, when)


def circle(edges: Iterator[tuple[str, str]]) -> list[str]:
    """A circle among the edges, first and last the same; empty where there is none."""
    graph: TopologicalSorter[str] = TopologicalSorter()
    for importer, imported in edges:
        graph.add(importer, imported)
    try:
        graph.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize(
    "counted",
    [{When.LOADING}, {When.LOADING, When.TYPING}, {When.LOADING, When.CALLING}, set(When)],
    ids=lambda counted: " and ".join(sorted(counted)),
)
def test_no_files_import_each_other_in_a_circle(counted):
    found = circle((one, other) for one, other, when in imports() if when in counted)

    assert found == []


def test_a_circle_is_found_and_named():
    assert set(circle(iter([("a", "b"), ("b", "c"), ("c", "b")]))) == {"b", "c"}


def test_imports_are_seen_wherever_they_stand():
    code = (
        "import biaslab.one\n"
        "if TYPE_CHECKING:\n    from biaslab import two\n"
        "def late():\n    from biaslab.three import name\n"
    )

    assert list(_imports(ast.parse(code), When.LOADING)) == [
        ("biaslab.one", When.LOADING),
        ("biaslab.two", When.TYPING),
        ("biaslab.three.name", When.CALLING),
    ]


def test_the_whole_library_is_looked_through():
    modules = [name for name, path in names().items() if path.name != "__init__.py"]
    assert len({importer for importer, _, _ in imports()}) > 0.95 * len(modules)


MOST = 15
"""Files and folders that a folder of the packages holds at most: seen at a glance."""
MOST_FILES, MOST_FOLDERS = 16, 18
"""What a folder of the tests holds at most."""
TECHNICAL = {"__init__.py", "__main__.py", "conftest.py"}
"""Files that Python or pytest want; they are no subject."""


MORE_FOLDERS = {ROOT / "tests": 4}
"""Folders of the tests that mirror none of the library: a browser, servers, the other packages."""


def _crowded(folder: Path) -> list[str]:
    """Folders below this one that hold more files or folders than that, with how many."""
    found = []
    for each in [folder, *folder.rglob("*")]:
        if not each.is_dir() or each.name == "__pycache__":
            continue
        files = [entry for entry in each.iterdir() if entry.is_file()]
        folders = [entry for entry in each.iterdir() if entry.is_dir()]
        of_subjects = sum(entry.name not in TECHNICAL for entry in files)
        of_folders = sum(entry.name != "__pycache__" for entry in folders)
        if not each.is_relative_to(ROOT / "tests"):
            crowded = of_subjects + of_folders > MOST
        else:
            most_folders = MOST_FOLDERS + MORE_FOLDERS.get(each, 0)
            crowded = of_subjects > MOST_FILES or of_folders > most_folders
        if crowded:
            found.append(f"{each.relative_to(ROOT)}: {of_subjects} files, {of_folders} folders")
    return found


@pytest.mark.parametrize("folder", [*PACKAGES, "tests"])
def test_no_folder_holds_more_than_one_sees_at_a_glance(folder: str) -> None:
    assert _crowded(ROOT / folder) == []


OLD_WORDS = {
    r"(?i)\bways? of asking\b": "prompt strategy",
    r"(?i)\bkeepers?\b": "writer",
    r"\w\.kept import|import (?:\w+, )*kept\b|\bKept[A-Z]\w+|\bwith_kept\b": "queries, stored",
    r"(?i)\bpresence\b|\bsigns? of life\b": "heartbeat",
    r"\bCrew\b|\b_?bury\b|\b_Hand\b": "worker pool, worker, restart",
    r"\bclass Walk\b|(?i:\bstand-ins?\b|\bstand_ins?\b)": "dry run, placeholder",
    r"\bclass Making\b": "estimator",
    r"(?:def|class) _?(?:[Tt]old|[Ss]aid|[Ss]ays)\b": "message, format",
    r"\bown_(?!biases\b|ci_low\b|ci_high\b)\w+|\b_?Own[A-Z]\w+": "custom_",
    r"\btake_away\b|key=\"take away|(?i:\btake them away\b)": "export",
    r"\bdraw_(?:box|boxes)\b|\w_box(?:es)?\b(?= import)": "panels",
    r"\bdef afford\b|\.afford\(|(?:keeper|writer|meter)\.settle\(": "reserve, commit",
    r"(?i)\bways?[ _]of[ _]going[ _]wrong\b": "error models",
    r"def (?!\w*(?:taken?|two|parts)_apart\b)\w*apart\b|class \w*Apart\b": "separate",
}
"""Words of BiasLab's own making that were given up, with the field's in their place.

`own_biases` is a table in people's files, `own_ci_low` a column of the command line's: contracts.
"""
OLD_FILES = re.compile(r"kept|unkept|presence|\w*_box(?:es)?|own_\w+|own|said|\w+_apart|crew")


def _texts() -> Iterator[Path]:
    """What people read of BiasLab, but for the CHANGELOG, which tells of former names."""
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "app.py"))
    for folder in (*PACKAGES, "pages", "benchmarks", "docs"):
        yield from (p for p in (ROOT / folder).rglob("*") if p.suffix in {".py", ".md"})


def _old_words(text: str) -> list[str]:
    """The words given up that stand in a text, with those that take their places."""
    return [
        f"{found[0]} (now: {now})"
        for old, now in OLD_WORDS.items()
        for found in re.finditer(old, text)
    ]


LIMIT = re.compile(r"timeout=\d[\d_.]*\b|monotonic\(\) \+ \d")
LIMITED = {"files/confined_probe.py", "training/background/test_heartbeat.py"}
"""Tests whose limit is what is tested: a way out that must be shut, a process that must be over."""


def test_no_test_waits_for_less_than_the_limit_of_all() -> None:
    """`tests.conftest.DEADLINE`: any shorter one fails on a busy machine."""
    tests = ROOT / "tests"
    found = [
        f"{path.relative_to(tests)}: {limit[0]}"
        for path in sorted(tests.rglob("*.py"))
        if str(path.relative_to(tests)) not in {*LIMITED, "test_layout.py"}
        for limit in LIMIT.finditer(path.read_text("utf-8"))
    ]
    assert not found


def test_the_words_of_the_field_are_used() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in _texts()
        for word in _old_words(path.read_text(encoding="utf-8"))
    ]
    found += [str(p.relative_to(ROOT)) for p in _texts() if OLD_FILES.fullmatch(p.stem)]

    assert found == []


@over(
    "line",
    [
        "Ways of asking a model", "with Keeper(store) as keeper:", "signs of life",
        "from biaslab.ui.widgets import choosing, kept", "class Crew:", "a stand-in",
        "def _told(row):", "class Said:",
        "OwnWords", "own_words()", 'key="take away"', "draw_boxes()", "meter.settle(1)",
        "each way of going wrong", "def told_apart(names):",
    ],
)  # fmt: skip
def test_an_old_word_would_be_seen(line: str) -> None:
    assert _old_words(line)
