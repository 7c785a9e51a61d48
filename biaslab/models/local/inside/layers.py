"""The layers of a network: what they put out, read and replaced by hooks.

Layer 0 is what goes into the first block (the embeddings of the tokens, and of their positions
where a model adds those); layer n is what comes out of the nth block, the residual stream that all
later blocks read. The forward pass is the model's own; hooks only look on or change one value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import nn

Seen: TypeAlias = Callable[[int, torch.Tensor], torch.Tensor | None]
"""Is told a layer and its activations (rows, tokens, width); gives what is put in their place."""


@dataclass(frozen=True, slots=True)
class Swap:
    """What is put into one row of a batch.

    Attributes:
        layer: at which layer.
        places: at which tokens, (n,); values: their new activations, (n, width).
    """

    layer: int
    places: torch.Tensor
    values: torch.Tensor


def blocks_of(model: nn.Module) -> nn.ModuleList | None:
    """The blocks that a token passes one after the other; None where they are not found."""
    count = model.config.get_text_config().num_hidden_layers
    lists = (part for part in model.modules() if isinstance(part, nn.ModuleList))
    return next((each for each in lists if len(each) == count), None)


@contextmanager
def watched(blocks: nn.ModuleList, counts: Seen) -> Iterator[None]:
    """While it is open, a function sees every layer's activations and may change them."""

    def entering(_: nn.Module, args: Any, options: Any) -> Any:
        given = args[0] if args else options["hidden_states"]
        changed = counts(0, given)
        if changed is None:
            return None
        if args:
            return (changed, *args[1:]), options
        return args, {**options, "hidden_states": changed}

    def leaving(layer: int) -> Callable[[nn.Module, Any, Any], Any]:
        def hook(_: nn.Module, __: Any, output: Any) -> Any:
            alone = isinstance(output, torch.Tensor)
            changed = counts(layer, output if alone else output[0])
            if changed is None:
                return None
            return changed if alone else (changed, *output[1:])

        return hook

    hooks = [blocks[0].register_forward_pre_hook(entering, with_kwargs=True)]
    hooks += [
        block.register_forward_hook(leaving(layer)) for layer, block in enumerate(blocks, start=1)
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def recording(into: list[torch.Tensor]) -> Seen:
    """Keeps every layer's activations, in order, and changes nothing."""

    def seen(_: int, activations: torch.Tensor) -> None:
        into.append(activations.detach().clone())

    return seen


def swapping(rows: Sequence[Swap | None]) -> Seen:
    """Puts into each row of a batch what is to be swapped there, if anything."""

    def seen(layer: int, activations: torch.Tensor) -> torch.Tensor | None:
        here = [(row, swap) for row, swap in enumerate(rows) if swap and swap.layer == layer]
        if not here:
            return None
        changed = activations.clone()
        for row, swap in here:
            changed[row, swap.places] = swap.values
        return changed

    return seen
