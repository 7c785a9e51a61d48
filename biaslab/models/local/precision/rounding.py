"""Linear layers in whole numbers of eight bits, and how far a model moves away by that.

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
