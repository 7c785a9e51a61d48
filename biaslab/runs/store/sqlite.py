"""The one place where sqlite_utils is imported, without pandas and numpy.

sqlite_utils looks for both only to give columns of their types a type of SQLite. No such value is
ever written here, and the two take longer to import than all the rest of a start.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _without(*names: str) -> Iterator[None]:
    """These packages cannot be found, unless they are loaded already."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None: not to be found
    try:
        yield
    finally:
        for name in hidden:
            sys.modules.pop(name, None)


with _without("pandas", "numpy"):
    from sqlite_utils import Database

__all__ = ["Database"]
