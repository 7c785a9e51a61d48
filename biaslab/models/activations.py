"""What can be asked of the inside of a model whose weights are opened here.

A model of layers turns every token into a list of numbers, its activation, and each layer adds
to it. Two things are asked about these: what becomes of an answer when one activation is replaced
by that of another text (activation patching), and what can be read off them (a linear probe).
`biaslab.models.local.inside` does both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from biaslab.models.requests import Failure, Likelihood, Message, Model


class Span(NamedTuple):
    """From where to where a place reaches in the content of a text's last message, in characters.

    A token belongs to the place that its last character lies in. A place that reaches to the end
    of the content also takes what a chat template puts behind it.
    """

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SwapRequest:
    """Asks how probable continuations become when one activation is that of another text.

    Attributes:
        messages: what the model reads.
        other: the text whose activations are put in.
        places: which places are swapped, one at a time: the span in ``messages``, and the one in
            ``other`` whose activations take its place. Where the two have different numbers of
            tokens, their last tokens are swapped, as many as both have.
        continuations: what is scored, as in `LikelihoodRequest`.
    """

    messages: tuple[Message, ...]
    other: tuple[Message, ...]
    places: tuple[tuple[Span, Span], ...]
    continuations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SwapResult:
    """How probable the continuations are, with nothing swapped and with each swap.

    Attributes:
        own: after ``messages``, nothing swapped.
        other: after ``other``, nothing swapped.
        layers: for each layer and each place, in order. The first layer is what goes into the
            first block (the embeddings), every other one is what comes out of a block.
    """

    own: Likelihood
    other: Likelihood
    layers: tuple[tuple[Likelihood, ...], ...]


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text with places in it, in an order that is the same in all texts of a request."""

    messages: tuple[Message, ...]
    places: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """Asks what a linear probe reads off the activations of texts that it was not fitted to.

    Attributes:
        fitted: texts that the probes are fitted to; tested: texts that they are asked about.
        labels: under a name, yes or no for each of the fitted texts; a probe is fitted for each
            name, layer and place.
    """

    fitted: tuple[PlacedText, ...]
    tested: tuple[PlacedText, ...]
    labels: Mapping[str, tuple[bool, ...]]


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What the probes said.

    Attributes:
        said: under each name, for each layer, place and tested text, in order. Layers are counted
            as in `SwapResult`.
    """

    said: Mapping[str, tuple[tuple[tuple[bool, ...], ...], ...]]


InsideRequest: TypeAlias = SwapRequest | ProbeRequest
InsideResult: TypeAlias = SwapResult | ProbeResult


@runtime_checkable
class Open(Model, Protocol):
    """A model whose activations can be read and swapped."""

    def swap(self, request: SwapRequest) -> SwapResult | Failure:
        """Answers with one activation swapped at a time."""
        ...

    def probe(self, request: ProbeRequest) -> ProbeResult | Failure:
        """What linear probes read."""
        ...


def look(model: Model, request: InsideRequest) -> InsideResult | Failure:
    """Asks a model about its inside; a model that shows none fails with a sentence."""
    if not isinstance(model, Open):
        return Failure(
            f"“{model.identity.spec}” cannot be looked into: choose a tiny model, or a language "
            "model in a folder of this computer.",
            retryable=False,
        )
    return model.swap(request) if isinstance(request, SwapRequest) else model.probe(request)


def written(request: InsideRequest) -> dict[str, Any]:
    """The request as fields of JSON."""
    if isinstance(request, SwapRequest):
        return {
            "messages": request.messages, "other": request.other, "places": request.places,
            "continuations": request.continuations,
        }  # fmt: skip
    return {
        "fitted": [(each.messages, each.places) for each in request.fitted],
        "tested": [(each.messages, each.places) for each in request.tested],
        "labels": dict(request.labels),
    }


def read(fields: Mapping[str, Any]) -> InsideRequest:
    """The request that `written` wrote."""
    if "other" in fields:
        return SwapRequest(
            _messages(fields["messages"]),
            _messages(fields["other"]),
            tuple((Span(*own), Span(*other)) for own, other in fields["places"]),
            tuple(fields["continuations"]),
        )
    labels = {name: tuple(values) for name, values in fields["labels"].items()}
    return ProbeRequest(tuple(_marked(fields["fitted"])), tuple(_marked(fields["tested"])), labels)


def result_written(result: InsideResult) -> dict[str, Any]:
    """The result as fields of JSON."""
    if isinstance(result, ProbeResult):
        return {"said": dict(result.said)}
    return {
        "own": _scores(result.own), "other": _scores(result.other),
        "layers": [[_scores(each) for each in layer] for layer in result.layers],
    }  # fmt: skip


def result_read(fields: Mapping[str, Any]) -> InsideResult:
    """The result that `result_written` wrote."""
    if "said" in fields:
        return ProbeResult(
            {
                name: tuple(tuple(tuple(place) for place in layer) for layer in layers)
                for name, layers in fields["said"].items()
            }
        )
    return SwapResult(
        _likelihood(fields["own"]),
        _likelihood(fields["other"]),
        tuple(tuple(_likelihood(each) for each in layer) for layer in fields["layers"]),
    )


def _messages(turns: Sequence[Sequence[str]]) -> tuple[Message, ...]:
    return tuple(Message(*each) for each in turns)


def _marked(texts: Sequence[Any]) -> Iterator[PlacedText]:
    for messages, places in texts:
        yield PlacedText(_messages(messages), tuple(Span(*each) for each in places))


def _scores(likelihood: Likelihood) -> tuple[tuple[float, ...], tuple[int, ...]]:
    return likelihood.log_probabilities, likelihood.tokens


def _likelihood(scores: Sequence[Sequence[Any]]) -> Likelihood:
    logs, tokens = scores
    return Likelihood(tuple(logs), tuple(tokens))
