"""Which requests are worked on together, so that little is spent on filling up rows.

Requests are sorted by length, so rows of one batch are about equally long. A batch only ever
holds requests to one model: there is one engine per model and it never sees another's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
