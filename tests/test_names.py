"""Names that a search finds: a class has one of its own, and a value is called by a noun."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("schoolmath", "biaslab", "research")

PARTICIPLES = {
    "asked", "chosen", "done", "drawn", "found", "given", "kept", "known", "made", "opened", "said",
    "seen", "sent", "shown", "taken", "told", "wanted", "written",
}  # fmt: skip
"""They say what happened to a thing and not what it is; the thing has a name."""

NOUNS_IN_ED = {"Deed", "Seed", "Speed"}
REFUSALS_IN_ED = {"Unfinished", "Unsupported"}


def trees() -> Iterator[tuple[Path, ast.Module]]:
    """Every module of the packages."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text(encoding="utf-8"))


def test_every_public_class_has_a_name_of_its_own() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.as_posix())

    assert len(found) > 1_000
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_no_parameter_is_called_by_what_happened_to_it() -> None:
    participles = [
        f"{path.as_posix()}:{node.lineno} {node.name}({argument.arg})"
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if argument.arg in PARTICIPLES
    ]

    assert participles == []


def test_no_class_is_called_by_what_happened_to_it() -> None:
    names = {
        node.name.lstrip("_")
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    in_ed = {name for name in names if re.fullmatch("[A-Z][a-z]+ed", name)}

    assert {name for name in names if name.lower() in PARTICIPLES} == set()
    assert in_ed == NOUNS_IN_ED | REFUSALS_IN_ED
