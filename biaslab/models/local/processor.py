"""Attention of one new token per row on a processor, as two plain matrix products.

While texts are written, every row adds one token at a time. For that, PyTorch's fused attention
took about half as long again on a processor as the two products it fuses. Everything else,
and every other device, goes to the fused one. Results differ by rounding only.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

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


_NAME = "biaslab"


def attend(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """Attention as transformers asks for it.

    Args:
        module: the layer that asks.
        query: (rows, heads, new tokens, size).
        key: (rows, key heads, tokens, size); several heads may share one key head.
        value: (rows, key heads, tokens, size).
        attention_mask: true where a token is seen, or what is added to its score;
            None where all are.
        options: ``scaling`` of the scores, and others that only the fused attention knows.

    Returns:
        (rows, new tokens, heads, size), and None in the place of attention weights.
    """
    rows, heads, new, size = query.shape
    scaling = options.get("scaling")
    plain = all(not value for name, value in options.items() if name in _FUSED_ONLY)
    if new != 1 or query.device.type != "cpu" or not plain:
        fused: tuple[torch.Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, **options
        )
        return fused
    shared = key.shape[1]
    grouped = (query * (size**-0.5 if scaling is None else scaling)).view(
        rows, shared, heads // shared, size
    )
    scores = torch.matmul(grouped, key.transpose(-1, -2))
    if attention_mask is not None:
        mask = attention_mask[..., : key.shape[-2]]
        if mask.shape[1] != 1:
            mask = mask.reshape(rows, shared, heads // shared, -1)
        if mask.dtype == torch.bool:
            scores = scores.masked_fill_(~mask, float("-inf"))
        else:
            scores = scores.add_(mask)
    seen = torch.matmul(scores.softmax(-1), value)
    return seen.view(rows, 1, heads, -1), None


_FUSED_ONLY = ("softcap", "dropout", "position_bias", "cache", "s_aux", "output_attentions")


def attend_plainly(model: Any) -> bool:
    """Lets a model attend this way.

    Returns:
        Whether it does; a model with an attention of its own keeps that.
    """
    if getattr(model.config, "_attn_implementation", None) != "sdpa":
        return False
    AttentionInterface.register(_NAME, attend)
    AttentionMaskInterface.register(_NAME, sdpa_mask)
    try:
        model.set_attn_implementation(_NAME)
    except (ValueError, ImportError):
        return False
    return bool(model.config._attn_implementation == _NAME)
