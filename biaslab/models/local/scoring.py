"""Log-probabilities of given continuations.

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

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import torch

from biaslab.models.local.memory import LOGIT_NUMBERS, MOST_ROWS, Size, copied_rows, plan_batches
from biaslab.models.local.network import Network
from biaslab.models.requests import Likelihood

if TYPE_CHECKING:
    from transformers.cache_utils import Cache


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
