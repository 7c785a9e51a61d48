"""The recipes of CONTRIBUTING.md, followed word by word in a copy of the tree."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RECIPES = ("A mal-rule", "A treatment", "A chart", "A page", "An import format")
SECTION = r"^## {}\n(.*?)(?=^## |\Z)"
BLOCK = re.compile(
    r"(?P<how>At the end of\s+|In\s+)?`(?P<file>[\w/.]+)`"
    r"(?:, (?P<where>before|after) the line `(?P<line>[^`\n]+)`)?:\n\n"
    r"```(?:python|yaml|text)\n(?P<text>.*?)```",
    re.DOTALL,
)
RUN = re.compile(
    r"```sh\n(?P<command>.*?)\n```\n\nprints\n\n```text\n(?P<printed>.*?)```", re.DOTALL
)


def section(title: str) -> str:
    found = re.search(
        SECTION.format(re.escape(title)),
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    assert found is not None
    return found[1]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What a recipe may change, copied; all else linked to."""
    changed = shutil.ignore_patterns("__pycache__")
    for name in ("schoolmath", "biaslab", "pages", "assets/malrules"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=changed)
    for asset in (ROOT / "assets").iterdir():
        if asset.name != "malrules":
            (tmp_path / "assets" / asset.name).symlink_to(asset)
    return tmp_path


def follow(recipe: str, tree: Path) -> None:
    """Writes every block where the recipe says."""
    for block in BLOCK.finditer(recipe):
        path, text = tree / block["file"], block["text"]
        if block["where"]:
            before, line, after = path.read_text(encoding="utf-8").partition(f"{block['line']}\n")
            assert line, f"{block['file']} has no line {block['line']}"
            parts = (text, line) if block["where"] == "before" else (line, text)
            path.write_text("".join((before, *parts, after)), encoding="utf-8")
        elif block["how"]:
            with path.open("a", encoding="utf-8") as end:
                end.write(text)
        else:
            assert not path.exists()
            path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_does_what_it_says(title: str, copy: Path) -> None:
    recipe = section(title)
    run = RUN.search(recipe)
    assert run is not None
    follow(recipe, copy)
    program, *arguments = shlex.split(run["command"])
    assert program == "python"
    environment = {**os.environ, "PYTHONPATH": str(copy), "BIASLAB_DB": str(copy / "runs.db")}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == run["printed"]


@pytest.mark.parametrize("title", RECIPES)
def test_without_its_blocks_a_recipe_does_not_work(title: str, copy: Path) -> None:
    run = RUN.search(section(title))
    assert run is not None
    arguments = shlex.split(run["command"])[1:]
    environment = {**os.environ, "PYTHONPATH": str(copy), "BIASLAB_DB": str(copy / "runs.db")}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True
    )
    assert done.stdout != run["printed"]
