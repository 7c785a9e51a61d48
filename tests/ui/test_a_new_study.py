"""The recipe for a study, followed word by word: nothing but its folder is touched."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import biaslab.studies
from biaslab.cli import main
from biaslab.runs import open_store
from biaslab.studies import Design, experiment
from biaslab.studies.study import experiments
from schoolmath.problems import DesignError
from tests.ui.conftest import ROOT, Visit, words

_SECTION = re.compile(r"^## A study\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`([\w/.]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
_COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)


def recipe() -> SimpleNamespace:
    """The files and the commands of the section."""
    found = _SECTION.search((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert found is not None
    commands = _COMMANDS.search(found[1])
    assert commands is not None
    return SimpleNamespace(files=dict(_FILE.findall(found[1])), commands=commands[1].splitlines())


Follow = Callable[..., Path]


@pytest.fixture
def follow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Follow]:
    """Follows the recipe in a tree beside this one, which stands on the path of the package."""

    def write(old: str = "", new: str = "") -> Path:
        for name, content in recipe().files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content.replace(old, new) if old else content, encoding="utf-8")
        experiments.cache_clear()
        return tmp_path

    elsewhere = str(tmp_path / "biaslab" / "studies")
    monkeypatch.setattr(biaslab.studies, "__path__", [*biaslab.studies.__path__, elsewhere])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "spelled.db"))
    yield write
    monkeypatch.undo()
    for name in [name for name in sys.modules if name.startswith("biaslab.studies.spelled")]:
        del sys.modules[name]
    experiments.cache_clear()


def test_the_recipe_touches_one_folder_and_its_page_of_docs() -> None:
    folders = {str(Path(name).parent) for name in recipe().files}
    assert folders == {"biaslab/studies/spelled", "docs"}


def test_the_library_gives_the_same_pairs_for_the_same_design(follow: Follow) -> None:
    follow()
    study = experiment("spelled")
    pairs = list(study.pairs(Design("spelled", 50, 3)))
    assert [pair.id for pair in study.pairs(Design("spelled", 20, 3))] == [
        pair.id for pair in pairs[:20]
    ]
    assert len({pair.id for pair in pairs}) == 50
    assert all(pair.x.answer == pair.x_prime.answer for pair in pairs)
    with pytest.raises(DesignError, match="nearest size that works"):
        next(study.pairs(Design("spelled", 99_999, 1, {"numbers": "10-10"})))


def test_every_command_and_page_knows_it(follow: Follow, visit: Visit) -> None:
    tree, said = follow(), {}
    for command in recipe().commands:
        program, *arguments = shlex.split(command)
        assert program == "biaslab"
        done = CliRunner().invoke(main, arguments)
        assert done.exit_code == 0, done.output
        said[arguments[0]] = done.output
    assert "spelled: Is a problem harder" in said["studies"]
    assert (tree / "spelled.csv").read_text().count("\n") == 41
    assert "spelled" in said["effects"]
    with open_store(tree / "spelled.db") as store:
        (run,) = store.runs()
        pair = store.pair_rows(run.id, limit=1)[0].pair

    composed = visit("compose", study="spelled", n="30")
    assert not composed.error
    assert "written as a word" in words(composed)
    assert "Right answer" in words(composed)
    assert "60 pairs" in words(visit("runs", run=run.id))
    item = visit("items", run=run.id, pair=pair)
    assert "in digits" in words(item)
    assert "in words" in words(item)
    effects = words(visit("effects", runs=run.id, by="added"))
    assert "On 60 pairs" in effects
    assert "a number in words is harder to calculate with (a guess" in effects
    assert "Nothing is known here about people." in effects


def test_a_setting_is_drawn_as_its_own_study_says_whatever_others_call_theirs(
    follow: Follow, visit: Visit
) -> None:
    # A composed study draws its setting of this name as a builder of sentences.
    follow('"numbers", "First number"', '"structure", "First number"')
    app = visit("compose", study="spelled", structure="20-30")
    assert not app.error
    assert app.text_input(key="address structure").value == "20-30"
    assert app.text_input(key="address structure").label == "First number"
