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
            layer.forward = _PackedForward(layer)
    return len(layers)


class _PackedForward:
    """Stands in for the ``forward`` of a linear layer."""

    def __init__(self, layer: nn.Linear) -> None:
        self._layer = layer
        self._weights = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach(), _PACKED_FOR)

    def __call__(self, scores: Any) -> Any:
        if scores.numel() < _FEWEST_ROWS * scores.shape[-1]:
            return nn.functional.linear(scores, self._layer.weight, self._layer.bias)
        return torch.ops.mkldnn._linear_pointwise(
            scores, self._weights, self._layer.bias, "none", [], ""
        )


def _works(layer: nn.Linear) -> bool:
    if not torch.backends.mkldnn.is_available():
        return False
    given = torch.linspace(-1.0, 1.0, _PACKED_FOR * layer.in_features)
    given = given.reshape(_PACKED_FOR, layer.in_features)
    try:
        packed = _PackedForward(layer)(given)
    except (RuntimeError, AttributeError, TypeError, NotImplementedError):
        return False
    return bool(torch.allclose(packed, layer(given), rtol=1e-4, atol=1e-4))


_NAME, _FINE_NAME = "biaslab", "biaslab-float64"

_SCORES = 1 << 22
"""Most scores in float64 at one time."""

_FUSED_ONLY = ("softcap", "dropout", "position_bias", "cache", "s_aux", "output_attentions")


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
    if query.shape[2] != 1 or not _is_plain(query, options):
        return _fused(module, query, key, value, attention_mask, **options)
    return _products(query, key, value, attention_mask, options.get("scaling")), None


def attend_finely(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """The same with sums in float64, which are rounded once, at the end.

    The order of a sum, which goes by how far a row is filled up, by how many tokens are read at
    once and by who else is there, changes float32 sums in the last digit. In float64 it changes
    what is left after rounding about once in a hundred million numbers.
    """
    rows, heads, new, _ = query.shape
    if not _is_plain(query, options) or (attention_mask is None and new != 1):
        key, value = key.to(query.dtype), value.to(query.dtype)
        return _fused(module, query, key, value, attention_mask, **options)
    key, value = key.double(), value.double()
    step = max(1, _SCORES // (rows * heads * key.shape[2]))
    parts = []
    for start in range(0, new, step):
        asking = query[:, :, start : start + step].double()
        mask = attention_mask
        if mask is not None and mask.shape[2] != 1:
            mask = mask[:, :, start : start + step]
        parts.append(_products(asking, key, value, mask, options.get("scaling")))
    return torch.cat(parts, 1).to(query.dtype), None


def _is_plain(query: torch.Tensor, options: dict[str, Any]) -> bool:
    asked = any(value for name, value in options.items() if name in _FUSED_ONLY)
    return query.device.type == "cpu" and not asked


def _fused(*given: Any, **options: Any) -> tuple[torch.Tensor, None]:
    fused: tuple[torch.Tensor, None] = sdpa_attention_forward(*given, **options)
    return fused


def _products(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    scaling: float | None,
) -> torch.Tensor:
    rows, heads, new, size = query.shape
    shared = key.shape[1]
    group = heads // shared
    scaled = query * (size**-0.5 if scaling is None else scaling)
    scores = torch.matmul(scaled.reshape(rows, shared, group * new, size), key.transpose(-1, -2))
    if mask is not None:
        apart = scores.view(rows, shared, group, new, -1)
        mask = mask[..., : key.shape[-2]]
        mask = mask[:, None] if mask.shape[1] == 1 else mask.unflatten(1, (shared, group))
        if mask.dtype == torch.bool:
            # Not infinite: a place that only fills up a row sees nothing, and infinity less
            # infinity would be no number.
            apart.masked_fill_(~mask, torch.finfo(scores.dtype).min)
        else:
            apart.add_(mask)
    seen = torch.matmul(scores.softmax(-1), value).view(rows, heads, new, -1)
    return seen.transpose(1, 2)


def attend_plainly(model: Any) -> bool:
    """Lets a model attend by `attend`.

    Returns:
        Whether it does; a model with an attention of its own keeps that.
    """
    return _takes(model, "sdpa", _NAME, attend, sdpa_mask)


def attend_alike(model: Any) -> bool:
    """Lets a model that attends by `attend` do so by `attend_finely`; returns whether it does."""
    return _takes(model, _NAME, _FINE_NAME, attend_finely, _whole_mask)


def _takes(model: Any, old: str, new: str, attention: Any, mask: Any) -> bool:
    if getattr(model.config, "_attn_implementation", None) != old:
        return False
    AttentionInterface.register(new, attention)
    AttentionMaskInterface.register(new, mask)
    try:
        model.set_attn_implementation(new)
    except (ValueError, ImportError):
        return False
    return bool(model.config._attn_implementation == new)


def _whole_mask(*given: Any, **options: Any) -> Any:
    """The mask even where a fused attention could do without one."""
    return sdpa_mask(*given, **options | {"allow_is_causal_skip": False})
