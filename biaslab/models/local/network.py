"""A transformer with its tokenizer: opened, and asked for the scores of the next token.

Rows of different lengths are filled up on the left. That neither the filling nor what is
remembered of earlier tokens changes anything is not taken for granted: `Network.batches` and
`Network.remembers` compare the ways once for every model opened.

Log-probabilities of given continuations.

What is scored. Prompt and continuation are tokenised together, as the model would meet them in a
text. The tokens that the prompt alone and all these joint texts begin with are the shared
beginning; a continuation's score is the log-probability of everything after it. Where no token
crosses the border between prompt and continuation, that is exactly the continuation. Where one
does (a prompt ending in a space, say, when the model knows `` A`` as one token), the crossing
token and the end of the prompt it swallows belong to the score, for every continuation of the
request alike, so the continuations stay comparable: their texts all start at the same place.

How. The shared beginning goes through the model once; what is remembered of it is copied for each
continuation of more than one token. A continuation of one token costs nothing more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging

from biaslab.models.local.memory import (
    BATCH_TOKENS,
    BEGINNINGS_BYTES,
    BEGINNINGS_SHARE,
    CACHE_SHARE,
    LOGIT_NUMBERS,
    MOST_ROWS,
    READ_TOKENS,
    Size,
    copied_rows,
    free_bytes,
    new_cache,
    plan_batches,
    room_with,
)
from biaslab.models.local.processor import (
    attend_alike,
    attend_plainly,
    pack,
    round_layers,
)
from biaslab.models.provider import INT8
from biaslab.models.requests import BrokenModel, Likelihood, Unsupported

if TYPE_CHECKING:
    from transformers.cache_utils import Cache

_TOLERANCE = {torch.float32: 1e-4, torch.bfloat16: 5e-2, torch.float16: 1e-2}
"""Largest difference between scores, relative to the largest score, that is rounding."""

_ROUNDED_TOLERANCE = 5e-2
"""The same in eight bits, where rounding may carry a number over to the next step."""

_BEFORE = ((3, 10, 17, 24), (5, 12, 19, 26, 33, 40, 47, 54, 61))
_AFTER = ((11, 2, 30), (1, 13, 6))
"""Tokens, taken modulo the vocabulary, with which a network is tried out."""

_CONTEXT_NAMES = ("max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length")


class Network:
    """A causal language model in memory.

    Args:
        model: of transformers, in evaluation mode.
        batch_tokens: most tokens in one batch, or None for what suits the model.

    Attributes:
        context: most tokens that the model takes, or None where it has no limit.
        vocabulary: number of tokens that the model knows.
        parameters: number of weights.
        batch_tokens: most tokens in one batch.
        read_tokens: most tokens of prompts in one batch.
        finely: whether keys and values are kept in float64, see `attend_finely`.
    """

    batch_tokens: int
    read_tokens: int

    def __init__(self, model: Any, batch_tokens: int | None = None) -> None:
        self.model = model
        self.parameters: int = sum(weights.numel() for weights in model.parameters())
        self.device: torch.device = model.device
        config = model.config.get_text_config()
        self.context: int | None = next(
            (getattr(config, name) for name in _CONTEXT_NAMES if getattr(config, name, None)), None
        )
        self.vocabulary = int(model.get_input_embeddings().weight.shape[0])
        self.finely = False
        self._batch_tokens = batch_tokens
        self._size_batches()
        self._tolerance = _TOLERANCE.get(model.dtype, 1e-4)
        accepted = inspect.signature(model.forward).parameters
        self._takes_positions = "position_ids" in accepted
        self._takes_kept_logits = "logits_to_keep" in accepted

    def new_cache(self) -> Cache:
        """An empty cache."""
        return new_cache(self.model.config, self.finely)

    def scores(
        self, tokens: torch.Tensor, mask: torch.Tensor, cache: Cache | None, last: int
    ) -> torch.Tensor:
        """Scores of every token of the vocabulary to come next.

        Args:
            tokens: (rows, new tokens).
            mask: (rows, tokens in the cache and new ones); 0 where a row is filled up.
            cache: what is remembered; grows by the new tokens. None to remember nothing.
            last: for how many of the last positions scores are wanted.

        Returns:
            (rows, last, vocabulary), in float32.
        """
        new = tokens.shape[1]
        unwritten = 0 if cache is None else max(0, room_with(cache, new) - mask.shape[1])
        options: dict[str, Any] = {}
        if self._takes_positions:
            options["position_ids"] = (mask.cumsum(1) - 1).clamp(min=0)[:, -new:]
        if self._takes_kept_logits:
            options["logits_to_keep"] = last
        output = self.model(
            input_ids=tokens,
            attention_mask=torch.nn.functional.pad(mask, (0, unwritten)),
            past_key_values=cache,
            use_cache=cache is not None,
            **options,
        )
        return output.logits[:, -last:].float()

    def filled_up(self, rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens and mask, (rows, longest row) each, filled up on the left."""
        width = max(len(row) for row in rows)
        tokens = torch.zeros((len(rows), width), dtype=torch.long)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for index, row in enumerate(rows):
            tokens[index, width - len(row) :] = torch.tensor(row, dtype=torch.long)
            mask[index, width - len(row) :] = 1
        return tokens.to(self.device), mask.to(self.device)

    def round(self) -> None:
        """Keeps the weights in eight bits from now on."""
        for layer in round_layers(self.model):
            layer.forget()
        self.finely = attend_alike(self.model)
        self._size_batches()
        self._tolerance = _ROUNDED_TOLERANCE

    @cached_property
    def batches(self) -> bool:
        """Whether rows asked together give what each gives alone, for this very model.

        Compares the scores of two prompts of different lengths, filled up, remembered, copied
        and continued by one token and then by two, with those of the same tokens alone. A
        model that differs, or cannot do it, is asked one by one.
        """
        return self._agree(self._continued_together)

    @cached_property
    def remembers(self) -> bool:
        """Whether remembering earlier tokens gives what reading all of them again gives.

        A model that differs, or cannot do it, reads everything again for every token.
        """
        return self.batches or self._agree(self._continued_alone)

    def _agree(self, continued: Callable[[], torch.Tensor]) -> bool:
        if self.context is not None and self.context < len(_BEFORE[-1] + _AFTER[-1]):
            return False
        try:
            with torch.inference_mode():
                given = continued()
        except (RuntimeError, TypeError, ValueError, AttributeError, IndexError, KeyError):
            return False
        with torch.inference_mode():
            expected = torch.stack(
                [
                    self.scores(*self.filled_up([self._known(before + after)]), None, 4)[0]
                    for before in _BEFORE
                    for after in _AFTER
                ]
            )
        allowed = self._tolerance * max(1.0, float(expected.abs().max()))
        return bool((given - expected).abs().max() <= allowed)

    def _continued_together(self) -> torch.Tensor:
        tokens, mask = self.filled_up([self._known(before) for before in _BEFORE])
        cache = self.new_cache()
        first = self.scores(tokens, mask, cache, 1)
        chosen = torch.tensor([0, 0, 1, 1], device=self.device)
        after = torch.tensor([self._known(after) for after in _AFTER] * 2, device=self.device)
        mask = torch.cat([mask[chosen], torch.ones_like(after)], 1)
        cache = copied_rows(cache, chosen)
        one = self.scores(after[:, :1], mask[:, :-2], cache, 1)
        two = self.scores(after[:, 1:], mask, cache, 2)
        return torch.cat([first[chosen], one, two], 1)

    def _continued_alone(self) -> torch.Tensor:
        results = []
        for before in _BEFORE:
            for after in _AFTER:
                tokens, mask = self.filled_up([self._known(before + after)])
                cache = self.new_cache()
                steps = [(0, len(before)), *((n, n + 1) for n in range(len(before), len(mask[0])))]
                scores = [
                    self.scores(tokens[:, start:end], mask[:, :end], cache, 1)
                    for start, end in steps
                ]
                results.append(torch.cat(scores, 1)[0])
        return torch.stack(results)

    def _known(self, tokens: Sequence[int]) -> list[int]:
        return [token % self.vocabulary for token in tokens]

    def _size_batches(self) -> None:
        self.batch_tokens = self._batch_tokens or self._fitting_batch_tokens()
        on_gpu = self.device.type == "cuda"
        self.read_tokens = self.batch_tokens if on_gpu else min(self.batch_tokens, READ_TOKENS)

    def _fitting_batch_tokens(self) -> int:
        config = self.model.config.get_text_config()
        all_heads = getattr(config, "num_attention_heads", None)
        if all_heads is None:
            return BATCH_TOKENS
        heads = getattr(config, "num_key_value_heads", None) or all_heads
        size = getattr(config, "head_dim", None) or config.hidden_size // all_heads
        item = 8 if self.finely else self.model.dtype.itemsize
        per_token: int = 2 * config.num_hidden_layers * heads * size * item
        most = int(CACHE_SHARE * free_bytes(self.device)) // per_token
        return max(1, most if self.device.type == "cuda" else min(BATCH_TOKENS, most))

    @property
    def most_remembered(self) -> int:
        """Bytes for what is remembered of finished texts; 0 where they could not be gone on from.

        A GPU reads a text anew faster than memory is worth there.
        """
        if self.device.type == "cuda" or not self.batches:
            return 0
        return min(BEGINNINGS_BYTES, int(BEGINNINGS_SHARE * free_bytes(self.device)))


def open_network(
    path: Path, device: str | None, dtype: str, batch_tokens: int | None
) -> tuple[Network, Any]:
    """Loads a model and its tokenizer from a directory; runs no code of the model's own.

    Returns:
        The network and the tokenizer.

    Raises:
        BrokenModel: the files do not make a causal language model.
        Unsupported: the device is not there.
    """
    where = _device(device)
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            path, trust_remote_code=False, local_files_only=True
        )
    except Exception as error:  # transformers raises whatever its parsers raise
        raise BrokenModel(
            f"The tokenizer in {path} cannot be opened ({_brief(error)}): get its files again."
        ) from error
    try:
        model, report = AutoModelForCausalLM.from_pretrained(
            path,
            dtype=torch.float32 if dtype == INT8 else getattr(torch, dtype),
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
        )
    except Exception as error:  # the same
        raise BrokenModel(
            f"The model in {path} cannot be opened ({_brief(error)}): get its files again, or "
            "choose a causal language model that transformers knows."
        ) from error
    if missing := sorted(report["missing_keys"]):
        raise BrokenModel(
            f"The weights in {path} lack {len(missing)} of the model's tables, {missing[0]} among "
            "them: get the files again."
        )
    model = model.eval().to(where)
    if where.type == "cpu":
        attend_plainly(model)
    network = Network(model, batch_tokens)
    if dtype == INT8:
        if where.type != "cpu":
            raise Unsupported(f"{dtype} is a format for processors: choose float32 or bfloat16.")
        network.round()
    else:
        pack(model)
    return network, tokenizer


def _device(name: str | None) -> torch.device:
    if name is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise Unsupported(f"There is no device “{name}”: choose cpu, cuda or cuda:0.") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise Unsupported(f"This machine has no device “{name}”: choose cpu.")
    return device


def _brief(error: Exception) -> str:
    first = str(error).strip().splitlines()
    return f"{type(error).__name__}: {first[0][:200]}" if first else type(error).__name__


@dataclass(frozen=True, slots=True)
class ScoringQuestion:
    """A shared beginning and the token sequences that may follow it.

    Attributes:
        index: of the question.
        beginning: at least one token.
        endings: at least one token each.
    """

    index: int
    beginning: tuple[int, ...]
    endings: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> Size:
        """Tokens of the beginning, and of the longest ending for each row it will need."""
        return Size(len(self.beginning), max(map(len, self.endings)))


Reading: TypeAlias = Callable[[Sequence[ScoringQuestion]], AbstractContextManager[None]]
"""Is opened while the beginnings of these questions go through the model, a row each."""


def _plainly(_: Sequence[ScoringQuestion]) -> AbstractContextManager[None]:
    return nullcontext()


class Scorer:
    """Scores continuations with one network."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def score(
        self, questions: Sequence[ScoringQuestion], reading: Reading = _plainly
    ) -> Iterator[tuple[int, Likelihood]]:
        """Scores every question's endings; each question is yielded once it is done.

        Args:
            questions: what is scored.
            reading: opened around each pass over the beginnings of several questions, told which,
                in the order of the rows. What it changes there holds for the endings too.
        """
        plan = plan_batches(
            [question.size for question in questions],
            self._network.batch_tokens,
            read=self._network.read_tokens,
        )
        for batch in plan:
            chosen = [questions[index] for index in batch]
            if self._network.batches:
                yield from self._score_together(chosen, reading)
            else:
                yield from self._score_alone(chosen)

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def _score_together(
        self, questions: Sequence[ScoringQuestion], reading: Reading
    ) -> Iterator[tuple[int, Likelihood]]:
        tokens, mask = self._network.filled_up([question.beginning for question in questions])
        longer = any(len(ending) > 1 for q in questions for ending in q.endings)
        cache = self._network.new_cache() if longer else None
        with reading(questions):
            first = self._network.scores(tokens, mask, cache, 1)[:, -1]
        first = first - first.logsumexp(-1, keepdim=True)
        found = [
            [[float(first[row, ending[0]])] for ending in question.endings]
            for row, question in enumerate(questions)
        ]
        if cache is not None:
            self._add_the_rest(questions, cache, mask, found)
        for question, by_token in zip(questions, found, strict=True):
            yield question.index, Likelihood.of_tokens(by_token)

    def _add_the_rest(
        self,
        questions: Sequence[ScoringQuestion],
        cache: Cache,
        mask: torch.Tensor,
        scores: list[list[list[float]]],
    ) -> None:
        places = [
            (row, number)
            for row, question in enumerate(questions)
            for number, ending in enumerate(question.endings)
            if len(ending) > 1
        ]
        sizes = [Size(mask.shape[1], len(questions[r].endings[n])) for r, n in places]
        longest = max(size.after for size in sizes)
        most = max(1, min(MOST_ROWS, LOGIT_NUMBERS // (longest * self._network.vocabulary)))
        for part in plan_batches(sizes, self._network.batch_tokens, most):
            chosen = [places[index] for index in part]
            endings = [questions[row].endings[number] for row, number in chosen]
            added = self._rest(cache, mask, [row for row, _ in chosen], endings)
            for (row, number), more in zip(chosen, added, strict=True):
                scores[row][number] += more

    def _rest(
        self,
        cache: Cache,
        mask: torch.Tensor,
        rows: Sequence[int],
        endings: Sequence[tuple[int, ...]],
    ) -> list[list[float]]:
        """Log-probability of every token of the endings but the first, per ending."""
        width = max(map(len, endings)) - 1
        given = torch.zeros((len(endings), width), dtype=torch.long)
        wanted = torch.zeros_like(given)
        real = torch.zeros_like(given)
        for at, ending in enumerate(endings):
            n = len(ending) - 1
            given[at, :n] = torch.tensor(ending[:-1])
            wanted[at, :n] = torch.tensor(ending[1:])
            real[at, :n] = 1
        device = mask.device
        given, wanted, real = given.to(device), wanted.to(device), real.to(device)
        taken = torch.tensor(list(rows), device=device)
        whole = torch.cat([mask[taken], real], 1)
        remembered = copied_rows(cache, taken)
        scores = self._network.scores(given, whole, remembered, width)
        found = scores.gather(-1, wanted[..., None])[..., 0] - scores.logsumexp(-1)
        logs: list[list[float]] = found.double().tolist()
        return [each[: len(ending) - 1] for each, ending in zip(logs, endings, strict=True)]

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def _score_alone(
        self, questions: Sequence[ScoringQuestion]
    ) -> Iterator[tuple[int, Likelihood]]:
        for question in questions:
            by_token: list[list[float]] = []
            for ending in question.endings:
                tokens, mask = self._network.filled_up([question.beginning + ending])
                scores = self._network.scores(tokens, mask, None, len(ending) + 1)[0, :-1]
                wanted = torch.tensor(ending, device=scores.device)[:, None]
                found = scores.gather(-1, wanted)[:, 0] - scores.logsumexp(-1)
                by_token.append(found.double().tolist())
            yield question.index, Likelihood.of_tokens(by_token)
