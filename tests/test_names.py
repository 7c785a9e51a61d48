"""Names that a search finds: a class has one of its own, and a value is called by a noun."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("schoolmath", "biaslab", "research")

PARTICIPLES = {
    "asked", "chosen", "done", "drawn", "found", "given", "kept", "known", "made", "opened", "said",
    "seen", "sent", "shown", "taken", "told", "wanted", "written",
}  # fmt: skip
"""They say what happened to a thing and not what it is; the thing has a name."""

STILL = {
    "asked": 92,
    "chosen": 36,
    "done": 5,
    "drawn": 9,
    "found": 238,
    "given": 75,
    "kept": 17,
    "known": 31,
    "made": 18,
    "opened": 11,
    "said": 50,
    "seen": 13,
    "sent": 2,
    "shown": 24,
    "taken": 12,
    "told": 81,
    "wanted": 36,
    "written": 13,
}
"""How many parameters are still called so. The numbers only fall."""


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


def test_fewer_and_fewer_parameters_are_called_by_what_happened_to_them() -> None:
    counts = Counter(
        argument.arg
        for _, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if argument.arg in PARTICIPLES
    )

    assert dict(counts) == STILL, "a number that fell goes into STILL; none may rise"
