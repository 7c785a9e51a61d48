"""What serves every study names none, neither by import (the contract) nor in a text."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from biaslab.studies.study import experiments
from biaslab.ui.navigation import SCREENS, screen_at
from tests.loops import over

ROOT = Path(__file__).resolve().parents[1]
CONTRACT = "What serves every study names none"

OTHER_MEANINGS = {
    ("biaslab/audit/auditing.py", "carry"),  # what an addition does
    ("biaslab/audit/report.py", "carry"),
    ("biaslab/charts/structure.py", "carry"),  # what an addition does
    ("biaslab/models/learner/deciding.py", "decision"),  # a task of learners
}


def contract() -> dict[str, list[str]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    return next(each for each in contracts if each["name"] == CONTRACT)


def files() -> Iterator[Path]:
    """The files that the contract holds, and the face of the package of studies."""
    yield ROOT / "biaslab" / "studies" / "__init__.py"
    for module in contract()["source_modules"]:
        path = ROOT.joinpath(*module.split("."))
        yield from sorted(path.rglob("*.py")) if path.is_dir() else (path.with_suffix(".py"),)


def texts(path: Path) -> set[str]:
    """Every text of a file that is a value."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_no_text_of_what_serves_every_study_is_the_name_of_one() -> None:
    found = {
        (str(path.relative_to(ROOT)), name)
        for path in files()
        if "malrules" not in path.parts and "problems" not in path.parts
        for name in texts(path) & set(experiments())
    }
    assert found == OTHER_MEANINGS


def test_the_contract_names_every_folder_of_a_study() -> None:
    folders = {type(study).__module__.split(".")[2] for study in experiments().values()}
    assert {f"biaslab.studies.{folder}" for folder in folders} <= set(
        contract()["forbidden_modules"]
    )


@over("study", list(experiments()))
def test_the_page_of_its_own_that_a_study_names_is_there(study: str) -> None:
    page = experiments()[study].results_page
    assert page is None or (page.label and screen_at(page.page) in SCREENS)
