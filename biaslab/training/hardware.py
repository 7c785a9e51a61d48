"""On what a training runs: a GPU where there is one, else one core."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager


def device() -> str:
    """``cuda`` where torch has one, else ``cpu``."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def prepare(seed: int) -> None:
    """Fixes the seed; on a CPU, one thread, so that a run does not depend on its cores."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)


@contextmanager
def without_subnormals() -> Iterator[None]:
    """Numbers too small to matter, which make a CPU many times slower, count as zero meanwhile.

    This holds for the whole process, so it is taken back at the end.
    """
    import torch

    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def hardware() -> str:
    """What a card says the model was trained on."""
    import torch

    if device() == "cuda":
        return f"one GPU ({torch.cuda.get_device_name()})"
    return f"one core ({platform.machine()}), no GPU"
