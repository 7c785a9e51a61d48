"""Tiny models that people train, and copies along training: named, found and opened like others."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from biaslab.models import (
    BrokenModel,
    ModelKind,
    ModelNotFound,
    identify,
    list_models,
    open_model,
)
from biaslab.models.spec import token_counter
from biaslab.models.tiny.model import (
    DEFAULT_NAME,
    DEFAULT_TINY,
    TINY_MODELS,
    checkpoint_names,
    custom_names,
    tiny_names,
)
from biaslab.system.places import custom_models, default_database
from tests.models.tiny.test_tiny import CARD

Make = Callable[..., Path]


@pytest.fixture
def shipped(model_directory: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model that comes with the app with two checkpoints, and two of one's own."""
    monkeypatch.setenv("BIASLAB_MODELS", str(tmp_path / "own"))
    for place, name in (
        (f"app/{DEFAULT_NAME}", DEFAULT_NAME),
        ("app/skewed", "skewed"),
        ("app/skewed/checkpoints/0120k", "skewed@0120k"),
        ("app/skewed/checkpoints/0040k", "skewed@0040k"),
        ("own/mine", "mine"),
        ("own/skewed", "shadowed"),
    ):
        path = Path(shutil.copytree(model_directory("llama"), tmp_path / place))
        card = replace(CARD, name=name, label=name)
        (path / "model_card.json").write_text(json.dumps(card.to_json()))
    (tmp_path / "app" / "start").mkdir()
    return tmp_path / "app"


def specs(shipped: Path, *, checkpoints: bool = False) -> list[str]:
    found = list_models(tiny_models=shipped, checkpoints=checkpoints)
    return [choice.spec for choice in found if choice.kind is ModelKind.TINY]


def test_ones_own_models_are_offered_after_those_of_the_app(shipped: Path) -> None:
    assert specs(shipped) == [DEFAULT_TINY, "tiny:skewed", "tiny:mine"]
    by_spec = {choice.spec: choice for choice in list_models(tiny_models=shipped)}
    assert by_spec["tiny:mine"].own
    assert not by_spec["tiny:skewed"].own


def test_checkpoints_are_listed_on_demand_after_their_model_the_earliest_first(
    shipped: Path,
) -> None:
    assert specs(shipped, checkpoints=True) == [
        DEFAULT_TINY, "tiny:skewed", "tiny:skewed@0040k", "tiny:skewed@0120k", "tiny:mine",
    ]  # fmt: skip
    by_spec = {c.spec: c for c in list_models(tiny_models=shipped, checkpoints=True)}
    assert by_spec["tiny:skewed@0040k"].checkpoint_of == "tiny:skewed"
    assert by_spec["tiny:skewed"].checkpoint_of == ""


@pytest.mark.parametrize("spec", ["tiny:mine", "tiny:skewed@0040k", "tiny"])
def test_all_of_them_are_opened_by_their_names(spec: str, shipped: Path) -> None:
    model = open_model(spec, device="cpu", tiny_models=shipped)

    assert model.identity == identify(spec, tiny_models=shipped)
    assert model.identity.kind is ModelKind.TINY
    assert token_counter(spec, tiny_models=shipped)


def test_a_model_of_the_app_is_never_replaced_by_one_of_the_same_name(shipped: Path) -> None:
    assert custom_names(shipped) == ("mine",)
    assert identify("tiny:skewed", tiny_models=shipped).details["name"] == "skewed"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("tiny:nothing", f"there: {DEFAULT_NAME}, skewed, mine"),
        ("tiny:skewed@9999k", "choose 0040k, 0120k"),
        ("tiny:mine@0040k", "none were saved"),
        ("tiny:skewed@", "no checkpoint"),
        ("tiny:skewed@..", "no checkpoint"),
        ("tiny:@0040k", "There is no tiny model"),
        ("tiny:skewed/checkpoints", "There is no tiny model"),
    ],
)
def test_a_name_that_names_nothing_says_what_there_is(spec: str, says: str, shipped: Path) -> None:
    with pytest.raises(ModelNotFound, match=says):
        identify(spec, tiny_models=shipped)


def test_a_model_that_is_still_in_training_is_not_offered_and_says_so(shipped: Path) -> None:
    (custom_models() / "mine" / "model_card.json").unlink()
    (custom_models() / "mine" / "plan.json").write_text("{}")

    assert "tiny:mine" not in specs(shipped)
    with pytest.raises(BrokenModel, match="has not come to its end"):
        identify("tiny:mine", tiny_models=shipped)


def test_without_any_directory_there_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIASLAB_MODELS", str(tmp_path / "nowhere"))

    assert custom_names(tmp_path / "nowhere") == tiny_names(tmp_path / "nowhere") == ()
    with pytest.raises(ModelNotFound):
        checkpoint_names(DEFAULT_NAME, tmp_path / "nowhere")


def test_ones_own_models_are_beside_the_file_of_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BIASLAB_MODELS", raising=False)
    monkeypatch.setenv("BIASLAB_DB", str(tmp_path / "runs.db"))

    assert custom_models() == tmp_path / "models"
    monkeypatch.delenv("BIASLAB_DB")
    assert custom_models().parent == default_database().parent


def test_a_model_that_was_trained_here_is_no_language_model_wherever_it_lies(tmp_path):
    path = tmp_path / "elsewhere"
    shutil.copytree(TINY_MODELS / DEFAULT_NAME, path)
    identity = identify(f"local:{path}")
    assert identity.kind is ModelKind.TINY
    assert identity.spec.startswith("local:elsewhere#")
    (choice,) = [each for each in list_models([path]) if each.spec == identity.spec]
    assert choice.kind is ModelKind.TINY
