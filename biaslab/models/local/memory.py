"""What a batch remembers of its tokens: keys and values, written in place, rows removable.

The cache of transformers copies everything whenever a token is added. Layers of full attention
are replaced by one that adds room for several tokens at once and hands out its room whole, the
part not yet written included, which the attention mask leaves out. Handing out only the
written part would leave gaps between rows, and a processor reads memory with gaps at less than
half the speed.
"""

from __future__ import annotations

import copy
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import psutil
import torch
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

BATCH_TOKENS = 65_536
"""Most tokens in one batch: rows times the longest row, its continuation included."""

READ_TOKENS = 16_384
"""Most tokens of prompts that are read at once on a processor: they take room on their way."""

MOST_ROWS = 128
"""Most rows in one batch; more than this gains nothing on a processor."""

CACHE_SHARE = 0.3
"""Share of the free memory for what a batch remembers of its tokens (keys and values)."""

BEGINNINGS_SHARE, BEGINNINGS_BYTES = 0.1, 3 << 29
"""Share of the free memory for what is remembered of finished texts, and the most of it."""

LOGIT_NUMBERS = 1 << 26
"""Most numbers in one table of scores (rows times positions times vocabulary)."""


class Size(NamedTuple):
    """Tokens of a prompt and the most that may follow it."""

    before: int
    after: int


def plan_batches(
    sizes: Sequence[Size], tokens: int, rows: int = MOST_ROWS, read: int | None = None
) -> list[list[int]]:
    """Groups requests of similar length.

    Args:
        sizes: one per request.
        tokens: budget of a batch; a longer request makes a batch of its own.
        rows: most requests in a batch.
        read: budget of a batch for tokens of prompts alone; None: the same.

    Returns:
        Indices into the sizes, every one in exactly one batch, the longest ones first.
    """
    batches: list[list[int]] = []
    longest = Size(0, 0)
    for index in sorted(range(len(sizes)), key=lambda index: sizes[index], reverse=True):
        size = sizes[index]
        grown = Size(max(longest.before, size.before), max(longest.after, size.after))
        n = len(batches[-1]) + 1 if batches else 0
        full = n * sum(grown) > tokens or n * grown.before > (read or tokens) or n > rows
        if not batches or full:
            batches.append([])
            grown = size
        batches[-1].append(index)
        longest = grown
    return batches


_ROOM = 16
"""Tokens per row that room is added for at a time."""


class RoomyLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values of one layer of full attention, (rows, heads, room, size) each.

    Args:
        finely: whether they are kept in float64, for attention that sums in it: as every token
            to come reads all of them again, turning them then would take most of its time.
    """

    keys: Any
    values: Any

    def __init__(self, finely: bool = False) -> None:
        super().__init__()
        self._length = 0
        self.finely = finely

    def update(
        self,
        key_states: torch.Tensor,
        value_states: torch.Tensor,
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Adds keys and values (rows, heads, new tokens, size) and returns the whole room."""
        if self.finely:
            key_states, value_states = key_states.double(), value_states.double()
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        old, new = self._length, self._length + key_states.shape[-2]
        if new > self._room():
            self.keys = self._roomier(self.keys, key_states, old, new)
            self.values = self._roomier(self.values, value_states, old, new)
        self.keys[:, :, old:new] = key_states
        self.values[:, :, old:new] = value_states
        self._length = new
        return self.keys, self.values

    def get_seq_length(self) -> int:
        """Tokens written per row."""
        return self._length

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Width of the room once so many tokens are added, and where it begins."""
        return max(self._room(), _rounded_up(self._length + query_length)), 0

    def _room(self) -> int:
        return int(self.keys.shape[-2]) if self._length else 0

    @staticmethod
    def _roomier(cache: torch.Tensor, added: torch.Tensor, old: int, new: int) -> torch.Tensor:
        rows, heads, _, size = added.shape
        room = torch.zeros(
            (rows, heads, _rounded_up(new), size), dtype=added.dtype, device=added.device
        )
        if old:
            room[:, :, :old] = cache[:, :, :old]
        return room

    @classmethod
    def of(cls, keys: torch.Tensor, values: torch.Tensor) -> RoomyLayer:
        """A layer that remembers these already."""
        layer = cls(keys.dtype == torch.float64)
        layer.lazy_initialization(keys, values)
        layer.keys, layer.values, layer._length = keys, values, keys.shape[-2]
        return layer


def _rounded_up(tokens: int) -> int:
    return -(-tokens // _ROOM) * _ROOM


def new_cache(config: Any, finely: bool = False) -> Cache:
    """An empty cache for a model of this configuration; finely: as `RoomyLayer` says.

    A model that also has layers without attention keeps transformers' own cache throughout.
    """
    cache = DynamicCache(config=config)
    if all(isinstance(layer, DynamicLayer) for layer in cache.layers):
        cache.layers = [
            RoomyLayer(finely) if type(layer) is DynamicLayer else layer for layer in cache.layers
        ]
    return cache


def room_with(cache: Cache, new: int) -> int:
    """Tokens per row that the cache hands out once so many more are added; 0 if none."""
    return max(
        (layer.get_mask_sizes(new)[0] for layer in cache.layers if isinstance(layer, RoomyLayer)),
        default=0,
    )


def keep_rows(cache: Cache, rows: torch.Tensor) -> None:
    """Keeps the given rows of a cache in the given order."""
    for layer in cache.layers:
        layer.reorder_cache(rows)


def copied_rows(cache: Cache, rows: torch.Tensor) -> Cache:
    """A new cache with the given rows of another one, which stays as it is.

    A row may be given more than once.
    """
    chosen = copy.copy(cache)
    chosen.layers = []
    for layer in cache.layers:
        taken = copy.copy(layer) if isinstance(layer, RoomyLayer) else copy.deepcopy(layer)
        taken.reorder_cache(rows)
        chosen.layers.append(taken)
    return chosen


def free_bytes(device: torch.device) -> int:
    """Memory that nobody uses now, on a GPU or in this machine."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return int(psutil.virtual_memory().available)


@dataclass(frozen=True, slots=True, eq=False)
class Beginning:
    """What is remembered of a finished text.

    Attributes:
        prompt: how many of its tokens were asked.
        tokens: those that are remembered.
        layers: keys and values, (heads, tokens, size) each.
    """

    prompt: int
    tokens: tuple[int, ...]
    layers: tuple[tuple[torch.Tensor, torch.Tensor], ...]

    @property
    def bytes(self) -> int:
        """Memory that it takes."""
        return sum(part.nbytes for layer in self.layers for part in layer)

    def shared(self, tokens: Sequence[int]) -> int:
        """How many tokens another text begins with as this one does."""
        pairs = enumerate(zip(self.tokens, tokens, strict=False))
        shortest = min(len(self.tokens), len(tokens))
        return next((at for at, (own, other) in pairs if own != other), shortest)


class Beginnings:
    """Finished texts, for requests that go on from them: the second one of step by step.

    A text is given to one request only, whose prompt begins with the whole prompt of that text.

    Args:
        most_bytes: memory for all of them; the oldest ones leave.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._used = 0
        self._by_tokens: dict[tuple[int, ...], Beginning] = {}
        self._sorted: list[tuple[int, ...]] = []

    def keep(self, prompt: int, tokens: Sequence[int], cache: Cache, row: int, real: Any) -> None:
        """Remembers a row of a cache; ``real``: which of its columns hold the tokens."""
        text = tuple(tokens)
        if (
            not self._most
            or text in self._by_tokens
            or not all(type(x) is RoomyLayer for x in cache.layers)
        ):
            return
        at = real.nonzero()[:, 0]
        # They came in float32, so nothing is lost, and they take half the memory.
        layers = tuple(
            (each.keys[row][:, at].float(), each.values[row][:, at].float())
            if each.finely
            else (each.keys[row][:, at], each.values[row][:, at])
            for each in cache.layers
        )
        kept = Beginning(prompt, text, layers)
        self._by_tokens[text] = kept
        insort(self._sorted, text)
        self._used += kept.bytes
        while self._used > self._most:
            self._forget(next(iter(self._by_tokens)))

    def take(self, tokens: Sequence[int]) -> Beginning | None:
        """The text that shares most with these tokens; it is given away."""
        place = bisect_left(self._sorted, tuple(tokens))
        near = [self._by_tokens[text] for text in self._sorted[max(0, place - 1) : place + 1]]
        best = max(near, key=lambda each: each.shared(tokens), default=None)
        if best is None or best.shared(tokens) < best.prompt:
            return None
        self._forget(best.tokens)
        return best

    def _forget(self, text: tuple[int, ...]) -> None:
        self._used -= self._by_tokens.pop(text).bytes
        del self._sorted[bisect_left(self._sorted, text)]


def going_on(
    beginnings: Sequence[Beginning | None], shared: Sequence[int], finely: bool = False
) -> Cache:
    """A cache whose rows remember so many tokens of these texts, none where there is no text.

    Rows with less than the others are filled up in front.
    """
    width = max(shared)
    some = next(each for each in beginnings if each is not None)
    layers = []
    for number, parts in enumerate(some.layers):
        made = [
            part.new_zeros(
                (len(shared), part.shape[0], width, part.shape[2]),
                dtype=torch.float64 if finely else part.dtype,
            )
            for part in parts
        ]
        for row, (beginning, n) in enumerate(zip(beginnings, shared, strict=True)):
            if beginning is not None:
                for to, part in zip(made, beginning.layers[number], strict=True):
                    to[row, :, width - n :] = part[:, :n]
        layers.append(RoomyLayer.of(*made))
    cache = DynamicCache()
    cache.layers = layers
    return cache
