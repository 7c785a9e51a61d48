"""Models in a directory on this machine, run by transformers.

Importing this module imports torch and transformers; `biaslab.models.open_model` does so only
when such a model is opened. Weights come from safetensors files only and no code that comes with
a model is ever run. One `LocalModel` holds one model: prompts of two models never share a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from torch import nn

from biaslab.models.activations import ProbeRequest, ProbeResult, SwapRequest, SwapResult
from biaslab.models.local.encoding import Encoder, NoSwitch, Prompt, UnreadablePrompt
from biaslab.models.local.inside import blocks_of, probe, swap
from biaslab.models.local.network import Network, Scorer, ScoringQuestion, open_network
from biaslab.models.local.writing import BatchWriter, WritingRow
from biaslab.models.requests import (
    Completion,
    Failure,
    GenerationRequest,
    Likelihood,
    LikelihoodRequest,
    Message,
    ModelIdentity,
    split_at_shared_beginning,
)
from schoolmath.text.thinking import closing_marker

_Continuations = tuple[str, ...]


class LocalModel:
    """A causal language model behind the interface of every model.

    A continuation depends on its own request only, never on what else is asked; see
    `biaslab.models.local.writing`. It ends at the model's end-of-text tokens, a stop text, the most
    new tokens asked for, or the end of the model's context, whichever comes first; at the
    last two the completion's ``finish`` is ``length``. A prompt that leaves no room is a failure.
    Sampling settings that come with the model (such as a repetition penalty) are not used.

    Args:
        path: directory with config.json, tokenizer and safetensors weights; kept as ``path``.
        identity: which model it is; see `biaslab.models.identify`.
        device: ``cpu``, ``cuda`` or ``cuda:N``; a GPU if there is one by default.
        dtype: one of `biaslab.models.provider.DTYPES`.
        batch_tokens: most tokens in one batch, rows times the longest row; by default what
            suits the model's size and the device (see `biaslab.models.local.memory`).

    Raises:
        BrokenModel: the files do not make a causal language model.
        Unsupported: the device is not there.
    """

    def __init__(
        self,
        path: Path,
        identity: ModelIdentity,
        *,
        device: str | None = None,
        dtype: str = "float32",
        batch_tokens: int | None = None,
    ) -> None:
        self._identity = identity
        self.path = path
        self._network, tokenizer = open_network(path, device, dtype, batch_tokens)
        self._encoder = Encoder(tokenizer)
        ends = _end_tokens(self._network, tokenizer)
        self._writer = BatchWriter(self._network, self._encoder, ends)
        self._scorer = Scorer(self._network)

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._identity

    @property
    def on_text(self) -> Callable[[str], None] | None:
        """As `biaslab.models.Watchable` says."""
        return self._writer.on_text

    @on_text.setter
    def on_text(self, watch: Callable[[str], None] | None) -> None:
        self._writer.on_text = watch

    @property
    def batch_tokens(self) -> int:
        """Most tokens in one batch: rows times the longest row."""
        return self._network.batch_tokens

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return self._network.parameters

    def generate(
        self, requests: Sequence[GenerationRequest]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        """Continues every request; each is yielded as soon as it is finished."""
        rows = []
        for index, request in enumerate(requests):
            row = self._row(index, request)
            if isinstance(row, WritingRow):
                rows.append(row)
            else:
                yield index, row
        yield from self._writer.write(rows)

    def likelihood(
        self, requests: Sequence[LikelihoodRequest]
    ) -> Iterator[tuple[int, Likelihood | Failure]]:
        """Scores every continuation; see `biaslab.models.local.network` for what is scored."""
        alike: dict[tuple[tuple[Message, ...], _Continuations], list[int]] = {}
        for index, request in enumerate(requests):
            alike.setdefault((request.messages, request.continuations), []).append(index)
        questions = []
        for indices in alike.values():
            question = self._question(indices[0], requests[indices[0]])
            if isinstance(question, ScoringQuestion):
                questions.append(question)
            else:
                for index in indices:
                    yield index, question
        same = {indices[0]: indices for indices in alike.values()}
        for first, result in self._scorer.score(questions):
            for index in same[first]:
                yield index, result

    def swap(self, request: SwapRequest) -> SwapResult | Failure:
        """Answers with one activation swapped at a time; see `biaslab.models.local.inside`."""
        blocks = self._blocks()
        if isinstance(blocks, Failure):
            return blocks
        own = self._question(0, LikelihoodRequest(request.messages, request.continuations))
        other = self._question(0, LikelihoodRequest(request.other, request.continuations))
        if isinstance(own, Failure):
            return own
        if isinstance(other, Failure):
            return other
        try:
            return swap(self._network, self._encoder, blocks, request, own, other)
        except UnreadablePrompt as problem:
            return Failure(str(problem), retryable=False)

    def probe(self, request: ProbeRequest) -> ProbeResult | Failure:
        """What linear probes read; see `biaslab.models.local.inside`."""
        blocks = self._blocks()
        if isinstance(blocks, Failure):
            return blocks
        try:
            return probe(self._network, self._encoder, blocks, request)
        except UnreadablePrompt as problem:
            return Failure(str(problem), retryable=False)

    def _blocks(self) -> nn.ModuleList | Failure:
        blocks = blocks_of(self._network.model) if self._network.batches else None
        return blocks or Failure(
            "The layers of this model cannot be looked into one by one: it is no transformer whose "
            "texts can be read side by side. Choose another model.",
            retryable=False,
        )

    def _row(self, index: int, request: GenerationRequest) -> WritingRow | Completion | Failure:
        try:
            prompt = self._encoder.prompt(request.messages, request.sampling.thinking)
        except UnreadablePrompt as problem:
            stops_run = isinstance(problem, NoSwitch)
            return Failure(str(problem), retryable=False, stops_run=stops_run)
        tokens = self._tokens(prompt)
        if isinstance(tokens, Failure):
            return tokens
        if request.sampling.max_new_tokens < 1:
            return Completion("", "length", len(tokens), 0, 0.0)
        context = self._network.context
        room = request.sampling.max_new_tokens if context is None else context - len(tokens)
        if room < 1:
            return _too_long(len(tokens), context)
        opened = None if prompt.plain else closing_marker(prompt.text)
        return WritingRow(index, tokens, request.sampling, room, opened)

    def _question(self, index: int, request: LikelihoodRequest) -> ScoringQuestion | Failure:
        if not request.continuations or not all(request.continuations):
            return Failure(
                "There is a continuation without text, which has no probability to score.",
                retryable=False,
            )
        try:
            prompt = self._encoder.prompt(request.messages)
        except UnreadablePrompt as problem:
            return Failure(str(problem), retryable=False)
        alone = self._encoder.encode(prompt)
        together = [self._encoder.encode(prompt, text) for text in request.continuations]
        beginning, endings = split_at_shared_beginning(alone, together)
        if not beginning:
            return Failure(
                "Nothing stands before the continuations, so they have no probability: give a "
                "longer prompt.",
                retryable=False,
            )
        longest = max(map(len, together))
        context = self._network.context
        if context is not None and longest > context:
            return _too_long(longest, context)
        unknown = self._unknown([token for text in together for token in text])
        return unknown or ScoringQuestion(index, beginning, endings)

    def _tokens(self, prompt: Prompt) -> list[int] | Failure:
        tokens = self._encoder.encode(prompt)
        if not tokens:
            return Failure("The prompt is empty: nothing was asked.", retryable=False)
        return self._unknown(tokens) or tokens

    def _unknown(self, tokens: Sequence[int]) -> Failure | None:
        if max(tokens) < self._network.vocabulary:
            return None
        return Failure(
            f"The tokenizer gives token {max(tokens)}, but the model knows only "
            f"{self._network.vocabulary}: its tokenizer belongs to another model.",
            retryable=False,
        )


def _too_long(tokens: int, context: int | None) -> Failure:
    return Failure(
        f"The prompt has {tokens} tokens and the model takes {context} in all, so there is no "
        "room for an answer: ask something shorter or choose a model with a longer context.",
        retryable=False,
    )


def _end_tokens(network: Network, tokenizer: Any) -> frozenset[int]:
    named = getattr(network.model.generation_config, "eos_token_id", None)
    ends = {named} if isinstance(named, int) else set(named or ())
    return frozenset({*ends, tokenizer.eos_token_id} - {None})
