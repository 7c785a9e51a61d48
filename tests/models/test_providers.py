"""Kinds of models: every one is a provider, another package may add one, nobody else knows them."""

from __future__ import annotations

import ast
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from biaslab.models import AnswerSource, ModelError, UnknownModel, identify, list_models, read_spec
from biaslab.models.spec import registry
from biaslab.models.tiny.model import DEFAULT_TINY
from biaslab.runs import RunStatus, launch, open_store, prepare
from biaslab.runs.estimating import estimate
from biaslab.studies import Design

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "CONTRIBUTING.md"


@pytest.fixture
def parrot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of the recipe in CONTRIBUTING.md, installed where only this test sees it."""
    recipe = RECIPE.read_text(encoding="utf-8").split("## A model kind", 1)[1].split("\n## ")[0]
    (module,) = re.findall(r"```python\n(.*?)```", recipe, re.DOTALL)
    (declared,) = re.findall(r"```toml\n(.*?)```", recipe, re.DOTALL)
    (entry,) = re.findall(r'^(\w+ = ")([\w.:]+)"$', declared, re.MULTILINE)
    packages = tmp_path / "packages"
    (packages / "parrot-1.0.dist-info").mkdir(parents=True)
    (packages / "parrot.py").write_text(module, encoding="utf-8")
    information = packages / "parrot-1.0.dist-info"
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: parrot\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(
        f"[biaslab.models]\n{entry[0].split(' ')[0]} = {entry[1]}\n"
    )
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setenv("PYTHONPATH", f"{packages}:{ROOT}")
    sys.modules.pop("parrot", None)
    registry.cache_clear()
    yield packages
    registry.cache_clear()


@pytest.mark.usefixtures("parrot")
def test_another_package_adds_a_kind_that_a_study_is_run_on(tmp_path: Path) -> None:
    assert identify("parrot:polly").spec == "parrot:polly"
    assert "parrot:polly" in [choice.spec for choice in list_models()]
    design = Design("consistency", 4, 1)
    with open_store(tmp_path / "runs.db") as store:
        assert estimate(store, design, "parrot:polly", "direct").requests == 8
        run = prepare(store, design, "parrot:polly", "direct")
        launch(store.path, run)  # in a process of its own, which has to find the kind as well
        while (record := store.run(run)).status is RunStatus.RUNNING:
            threading.Event().wait(0.02)
    assert (record.status, record.answered, record.failed) == (RunStatus.FINISHED, 8, 0)


@pytest.mark.usefixtures("parrot")
def test_a_slip_in_its_name_gets_the_nearest_one() -> None:
    with pytest.raises(UnknownModel, match=r"Did you mean parrot:polly\?"):
        identify("polly")
    with pytest.raises(UnknownModel, match="parrot:NAME"):
        identify("gpt:4")


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("raise ValueError('no feathers')", "cannot be loaded .no feathers."),
        ("PROVIDER = 'polly'", r"is no biaslab\.models\.Provider"),
        ("from biaslab.models.tiny.provider import PROVIDER", "another kind of model has"),
    ],
)
def test_a_kind_that_cannot_be_used_is_told_and_stops_nothing(
    parrot: Path, module: str, reason: str
) -> None:
    (parrot / "parrot.py").write_text(module, encoding="utf-8")
    assert identify("learner:keyword").spec == "learner:keyword"
    with pytest.raises(ModelError, match=reason):
        identify("parrot:polly")


def test_a_spec_is_taken_apart_whatever_it_says() -> None:
    assert read_spec(" tiny ").text == DEFAULT_TINY
    assert read_spec("openai:a/b:c").name == "a/b:c"
    assert read_spec("openai:a").served
    assert read_spec("local:/home/me/gpt2").short_name == "gpt2"
    assert read_spec("local:/home/me/Qwen3.Q4.gguf").short_name == "Qwen3.Q4"
    assert read_spec("local:Qwen3.Q4.gguf#b179c9523d0e").short_name == "Qwen3.Q4"
    assert read_spec("local:/home/me/gpt2").has_weights
    gone = read_spec("parrot:polly")  # in a file of runs from another computer
    assert (gone.provider, gone.served, gone.short_name) == (None, False, "parrot:polly")
    assert [read_spec(text).text for text in ("", "a b c", "gpt:")] == ["", "a b c", "gpt:"]


def test_every_listed_model_belongs_to_its_kind() -> None:
    for choice in list_models(checkpoints=True):
        spec = read_spec(choice.spec)
        assert spec.provider is not None
        assert spec.provider.source is not AnswerSource.SERVER
        assert spec.kind is choice.kind
        assert spec.text == choice.spec


def _sources() -> list[Path]:
    inside = ROOT / "biaslab" / "models"
    found = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "biaslab").rglob("*.py")]
    return [path for path in found if inside not in path.parents]


def _docstrings(tree: ast.AST) -> set[int]:
    """Where texts stand that only explain."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def _fault(node: ast.AST, written: re.Pattern[str]) -> str:
    """What the node writes or takes apart that is for the providers alone; empty for nothing."""
    match node:
        case ast.Constant(value=str(text)) if written.fullmatch(text):
            return f"writes {text!r}"
        case ast.Call(func=ast.Attribute(value=taken, attr=how), args=[argument, *_]) if (
            how in ("partition", "split", "removeprefix", "startswith", "index")
            and re.search("spec|model", ast.unparse(taken))
            and ":" in ast.unparse(argument)
        ):
            return f"takes apart {ast.unparse(taken)}"
    return ""


def test_nobody_else_writes_or_takes_apart_the_name_of_a_model() -> None:
    written = re.compile(rf"({'|'.join(registry().providers)}):\S*")
    faults = []
    for path in _sources():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        explained = _docstrings(tree)
        faults += [
            f"{path.relative_to(ROOT)}:{node.lineno} {fault}"
            for node in ast.walk(tree)
            if id(node) not in explained and (fault := _fault(node, written))
        ]
    assert faults == []
