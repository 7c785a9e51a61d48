"""Pairs that wait on the disk until all of them are known, so that a large file fits in memory."""

from __future__ import annotations

import pickle
import tempfile
import threading
from collections.abc import Iterator

from biaslab.studies.study import Pair


class PairSpool:
    """Pairs in the order in which they came, each once, in a nameless file that goes by itself."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this object
        self._ids: dict[str, int] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Pair]:
        at = 0
        for _ in range(len(self)):
            with self._lock:
                self._file.seek(at)
                pair: Pair = pickle.load(self._file)  # written by this object alone
                at = self._file.tell()
            yield pair

    def row_of(self, pair: Pair) -> int | None:
        """The row of the same pair, where it came before."""
        return self._ids.get(pair.id)

    def add(self, pair: Pair, row: int) -> None:
        """Keeps a pair that did not come before."""
        with self._lock:
            self._file.seek(0, 2)
            pickle.dump(pair, self._file, pickle.HIGHEST_PROTOCOL)
            self._ids[pair.id] = row
