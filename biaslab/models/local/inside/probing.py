"""A linear probe: what a weighted sum of a layer's activations tells of a text.

For each label, layer and place a ridge regression is fitted to yes and no (+1 and -1) on one set of
texts, and asked about texts that it has not seen: above 0 is yes (Alain & Bengio 2016,
"Understanding intermediate layers using linear classifier probes"). What a probe reads is there to
be read; whether the model uses it is what swapping tells.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from biaslab.models.activations import PlacedText, ProbeRequest, ProbeResult
from biaslab.models.local.encoding import Encoder, UnreadablePrompt
from biaslab.models.local.inside.layers import recording, watched
from biaslab.models.local.inside.places import tokens_at
from biaslab.models.local.memory import Size, plan_batches
from biaslab.models.local.network import Network

RIDGE = 0.1
"""How strongly weights are held near 0, as a share of the activations' own variance (which is made
1). Fixed beforehand, so nothing is chosen by how well it does."""

MOST_NUMBERS = 1 << 28
"""Most activations that are held at a time: one gigabyte."""


def probe(
    network: Network, encoder: Encoder, blocks: nn.ModuleList, request: ProbeRequest
) -> ProbeResult:
    """Fits a probe for each label, layer and place, and asks it about the tested texts.

    Raises:
        UnreadablePrompt: words are not found among the tokens, or there are too many numbers.
    """
    texts = [*request.fitted, *request.tested]
    states = _at_places(network, encoder, blocks, texts)
    signs = torch.tensor(
        [[1.0 if label else -1.0 for label in labels] for labels in request.labels.values()],
        dtype=torch.float64,
    ).T
    fitted = len(request.fitted)
    said: dict[str, list[list[tuple[bool, ...]]]] = {name: [] for name in request.labels}
    for layer in states:
        for found in said.values():
            found.append([])
        for place in range(layer.shape[1]):
            values = layer[:, place].double()
            told = read_off(values[:fitted], signs, values[fitted:]) > 0
            for found, column in zip(said.values(), told.T.tolist(), strict=True):
                found[-1].append(tuple(column))
    return ProbeResult({name: tuple(map(tuple, layers)) for name, layers in said.items()})


def read_off(fitted: torch.Tensor, signs: torch.Tensor, tested: torch.Tensor) -> torch.Tensor:
    """Ridge regression.

    Args:
        fitted: (texts, width), in float64.
        signs: (texts, labels).
        tested: (other texts, width).

    Returns:
        what is read for each tested text and label.
    """
    middle = fitted.mean(0)
    spread = fitted.std(0, correction=0)
    # What is alike in all texts tells nothing; what remains of it is rounding.
    spread = torch.where(spread > 1e-6 * (1 + middle.abs()), spread, torch.inf)
    given = (fitted - middle) / spread
    base = signs.mean(0)
    held = RIDGE * len(given) * torch.eye(given.shape[1], dtype=given.dtype)
    weights = torch.linalg.solve(given.T @ given + held, given.T @ (signs - base))
    return ((tested - middle) / spread) @ weights + base


@torch.inference_mode()  # type: ignore[untyped-decorator]
def _at_places(
    network: Network, encoder: Encoder, blocks: nn.ModuleList, texts: Sequence[PlacedText]
) -> torch.Tensor:
    """Activations at the last token of each place: (layers, texts, places, width)."""
    located = [_located(encoder, text) for text in texts]
    width = network.model.config.get_text_config().hidden_size
    shape = (len(blocks) + 1, len(texts), len(texts[0].places), width)
    if torch.Size(shape).numel() > MOST_NUMBERS:
        raise UnreadablePrompt(
            f"The model is too large to be probed here: {len(blocks)} layers of {width} numbers "
            "each, for every text and place. Choose a smaller one."
        )
    found = torch.empty(shape)
    sizes = [Size(len(tokens), 0) for tokens, _ in located]
    for batch in plan_batches(sizes, network.batch_tokens):
        given, mask = network.filled_up([located[index][0] for index in batch])
        layers: list[torch.Tensor] = []
        with watched(blocks, recording(layers)):
            network.scores(given, mask, None, 1)
        for row, index in enumerate(batch):
            tokens, places = located[index]
            at = torch.tensor([given.shape[1] - len(tokens) + place for place in places])
            for layer, activations in enumerate(layers):
                found[layer, index] = activations[row, at.to(activations.device)].float().cpu()
    return found


def _located(encoder: Encoder, text: PlacedText) -> tuple[list[int], list[int]]:
    tokens, places = tokens_at(encoder, text.messages, text.places)
    if not all(places):
        raise UnreadablePrompt(
            "The model's tokenizer has no token that ends in one of the words that are probed. "
            "Choose another model."
        )
    return tokens, [place[-1] for place in places]
