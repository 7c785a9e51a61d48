"""Writing continuations: many rows at once, each as if it were alone.

A row's tokens depend on its prompt and sampling only. Rows filled up on the left, rows that
finish earlier and the order of requests do not change it. (Scores of the same row in batches of
different shape differ by rounding, about one part in a million; only an exact tie between two
tokens could show it. In eight bits they do not differ: see docs/speed.md.)
Luck above temperature 0 comes from the request's seed and its prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from enum import Enum, auto
from hashlib import blake2b
from random import Random
from time import perf_counter

import torch

from biaslab.models.local.encoding import Encoder
from biaslab.models.local.memory import (
    MOST_ROWS,
    Beginning,
    Beginnings,
    Size,
    going_on,
    keep_rows,
    plan_batches,
)
from biaslab.models.local.network import Network
from biaslab.models.requests import Completion, Failure, Sampling, used_up
from schoolmath.text.numbers import first_number
from schoolmath.text.thinking import closing_of, split_thinking

_BEFORE = 4
"""Tokens of the prompt that are decoded along with what follows, for spaces to be right."""

_SHRINK_AT = 0.75
"""Rows that are finished leave once the others are no more than this share."""

SHOWN_SECONDS = 1.0
"""How often a text is shown while it is written."""

_SPARE = 8
"""Tokens looked at beyond the length of a stop text, as some tokens write nothing."""


class WritingRow:
    """One continuation being written.

    Args:
        index: of the request.
        prompt: token numbers.
        sampling: how to write.
        room: most tokens that the model can take after the prompt.
        opened: what ends the thinking within which the prompt of a chat ended; empty where it did
            not; None: it is plain text, which is never taken apart.
    """

    def __init__(
        self, index: int, prompt: list[int], sampling: Sampling, room: int, opening: str | None
    ) -> None:
        self.index = index
        self.opened = opening
        self.beginning: Beginning | None = None
        self.prompt = prompt
        self.sampling = sampling
        self.limit = min(sampling.max_new_tokens, room)
        self.stops = tuple(stop for stop in sampling.stop if stop)
        self.looked_at = max((len(stop.encode()) for stop in self.stops), default=0) + _SPARE
        self.restart()

    def restart(self) -> None:
        """Forgets what was written."""
        self.written: list[int] = []
        self.given: list[int] = []
        """Tokens that come next whatever the model would write: the end of its thinking."""
        self.seconds = 0.0
        self._luck = Random(_seed(self.sampling.seed, self.prompt))

    @property
    def size(self) -> Size:
        """Tokens before and, at most, after."""
        return Size(len(self.prompt), self.limit)

    @property
    def has_thought(self) -> bool:
        """Whether as many tokens were written as it may think at most."""
        level = self.sampling.thinking
        return level is not None and len(self.written) == level.tokens > 0

    def draw(self) -> float:
        """The next number between 0 and 1 of this row's luck."""
        return self._luck.random()


def _seed(seed: int, prompt: Sequence[int]) -> int:
    text = f"{seed}:{','.join(map(str, prompt))}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


class BatchWriter:
    """Writes continuations with one network.

    Args:
        network: the model.
        encoder: its tokenizer.
        ends: token numbers that end a text.
    """

    def __init__(self, network: Network, encoder: Encoder, ends: frozenset[int]) -> None:
        self._network = network
        self._encoder = encoder
        self._ends = ends
        self._beginnings: Beginnings | None = None
        self.on_text: Callable[[str], None] | None = None
        self._shown = 0.0

    def write(self, rows: Sequence[WritingRow]) -> Iterator[tuple[int, Completion | Failure]]:
        """Continues every row; each is yielded as soon as it is finished.

        Rows that go on from a text that is remembered come first: what follows would push it out.
        """
        self._beginnings = self._beginnings or Beginnings(self._network.most_remembered)
        for row in rows:
            row.beginning = self._beginnings.take(row.prompt)
        plan = [
            [part[index] for index in batch]
            for part in (
                [row for row in rows if row.beginning],
                [r for r in rows if not r.beginning],
            )
            for batch in plan_batches(
                [row.size for row in part],
                self._network.batch_tokens,
                MOST_ROWS if self._network.batches else 1,
                self._network.read_tokens,
            )
        ]
        waiting = plan[::-1]
        while waiting:
            batch = waiting.pop()
            finished: set[int] = set()
            try:
                for index, result in self._write_batch(batch):
                    finished.add(index)
                    yield index, result
            except (MemoryError, RuntimeError) as error:
                if not is_out_of_memory(error):
                    raise
                left = [row for row in batch if row.index not in finished]
                if len(left) == 1:
                    yield left[0].index, Failure(_too_big(left[0]), retryable=False)
                    continue
                for row in left:
                    row.restart()
                middle = len(left) // 2
                waiting += [part for part in (left[middle:], left[:middle]) if part]

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def _write_batch(
        self, rows: Sequence[WritingRow]
    ) -> Iterator[tuple[int, Completion | Failure]]:
        batch = _Batch(self._network, rows)
        while batch.active:
            started = perf_counter()
            active = [row for row in batch.rows if row is not None]
            scores = batch.next_scores()
            tokens, finite = _choose(scores, batch.rows)
            results = self._take(batch, tokens, finite)
            share = (perf_counter() - started) / len(active)
            for row in active:
                row.seconds += share
            self._show(active)
            for row, finish in results:
                yield row.index, self._result(row, finish)

    def _show(self, active: Sequence[WritingRow]) -> None:
        """Shows how far the first text is, to whoever watches."""
        now = perf_counter()
        if self.on_text is not None and now - self._shown >= SHOWN_SECONDS:
            self._shown = now
            self.on_text(self._text(active[0]))

    def _take(
        self, batch: _Batch, tokens: list[int], finite: list[bool]
    ) -> list[tuple[WritingRow, _Finish]]:
        """Adds a token to every row; returns the rows that are finished by it."""
        finished: dict[int, _Finish] = {}
        watched: list[tuple[int, WritingRow]] = []
        for at, (row, token) in enumerate(zip(batch.rows, tokens, strict=True)):
            if row is None:
                continue
            if row.given:
                tokens[at] = token = row.given.pop(0)
            if not finite[at]:
                finished[at] = _Finish.BROKEN
            elif token in self._ends:
                finished[at] = _Finish.END
            else:
                row.written.append(token)
                if row.has_thought and (marker := closing_of(self._text(row), row.opened or "")):
                    row.given = self._encoder.closing(marker)
                if row.stops or row.sampling.until_number:
                    watched.append((at, row))
                if len(row.written) == row.limit:
                    finished[at] = _Finish.LIMIT
        for at in self._stopped(watched):
            finished[at] = _Finish.END
        results = [(row, how) for at, how in finished.items() if (row := batch.rows[at])]
        for at, how in finished.items():
            if how is not _Finish.BROKEN and self._beginnings is not None:
                batch.remember(at, self._beginnings)
        batch.go_on(tokens, finished)
        return results

    def _stopped(self, watched: Sequence[tuple[int, WritingRow]]) -> list[int]:
        if not watched:
            return []
        ends = self._encoder.decode_all(
            [row.written[-row.looked_at :] for _, row in watched],
            [
                [*row.prompt[-_BEFORE:], *row.written[: -row.looked_at]][-_BEFORE:]
                for _, row in watched
            ],
        )
        return [
            at
            for (at, row), end in zip(watched, ends, strict=True)
            if (
                any(stop in end for stop in row.stops)
                and _cut(self._text(row), row.stops) is not None
            )
            or (row.sampling.until_number and any(map(str.isdigit, end)) and self._has_number(row))
        ]

    def _has_number(self, row: WritingRow) -> bool:
        """Whether the answer's first number is written and over."""
        text = self._text(row)
        if row.opened is not None:
            text = split_thinking(text, begins_inside=bool(row.opened)).text
        number = first_number(text)
        return number is not None and number.is_over

    def _text(self, row: WritingRow) -> str:
        return self._encoder.decode(row.written, row.prompt[-_BEFORE:])

    def _result(self, row: WritingRow, finish: _Finish) -> Completion | Failure:
        if finish is _Finish.BROKEN:
            return Failure(
                "The model gave scores that are not numbers, so its weights are damaged or its "
                "number format is too coarse: open it with float32, or get its files again.",
                retryable=False,
            )
        text = self._text(row)
        cut = _cut(text, row.stops)
        cut_off = finish is _Finish.LIMIT and cut is None
        text, thinking = text if cut is None else cut, ""
        if row.opened is not None:
            thought = split_thinking(text, begins_inside=bool(row.opened))
            text, thinking = thought.text, thought.thinking
            if cut_off and thinking and not text.strip():
                return used_up(row.limit)
        return Completion(
            text=text,
            finish="length" if cut_off else "stop",
            tokens_in=len(row.prompt),
            tokens_out=len(row.written),
            seconds=row.seconds,
            thinking=thinking,
        )


class _Finish(Enum):
    END = auto()
    LIMIT = auto()
    BROKEN = auto()


class _Batch:
    """Rows being written together and what is remembered of them; None: finished."""

    def __init__(self, network: Network, rows: Sequence[WritingRow]) -> None:
        self.rows: list[WritingRow | None] = list(rows)
        self._network = network
        beginnings = [row.beginning for row in rows]
        # One token at least is read, since its scores are wanted.
        shared = [
            min(each.shared(row.prompt), len(row.prompt) - 1) if each else 0
            for each, row in zip(beginnings, rows, strict=True)
        ]
        self._tokens, mask = network.filled_up(
            [row.prompt[n:] for row, n in zip(rows, shared, strict=True)]
        )
        remembered = max(shared)
        self._length = remembered + mask.shape[1]
        room = self._length + max(row.limit for row in rows)
        self._mask = torch.ones((len(rows), room), dtype=torch.long, device=mask.device)
        for at, n in enumerate(shared):
            self._mask[at, : remembered - n] = 0
        self._mask[:, remembered : self._length] = mask
        self._cache = network.new_cache() if network.remembers else None
        if remembered:
            self._cache = going_on(beginnings, shared, network.finely)
        for row in rows:
            row.beginning = None

    @property
    def active(self) -> bool:
        """Whether any row is still being written."""
        return any(row is not None for row in self.rows)

    def next_scores(self) -> torch.Tensor:
        """Scores of the next token, (rows, vocabulary)."""
        mask = self._mask[:, : self._length]
        return self._network.scores(self._tokens, mask, self._cache, 1)[:, -1]

    def remember(self, at: int, beginnings: Beginnings) -> None:
        """Keeps what is remembered of a row that is finished."""
        row = self.rows[at]
        if self._cache is not None and row is not None:
            real = self._mask[at, : self._length]
            tokens = [*row.prompt, *row.written][: int(real.sum())]
            beginnings.keep(len(row.prompt), tokens, self._cache, at, real)

    def go_on(self, tokens: list[int], finished: Collection[int]) -> None:
        """Takes the tokens as written and lets finished rows leave."""
        for at in finished:
            self.rows[at] = None
        self._length += 1
        added = torch.tensor(tokens, device=self._tokens.device)[:, None]
        self._tokens = torch.cat([self._tokens, added], 1) if self._cache is None else added
        left = [at for at, row in enumerate(self.rows) if row is not None]
        if left and len(left) <= _SHRINK_AT * len(self.rows):
            kept = torch.tensor(left, device=self._tokens.device)
            if self._cache is not None:
                keep_rows(self._cache, kept)
            self._mask, self._tokens = self._mask[kept], self._tokens[kept]
            self.rows = [self.rows[at] for at in left]


def _choose(
    scores: torch.Tensor, rows: Sequence[WritingRow | None]
) -> tuple[list[int], list[bool]]:
    """The token that each row takes, and whether its scores were numbers at all."""
    best, tokens = scores.max(-1)
    warm = [at for at, row in enumerate(rows) if row is not None and row.sampling.temperature > 0]
    if warm:
        picked = torch.tensor(warm, device=scores.device)
        drawn = [row for row in rows if row is not None and row.sampling.temperature > 0]
        heat = torch.tensor([row.sampling.temperature for row in drawn], dtype=torch.float64)
        luck = torch.tensor([row.draw() for row in drawn], dtype=torch.float64)
        weights = scores[picked].double() / heat.to(scores.device)[:, None]
        up_to = weights.softmax(-1).cumsum(-1)
        at = torch.searchsorted(
            up_to, luck.to(scores.device)[:, None] * up_to[:, -1:], right=True
        ).clamp(max=scores.shape[-1] - 1)
        tokens[picked] = at[:, 0]
    return tokens.tolist(), best.isfinite().tolist()


def _cut(text: str, stops: Sequence[str]) -> str | None:
    """The text before the first stop text, or None where there is none."""
    found = [at for stop in stops if (at := text.find(stop)) >= 0]
    return text[: min(found)] if found else None


def is_out_of_memory(error: BaseException) -> bool:
    """Whether torch or Python ran out of memory."""
    return isinstance(
        error, (MemoryError, torch.OutOfMemoryError)
    ) or "can't allocate memory" in str(error)


def _too_big(row: WritingRow) -> str:
    return (
        f"There is not enough memory for a prompt of {len(row.prompt)} tokens and up to "
        f"{row.limit} new ones: choose a smaller model or fewer new tokens."
    )
