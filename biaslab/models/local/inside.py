"""The layers of a network: what they put out, read and replaced by hooks.

Layer 0 is what goes into the first block (the embeddings of the tokens, and of their positions
where a model adds those); layer n is what comes out of the nth block, the residual stream that all
later blocks read. The forward pass is the model's own; hooks only look on or change one value.

Which tokens of a prompt stand at a place of its text.

A linear probe: what a weighted sum of a layer's activations tells of a text.

For each label, layer and place a ridge regression is fitted to yes and no (+1 and -1) on one set of
texts, and asked about texts that it has not seen: above 0 is yes (Alain & Bengio 2016,
"Understanding intermediate layers using linear classifier probes"). What a probe reads is there to
be read; whether the model uses it is what swapping tells.

One activation of a text replaced by that of another text, and what is answered then.

This is activation patching, also called causal tracing: the model reads one text, but at one layer
and one place it is given what it had there for the other text, and everything after goes on from
that (Vig et al. 2020, "Investigating gender bias in language models using causal mediation
analysis"; Meng et al. 2022, "Locating and editing factual associations in GPT").

All swaps of a request are rows of one batch: their text is the same, so no row is filled up, and a
token's number is its place in the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import nn

from biaslab.models.activations import (
    PlacedText,
    ProbeRequest,
    ProbeResult,
    Span,
    SwapRequest,
    SwapResult,
)
from biaslab.models.local.encoding import Encoder, UnreadablePrompt
from biaslab.models.local.memory import Size, plan_batches
from biaslab.models.local.network import Network, Scorer, ScoringQuestion
from biaslab.models.requests import Likelihood, Message

Seen: TypeAlias = Callable[[int, torch.Tensor], torch.Tensor | None]
"""Is told a layer and its activations (rows, tokens, width); gives what is put in their place."""


@dataclass(frozen=True, slots=True)
class Swap:
    """What is put into one row of a batch.

    Attributes:
        layer: at which layer.
        places: at which tokens, (n,); values: their new activations, (n, width).
    """

    layer: int
    places: torch.Tensor
    values: torch.Tensor


def blocks_of(model: nn.Module) -> nn.ModuleList | None:
    """The blocks that a token passes one after the other; None where they are not found."""
    count = model.config.get_text_config().num_hidden_layers
    lists = (part for part in model.modules() if isinstance(part, nn.ModuleList))
    return next((each for each in lists if len(each) == count), None)


@contextmanager
def watched(blocks: nn.ModuleList, counts: Seen) -> Iterator[None]:
    """While it is open, a function sees every layer's activations and may change them."""

    def entering(_: nn.Module, args: Any, options: Any) -> Any:
        given = args[0] if args else options["hidden_states"]
        changed = counts(0, given)
        if changed is None:
            return None
        if args:
            return (changed, *args[1:]), options
        return args, {**options, "hidden_states": changed}

    def leaving(layer: int) -> Callable[[nn.Module, Any, Any], Any]:
        def hook(_: nn.Module, __: Any, output: Any) -> Any:
            alone = isinstance(output, torch.Tensor)
            changed = counts(layer, output if alone else output[0])
            if changed is None:
                return None
            return changed if alone else (changed, *output[1:])

        return hook

    hooks = [blocks[0].register_forward_pre_hook(entering, with_kwargs=True)]
    hooks += [
        block.register_forward_hook(leaving(layer)) for layer, block in enumerate(blocks, start=1)
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def recording(into: list[torch.Tensor]) -> Seen:
    """Keeps every layer's activations, in order, and changes nothing."""

    def seen(_: int, activations: torch.Tensor) -> None:
        into.append(activations.detach().clone())

    return seen


def swapping(rows: Sequence[Swap | None]) -> Seen:
    """Puts into each row of a batch what is to be swapped there, if anything."""

    def seen(layer: int, activations: torch.Tensor) -> torch.Tensor | None:
        here = [(row, swap) for row, swap in enumerate(rows) if swap and swap.layer == layer]
        if not here:
            return None
        changed = activations.clone()
        for row, swap in here:
            changed[row, swap.places] = swap.values
        return changed

    return seen


def tokens_at(
    encoder: Encoder, messages: Sequence[Message], spans: Sequence[Span]
) -> tuple[list[int], list[list[int]]]:
    """The tokens of a prompt, and for each span which of them belong to it, by number.

    Raises:
        UnreadablePrompt: the prompt cannot be read, or it is not known where in it a token stands.
    """
    prompt = encoder.prompt(messages)
    tokens = encoder.encode(prompt)
    ends = encoder.ends(prompt)
    content = messages[-1].content
    begins = prompt.text.rfind(content)
    if begins < 0:
        raise UnreadablePrompt(
            "The model's chat template changes the text of the question, so its words are not "
            "found again in what the model reads. Choose another model."
        )
    # The tokenizer's own tokens in front belong to no place.
    before = len(tokens) - len(ends)
    found = []
    for span in spans:
        last = len(prompt.text) if span.end >= len(content) else begins + span.end
        inside = [at for at, end in enumerate(ends) if begins + span.start < end <= last]
        found.append([before + at for at in inside if before + at >= 0])
    return tokens, found


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
