"""Opening a GGUF file, and what must hold before its answers are believed.

Its weights must fit into memory, and plain English must not be improbable to it: a file that was
read as another network than it is (some of Gemma 3 are, and write “11 11 11”) would answer all the
same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import log
from pathlib import Path

import psutil
import torch

from biaslab.models.local.gguf.head import Head, needs, read_head
from biaslab.models.local.gguf.opening import note, source_of, unpacked
from biaslab.models.local.gguf.sums import sum_of
from biaslab.models.local.model import LocalModel
from biaslab.models.provider import INT8
from biaslab.models.requests import (
    BrokenModel,
    Failure,
    LikelihoodRequest,
    Message,
    ModelIdentity,
    Unsupported,
)
from schoolmath.text.figures import percent

BEGINNING = "Once upon a time there was a girl who lived with her mother in a small house"
KNOWN = (
    " near the forest. Every morning she went to the well to fetch some water, and in the evening "
    "they sat by the fire and told each other stories. One day she found three apples under a "
    "tree. She ate one of them and took the other two home."
)
"""Text that any model of English finds probable."""

MOST_SURPRISE = 0.3
"""What a token of that text may cost at most, as a share of what it costs a model that knows
nothing and thinks every token of its vocabulary alike (measured: docs/installing.md)."""

_EXACT = 4
"""Bytes of a number in float32."""


def open_file(
    path: Path,
    identity: ModelIdentity,
    *,
    device: str | None = None,
    dtype: str = "float32",
    batch_tokens: int | None = None,
) -> LocalModel:
    """Opens a GGUF file; what the arguments mean is said by `LocalModel`.

    Raises:
        BrokenModel: the file does not make a model, or not the one it says.
        Unsupported: there is too little memory or disk, or no such device.
    """
    head, sha256 = read_head(path), sum_of(path)
    # Rounded to eight bits it is smaller, but not while it is being rounded.
    check_memory(head, _EXACT if dtype == INT8 else getattr(torch, dtype).itemsize)
    with unpacked(head, sha256) as directory:
        model = LocalModel(
            directory, identity, device=device, dtype=dtype, batch_tokens=batch_tokens
        )
        surprise = source_of(directory).get("surprise")
        if not isinstance(surprise, float):
            surprise = surprise_of(model, head)
            note(directory, surprise=surprise)
    if surprise > MOST_SURPRISE:
        raise BrokenModel(
            f"{path.name} was opened, but plain English is too improbable to it "
            f"({percent(surprise, 0)} of what it is to one that knows nothing; "
            f"{percent(MOST_SURPRISE, 0)} may be): it is no model of English, or not read as its "
            "makers mean. Get it as a directory with safetensors, or choose another model."
        )
    return model


@contextmanager
def unpacked_file(path: Path) -> Iterator[Path]:
    """The directory of an unpacked file whose weights fit into memory in float32.

    Raises:
        BrokenModel, Unsupported: as for `open_file`.
    """
    head = read_head(path)
    check_memory(head, _EXACT)
    with unpacked(head, sum_of(path)) as directory:
        yield directory


def surprise_of(model: LocalModel, head: Head) -> float:
    """What a token of the known text costs, as a share of the logarithm of the vocabulary."""
    request = LikelihoodRequest((Message("text", BEGINNING),), (KNOWN,))
    [(_, found)] = model.likelihood([request])
    if isinstance(found, Failure):
        raise BrokenModel(f"{head.path.name} cannot read a plain text: {found.reason}")
    words = head.tensors["token_embd.weight"].shape[0]
    return -found.log_probabilities[0] / found.tokens[0] / log(words)


def check_memory(head: Head, bytes_each: int) -> None:
    """Refuses a model whose weights alone are more than the free memory.

    Raises:
        Unsupported: they are.
    """
    if head.parameters * bytes_each > psutil.virtual_memory().available:
        raise Unsupported(
            f"{head.path.name} cannot be opened: {needs(head, bytes_each)}. Close other programs, "
            "or choose a smaller model."
        )
