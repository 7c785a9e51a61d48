"""Puts the adapters of one seed where the app finds them: ``adapter:smollm2-20to1``.

    python -m research.adapters.shipped

Weights go from float32 to bfloat16, half as large (research/docs/adapters.md says what it changes).
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

from biaslab.models.adapters import CONFIG_FILE, WEIGHTS_FILE
from biaslab.models.adapters.provider import ADAPTERS, CARD_FILE, AdapterCard
from research.adapters.design import (
    BASE_BYTES,
    BASE_FILE,
    BASE_SHA256,
    LESSONS,
    RATIOS,
    SEEDS,
    AdapterCell,
)

NOTICE = """\
SmolLM2-135M-Instruct (Hugging Face, Apache-2.0: https://huggingface.co/HuggingFaceTB) is the model
that this adapter belongs to; none of its weights is here. The adapter was trained by BiasLab on
its own lessons (research/docs/adapters.md) and is under Apache-2.0 as well.
"""

_NOTICE_FILE = "NOTICE.txt"
_CONTEXT = 8_192


def card(ratio: tuple[int, int]) -> AdapterCard:
    """What is to be known of the adapter of a ratio."""
    name = f"{ratio[0]}:{ratio[1]}"
    return AdapterCard(
        f"SmolLM2-135M, taught {name}",
        f"SmolLM2-135M-Instruct after {LESSONS} lessons on one-step comparisons, consistent to "
        f"inconsistent {name}. An experiment of BiasLab, no model that its makers published.",
        BASE_FILE,
        BASE_SHA256,
        BASE_BYTES,
        _CONTEXT,
        RATIOS.index(ratio),
    )


def narrow(adapter: Path) -> None:
    """Writes an adapter's weights in bfloat16, half as large."""
    import torch
    from safetensors.torch import load_file, save_file

    learnt = load_file(adapter / WEIGHTS_FILE)
    half = {name: table.to(torch.bfloat16) for name, table in learnt.items()}
    save_file(half, adapter / WEIGHTS_FILE, metadata={"format": "pt"})


def ship(work: Path, target: Path = ADAPTERS) -> list[str]:
    """Writes the adapters of the first seed, and returns their names.

    Args:
        work: where `research.adapters` kept them.
        target: gets a directory each.

    Raises:
        OSError: one is not there, or cannot be written.
    """
    names = []
    for ratio in RATIOS:
        cell = AdapterCell(ratio, SEEDS[0])
        name = f"smollm2-{ratio[0]}to{ratio[1]}"
        folder = target / name
        folder.mkdir(parents=True, exist_ok=True)
        for file in (CONFIG_FILE, WEIGHTS_FILE):
            shutil.copyfile(work / cell.name / file, folder / file)
        narrow(folder)
        (folder / CARD_FILE).write_text(
            json.dumps(asdict(card(ratio)), indent=1) + "\n", encoding="utf-8"
        )
        (folder / _NOTICE_FILE).write_text(NOTICE, encoding="utf-8")
        names.append(name)
    return names


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("build/adapters")
    sys.stdout.write(f"Written: {', '.join(ship(given))}.\n")
