"""Faster matrix products on a processor: weights laid out once the way oneDNN wants them.

PyTorch multiplies float32 matrices on a processor with a library that is slow on some makes of
processor. oneDNN, which PyTorch brings along, took less than half the time for products of these
shapes on an AMD EPYC (200 against 450 billion operations a second), but wants the weights in its
own layout. Results differ by rounding only. Where PyTorch does not offer it, or it gives anything
else, everything stays as it was.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

MOST_WEIGHTS = 300_000_000
"""Largest model that is packed: the packed weights take as much memory once more."""

_FEWEST_ROWS = 16
"""Fewest rows of a product for which the packed layout is faster; for one row it is slower."""

_PACKED_FOR = 64
"""Rows that the layout is chosen for; it works with any number."""


def pack(model: nn.Module) -> int:
    """Packs every linear layer of a float32 model on a processor.

    Returns:
        How many layers were packed; 0 where that is not possible or the model is too large.
    """
    layers = [layer for layer in model.modules() if type(layer) is nn.Linear]
    fits = all(
        layer.weight.dtype == torch.float32 and layer.weight.device.type == "cpu"
        for layer in layers
    )
    if not layers or not fits or sum(p.numel() for p in model.parameters()) > MOST_WEIGHTS:
        return 0
    with torch.inference_mode():
        if not _works(layers[0]):
            return 0
        for layer in layers:
            layer.forward = _Packed(layer)
    return len(layers)


class _Packed:
    """Stands in for the ``forward`` of a linear layer."""

    def __init__(self, layer: nn.Linear) -> None:
        self._layer = layer
        self._weights = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach(), _PACKED_FOR)

    def __call__(self, given: Any) -> Any:
        if given.numel() < _FEWEST_ROWS * given.shape[-1]:
            return nn.functional.linear(given, self._layer.weight, self._layer.bias)
        return torch.ops.mkldnn._linear_pointwise(
            given, self._weights, self._layer.bias, "none", [], ""
        )


def _works(layer: nn.Linear) -> bool:
    if not torch.backends.mkldnn.is_available():
        return False
    given = torch.linspace(-1.0, 1.0, _PACKED_FOR * layer.in_features)
    given = given.reshape(_PACKED_FOR, layer.in_features)
    try:
        packed = _Packed(layer)(given)
    except (RuntimeError, AttributeError, TypeError, NotImplementedError):
        return False
    return bool(torch.allclose(packed, layer(given), rtol=1e-4, atol=1e-4))
