"""Linear layers in whole numbers of eight bits, and how far a model moves away by that.

A weight is kept as one of 255 steps, with a scale for each output. What comes into a layer is
written, row by row, in digits of 255 steps: x = scale * (d1 + d2 / 254). A row's scale is its own,
and sums of whole numbers are exact in any order, so a row's products do not depend on its company.
One digit is faster than two. ``int8`` takes one, and two in layers that narrow: the second matrix
of a feed-forward block, which carries outliers in some families of models. ``int8x2`` takes two
everywhere but in the head, whose rounding goes into no further layer.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from biaslab.models.provider import INT8

_STEPS = 127
_SECOND = 2 * _STEPS
"""Steps of the second digit within one of the first: it reaches half a step to either side."""

_ROWS = 512
"""Rows worked on together: more only take memory."""

_EXACT_COLUMNS = 512


class Rounded(nn.Module):  # type: ignore[misc]
    """A linear layer in eight bits.

    Args:
        layer: whose weights it takes; they are kept as well until `forget`.
        digits: with how many digits what comes in is written, 1 or 2.
    """

    def __init__(self, layer: nn.Linear, digits: int) -> None:
        super().__init__()
        self.digits = digits
        self.rounds = True
        self.in_features, self.out_features = layer.in_features, layer.out_features
        self._exact: nn.Linear | None = layer
        weight = layer.weight.detach()
        scale = (weight.abs().amax(1, keepdim=True) / _STEPS).clamp(min=1e-30)
        self.register_buffer("steps", (weight / scale).round_().to(torch.int8))
        self.register_buffer("scale", scale[:, 0])
        self.bias = layer.bias

    def forget(self) -> None:
        """Lets the weights go that it was made from."""
        self._exact = None

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        """Products with the weights and the bias, in the numbers that were given."""
        if not self.rounds and self._exact is not None:
            return nn.functional.linear(given, self._exact.weight, self._exact.bias)
        parts = given.reshape(-1, self.in_features).split(_ROWS)
        products = [self._products(rows) for rows in parts]
        whole = products[0] if len(products) == 1 else torch.cat(products)
        return whole.view(*given.shape[:-1], self.out_features)

    def _products(self, rows: torch.Tensor) -> torch.Tensor:
        size = (rows.abs().amax(1, keepdim=True) / _STEPS).clamp_(min=1e-30)
        left = rows / size
        first = left.round()
        if self.digits == 1:
            sums = torch._int_mm(first.to(torch.int8), self.steps.t()) * self.scale
        else:
            second = left.sub_(first).mul_(_SECOND).round_()
            both = torch.cat([first, second]).to(torch.int8)
            high, low = torch._int_mm(both, self.steps.t()).float().split(len(rows))
            sums = high.add(low, alpha=1 / _SECOND) * self.scale
        return sums.mul_(size) if self.bias is None else torch.addcmul(self.bias, sums, size)


def multiplies_exactly() -> bool:
    """Whether this processor's products of eight bits are exact.

    On some, sums of two large products are cut off within the processor, without a word.
    """
    given = torch.full((17, _EXACT_COLUMNS), _STEPS, dtype=torch.int8)
    given[1] = -_STEPS
    given[2:] = torch.arange(15 * _EXACT_COLUMNS).reshape(15, -1).mul(37).remainder(255) - _STEPS
    weights = given.flip(0).contiguous()
    try:
        found = torch._int_mm(given, weights.t())
    except RuntimeError:
        return False
    return bool((found.long() == given.long() @ weights.long().t()).all())


def round_layers(model: Any, dtype: str) -> list[Rounded]:
    """Puts `Rounded` in the place of every linear layer.

    Args:
        model: of transformers, in float32.
        dtype: one of `INT8`.

    Returns:
        the layers in eight bits; empty where the model has no linear layer.
    """
    layers = [(name, layer) for name, layer in model.named_modules() if type(layer) is nn.Linear]
    head = model.get_output_embeddings()
    made = []
    for name, layer in layers:
        two = layer is not head and (dtype == INT8[1] or layer.in_features > layer.out_features)
        rounded = Rounded(layer, 1 + two)
        parent, _, own = name.rpartition(".")
        setattr(model.get_submodule(parent), own, rounded)
        made.append(rounded)
    return made
