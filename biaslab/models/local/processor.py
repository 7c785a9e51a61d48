"""Attention of one new token per row on a processor, as two plain matrix products.

While texts are written, every row adds one token at a time. For that, PyTorch's fused attention
took about half as long again on a processor as the two products it fuses. Everything else,
and every other device, goes to the fused one. Results differ by rounding only.

Linear layers in whole numbers of eight bits, and how far a model moves away by that.

A weight is kept as a whole number, with a scale for each output, and what comes into a layer is
written, row by row, in digits. Processors without AVX-512 VNNI cut off a sum of two products that
needs more than sixteen bits, so that one side may have eight bits and the other seven. Then sums of
whole numbers are exact in any order: a row's products depend neither on its company nor on the
computer.

Most layers have the eighth bit in what comes in, and one digit: x = scale * d. A layer that
narrows, as the second matrix of a feed-forward block does, is given outliers in some families of
models. It has the eighth bit in its weights, and two digits: x = scale * (d1 + d2 / 126).

The products are those of torch's quantised linear layers, which are several times as fast as its
product of two matrices of eight bits where a processor has no instructions of its own for these.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Steps:
    """How finely a layer is written.

    Attributes:
        weight, digit: steps to either side of nought, of a weight and of a digit.
        digits: one or two; the second has `second` steps within one of the first, half of them to
            either side.
    """

    weight: int
    digit: int
    digits: int

    @property
    def second(self) -> int:
        """Steps of the second digit within one of the first."""
        return 2 * self.digit


WIDE, NARROW = Steps(63, 127, 1), Steps(127, 63, 2)
"""Of layers that have as many outputs as inputs or more, and of those that have fewer."""

_ROWS = 512
"""Rows worked on together: more only take memory."""

_ENGINES = ("fbgemm", "qnnpack")
"""torch's engines for quantised layers, on x86 and on ARM."""


class EightBitLinear(nn.Module):  # type: ignore[misc]
    """A linear layer in eight bits.

    Args:
        layer: whose weights it takes; they are kept as well until `forget`.
    """

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.rounds = True
        self.in_features, self.out_features = layer.in_features, layer.out_features
        self.steps = NARROW if self.out_features < self.in_features else WIDE
        self._exact: nn.Linear | None = layer
        weight = layer.weight.detach()
        scale = (weight.abs().amax(1, keepdim=True) / self.steps.weight).clamp(min=1e-30)
        self._packed = _pack((weight / scale).round_().to(torch.int8), scale[:, 0])
        self.bias = layer.bias

    def forget(self) -> None:
        """Lets the weights go that it was made from."""
        self._exact = None

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Products with the weights and the bias, in the numbers that were given."""
        if not self.rounds and self._exact is not None:
            return nn.functional.linear(inputs, self._exact.weight, self._exact.bias)
        parts = inputs.reshape(-1, self.in_features).split(_ROWS)
        products = [self._products(rows) for rows in parts]
        whole = products[0] if len(products) == 1 else torch.cat(products)
        return whole.view(*inputs.shape[:-1], self.out_features)

    def _products(self, rows: torch.Tensor) -> torch.Tensor:
        steps = self.steps
        size = (rows.abs().amax(1, keepdim=True) / steps.digit).clamp_(min=1e-30)
        left = rows / size
        digits = [left.round()]
        if steps.digits == 2:
            digits.append(left.sub_(digits[0]).mul_(steps.second).round_())
        sums, *low = _multiply(digits, self._packed, steps.digit).split(len(rows))
        if low:
            sums = sums.add(low[0], alpha=1 / steps.second)
        return sums.mul_(size) if self.bias is None else torch.addcmul(self.bias, sums, size)


def _pack(steps: torch.Tensor, scale: torch.Tensor) -> Any:
    """Weights as the engine wants them.

    Args:
        steps: int8, outputs by inputs.
        scale: of each output.
    """
    engines = torch.backends.quantized
    engines.engine = next((e for e in _ENGINES if e in engines.supported_engines), engines.engine)
    zeros = torch.zeros(len(scale), dtype=torch.long)
    with warnings.catch_warnings():
        # It is to leave torch one day; `multiplies_exactly` is False then, and nothing is rounded.
        warnings.filterwarnings("ignore", "torch.quantize_per_tensor", UserWarning)
        weight = torch._make_per_channel_quantized_tensor(steps, scale.double(), zeros, 0)
    return torch.ops.quantized.linear_prepack(weight, None)


def _multiply(digits: list[torch.Tensor], packed: Any, most: int) -> torch.Tensor:
    """Products of whole numbers within `most` of nought, 63 or 127, with packed weights, scaled.

    The engine finds the scale of what comes in by itself. A last row that reaches from -most to
    most + 1 makes it 1, so that each number is a step of seven or of eight bits.
    """
    span = digits[0].new_zeros(1, digits[0].shape[1])
    span[0, 0] = -most
    span[0, -1] = most + 1
    seven_bits = most == NARROW.digit
    return torch.ops.quantized.linear_dynamic(torch.cat([*digits, span]), packed, seven_bits)[:-1]


def multiplies_exactly() -> bool:
    """Whether torch's products of such numbers are exact on this processor."""
    return all(map(_is_exact, (WIDE, NARROW)))


def _is_exact(steps: Steps) -> bool:
    numbers = torch.arange(17 * 512).reshape(17, -1).mul(37)
    given, weights = (
        numbers.remainder(2 * most + 1) - most for most in (steps.digit, steps.weight)
    )
    given[0], given[1] = steps.digit, -steps.digit
    weights[0], weights[1] = steps.weight, -steps.weight
    try:
        packed = _pack(weights.to(torch.int8), torch.ones(17))
        found = _multiply([given.float()], packed, steps.digit)
    except (AttributeError, RuntimeError):
        return False
    return bool((found.long() == given @ weights.t()).all())


def round_layers(model: Any) -> list[EightBitLinear]:
    """Puts `EightBitLinear` in the place of every linear layer of a float32 transformers model.

    Returns:
        the layers in eight bits; empty where the model has no linear layer.
    """
    layers = [(name, layer) for name, layer in model.named_modules() if type(layer) is nn.Linear]
    made = []
    for name, layer in layers:
        rounded = EightBitLinear(layer)
        parent, _, own = name.rpartition(".")
        setattr(model.get_submodule(parent), own, rounded)
        made.append(rounded)
    return made
