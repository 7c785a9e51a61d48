"""Tiny models: opened like any other, with a card that says what they can and cannot do."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from biaslab.models import (
    Ability,
    BrokenModel,
    Completion,
    GenerationRequest,
    Message,
    ModelCard,
    ModelKind,
    ModelNotFound,
    Sampling,
    UnseenAccuracy,
    identify,
    list_models,
    open_model,
    read_card,
)
from biaslab.models.spec import full_spec
from biaslab.models.tiny.model import (
    ALIKE,
    DEFAULT_NAME,
    DEFAULT_TINY,
    Best,
    CardEffect,
    tiny_directory,
    tiny_names,
)
from tests.loops import over

Make = Callable[..., Path]

CARD = ModelCard(
    name=DEFAULT_NAME,
    label="Tiny model “balanced”",
    explanation="A very small transformer trained on this app's own problems.",
    trained_on=("Problems of one to three steps.",),
    limits=("It has never seen a carry.",),
    parameters=12345,
    examples_seen=1_000_000,
    abilities=(
        Ability("consistency", ("direct", "cot"), 1, 3),
        Ability("transfer-comparison", ("direct",), 1, 2),
        Ability("transfer-comparison", ("direct",), 4, 5),
    ),
    accuracy=(UnseenAccuracy("consistency", "direct", 1, 180, 200),),
)


@pytest.fixture
def tiny_models(model_directory: Make, tmp_path: Path) -> Path:
    """A directory with the default tiny model, of random weights."""
    path = Path(shutil.copytree(model_directory("llama"), tmp_path / "models" / DEFAULT_NAME))
    (path / "model_card.json").write_text(json.dumps(CARD.to_json()))
    return path.parent


def test_the_tiny_model_opens_and_says_that_it_is_one(tiny_models: Path) -> None:
    model = open_model("tiny", device="cpu", tiny_models=tiny_models)
    assert model.identity.spec == DEFAULT_TINY
    assert model.identity.kind is ModelKind.TINY
    assert model.identity == identify("tiny", tiny_models=tiny_models)
    ((_, answer),) = model.generate(
        [GenerationRequest((Message("text", "Ana has"),), Sampling(max_new_tokens=3))]
    )
    assert isinstance(answer, Completion)


def test_tiny_is_a_name_for_the_default_of_the_family(tiny_models: Path) -> None:
    assert identify("tiny", tiny_models=tiny_models) == identify(
        DEFAULT_TINY, tiny_models=tiny_models
    )
    assert full_spec(" tiny ") == DEFAULT_TINY
    assert full_spec("tiny:tiny") == "tiny:tiny"
    with pytest.raises(ModelNotFound, match="no tiny model “tiny”"):
        identify("tiny:tiny", tiny_models=tiny_models)


def test_a_tiny_model_is_opened_by_its_name(tiny_models: Path) -> None:
    shutil.copytree(tiny_models / DEFAULT_NAME, tiny_models / "second")
    assert identify("tiny:second", tiny_models=tiny_models).spec == "tiny:second"
    listed = [c.spec for c in list_models(tiny_models=tiny_models) if c.kind is ModelKind.TINY]
    assert listed == [DEFAULT_TINY, "tiny:second"]


def test_the_card_is_part_of_the_details(tiny_models: Path) -> None:
    details = identify("tiny", tiny_models=tiny_models).details
    assert ModelCard.from_json(details) == CARD
    choice = list_models(tiny_models=tiny_models)[0]
    assert (choice.label, choice.explanation, choice.ready) == (CARD.label, CARD.explanation, True)


def test_a_card_survives_being_written_and_read(tiny_models: Path) -> None:
    assert read_card(tiny_models / DEFAULT_NAME) == CARD
    assert read_card(tiny_models / DEFAULT_NAME).accuracy[0].share == 0.9


@pytest.mark.parametrize("spec", ["tiny:nothing", "tiny:../tiny", "tiny:.."])
def test_a_tiny_model_that_is_not_there(spec: str, tiny_models: Path) -> None:
    with pytest.raises(ModelNotFound, match=f"there: {DEFAULT_NAME}"):
        open_model(spec, tiny_models=tiny_models)


def test_no_tiny_model_at_all(tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match=f"There is no tiny model “{DEFAULT_NAME}”"):
        open_model("tiny", tiny_models=tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"name": None}, "name"),
        ({"parameters": "many"}, "parameters"),
        ({"limits": "none"}, "limits"),
        ({"trained_on": [1]}, "trained_on"),
        ({"abilities": 3}, "model card"),
        ({"abilities": [{"study": "consistency"}]}, "strategies"),
        ({"accuracy": [{"study": "consistency"}]}, "strategy"),
    ],
)
def test_a_damaged_card_is_refused_with_the_field(
    change: dict[str, Any], about: str, tiny_models: Path
) -> None:
    (tiny_models / DEFAULT_NAME / "model_card.json").write_text(json.dumps(CARD.to_json() | change))
    with pytest.raises(BrokenModel, match=about):
        open_model("tiny", tiny_models=tiny_models)
    choice = list_models(tiny_models=tiny_models)[0]
    assert not choice.ready
    assert about in choice.why_not


def test_a_missing_card_is_refused(tiny_models: Path) -> None:
    (tiny_models / DEFAULT_NAME / "model_card.json").unlink()
    with pytest.raises(BrokenModel, match=r"model_card\.json"):
        open_model("tiny", tiny_models=tiny_models)


@pytest.mark.parametrize(
    ("study", "steps", "strategy"),
    [
        ("consistency", 1, "direct"),
        ("consistency", 3, "cot"),
        ("transfer-comparison", 2, "direct"),
        ("transfer-comparison", 5, "direct"),
    ],
)
def test_what_it_was_trained_for_it_can(study: str, steps: int, strategy: str) -> None:
    verdict = CARD.can(study, steps, strategy)
    assert verdict.possible
    assert verdict.reason == ""


@pytest.mark.parametrize(
    ("study", "steps", "strategy", "advice"),
    [
        ("carry", 1, "direct", "choose consistency, transfer-comparison"),
        ("consistency", 1, "child-cot", "choose direct, cot"),
        ("consistency", 4, "direct", "choose 1 to 3"),
        ("transfer-comparison", 1, "cot", "choose direct"),
        ("transfer-comparison", 3, "direct", "choose 1 to 2 or 4 to 5"),
    ],
)
def test_what_it_was_not_trained_for_it_says_so_and_what_would_work(
    study: str, steps: int, strategy: str, advice: str
) -> None:
    verdict = CARD.can(study, steps, strategy)
    assert not verdict.possible
    assert advice in verdict.reason


def test_all_that_is_asked_beyond_it_is_told_in_one_sentence() -> None:
    several = CARD.can("consistency", range(2, 6), "direct").reason
    assert "cannot do problems with 4 to 5 steps" in several
    assert (
        "cannot do problems with 3 steps"
        in CARD.can("transfer-comparison", [1, 2, 3], "direct").reason
    )
    assert CARD.can("consistency", range(1, 4), "direct").possible


def test_the_best_that_it_can_do_is_the_way_that_reaches_farthest() -> None:
    card = replace(
        CARD,
        abilities=(
            Ability("consistency", ("direct",), 1, 1),
            Ability("consistency", ("child-cot", "cot"), 1, 2),
        ),
        accuracy=(
            UnseenAccuracy("consistency", "cot", 1, 90, 100),
            UnseenAccuracy("consistency", "child-cot", 1, 80, 100),
        ),
        effects=tuple(
            CardEffect("consistency", "cot", steps, kind, 100, right, 0, None, None, False)
            for steps, kind, right in (
                (1, "additive", 90), (2, "additive", 20), (3, "additive", 1),
                (1, "multiplicative", 90), (2, "multiplicative", 19),
            )
        ),
    )  # fmt: skip
    assert card.best("consistency") == Best("cot", 1, 2, ("additive",))
    assert card.best("carry") is None


def test_a_shipped_model_is_asked_any_study_in_the_way_that_its_card_shows_to_work() -> None:
    """A study that the card does not know as well: by the shares of all that it knows."""
    worse = []
    for name in tiny_names():
        card = read_card(tiny_directory(name))
        for study in (*dict.fromkeys(each.study for each in card.abilities), "imported"):
            shares: dict[str, list[float]] = {}
            for each in card.accuracy:
                if each.steps <= 3 and study in (each.study, "imported"):
                    shares.setdefault(each.strategy, []).append(each.share)
            means = {way: sum(found) / len(found) for way, found in shares.items()}
            fit = card.fit_strategy(study)
            assert fit is not None
            if means[fit] < max(means.values()) - ALIKE:
                worse.append((name, study, fit, means))
    assert not worse
    assert replace(CARD, abilities=()).fit_strategy("imported") is None


@over("name", tiny_names())
def test_the_best_of_a_shipped_model_is_within_its_card(name: str) -> None:
    card = read_card(tiny_directory(name))
    for ability in card.abilities:
        best = card.best(ability.study)
        assert best is not None
        for steps in (best.fewest_steps, best.most_steps):
            assert card.can(ability.study, steps, best.strategy).possible
