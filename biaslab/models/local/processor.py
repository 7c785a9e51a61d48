"""Attention of one new token per row on a processor, as two plain matrix products.

While texts are written, every row adds one token at a time. For that, PyTorch's fused attention
took about half as long again on a processor as the two products it fuses. Everything else,
and every other device, goes to the fused one. Results differ by rounding only.
"""

from __future__ import annotations

from typing import Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

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
