"""Measures what eight bits do to a model, as a process of its own where torch is not to be.

python -m biaslab.models.local.measuring DIRECTORY_OR_FILE REVISION FORMAT
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import torch

from biaslab.models.local.network import Network, open_network
from biaslab.models.local.precision import (
    NOT_EXACT,
    OPENING,
    TEXTS,
    RoundingEffect,
    settled,
)
from biaslab.models.local.processor import multiplies_exactly, round_layers
from biaslab.models.provider import DTYPES
from biaslab.models.requests import ModelError


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the number format in which the model is to be opened, for whoever waits."""
    path, revision, dtype = arguments or sys.argv[1:]
    try:
        sys.stdout.write(settled(Path(path), revision, dtype, partial(measure, Path(path))))
    except ModelError as error:
        sys.exit(f"Error: {error}")


def measure(path: Path) -> RoundingEffect:
    """What eight bits do to the model in a directory or GGUF file.

    Raises:
        BrokenModel, Unsupported: as for opening it.
    """
    if path.is_file():
        from biaslab.models.local.gguf.opening import unpacked_file

        with unpacked_file(path) as directory:
            return measure(directory)
    network, tokenizer = open_network(path, "cpu", DTYPES[0], None)
    found: RoundingEffect = _rounding_of(network, tokenizer)
    return found


@torch.inference_mode()  # type: ignore[untyped-decorator]
def _rounding_of(network: Network, tokenizer: Any) -> RoundingEffect:
    """What eight bits do to a model, over `formats.TEXTS`.

    Args:
        network: in float32 on a processor; it is of eight bits afterwards.
        tokenizer: the model's.
    """
    if not multiplies_exactly() or not (layers := round_layers(network.model)):
        return NOT_EXACT

    def scores(rounds: bool, rows: list[list[int]], last: int) -> torch.Tensor:
        for layer in layers:
            layer.rounds = rounds
        return network.scores(*network.filled_up(rows), None, last)

    def seconds(rounds: bool, rows: list[list[int]]) -> float:
        began = perf_counter()
        scores(rounds, rows, 1)
        return perf_counter() - began

    most = network.context or sys.maxsize
    divergences, agreements = [], []
    for text in TEXTS:
        tokens = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"][:most]
        exact, rounded = (
            scores(rounds, [tokens], len(tokens))[0].log_softmax(-1)[OPENING:]
            for rounds in (False, True)
        )
        divergences.append((exact.exp() * (exact - rounded)).sum(-1))
        agreements.append(exact.argmax(-1) == rounded.argmax(-1))
    rows = [[token] for token in tokens]
    times = [(seconds(True, rows), seconds(False, rows)) for _ in range(2)]
    return RoundingEffect(
        float(torch.cat(divergences).mean()),
        float(torch.cat(agreements).float().mean()),
        min(time for time, _ in times) / min(time for _, time in times),
    )


if __name__ == "__main__":
    main()
