"""Adapters (LoRA, Hu et al. 2022): what a model was taught, as two narrow matrices beside a layer.

What a layer with an adapter computes is what it would with other weights, W + scale · B · A, so an
adapter is added to a model's weights once, and the model is then as fast as it was. Adapters come
in the two files of the library peft. Importing this module imports torch.
"""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from biaslab.models.adapters import CONFIG_FILE, WEIGHTS_FILE
from biaslab.models.requests import BrokenModel

_MODEL = "model.safetensors"
_BEFORE, _FIRST, _SECOND = "base_model.model.", ".lora_A.weight", ".lora_B.weight"


def merge(model: Path, adapter: Path, target: Path) -> None:
    """Writes a model with an adapter added to its weights.

    Args:
        model: directory with one file of weights.
        adapter: directory with the two files above.
        target: an empty directory, which gets all files of the model's.

    Raises:
        BrokenModel: a file cannot be read, or the adapter belongs to another kind of model, or is
            of a kind that is not known here.
        OSError: the target cannot be written.
    """
    try:
        config = json.loads((adapter / CONFIG_FILE).read_text(encoding="utf-8"))
        factor = _factor(config)
        learnt = load_file(adapter / WEIGHTS_FILE)
        weights = load_file(model / _MODEL)
    except (OSError, ValueError, TypeError, KeyError, SafetensorError) as error:
        raise BrokenModel(
            f"The adapter in {adapter} cannot be added to the model in {model.name} ({error}): get "
            "both again, the adapter as peft saves LoRA."
        ) from error
    places = {name.removesuffix(_FIRST) for name in learnt if name.endswith(_FIRST)}
    if not places or len(learnt) != 2 * len(places):
        raise BrokenModel(f"The adapter in {adapter} holds more or less than pairs of matrices.")
    for place in sorted(places):
        first, second = learnt[place + _FIRST].float(), learnt[place + _SECOND].float()
        own = f"{place.removeprefix(_BEFORE)}.weight"
        if own not in weights or weights[own].shape != (second.shape[0], first.shape[1]):
            raise BrokenModel(f"The adapter in {adapter} belongs to another model: {own}.")
        weights[own] = weights[own] + factor * (second @ first)
    for file in model.iterdir():
        if file.name != _MODEL and file.is_file():
            shutil.copy2(file, target / file.name)
    save_file(weights, target / _MODEL, metadata={"format": "pt"})


def _factor(config: dict[str, object]) -> float:
    """What the product of the matrices is multiplied by."""
    plain = {"peft_type": "LORA", "bias": "none", "use_dora": False, "modules_to_save": None}
    for name, value in plain.items():
        if config.get(name, value) != value:
            raise ValueError(f"its {name} is {config[name]}")
    for name in ("rank_pattern", "alpha_pattern"):
        if config.get(name):
            raise ValueError(f"it has a {name}")
    rank, alpha = float(str(config["r"])), float(str(config["lora_alpha"]))
    return alpha / (math.sqrt(rank) if config.get("use_rslora") else rank)
