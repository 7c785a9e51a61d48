"""Linear layers in whole numbers of eight bits, and how far a model moves away by that.

A weight is kept as one of 255 steps, with a scale for each output. What comes into a layer is
written, row by row, in two digits of 127 steps: x = scale * (d1 + d2 / 126). One alone would lose
what comes into the second matrix of a feed-forward block, which carries outliers in some families
of models. With digits of seven bits no processor cuts off a sum of two products, as those without
AVX-512 VNNI do with eight. So sums of whole numbers are exact in any order: a row's products depend
neither on its company nor on the computer.

The products are those of torch's quantised linear layers, which are several times as fast as its
product of two matrices of eight bits where a processor has no instructions of its own for these.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import nn

_STEPS = 127
"""Steps of a weight to either side of nought."""

_DIGIT = 63
"""Steps of a digit to either side of nought."""

_SECOND = 2 * _DIGIT
"""Steps of the second digit within one of the first: it reaches half a step to either side."""

_ROWS = 512
"""Rows worked on together: more only take memory."""

_ENGINES = ("fbgemm", "qnnpack")
"""torch's engines for quantised layers, on x86 and on ARM."""


class Rounded(nn.Module):  # type: ignore[misc]
    """A linear layer in eight bits.

    Args:
        layer: whose weights it takes; they are kept as well until `forget`.
    """

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.rounds = True
        self.in_features, self.out_features = layer.in_features, layer.out_features
        self._exact: nn.Linear | None = layer
        weight = layer.weight.detach()
        scale = (weight.abs().amax(1, keepdim=True) / _STEPS).clamp(min=1e-30)
        self._packed = _pack((weight / scale).round_().to(torch.int8), scale[:, 0])
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
        size = (rows.abs().amax(1, keepdim=True) / _DIGIT).clamp_(min=1e-30)
        left = rows / size
        first = left.round()
        second = left.sub_(first).mul_(_SECOND).round_()
        high, low = _multiply([first, second], self._packed).split(len(rows))
        sums = high.add(low, alpha=1 / _SECOND)
        return sums.mul_(size) if self.bias is None else torch.addcmul(self.bias, sums, size)


def _pack(steps: torch.Tensor, scale: torch.Tensor) -> Any:
    """Weights as the engine wants them.

    Args:
        steps: int8, outputs by inputs, each within `_STEPS` of nought.
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


def _multiply(digits: list[torch.Tensor], packed: Any) -> torch.Tensor:
    """Products of whole numbers within `_DIGIT` of nought with packed weights, scaled.

    The engine finds the scale of what comes in by itself. A last row that reaches from -63 to 64
    makes it 1, so that each number is a step.
    """
    span = digits[0].new_zeros(1, digits[0].shape[1])
    span[0, 0] = -_DIGIT
    span[0, -1] = _DIGIT + 1
    return torch.ops.quantized.linear_dynamic(torch.cat([*digits, span]), packed, True)[:-1]


def multiplies_exactly() -> bool:
    """Whether torch's products of such numbers are exact on this processor."""
    given = torch.arange(17 * 512).reshape(17, -1).mul(37).remainder(2 * _DIGIT + 1) - _DIGIT
    given[0], given[1] = _DIGIT, -_DIGIT
    steps = given.flip(0).mul(2)
    steps[0] = _STEPS
    try:
        found = _multiply([given.float()], _pack(steps.to(torch.int8), torch.ones(17)))
    except (AttributeError, RuntimeError):
        return False
    return bool((found.long() == given @ steps.t()).all())


def round_layers(model: Any) -> list[Rounded]:
    """Puts `Rounded` in the place of every linear layer of a model of transformers in float32.

    Returns:
        the layers in eight bits; empty where the model has no linear layer.
    """
    layers = [(name, layer) for name, layer in model.named_modules() if type(layer) is nn.Linear]
    made = []
    for name, layer in layers:
        rounded = Rounded(layer)
        parent, _, own = name.rpartition(".")
        setattr(model.get_submodule(parent), own, rounded)
        made.append(rounded)
    return made
