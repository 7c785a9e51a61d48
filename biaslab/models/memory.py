"""What a batch remembers of its tokens: keys and values, written in place, rows removable.

The cache of transformers copies everything whenever a token is added. Layers of full attention
are replaced by one that reserves its room once; other kinds stay as they are.
"""

from __future__ import annotations

import copy
from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicCache, DynamicLayer


class RoomyLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values of one layer of full attention, in room reserved beforehand.

    Args:
        room: tokens per row that are expected in the end; more are possible.
    """

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room
        self._reserved_keys: Any = None
        self._reserved_values: Any = None

    def update(
        self,
        key_states: torch.Tensor,
        value_states: torch.Tensor,
        *args: Any,  # noqa: ARG002
        **kwargs: Any,  # noqa: ARG002
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Adds keys and values (rows, heads, new tokens, size) and returns all of them."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        old = self.get_seq_length()
        new = old + key_states.shape[-2]
        if self._reserved_keys is None or new > self._reserved_keys.shape[-2]:
            self._reserve(key_states, value_states, old, max(new, self.room))
        self._reserved_keys[:, :, old:new] = key_states
        self._reserved_values[:, :, old:new] = value_states
        self.keys = self._reserved_keys[:, :, :new]
        self.values = self._reserved_values[:, :, :new]
        return self.keys, self.values

    def reorder_cache(self, beam_idx: torch.Tensor) -> None:
        """Keeps the given rows in the given order; a row may be given more than once."""
        length = self.get_seq_length()
        if length == 0:
            return
        keys, values = self.keys, self.values
        rows = beam_idx.to(keys.device)
        self._reserved_keys = self._empty(keys, len(rows), max(length, self.room))
        self._reserved_values = self._empty(values, len(rows), max(length, self.room))
        torch.index_select(keys, 0, rows, out=self._reserved_keys[:, :, :length])
        torch.index_select(values, 0, rows, out=self._reserved_values[:, :, :length])
        self.keys = self._reserved_keys[:, :, :length]
        self.values = self._reserved_values[:, :, :length]

    def _reserve(
        self, key_states: torch.Tensor, value_states: torch.Tensor, length: int, room: int
    ) -> None:
        keys = self._empty(key_states, key_states.shape[0], room)
        values = self._empty(value_states, value_states.shape[0], room)
        if length:
            keys[:, :, :length] = self.keys
            values[:, :, :length] = self.values
        self._reserved_keys, self._reserved_values = keys, values

    @staticmethod
    def _empty(like: torch.Tensor, rows: int, room: int) -> torch.Tensor:
        return torch.empty(
            (rows, like.shape[1], room, like.shape[3]), dtype=like.dtype, device=like.device
        )


def new_cache(config: Any, room: int) -> Cache:
    """An empty cache for a model of this configuration.

    Args:
        config: of the model.
        room: tokens per row that are expected in the end.
    """
    cache = DynamicCache(config=config)
    cache.layers = [
        RoomyLayer(room) if type(layer) is DynamicLayer else layer for layer in cache.layers
    ]
    return cache


def keep_rows(cache: Cache, rows: torch.Tensor) -> None:
    """Keeps the given rows of a cache in the given order."""
    for layer in cache.layers:
        layer.reorder_cache(rows)


def copied_rows(cache: Cache, rows: torch.Tensor, room: int) -> Cache:
    """A new cache with the given rows of another one, which stays as it is.

    A row may be given more than once; the room is in tokens per row, as for `new_cache`.
    """
    chosen = copy.copy(cache)
    chosen.layers = []
    for layer in cache.layers:
        if isinstance(layer, RoomyLayer):
            taken = copy.copy(layer)
            taken.room = room
        else:
            taken = copy.deepcopy(layer)
        taken.reorder_cache(rows)
        chosen.layers.append(taken)
    return chosen
