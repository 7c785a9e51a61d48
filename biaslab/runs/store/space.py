"""Nothing begins on a disk that is nearly full: what fills it up stops everything else here too."""

from __future__ import annotations

import shutil
from pathlib import Path

from biaslab.runs.errors import StoreFull

LEAST_FREE = 500_000_000
"""Bytes that stay free beside the file of runs when something is begun."""


def check_space(path: str | Path) -> None:
    """Sees that there is room beside the file of runs before something is begun.

    Raises:
        StoreFull: there is not.
    """
    database = Path(path).expanduser().absolute()
    there = next(folder for folder in database.parents if folder.exists())
    free = shutil.disk_usage(there).free
    if free < LEAST_FREE:
        raise StoreFull(
            f"Only {free // 1_000_000:,} MB are free on the disk of {database}, and nothing is "
            f"begun below {LEAST_FREE // 1_000_000:,} MB: free some space, then start again."
        )
