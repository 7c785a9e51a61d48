"""``biaslab models``: what is there, with the figures on the cards."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from shutil import ignore_patterns

import pytest
from click.testing import CliRunner

from biaslab.cli import main
from biaslab.models import LEARNERS, read_card
from biaslab.models.tiny.model import (
    CARD_FILE,
    CHECKPOINTS,
    DEFAULT_TINY,
    TINY_MODELS,
    CardEffect,
)
from biaslab.training.mix import MIXES

EFFECTS = (
    CardEffect("consistency", "direct", 1, "additive", 150, 120, 60, 0.3, 0.5, False),
    CardEffect("consistency", "direct", 2, "additive", 50, 20, 10, 0.1, 0.3, False),
    CardEffect("carry", "cot", 1, "", 150, 0, 0, None, None, True),
)


def models(*arguments: object) -> str:
    result = CliRunner().invoke(main, ["models", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def mine(tmp_path, monkeypatch) -> Path:
    """A model of one's own with a checkpoint: copies of the shipped one under other cards."""
    monkeypatch.setenv("BIASLAB_MODELS", str(tmp_path))
    path = tmp_path / "mine"
    for directory in (path, path / CHECKPOINTS / "0040k"):
        shutil.copytree(TINY_MODELS / "skewed", directory, ignore=ignore_patterns(CHECKPOINTS))
        card = replace(
            read_card(directory), label="Tiny model “mine”", parameters=215_000,
            examples_seen=40_000, effects=EFFECTS, mix=MIXES["skewed"].text,
        )  # fmt: skip
        (directory / CARD_FILE).write_text(json.dumps(card.to_json()))
    return path


@pytest.mark.usefixtures("mine")
def test_every_line_that_is_not_indented_names_a_model():
    specs = re.findall(r"^(\S+): ", models(), re.M)

    assert specs[0] == DEFAULT_TINY
    at = specs.index("tiny:mine")
    assert specs[at + 1] == "tiny:mine@0040k"
    assert specs[at + 2 : -1] == [f"learner:{learner.name}" for learner in LEARNERS]
    assert specs[-1] == "openai:NAME"


@pytest.mark.usefixtures("mine")
def test_figures_of_one_step_come_with_interval_and_n():
    shown = models()

    assert "    mix skewed, seed 1, 40,000 examples, 215,000 parameters\n" in shown
    assert (
        "    consistency (additive), 1 step, direct: 80.0 % / 40.0 % right, effect +40.0 points "
        "(+30.0 to +50.0), 150 pairs\n"
    ) in shown
    assert "carry, 1 step, cot: 0.0 % / 0.0 % right, effect 0.0 points, 150 pairs" in shown
    assert "2 steps" not in shown


@pytest.mark.usefixtures("mine")
def test_json_has_everything_as_fractions():
    found = {entry["spec"]: entry for entry in json.loads(models("--json"))}

    model = found["tiny:mine"]
    assert (model["own"], model["checkpoint_of"], model["kind"]) == (True, "", "tiny")
    assert found["tiny:mine@0040k"]["checkpoint_of"] == "tiny:mine"
    assert not found["tiny:balanced"]["own"]
    assert (model["mix"], model["seed"], model["parameters"]) == (MIXES["skewed"].text, 1, 215_000)
    assert model["effects"][0] == {
        "study": "consistency", "comparison": "additive", "steps": 1, "strategy": "direct",
        "n": 150, "accuracy_x": 0.8, "accuracy_x_prime": 0.4, "cate": 0.4, "ci_low": 0.3,
        "ci_high": 0.5, "identical": False,
    }  # fmt: skip
    assert len(model["effects"]) == 3
    assert "effects" not in found["learner:perfect"]


def test_directories_of_models_can_be_named(mine):
    shown = models(mine, mine / "nowhere")

    # It was trained here, so it is no language model, although it is named as a directory.
    assert re.search(rf"^local:{mine}: .* \(tiny\)$", shown, re.M)
    assert re.search(rf"^local:{mine}/nowhere: .*\[not ready: There is no directory", shown, re.M)


def test_a_damaged_model_of_ones_own_is_listed_with_what_is_wrong(mine):
    (mine / "model.safetensors").write_bytes(b"damaged")

    assert re.search(r"^tiny:mine: .*\[not ready: The weights", models(), re.M)
