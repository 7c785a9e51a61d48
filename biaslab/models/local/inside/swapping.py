"""One activation of a text replaced by that of another text, and what is answered then.

This is activation patching, also called causal tracing: the model reads one text, but at one layer
and one place it is given what it had there for the other text, and everything after goes on from
that (Vig et al. 2020, "Investigating gender bias in language models using causal mediation
analysis"; Meng et al. 2022, "Locating and editing factual associations in GPT").

All swaps of a request are rows of one batch: their text is the same, so no row is filled up, and a
token's number is its place in the row.
"""

from __future__ import annotations

import torch
from torch import nn

from biaslab.models.activations import SwapRequest, SwapResult
from biaslab.models.local.encoding import Encoder
from biaslab.models.local.inside.layers import Swap, recording, swapping, watched
from biaslab.models.local.inside.places import tokens_at
from biaslab.models.local.network import Network
from biaslab.models.local.scoring import Scorer, ScoringQuestion
from biaslab.models.requests import Likelihood


def swap(
    network: Network,
    encoder: Encoder,
    blocks: nn.ModuleList,
    request: SwapRequest,
    own: ScoringQuestion,
    other: ScoringQuestion,
) -> SwapResult:
    """Scores the continuations with nothing swapped and with each swap.

    Args:
        network: a network that may be asked in batches.
        encoder: its tokenizer.
        blocks: its blocks.
        request: what is asked.
        own: the request's continuations after its ``messages``.
        other: those after the text that activations are taken from.

    Raises:
        UnreadablePrompt: words are not found among the tokens.
    """
    scorer = Scorer(network)
    sources = activations(network, blocks, other.beginning)
    _, here = tokens_at(encoder, request.messages, [place for place, _ in request.places])
    _, there = tokens_at(encoder, request.other, [place for _, place in request.places])
    swaps = [
        _swap(layer, values, one, two, len(own.beginning))
        for layer, values in enumerate(sources)
        for one, two in zip(here, there, strict=True)
    ]
    rows: list[Swap | None] = [None, *swaps]
    questions = [ScoringQuestion(index, own.beginning, own.endings) for index in range(len(rows))]
    found = dict(
        scorer.score(
            questions,
            lambda some: watched(blocks, swapping([rows[each.index] for each in some])),
        )
    )
    ((_, unswapped),) = scorer.score([other])
    return SwapResult(found[0], unswapped, _by_layer(found, len(sources), len(request.places)))


def _by_layer(
    likelihoods: dict[int, Likelihood], layers: int, places: int
) -> tuple[tuple[Likelihood, ...], ...]:
    return tuple(
        tuple(likelihoods[1 + layer * places + place] for place in range(places))
        for layer in range(layers)
    )


@torch.inference_mode()  # type: ignore[untyped-decorator]
def activations(
    network: Network, blocks: nn.ModuleList, tokens: tuple[int, ...]
) -> list[torch.Tensor]:
    """Every layer's activations of a text, (tokens, width) each."""
    layers: list[torch.Tensor] = []
    given, mask = network.filled_up([tokens])
    with watched(blocks, recording(layers)):
        network.scores(given, mask, None, 1)
    return [layer[0] for layer in layers]


def _swap(
    layer: int, values: torch.Tensor, here: list[int], there: list[int], length: int
) -> Swap | None:
    """The last tokens of both places, as many as both have and the model reads."""
    both = min(len(here), len(there))
    pairs = zip(here[len(here) - both :], there[len(there) - both :], strict=True)
    read = [(one, two) for one, two in pairs if one < length and two < len(values)]
    if not read:
        return None
    at = torch.tensor([one for one, _ in read], device=values.device)
    source = torch.tensor([two for _, two in read], device=values.device)
    return Swap(layer, at, values[source])
