"""The adapters that come with the app are those of the first seed, small and with a card."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from biaslab.models.adapters.provider import ADAPTERS, CARD_FILE, WEIGHTS_FILE
from research.adapters.design import BASE_FILE, RATIOS, SEEDS, AdapterCell
from research.adapters.shipped import card, ship

NAMES = {f"smollm2-{first}to{second}": (first, second) for first, second in RATIOS}


def test_each_ratio_of_the_first_figure_is_there_with_its_card_and_notice():
    assert {path.name for path in ADAPTERS.iterdir()} == set(NAMES)
    for name, ratio in NAMES.items():
        folder = ADAPTERS / name
        assert json.loads((folder / CARD_FILE).read_text()) == asdict(card(ratio))
        assert "Apache-2.0" in (folder / "NOTICE.txt").read_text()
        config = json.loads((folder / "adapter_config.json").read_text())
        assert config["base_model_name_or_path"] == BASE_FILE
        tables = load_file(folder / WEIGHTS_FILE)
        assert sum(each.numel() for each in tables.values()) == 460_800
        assert {each.dtype for each in tables.values()} == {torch.bfloat16}
        assert all(torch.isfinite(each).all() for each in tables.values())
        assert (folder / WEIGHTS_FILE).stat().st_size < 1_000_000


def test_they_are_written_from_what_was_taught(tmp_path: Path):
    for ratio in RATIOS:
        made = tmp_path / "work" / AdapterCell(ratio, SEEDS[0]).name
        made.mkdir(parents=True)
        (made / "adapter_config.json").write_text("{}")
        save_file({"a": torch.tensor([ratio[0] / 3])}, made / WEIGHTS_FILE)
    assert ship(tmp_path / "work", tmp_path / "out") == list(NAMES)
    for name, ratio in NAMES.items():
        (table,) = load_file(tmp_path / "out" / name / WEIGHTS_FILE).values()
        assert table.item() == pytest.approx(ratio[0] / 3, rel=1e-2)
