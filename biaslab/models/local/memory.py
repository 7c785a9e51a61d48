"""What a batch remembers of its tokens: keys and values, written in place, rows removable.

The cache of transformers copies everything whenever a token is added. Layers of full attention
are replaced by one that adds room for several tokens at once and hands out its room whole, the
part not yet written included, which the attention mask leaves out. Handing out only the
written part would leave gaps between rows, and a processor reads memory with gaps at less than
half the speed.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer

BATCH_TOKENS = 16_384
"""Most tokens in one batch: rows times the longest row, its continuation included."""

MOST_ROWS = 128
"""Most rows in one batch; more than this gains nothing on a processor."""

CACHE_BYTES = 2 << 30
"""Most memory for what a batch on a processor remembers of its tokens (keys and values)."""

CACHE_SHARE = 0.3
"""Share of a GPU's free memory for the same."""

LOGIT_NUMBERS = 1 << 26
"""Most numbers in one table of scores (rows times positions times vocabulary)."""


class Size(NamedTuple):
    """Tokens of a prompt and the most that may follow it."""

    before: int
    after: int


def plan_batches(sizes: Sequence[Size], tokens: int, rows: int = MOST_ROWS) -> list[list[int]]:
    """Groups requests of similar length.

    Args:
        sizes: one per request.
        tokens: budget of a batch; a longer request makes a batch of its own.
        rows: most requests in a batch.

    Returns:
        Indices into the sizes, every one in exactly one batch, the longest ones first.
    """
    batches: list[list[int]] = []
    longest = Size(0, 0)
    for index in sorted(range(len(sizes)), key=lambda index: sizes[index], reverse=True):
        size = sizes[index]
        grown = Size(max(longest.before, size.before), max(longest.after, size.after))
        together = (len(batches[-1]) + 1) * sum(grown) if batches else 0
        if not batches or together > tokens or len(batches[-1]) >= rows:
            batches.append([])
            grown = size
        batches[-1].append(index)
        longest = grown
    return batches


_ROOM = 16
"""Tokens per row that room is added for at a time."""


class RoomyLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values of one layer of full attention, (rows, heads, room, size) each."""

    keys: Any
    values: Any

    def __init__(self) -> None:
        super().__init__()
        self._length = 0

    def update(
        self,
        key_states: torch.Tensor,
        value_states: torch.Tensor,
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Adds keys and values (rows, heads, new tokens, size) and returns the whole room."""
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
    def _roomier(kept: torch.Tensor, added: torch.Tensor, old: int, new: int) -> torch.Tensor:
        rows, heads, _, size = added.shape
        room = torch.zeros(
            (rows, heads, _rounded_up(new), size), dtype=added.dtype, device=added.device
        )
        if old:
            room[:, :, :old] = kept[:, :, :old]
        return room


def _rounded_up(tokens: int) -> int:
    return -(-tokens // _ROOM) * _ROOM


def new_cache(config: Any) -> Cache:
    """An empty cache for a model of this configuration.

    A model that also has layers without attention keeps transformers' own cache throughout.
    """
    cache = DynamicCache(config=config)
    if all(isinstance(layer, DynamicLayer) for layer in cache.layers):
        cache.layers = [
            RoomyLayer() if type(layer) is DynamicLayer else layer for layer in cache.layers
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
